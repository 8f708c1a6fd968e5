// PathBinder: variables, and steps into values. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/bind_paths.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/habits.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

bool IsPathKey(const Value& key) { return key.is_string() || key.is_number(); }

// Whether it is arithmetic of small whole numbers in the text, whose literals have nothing to report.
bool IsSmallSum(const Expr& expr, int depth) {
  const Expr& inner = Unwrap(expr);
  if (inner.kind == ExprKind::kLiteral) {
    const auto& literal = As<LiteralExpr>(inner);
    return literal.literal == LiteralKind::kNumber && literal.spelling.size() <= 9 &&
           std::string_view(literal.spelling).find_first_not_of("0123456789") == std::string_view::npos;
  }
  if (depth == 0 || inner.kind != ExprKind::kBinary) return false;
  const auto& binary = As<BinaryExpr>(inner);
  return IsArithmetic(binary.op) && IsSmallSum(*binary.lhs, depth - 1) && IsSmallSum(*binary.rhs, depth - 1);
}

const Expr& SourceOf(const Expr& step) {
  return step.kind == ExprKind::kTraversal ? *As<TraversalExpr>(step).source : *As<IndexExpr>(step).collection;
}

}  // namespace

// Only numbers can be wrong: that another literal is no key depends on the value that it is applied to, which a run
// tells.
bool PathBinder::TakeKey(const TraversalStep& step, Value* key) {
  switch (step.kind) {
    case TraversalStep::Kind::kAttribute:
    case TraversalStep::Kind::kIndexString:
      *key = literals_.StringOf(step.text);
      return true;
    case TraversalStep::Kind::kIndexNumber: {
      NumberError error = NumberError::kNone;
      const Number number = literals_.NumberOf(step.text, &error);
      *key = Value::FromNumber(number);
      if (error == NumberError::kNone) return true;
      reports_.Report(step.range, DiagnosticCode::kNumberOutOfRange,
                      "This index is not a number that can be represented.");
      return false;
    }
    case TraversalStep::Kind::kIndexLiteral:
      *key = step.text == "null" ? Value::Null() : Value::Bool(step.text == "true");
      return true;
    case TraversalStep::Kind::kIndexUnknown:
      break;
  }
  return false;
}

// A number, or a text without interpolations, is a key like one in a traversal, with and without folding.
std::optional<Value> PathBinder::LiteralKeyOf(const Expr& key) {
  const Expr& inner = Unwrap(key);
  const bool is_word = inner.kind == ExprKind::kLiteral && As<LiteralExpr>(inner).literal != LiteralKind::kNumber;
  return is_word ? std::nullopt : literals_.LiteralOf(inner);
}

// The same for what arithmetic makes of such numbers: `hosts[2 - 1]` is `hosts[1]`.
std::optional<Value> PathBinder::ComputedKeyOf(const Expr& key) {
  constexpr int kMaxDepth = 8;
  if (!options_.optimize || Unwrap(key).kind != ExprKind::kBinary || !IsSmallSum(key, kMaxDepth)) return std::nullopt;
  const Mark mark = tree_.Here();
  const BoundExpr* const node = binder_.BindExpr(key);
  const std::optional<Value> value =
      node->is_constant() ? std::make_optional(As<BoundConstant>(*node).value) : std::nullopt;
  tree_.Rewind(mark);
  return value;
}

BoundExpr* PathBinder::RaiseUnknownVariable(const Mark& mark, const VariableExpr& root, SourceRange whole) {
  Diagnostic diagnostic(DiagnosticCode::kUnknownVariable);
  diagnostic.detail =
      absl::StrCat("There is no variable named \"", ToAbsl(root.name), "\" here.", ToAbsl(HintAtVariable(root.name)));
  diagnostic.subject = root.range;
  diagnostic.context = whole;
  return tree_.AddRaise(mark, whole, std::move(diagnostic));
}

// False, with what raises the error as the source, where there is no such variable. `step`, which may be null, is the
// traversal or index operator that is applied to it first.
bool PathBinder::Begin(const VariableExpr& variable, const Expr* step, SourceRange whole, Route* route) {
  route->root = variable.range;
  route->whole = variable.range;
  if ((route->local = locals_.Find(variable.name)) != nullptr) return true;
  if (scope_.module != nullptr) return BeginInModule(variable, step, route);
  if (!scope_.has_variables) {
    route->source = RaiseUnknownVariable(tree_.Here(), variable, whole);
    return false;
  }
  route->slot = builder_->AddSlot(variable.name);
  route->name = variable.name;
  return true;
}

BoundExpr* PathBinder::EndPath(const Mark& mark, const Route& route) {
  auto* const node = tree_.New<BoundPath>(route.whole);
  auto* const spans = tree_.arena()->NewArray<SourceRange>(steps_.size() + 2);
  spans[0] = route.whole;
  spans[1] = route.root;
  for (size_t n = 0; n < steps_.size(); ++n) {
    spans[n + 2] = steps_[n].range;
  }
  node->name = route.name;
  node->slot = *route.slot;
  node->steps = tree_.Keep<BoundStep>(steps_);
  node->spans = absl::Span<const SourceRange>(spans, steps_.size() + 2);
  tree_.AddRead(node, mark);
  if (route.declared != nullptr) SetModuleFacts(route, node);
  return node;
}

// What the steps so far lead to. The route has its value as the source afterwards.
BoundExpr* PathBinder::EndRoute(const Mark& mark, Route* route) {
  if (route->slot) {
    route->source = EndPath(mark, *route);
    route->slot.reset();
  } else if (route->local != nullptr) {
    auto* const node = tree_.New<BoundLocal>(route->whole);
    route->local->is_read = true;
    node->local = route->local;
    node->steps = tree_.Keep<BoundStep>(steps_);
    tree_.AddRead(node, mark);
    route->source = node;
    route->local = nullptr;
  } else if (!steps_.empty()) {
    route->source = AddSteps(mark, route->source, steps_);
  }
  steps_.clear();
  return route->source;
}

template <typename Operation>
ABSL_ATTRIBUTE_NOINLINE std::optional<Value> PathBinder::FoldPart(Operation operation) {
  return options_.optimize ? FoldIn(builder_->heap(), operation) : std::nullopt;
}

// A part of a constant is a constant, as far as the steps lead somewhere.
BoundExpr* PathBinder::AddSteps(const Mark& mark, BoundExpr* source, absl::Span<const BoundStep> steps) {
  size_t done = 0;
  for (; done < steps.size() && source->is_constant(); ++done) {
    const BoundStep& step = steps[done];
    const Value value = As<BoundConstant>(*source).value;
    const std::optional<Value> part = FoldPart([&](OpContext* context) {
      return step.is_attribute ? GetAttribute(value, step.key, context) : GetIndex(value, step.key, context);
    });
    if (!part) break;
    source = tree_.AddFolded(mark, step.whole, *part, Type::Dynamic());
  }
  if (done == steps.size()) return source;
  auto* const node = tree_.New<BoundSteps>(steps.back().whole);
  node->source = source;
  node->steps = tree_.Keep<BoundStep>(steps.subspan(done));
  return tree_.Add(node, mark);
}

BoundExpr* PathBinder::BindIndexStep(const IndexExpr& expr, const Mark& mark, BoundExpr* source) {
  const BoundExpr* const key = binder_.BindExpr(*expr.key);
  if (source->is_constant() && key->is_constant()) {
    const Value collection = As<BoundConstant>(*source).value;
    const Value index = As<BoundConstant>(*key).value;
    const auto part = FoldPart([&](OpContext* context) { return GetIndex(collection, index, context); });
    if (part) return tree_.AddFolded(mark, expr.range, *part, Type::Dynamic());
  }
  auto* const node = tree_.New<BoundIndex>(expr.range);
  node->source = source;
  node->key = key;
  node->brackets = expr.brackets;
  return tree_.Add(node, mark);
}

// Most are a variable with the steps of one traversal, which takes no list of them.
BoundExpr* PathBinder::Bind(const Expr& expr) {
  if (expr.kind != ExprKind::kTraversal) return BindSpine(expr);
  const auto& traversal = As<TraversalExpr>(expr);
  if (traversal.source->kind != ExprKind::kVariable) return BindSpine(expr);
  const Mark mark = tree_.Here();
  Route route;
  const bool is_there = Begin(As<VariableExpr>(*traversal.source), &expr, expr.range, &route);
  if (is_there && !TakeSteps(traversal, route.has_prefix ? 1 : 0, mark, &route)) {
    return tree_.AddConstant(mark, expr.range, Value::Dynamic());
  }
  return EndRoute(mark, &route);
}

// A variable, the element of a splat, or a spine of traversals and index operators over any expression, which
// alternate: walk down, then work back up. Where there is no variable, the steps of its own traversal are not taken.
BoundExpr* PathBinder::BindSpine(const Expr& expr) {
  ScratchList<const Expr*> spine(&spines_);
  const Expr* left = &expr;
  for (; left->kind == ExprKind::kTraversal || left->kind == ExprKind::kIndex; left = &Unwrap(SourceOf(*left))) {
    spine.Add(left);
  }
  const Mark mark = tree_.Here();
  Route route;
  size_t n = spine.size();
  if (left->kind == ExprKind::kVariable) {
    const bool is_traversal = n > 0 && spine[n - 1]->kind == ExprKind::kTraversal;
    const Expr* const step = n > 0 ? spine[n - 1] : nullptr;
    const SourceRange whole = is_traversal ? step->range : left->range;
    if (!Begin(As<VariableExpr>(*left), step, whole, &route) && (is_traversal || route.has_prefix)) --n;
  } else if (left->kind == ExprKind::kSplatItem) {
    route.local = locals_.splat_item();
    route.whole = left->range;
  } else {
    route.source = binder_.BindExpr(*left);
    route.source->outer = SourceOf(*spine[n - 1]).range;
  }
  while (n-- > 0) {
    const bool has_prefix = std::exchange(route.has_prefix, false);
    if (spine[n]->kind == ExprKind::kTraversal) {
      if (!TakeSteps(As<TraversalExpr>(*spine[n]), has_prefix ? 1 : 0, mark, &route))
        return tree_.AddConstant(mark, expr.range, Value::Dynamic());
      continue;
    }
    if (has_prefix) continue;
    const auto& index = As<IndexExpr>(*spine[n]);
    std::optional<Value> key = LiteralKeyOf(*index.key);
    if (!key) key = ComputedKeyOf(*index.key);
    if (key) {
      Take({*key, /*is_attribute=*/false, index.brackets, index.range}, mark, &route);
    } else {
      BoundExpr* const source = EndRoute(mark, &route);
      source->outer = SourceOf(index).range;
      route.source = BindIndexStep(index, mark, source);
    }
  }
  return EndRoute(mark, &route);
}

void PathBinder::Take(const BoundStep& step, const Mark& mark, Route* route) {
  if (route->slot && !IsPathKey(step.key)) EndRoute(mark, route);
  steps_.push_back(step);
  route->whole = step.whole;
}

// False when a key is none, which was reported.
bool PathBinder::TakeSteps(const TraversalExpr& expr, size_t from, const Mark& mark, Route* route) {
  for (const TraversalStep& step : expr.steps.subspan(from)) {
    Value key;
    if (!TakeKey(step, &key)) return false;
    Take({key, step.kind == TraversalStep::Kind::kAttribute, step.range, expr.range}, mark, route);
  }
  return true;
}

}  // namespace hcl::internal
