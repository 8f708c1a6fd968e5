// Guards: what the instruction Guard asks of a value.
//
// Tested by compiler/core_emitter_test.cc.

#ifndef HCLVM_COMPILER_GUARDS_H_
#define HCLVM_COMPILER_GUARDS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "hclvm/vm/guard_tags.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

// Operand B of the instruction is one of these, in the order in which vm/opcodes.def numbers them.
enum class Guard : uint16_t {
  kBool,
  kNumber,
  kString,
  kScalar,
  kScalars,
  kNoError,
  kBoolOrBlank,  // an untyped null, or absent
  kNumberOrBlank,
  kStringOrBlank,
  kBoolOrAbsent,
  kUnmarked,  // in no part
  kNotNull,
  kKnown,     // whether its parts are or not
  kWhole,     // with all parts, and unmarked
  kSplat,     // a tuple, or a list or set with elements: without, the slow path looks what their type would make of the
              // steps
  kSide,      // as kBoolOrBlank, of a logical operator that fails with what is none of these
  kMapping,   // an object or map, or an untyped null
  kBoolSide,  // as kBoolOrAbsent, of a logical operator that fails with what is none of these, but for null
  kList,      // a list or tuple
  kBools,     // of what is empty: it has no type of elements, or that of bools or strings
  kArgument,  // of a function of a module: known, not null, and without marks in any part
  kAscii,     // a string of ASCII alone
  kFlatList,  // a list or tuple in which nothing is a list, tuple, set or unknown
};

static_assert(std::size(kPassingTags) == static_cast<size_t>(Guard::kFlatList) + 1);

// That it is one of this type, which is primitive, an untyped null, or absent.
inline Guard BranchGuardOf(Type type) {
  return type == Type::Bool()     ? Guard::kBoolOrBlank
         : type == Type::Number() ? Guard::kNumberOrBlank
                                  : Guard::kStringOrBlank;
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_GUARDS_H_
