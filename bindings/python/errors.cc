// Exceptions of diagnostics. Tested by bindings/python/tests/test_errors.py.

#include "hclvm/bindings/python/errors.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/string_view.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::python {
namespace {

py::object PositionOf(const Source& source, uint32_t offset) {
  const SourcePosition position = source.PositionAt(offset);
  return GetClasses().position(position.line, position.column, position.byte);
}

py::object RangeOf(const std::optional<SourceRange>& range, const Source* source) {
  if (!range || source == nullptr) return py::none();
  return GetClasses().range(ToStr(source->name()), PositionOf(*source, range->begin), PositionOf(*source, range->end));
}

py::object DiagnosticOf(const Diagnostic& diagnostic, const Source* source) {
  const Source* const own = diagnostic.source != nullptr ? diagnostic.source : source;
  py::tuple values(diagnostic.values.size());
  for (size_t i = 0; i < diagnostic.values.size(); ++i) {
    values[i] = py::make_tuple(ToStr(diagnostic.values[i].name), ToStr(diagnostic.values[i].text));
  }
  return GetClasses().diagnostic(
      ToStr(CodeText(diagnostic.code)), diagnostic.severity == Severity::kError ? "error" : "warning",
      ToStr(diagnostic.summary), ToStr(diagnostic.detail), RangeOf(diagnostic.subject, own),
      RangeOf(diagnostic.context, own), values, diagnostic.is_limit, ToStr(ToText(diagnostic, own)));
}

}  // namespace

py::list DiagnosticsOf(const std::vector<Diagnostic>& diagnostics, const Source* source) {
  py::list list;
  for (const Diagnostic& diagnostic : diagnostics) list.append(DiagnosticOf(diagnostic, source));
  return list;
}

py::object ErrorOf(Phase phase, const Diagnostics& diagnostics, const Source* source, bool cancelled) {
  const Classes& classes = GetClasses();
  const py::object& type = diagnostics.has_limit()    ? (cancelled ? classes.cancelled_error : classes.limit_error)
                           : phase == Phase::kCompile ? classes.compile_error
                                                      : classes.evaluation_error;
  return type(ToStr(ToText(diagnostics, source)), DiagnosticsOf(diagnostics.kept(), source));
}

void Raise(const py::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

void RaiseLimit(const std::string& message) { Raise(GetClasses().limit_error(ToStr(message))); }

void Raise(const absl::Status& status) {
  const absl::string_view message = status.message();
  const std::string text(message.data(), message.size());
  if (absl::IsResourceExhausted(status)) RaiseLimit(text);
  Raise(absl::IsNotFound(status) ? PyExc_FileNotFoundError : PyExc_OSError, text);
}

}  // namespace hcl::python
