// JsonScanner: JSON text in, tokens out, one at a time. Entry point: JsonScanner::Next().
//
// Lenient: numbers, keywords and strings are taken as far as they could be meant to go, and judged by the parser.
//
// Specification: RFC 8259. Tested by hcl/json/json_parser_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_SCANNER_H_
#define HCLVM_HCL_JSON_JSON_SCANNER_H_

#include <cstdint>
#include <string_view>

#include "hclvm/base/source.h"

namespace hcl {
namespace internal {

enum class JsonToken : uint8_t {
  kEnd,  // the end of the text; comes again and again
  kOpenBrace,
  kCloseBrace,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kColon,
  kEquals,   // no JSON, but often meant as a colon
  kKeyword,  // letters and underscores
  kNumber,   // digits, signs, dots and `e`, in any order
  kString,
  kInvalid,  // a character that starts nothing
};

// Not thread-safe; a copy goes on by itself. The text must outlive it.
class JsonScanner {
 public:
  // Scans `text` from `begin` on.
  explicit JsonScanner(std::string_view text, uint32_t begin = 0)
      : data_(text.data()), size_(static_cast<uint32_t>(text.size())), cursor_(begin) {}

  // Takes the next token. Time over all calls: linear.
  JsonToken Next();

  // The range and the form of the token that was taken last.
  SourceRange range() const { return range_; }
  bool has_escapes() const { return has_escapes_; }  // kString: something has to be decoded
  bool is_closed() const { return is_closed_; }      // kString: ends with its quote, not with the line

 private:
  JsonToken Word(JsonToken kind, uint8_t byte_class);
  JsonToken String();
  JsonToken Foreign();

  const char* data_;
  uint32_t size_;
  uint32_t cursor_;
  SourceRange range_;
  bool has_escapes_ = false;
  bool is_closed_ = false;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_SCANNER_H_
