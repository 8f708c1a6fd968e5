// Tested as compiler/bind_comparisons.h says.

#include "hclvm/compiler/bind_comparisons.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// How deep the types of literals are looked at.
constexpr int kMaxTypeDepth = 4;

// The kind of a value that is not null; kDynamic for one that no comparison is judged by.
TypeKind KindOfConstant(const Value& value) {
  if (value.is_null() || value.is_unknown() || value.has_marks()) return TypeKind::kDynamic;
  if (value.is_bool()) return TypeKind::kBool;
  if (value.is_number()) return TypeKind::kNumber;
  if (value.is_string()) return TypeKind::kString;
  if (value.is_list()) return TypeKind::kList;
  if (value.is_set()) return TypeKind::kSet;
  if (value.is_tuple()) return TypeKind::kTuple;
  if (value.is_map()) return TypeKind::kMap;
  return value.is_object() ? TypeKind::kObject : TypeKind::kDynamic;
}

// The kind of all values of `expr` but nulls, as far as the text tells it.
TypeKind KindOf(const BoundExpr& expr) {
  if (!expr.type.is_dynamic()) return expr.type.kind();
  switch (expr.kind) {
    case BoundKind::kConstant:
      return KindOfConstant(As<BoundConstant>(expr).value);
    case BoundKind::kTuple:
      return TypeKind::kTuple;
    case BoundKind::kObject:
      return TypeKind::kObject;
    case BoundKind::kFor:
      if (As<BoundFor>(expr).splat != nullptr) return TypeKind::kDynamic;  // a list or a tuple
      return As<BoundFor>(expr).key == nullptr ? TypeKind::kTuple : TypeKind::kObject;
    default:
      return TypeKind::kDynamic;
  }
}

// A folded call has the facts of its form, so that the value is asked as well.
bool IsNeverNull(const BoundExpr& expr) {
  return expr.never_null || (expr.is_constant() && !As<BoundConstant>(expr).value.is_null());
}

// As messages name them: without the types of elements, and whatever else has attributes is an object.
const char* NameOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTuple:
      return "tuple";
    case TypeKind::kList:
      return "list";
    case TypeKind::kSet:
      return "set";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kString:
      return "string";
    default:
      return "object";
  }
}

struct Conversion {
  TypeKind kinds[2];
  const char* functions[2];  // that give a value of each kind from one of the other; null where there is none
};

constexpr Conversion kConversions[] = {
    {{TypeKind::kNumber, TypeKind::kString}, {"tonumber", "tostring"}},
    {{TypeKind::kBool, TypeKind::kString}, {"tobool", "tostring"}},
    {{TypeKind::kList, TypeKind::kSet}, {"tolist", "toset"}},
    {{TypeKind::kList, TypeKind::kTuple}, {"tolist", nullptr}},
    {{TypeKind::kSet, TypeKind::kTuple}, {"toset", nullptr}},
    {{TypeKind::kMap, TypeKind::kObject}, {"tomap", nullptr}},
};

// A sentence that says which of the functions that can be called make values of one kind of the two; or nothing.
std::string ConversionHint(TypeKind a, TypeKind b, const FunctionRegistry* functions) {
  std::string names;
  for (const Conversion& conversion : kConversions) {
    const auto& kinds = conversion.kinds;
    if (!(kinds[0] == a && kinds[1] == b) && !(kinds[0] == b && kinds[1] == a)) continue;
    for (const char* name : conversion.functions) {
      if (name == nullptr || functions == nullptr || functions->Find(name) == nullptr) continue;
      absl::StrAppend(&names, names.empty() ? "" : " or ", name, "(...)");
    }
  }
  return names.empty() ? names : absl::StrCat(" Convert one side first, with ", names, ".");
}

// The type of all values of `expr` but nulls; dynamic where the text does not tell it, so are its parts.
Type StaticTypeOf(const BoundExpr& expr, int depth, TypeTable* table) {
  if (!expr.type.is_dynamic() || depth == 0) return expr.type;
  absl::InlinedVector<Type, 8> parts;
  switch (expr.kind) {
    case BoundKind::kConstant: {
      const Value& value = As<BoundConstant>(expr).value;
      return KindOfConstant(value) == TypeKind::kDynamic ? Type::Dynamic() : TypeOf(value, table);
    }
    case BoundKind::kTuple:
      for (const BoundExpr* element : As<BoundTuple>(expr).elements)
        parts.push_back(StaticTypeOf(*element, depth - 1, table));
      return table->Tuple(parts);
    case BoundKind::kObject: {
      const auto& object = As<BoundObject>(expr);
      if (object.shape == nullptr) return Type::Dynamic();
      parts.resize(object.items.size());
      for (const BoundItem& item : object.items) parts[item.position] = StaticTypeOf(*item.value, depth - 1, table);
      return table->Object(*object.shape, parts);
    }
    default:
      return Type::Dynamic();
  }
}

}  // namespace

// Values of different types are equal only if both are null (hclvm/vm/value/equality.h), in both dialects, so a warning
// needs types that differ, and one side that is never null. Most comparisons have a side whose kind the text does not
// tell, or are of one primitive type, and take two looks; types are made only for two literals of one kind.
std::string ConstantComparison(BinaryOp op, const BoundExpr& a, const BoundExpr& b, const FunctionRegistry* functions,
                               PartTypes* types) {
  const TypeKind kinds[] = {KindOf(a), KindOf(b)};
  if (kinds[0] == TypeKind::kDynamic || kinds[1] == TypeKind::kDynamic) return "";
  if (!IsNeverNull(a) && !IsNeverNull(b)) return "";
  std::string names[] = {NameOf(kinds[0]), NameOf(kinds[1])};
  if (kinds[0] == kinds[1]) {
    if (kinds[0] <= TypeKind::kString) return "";
    const Type sides[] = {StaticTypeOf(a, kMaxTypeDepth, &types->table()),
                          StaticTypeOf(b, kMaxTypeDepth, &types->table())};
    if (MayBeSameType(sides[0], sides[1])) return "";
    for (int side : {0, 1}) names[side] = Excerpt(ToTypeSyntax(sides[side]));
  }
  return absl::StrCat("The left side is of type ", names[0], ", the right side of type ", names[1],
                      ". Values of different types are never equal, so this is always ",
                      op == BinaryOp::kEqual ? "false." : "true.", ConversionHint(kinds[0], kinds[1], functions));
}

}  // namespace hcl::internal
