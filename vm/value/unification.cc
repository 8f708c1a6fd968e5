// Tested by vm/value/unification_test.cc.

#include "hclvm/vm/value/unification.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/conversion_types.h"

namespace hcl::internal {
namespace {

using Fit = Unification::Fit;

bool IsStructure(Type type) { return type.kind() == TypeKind::kTuple || type.kind() == TypeKind::kObject; }

// Whether there is a tuple or object in it.
bool HasStructure(Type type) { return IsStructure(type) || (type.is_collection() && HasStructure(type.element())); }

// The part of the type that the part `n` of a tuple or object of type `from` becomes. `to` is what `from` unified to,
// so that an object has all attributes of `from`.
Type PartOf(Type to, Type from, size_t n) {
  if (to.is_collection()) return to.element();
  if (to.kind() == TypeKind::kTuple) return to.element(n);
  return Type(to.FindAttribute(from.shape().keys[n].AsString()));
}

// Whether values of type `from` may fail to become `to`, by their length or their keys.
bool MayNotFit(Type from, Type to) {
  if (from == to || to.is_dynamic() || to.is_primitive()) return false;
  if (from.is_dynamic()) return IsStructure(to);
  if (from.is_collection()) return IsStructure(to) || (to.is_collection() && MayNotFit(from.element(), to.element()));
  if (!IsStructure(from)) return false;
  for (size_t n = 0; n < from.size(); ++n) {
    if (MayNotFit(from.element(n), PartOf(to, from, n))) return true;
  }
  return false;
}

Fit FitOf(const Value& marked, Type to);

// The worst of the fits.
template <typename ToOf>
Fit FitOfParts(absl::Span<const Value> parts, const ToOf& to_of) {
  Fit fit = Fit::kFits;
  for (size_t n = 0; n < parts.size() && fit != Fit::kDoesNotFit; ++n) fit = std::max(fit, FitOf(parts[n], to_of(n)));
  return fit;
}

Fit FitOfSequence(const Value& value, Type to) {
  if (to.is_collection()) {
    if (!value.is_tuple() && !MayNotFit(value.element_type(), to.element())) return Fit::kFits;
    return FitOfParts(value.elements(), [to](size_t) { return to.element(); });
  }
  if (to.kind() != TypeKind::kTuple) return Fit::kFits;
  const bool is_open = value.is_set() && !value.is_wholly_known();  // unknown elements may be equal to others
  if (is_open && value.size() >= to.size()) return Fit::kOpen;
  if (value.size() != to.size()) return Fit::kDoesNotFit;
  return FitOfParts(value.elements(), [to](size_t n) { return to.element(n); });
}

Fit FitOfMapping(const Value& value, Type to) {
  if (to.is_collection()) {
    if (value.is_map() && !MayNotFit(value.element_type(), to.element())) return Fit::kFits;
    return FitOfParts(value.values(), [to](size_t) { return to.element(); });
  }
  if (to.kind() != TypeKind::kObject) return Fit::kFits;
  if (value.is_map() && !(value.shape() == to.shape())) return Fit::kDoesNotFit;
  return FitOfParts(value.values(), [&](size_t n) { return Type(to.FindAttribute(value.shape().keys[n].AsString())); });
}

// Recursion follows the types, whose depth is bounded.
Fit FitOf(const Value& marked, Type to) {
  const Value& value = marked.unmarked();
  if (to.is_dynamic() || to.is_primitive() || value.is_null()) return Fit::kFits;
  if (value.is_unknown()) return MayNotFit(value.null_or_unknown_type(), to) ? Fit::kOpen : Fit::kFits;
  if (value.is_sequence()) return FitOfSequence(value, to);
  return value.is_mapping() ? FitOfMapping(value, to) : Fit::kFits;
}

}  // namespace

bool Unification::Of(absl::Span<const Type> types, Heap* heap, Unification* result, Fuel* fuel) {
  const ConversionContext context{heap->types(), heap->dialect(), fuel};
  Type preferred;
  if (!UnifyTypes(types, /*unsafe=*/true, context, &preferred)) return false;
  *result = Beside(preferred, types, context);
  return true;
}

Unification Unification::Beside(Type preferred, absl::Span<const Type> types, const ConversionContext& context) {
  Unification result;
  result.preferred_ = result.collections_ = preferred;
  if (context.dialect != Dialect::kSpec || !HasStructure(preferred)) return result;
  const auto may_not_fit = [&](Type type) {
    return !(type == preferred) && context.Charge(1 + (IsStructure(type) ? type.size() : 0)) &&
           MayNotFit(type, preferred);
  };
  if (std::none_of(types.begin(), types.end(), may_not_fit)) return result;
  ConversionContext other = context;
  other.prefers_collections = true;
  Type collections;
  if (UnifyTypes(types, /*unsafe=*/true, other, &collections)) result.collections_ = collections;
  return result;
}

Type Unification::Of(const Value& value) const { return OfAll({&value, 1}); }

Type Unification::OfAll(absl::Span<const Value> values) const {
  if (is_settled()) return preferred_;
  return OfFit(FitOfParts(values, [this](size_t) { return preferred_; }));
}

Type Unification::OfElements(absl::Span<const Value> sequences) const {
  if (is_settled()) return preferred_;
  Fit fit = Fit::kFits;
  for (const Value& marked : sequences) {
    const Value& sequence = marked.unmarked();
    if (sequence.is_null()) continue;
    if (sequence.is_unknown()) {
      fit = std::max(fit, Fit::kOpen);
    } else {
      fit = std::max(fit, FitOfParts(sequence.elements(), [this](size_t) { return preferred_; }));
    }
  }
  return OfFit(fit);
}

Type Unification::OfFit(Fit fit) const {
  switch (fit) {
    case Fit::kFits:
      return preferred_;
    case Fit::kDoesNotFit:
      return collections_;
    default:
      return Type::Dynamic();
  }
}

Type Unification::OfEither(const Value& a, const Value& b) const {
  const Type type = Of(a);
  return Of(b) == type ? type : Type::Dynamic();
}

}  // namespace hcl::internal
