// The module hclvm._hclvm: what the package offers that is not in Python. Tested by bindings/python/tests.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/compare_run.h"
#include "hclvm/bindings/python/convert.h"
#include "hclvm/bindings/python/explain_run.h"
#include "hclvm/bindings/python/loads.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/bindings/python/run_method.h"
#include "hclvm/bindings/python/source_tree.h"
#include "hclvm/bindings/python/test_run.h"
#include "hclvm/bindings/python/tools.h"

namespace hcl::python {
namespace {

void DefineCancelToken(py::module_* module) {
  py::class_<CancelToken>(*module, "CancelToken", "Stops calls that it was given to, from any thread.")
      .def(py::init<>())
      .def(
          "cancel", [](const CancelToken& token) { token.flag->store(true); },
          "Stops the calls that have this token, those under way and those to come, with hclvm.CancelledError.")
      .def(
          "clear", [](const CancelToken& token) { token.flag->store(false); }, "Makes the token as if it were new.")
      .def_property_readonly(
          "cancelled", [](const CancelToken& token) { return token.flag->load(); }, "Whether it was cancelled.");
}

void DefineProgram(py::module_* module) {
  using namespace pybind11::literals;  // NOLINT(google-build-using-namespace)
  const py::none none;
  py::class_<Program, std::shared_ptr<Program>> program_class(
      *module, "Program", "A compiled text. Immutable; any number of threads may use it.");
  DefineRun(program_class);
  program_class
      .def(
          "run_many",
          [](Program& program, const py::iterable& scopes, const py::object& entry, uint32_t threads,
             const std::string& errors, bool check_all, const std::string& unknown_input, py::object timeout,
             py::object cancel) {
            if (errors != "raise" && errors != "return") Raise(PyExc_ValueError, "errors is \"raise\" or \"return\"");
            return program.RunMany(scopes, entry, threads, errors == "return",
                                   {check_all, UnknownInputOf(unknown_input)}, {std::move(timeout), std::move(cancel)});
          },
          "scopes"_a, "entry"_a = none, py::kw_only(), "threads"_a = 1, "errors"_a = "raise", "check_all"_a = false,
          "unknown_input"_a = "near", "timeout"_a = none, "cancel"_a = none,
          "A list of the values of the program, or of its attribute `entry`, for `scopes`, in their order.\n\n"
          "Each is read and evaluated as run() does it. Where `errors` is \"return\", exceptions stand in the list for "
          "the "
          "scopes\nthat fail; otherwise the first one is raised. They are evaluated in `threads` threads (0: as many "
          "as "
          "there are\nprocessors), without the GIL; programs that call functions of the host which are not pure take "
          "one, as do all with `check_all`. "
          "`unknown_input` is that of run(). `timeout`, in\nseconds, is for all of them; `cancel` is a CancelToken.")
      .def(
          "run_ndjson",
          [](Program& program, const py::object& lines, const py::object& entry, uint32_t threads, bool typed,
             bool check_all, const std::string& unknown_input, bool show_sensitive, const std::string& name,
             py::object timeout, py::object cancel) {
            return program.RunNdjson(lines, entry, threads, typed, show_sensitive,
                                     {check_all, UnknownInputOf(unknown_input)}, name,
                                     {std::move(timeout), std::move(cancel)});
          },
          "lines"_a, "entry"_a = none, py::kw_only(), "threads"_a = 1, "typed"_a = false, "check_all"_a = false,
          "unknown_input"_a = "near", "show_sensitive"_a = false, "name"_a = "<lines>", "timeout"_a = none,
          "cancel"_a = none,
          "Lines of answers for `lines` of JSON objects, as `hclvm run` gives them, without making objects of them.\n\n"
          "A line's answer, of the program or of its attribute `entry`, is {\"value\": ...}, {\"type\": ..., "
          "\"value\": "
          "...} with\n`typed`, or {\"diagnostics\": [...]}, in which the text is called `name`. `threads` threads work "
          "(0: as many as there\nare processors), and the GIL is released until the end. What the program does not "
          "need is "
          "skipped, unless\n`check_all`. `unknown_input` is that of run(). What is sensitive is null, and its places "
          "are in \"erased\", "
          "unless `show_sensitive`.\n`timeout`, in seconds, is for each line; `cancel` is a CancelToken.")
      .def("_data_text", &Program::DataText, "data"_a)
      .def("_with_data", &Program::WithData, "files"_a, "json"_a, "replaceable"_a)
      .def("disassemble", &Program::Disassemble, "The listing of the bytecode, whose form changes with versions.")
      .def_property_readonly("variables", &Program::variables, "The names of the variables that the program reads.")
      .def_property_readonly("entries", &Program::entries, "The paths of the attributes that can be evaluated alone.")
      .def_property_readonly("warnings", &Program::warnings, "The warnings of compiling: a list of Diagnostic.")
      .def_property_readonly("is_pure", &Program::is_pure, "Whether equal scopes have equal values.")
      .def_readwrite("_recipe", &Program::recipe)
      .def("__reduce__", [](const Program& program) {
        if (program.recipe.is_none()) Raise(PyExc_TypeError, "this program cannot be pickled");
        return py::make_tuple(py::module_::import("hclvm").attr("_rebuild"), program.recipe);
      });
}

void DefineModule(py::module_ module) {
  using namespace pybind11::literals;  // NOLINT(google-build-using-namespace)
  DefineCancelToken(&module);
  DefineProgram(&module);
  DefineSourceTree(&module);
  module.def("format_config", &FormatText, "text"_a, "name"_a, "limits"_a);
  module.def("convert", &Convert, "text"_a, "to"_a, "spec"_a, "module"_a, "name"_a, "dialect"_a, "limits"_a);
  module.def(
      "compile",
      [](const py::object& text, const std::string& name, const std::string& kind, const std::string& dialect,
         const py::list& functions, const py::object& limits, py::object timeout, py::object cancel) {
        return Program::Compile(text, name, kind,
                                {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "text"_a, "name"_a, "kind"_a, "dialect"_a, "functions"_a, "limits"_a, "timeout"_a, "cancel"_a);
  module.def(
      "compile_module",
      [](const py::object& files, const std::string& dialect, const py::list& functions, const py::object& limits,
         py::object timeout, py::object cancel) {
        return Program::CompileModule(files, {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "files"_a, "dialect"_a, "functions"_a, "limits"_a, "timeout"_a, "cancel"_a);
  module.def(
      "check",
      [](const py::object& files, bool is_module, const py::object& variables, bool strict, const std::string& dialect,
         const py::list& functions, const py::object& limits, py::object timeout, py::object cancel) {
        return Check(files, is_module, variables, strict,
                     {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "files"_a, "is_module"_a, "variables"_a, "strict"_a, "dialect"_a, "functions"_a, "limits"_a, "timeout"_a,
      "cancel"_a);
  module.def(
      "explain",
      [](const py::object& files, const py::object& scope, const py::object& entry, bool full, bool show_sensitive,
         bool check_all, const std::string& unknown_input, const std::string& dialect, const py::list& functions,
         const py::object& limits, py::object timeout, py::object cancel) {
        return ExplainScope(files, scope, {entry, full, show_sensitive, {check_all, UnknownInputOf(unknown_input)}},
                            {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "files"_a, "scope"_a, "entry"_a, "full"_a, "show_sensitive"_a, "check_all"_a, "unknown_input"_a, "dialect"_a,
      "functions"_a, "limits"_a, "timeout"_a, "cancel"_a);
  module.def(
      "diff",
      [](const py::object& before, const py::object& after, const py::list& lines, bool log, const py::list& entries,
         bool show_sensitive, const std::string& dialect, const py::list& functions, const py::object& limits,
         py::object timeout, py::object cancel) {
        return DiffModules(before, after, {lines, log, entries}, show_sensitive,
                           {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "before"_a, "after"_a, "lines"_a, "log"_a, "entries"_a, "show_sensitive"_a, "dialect"_a, "functions"_a,
      "limits"_a, "timeout"_a, "cancel"_a);
  module.def(
      "profile",
      [](const py::object& files, const py::list& lines, bool log, const py::list& entries, uint32_t milliseconds,
         const std::string& dialect, const py::list& functions, const py::object& limits, py::object timeout,
         py::object cancel) {
        return ProfileModule(files, {lines, log, entries}, std::chrono::milliseconds(milliseconds),
                             {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "files"_a, "lines"_a, "log"_a, "entries"_a, "milliseconds"_a, "dialect"_a, "functions"_a, "limits"_a, "timeout"_a,
      "cancel"_a);
  module.def(
      "run_tests",
      [](const py::object& files, const py::object& tests, const std::string& folder, const py::object& texts,
         bool coverage, const std::string& dialect, const py::list& functions, const py::object& limits,
         py::object timeout, py::object cancel) {
        return RunTests(files, tests, folder, texts, coverage,
                        {dialect, functions, limits, {std::move(timeout), std::move(cancel)}});
      },
      "files"_a, "tests"_a, "folder"_a, "texts"_a, "coverage"_a, "dialect"_a, "functions"_a, "limits"_a, "timeout"_a,
      "cancel"_a);
  module.def(
      "compile_decoder",
      [](const py::object& spec, const std::string& spec_name, const py::object& text, const std::string& name,
         bool is_json, bool dynamic_blocks, bool literal, const std::string& dialect, const py::object& limits,
         py::object timeout, py::object cancel) {
        return CompileDecoder({spec, spec_name, false}, {text, name, is_json}, dynamic_blocks, literal,
                              {dialect, py::list(), limits, {std::move(timeout), std::move(cancel)}});
      },
      "spec"_a, "spec_name"_a, "text"_a, "name"_a, "is_json"_a, "dynamic_blocks"_a, "literal"_a, "dialect"_a,
      "limits"_a, "timeout"_a, "cancel"_a);
  module.def(
      "loads",
      [](const py::object& text, const std::string& name, const py::object& limits, py::object timeout,
         py::object cancel) {
        return Loads(text, name, limits, {std::move(timeout), std::move(cancel)});
      },
      "text"_a, "name"_a, "limits"_a, "timeout"_a, "cancel"_a);
  module.def("read_module", &Program::ReadModule, "path"_a, "limits"_a);
}

// None, or an ImportError in a subinterpreter. pybind11 has one state for the process, and a subinterpreter would wait
// for ever for the lock of the main interpreter, which it holds itself; so pybind11 must not call this.
PyObject* RequireMain(PyObject* /*module*/, PyObject* /*arguments*/) {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) Py_RETURN_NONE;
  PyErr_SetString(PyExc_ImportError, "hclvm works in the main interpreter of a process only");
  return nullptr;
}

PyMethodDef kPlainFunctions[] = {{"_require_main", RequireMain, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

}  // namespace

// PYBIND11_MODULE with a question before it. Where the main interpreter has the module already, a subinterpreter gets a
// copy without coming here, so that the package asks as well.
PYBIND11_PLUGIN_IMPL(_hclvm) {
  if (PyObject* const is_main = RequireMain(nullptr, nullptr)) {
    Py_DECREF(is_main);
  } else {
    return nullptr;
  }
  PYBIND11_CHECK_PYTHON_VERSION
  PYBIND11_ENSURE_INTERNALS_READY
  static py::module_::module_def definition;
  py::module_ module = py::module_::create_extension_module("_hclvm", nullptr, &definition);
  try {
    DefineModule(module);
    if (PyModule_AddFunctions(module.ptr(), kPlainFunctions) != 0) return nullptr;
    return module.ptr();
  }
  PYBIND11_CATCH_INIT_EXCEPTIONS
}

}  // namespace hcl::python
