// Variables that are read when they are needed, and how the interpreter reads them. Tested by
// tests/lazy_variable_test.cc and tests/slow/lazy_law_test.cc.

#include "hclvm/vm/lazy_variables.h"

#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/local_values.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Units of fuel that a callback costs beside what it charges: far more than a function, so that it is not for nothing.
constexpr uint64_t kCallbackCost = 100;

}  // namespace

void LazyVariables::Bind(uint32_t slot, LazyCallback callback) {
  std::unique_ptr<Variable>& variable = variables_[slot];
  if (variable == nullptr) variable = std::make_unique<Variable>();
  variable->callback = std::move(callback);
  slots_[slot] = InternalValue(variable.get());
}

// The slots are the evaluator's to write.
void LazyVariables::Clear() {
  for (std::unique_ptr<Variable>& variable : variables_) {
    if (variable != nullptr) variable->callback = nullptr;
  }
}

// Values of the last run die here and not at its end, since its result may hold them. The call is noted before it is
// made, so that nothing is left of one that ends in std::bad_alloc.
LazyVariables::Variable* LazyVariables::Read(uint32_t slot, std::string_view name, Fuel* fuel) {
  Variable* const variable = variables_[slot].get();
  HCL_DCHECK(variable != nullptr && InternalState(slots_[slot]) == variable);
  if (variable->is_read) {
    if (!fuel->Charge(variable->cost)) variable->has_value = false;
    return variable;
  }
  if (is_new_run_) heap_.Reset();
  is_new_run_ = false;
  read_.push_back(slot);
  variable->is_read = true;
  variable->has_value = false;
  variable->failure.clear();
  const uint64_t before = fuel->left();
  LazyCall call(name, &heap_, fuel);
  absl::StatusOr<Value> value = variable->callback(&call);
  fuel->Look();
  const bool is_paid = !call.out_of_fuel() && fuel->Charge(kCallbackCost + (value.ok() ? value->weight() / 4 : 0));
  variable->cost = before - fuel->left();
  if (value.ok()) {
    HCL_DCHECK(!value->is_error());
    variable->has_value = is_paid;
    variable->value = *value;
  } else {
    variable->failure = std::string(value.status().message());
  }
  return variable;
}

void LazyVariables::Show(uint32_t slot) {
  shown_.push_back(slot);
  slots_[slot] = variables_[slot]->value;
}

void LazyVariables::PutBack() {
  for (const uint32_t slot : shown_) slots_[slot] = InternalValue(variables_[slot].get());
  shown_.clear();
}

void LazyVariables::Forget() {
  for (const uint32_t slot : read_) variables_[slot]->is_read = false;
  read_.clear();
  is_new_run_ = true;
}

void LazyVariables::Release() {
  PutBack();
  Forget();
  heap_.Release();
}

// The limits are those of any other value: what it weighs, what it and the evaluation take together, and the fuel. The
// interrupt was looked at behind the callback, which may have waited for somebody.
Value Interpreter::ReadLazy(uint32_t slot) {
  if (locals_ != nullptr && locals_->Has(slot)) return ReadLocal(slot);
  const std::string_view name = program_.variables()[slot];
  NoteLeftovers();
  const LazyVariables::Variable& variable = *lazy_->Read(slot, name, &fuel_);
  if (variable.has_value) {
    const Value bounded = Bounded(variable.value);
    if (bounded.is_error()) return bounded;
    if (!context_.heap->CanAllocate(lazy_->bytes_used())) return OutOfMemory();
    lazy_->Show(slot);
    return bounded;
  }
  if (fuel_.left() == 0) return OutOfFuel();
  if (context_.quiet()) return context_.FailQuietly();
  return context_.Fail(span_role::kRoot, DiagnosticCode::kVariableNotAvailable, [&] {
    return absl::StrCat("The host could not provide the variable \"", ToAbsl(Excerpt(name)), "\": ", variable.failure,
                        ".");
  });
}

// The same for fast code, which reports nothing: what cannot be had is left to the slow path, which asks again.
bool Interpreter::ShowLazy(uint32_t slot) {
  if (!IsInternal(slots_[slot]) || IsAbsent(slots_[slot])) return false;
  return locals_ != nullptr && locals_->Has(slot) ? MakeLocal(slot) : ShowLazyVariable(slot);
}

bool Interpreter::ShowLazyVariable(uint32_t slot) {
  NoteLeftovers();
  const LazyVariables::Variable& variable = *lazy_->Read(slot, program_.variables()[slot], &fuel_);
  if (!variable.has_value || variable.value.weight() > max_weight_) return false;
  if (!context_.heap->CanAllocate(lazy_->bytes_used())) return false;
  lazy_->Show(slot);
  return true;
}

// Operands of fast code are variables of their own, or paths. One that is shown is no longer lazy, so that an
// instruction is done again as often as it has operands at most.
bool Interpreter::ReadLazyOperand(const Instruction& placed) {
  const OpcodeInfo& info = InfoOf(placed.opcode());
  const auto read = [this](OperandKind kind, uint32_t operand) {
    if (kind == OperandKind::kFast) {
      const uint32_t index = operand / 2;
      const uint32_t slots_begin = program_.layout().slots_begin();
      return index >= slots_begin && ShowLazy(index - slots_begin);
    }
    if (kind == OperandKind::kPath) return ShowLazy(program_.paths()[operand].slot);
    return kind == OperandKind::kVariable && ShowLazy(operand);
  };
  const bool is_wide = info.c == OperandKind::kX;
  return read(info.a, placed.a()) || read(info.b, is_wide ? placed.x() : placed.b()) || read(info.c, placed.c());
}

void Interpreter::Settle(Value* result) {
  if (has_leftovers_) PutAwayLeftovers();
  if (!failures_.has_limit()) return;
  failures_.ReportLimit();
  if (!result->is_error()) *result = ErrorValue(0);
}

// Slots stand for their variables again. A pass that is not the last one of its run, because its failures have to be
// written, leaves what was read to the next one: EndRun() is called behind that.
void Interpreter::PutAwayLeftovers() {
  has_leftovers_ = false;
  pending_marks_.clear();
  if (locals_ != nullptr) locals_->Forget();
  if (lazy_ == nullptr) return;
  lazy_->PutBack();
  const bool is_last = !program_.is_pure() || (failures_.is_counting() && !failures_.counted());
  if (is_last) lazy_->Forget();
}

// What was left in the midst of reporting a failure may have set what only a failure that was added puts back.
void Interpreter::EndRun() {
  StartAnew();
  has_leftovers_ = false;
  pending_marks_.clear();
  if (locals_ != nullptr) locals_->Forget();
  if (lazy_ == nullptr) return;
  lazy_->PutBack();
  lazy_->Forget();
}

}  // namespace hcl::internal
