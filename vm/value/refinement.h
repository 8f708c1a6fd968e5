// Refinements: what is known of an unknown value besides its type.
//
// An unknown value may be known not to be null, a number to lie in a range, a string to start with some text, a
// collection to have a length in a range. Operations keep and derive such facts, and comparisons use them; no operation
// needs them, and known values never meet them. The dynamic value has none.
// Tested by vm/value/refinement_test.cc, tests/unknown_test.cc.

#ifndef HCLVM_VM_VALUE_REFINEMENT_H_
#define HCLVM_VM_VALUE_REFINEMENT_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// One end of a range of numbers.
struct NumberBound {
  Number value;
  bool inclusive = true;
};

// Facts about an unknown value of `type`. Plain data; what it points to lives as long as the value.
struct Refinement {
  Type type;
  bool not_null = false;
  std::optional<NumberBound> min, max;  // of a number
  std::string_view prefix;              // of a string; in NFC, and not to be changed by what follows
  uint64_t min_length = 0;              // of a list, set or map
  uint64_t max_length = UINT64_MAX;
};

// The facts about `value`, which is unknown; without any, only its type.
Refinement RefinementOf(const Value& value);

// The unknown value with these facts, in `arena`; for a dynamic type, the dynamic value. Where the facts leave one
// number, that number, which is known.
Value RefinedUnknown(const Refinement& refinement, Arena* arena);

// The unknown value of a primitive type that is not null; needs no memory.
Value UnknownNotNull(Type primitive);

// True when `value` is certainly not null: known and not null, or unknown and refined so.
bool DefinitelyNotNull(const Value& value);

// True when `known`, a known value of the type, contradicts what is known of `unknown`.
bool Contradicts(const Value& unknown, const Value& known);

// The longest prefix of `text` that stays one whatever follows: without an end that a combining character could change.
std::string_view SafePrefix(std::string_view text);

namespace internal {

// An arithmetic operator on numbers of which one at least is unknown.
Value UnknownArithmetic(BinaryOp op, const Value& a, const Value& b, Arena* arena);
// A comparison of such: known where the ranges decide.
Value UnknownComparison(BinaryOp op, const Value& a, const Value& b);
// Either `a` or `b`, of which nobody knows which, both of `type` or to be converted to it.
Value UnknownChoice(const Value& a, const Value& b, Type type, Arena* arena);
// `unknown` converted to `type`: the facts that survive.
Value ConvertedUnknown(const Value& unknown, Type type, Arena* arena);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_REFINEMENT_H_
