// CodeGenerator: variables, traversals, index and splat. Tested by compiler/compiler_test.cc.

#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {

std::optional<Value> CodeGenerator::StepKey(const TraversalStep& step) {
  switch (step.kind) {
    case TraversalStep::Kind::kAttribute:
    case TraversalStep::Kind::kIndexString:
      return StringConstant(step.text);
    case TraversalStep::Kind::kIndexNumber: {
      NumberError error = NumberError::kNone;
      const Number number =
          Number::Parse(step.text, NumberSyntax::kLiteral, options_.limits, builder_->heap()->arena(), &error);
      if (error == NumberError::kNone) return Value::FromNumber(number);
      diagnostics_->AddError(step.range, "Invalid number literal",
                             "This index is not a number that can be represented.");
      return std::nullopt;
    }
    case TraversalStep::Kind::kIndexLiteral:
      if (step.text == "null") return Value::Null();
      return Value::Bool(step.text == "true");
    case TraversalStep::Kind::kIndexUnknown:
      break;
  }
  return std::nullopt;
}

Result CodeGenerator::GenerateVariable(const VariableExpr& expr, uint16_t dest) {
  return GeneratePath(expr, {}, expr.range, dest);
}

const CodeGenerator::Local* CodeGenerator::FindLocal(std::string_view name) const {
  for (size_t n = locals_.size(); n-- > 0;) {
    if (locals_[n].name == name) return &locals_[n];
  }
  return nullptr;
}

Result CodeGenerator::GeneratePath(const VariableExpr& root, absl::Span<const TraversalStep> steps, SourceRange range,
                                   uint16_t dest) {
  if (const Local* local = FindLocal(root.name)) return GenerateLocalPath(*local, steps, range, dest);
  if (!has_variables_) {
    Diagnostic diagnostic;
    diagnostic.summary = "Unknown variable";
    diagnostic.detail = absl::StrCat("There is no variable named \"", ToAbsl(root.name), "\" here.");
    diagnostic.subject = root.range;
    diagnostic.context = range;
    return Raise(std::move(diagnostic), dest);
  }
  ShortList<SourceRange> spans = {range, root.range};
  const KnownPath& known = KnownPathAt(steps.data());
  if (!steps.empty() && known.steps == steps.data()) {
    for (const TraversalStep& step : steps) spans.push_back(step.range);
    builder_->EmitX(Opcode::kLoadPath, dest, known.path, spans);
    return Result::Register(dest);
  }
  ShortList<PathStep> path;
  size_t taken = 0;
  std::optional<Value> key;
  for (; taken < steps.size(); ++taken) {
    key = StepKey(steps[taken]);
    if (!key || !(key->is_string() || key->is_number())) break;
    path.push_back({*key, steps[taken].kind == TraversalStep::Kind::kAttribute});
    spans.push_back(steps[taken].range);
  }
  builder_->EmitX(Opcode::kLoadPath, dest, builder_->AddPath(builder_->AddSlot(root.name), path), spans);
  Result result = Result::Register(dest);
  for (size_t n = taken; n < steps.size(); ++n) {
    result = GenerateStep(steps[n], n == taken ? key : StepKey(steps[n]), result, range, dest);
  }
  return result;
}

Result CodeGenerator::GenerateLocalPath(const Local& local, absl::Span<const TraversalStep> steps, SourceRange range,
                                        uint16_t dest) {
  ShortList<std::optional<Value>> keys;
  ShortList<PathStep> path;
  for (const TraversalStep& step : steps) {
    keys.push_back(StepKey(step));
    const bool goes_on = keys.back() && path.size() + 1 == keys.size();
    if (goes_on) path.push_back({*keys.back(), step.kind == TraversalStep::Kind::kAttribute});
  }
  if (local.loop != kNoLoop) builder_->AddLocalUse(range, local.loop, local.is_key, path);
  Result result = Result::Register(local.reg);
  for (size_t n = 0; n < steps.size(); ++n) result = GenerateStep(steps[n], keys[n], result, range, dest);
  return result;
}

Result CodeGenerator::GenerateStep(const TraversalStep& step, const std::optional<Value>& key, Result source,
                                   SourceRange range, uint16_t dest) {
  if (!key) return Result::Constant(Value::Dynamic());
  const bool attribute = step.kind == TraversalStep::Kind::kAttribute;
  if (source.is_constant) {
    auto folded = FoldPart([&](OpContext* context) {
      return attribute ? GetAttribute(source.value, *key, context) : GetIndex(source.value, *key, context);
    });
    if (folded) return Result::Constant(*folded);
  }
  const uint16_t mark = next_;
  const uint16_t b = Rk(source);
  const uint16_t c = RkConstant(*key);
  builder_->Emit(attribute ? Opcode::kGetAttr : Opcode::kGetIndex, dest, b, c, {step.range, range});
  FreeTo(mark);
  return Result::Register(dest);
}

// A TraversalExpr or IndexExpr.
Result CodeGenerator::GenerateSteps(const Expr& expr, uint16_t dest) {
  // Left spines alternate between traversals and index operators: walk down, then work back up.
  ShortList<const Expr*> spine;
  const Expr* left = &expr;
  for (;; left = spine.back()->kind == ExprKind::kTraversal ? As<TraversalExpr>(*spine.back()).source
                                                            : As<IndexExpr>(*spine.back()).collection) {
    if (left->kind != ExprKind::kTraversal && left->kind != ExprKind::kIndex) break;
    spine.push_back(left);
  }
  Result result = Result::Register(dest);
  if (left->kind == ExprKind::kVariable && spine.back()->kind == ExprKind::kTraversal) {
    const auto& path = As<TraversalExpr>(*spine.back());
    result = GeneratePath(As<VariableExpr>(*left), path.steps, path.range, dest);
    spine.pop_back();
  } else {
    result = Generate(*left, dest);
  }
  for (size_t n = spine.size(); n-- > 0;) {
    if (spine[n]->kind == ExprKind::kTraversal) {
      for (const TraversalStep& step : As<TraversalExpr>(*spine[n]).steps) {
        result = GenerateStep(step, StepKey(step), result, spine[n]->range, dest);
      }
    } else {
      result = GenerateIndexStep(As<IndexExpr>(*spine[n]), result, dest);
    }
  }
  return result;
}

Result CodeGenerator::GenerateIndexStep(const IndexExpr& expr, Result collection, uint16_t dest) {
  const uint16_t mark = next_;
  const Result key = Generate(*expr.key, Allocate());
  if (collection.is_constant && key.is_constant) {
    auto folded = FoldPart([&](OpContext* context) { return GetIndex(collection.value, key.value, context); });
    if (folded) {
      FreeTo(mark);
      return Result::Constant(*folded);
    }
  }
  const uint16_t b = Rk(collection);
  const uint16_t c = Rk(key);
  builder_->Emit(Opcode::kGetIndex, dest, b, c, {expr.brackets, expr.range});
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateSplat(const SplatExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 4);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  GenerateTo(*expr.source, run);
  const SourceRange spans[] = {Cover(expr.source->range, expr.marker), expr.source->range};
  const uint32_t no_loop = builder_->EmitJump(Opcode::kSplatBegin, run, spans);
  builder_->Emit(Opcode::kTupleBegin, builder);
  const Loop loop = BeginLoop(run, "", "");
  splat_items_.push_back(static_cast<uint16_t>(run + 2));
  const uint16_t inner = next_;
  const Result item = Generate(*expr.each, Allocate());
  builder_->EmitPush(builder, Rk(item));
  FreeTo(inner);
  splat_items_.pop_back();
  EndLoop(loop, Opcode::kSplatNext, expr.range);
  builder_->Emit(Opcode::kSplatEnd, run);
  builder_->PatchToHere(no_loop);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
