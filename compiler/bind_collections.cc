// Binder: tuples, objects, `for` and splats. Tested by compiler/bind_test.cc.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/bind.h"

namespace hcl::internal {

// Lists of literals may be very long, and nobody asks for their parts: they get no nodes, unless something else
// follows.
BoundExpr* Binder::BindTuple(const TupleExpr& expr) {
  const Mark mark = tree_.Here();
  const size_t count = expr.elements.size();
  ScratchList<Value> literals(&values_);
  for (size_t n = 0; n < count && options_.optimize && !Interrupted(); ++n) {
    const std::optional<Value> literal = literals_.LiteralOf(Unwrap(*expr.elements[n]));
    if (!literal) break;
    literals.Add(*literal);
  }
  if (literals.size() == count && options_.optimize) {
    return tree_.AddConstant(mark, expr.range, MakeTuple(literals.view(), builder_->heap()->arena()));
  }
  ScratchList<const BoundExpr*> elements(&parts_);
  bool constant = options_.optimize;
  for (size_t n = 0; n < count; ++n) {
    const Expr& element = *expr.elements[n];
    BoundExpr* const node =
        n < literals.size() ? tree_.AddConstant(tree_.Here(), Unwrap(element).range, literals[n]) : BindExpr(element);
    node->outer = element.range;
    elements.Add(node);
    constant = constant && node->is_constant();
  }
  auto* const node = tree_.New<BoundTuple>(expr.range);
  node->elements = tree_.Keep<const BoundExpr*>(elements.view());
  if (constant) return tree_.AddLiteral(mark, node, TupleOf(node->elements));
  return tree_.Add(node, mark);
}

Value Binder::TupleOf(absl::Span<const BoundExpr* const> elements) {
  ScratchList<Value> values(&values_);
  for (const BoundExpr* element : elements) values.Add(As<BoundConstant>(*element).value);
  return MakeTuple(values.view(), builder_->heap()->arena());
}

// A naked name is a name and no variable.
BoundExpr* Binder::BindKey(const ObjectItem& item) {
  if (!item.key_name.empty())
    return tree_.AddConstant(tree_.Here(), item.key->range, literals_.StringOf(item.key_name));
  if (item.key->kind == ExprKind::kTraversal && As<TraversalExpr>(*item.key).source->kind == ExprKind::kVariable) {
    return RaiseAmbiguousKey(*item.key);
  }
  return BindExpr(*item.key);
}

BoundExpr* Binder::RaiseAmbiguousKey(const Expr& key) {
  Diagnostic diagnostic(DiagnosticCode::kAmbiguousKey);
  diagnostic.detail =
      "A key cannot be a naked reference. If a reference is meant, put it in parentheses; if a name with periods in it "
      "is meant, put it in quotes.";
  diagnostic.subject = key.range;
  return tree_.AddRaise(tree_.Here(), key.range, std::move(diagnostic));
}

BoundExpr* Binder::BindObject(const ObjectExpr& expr) {
  const Mark mark = tree_.Here();
  ScratchList<BoundItem> items(&items_);
  for (const ObjectItem& item : expr.items) {
    const BoundExpr* const key = BindKey(item);
    items.Add({key, BindExpr(*item.value), 0});
  }
  return FinishObject(expr, mark, items.view());
}

// The shape of the keys, if all are constant strings, and distinct; each item gets its position. Rules of a table, and
// blocks of one type, mostly have the same keys one after the other, which stand in the values themselves.
const Shape* Binder::ShapeOf(absl::Span<BoundItem> items) {
  bool is_last = last_shape_ != nullptr && last_keys_.size() == items.size();
  for (size_t n = 0; n < items.size(); ++n) {
    if (!items[n].key->is_constant() || !As<BoundConstant>(*items[n].key).value.is_string()) return nullptr;
    is_last = is_last && last_keys_[n].key.SameBits(As<BoundConstant>(*items[n].key).value);
  }
  if (!is_last) {
    absl::InlinedVector<Value, 8> keys;
    for (const BoundItem& item : items) keys.push_back(As<BoundConstant>(*item.key).value);
    absl::InlinedVector<uint32_t, 8> positions(keys.size());
    last_shape_ = MakeShape(keys, absl::MakeSpan(positions), builder_->heap()->arena());
    last_keys_.clear();
    for (size_t n = 0; n < keys.size(); ++n) last_keys_.push_back({keys[n], positions[n]});
  }
  for (size_t n = 0; n < items.size(); ++n) items[n].position = last_keys_[n].position;
  return last_shape_->size == items.size() ? last_shape_ : nullptr;
}

Value Binder::ObjectConstant(const Shape* shape, absl::Span<const Value> values) {
  return MakeObject(shape, values, builder_->heap()->arena());
}

Value Binder::TupleConstant(absl::Span<const Value> elements) { return MakeTuple(elements, builder_->heap()->arena()); }

const Shape* Binder::AddShape(absl::Span<const Value> keys, absl::Span<uint32_t> positions, uint32_t* index) {
  const Shape* const shape = MakeShape(keys, positions, builder_->heap()->arena());
  *index = builder_->AddShape(shape);
  return shape;
}

BoundExpr* Binder::FinishObject(const ObjectExpr& expr, const Mark& mark, absl::Span<const BoundItem> bound) {
  auto* const items = tree_.arena()->NewArray<BoundItem>(bound.size());
  std::copy(bound.begin(), bound.end(), items);
  const absl::Span<BoundItem> all(items, bound.size());
  const Shape* const shape = ShapeOf(all);
  const bool constant =
      std::all_of(bound.begin(), bound.end(), [](const BoundItem& item) { return item.value->is_constant(); });
  auto* const node = tree_.New<BoundObject>(expr.range);
  node->unique_keys = expr.unique_keys;
  node->items = all;
  node->shape = shape;
  if (shape != nullptr && constant && (options_.optimize || all.empty())) {
    absl::InlinedVector<Value, 8> values(all.size());
    for (const BoundItem& item : all) values[item.position] = As<BoundConstant>(*item.value).value;
    return tree_.AddLiteral(mark, node, MakeObject(shape, values, builder_->heap()->arena()));
  }
  if (shape != nullptr) node->shape_index = builder_->AddShape(shape);
  return tree_.Add(node, mark);
}

BoundExpr* Binder::BindFor(const ForExpr& expr) {
  const Mark mark = tree_.Here();
  auto* const node = tree_.New<BoundFor>(expr.range);
  tree_.CountLoop();
  node->collection = BindExpr(*expr.collection);
  locals_.EnterLoop(expr.key_name, expr.value_name, &node->variables);
  if (expr.condition != nullptr) {
    node->decision = tree_.AddDecisions(1);
    node->condition = BindExpr(*expr.condition);
  }
  if (expr.key != nullptr) node->key = BindExpr(*expr.key);
  node->value = BindExpr(*expr.value);
  locals_.LeaveLoop(&node->variables);
  node->group = expr.group;
  return tree_.Add(node, mark);
}

BoundExpr* Binder::BindSplat(const SplatExpr& expr) {
  const Mark mark = tree_.Here();
  auto* const node = tree_.New<BoundFor>(expr.range);
  tree_.CountLoop();
  auto* const splat = tree_.arena()->New<SplatParts>();
  node->splat = splat;
  node->collection = BindExpr(*expr.source);
  splat->marker = Cover(expr.source->range, expr.marker);
  splat->steps = {expr.marker.begin, expr.range.end};
  locals_.EnterSplat(&node->variables);
  const uint32_t before = splats_;
  node->value = BindExpr(*expr.each);
  splat->nests = splats_++ > before;
  locals_.LeaveSplat(&node->variables);
  return tree_.Add(node, mark);
}

}  // namespace hcl::internal
