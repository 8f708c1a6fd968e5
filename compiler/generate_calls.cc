// CodeGenerator: function calls. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/code_generator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

Result CodeGenerator::YieldCall(const BoundCall& expr, uint16_t dest) {
  if (expr.is(Function::Special::kTry)) return YieldTry(expr, dest);
  if (expr.is(Function::Special::kCan)) {
    YieldTo(*expr.arguments[0], dest);
    builder_->Emit(Opcode::kCanEnd, dest);
    return Result::Register(dest);
  }
  if (expr.lookup != BoundCall::kNone) return YieldContains(expr, dest);
  const uint16_t mark = next_;
  const auto count = static_cast<uint32_t>(expr.arguments.size());
  const uint16_t run = AllocateRun(dest, count > 0 ? count : 1);
  for (uint32_t n = 0; n < count; ++n) YieldTo(*expr.arguments[n], static_cast<uint16_t>(run + n));
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

Result CodeGenerator::YieldTry(const BoundCall& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 2);
  const uint16_t attempt = static_cast<uint16_t>(run + 1);
  MoveTo(Result::Constant(Value::Null()), run);
  ShortList<uint32_t> done;
  for (const BoundExpr* argument : expr.arguments) {
    const uint16_t inner = next_;
    YieldTo(*argument, attempt);
    done.push_back(builder_->EmitJump(Opcode::kTryTest, run));
    FreeTo(inner);
  }
  builder_->Emit(Opcode::kTryEnd, run, 0, 0, expr.spans.first(3));
  for (uint32_t jump : done) builder_->PatchToHere(jump);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
