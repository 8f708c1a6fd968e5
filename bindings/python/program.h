// hclvm.Program: a compiled text, for any number of threads.

#ifndef HCLVM_BINDINGS_PYTHON_PROGRAM_H_
#define HCLVM_BINDINGS_PYTHON_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/from_python.h"
#include "hclvm/bindings/python/needs.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/bindings/python/seats.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// The limits of a hclvm.Limits, or the defaults for None. Raises TypeError, and ValueError for what is out of range.
Limits LimitsOf(const py::object& limits);

// How many threads work where a call says `threads`: 0 means as many as there are processors. Raises ValueError.
uint32_t CountOfThreads(uint32_t threads);

// What texts are compiled with.
struct CompileArguments {
  std::string dialect;  // "spec" or "hashicorp"
  py::list functions;   // as FunctionsOf() takes them
  py::object limits;
  StopOptions stop;
};

// The options, for the time of a call. Raises ValueError.
CompileOptions OptionsOf(const CompileArguments& arguments, Call* call);
// Files, of triples of a name, a text and whether it is in the JSON syntax; at least one.
std::vector<ModuleFile> FilesOf(const py::object& given);

// What of scopes has to be right.
struct ScopeOptions {
  bool check_all = false;
  UnknownInput unknown_input = UnknownInput::kNear;
};
// Raises ValueError for what is none of "near", "error" and "ignore".
UnknownInput UnknownInputOf(std::string_view text);

// All members need the GIL, and release it while the library works.
class Program {
 public:
  // `text` is a str or bytes, called `name`; `kind` is "config", "expression", "template", "json" or
  // "json_expression". Raises hclvm.CompileError.
  static std::shared_ptr<Program> Compile(const py::object& text, const std::string& name, const std::string& kind,
                                          const CompileArguments& arguments);
  // Of a directory or of files: triples of a name, a text and whether it is in the JSON syntax.
  static std::shared_ptr<Program> CompileModule(const py::object& files, const CompileArguments& arguments);
  // The files of a module, as CompileModule() takes them. Raises OSError.
  static py::list ReadModule(const std::string& path, const py::object& limits);

  // Of a program that was compiled otherwise, with its warnings.
  Program(std::shared_ptr<const hcl::Program> program, const Limits& limits, py::list warnings);

  // Variables where a scope has none of their name, with what they live in. For a program that nobody has run.
  void Give(std::vector<std::pair<std::string, Value>> variables, std::shared_ptr<Heap> heap);

  // The value of `entry` (None: of all) for a dict of variables (None: of none): a new reference.
  PyObject* Run(PyObject* scope, PyObject* entry, const ScopeOptions& options, const StopOptions& stop);
  // The values for several scopes. `keeps_errors`: exceptions stand in for values, otherwise the first one is raised.
  py::list RunMany(const py::iterable& scopes, const py::object& entry, uint32_t threads, bool keeps_errors,
                   const ScopeOptions& options, const StopOptions& stop);
  // Lines of answers for lines of JSON.
  py::bytes RunNdjson(const py::object& lines, const py::object& entry, uint32_t threads, bool typed,
                      bool show_sensitive, const ScopeOptions& options, const std::string& name,
                      const StopOptions& stop);
  // The JSON of data for WithData(). Raises where they have no value, or one that JSON cannot hold.
  py::str DataText(const py::object& data) const;
  // The same program over data that all scopes share: `files`, paths as of `hclvm run --data`, and `json`, the text of
  // an object or None. `replaceable` are variables that a scope may give.
  std::shared_ptr<Program> WithData(const std::vector<std::string>& files, const py::object& json,
                                    const std::vector<std::string>& replaceable) const;

  py::list variables() const;
  py::list entries() const;
  py::list warnings() const { return warnings_; }
  bool is_pure() const { return program_->is_pure(); }
  std::string Disassemble() const { return program_->Disassemble(); }

  py::object recipe = py::none();  // how it is made again in another process; None: it cannot be

 private:
  // How a scope is read for a chunk.
  struct Reading {
    Reading(const std::shared_ptr<const hcl::Program>& program, uint32_t chunk)
        : reads(program, chunk), needs(reads.needed()) {}
    Reads reads;
    Needs needs;
  };

  // What is evaluated.
  struct Target {
    const Entry* entry;  // null: all
    uint32_t chunk;
    const Reading* reading;  // null where scopes are read whole
  };

  struct Worker;
  class Batch;
  class Values;

  const Entry* FindEntry(PyObject* entry) const;
  Target TargetOf(PyObject* entry);
  const Reading& ReadingOf(uint32_t chunk);
  Value ReadScope(PyObject* scope, const Needs* needs, Seat* seat) const;
  void Bind(const Value& scope, Evaluator* evaluator) const;
  // Runs a target: a new reference; null where that fails, and then *error is the exception.
  PyObject* RunTarget(PyObject* scope, const Target& target, Call* call, Seat* seat, py::object* error);
  PyObject* RunWhole(PyObject* scope, uint32_t chunk, Call* call, Seat* seat, py::object* error);
  // `value` of a run over a part of the scope; that of a run over all of it, where that may have something to warn of.
  PyObject* WithWarnings(PyObject* value, PyObject* scope, uint32_t chunk, Call* call, Seat* seat);
  PyObject* RunOver(const Value& scope, uint32_t chunk, Call* call, Seat* seat, py::object* error);

  // Reads scopes, as many as are evaluated at a time.
  void ReadBatch(py::iterator* next, const Target& target, bool is_alone, bool keeps_errors, Batch* batch) const;
  void RunPart(absl::Span<const Value> scopes, const Target& target, Worker* worker) const;
  void RunParts(absl::Span<const Value> scopes, const Target& target, const Interrupt& interrupt,
                std::vector<Worker>* workers) const;
  // Adds what became of the scopes of a batch.
  void AddResults(const Target& target, const Batch& batch, std::vector<Worker>* workers, Call* call, Values* values);
  void RunBatches(py::iterator next, const Target& target, uint32_t threads, const ScopeOptions& options, Call* call,
                  Values* values);

  std::shared_ptr<const hcl::Program> program_;
  Limits limits_;
  py::list warnings_;
  std::unique_ptr<Seats> seats_;
  std::shared_ptr<const BaseLayer> base_;                        // may be null
  std::map<uint32_t, std::unique_ptr<const Reading>> readings_;  // by chunk
  py::object last_name_;                                         // an entry, of last_target_; null before the first
  Target last_target_ = {};
  std::vector<std::pair<std::string, Value>> given_;  // in given_heap_
  std::shared_ptr<Heap> given_heap_;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_PROGRAM_H_
