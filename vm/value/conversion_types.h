// What conversion and unification know from types alone.
//
// Internal to conversion.cc and unify.cc. Tested by vm/value/conversion_test.cc, vm/value/unify_test.cc.

#ifndef HCLVM_VM_VALUE_CONVERSION_TYPES_H_
#define HCLVM_VM_VALUE_CONVERSION_TYPES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl {
namespace internal {

struct ConversionContext {
  TypeTable* types;  // where new types are made
  Dialect dialect;
  Fuel* fuel = nullptr;  // pays for the work; null: nothing does
  // Of unification in kSpec: collections take the tuples and objects beside them, and not the other way round.
  bool prefers_collections = false;

  // Pays for looking at so many parts of types. False where the fuel is used up: nothing converts or unifies then.
  bool Charge(uint64_t parts) const { return fuel == nullptr || fuel->Charge(parts); }
};

// IsConvertible of vm/value/conversion.h.
bool ConvertibleTypes(Type from, Type to, bool unsafe, const ConversionContext& context);

// Unify of vm/value/conversion.h; with `unsafe` false, only safe conversions lead to the result.
bool UnifyTypes(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result);

// `to` with its dynamic parts taken from `from`, as far as `from` tells. Requires ConvertibleTypes(from, to).
Type ReplaceDynamic(Type from, Type to, const ConversionContext& context);

// The element type that the attributes or elements of `from` get in a collection whose element type is `element`: their
// unification where that is dynamic. False when there is none.
bool CollectionElement(Type from, Type element, bool unsafe, const ConversionContext& context, Type* result);

// The types of all elements of a tuple or attributes of an object type.
absl::Span<const Type> ElementTypes(Type type);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_CONVERSION_TYPES_H_
