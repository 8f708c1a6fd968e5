// Templates. Specification: native-syntax.md, "Templates".

#include "hclvm/base/unicode.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/value/refinement.h"

namespace hcl::testing_support {

using internal::ToNfc;

Value TreeEvaluator::UnknownString(std::string_view known) {
  Refinement refinement;
  refinement.type = hcl::Type::String();
  refinement.not_null = true;
  const std::string normal = ToNfc(known);
  refinement.prefix = SafePrefix(normal);
  return RefinedUnknown(refinement, heap_->arena());
}

Outcome TreeEvaluator::Template(const TemplateExpr& expr, const Scope* scope) {
  constexpr char kInvalid[] = "Invalid template interpolation value";
  std::string text;
  Problems problems;
  bool known = true;
  for (const Expr* part : expr.parts) {
    const Outcome outcome = Eval(*part, scope);
    Append(outcome, &problems);
    if (!outcome.ok()) continue;
    if (outcome.value->is_null()) {
      problems.push_back({kInvalid, part->range});
      continue;
    }
    // As in the reference, an unknown part is not checked for its type.
    if (outcome.value->is_unknown()) {
      if (known) text += RefinementOf(*outcome.value).prefix;
      known = false;
      continue;
    }
    const std::optional<Value> converted = Converted(*outcome.value, hcl::Type::String());
    if (converted) {
      if (known) text += converted->AsString();
    } else {
      problems.push_back({kInvalid, part->range});
    }
  }
  if (!problems.empty()) return problems;
  return known ? NewString(text) : UnknownString(text);
}

Outcome TreeEvaluator::TemplateFor(const TemplateForExpr& expr, const Scope* scope) {
  Outcome collection = Collection(*expr.collection, scope);
  if (!collection.ok()) return collection;
  if (collection.value->is_unknown() || HasUnknownLength(*collection.value)) return Value::Unknown(hcl::Type::String());
  std::string text;
  Problems problems;
  bool known = true;
  for (const Element& element : Elements(*collection.value)) {
    const Outcome body = EvalWith(*expr.body, expr.key_name, expr.value_name, element, scope);
    Append(body, &problems);
    if (!body.ok()) continue;
    if (known) text += body.value->is_known() ? body.value->AsString() : RefinementOf(*body.value).prefix;
    known &= body.value->is_known();
  }
  if (!problems.empty()) return problems;
  return known ? NewString(text) : UnknownString(text);
}

}  // namespace hcl::testing_support
