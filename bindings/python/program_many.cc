// hclvm.Program: many scopes in one call. Tested by bindings/python/tests/test_many.py.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/bindings/python/to_python.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/evaluator_pool.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// Some scopes, in a heap of their own, and what is wrong with those that have no value.
struct Program::Batch {
  explicit Batch(const Limits& limits) : heap(nullptr, Dialect::kSpec, limits) {}
  Heap heap;
  std::vector<Value> scopes;
  std::vector<py::object> errors;  // for each scope; null where there is none
};

// The values of scopes so far, or the exceptions in their places.
class Program::Values {
 public:
  explicit Values(bool keeps_errors) : keeps_errors_(keeps_errors) {}

  bool keeps_errors() const { return keeps_errors_; }
  // Takes a value, a new reference; or, where that is null, the error, which is raised unless errors are kept.
  void Add(PyObject* value, const py::object& error) {
    if (value == nullptr && !keeps_errors_) Raise(error);
    list_.append(value != nullptr ? py::reinterpret_steal<py::object>(value) : error);
  }
  const py::list& list() const { return list_; }

 private:
  bool keeps_errors_;
  py::list list_;
};

namespace {

constexpr uint32_t kMaxThreads = 256;
// Scopes that are read, then evaluated, then become objects: many enough that starting threads is nothing beside it,
// few enough to stay in the caches.
constexpr size_t kMostScopes = 4096;
constexpr size_t kMostScopeBytes = 4 << 20;

uint32_t ThreadsOf(uint32_t given) {
  if (given > kMaxThreads) Raise(PyExc_ValueError, "threads is a number from 0 to 256");
  return given != 0 ? given : std::max(1u, std::thread::hardware_concurrency());
}

// A limit that counts what one scope takes, and not what others in its batch do.
Limits WithoutBoundOfBytes(Limits limits) {
  limits.max_result_bytes = UINT64_MAX;
  return limits;
}

// An evaluator of a thread, with its results.
struct Worker {
  EvaluatorPool::Lease lease;
  RunResults results;
};

// Runs parts of the scopes in as many threads as there are workers, this one among them.
void RunParts(absl::Span<const Value> scopes, const Entry* entry, std::vector<Worker>* workers) {
  const size_t size = (scopes.size() + workers->size() - 1) / workers->size();
  const auto run = [&](size_t n) {
    const size_t begin = std::min(n * size, scopes.size());
    (*workers)[n].lease->RunMany(scopes.subspan(begin, size), &(*workers)[n].results, entry);
  };
  std::vector<std::thread> threads;
  size_t started = 1;
  for (; started < workers->size(); ++started) {
    try {
      threads.emplace_back(run, started);
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
      break;
    }
  }
  run(0);
  for (; started < workers->size(); ++started) run(started);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

// An error of an earlier scope counts, which is not known yet: where errors are not kept, the batch ends with the first
// scope that has no value.
void Program::ReadBatch(py::iterator* next, bool keeps_errors, Batch* batch) const {
  batch->heap.Reset();
  batch->scopes.clear();
  batch->errors.clear();
  for (; *next != py::iterator::sentinel() && batch->scopes.size() < kMostScopes &&
         batch->heap.arena()->bytes_used() < kMostScopeBytes;
       ++*next) {
    py::object wrong;
    Value scope = MakeObject(absl::Span<const KeyValue>(), batch->heap.arena());
    try {
      scope = ReadScope(py::reinterpret_borrow<py::object>(**next), nullptr, &batch->heap);
    } catch (py::error_already_set& raised) {
      if (!raised.matches(PyExc_Exception)) throw;
      wrong = raised.value();
    }
    batch->scopes.push_back(scope);
    batch->errors.push_back(wrong);
    if (wrong && !keeps_errors) break;
  }
}

void Program::AddResults(const RunResults& results, const py::object* errors, const Call& call, Values* values) const {
  for (size_t n = 0; n < results.size(); ++n) {
    if (errors[n]) {
      values->Add(nullptr, errors[n]);
    } else if (results.ok(n)) {
      values->Add(ToPython(results.value(n), limits_), py::object());
    } else {
      values->Add(nullptr, ErrorOf(Phase::kEvaluate, results.diagnostics(n), &program_->source(), call.cancelled()));
    }
  }
}

void Program::RunBatches(py::iterator next, const Entry* entry, uint32_t threads, Call* call, Values* values) {
  std::vector<Worker> workers;
  for (uint32_t n = 0; n < threads; ++n) {
    workers.push_back({pool_->Acquire(), {}});
    workers.back().lease->set_interrupt(call->interrupt());
    if (base_ != nullptr) workers.back().lease->BindBase(base_);
  }
  Batch batch(WithoutBoundOfBytes(limits_));
  while (next != py::iterator::sentinel()) {
    ReadBatch(&next, values->keeps_errors(), &batch);
    call->WithoutGil([&] { RunParts(batch.scopes, entry, &workers); });
    call->RaisePending();
    const py::object* errors = batch.errors.data();
    for (const Worker& worker : workers) {
      AddResults(worker.results, errors, *call, values);
      errors += worker.results.size();
    }
  }
}

// Functions of the host need the GIL, so that threads would wait for each other; then scopes are evaluated one by one,
// and each error knows what was raised.
py::list Program::RunMany(const py::iterable& scopes, const py::object& entry, uint32_t threads, bool keeps_errors,
                          const StopOptions& stop) {
  const Entry* const found = FindEntry(entry);
  const uint32_t count = ThreadsOf(threads);
  Call call(stop);
  Values values(keeps_errors);
  py::iterator next = py::iter(scopes);
  if (program_->is_pure() && given_.empty()) {
    RunBatches(std::move(next), found, count, &call, &values);
    return values.list();
  }
  const uint32_t chunk = found == nullptr ? program_->main_chunk() : found->chunk;
  for (; next != py::iterator::sentinel(); ++next) {
    py::object error;
    PyObject* const value = RunChunk(py::reinterpret_borrow<py::object>(*next), chunk, false, &call, &error);
    values.Add(value, error);
  }
  return values.list();
}

py::bytes Program::RunNdjson(const py::object& lines, const py::object& entry, uint32_t threads, bool typed,
                             bool check_all, const std::string& name, const StopOptions& stop) {
  const Bytes bytes(lines, "the lines");
  // A timeout is for each line, and the rest for all of them.
  Call call({py::none(), stop.cancel});
  NdjsonOptions options;
  options.limits = limits_;
  options.limits.interrupt = call.interrupt();
  if (const auto timeout = TimeoutOf(stop.timeout)) {
    options.timeout = std::max(std::chrono::ceil<std::chrono::milliseconds>(*timeout), std::chrono::milliseconds(1));
  }
  if (const Entry* const found = FindEntry(entry)) options.entries = {found};
  options.threads = ThreadsOf(threads);
  options.typed = typed;
  options.check_all = check_all;
  options.base = base_;
  options.variables = given_;
  options.name = name;
  std::string_view rest = bytes.view();
  std::string out;
  absl::Status status;
  call.WithoutGil([&] {
    const WorkingFor working(&call);
    const NdjsonInput input = [&rest](char* room, size_t size) -> absl::StatusOr<size_t> {
      const size_t taken = std::min(size, rest.size());
      std::memcpy(room, rest.data(), taken);
      rest.remove_prefix(taken);
      return taken;
    };
    const NdjsonOutput output = [&out](std::string_view answers) {
      out.append(answers);
      return absl::OkStatus();
    };
    status = hcl::RunNdjson(program_, options, input, output);
  });
  call.RaisePending();
  if (absl::IsCancelled(status)) Raise(GetClasses().cancelled_error("the run was cancelled"));
  if (!status.ok()) Raise(status);
  return py::bytes(out.data(), out.size());
}

}  // namespace hcl::python
