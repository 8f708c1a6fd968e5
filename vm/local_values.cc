// Values that a module names, and how the interpreter makes them. Tested by module/module_test.cc.

#include "hclvm/vm/local_values.h"

#include <algorithm>
#include <utility>

#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

LocalValues::LocalValues(const ProgramTables& program, Value* slots)
    : module_(*program.module()),
      slots_(slots),
      first_(static_cast<uint32_t>(module_.variables.size())),
      registers_each_(program.layout().slots_begin() - program.layout().window(/*of_main=*/false)),
      registers_(registers_each_ * module_.max_level),
      locals_(module_.locals.size()) {
  for (size_t n = 0; n < locals_.size(); ++n) slots_[first_ + n] = InternalValue(this);
}

void LocalValues::Show(uint32_t slot, const Value& value) {
  Local* const local = At(slot);
  done_.push_back(slot);  // first: where memory is refused, nothing may stay that Forget() does not find
  slots_[slot] = value;
  local->state = State::kMade;
  local->value = value;
  local->made_in = memory_;
  local->is_stale = false;
}

bool LocalValues::Recall(uint32_t slot) {
  const Local& local = *At(slot);
  if (!recalls_ || local.made_in != memory_ || local.is_stale) return false;
  Show(slot, local.value);
  return true;
}

// What a local costs does not depend on who reads it first; what it costs with the locals that it reads does.
void LocalValues::Pay(uint32_t slot, uint64_t before, uint64_t fuel) {
  Local* const local = At(slot);
  const uint64_t own = fuel - (paid_ - before);
  grown_ += own - (local->made_in == memory_ ? local->cost : 0);
  local->cost = own;
  paid_ = before + fuel;
}

void LocalValues::Fail(uint32_t slot, Failures::Kept failures) {
  done_.push_back(slot);
  At(slot)->state = State::kFailed;
  At(slot)->failures = std::move(failures);
}

void LocalValues::Forget() {
  for (const uint32_t slot : done_) {
    slots_[slot] = InternalValue(this);
    At(slot)->state = State::kWaiting;
  }
  done_.clear();
  level_ = 0;
}

void LocalValues::BindBase(const BaseTables* base) {
  Forget();
  const bool has_locals = base != nullptr && !base->locals.empty();
  for (size_t n = 0; n < locals_.size(); ++n) has_locals ? Bind(n, base->locals[n]) : Bind(n, BaseTables::Local());
}

void LocalValues::Bind(size_t local, const BaseTables::Local& made) {
  Local& bound = locals_[local];
  slots_[first_ + local] = made.state == BaseTables::State::kMade ? made.value : InternalValue(this);
  bound.state = made.state == BaseTables::State::kOpen   ? State::kWaiting
                : made.state == BaseTables::State::kMade ? State::kMade
                                                         : State::kFailed;
  if (bound.state == State::kFailed) bound.failures = made.failures;
}

// In the midst of an instruction of another chunk, whose place is put back, and whose registers, if it is not the main
// one: they are those of the local. Locals do not read themselves,
// not even by way of others: the compiler has ordered them.
bool Interpreter::MakeLocal(uint32_t slot) {
  if (locals_->At(slot)->state != LocalValues::State::kWaiting) {
    return locals_->At(slot)->state == LocalValues::State::kMade;
  }
  NoteLeftovers();
  if (locals_->Recall(slot)) return true;
  const uint64_t fuel = fuel_.left();
  const uint64_t paid = locals_->paid();
  const uint32_t pc = context_.pc;
  const size_t begin = failures_.count();
  Value value;
  const uint32_t chunk = locals_->ChunkOf(slot);
  const uint32_t count = program_.chunks()[chunk].registers;
  Value* const window = frame_ + program_.layout().window(/*of_main=*/false);
  Value* const saved = locals_->Enter();
  std::copy_n(window, count, saved);
  Run(BeginOf(chunk), &value);
  std::copy_n(saved, count, window);
  locals_->Leave();
  context_.pc = pc;
  if (stopped_) return false;
  locals_->Pay(slot, paid, fuel - fuel_.left());
  if (value.is_error() || failures_.count() > begin) {
    locals_->Fail(slot, failures_.Take(begin));
    return false;
  }
  locals_->Show(slot, value);
  return true;
}

// What has failed fails again wherever it is read, also behind an attempt that has caught it.
Value Interpreter::ReadLocal(uint32_t slot) {
  if (MakeLocal(slot)) return slots_[slot];
  if (stopped_) return ErrorValue(0);
  const Value poison = context_.PoisonHere();
  failures_.AddAgain(locals_->At(slot)->failures);
  return poison;
}

}  // namespace hcl::internal
