// Unification of values: what their types unify to, where that depends on the values.
//
// By the specification's text a tuple or object is preferred to a list, set or map. Whether a list converts to a tuple
// depends on its length, and whether a map converts to an object depends on its keys. Where it does not convert, the
// values unify to the collection that all of them convert to (docs/language.md, "Dialects"). Types alone do not tell
// which of both it is.
//
// Specification: information-model.md, "Type Unification". Internal to the machine. Tested by
// vm/value/unification_test.cc.

#ifndef HCLVM_VM_VALUE_UNIFICATION_H_
#define HCLVM_VM_VALUE_UNIFICATION_H_

#include "absl/types/span.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

struct ConversionContext;

// Plain data; its types live as long as those that were unified, and as the heap's.
class Unification {
 public:
  // False, and nothing written, where the types do not unify. `fuel` (may be null) pays for the work; where it is used
  // up, the result is false, or may be settled wrongly. Time: as Unify() of vm/value/conversion.h, twice where
  // collections stand beside tuples or objects.
  static bool Of(absl::Span<const Type> types, Heap* heap, Unification* result, Fuel* fuel = nullptr);
  // The same for types of which `preferred` is what the text says.
  static Unification Beside(Type preferred, absl::Span<const Type> types, const ConversionContext& context);

  // The type that the text prefers.
  Type preferred() const { return preferred_; }
  // The collections, in place of the tuples and objects that stand beside them; the preferred type where there are
  // none.
  Type collections() const { return collections_; }
  // Whether the types alone tell the result.
  bool is_settled() const { return preferred_ == collections_; }
  // The type as far as the types tell; dynamic where it depends on the values.
  Type of_types() const { return is_settled() ? preferred_ : Type::Dynamic(); }

  // The type that `value`, of one of the types, becomes; dynamic where that depends on what is unknown in it. Marks do
  // not matter. Time: linear in the value, and constant where is_settled().
  Type Of(const Value& value) const;
  // The one type that all of the values become.
  Type OfAll(absl::Span<const Value> values) const;
  // The one type that all elements of the lists, sets or tuples become.
  Type OfElements(absl::Span<const Value> sequences) const;
  // The type of either value, of which it is not known which; dynamic where they become different types.
  Type OfEither(const Value& a, const Value& b) const;

  // Whether values convert to the preferred type. Later ones outdo earlier ones.
  enum class Fit { kFits, kOpen, kDoesNotFit };

 private:
  Type OfFit(Fit fit) const;

  Type preferred_, collections_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_UNIFICATION_H_
