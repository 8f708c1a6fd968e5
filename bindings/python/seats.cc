// Seats. Tested by bindings/python/tests.

#include "hclvm/bindings/python/seats.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace hcl::python {
namespace {

// Each may hold some megabytes, and mostly holds some kilobytes.
constexpr size_t kMostIdle = 64;

// A limit that counts what one scope takes, and not what others in the same heap do.
Limits WithoutBoundOfBytes(Limits limits) {
  limits.max_result_bytes = UINT64_MAX;
  return limits;
}

}  // namespace

Seat::Seat(const std::shared_ptr<const hcl::Program>& program, const std::shared_ptr<const BaseLayer>& base,
           const Limits& limits)
    : evaluator(program, limits), heap(nullptr, program->dialect(), WithoutBoundOfBytes(limits)) {
  evaluator.BindBase(base);
}

Seats::Lease Seats::Acquire() {
  if (idle_.empty()) return {this, std::make_unique<Seat>(program_, base_, limits_)};
  std::unique_ptr<Seat> seat = std::move(idle_.back());
  idle_.pop_back();
  return {this, std::move(seat)};
}

// Code of others may run when strings go that were held, and may take a seat: this one comes back after that.
void Seats::Return(std::unique_ptr<Seat> seat) {
  seat->evaluator.UnbindAll();
  seat->evaluator.set_interrupt(limits_.interrupt);
  seat->Begin();
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(seat));
}

}  // namespace hcl::python
