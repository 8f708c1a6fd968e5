// CodeGenerator: function calls. Tested by compiler/compiler_test.cc.

#include <utility>

#include "absl/types/span.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

// Arguments stand side by side in a run of registers that begins where the result goes, if that is the last one: a
// call that is itself an argument then leaves its result in its place, without a move.
Result CodeGenerator::YieldCall(const BoundCall& expr, uint16_t dest) {
  if (expr.is(Function::Special::kTry)) return YieldTry(expr, dest);
  const bool expands_try = expr.expand_last && expr.function->special == Function::Special::kTry;
  if (expands_try && expr.arguments.size() > 1) return YieldExpandedTry(expr, dest);
  if (expr.is(Function::Special::kCan)) {
    YieldTo(*expr.arguments[0], dest);
    builder_->Emit(Opcode::kCanEnd, dest);
    return Result::Register(dest);
  }
  if (expr.lookup != BoundCall::kNone) return YieldContains(expr, dest);
  const uint16_t mark = next_;
  const auto count = static_cast<uint32_t>(expr.arguments.size());
  const uint16_t run = AllocateRun(dest, count > 0 ? count : 1);
  // The loops of a list that is put together have fast code once, so that nested ones do not double it.
  const bool has_plain_loops = slow_only_ && IsListCall(expr);
  const bool outer = std::exchange(loops_stay_slow_, loops_stay_slow_ || has_plain_loops);
  for (uint32_t n = 0; n < count; ++n) YieldTo(*expr.arguments[n], static_cast<uint16_t>(run + n));
  loops_stay_slow_ = outer;
  builder_->EmitX(Opcode::kCall, run, expr.site, expr.spans);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

Result CodeGenerator::YieldContains(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const Result needle = Yield(*expr.arguments[1], dest);
  builder_->Emit(Opcode::kContains, dest, Rk(needle), static_cast<uint16_t>(expr.lookup), expr.spans);
  FreeTo(mark);
  return Result::Register(dest);
}

// What is kept of the errors so far stands in R[run], and each attempt in R[run + 1].
void CodeGenerator::YieldAttempts(absl::Span<const BoundExpr* const> attempts, uint16_t run,
                                  ShortList<uint32_t>* done) {
  MoveTo(Result::Constant(Value::Null()), run);
  for (const BoundExpr* attempt : attempts) {
    const uint16_t inner = next_;
    YieldTo(*attempt, static_cast<uint16_t>(run + 1));
    done->push_back(builder_->EmitJump(Opcode::kTryTest, run));
    FreeTo(inner);
  }
}

Result CodeGenerator::YieldTry(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 2);
  ShortList<uint32_t> done;
  YieldAttempts(expr.arguments, run, &done);
  builder_->Emit(Opcode::kTryEnd, run, 0, 0, expr.spans.first(3));
  for (uint32_t jump : done) builder_->PatchToHere(jump);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

// `try(a, b, list...)`: the list is needed in any case, and without it there is no call. The last attempt is the call
// with the list alone, which gives the first of its elements.
Result CodeGenerator::YieldExpandedTry(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 3);
  const auto attempt = static_cast<uint16_t>(run + 1);
  const auto list = static_cast<uint16_t>(run + 2);
  const SourceRange list_range = expr.arguments.back()->outer;
  YieldTo(*expr.arguments.back(), list);
  const SourceRange list_spans[] = {expr.range, list_range};
  builder_->EmitX(Opcode::kCallInternal, list, builder_->AddInternalCall(Interpreter::ExpandForTry, nullptr, "expand"),
                  list_spans);
  const uint32_t no_call = builder_->EmitJump(Opcode::kSkipUnlessKnown, list);
  ShortList<uint32_t> done;
  YieldAttempts(expr.arguments.first(expr.arguments.size() - 1), run, &done);
  const SourceRange call_spans[] = {expr.spans[0], expr.spans[1], expr.spans[2], list_range};
  builder_->EmitX(Opcode::kCall, list, expr.site, call_spans);
  MoveTo(Result::Register(list), attempt);
  done.push_back(builder_->EmitJump(Opcode::kTryTest, run));
  builder_->Emit(Opcode::kTryEnd, run, 0, 0, expr.spans.first(3));
  done.push_back(builder_->EmitJump(Opcode::kJump));
  builder_->PatchToHere(no_call);
  MoveTo(Result::Register(list), run);
  for (uint32_t jump : done) builder_->PatchToHere(jump);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
