// Tuples and objects. Specification: native-syntax.md, "Collection Values".

#include "hclvm/tests/slow/tree_evaluator.h"

namespace hcl::testing_support {

Outcome TreeEvaluator::Tuple(const TupleExpr& expr, const Scope* scope) {
  std::vector<Value> values;
  Problems problems;
  for (const Expr* element : expr.elements) {
    const Outcome outcome = Eval(*element, scope);
    Append(outcome, &problems);
    if (outcome.ok()) values.push_back(*outcome.value);
  }
  if (!problems.empty()) return problems;
  return MakeTuple(values, heap_->arena());
}

Outcome TreeEvaluator::ObjectKey(const ObjectItem& item, const Scope* scope) {
  if (!item.key_name.empty()) return NewString(item.key_name);
  if (item.key->kind == ExprKind::kTraversal && As<TraversalExpr>(*item.key).source->kind == ExprKind::kVariable) {
    return Problem{"Ambiguous attribute key", item.key->range};
  }
  return Eval(*item.key, scope);
}

Outcome TreeEvaluator::Object(const ObjectExpr& expr, const Scope* scope) {
  std::vector<KeyValue> pairs;
  Problems problems;
  bool known = true;
  for (const ObjectItem& item : expr.items) {
    const Outcome key = ObjectKey(item, scope);
    const Outcome value = Eval(*item.value, scope);
    Append(key, &problems);
    Append(value, &problems);
    if (!key.ok()) continue;
    if (key.value->is_null()) {
      problems.push_back({"Null value as key", item.value->range});
      continue;
    }
    const std::optional<Value> name = Converted(*key.value, hcl::Type::String());
    if (!name) {
      problems.push_back({"Incorrect key type", item.key->range});
      continue;
    }
    known &= name->is_known();
    if (name->is_known() && value.ok()) pairs.push_back({*name, *value.value});
  }
  if (!problems.empty()) return problems;
  if (!known) return Value::Dynamic();
  // A later item replaces an earlier one of the same key.
  return MakeObject(pairs, heap_->arena());
}

}  // namespace hcl::testing_support
