// The operations of Core (compiler/core.h). Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_OP_H_
#define HCLVM_COMPILER_CORE_OP_H_

#include <cstdint>

namespace hcl::internal {

// Operations that fast code has instructions for.
enum class CoreOp : uint8_t {
  kNone,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kRatio,  // a quotient of which only the order, or a whole number near it, is asked
  kEqual,
  kLess,
  kIsNull,
  kNot,
  kIn,  // args[0] is in lookup set `index`
  kPrefix,
  kSuffix,
  kWithin,
  kHas,      // the list args[0] has the element args[1]
  kSearch,   // the same; exits where args[0] is no list
  kHasKey,   // the mapping args[0] has the key args[1]
  kLength,   // as `index` says who asks it
  kShared,   // how many different elements of args[0] are in args[1]
  kLacking,  // or are not
  kLookup,   // of args[0] by the key args[1], or args[2]
  kCeil,
  kFloor,
  kPiece,     // of the text args[1], split at args[0]: by the lower half of `index`, as FastPiece takes it
  kKeyed,     // the elements of args[0] by the list args[1] of their keys
  kMatches,   // the list of those of args[0] whose key is args[1]
  kPieces,    // how many there are of the text args[1], split at args[0]
  kHasPiece,  // whether args[2] is one of them
  kTyped,     // args[0], which has the type of args[1] where it is an untyped null; without such, it is none
  kMeet,      // one of the arguments whose type those that are there all have; any may be absent
  kNotNull,   // args[0], which is not null
  kExiting,   // the condition args[0], which exits where it fails, also in what is tried
  kUnsure,    // args[0], a bool of which the form does not tell that: as a side of a logical operator, it is made first
  kCheck,     // args[0], which passes the check `index` (compiler/guards.h); in kNeed only
  // Of loops.
  kAllOf,
  kAnyOf,
  kSumOf,
  kLeastOf,
  kGreatestOf,
  kCountOf,
  kContains,  // whether one of them is args[1]
  kFirstOf,   // the first, or args[1] where there is none
  kOneOf,     // the only one, or null
  kListOf,    // all of them, as a tuple
  kJoinOf,    // their texts, with the text args[1] between them
};

// Who asks for a length: the function of that name (0), or what comes to the same. A loop takes objects too, and
// functions take lists and tuples, or objects and maps.
inline constexpr uint32_t kReadByLoop = 1;
inline constexpr uint32_t kReadByListFunction = 2;
inline constexpr uint32_t kReadByMappingFunction = 3;

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_OP_H_
