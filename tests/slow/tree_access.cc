// Attribute access and indexing. Specification: native-syntax.md, "Index Operator", "Attribute Access Operator".

#include <cstdint>

#include "hclvm/base/unicode.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

constexpr char kInvalidIndex[] = "Invalid index";

}  // namespace

Outcome TreeEvaluator::GetAttribute(const Value& value, std::string_view name, SourceRange range) {
  if (value.is_null()) return Problem{"Attempt to get attribute from null value", range};
  const hcl::Type type = TypeOfValue(value);
  const Value key = NewString(name);
  switch (type.kind()) {
    case TypeKind::kDynamic:
      return Value::Dynamic();
    case TypeKind::kObject: {
      const int64_t at = type.shape().Find(key);
      if (at < 0) return Problem{"Unsupported attribute", range};
      if (value.is_unknown()) return Value::Unknown(type.element(static_cast<size_t>(at)));
      return value.values()[static_cast<size_t>(at)];
    }
    case TypeKind::kMap: {
      if (value.is_unknown()) return Value::Unknown(type.element());
      const int64_t at = value.shape().Find(key);
      if (at < 0) return Problem{"Missing map element", range};
      return value.values()[static_cast<size_t>(at)];
    }
    default:
      return Problem{"Unsupported attribute", range};
  }
}

Outcome TreeEvaluator::GetElement(const Value& value, const Value& key, SourceRange range) {
  if (value.is_null()) return Problem{"Attempt to index null value", range};
  if (key.is_null()) return Problem{kInvalidIndex, range};
  const hcl::Type type = TypeOfValue(value);
  if (type.is_dynamic() || TypeOfValue(key).is_dynamic()) return Value::Dynamic();
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kTuple:
      return ElementOfSequence(value, key, range);
    case TypeKind::kMap:
    case TypeKind::kObject:
      return ElementOfMapping(value, key, range);
    default:
      return Problem{kInvalidIndex, range};
  }
}

Outcome TreeEvaluator::ElementOfSequence(const Value& value, const Value& key, SourceRange range) {
  const hcl::Type type = TypeOfValue(value);
  const bool is_tuple = type.kind() == TypeKind::kTuple;
  const std::optional<Value> number = Converted(key, hcl::Type::Number());
  if (!number) return Problem{kInvalidIndex, range};
  if (number->is_unknown()) return Value::Unknown(is_tuple ? hcl::Type::Dynamic() : type.element());
  // Unlike the reference, no index that cannot be right whatever the length is accepted for an unknown list.
  const Number index = number->AsNumber();
  if (!index.IsInteger() || index.Sign() < 0) return Problem{kInvalidIndex, range};
  if (value.is_unknown() && !is_tuple) return Value::Unknown(type.element());
  const size_t size = is_tuple ? type.size() : value.size();
  const std::optional<uint64_t> at = index.ToUint64();
  if (!at || *at >= size) return Problem{kInvalidIndex, range};
  if (value.is_unknown()) return Value::Unknown(type.element(*at));
  return value.elements()[*at];
}

Outcome TreeEvaluator::ElementOfMapping(const Value& value, const Value& key, SourceRange range) {
  const hcl::Type type = TypeOfValue(value);
  const bool is_object = type.kind() == TypeKind::kObject;
  const std::optional<Value> name = Converted(key, hcl::Type::String());
  if (!name) return Problem{kInvalidIndex, range};
  if (name->is_unknown()) return Value::Unknown(is_object ? hcl::Type::Dynamic() : type.element());
  if (value.is_unknown() && !is_object) return Value::Unknown(type.element());
  // Unlike the reference, an unknown object's type decides whether there is such an attribute and what its type is.
  const int64_t at = is_object ? type.shape().Find(*name) : value.shape().Find(*name);
  if (at < 0) return Problem{kInvalidIndex, range};
  if (value.is_unknown()) return Value::Unknown(type.element(static_cast<size_t>(at)));
  return value.values()[static_cast<size_t>(at)];
}

}  // namespace hcl::testing_support
