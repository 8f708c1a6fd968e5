// Seats: evaluators of a program, with what scopes are read into, for threads that come and go.
//
// Unlike an EvaluatorPool, whose users need no lock, they are had with the GIL, and keep from run to run what the
// reading of dicts has learned and which data the program is over. Tested by bindings/python/tests.

#ifndef HCLVM_BINDINGS_PYTHON_SEATS_H_
#define HCLVM_BINDINGS_PYTHON_SEATS_H_

#include <memory>
#include <utility>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/bindings/python/from_python.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::python {

// Belongs to one call at a time. `memory` and `heap` are for scopes; the heap has no bound of bytes, since an
// ObjectReader counts what each scope takes.
struct Seat {
  Seat(const std::shared_ptr<const hcl::Program>& program, const std::shared_ptr<const BaseLayer>& base,
       const Limits& limits);

  // Forgets the scopes that were read.
  void Begin() {
    heap.Reset();
    memory.Begin();
  }

  // What of scopes has to be right, for the following runs.
  void Look(bool check_all, UnknownInput unknown) {
    evaluator.set_check_all(check_all);
    if (unknown != unknown_input) evaluator.set_unknown_input(unknown_input = unknown);
  }

  Evaluator evaluator;
  UnknownInput unknown_input = UnknownInput::kNear;
  Heap heap;
  ReaderMemory memory;
};

// Everything needs the GIL.
class Seats {
 public:
  // A seat that is the caller's until this ends; movable. Results of its evaluator become invalid then.
  class Lease {
   public:
    Lease(Seats* seats, std::unique_ptr<Seat> seat) : seats_(seats), seat_(std::move(seat)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (seat_ != nullptr) seats_->Return(std::move(seat_));
    }

    Seat& operator*() const { return *seat_; }
    Seat* operator->() const { return seat_.get(); }

   private:
    Seats* seats_;
    std::unique_ptr<Seat> seat_;
  };

  // `base` may be null.
  Seats(std::shared_ptr<const hcl::Program> program, std::shared_ptr<const BaseLayer> base, const Limits& limits)
      : program_(std::move(program)), base_(std::move(base)), limits_(limits) {}

  // The seat that was given back last, or a new one. This has to outlive the lease.
  Lease Acquire();

 private:
  void Return(std::unique_ptr<Seat> seat);

  std::shared_ptr<const hcl::Program> program_;
  std::shared_ptr<const BaseLayer> base_;
  Limits limits_;
  std::vector<std::unique_ptr<Seat>> idle_;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_SEATS_H_
