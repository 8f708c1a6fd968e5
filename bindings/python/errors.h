// Exceptions of diagnostics.

#ifndef HCLVM_BINDINGS_PYTHON_ERRORS_H_
#define HCLVM_BINDINGS_PYTHON_ERRORS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// Each needs the GIL.

// The hclvm.Diagnostic objects of what is kept. `source` is for entries that name none; it may be null.
py::list DiagnosticsOf(const std::vector<Diagnostic>& diagnostics, const Source* source);

// What phase has failed, hence which exception it is where no limit was reached.
enum class Phase { kCompile, kEvaluate };

// The exception of diagnostics, not raised yet. `cancelled`: a flag has stopped the work, if a limit did.
py::object ErrorOf(Phase phase, const Diagnostics& diagnostics, const Source* source, bool cancelled);

// Raises an exception object.
[[noreturn]] void Raise(const py::object& exception);

// Raises hclvm.LimitError, without diagnostics.
[[noreturn]] void RaiseLimit(const std::string& message);

// Raises what a status of reading files stands for: FileNotFoundError, hclvm.LimitError or OSError.
[[noreturn]] void Raise(const absl::Status& status);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_ERRORS_H_
