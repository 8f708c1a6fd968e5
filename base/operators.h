// BinaryOp: the binary operators, generated from internal/operators.def.
//
// A leaf of its own, because the syntax tree and the machine both speak of operators and do not know each other.
// Specification: native-syntax.md, "Operations". Tested by base/operators_test.cc.

#ifndef HCLVM_BASE_OPERATORS_H_
#define HCLVM_BASE_OPERATORS_H_

#include <cstdint>
#include <string_view>

#include "hclvm/internal/cxx17.h"

namespace hcl {

enum class BinaryOp : uint8_t {
#define BINARY_OPERATOR(name, spelling, level) k##name,
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
};

inline constexpr BinaryOp kBinaryOps[] = {
#define BINARY_OPERATOR(name, spelling, level) BinaryOp::k##name,
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
};

// The lowest and the highest level that a binary operator has.
inline constexpr int kLowestLevel = 1;
inline constexpr int kHighestLevel = 6;

// The operator as it is written: "+". The text lives until the process ends.
constexpr std::string_view SpellingOf(BinaryOp op) {
  constexpr std::string_view kSpellings[] = {
#define BINARY_OPERATOR(name, spelling, level) spelling,
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
  };
  return kSpellings[static_cast<uint8_t>(op)];
}

// How tightly `op` binds: from kLowestLevel (`||`) to kHighestLevel (`*`).
constexpr int LevelOf(BinaryOp op) {
  constexpr uint8_t kLevels[] = {
#define BINARY_OPERATOR(name, spelling, level) level,
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
  };
  return kLevels[static_cast<uint8_t>(op)];
}

// Each operator is of exactly one of these four kinds.
constexpr bool IsArithmetic(BinaryOp op) { return op <= BinaryOp::kModulo; }
constexpr bool IsEquality(BinaryOp op) { return op == BinaryOp::kEqual || op == BinaryOp::kNotEqual; }
constexpr bool IsComparison(BinaryOp op) { return op >= BinaryOp::kLess && op <= BinaryOp::kGreaterEqual; }
constexpr bool IsLogical(BinaryOp op) { return op >= BinaryOp::kAnd; }

}  // namespace hcl

#endif  // HCLVM_BASE_OPERATORS_H_
