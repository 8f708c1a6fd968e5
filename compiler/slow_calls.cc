// SlowPath: function calls. Tested by compiler/compiler_test.cc.

#include "absl/types/span.h"
#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/slow_path.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Arguments stand side by side in a run of registers that begins where the result goes, if that is the last one: a
// call that is itself an argument then leaves its result in its place, without a move.
Result SlowPath::YieldCall(const BoundCall& expr, uint16_t dest) {
  if (expr.is(Function::Special::kTry)) return YieldTry(expr, dest);
  const bool expands_try = expr.expand_last && expr.function->special == Function::Special::kTry;
  if (expands_try && expr.arguments.size() > 1) return YieldExpandedTry(expr, dest);
  if (expr.is(Function::Special::kCan)) {
    nodes_.YieldTo(*expr.arguments[0], dest);
    builder_->Emit(Opcode::kCanEnd, dest);
    return Result::Register(dest);
  }
  if (expr.lookup != BoundCall::kNone) return YieldContains(expr, dest);
  const uint16_t mark = registers_.next();
  const auto count = static_cast<uint32_t>(expr.arguments.size());
  const uint16_t run = registers_.AllocateRun(dest, count > 0 ? count : 1);
  const NodeGenerator::Mode outer = nodes_.EnterCall(expr);
  for (uint32_t n = 0; n < count; ++n) nodes_.YieldTo(*expr.arguments[n], static_cast<uint16_t>(run + n));
  nodes_.Leave(outer);
  builder_->EmitX(Opcode::kCall, run, expr.site, expr.spans);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

Result SlowPath::YieldContains(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const Result needle = nodes_.Yield(*expr.arguments[1], dest);
  builder_->Emit(Opcode::kContains, dest, registers_.Rk(needle), static_cast<uint16_t>(expr.lookup), expr.spans);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// What is kept of the errors so far stands in R[run], and each attempt in R[run + 1].
void SlowPath::YieldAttempts(absl::Span<const BoundExpr* const> attempts, uint16_t run, ShortList<uint32_t>* done) {
  registers_.MoveTo(Result::Constant(Value::Null()), run);
  for (const BoundExpr* attempt : attempts) {
    const uint16_t inner = registers_.next();
    nodes_.YieldTo(*attempt, static_cast<uint16_t>(run + 1));
    done->push_back(builder_->EmitJump(Opcode::kTryTest, run));
    registers_.FreeTo(inner);
  }
}

Result SlowPath::YieldTry(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.AllocateRun(dest, 2);
  ShortList<uint32_t> done;
  YieldAttempts(expr.arguments, run, &done);
  builder_->Emit(Opcode::kTryEnd, run, 0, 0, expr.spans.first(3));
  for (uint32_t jump : done) builder_->PatchToHere(jump);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

// `try(a, b, list...)`: the list is needed in any case, and without it there is no call. The last attempt is the call
// with the list alone, which gives the first of its elements.
Result SlowPath::YieldExpandedTry(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.AllocateRun(dest, 3);
  const auto attempt = static_cast<uint16_t>(run + 1);
  const auto list = static_cast<uint16_t>(run + 2);
  const SourceRange list_range = expr.arguments.back()->outer;
  nodes_.YieldTo(*expr.arguments.back(), list);
  const SourceRange list_spans[] = {expr.range, list_range};
  builder_->EmitX(Opcode::kCallInternal, list, builder_->AddInternalCall(Interpreter::ExpandForTry, nullptr, "expand"),
                  list_spans);
  const uint32_t no_call = builder_->EmitJump(Opcode::kSkipUnlessKnown, list);
  ShortList<uint32_t> done;
  YieldAttempts(expr.arguments.first(expr.arguments.size() - 1), run, &done);
  const SourceRange call_spans[] = {expr.spans[0], expr.spans[1], expr.spans[2], list_range};
  builder_->EmitX(Opcode::kCall, list, expr.site, call_spans);
  registers_.MoveTo(Result::Register(list), attempt);
  done.push_back(builder_->EmitJump(Opcode::kTryTest, run));
  builder_->Emit(Opcode::kTryEnd, run, 0, 0, expr.spans.first(3));
  done.push_back(builder_->EmitJump(Opcode::kJump));
  builder_->PatchToHere(no_call);
  registers_.MoveTo(Result::Register(list), run);
  for (uint32_t jump : done) builder_->PatchToHere(jump);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
