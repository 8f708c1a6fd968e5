// Errors of the API for C: made of diagnostics, or of what is wrong with a call. Tested by bindings/c/c_test.cc.

#ifndef HCLVM_BINDINGS_C_ERROR_H_
#define HCLVM_BINDINGS_C_ERROR_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/c/hclvm.h"

// The size that a struct had in the first version of the header, whose last field was `last`. Fields that are added
// behind it leave this as it is.
#define HCLVM_FIRST_SIZE(type, last) (offsetof(type, last) + sizeof(type::last))

namespace hcl::internal {

struct FreeError {
  void operator()(hclvm_error* error) const { hclvm_error_free(error); }
};
using ErrorPointer = std::unique_ptr<hclvm_error, FreeError>;

// The error for memory that the system refuses: always the same one, which takes no memory.
hclvm_error* OutOfMemoryError();

// An error of all of `diagnostics`, whose places are in `source` (may be null) or in what they name.
ErrorPointer ErrorOf(hclvm_status status, const Diagnostics& diagnostics, const Source* source);

// What became of a phase that ended with these diagnostics: HCLVM_OK without errors.
hclvm_status StatusOf(const Diagnostics& diagnostics);

// Each puts an error into *error, unless `error` is null, and returns the status.
// Of a phase that failed.
hclvm_status Fail(const Diagnostics& diagnostics, const Source* source, hclvm_error** error);
// Of one mistake in the input, at a byte of `text`, which is called `name`.
hclvm_status Fail(DiagnosticCode code, std::string detail, std::string name, std::string_view text, size_t offset,
                  hclvm_error** error);
// Of a mistake in the call, or of a limit that is about no text.
hclvm_status Fail(hclvm_status status, std::string_view detail, hclvm_error** error);

// The status that `work` returns. Nothing that it throws gets out: what the library throws is about memory.
template <typename Work>
hclvm_status Guarded(hclvm_error** error, Work work) {
  if (error != nullptr) *error = nullptr;
#if defined(__cpp_exceptions)
  try {
    return work();
  } catch (...) {
  }
  if (error != nullptr) *error = OutOfMemoryError();
  return HCLVM_MEMORY;
#else
  return work();
#endif
}

}  // namespace hcl::internal

#endif  // HCLVM_BINDINGS_C_ERROR_H_
