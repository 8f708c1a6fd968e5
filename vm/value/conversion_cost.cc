// What conversions cost. Tested by tests/fuel_test.cc.

#include <algorithm>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {
namespace {

absl::Span<const Value> Items(const Value& value) {
  if (value.is_sequence()) return value.elements();
  return value.is_mapping() ? value.values() : absl::Span<const Value>();
}

// A number of few bytes may have very many digits.
uint64_t CostOfDigits(const Value& value) {
  constexpr uint64_t kSetUp = 4;
  if (!value.is_number()) return 0;
  const Number number = value.AsNumber();
  return kSetUp + (number.IsInfinite() ? 0 : number.DigitCount() / 8);
}

bool IsScalar(const Value& value) {
  const internal::Tag tag = internal::TagOf(value);
  return tag >= internal::Tag::kFalse && tag <= internal::Tag::kString;
}

// Elements of different types are compared with each other, and each with all parts of what they become. Only tuples
// and objects have such elements; those that are scalars, or all alike, are unified at a glance.
uint64_t CostOfUnifying(const Value& value, TypeTable* types) {
  if (std::all_of(Items(value).begin(), Items(value).end(), IsScalar)) return 0;
  internal::HashSet<const internal::TypeNode*> distinct;
  const Value* last = nullptr;
  bool primitive = true;
  for (const Value& item : Items(value)) {
    if (item.is_error() || (last != nullptr && SameType(*last, item))) continue;
    last = &item;
    const Type type = TypeOf(item, types);
    primitive &= type.is_primitive() || type.is_dynamic();
    distinct.insert(type.node());
  }
  return primitive || distinct.size() < 2 ? 0 : distinct.size() * value.weight() / 2;
}

// The elements of a set are put in order, by texts that are made of them where they are no scalars.
uint64_t CostOfOrder(const Value& value) {
  uint64_t rounds = 1;
  for (uint64_t rest = value.size(); rest > 1; rest /= 2) ++rounds;
  return (value.size() + value.weight()) * rounds;
}

}  // namespace

uint64_t ConversionCost(const Value& marked, Type to, TypeTable* types) {
  const Value& value = marked.is_marked() ? marked.unmarked() : marked;
  if (to.is_dynamic() || value.is_error() || value.is_null() || value.is_unknown()) return 0;
  uint64_t cost = value.weight() / 2;
  if (to.kind() == TypeKind::kString) return cost + CostOfDigits(value);
  if (!to.is_collection()) return cost;
  if (to.element().kind() == TypeKind::kString) {
    for (const Value& item : Items(value)) cost += CostOfDigits(item);
  }
  if (to.kind() == TypeKind::kSet && value.is_sequence()) cost += CostOfOrder(value) / (value.is_set() ? 4 : 1);
  const bool is_structure = value.is_tuple() || value.is_object();
  return is_structure && to.has_dynamic() ? cost + CostOfUnifying(value, types) : cost;
}

}  // namespace hcl
