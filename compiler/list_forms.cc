// Lists that are put together. Tested by compiler/core_lists_test.cc.

#include "hclvm/compiler/list_forms.h"

#include <algorithm>
#include <cstddef>

#include "hclvm/compiler/bound_forms.h"

namespace hcl::internal {
namespace {

bool Agrees(Type one, Type* type) {
  if (!one.is_primitive() || !(type->is_dynamic() || *type == one)) return false;
  *type = one;
  return true;
}

// The type of all values of the element, even where they are not known.
bool HasOneType(const BoundExpr& element, Type* type) {
  return HasFirmType(element) && !IsNull(element) && Agrees(element.type, type);
}

bool HaveOneType(const Value& tuple, Type* type) {
  return std::all_of(tuple.elements().begin(), tuple.elements().end(), [&](const Value& element) {
    if (element.is_bool()) return Agrees(Type::Bool(), type);
    if (element.is_number()) return Agrees(Type::Number(), type);
    return element.is_string() && Agrees(Type::String(), type);
  });
}

bool IsConstantTuple(const BoundExpr& expr) { return expr.is_constant() && As<BoundConstant>(expr).value.is_tuple(); }

bool IsTuple(const BoundExpr& expr) { return expr.kind == BoundKind::kTuple || IsConstantTuple(expr); }

size_t LengthOf(const BoundExpr& tuple) {
  return tuple.is_constant() ? As<BoundConstant>(tuple).value.size() : As<BoundTuple>(tuple).elements.size();
}

}  // namespace

// Through what lists are put together of, as long as the text tells the types: elements of a variable are known in a
// run only.
bool HaveOneType(const BoundExpr& list, Type* type) {
  if (IsConstantTuple(list)) return HaveOneType(As<BoundConstant>(list).value, type);
  const auto all = [type](const auto& items) {
    return std::all_of(items.begin(), items.end(), [type](const BoundExpr* item) { return HaveOneType(*item, type); });
  };
  switch (list.kind) {
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(list).elements;
      return std::all_of(elements.begin(), elements.end(),
                         [type](const BoundExpr* element) { return HasOneType(*element, type); });
    }
    case BoundKind::kFor:
      return As<BoundFor>(list).key == nullptr && HasOneType(*As<BoundFor>(list).value, type);
    case BoundKind::kConditional:
      return IsListChoice(list) && HaveOneType(*As<BoundConditional>(list).if_true, type) &&
             HaveOneType(*As<BoundConditional>(list).if_false, type);
    case BoundKind::kCall:
      return As<BoundCall>(list).is(Function::Special::kConcat) && all(As<BoundCall>(list).arguments);
    default:
      return false;
  }
}

// The only element beside no others is of the type that it has.
bool IsListChoice(const BoundExpr& expr) {
  if (!IsChoice(expr)) return false;
  const auto& choice = As<BoundConditional>(expr);
  if (!IsTuple(*choice.if_true) || !IsTuple(*choice.if_false)) return false;
  if (LengthOf(*choice.if_true) + LengthOf(*choice.if_false) == 1) return true;
  Type type;
  return HaveOneType(*choice.if_true, &type) && HaveOneType(*choice.if_false, &type);
}

bool IsMadeOfElements(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kFor) return As<BoundFor>(expr).key == nullptr;
  return IsTuple(expr) || IsListCall(expr) || IsListChoice(expr);
}

bool IsSureTuple(const BoundExpr& expr) {
  if (IsTuple(expr)) return true;
  if (expr.kind == BoundKind::kFor) return As<BoundFor>(expr).key == nullptr && As<BoundFor>(expr).splat == nullptr;
  if (!IsListCall(expr)) return false;
  const auto& call = As<BoundCall>(expr);
  return call.is(Function::Special::kFlatten) ||
         std::any_of(call.arguments.begin(), call.arguments.end(),
                     [](const BoundExpr* argument) { return IsSureTuple(*argument); });
}

bool KeepsElements(const BoundCall& concat, bool flat) {
  if (IsSureTuple(concat)) return true;
  Type type;
  return flat && HaveOneType(concat, &type);
}

}  // namespace hcl::internal
