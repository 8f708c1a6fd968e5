// Values that a module names, and how the interpreter makes them. Tested by module/module_test.cc.

#include "hclvm/vm/local_values.h"

#include <cstddef>
#include <utility>

#include "absl/base/optimization.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

LocalValues::LocalValues(const ProgramTables& program, Value* slots)
    : module_(*program.module()),
      slots_(slots),
      first_(static_cast<uint32_t>(module_.variables.size())),
      locals_(module_.locals.size()),
      done_(module_.locals.size()) {
  const size_t registers_each = program.layout().slots_begin() - program.layout().window(/*of_main=*/false);
  window_ = slots_ - registers_each;
  registers_.resize(registers_each * module_.max_level);
  top_ = registers_.data();
  for (size_t n = 0; n < locals_.size(); ++n) {
    const Chunk& chunk = program.chunks()[module_.locals[n].chunk];
    locals_[n].code = program.code().data() + chunk.begin;
    locals_[n].registers = chunk.registers;
    slots_[first_ + n] = InternalValue(this);
  }
}

bool LocalValues::RecallMade(uint32_t slot) {
  Local* const local = At(slot);
  if (local->made_in != memory_ || local->is_stale) return false;
  Show(slot, local, Value(local->value));
  return true;
}

void LocalValues::Fail(uint32_t slot, Failures::Kept failures) {
  AddDone(slot);
  At(slot)->state = State::kFailed;
  At(slot)->failures = std::move(failures);
}

void LocalValues::Forget() {
  for (size_t n = 0; n < done_count_; ++n) {
    slots_[done_[n]] = InternalValue(this);
    At(done_[n])->state = State::kWaiting;
  }
  done_count_ = 0;
  top_ = registers_.data();
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
  LocalValues* const locals = locals_;
  LocalValues::Local* const local = locals->At(slot);
  if (local->state != LocalValues::State::kWaiting) return local->state == LocalValues::State::kMade;
  NoteLeftovers();
  if (ABSL_PREDICT_FALSE(locals->Recall(slot))) return true;
  const uint64_t fuel = fuel_.left();
  const uint64_t paid = locals->paid();
  const uint32_t pc = context_.pc;
  const size_t begin = failures_.count();
  Value value;
  locals->Enter(*local);
  RunFrom(local->code, &value);
  locals->Leave(*local);
  context_.pc = pc;
  if (ABSL_PREDICT_FALSE(stopped_)) return false;
  locals->Pay(local, paid, fuel - fuel_.left());
  if (ABSL_PREDICT_FALSE(value.is_error() || failures_.count() > begin)) {
    locals->Fail(slot, failures_.Take(begin));
    return false;
  }
  locals->Show(slot, local, value);
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
