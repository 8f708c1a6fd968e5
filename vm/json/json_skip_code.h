// SkipCode: what JsonSkipper does, in the code of one kind of processor.
//
// Internal to it. Tested by vm/json/json_skip_test.cc.

#ifndef HCLVM_VM_JSON_JSON_SKIP_CODE_H_
#define HCLVM_VM_JSON_JSON_SKIP_CODE_H_

#include <cstdint>
#include <vector>

#include "hclvm/internal/name_table.h"

// Whether there is code for processors that not all have; which of it the processor can run is asked at run time.
#if defined(__x86_64__) && defined(__GNUC__)
#define HCLVM_JSON_SKIP_X86 1
#else
#define HCLVM_JSON_SKIP_X86 0
#endif

namespace hcl::internal {

// Each returns null where something is wrong. *outer_kinds is scratch.
struct SkipCode {
  // From a place in a string, behind a byte of ASCII that is no backslash, to behind its closing quote.
  const char* (*to_quote)(const char* at, const char* end);
  // From an opening bracket to behind its closing one.
  const char* (*to_bracket)(const char* at, const char* end, uint32_t depth, std::vector<uint64_t>* outer_kinds);
  // From between the properties of an object to a name that is wanted, a text that is not plain, or the brace that
  // closes the object. `depth` counts the object.
  const char* (*to_name)(const char* at, const char* end, uint32_t depth, const NameTable& wanted,
                         std::vector<uint64_t>* outer_kinds);
};

#if HCLVM_JSON_SKIP_X86
extern const SkipCode kAvx2Skip;  // for processors with AVX2, BMI and carry-less multiplication
#endif

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_JSON_SKIP_CODE_H_
