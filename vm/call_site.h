// Call sites: a call in the source, with which arguments its function takes as they are.
//
// Specification: information-model.md, "Functions and Function Calls". Tested by vm/call_site_test.cc.

#ifndef HCLVM_VM_CALL_SITE_H_
#define HCLVM_VM_CALL_SITE_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/quick_bodies.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Kinds of arguments that a parameter takes as they are: without marks, not to be converted, and, unless the parameter
// allows all else, known and not null.
struct ArgumentKinds {
  // By Tag, a bit for each; no bit is set for what must be looked at more closely.
  uint16_t tags = 0;
  // Where lists and tuples of scalars are taken, the tags that all elements must have; otherwise 0. That of nulls is
  // for untyped ones.
  uint16_t element_tags = 0;

  // Whether `argument` is of such a kind. Time: constant, or its elements where element_tags is not 0.
  bool Take(const Value& argument) const { return TakesTag(argument) && TakesRest(argument); }
  // The two parts of that: by the tag, and for lists and the like by what is in them.
  bool TakesTag(const Value& argument) const { return (uint32_t{tags} >> static_cast<int>(TagOf(argument)) & 1) != 0; }
  bool TakesRest(const Value& argument) const { return TagOf(argument) <= Tag::kString || TakesCompound(argument); }

  friend bool operator==(const ArgumentKinds& a, const ArgumentKinds& b) {
    return a.tags == b.tags && a.element_tags == b.element_tags;
  }

 private:
  bool TakesCompound(const Value& argument) const;
};

// What the parameter takes so; `takes_tuples` as the function's.
ArgumentKinds KindsOf(const Parameter& parameter, bool takes_tuples);
// What that parameter of the function takes: to alltrue and anytrue, null is an element like others.
ArgumentKinds KindsOf(const Function& function, size_t parameter);

// Whether one of the first of these arguments, of which the first one is number `first` of the call's, can never be
// converted, as a glance tells; or is null, where that is an error whatever stands behind it.
bool HasUnfitArgument(const Function& function, size_t first, absl::Span<const Value> arguments);

// Units of fuel for any call of a function, beside what it looks at.
inline constexpr uint64_t kCallCost = 3;
// The same for one that fails, besides.
inline constexpr uint64_t kFailureCost = 20;

// Whether it is a scalar of so few bytes that reading it costs nothing beside a call.
inline bool IsLight(const Value& value) { return TagOf(value) <= Tag::kShortString && TagOf(value) != Tag::kBigNumber; }

// A call in the source.
struct CallSite {
  // For so many arguments in front there are kinds of their own, and one more for all others.
  static constexpr size_t kOwnKinds = 3;

  // `prepared`: by Function::prepare, or null; lives as long as the program.
  CallSite(const Function* function, const void* prepared, uint32_t arguments, bool expand_last);

  const ArgumentKinds& kinds_of(size_t argument) const { return kinds[argument < kOwnKinds ? argument : kOwnKinds]; }

  // Whether all that the protocol does for these arguments is to run the body: they are few, scalars of kinds that
  // `kinds` takes, and so short that reading them costs nothing beside the call; and the type of the result depends on
  // nothing.
  bool TakesLight(const Value* values) const {
    switch (light_arguments) {  // no loop: most calls have one or two
      case 3:
        if (!IsLight(values[2], light[2])) return false;
        [[fallthrough]];
      case 2:
        if (!IsLight(values[1], light[1])) return false;
        [[fallthrough]];
      case 1:
        return IsLight(values[0], light[0]);
      default:
        return light_arguments == 0;
    }
  }

  // Whether the call fails for certain by its arguments, as a glance tells: all are known and unmarked, and one cannot
  // be converted, or is null where that is an error. Requires that none is expanded.
  bool FailsToTake(const Value* values) const;
  // How many failures the call reports, where that is sure by a glance; 0 elsewhere. Requires that none is expanded.
  uint32_t CountRefusals(const Value* values) const;

  const Function* function;
  const void* prepared;
  uint32_t arguments;
  bool expand_last;
  // The same number, or more than kOwnKinds where TakesLight() is never true.
  uint8_t light_arguments;
  // Whether the call fails for certain by the tag of its first argument, whatever the others are. It must have room for
  // one where it has none.
  bool Refuses(const Value& first) const { return (uint32_t{refused} >> static_cast<int>(TagOf(first)) & 1) != 0; }

  // Whether Function::quick serves the call.
  bool is_quick;
  // Whether the function is a program, and nothing is expanded.
  bool is_program;
  // By Tag, a bit for each kind of first arguments that the function never takes.
  uint16_t refused;
  // What tells of arguments that are taken that the call fails; null: nothing.
  FailureTest fails;
  // A string of fewer bytes has a weight of less than a unit of fuel.
  static constexpr uint64_t kLightString = 48;
  // By Tag, a bit for each scalar that an argument may be.
  uint16_t light[kOwnKinds];
  // The protocol has nothing to do for arguments of these kinds. None are named where there is more to it: expanded
  // arguments, and parameters too many for this table.
  ArgumentKinds kinds[kOwnKinds + 1];

 private:
  static bool IsLight(const Value& value, uint16_t tags) {
    const Tag tag = TagOf(value);
    if ((uint32_t{tags} >> static_cast<int>(tag) & 1) == 0) return false;
    return tag != Tag::kString || HeadBits(value) >> 32 < kLightString;
  }
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_CALL_SITE_H_
