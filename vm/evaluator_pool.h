// EvaluatorPool: evaluators of one program for threads that come and go.
//
//   hcl::EvaluatorPool pool(program);
//
//   // In any thread, for each request:
//   hcl::EvaluatorPool::Lease lease = pool.Acquire();
//   if (!lease.reader()->Read(json, lease.scope_heap(), &scope, &error)) ...
//   lease->BindAll(scope);
//   const hcl::Evaluation& evaluation = lease->Run();
//
// A thread that stays can keep an Evaluator of its own instead; that is as fast, and a lease costs some 20 ns on top.
//
// Tested by tests/evaluator_pool_test.cc.

#ifndef HCLVM_VM_EVALUATOR_POOL_H_
#define HCLVM_VM_EVALUATOR_POOL_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// The result of a run with memory of its own: valid as long as the object, whatever becomes of the evaluator. Movable.
class KeptEvaluation {
 public:
  // A copy of `evaluation`, whose program was `program`. Capsules are copied as their type says.
  KeptEvaluation(const Evaluation& evaluation, std::shared_ptr<const Program> program);

  // As Evaluation has them.
  bool ok() const { return diagnostics_.empty(); }
  const Value& value() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return value_; }
  const Value& marked_value() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return marked_value_; }
  const Diagnostics& diagnostics() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return diagnostics_; }
  uint64_t fuel_left() const { return fuel_left_; }

  // The program, whose source the diagnostics are about.
  const Program& program() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return *program_; }
  // Where the value lives: for TypeOf() on it.
  Heap* heap() ABSL_ATTRIBUTE_LIFETIME_BOUND { return &heap_; }

 private:
  std::shared_ptr<const Program> program_;
  Heap heap_;
  Value value_;
  Value marked_value_;
  Diagnostics diagnostics_;
  uint64_t fuel_left_;
};

// Thread-safe. Leases may outlive it, so that a service can replace its pool while requests are under way.
class EvaluatorPool {
 private:
  struct State;
  struct Worker;

 public:
  // An evaluator, with a heap and a reader for scopes, that is the caller's until the lease ends. Belongs to one thread
  // at a time. Movable; one that was moved from holds nothing.
  class Lease {
   public:
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    // Unbinds all variables and the base, forgets what is in the heap, takes back the interrupt, and gives the
    // evaluator back. Results of it become invalid.
    ~Lease();

    Evaluator* operator->() const;
    Evaluator& operator*() const { return *operator->(); }

    // For values of the scope; empty at first.
    Heap* scope_heap() const;
    JsonReader* reader() const;

    // The result of the last run, for longer than the lease.
    KeptEvaluation Keep(const Evaluation& evaluation) const;

   private:
    friend class EvaluatorPool;
    Lease(std::shared_ptr<State> state, std::unique_ptr<Worker> worker);
    void Return();

    std::shared_ptr<State> state_;
    std::unique_ptr<Worker> worker_;
  };

  // Evaluators run under `limits`. At most `max_idle` of them are kept while nobody uses them; each may hold as much as
  // 6 MiB, and mostly holds a few kilobytes.
  explicit EvaluatorPool(std::shared_ptr<const Program> program, const Limits& limits = {}, size_t max_idle = 64);

  const Program& program() const ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // The evaluator that was given back last, or a new one: there may be as many at a time as there are callers. Never
  // waits for another lease. Passes on std::bad_alloc.
  Lease Acquire();

  // Binds the scope, an object, runs the entry, or all of the program, and keeps the result. A flag or a deadline in
  // `interrupt` holds for this run.
  KeptEvaluation Evaluate(const Value& scope, const Interrupt& interrupt = {});
  KeptEvaluation Evaluate(const Value& scope, const Entry& entry, const Interrupt& interrupt = {});

  // How many evaluators wait for somebody to use them.
  size_t idle() const;

 private:
  KeptEvaluation EvaluateChunk(const Value& scope, uint32_t chunk, const Interrupt& interrupt);

  std::shared_ptr<State> state_;
};

}  // namespace hcl

#endif  // HCLVM_VM_EVALUATOR_POOL_H_
