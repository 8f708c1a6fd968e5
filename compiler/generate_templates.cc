// CodeGenerator: templates. Tested by compiler/compiler_test.cc.

#include <algorithm>
#include <string>

#include "hclvm/base/unicode.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

// Templates of up to so many parts are joined in one instruction.
constexpr size_t kMaxInline = 64;

}  // namespace

bool IsLiteral(const Expr& expr) {
  if (expr.kind != ExprKind::kTemplate) return expr.kind == ExprKind::kLiteral;
  absl::Span<const Expr* const> parts = As<TemplateExpr>(expr).parts;
  return std::all_of(parts.begin(), parts.end(),
                     [](const Expr* part) { return part->kind == ExprKind::kTemplateText; });
}

// The string of a template of literal text only.
std::optional<Value> CodeGenerator::FoldTemplate(const TemplateExpr& expr) {
  if (expr.parts.size() == 1 && expr.parts[0]->kind == ExprKind::kTemplateText) {
    return StringConstant(As<TemplateTextExpr>(*expr.parts[0]).text);
  }
  std::string text;
  for (const Expr* part : expr.parts) {
    if (part->kind != ExprKind::kTemplateText) return std::nullopt;
    text.append(As<TemplateTextExpr>(*part).text);
  }
  return StringConstant(text);
}

Result CodeGenerator::GenerateTemplate(const TemplateExpr& expr, uint16_t dest) {
  if (const std::optional<Value> text = FoldTemplate(expr)) return Result::Constant(*text);
  if (expr.parts.size() > kMaxInline) return GenerateLongTemplate(expr, dest);
  const uint16_t mark = next_;
  ScratchList<Result> parts(&results_);
  ScratchList<SourceRange> spans(&spans_);
  spans.Add(expr.range);
  bool all_constant = true;
  for (const Expr* part : expr.parts) {
    const uint16_t reg = Allocate();
    Result result = Generate(*part, reg);
    if (result.is_constant) FreeTo(reg);
    all_constant &= result.is_constant;
    parts.Add(result);
    spans.Add(part->range);
  }
  if (all_constant) {
    auto folded = Fold([&](OpContext* context) {
      std::string text;
      for (const Result& part : parts.view()) {
        const Value value = AppendPart(part.value, &text, context, 0);
        if (value.is_error() || value.is_unknown()) return value;
      }
      return Value::String(IsKnownNfc(text) ? text : ToNfc(text), context->heap->arena());
    });
    if (folded && folded->is_string()) {
      FreeTo(mark);
      return Result::Constant(*folded);
    }
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

Result CodeGenerator::GenerateLongTemplate(const TemplateExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t builder = Allocate();
  builder_->Emit(Opcode::kStringBegin, builder);
  for (const Expr* part : expr.parts) {
    const uint16_t inner = next_;
    const Result result = Generate(*part, Allocate());
    builder_->Emit(Opcode::kStringPush, builder, Rk(result), 0, {part->range});
    FreeTo(inner);
  }
  builder_->Emit(Opcode::kStringEnd, dest, builder);
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateTemplateFor(const TemplateForExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 4);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  GenerateTo(*expr.collection, run);
  const SourceRange spans[] = {expr.range, expr.collection->range};
  const uint32_t no_loop = builder_->EmitJump(Opcode::kForBegin, run, spans);
  builder_->Emit(Opcode::kStringBegin, builder);
  const Loop loop = BeginLoop(run, expr.key_name, expr.value_name);
  const uint16_t inner = next_;
  const Result body = GenerateTemplate(*expr.body, Allocate());
  builder_->Emit(Opcode::kStringPush, builder, Rk(body), 0, {expr.body->range});
  FreeTo(inner);
  EndLoop(loop, Opcode::kForNext, expr.range);
  builder_->Emit(Opcode::kStringEnd, run, builder);
  builder_->PatchToHere(no_loop);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
