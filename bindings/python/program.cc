// hclvm.Program: compiling, and evaluating one scope. Tested by bindings/python/tests/test_program.py.
//
// Of a scope, what the program cannot need is left out at first, as `hclvm run` does it: a large dict costs what is
// read of it. A run that fails is done again over all of the scope, since messages name what else there is.

#include "hclvm/bindings/python/program.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/functions.h"
#include "hclvm/bindings/python/gil.h"
#include "hclvm/bindings/python/to_python.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/vm/data_files.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {
namespace {

// Deeper values could exhaust the stack of a thread.
constexpr uint64_t kMaxNestingDepth = 2000;

template <typename Limit>
void ReadLimit(const py::object& limits, const char* name, uint64_t most, Limit* limit) {
  const py::object given = limits.attr(name);
  if (PyLong_Check(given.ptr()) == 0) Raise(PyExc_TypeError, std::string(name) + " is an int");
  const unsigned long long value = PyLong_AsUnsignedLongLong(given.ptr());
  const bool failed = value == static_cast<unsigned long long>(-1) && PyErr_Occurred() != nullptr;
  if (failed) PyErr_Clear();
  if (failed || value > most) {
    Raise(PyExc_ValueError, std::string(name) + " is a number from 0 to " + std::to_string(most));
  }
  *limit = static_cast<Limit>(value);
}

using Compiler = std::shared_ptr<const hcl::Program> (*)(std::shared_ptr<const Source>, const CompileOptions&,
                                                         Diagnostics*);

Compiler CompilerOf(const std::string& kind) {
  if (kind == "config") return CompileConfig;
  if (kind == "expression") return CompileExpression;
  if (kind == "template") return CompileTemplate;
  if (kind == "json") return CompileJsonConfig;
  if (kind == "json_expression") {
    return [](std::shared_ptr<const Source> source, const CompileOptions& options, Diagnostics* diagnostics) {
      return CompileJsonExpression(std::move(source), EvaluationMode::kFull, options, diagnostics);
    };
  }
  Raise(PyExc_ValueError, "the kind of a text is config, expression, template, json or json_expression");
}

// The program, with the GIL given away while `compile` makes it of options and diagnostics.
template <typename Compile>
std::shared_ptr<Program> Compiled(const CompileArguments& arguments, const Source* source, const Compile& compile) {
  Call call(arguments.stop);
  CompileOptions options = OptionsOf(arguments, &call);
  Diagnostics diagnostics(options.limits.max_diagnostics);
  std::shared_ptr<const hcl::Program> program;
  const WorkingFor working(&call);
  call.WithoutGil([&] { program = compile(options, &diagnostics); });
  call.RaisePending();
  if (program == nullptr) Raise(ErrorOf(Phase::kCompile, diagnostics, source, call.cancelled()));
  options.limits.interrupt = {};
  py::list warnings = DiagnosticsOf(diagnostics.kept(), source);
  return std::make_shared<Program>(std::move(program), options.limits, std::move(warnings));
}

}  // namespace

Limits LimitsOf(const py::object& given) {
  Limits limits;
  if (given.is_none()) return limits;
  ReadLimit(given, "max_source_bytes", UINT64_MAX, &limits.max_source_bytes);
  ReadLimit(given, "max_nesting_depth", kMaxNestingDepth, &limits.max_nesting_depth);
  ReadLimit(given, "max_diagnostics", UINT32_MAX, &limits.max_diagnostics);
  ReadLimit(given, "max_fuel", UINT64_MAX, &limits.max_fuel);
  ReadLimit(given, "max_result_bytes", UINT64_MAX, &limits.max_result_bytes);
  ReadLimit(given, "max_number_digits", UINT32_MAX, &limits.max_number_digits);
  ReadLimit(given, "max_compile_fuel", UINT64_MAX, &limits.max_compile_fuel);
  ReadLimit(given, "max_prepared_bytes", UINT64_MAX, &limits.max_prepared_bytes);
  ReadLimit(given, "max_output_bytes", UINT64_MAX, &limits.max_output_bytes);
  return limits;
}

uint32_t CountOfThreads(uint32_t threads) {
  constexpr uint32_t kMaxThreads = 256;
  if (threads > kMaxThreads) Raise(PyExc_ValueError, "threads is a number from 0 to 256");
  return threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

CompileOptions OptionsOf(const CompileArguments& arguments, Call* call) {
  CompileOptions options;
  if (arguments.dialect != "spec" && arguments.dialect != "hashicorp") {
    Raise(PyExc_ValueError, "the dialect is \"spec\" or \"hashicorp\"");
  }
  options.dialect = arguments.dialect == "spec" ? Dialect::kSpec : Dialect::kHashiCorp;
  options.limits = LimitsOf(arguments.limits);
  options.limits.interrupt = call->interrupt();
  options.functions = FunctionsOf(arguments.functions);
  return options;
}

std::vector<ModuleFile> FilesOf(const py::object& given) {
  std::vector<ModuleFile> files;
  for (const py::handle each : given) {
    const auto fields = each.cast<py::tuple>();
    if (fields.size() != 3) Raise(PyExc_TypeError, "a file of a module is a name, a text and whether it is JSON");
    const py::object text = fields[1];
    auto source = std::make_shared<const Source>(fields[0].cast<std::string>(),
                                                 std::string(Bytes(text, "the text of a file").view()));
    files.push_back({std::move(source), fields[2].cast<bool>()});
  }
  if (files.empty()) Raise(PyExc_ValueError, "a module has at least one file");
  return files;
}

std::shared_ptr<Program> Program::Compile(const py::object& text, const std::string& name, const std::string& kind,
                                          const CompileArguments& arguments) {
  const Compiler compiler = CompilerOf(kind);
  const auto source = std::make_shared<const Source>(name, std::string(Bytes(text, "the text").view()));
  return Compiled(arguments, source.get(), [&](const CompileOptions& options, Diagnostics* diagnostics) {
    return compiler(source, options, diagnostics);
  });
}

std::shared_ptr<Program> Program::CompileModule(const py::object& files, const CompileArguments& arguments) {
  const std::vector<ModuleFile> read = FilesOf(files);
  return Compiled(arguments, read.front().source.get(), [&](const CompileOptions& options, Diagnostics* diagnostics) {
    return hcl::CompileModule(read, options, diagnostics);
  });
}

py::list Program::ReadModule(const std::string& path, const py::object& limits) {
  const Limits read = LimitsOf(limits);
  absl::StatusOr<std::vector<ModuleFile>> files;
  {
    const GilRelease release;
    files = ReadModuleDirectory(path, read);
  }
  if (!files.ok()) Raise(files.status());
  py::list list;
  for (const ModuleFile& file : *files) {
    const std::string_view text = file.source->text();
    list.append(py::make_tuple(ToStr(file.source->name()), py::bytes(text.data(), text.size()), file.is_json));
  }
  return list;
}

Program::Program(std::shared_ptr<const hcl::Program> program, const Limits& limits, py::list warnings)
    : program_(std::move(program)),
      limits_(limits),
      warnings_(std::move(warnings)),
      seats_(std::make_unique<Seats>(program_, nullptr, limits)) {}

void Program::Give(std::vector<std::pair<std::string, Value>> variables, std::shared_ptr<Heap> heap) {
  given_ = std::move(variables);
  given_heap_ = std::move(heap);
}

const Entry* Program::FindEntry(PyObject* entry) const {
  if (entry == Py_None) return nullptr;
  if (PyUnicode_Check(entry) == 0) Raise(PyExc_TypeError, "an entry is a str, such as \"policy.allow\"");
  std::string message;
  const Entry* const found = internal::FindEntryOrSuggest(*program_, TextOf(entry, "the entry"), &message);
  if (found == nullptr) Raise(PyExc_ValueError, message);
  return found;
}

// Most calls have the same name as the last one, the same object. Functions of the host that are not pure are not
// called again for the sake of a message, so that their scopes are read whole.
Program::Target Program::TargetOf(PyObject* entry) {
  if (entry == last_name_.ptr()) return last_target_;
  const Entry* const found = FindEntry(entry);
  const uint32_t chunk = found == nullptr ? program_->main_chunk() : found->chunk;
  last_target_ = {found, chunk, program_->is_pure() ? &ReadingOf(chunk) : nullptr};
  const Target target = last_target_;
  last_name_ = py::reinterpret_borrow<py::object>(entry);
  return target;
}

const Program::Reading& Program::ReadingOf(uint32_t chunk) {
  std::unique_ptr<const Reading>& reading = readings_[chunk];
  if (reading == nullptr) reading = std::make_unique<const Reading>(program_, chunk);
  return *reading;
}

Value Program::ReadScope(PyObject* scope, const Needs* needs, Seat* seat) const {
  if (scope == Py_None) return MakeObject(absl::Span<const KeyValue>(), seat->heap.arena());
  if (PyDict_Check(scope) == 0) {
    Raise(PyExc_TypeError, std::string("a scope is a dict, variable name to value, not ") + Py_TYPE(scope)->tp_name);
  }
  return ObjectReader::Read(scope, needs, limits_.max_result_bytes, &seat->heap, &seat->memory, "scope");
}

void Program::Bind(const Value& scope, Evaluator* evaluator) const {
  evaluator->BindAll(scope);
  for (const auto& [name, value] : given_) {
    if (scope.shape().Find(name) < 0) evaluator->Bind(name, value);
  }
}

UnknownInput UnknownInputOf(std::string_view text) {
  if (text == "near") return UnknownInput::kNear;
  if (text == "error") return UnknownInput::kError;
  if (text == "ignore") return UnknownInput::kIgnore;
  Raise(PyExc_ValueError, "unknown_input is \"near\", \"error\" or \"ignore\"");
}

PyObject* Program::RunOver(const Value& scope, uint32_t chunk, Call* call, Seat* seat, py::object* error) {
  const Evaluation* evaluation = nullptr;
  const WorkingFor working(call);
  call->WithoutGil([&] {
    Bind(scope, &seat->evaluator);
    evaluation = &seat->evaluator.RunChunk(chunk);
  });
  call->RaisePending();
  const py::object cause = call->TakeCause();
  for (const Diagnostic& warning : evaluation->warnings().kept()) {
    if (PyErr_WarnEx(PyExc_UserWarning, warning.detail.c_str(), 1) != 0) throw py::error_already_set();
  }
  if (evaluation->ok()) return ToPython(evaluation->value(), limits_);
  *error = ErrorOf(Phase::kEvaluate, evaluation->diagnostics(), &program_->source(), call->cancelled());
  if (!cause.is_none()) PyException_SetCause(error->ptr(), py::object(cause).release().ptr());
  return nullptr;
}

PyObject* Program::RunTarget(PyObject* scope, const Target& target, Call* call, Seat* seat, py::object* error) {
  if (target.reading == nullptr) return RunWhole(scope, target.chunk, call, seat, error);
  seat->Begin();
  const Value read = ReadScope(scope, &target.reading->needs, seat);
  PyObject* const result = RunOver(read, target.chunk, call, seat, error);
  if (result != nullptr && seat->evaluator.LacksAny(target.chunk) && seat->unknown_input == UnknownInput::kNear) {
    return WithWarnings(result, scope, target.chunk, call, seat);
  }
  if (result != nullptr || PyObject_IsInstance(error->ptr(), GetClasses().limit_error.ptr()) == 1) return result;
  return RunWhole(scope, target.chunk, call, seat, error);
}

// Where all of the scope cannot be read, the value stays.
PyObject* Program::WithWarnings(PyObject* value, PyObject* scope, uint32_t chunk, Call* call, Seat* seat) {
  const py::object first = py::reinterpret_steal<py::object>(value);
  py::object error = py::none();
  PyObject* const again = RunWhole(scope, chunk, call, seat, &error);
  return again != nullptr ? again : first.inc_ref().ptr();
}

// Where a run has failed before, *error is what it gave, which counts where the scope cannot be read.
PyObject* Program::RunWhole(PyObject* scope, uint32_t chunk, Call* call, Seat* seat, py::object* error) {
  seat->Begin();
  Value read;
  try {
    read = ReadScope(scope, nullptr, seat);
  } catch (const py::error_already_set&) {
    if (!*error) throw;
    return nullptr;
  }
  return RunOver(read, chunk, call, seat, error);
}

PyObject* Program::Run(PyObject* scope, PyObject* entry, const ScopeOptions& options, const StopOptions& stop) {
  const Target target = TargetOf(entry);
  Call call(stop);
  const Seats::Lease seat = seats_->Acquire();
  seat->evaluator.set_interrupt(call.interrupt());
  seat->Look(options.check_all, options.unknown_input);
  const bool is_whole = options.check_all || options.unknown_input == UnknownInput::kError;
  py::object error;
  PyObject* const result =
      is_whole ? RunWhole(scope, target.chunk, &call, &*seat, &error) : RunTarget(scope, target, &call, &*seat, &error);
  if (result == nullptr) Raise(error);
  return result;
}

py::str Program::DataText(const py::object& data) const {
  Heap heap(nullptr, program_->dialect(), limits_);
  const Value read = ObjectReader::Read(data.ptr(), nullptr, limits_.max_result_bytes, &heap, nullptr, "data");
  if (read.has_marks()) Raise(PyExc_ValueError, "data have no marks");
  std::string text;
  JsonError error;
  if (AppendJson(read, limits_, &text, &error)) return ToStr(text);
  if (error.is_limit) RaiseLimit(error.detail);
  Raise(PyExc_ValueError, "data cannot be shared: " + error.detail);
}

std::shared_ptr<Program> Program::WithData(const std::vector<std::string>& files, const py::object& json,
                                           const std::vector<std::string>& replaceable) const {
  std::vector<BaseText> texts;
  if (!json.is_none()) {
    texts.push_back({std::make_shared<const Source>("<data>", std::string(Bytes(json, "the data").view())), ""});
  }
  Diagnostics diagnostics(limits_.max_diagnostics);
  std::shared_ptr<const BaseLayer> base;
  absl::Status status;
  {
    const GilRelease release;
    BaseOptions options;
    options.limits = limits_;
    options.replaceable = replaceable;
    if (!files.empty()) {
      absl::StatusOr<std::vector<BaseText>> read = ReadDataFiles(files, limits_);
      status = read.status();
      if (read.ok()) texts.insert(texts.end(), read->begin(), read->end());
    }
    const std::shared_ptr<const BaseData> data = status.ok() ? BaseData::Read(texts, options, &diagnostics) : nullptr;
    if (data != nullptr) base = BaseLayer::Make(program_, data, options, &diagnostics);
  }
  if (!status.ok()) Raise(status);
  if (base == nullptr) Raise(ErrorOf(Phase::kEvaluate, diagnostics, &program_->source(), false));
  auto made = std::make_shared<Program>(program_, limits_, warnings_);
  made->seats_ = std::make_unique<Seats>(program_, base, limits_);
  made->base_ = std::move(base);
  made->Give(given_, given_heap_);
  return made;
}

py::list Program::variables() const {
  py::list names;
  for (const std::string_view name : program_->variables()) names.append(ToStr(name));
  return names;
}

py::list Program::entries() const {
  py::list paths;
  for (const Entry& entry : program_->entries()) paths.append(ToStr(entry.path));
  return paths;
}

}  // namespace hcl::python
