// What Unicode 15.0 says of code points. The language has this version, whichever one utf8proc has.
//
// Internal to base/unicode.cc and base/unicode_nfc.cc. Tested by base/unicode_version_test.cc.

#ifndef HCLVM_BASE_UNICODE_TABLES_H_
#define HCLVM_BASE_UNICODE_TABLES_H_

#include <cstdint>

namespace hcl::internal {

// Grapheme_Cluster_Break of UAX #29; kPictographic is Extended_Pictographic, whose characters have no other class.
enum class GraphemeClass : uint8_t {
  kOther,
  kCr,
  kLf,
  kControl,
  kExtend,
  kZwj,
  kRegionalIndicator,
  kPrepend,
  kSpacingMark,
  kL,
  kV,
  kT,
  kLv,
  kLvt,
  kPictographic,
};

GraphemeClass GraphemeClassOf(char32_t code_point);

// Whether the code point has a meaning in this version; one of private use has.
bool IsAssigned(char32_t code_point);

// The properties ID_Start and ID_Continue.
bool HasIdStart(char32_t code_point);
bool HasIdContinue(char32_t code_point);

// The simple case mappings; the code point itself where it has none.
char32_t SimpleUpper(char32_t code_point);
char32_t SimpleLower(char32_t code_point);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_UNICODE_TABLES_H_
