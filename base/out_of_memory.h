// What the library does when the system refuses memory: the entry points give back what they hold and report a limit.
//
// Built without exceptions, the process ends instead.

#ifndef HCLVM_BASE_OUT_OF_MEMORY_H_
#define HCLVM_BASE_OUT_OF_MEMORY_H_

#include <new>
#include <optional>
#include <stdexcept>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::internal {

inline constexpr char kOutOfMemoryDetail[] = "The system has refused the memory that this needs.";

// The result of `work`; of `otherwise`, when memory was refused or a size was beyond what a container can have.
// Whatever `work` held by then has been given back.
template <typename Work, typename Otherwise>
auto WithMemory(Work work, Otherwise otherwise) -> decltype(work()) {
#if defined(__cpp_exceptions)
  try {
    return work();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return otherwise();
#else
  (void)otherwise;
  return work();
#endif
}

inline void ReportOutOfMemory(Diagnostics* diagnostics) {
  diagnostics->AddLimit(std::nullopt, DiagnosticCode::kOutOfMemory, kOutOfMemoryDetail);
}

// The result of `work`; when memory was refused, that is reported, and the result is null.
template <typename Work>
auto WithMemoryOrNull(Diagnostics* diagnostics, Work work) -> decltype(work()) {
  return WithMemory(work, [&]() -> decltype(work()) {
    ReportOutOfMemory(diagnostics);
    return nullptr;
  });
}

}  // namespace hcl::internal

#endif  // HCLVM_BASE_OUT_OF_MEMORY_H_
