// What JsonSkipper does on processors that have AVX2.
//
// Internal to it. Tested by vm/json/json_skip_test.cc.

#ifndef HCLVM_VM_JSON_JSON_SKIP_AVX2_H_
#define HCLVM_VM_JSON_JSON_SKIP_AVX2_H_

#include <cstdint>
#include <vector>

// Whether there is such code; whether the processor can run it is asked at run time.
#if defined(__x86_64__) && defined(__GNUC__)
#define HCLVM_JSON_SKIP_AVX2 1
#else
#define HCLVM_JSON_SKIP_AVX2 0
#endif

namespace hcl::internal::avx2 {

// From a place in a string, behind a byte of ASCII that is no backslash, to behind its closing quote; null where
// something is wrong.
const char* SkipText(const char* at, const char* end);
// From an opening bracket to behind its closing one; null likewise. *outer_kinds is scratch.
const char* SkipContainer(const char* at, const char* end, uint32_t depth, std::vector<uint64_t>* outer_kinds);

}  // namespace hcl::internal::avx2

#endif  // HCLVM_VM_JSON_JSON_SKIP_AVX2_H_
