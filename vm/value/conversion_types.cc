// Which types convert to which.
//
// Tested by vm/value/conversion_test.cc.

#include "hclvm/vm/value/conversion_types.h"

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {
namespace {

bool Same(Type a, Type b) { return a == b; }

// information-model.md, "Primitive Type Conversions": to a string safely, from a string unsafely, never between bool
// and number.
bool PrimitiveTypes(Type from, Type to, bool unsafe) {
  if (to.kind() == TypeKind::kString) return true;
  return unsafe && from.kind() == TypeKind::kString;
}

// A part that is of the target type costs one comparison.
bool ElementsConvertible(Type from, Type element, bool unsafe, const ConversionContext& context) {
  Type target;
  if (!CollectionElement(from, element, unsafe, context, &target) || !context.Charge(from.size() / 4)) return false;
  for (Type type : ElementTypes(from)) {
    if (!Same(type, target) && !ConvertibleTypes(type, target, unsafe, context)) return false;
  }
  return true;
}

// Attributes that either lacks do not matter: those of the target become null, but not in the reference. The smaller
// one is gone through, since many objects may unify to one of very many attributes.
bool ObjectToObject(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (context.dialect == Dialect::kHashiCorp && from.size() < to.size()) return false;
  const bool has_fewer = from.size() < to.size();
  const Type smaller = has_fewer ? from : to;
  const Type larger = has_fewer ? to : from;
  if (!context.Charge(smaller.size())) return false;
  for (size_t i = 0; i < smaller.size(); ++i) {
    const int64_t at = larger.shape().Find(smaller.shape().keys[i]);
    if (at < 0) {
      if (context.dialect == Dialect::kHashiCorp) return false;
      continue;
    }
    const Type other = larger.element(static_cast<size_t>(at));
    const bool converts = has_fewer ? ConvertibleTypes(smaller.element(i), other, unsafe, context)
                                    : ConvertibleTypes(other, smaller.element(i), unsafe, context);
    if (!converts) return false;
  }
  return true;
}

// A collection to each element of a tuple or attribute of an object type; which keys or how many elements the value has
// is not known here, so that it is never safe.
bool CollectionToStructure(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (!unsafe || !context.Charge(to.size() / 4)) return false;
  for (Type type : ElementTypes(to)) {
    if (!ConvertibleTypes(from.element(), type, unsafe, context)) return false;
  }
  return true;
}

bool TupleToTuple(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (from.size() != to.size() || !context.Charge(to.size() / 4)) return false;
  for (size_t i = 0; i < to.size(); ++i) {
    if (!ConvertibleTypes(from.element(i), to.element(i), unsafe, context)) return false;
  }
  return true;
}

// information-model.md, "Collection and Structural Type Conversions": set to list is safe, list to set is not, since
// equal elements become one.
bool ToSequence(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (from.kind() == TypeKind::kTuple) return ElementsConvertible(from, to.element(), unsafe, context);
  if (from.kind() != TypeKind::kList && from.kind() != TypeKind::kSet) return false;
  bool loses_order = to.kind() == TypeKind::kSet && from.kind() == TypeKind::kList;
  if (loses_order && !unsafe) return false;
  return ConvertibleTypes(from.element(), to.element(), unsafe, context);
}

bool ToMap(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (from.kind() == TypeKind::kMap) return ConvertibleTypes(from.element(), to.element(), unsafe, context);
  return from.kind() == TypeKind::kObject && ElementsConvertible(from, to.element(), unsafe, context);
}

bool ToTuple(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (from.kind() == TypeKind::kTuple) return TupleToTuple(from, to, unsafe, context);
  bool from_list = from.kind() == TypeKind::kList || from.kind() == TypeKind::kSet;
  // The reference knows no such conversion.
  if (!from_list || context.dialect == Dialect::kHashiCorp) return false;
  return CollectionToStructure(from, to, unsafe, context);
}

bool ToObject(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (from.kind() == TypeKind::kObject) return ObjectToObject(from, to, unsafe, context);
  return from.kind() == TypeKind::kMap && CollectionToStructure(from, to, unsafe, context);
}

}  // namespace

absl::Span<const Type> ElementTypes(Type type) {
  // A span of node pointers serves as one of types.
  static_assert(sizeof(Type) == sizeof(void*));
  return {reinterpret_cast<const Type*>(type.node()->elements), type.size()};
}

// With objects of attributes that unify to nothing but the dynamic type, the result stays dynamic, and the values
// decide later; a tuple must be of dynamic elements only, or has no element type. That difference is the reference's.
bool CollectionElement(Type from, Type element, bool unsafe, const ConversionContext& context, Type* result) {
  *result = element;
  if (!element.is_dynamic() || from.size() == 0) return true;
  if (!UnifyTypes(ElementTypes(from), unsafe, context, result)) return false;
  if (!result->is_dynamic() || from.kind() == TypeKind::kObject) return true;
  for (Type type : ElementTypes(from)) {
    if (!type.is_dynamic()) return false;
  }
  return true;
}

// information-model.md, "Type Conversions and Unification". From a dynamic type everything may turn out, which is not
// safe; to it everything converts. A capsule converts to itself only ("Capsule Types"). Recursion follows the target
// type.
bool ConvertibleTypes(Type from, Type to, bool unsafe, const ConversionContext& context) {
  if (to.is_dynamic() || Same(from, to)) return true;
  if (from.is_dynamic()) return unsafe;
  if (!context.Charge(1)) return false;
  switch (to.kind()) {
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString:
      return from.is_primitive() && PrimitiveTypes(from, to, unsafe);
    case TypeKind::kList:
    case TypeKind::kSet:
      return ToSequence(from, to, unsafe, context);
    case TypeKind::kMap:
      return ToMap(from, to, unsafe, context);
    case TypeKind::kTuple:
      return ToTuple(from, to, unsafe, context);
    case TypeKind::kObject:
      return ToObject(from, to, unsafe, context);
    default:
      return false;
  }
}

namespace {

// The part of `from` that becomes part `i` of `to`; dynamic where there is none.
Type SourceOfPart(Type from, Type to, size_t i) {
  if (from.is_collection()) return from.element();
  if (to.kind() == TypeKind::kTuple) {
    return from.kind() == TypeKind::kTuple && i < from.size() ? from.element(i) : Type::Dynamic();
  }
  if (from.kind() != TypeKind::kObject) return Type::Dynamic();
  const TypeNode* attribute = from.FindAttribute(to.shape().keys[i].AsString());
  return attribute == nullptr ? Type::Dynamic() : Type(attribute);
}

Type ReplaceInElement(Type from, Type to, const ConversionContext& context) {
  if (from.is_collection()) return ReplaceDynamic(from.element(), to.element(), context);
  Type unified;
  const absl::Span<const Type> elements = ElementTypes(from);
  if (!UnifyTypes(elements, /*unsafe=*/true, context, &unified)) return to.element();
  unified = Unification::Beside(unified, elements, context).of_types();
  return ReplaceDynamic(unified, to.element(), context);
}

}  // namespace

// The type of an unknown result has to be as concrete as the known result's will be: information-model.md, "Unknown
// Values and the Dynamic Pseudo-type" wants it "appropriate to the operation". Parts without a source stay dynamic.
Type ReplaceDynamic(Type from, Type to, const ConversionContext& context) {
  if (!to.has_dynamic() || from.is_dynamic()) return to;
  if (to.is_dynamic()) return from;
  if (to.is_collection()) return context.types->Collection(to.kind(), ReplaceInElement(from, to, context));
  absl::InlinedVector<Type, 8> parts;
  parts.reserve(to.size());
  for (size_t i = 0; i < to.size(); ++i) {
    parts.push_back(ReplaceDynamic(SourceOfPart(from, to, i), to.element(i), context));
  }
  return to.kind() == TypeKind::kTuple ? context.types->Tuple(parts) : context.types->Object(to.shape(), parts);
}

}  // namespace internal

// Unification may have to make types on the way, which nobody keeps.
bool IsConvertible(Type from, Type to, bool unsafe, Dialect dialect) {
  TypeTable scratch;
  return internal::ConvertibleTypes(from, to, unsafe, {&scratch, dialect});
}

}  // namespace hcl
