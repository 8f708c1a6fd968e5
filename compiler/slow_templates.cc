// SlowPath: templates. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/slow_path.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

Result SlowPath::YieldTemplate(const BoundTemplate& expr, uint16_t dest) {
  if (expr.parts.size() > kMaxInlineText) return YieldLongTemplate(expr, dest);
  const uint16_t mark = registers_.next();
  ScratchList<Result> parts(&results_);
  ScratchList<SourceRange> spans(&spans_);
  spans.Add(expr.range);
  for (const BoundExpr* part : expr.parts) {
    const uint16_t reg = part->is_constant() ? 0 : registers_.Allocate();
    parts.Add(nodes_.Yield(*part, reg));
    spans.Add(part->outer);
  }
  EmitConcat(dest, parts.view(), spans.view());
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

void SlowPath::EmitConcat(uint16_t dest, absl::Span<const Result> parts, absl::Span<const SourceRange> spans) {
  ShortList<uint16_t> operands;
  for (const Result& part : parts) operands.push_back(registers_.Rk(part));
  builder_->EmitX(Opcode::kConcat, dest, builder_->AddList(operands), spans);
}

Result SlowPath::YieldLongTemplate(const BoundTemplate& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t builder = registers_.Allocate();
  builder_->Emit(Opcode::kStringBegin, builder);
  for (const BoundExpr* part : expr.parts) {
    const uint16_t inner = registers_.next();
    const Result result = nodes_.Yield(*part, registers_.Allocate());
    builder_->Emit(Opcode::kStringPush, builder, registers_.Rk(result), 0, {part->outer});
    registers_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kStringEnd, dest, builder);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// Parts are pushed to a builder and joined once, as joining two at a time would take time by the square of their
// number.
Result SlowPath::YieldTemplateFor(const BoundTemplateFor& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.AllocateRun(dest, 4);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  nodes_.YieldTo(*expr.collection, run);
  const SourceRange spans[] = {expr.range, expr.collection->outer};
  const uint32_t no_loop = builder_->EmitJump(Opcode::kForBegin, run, spans);
  builder_->Emit(Opcode::kStringBegin, builder);
  const SlowLoop loop = BeginLoop(run, expr.variables);
  const uint16_t inner = registers_.next();
  const Result body = nodes_.Yield(*expr.body, registers_.Allocate());
  builder_->Emit(Opcode::kStringPush, builder, registers_.Rk(body), 0, {expr.body->outer});
  registers_.FreeTo(inner);
  EndLoop(loop, expr.variables.key != nullptr ? Opcode::kForNext : Opcode::kForEach, expr.range);
  builder_->Emit(Opcode::kStringEnd, run, builder);
  builder_->PatchToHere(no_loop);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
