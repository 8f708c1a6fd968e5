// EvaluatorPool. Tested by tests/evaluator_pool_test.cc.

#include "hclvm/vm/evaluator_pool.h"

#include <mutex>
#include <utility>
#include <vector>

namespace hcl {

KeptEvaluation::KeptEvaluation(const Evaluation& evaluation, std::shared_ptr<const Program> program)
    : program_(std::move(program)),
      heap_(nullptr, program_->dialect()),
      value_(evaluation.ok() ? Clone(evaluation.value(), heap_.arena(), heap_.types()) : Value()),
      marked_value_(evaluation.ok() && &evaluation.marked_value() != &evaluation.value()
                        ? Clone(evaluation.marked_value(), heap_.arena(), heap_.types())
                        : value_),
      diagnostics_(evaluation.diagnostics()),
      fuel_left_(evaluation.fuel_left()) {}

struct EvaluatorPool::Worker {
  Worker(const std::shared_ptr<const Program>& program, const Limits& limits)
      : evaluator(program, limits), heap(nullptr, program->dialect(), limits) {}

  Evaluator evaluator;
  Heap heap;
  JsonReader reader;
};

// A stack, so that the evaluator that is taken is the one that a processor's caches most likely still hold, and those
// that a peak has left stay untouched. Its room is there from the beginning: giving back allocates nothing.
struct EvaluatorPool::State {
  State(std::shared_ptr<const Program> p, const Limits& l, size_t m) : program(std::move(p)), limits(l), max_idle(m) {
    idle.reserve(max_idle);
  }

  const std::shared_ptr<const Program> program;
  const Limits limits;
  const size_t max_idle;
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;  // under the mutex
};

EvaluatorPool::EvaluatorPool(std::shared_ptr<const Program> program, const Limits& limits, size_t max_idle)
    : state_(std::make_shared<State>(std::move(program), limits, max_idle)) {}

const Program& EvaluatorPool::program() const { return *state_->program; }

size_t EvaluatorPool::idle() const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->idle.size();
}

EvaluatorPool::Lease EvaluatorPool::Acquire() {
  std::unique_ptr<Worker> worker;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    if (!state_->idle.empty()) {
      worker = std::move(state_->idle.back());
      state_->idle.pop_back();
    }
  }
  if (worker == nullptr) worker = std::make_unique<Worker>(state_->program, state_->limits);
  return Lease(state_, std::move(worker));
}

KeptEvaluation EvaluatorPool::Evaluate(const Value& scope, const Interrupt& interrupt) {
  return EvaluateChunk(scope, program().main_chunk(), interrupt);
}

KeptEvaluation EvaluatorPool::Evaluate(const Value& scope, const Entry& entry, const Interrupt& interrupt) {
  return EvaluateChunk(scope, entry.chunk, interrupt);
}

KeptEvaluation EvaluatorPool::EvaluateChunk(const Value& scope, uint32_t chunk, const Interrupt& interrupt) {
  const Lease lease = Acquire();
  if (interrupt.is_set()) lease->set_interrupt(interrupt);
  lease->BindAll(scope);
  return lease.Keep(lease->RunChunk(chunk));
}

EvaluatorPool::Lease::Lease(std::shared_ptr<State> state, std::unique_ptr<Worker> worker)
    : state_(std::move(state)), worker_(std::move(worker)) {}

EvaluatorPool::Lease::Lease(Lease&& other) noexcept = default;

EvaluatorPool::Lease::~Lease() { Return(); }

EvaluatorPool::Lease& EvaluatorPool::Lease::operator=(Lease&& other) noexcept {
  if (this == &other) return *this;
  Return();
  state_ = std::move(other.state_);
  worker_ = std::move(other.worker_);
  return *this;
}

Evaluator* EvaluatorPool::Lease::operator->() const {
  HCL_DCHECK(worker_ != nullptr);
  return &worker_->evaluator;
}

Heap* EvaluatorPool::Lease::scope_heap() const {
  HCL_DCHECK(worker_ != nullptr);
  return &worker_->heap;
}

JsonReader* EvaluatorPool::Lease::reader() const {
  HCL_DCHECK(worker_ != nullptr);
  return &worker_->reader;
}

KeptEvaluation EvaluatorPool::Lease::Keep(const Evaluation& evaluation) const {
  HCL_DCHECK(state_ != nullptr);
  return {evaluation, state_->program};
}

// What the next user must not see is put away outside of the lock. The pool may be gone: then the evaluator goes, too,
// with the last lease.
void EvaluatorPool::Lease::Return() {
  if (worker_ == nullptr) return;
  worker_->evaluator.BindBase(nullptr);
  worker_->evaluator.UnbindAll();
  worker_->evaluator.set_interrupt(state_->limits.interrupt);
  worker_->heap.set_interrupt(state_->limits.interrupt);
  worker_->heap.Reset();
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    if (state_->idle.size() < state_->max_idle) state_->idle.push_back(std::move(worker_));
  }
  worker_.reset();
  state_.reset();
}

}  // namespace hcl
