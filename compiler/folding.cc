// Folding. Tested by compiler/folding_test.cc.

#include "hclvm/compiler/folding.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/vm/value/conversion.h"

namespace hcl::internal {
namespace {

// One piece of work gets a tenth of max_compile_fuel in its default, some milliseconds.
constexpr uint64_t kMaxPartFuel = 1'000'000;
// Room for intermediate values beside a result.
constexpr uint64_t kWorkingBytes = 4 * kMaxConstantBytes;
// Weight of constants that stand where a name for them is written: enough for a list of ten thousand names to be looked
// up in at some hundred places.
constexpr uint64_t kMaxRepeated = 4 << 20;
constexpr uint64_t kRepeatedForSourceByte = 16;
// A known value of no parts, beside what its text takes.
constexpr uint64_t kValueBytes = sizeof(Value);

// Whether there is a capsule in it: what a host's value points to may live in the heap that made it, and may be told
// from any copy. Time: the weight; recursion goes down the value.
bool HasCapsule(const Value& value) {
  if (value.is_capsule()) return true;
  if (!value.is_sequence() && !value.is_mapping()) return false;
  const absl::Span<const Value> items = value.is_sequence() ? value.elements() : value.values();
  return std::any_of(items.begin(), items.end(), HasCapsule);
}

}  // namespace

Folding::Folding(const Limits& limits, ProgramBuilder* builder)
    : limits_(limits), builder_(builder), steps_(&limits.interrupt) {
  BeginCompilation(builder->source_bytes());
}

void Folding::BeginCompilation(size_t source_bytes) {
  steps_ = Steps(&limits_.interrupt);
  interrupted_ = false;
  fuel_ = limits_.max_compile_fuel;
  constant_bytes_ = kMaxConstantBytes + kConstantBytesForSourceByte * uint64_t{source_bytes};
  prepared_bytes_ = limits_.max_prepared_bytes;
  repeated_ = kMaxRepeated + kRepeatedForSourceByte * uint64_t{source_bytes};
}

Fuel Folding::Part() const { return Fuel(std::min(fuel_, kMaxPartFuel), &limits_.interrupt); }

void Folding::Settle(uint64_t part, const Fuel& fuel) {
  fuel_ -= part - fuel.left();
  interrupted_ |= fuel.interrupted();
}

bool Folding::Spend(uint64_t cost) {
  Fuel fuel = Part();
  const uint64_t part = fuel.left();
  const bool enough = fuel.Charge(cost);
  Settle(part, fuel);
  return enough;
}

// The heap is new each time and goes with the piece of work, so that nothing of it but the result stays in the program.
Heap Folding::NewHeap() const {
  Limits limits = limits_;
  limits.max_result_bytes = std::min(limits.max_result_bytes, kWorkingBytes);
  return Heap(builder_->heap()->types(), builder_->heap()->dialect(), limits, /*first_block_bytes=*/512);
}

// Constants are neither marked nor unknown. The weight counts parts that are shared as often as they are named, and so
// does the copy.
std::optional<Value> Folding::Keep(const Value& value) {
  if (!value.is_known() || value.is_error() || value.has_marks()) return std::nullopt;
  const uint64_t bytes = kValueBytes * (1 + value.weight());
  if (bytes > kMaxConstantBytes || bytes > constant_bytes_ || HasCapsule(value)) return std::nullopt;
  Heap* heap = builder_->heap();
  const uint64_t before = heap->arena()->bytes_used();
  const Value kept = Clone(value, heap->arena(), heap->types());
  constant_bytes_ -= std::min<uint64_t>(constant_bytes_, heap->arena()->bytes_used() - before);
  return kept;
}

// As a run would do it, arguments converted first, so that a call which fails is left to the run, with its message.
// The heap is thrown away: only the result is kept, if it is small enough.
std::optional<Value> Folding::Call(const Function& function, absl::Span<const Value> arguments) {
  // What a program takes is for the run to pay.
  if (!function.pure || function.is_program) return std::nullopt;
  if (arguments.size() < function.parameters.size() || arguments.size() > function.max_arguments()) return std::nullopt;
  Heap heap = NewHeap();
  Fuel fuel = Part();
  const uint64_t part = fuel.left();
  absl::InlinedVector<Value, 8> converted(arguments.begin(), arguments.end());
  uint64_t cost = 1;
  for (const Value& argument : arguments) cost += argument.weight();
  bool ok = fuel.Charge(cost);
  for (size_t n = 0; ok && n < converted.size(); ++n) {
    ConversionError error;
    ok = Convert(arguments[n], function.parameter(n).type, &heap, &converted[n], &error);
  }
  Value value;
  if (ok) {
    FunctionCall call(function, &heap, &fuel);
    value = InvokeFunction(&call, converted);
    ok = !call.failed();
  }
  Settle(part, fuel);
  return ok ? Keep(value) : std::nullopt;
}

bool Folding::Repeat(const Value& constant) {
  const uint64_t weight = constant.weight();
  if (weight > repeated_) return false;
  repeated_ -= weight;
  return true;
}

Value Folding::ConvertArgument(const Value& constant, Type type) {
  if (type.is_dynamic() || HasType(constant, type)) return constant;
  const std::optional<Value> converted = Compute(1 + constant.weight(), [&](Heap* heap) -> std::optional<Value> {
    Value value;
    ConversionError error;
    return Convert(constant, type, heap, &value, &error) ? std::make_optional(value) : std::nullopt;
  });
  return converted.value_or(constant);
}

// What cannot be prepared is no mistake: the function then does at each call what it would have done here.
const void* Folding::Prepare(const Function& function, absl::Span<const std::optional<Value>> constants) {
  Heap heap = NewHeap();
  Fuel fuel = Part();
  const uint64_t part = fuel.left();
  std::vector<Value> converted(constants.size());
  std::vector<const Value*> usable(constants.size());
  for (size_t n = 0; n < constants.size(); ++n) {
    if (!constants[n] || constants[n]->is_null() || constants[n]->is_unknown()) continue;
    ConversionError error;
    if (Convert(*constants[n], function.parameter(n).type, &heap, &converted[n], &error)) usable[n] = &converted[n];
  }
  FunctionCall call(function, &heap, &fuel);
  Prepared made = function.prepare(&call, usable);
  Settle(part, fuel);
  if (call.failed() || made.state == nullptr || made.bytes > prepared_bytes_) return nullptr;
  prepared_bytes_ -= made.bytes;
  const void* const state = made.state.get();
  builder_->Keep(std::move(made.state), made.held > 0 ? made.held : made.bytes);
  return state;
}

}  // namespace hcl::internal
