// CodeGenerator: templates. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/code_generator.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

Result CodeGenerator::YieldTemplate(const BoundTemplate& expr, uint16_t dest) {
  if (expr.parts.size() > kMaxInlineText) return YieldLongTemplate(expr, dest);
  const uint16_t mark = next_;
  ScratchList<Result> parts(&results_);
  ScratchList<SourceRange> spans(&spans_);
  spans.Add(expr.range);
  for (const BoundExpr* part : expr.parts) {
    const uint16_t reg = part->is_constant() ? 0 : Allocate();
    parts.Add(Yield(*part, reg));
    spans.Add(part->outer);
  }
  EmitConcat(dest, parts.view(), spans.view());
  FreeTo(mark);
  return Result::Register(dest);
}

void CodeGenerator::EmitConcat(uint16_t dest, absl::Span<const Result> parts, absl::Span<const SourceRange> spans) {
  ShortList<uint16_t> operands;
  for (const Result& part : parts) operands.push_back(Rk(part));
  builder_->EmitX(Opcode::kConcat, dest, builder_->AddList(operands), spans);
}

Result CodeGenerator::YieldLongTemplate(const BoundTemplate& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t builder = Allocate();
  builder_->Emit(Opcode::kStringBegin, builder);
  for (const BoundExpr* part : expr.parts) {
    const uint16_t inner = next_;
    const Result result = Yield(*part, Allocate());
    builder_->Emit(Opcode::kStringPush, builder, Rk(result), 0, {part->outer});
    FreeTo(inner);
  }
  builder_->Emit(Opcode::kStringEnd, dest, builder);
  FreeTo(mark);
  return Result::Register(dest);
}

// Parts are pushed to a builder and joined once, as joining two at a time would take time by the square of their
// number.
Result CodeGenerator::YieldTemplateFor(const BoundTemplateFor& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 4);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  YieldTo(*expr.collection, run);
  const SourceRange spans[] = {expr.range, expr.collection->outer};
  const uint32_t no_loop = builder_->EmitJump(Opcode::kForBegin, run, spans);
  builder_->Emit(Opcode::kStringBegin, builder);
  const Loop loop = BeginLoop(run, expr.variables);
  const uint16_t inner = next_;
  const Result body = Yield(*expr.body, Allocate());
  builder_->Emit(Opcode::kStringPush, builder, Rk(body), 0, {expr.body->outer});
  FreeTo(inner);
  EndLoop(loop, expr.variables.key != nullptr ? Opcode::kForNext : Opcode::kForEach, expr.range);
  builder_->Emit(Opcode::kStringEnd, run, builder);
  builder_->PatchToHere(no_loop);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
