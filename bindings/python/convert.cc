// hclvm.convert. Tested by bindings/python/tests/test_tools.py.

#include "hclvm/bindings/python/convert.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/decode/body_shape.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/convert.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/module/module_shape.h"

namespace hcl::python {
namespace {

void ReadShape(const py::object& spec, ConvertOptions* options) {
  const auto source = std::make_shared<const Source>("<spec>", std::string(Bytes(spec, "the spec").view()));
  Diagnostics diagnostics(options->limits.max_diagnostics);
  std::string error;
  bool is_read = false;
  {
    const py::gil_scoped_release released;
    const auto file = ReadSpecFile(source, options->limits, &diagnostics);
    is_read = file != nullptr && ShapeOf(*file->spec, &options->shape, &error);
  }
  if (!error.empty()) Raise(PyExc_ValueError, error);
  if (!is_read) Raise(ErrorOf(Phase::kCompile, diagnostics, source.get(), /*cancelled=*/false));
}

}  // namespace

py::str Convert(const py::object& text, const std::string& to, const py::object& spec, bool is_module,
                const std::string& name, const std::string& dialect, const py::object& limits) {
  if (to != "json" && to != "native") Raise(PyExc_ValueError, "to is \"json\" or \"native\"");
  if (dialect != "spec" && dialect != "hashicorp") Raise(PyExc_ValueError, "dialect is \"spec\" or \"hashicorp\"");
  if (is_module && !spec.is_none()) Raise(PyExc_ValueError, "give spec or module, not both");
  ConvertOptions options;
  options.limits = LimitsOf(limits);
  if (dialect == "hashicorp") options.rules = JsonRules::kReference;
  if (is_module) options.shape = ModuleShape();
  if (!spec.is_none()) ReadShape(spec, &options);
  const Source source(name, std::string(Bytes(text, "the text").view()));
  Diagnostics diagnostics(options.limits.max_diagnostics);
  std::optional<std::string> converted;
  {
    const py::gil_scoped_release released;
    converted =
        to == "json" ? ConvertToJson(source, options, &diagnostics) : ConvertToNative(source, options, &diagnostics);
  }
  if (!converted) Raise(ErrorOf(Phase::kCompile, diagnostics, &source, /*cancelled=*/false));
  return ToStr(*converted);
}

}  // namespace hcl::python
