// What conversions cost. Tested by tests/fuel_test.cc.

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

absl::Span<const Value> Items(const Value& value) {
  if (value.is_sequence()) return value.elements();
  return value.is_mapping() ? value.values() : absl::Span<const Value>();
}

// Digits that are read or written.
constexpr uint64_t kDigitsForUnit = 8;

// A number of few bytes may have very many digits.
uint64_t CostOfDigits(const Value& value) {
  constexpr uint64_t kSetUp = 4;
  if (!value.is_number()) return 0;
  const Number number = value.AsNumber();
  return kSetUp + (number.IsInfinite() ? 0 : number.DigitCount() / kDigitsForUnit);
}

// The elements of a set are put in order, by texts that are made of them where they are no scalars.
uint64_t CostOfOrder(const Value& value) {
  uint64_t rounds = 1;
  for (uint64_t rest = value.size(); rest > 1; rest /= 2) ++rounds;
  return (value.size() + value.weight()) * rounds;
}

}  // namespace

uint64_t ConversionCost(const Value& marked, Type to) {
  const Value& value = marked.is_marked() ? marked.unmarked() : marked;
  if (to.is_dynamic() || value.is_error() || value.is_null() || value.is_unknown()) return 0;
  uint64_t cost = (value.weight() + 1) / 2;
  if (to.kind() == TypeKind::kNumber && value.is_string()) return cost + value.AsString().size() / kDigitsForUnit;
  if (to.kind() == TypeKind::kString) return cost + CostOfDigits(value);
  if (!to.is_collection()) return cost;
  if (to.element().kind() == TypeKind::kString) {
    for (const Value& item : Items(value)) cost += CostOfDigits(item);
  }
  if (to.kind() == TypeKind::kSet && value.is_sequence()) cost += CostOfOrder(value) / (value.is_set() ? 4 : 1);
  return cost;
}

}  // namespace hcl
