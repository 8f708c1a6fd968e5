// hclvm.Program: many scopes in one call. Tested by bindings/python/tests/test_many.py.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/bindings/python/seats.h"
#include "hclvm/bindings/python/to_python.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// Some scopes, read into the heap of a seat, and what is wrong with those that have no value.
class Program::Batch {
 public:
  explicit Batch(Seat* seat) : seat_(seat) {}

  void Begin() {
    seat_->Begin();
    scopes_.clear();
    values_.clear();
    errors_.clear();
  }
  void Add(py::object scope, const Value& value, const py::object& error) {
    scopes_.push_back(std::move(scope));
    values_.push_back(value);
    errors_.push_back(error);
  }

  Seat* seat() const { return seat_; }
  absl::Span<const Value> values() const { return values_; }
  PyObject* scope(size_t n) const { return scopes_[n].ptr(); }
  // Null where the scope was read.
  const py::object& error(size_t n) const { return errors_[n]; }

 private:
  Seat* seat_;
  std::vector<py::object> scopes_;
  std::vector<Value> values_;
  std::vector<py::object> errors_;
};

// What a thread works with: an evaluator, and the values that it has made, or why there are none.
struct Program::Worker {
  explicit Worker(Seats::Lease lease) : seat(std::move(lease)) {}

  Seats::Lease seat;
  Heap heap;
  std::vector<Value> values;
  std::vector<std::pair<size_t, Diagnostics>> failures;  // in the order of the values
  std::vector<size_t> warning;                           // values of scopes of which a whole run may warn
};

// The values of scopes so far, or the exceptions in their places.
class Program::Values {
 public:
  explicit Values(bool keeps_errors) : keeps_errors_(keeps_errors) {}

  bool keeps_errors() const { return keeps_errors_; }
  // Takes a value, a new reference; or, where that is null, the error, which is raised unless errors are kept.
  void Add(PyObject* value, const py::object& error) {
    if (value == nullptr && !keeps_errors_) Raise(error);
    const py::object added = value != nullptr ? py::reinterpret_steal<py::object>(value) : error;
    if (PyList_Append(list_.ptr(), added.ptr()) != 0) throw py::error_already_set();
  }
  const py::list& list() const { return list_; }

 private:
  bool keeps_errors_;
  py::list list_;
};

namespace {

// Scopes that are read, then evaluated, then become objects: many enough that starting threads is nothing beside it,
// few enough to stay in the caches.
// Without other threads, the GIL that is given away in between is all that one saves by many.
constexpr size_t kMostScopes = 4096;
constexpr size_t kMostScopesAlone = 256;
constexpr size_t kMostScopeBytes = 4 << 20;
constexpr size_t kMostScopeBytesAlone = 64 << 10;

}  // namespace

// An error of an earlier scope counts, which is not known yet: where errors are not kept, the batch ends with the first
// scope that has no value.
void Program::ReadBatch(py::iterator* next, const Target& target, bool is_alone, bool keeps_errors,
                        Batch* batch) const {
  const size_t most = is_alone ? kMostScopesAlone : kMostScopes;
  const size_t most_bytes = is_alone ? kMostScopeBytesAlone : kMostScopeBytes;
  batch->Begin();
  for (; *next != py::iterator::sentinel() && batch->values().size() < most &&
         batch->seat()->heap.arena()->bytes_used() < most_bytes;
       ++*next) {
    const auto scope = py::reinterpret_borrow<py::object>(**next);
    py::object wrong;
    Value read;
    try {
      read = ReadScope(scope.ptr(), &target.reading->needs, batch->seat());
    } catch (py::error_already_set& raised) {
      if (!raised.matches(PyExc_Exception)) throw;
      wrong = raised.value();
    }
    batch->Add(scope, read, wrong);
    if (wrong && !keeps_errors) break;
  }
}

// A scope that was not read is null, and stays so.
void Program::RunPart(absl::Span<const Value> scopes, const Target& target, Worker* worker) const {
  worker->heap.Reset();
  worker->values.assign(scopes.size(), Value());
  worker->failures.clear();
  worker->warning.clear();
  for (size_t n = 0; n < scopes.size(); ++n) {
    if (scopes[n].is_null()) continue;
    Bind(scopes[n], &worker->seat->evaluator);
    const Evaluation& evaluation = worker->seat->evaluator.RunChunk(target.chunk);
    if (evaluation.ok()) {
      const bool lacks_any =
          worker->seat->unknown_input == UnknownInput::kNear && worker->seat->evaluator.LacksAny(target.chunk);
      if (lacks_any || !evaluation.warnings().empty()) worker->warning.push_back(n);
      worker->values[n] = Clone(evaluation.value(), worker->heap.arena(), worker->heap.types());
    } else {
      worker->failures.emplace_back(n, evaluation.diagnostics());
    }
  }
}

// Runs parts of the scopes in as many threads as there are workers, this one among them. When its own part is done, it
// goes on asking what stops the work: it may be the only one that can tell.
void Program::RunParts(absl::Span<const Value> scopes, const Target& target, const Interrupt& interrupt,
                       std::vector<Worker>* workers) const {
  constexpr std::chrono::milliseconds kBetweenQuestions(5);
  const size_t size = (scopes.size() + workers->size() - 1) / workers->size();
  const auto run = [&](size_t n) {
    RunPart(scopes.subspan(std::min(n * size, scopes.size()), size), target, &(*workers)[n]);
  };
  std::vector<std::future<void>> others;
  size_t started = 1;
  for (; started < workers->size(); ++started) {
    try {
      others.push_back(std::async(std::launch::async, run, started));
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
      break;
    }
  }
  run(0);
  for (; started < workers->size(); ++started) run(started);
  for (std::future<void>& other : others) {
    while (other.wait_for(kBetweenQuestions) != std::future_status::ready) interrupt.Reached();
    other.get();
  }
}

// A scope whose run has failed is read whole and run again, as Run() does it. The scopes are done with by then, so that
// the seat of the batch serves for that.
void Program::AddResults(const Target& target, const Batch& batch, std::vector<Worker>* workers, Call* call,
                         Values* values) {
  size_t row = 0;
  for (const Worker& worker : *workers) {
    auto failure = worker.failures.begin();
    auto warning = worker.warning.begin();
    for (size_t n = 0; n < worker.values.size(); ++n, ++row) {
      if (batch.error(row)) {
        values->Add(nullptr, batch.error(row));
      } else if (failure == worker.failures.end() || failure->first != n) {
        PyObject* value = ToPython(worker.values[n], limits_);
        const bool may_warn = warning != worker.warning.end() && *warning == n;
        warning += may_warn ? 1 : 0;
        if (may_warn) {
          value = WithWarnings(value, batch.scope(row), target.chunk, call, batch.seat());
        }
        values->Add(value, py::object());
      } else {
        const Diagnostics& diagnostics = failure++->second;
        py::object error = ErrorOf(Phase::kEvaluate, diagnostics, &program_->source(), call->cancelled());
        PyObject* const value =
            diagnostics.has_limit() ? nullptr : RunWhole(batch.scope(row), target.chunk, call, batch.seat(), &error);
        values->Add(value, error);
      }
    }
  }
}

void Program::RunBatches(py::iterator next, const Target& target, uint32_t threads, const ScopeOptions& options,
                         Call* call, Values* values) {
  std::vector<Worker> workers;
  for (uint32_t n = 0; n < threads; ++n) {
    workers.emplace_back(seats_->Acquire());
    workers.back().seat->evaluator.set_interrupt(call->interrupt());
    workers.back().seat->Look(/*check_all=*/false, options.unknown_input);
  }
  Batch batch(&*workers.front().seat);
  while (next != py::iterator::sentinel()) {
    ReadBatch(&next, target, threads == 1, values->keeps_errors(), &batch);
    const WorkingFor working(call);
    call->WithoutGil([&] { RunParts(batch.values(), target, call->interrupt(), &workers); });
    call->RaisePending();
    AddResults(target, batch, &workers, call, values);
  }
}

// Functions of the host need the GIL, so that threads would wait for each other, and scopes of which all is looked at
// are read whole; then scopes are evaluated one by one,
// and each error knows what was raised.
py::list Program::RunMany(const py::iterable& scopes, const py::object& entry, uint32_t threads, bool keeps_errors,
                          const ScopeOptions& options, const StopOptions& stop) {
  Target target = TargetOf(entry.ptr());
  const bool is_whole = options.check_all || options.unknown_input == UnknownInput::kError;
  if (is_whole) target.reading = nullptr;
  const uint32_t count = CountOfThreads(threads);
  Call call(stop);
  Values values(keeps_errors);
  py::iterator next = py::iter(GetClasses().rows(scopes));
  if (target.reading != nullptr) {
    RunBatches(std::move(next), target, count, options, &call, &values);
    return values.list();
  }
  const Seats::Lease seat = seats_->Acquire();
  seat->evaluator.set_interrupt(call.interrupt());
  seat->Look(options.check_all, options.unknown_input);
  for (; next != py::iterator::sentinel(); ++next) {
    const auto scope = py::reinterpret_borrow<py::object>(*next);
    py::object error;
    PyObject* const value = RunTarget(scope.ptr(), target, &call, &*seat, &error);
    values.Add(value, error);
  }
  return values.list();
}

}  // namespace hcl::python
