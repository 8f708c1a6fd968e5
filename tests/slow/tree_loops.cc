// `for` and splat. Specification: native-syntax.md, "For Expressions", "Splat Operators".

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/hcl/walk.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

constexpr char kInvalidCondition[] = "Invalid 'for' condition";

bool HoldsSplat(const Expr& expr) {
  if (expr.kind == ExprKind::kSplat) return true;
  std::vector<const Expr*> children;
  internal::AppendChildren(expr, &children);
  return std::any_of(children.begin(), children.end(), [](const Expr* child) { return HoldsSplat(*child); });
}

bool IsSequence(TypeKind kind) { return kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kTuple; }

}  // namespace

// The collection of a `for`, in expressions and templates.
Outcome TreeEvaluator::Collection(const Expr& collection, const Scope* scope) {
  Outcome outcome = Eval(collection, scope);
  if (!outcome.ok()) return outcome;
  if (outcome.value->is_null()) return Problem{"Iteration over null value", collection.range};
  switch (TypeOfValue(*outcome.value).kind()) {
    case TypeKind::kDynamic:
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kObject:
      return outcome;
    default:
      return Problem{"Iteration over non-iterable value", collection.range};
  }
}

std::vector<TreeEvaluator::Element> TreeEvaluator::Elements(const Value& collection) {
  std::vector<Element> result;
  doubts_.unordered_set |= collection.is_set() && !collection.is_wholly_known();
  for (size_t n = 0; n < collection.size(); ++n) {
    if (collection.is_mapping()) {
      result.push_back({collection.shape().keys[n], collection.values()[n]});
    } else if (collection.is_set()) {
      result.push_back({collection.elements()[n], collection.elements()[n]});
    } else {
      result.push_back({Value::Int(static_cast<int64_t>(n)), collection.elements()[n]});
    }
  }
  return result;
}

Outcome TreeEvaluator::EvalWith(const Expr& expr, std::string_view key_name, std::string_view value_name,
                                const Element& element, const Scope* scope) {
  const Scope key = {key_name, element.key, scope};
  const Scope value = {value_name, element.value, key_name.empty() ? scope : &key};
  return Eval(expr, &value);
}

// A set with unknown elements has an unknown length, by the specification, but where it has one element.
bool TreeEvaluator::HasUnknownLength(const Value& set) {
  return heap_->dialect() == Dialect::kSpec && set.is_set() && !set.is_wholly_known() && set.size() > 1;
}

// Whether the element is taken: a bool, known or not.
Outcome TreeEvaluator::Filter(const ForExpr& expr, const Element& element, const Scope* scope) {
  if (expr.condition == nullptr) return Value::Bool(true);
  Outcome outcome = EvalWith(*expr.condition, expr.key_name, expr.value_name, element, scope);
  if (!outcome.ok()) return outcome;
  if (outcome.value->is_null()) return Problem{kInvalidCondition, expr.condition->range};
  const std::optional<Value> result = Converted(*outcome.value, hcl::Type::Bool());
  if (!result) return Problem{kInvalidCondition, expr.condition->range};
  return *result;
}

Outcome TreeEvaluator::For(const ForExpr& expr, const Scope* scope) {
  Outcome collection = Collection(*expr.collection, scope);
  if (!collection.ok() || collection.value->is_dynamic_value()) return collection;
  // The filter is wrong for all elements if it is wrong for one of which nothing is known. Where there are elements,
  // the reference checks this beforehand too; here their own errors are what counts.
  Observer* const observer = std::exchange(observer_, nullptr);
  Outcome check = Filter(expr, {Value::Dynamic(), Value::Dynamic()}, scope);
  observer_ = observer;
  if (collection.value->is_unknown() || HasUnknownLength(*collection.value))
    return check.ok() ? Outcome(Value::Dynamic()) : check;
  const std::vector<Element> elements = Elements(*collection.value);
  if (elements.empty() && !check.ok()) return check;
  return expr.key == nullptr ? ForTuple(expr, elements, scope) : ForObject(expr, elements, scope);
}

Outcome TreeEvaluator::ForTuple(const ForExpr& expr, const std::vector<Element>& elements, const Scope* scope) {
  std::vector<Value> values;
  Problems problems;
  bool known = true;
  for (const Element& element : elements) {
    const Outcome taken = Filter(expr, element, scope);
    Append(taken, &problems);
    if (!taken.ok()) continue;
    known &= taken.value->is_known();
    if (!taken.value->is_true()) continue;
    const Outcome value = EvalWith(*expr.value, expr.key_name, expr.value_name, element, scope);
    Append(value, &problems);
    if (value.ok()) values.push_back(*value.value);
  }
  if (!problems.empty()) return problems;
  if (!known) return Value::Dynamic();
  return MakeTuple(values, heap_->arena());
}

Outcome TreeEvaluator::ForObject(const ForExpr& expr, const std::vector<Element>& elements, const Scope* scope) {
  std::map<std::string, std::vector<Value>> groups;
  Problems problems;
  bool known = true;
  for (const Element& element : elements) {
    const Outcome taken = Filter(expr, element, scope);
    Append(taken, &problems);
    if (!taken.ok()) continue;
    known &= taken.value->is_known();
    if (!taken.value->is_true()) continue;
    const Outcome key = EvalWith(*expr.key, expr.key_name, expr.value_name, element, scope);
    Append(key, &problems);
    if (!key.ok()) continue;
    if (key.value->is_null()) {
      problems.push_back({"Null value as key", expr.key->range});
      continue;
    }
    // As in the reference, an unknown key is not checked for its type, and the value beside it is not evaluated.
    known &= key.value->is_known();
    if (key.value->is_unknown()) continue;
    const std::optional<Value> name = Converted(*key.value, hcl::Type::String());
    if (!name) {
      problems.push_back({"Incorrect key type", expr.key->range});
      continue;
    }
    const Outcome value = EvalWith(*expr.value, expr.key_name, expr.value_name, element, scope);
    Append(value, &problems);
    std::vector<Value>& group = groups[std::string(name->AsString())];
    if (value.ok() && !expr.group && !group.empty()) problems.push_back({"Duplicate object key", expr.key->range});
    if (value.ok()) group.push_back(*value.value);
  }
  if (!problems.empty()) return problems;
  if (!known) return Value::Dynamic();
  std::vector<KeyValue> pairs;
  for (const auto& [name, values] : groups) {
    pairs.push_back({NewString(name), expr.group ? MakeTuple(values, heap_->arena()) : values[0]});
  }
  return MakeObject(pairs, heap_->arena());
}

Outcome TreeEvaluator::Splat(const SplatExpr& expr, const Scope* scope) {
  Outcome outcome = Eval(*expr.source, scope);
  if (!outcome.ok()) return outcome;
  const Value source = *outcome.value;
  const hcl::Type type = TypeOfValue(source);
  const bool is_sequence = IsSequence(type.kind());
  if (source.is_null()) {
    if (is_sequence) return Problem{"Splat of null value", expr.source->range};
    doubts_.tolerated_null = true;
    return MakeTuple({}, heap_->arena());
  }
  if (type.is_dynamic()) return Value::Dynamic();
  if (!is_sequence) {
    // A sequence of one; an unknown value may yet turn out to be null, hence a sequence of none.
    const Value one[] = {source};
    Outcome result = SplatOfSequence(expr, MakeTuple(one, heap_->arena()), scope);
    return result.ok() && !DefinitelyNotNull(source) ? Outcome(Value::Dynamic()) : result;
  }
  return source.is_unknown() || HasUnknownLength(source) ? SplatOfUnknown(expr, source, scope)
                                                         : SplatOfSequence(expr, source, scope);
}

Outcome TreeEvaluator::SplatOfSequence(const SplatExpr& expr, const Value& source, const Scope* scope) {
  std::vector<Value> values;
  Problems problems;
  for (const Element& element : Elements(source)) {
    const Outcome item = EvalWith(*expr.each, "", "*", element, scope);
    Append(item, &problems);
    if (item.ok()) values.push_back(*item.value);
  }
  if (!problems.empty()) return problems;
  if (source.is_tuple()) return MakeTuple(values, heap_->arena());
  if (!values.empty()) {
    return ListOfSplat(expr, std::move(values));
  }
  // An empty list has an element type all the same.
  Outcome item = EvalWith(*expr.each, "", "*", {Value(), Value::Unknown(source.element_type())}, scope);
  if (!item.ok()) return item;
  return MakeList(TypeOfValue(*item.value), {}, heap_->arena());
}

// Only a splat in the splat gives elements of different types, or some whose type is not known: what comes from a null
// has no elements.
Outcome TreeEvaluator::ListOfSplat(const SplatExpr& expr, std::vector<Value> values) {
  if (!HoldsSplat(*expr.each)) return MakeList(TypeOfValue(values[0]), values, heap_->arena());
  const bool by_spec = heap_->dialect() == Dialect::kSpec;
  hcl::Type type = hcl::Type::Dynamic();
  bool is_open = false;
  bool differ = false;
  for (const Value& value : values) {
    const hcl::Type of_this = TypeOfValue(value);
    is_open |= !value.is_wholly_known() && of_this.has_dynamic();
    if (of_this.is_dynamic()) continue;
    differ |= !type.is_dynamic() && of_this != type;
    if (type.is_dynamic()) type = of_this;
  }
  doubts_.mixed_splat |= is_open || differ;
  if (by_spec && is_open) return Value::Dynamic();
  if (differ && by_spec) return MakeTuple(values, heap_->arena());
  if (differ) return Problem{"Invalid nested splat expressions", {expr.marker.begin, expr.range.end}};
  for (Value& value : values) {
    if (value.is_dynamic_value()) value = Value::Unknown(type);
  }
  return MakeList(type, values, heap_->arena());
}

Outcome TreeEvaluator::SplatOfUnknown(const SplatExpr& expr, const Value& source, const Scope* scope) {
  const hcl::Type type = TypeOfValue(source);
  std::vector<hcl::Type> types;
  Problems problems;
  const bool is_tuple = type.kind() == TypeKind::kTuple;
  for (size_t n = 0; n < (is_tuple ? type.size() : 1); ++n) {
    const Value element = Value::Unknown(is_tuple ? type.element(n) : type.element());
    const Outcome item = EvalWith(*expr.each, "", "*", {Value(), element}, scope);
    Append(item, &problems);
    if (item.ok()) types.push_back(TypeOfValue(*item.value));
  }
  if (!problems.empty()) return problems;
  if (is_tuple) return Value::Unknown(heap_->types()->Tuple(types));
  if (heap_->dialect() == Dialect::kSpec && types[0].has_dynamic() && HoldsSplat(*expr.each)) return Value::Dynamic();
  Refinement refinement;  // the result is as long as the source
  if (source.is_unknown()) {
    refinement = RefinementOf(source);
  } else {
    refinement.min_length = 1;
    refinement.max_length = source.size();
  }
  refinement.type = heap_->types()->List(types[0]);
  refinement.not_null = true;
  return RefinedUnknown(refinement, heap_->arena());
}

}  // namespace hcl::testing_support
