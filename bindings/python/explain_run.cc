// hclvm.explain. Tested by bindings/python/tests/test_tools.py.

#include "hclvm/bindings/python/explain_run.h"

#include <memory>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/from_python.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::python {

py::list ExplainScope(const py::object& files, const py::object& scope, const ExplainArguments& asked,
                      const CompileArguments& arguments) {
  if (PyDict_Check(scope.ptr()) == 0) Raise(PyExc_TypeError, "a scope is a dict, variable name to value");
  const std::vector<ModuleFile> sources = FilesOf(files);
  Call call(arguments.stop);
  const CompileOptions options = internal::RecordingOptions(OptionsOf(arguments, &call));
  Diagnostics found(options.limits.max_diagnostics);
  std::shared_ptr<const hcl::Program> program;
  const WorkingFor working(&call);
  call.WithoutGil([&] { program = hcl::CompileModule(sources, options, &found); });
  call.RaisePending();
  if (program == nullptr) Raise(ErrorOf(Phase::kCompile, found, /*source=*/nullptr, call.cancelled()));
  std::vector<const Entry*> entries;
  if (asked.entry.is_none()) {
    for (const Entry& entry : program->entries()) entries.push_back(&entry);
  } else {
    std::string message;
    entries.push_back(internal::FindEntryOrSuggest(*program, py::cast<std::string>(asked.entry), &message));
    if (entries.back() == nullptr) Raise(PyExc_KeyError, message);
  }
  Heap heap(nullptr, program->dialect(), options.limits);
  const Value value =
      ObjectReader::Read(scope.ptr(), nullptr, options.limits.max_result_bytes, &heap, nullptr, "scope");
  internal::ExplainOptions explain;
  explain.limits = options.limits;
  explain.limits.interrupt = call.interrupt();
  explain.check_all = asked.scopes.check_all;
  explain.unknown_input = asked.scopes.unknown_input;
  explain.full = asked.full;
  explain.show_sensitive = asked.show_sensitive;
  std::vector<std::string> texts;
  call.WithoutGil([&] {
    internal::Explainer explainer(program, explain);
    for (const Entry* entry : entries) texts.push_back(ToJson(explainer.Explain(value, *entry)));
  });
  call.RaisePending();
  py::list result;
  for (const std::string& text : texts) result.append(text);
  return result;
}

}  // namespace hcl::python
