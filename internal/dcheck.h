// HCL_DCHECK: a contract that a caller or our own code can break, checked where time does not matter.
//
//   HCL_DCHECK(i < size());
//
// In dbg and sanitizer builds a false condition prints the file, the line and the condition, and aborts. In optimised
// builds the condition is compiled, not evaluated. What input can bring about is never a HCL_DCHECK: that is a
// diagnostic. Tested by tests/dcheck_test.cc.

#ifndef HCLVM_INTERNAL_DCHECK_H_
#define HCLVM_INTERNAL_DCHECK_H_

#include <cstdio>
#include <cstdlib>

#include "hclvm/internal/cxx17.h"

// The sanitizer builds of .bazelrc define HCLVM_ENABLE_DCHECK; they are optimised otherwise.
#if !defined(NDEBUG) || defined(HCLVM_ENABLE_DCHECK)
#define HCL_DCHECK_IS_ON 1
#define HCL_DCHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::hcl::internal::DcheckFailed(__FILE__, __LINE__, #condition))
#else
#define HCL_DCHECK_IS_ON 0
#define HCL_DCHECK(condition) static_cast<void>(true || (condition))
#endif

namespace hcl::internal {

[[noreturn]] inline void DcheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: HCL_DCHECK failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace hcl::internal

#endif  // HCLVM_INTERNAL_DCHECK_H_
