// PlainGenerator: code for the plain case of an expression, in front of its general code.
//
// Operators, comparisons, conditionals, paths and a few functions become short code with jumps that assumes known,
// unmarked operands of the right kinds, and leaves for the general code on anything else ("Plain code" in
// vm/opcodes.def). Such expressions have no effects, so that the general code can start over.
//
// Recursion follows the nesting of the expression up to a bound; what is larger has general code only.
// Tested by compiler/plain_generator_test.cc, tests/optimizer_property_test.cc and tests/slow.

#ifndef HCLVM_COMPILER_PLAIN_GENERATOR_H_
#define HCLVM_COMPILER_PLAIN_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/code_generator.h"
#include "hcl/ast.h"

namespace hcl::internal {

// Jumps to one place that is not known yet.
using PlainLabel = ShortList<uint32_t>;

inline bool IsEquality(BinaryOp op) { return op == BinaryOp::kEqual || op == BinaryOp::kNotEqual; }

// Whether `expr` is the word null.
bool IsNullLiteral(const Expr& expr);

// For one expression. Not thread-safe.
class PlainGenerator {
 public:
  // The generator must outlive this one.
  explicit PlainGenerator(CodeGenerator* generator) : g_(*generator) {}

  // Whether there is plain code for the value of `expr`, or for a jump on it.
  bool Suits(const Expr& expr);
  // Whether there is plain code for the filter of a loop with these variables. It must look at one of them before
  // anything else, since a pass over a collection without elements has unknown ones, and its items do not count.
  bool SuitsFilter(const Expr& condition, std::string_view key, std::string_view value);
  // How many conditions it has, after success. General code tests one as fast, and computes as fast; two it does not.
  int tests() const { return tests_; }
  // What does not suit, after a failure: no expression around it does.
  const Expr* obstacle() const { return obstacle_; }

  // Code that puts the value into `dest`; or, when `returns`, ends the chunk with it.
  void Yield(const Expr& expr, uint16_t dest, bool returns);
  // Code that jumps to `target` when `expr` is `when`, and goes on behind it otherwise.
  void Test(const Expr& expr, bool when, PlainLabel* target);
  void PatchToHere(const PlainLabel& label);

 private:
  // Larger expressions have general code only; a jump reaches 65,535 instructions.
  static constexpr int kMaxDepth = 100;
  static constexpr int kMaxNodes = 2000;
  static constexpr int kMaxFoldDepth = 8;

  // Branches of conditionals whose type only their value tells: they are loaded and checked before anything else.
  struct LoadedBranch {
    const Expr* expr;
    uint16_t operand;
  };

  bool Fail(const Expr& expr) { return obstacle_ = &expr, false; }
  bool CanYield(const Expr& expr);
  bool CanYieldNode(const Expr& expr);
  bool CanTest(const Expr& expr);
  bool CanTestNode(const Expr& expr);
  bool CanTestBinary(const BinaryExpr& expr);
  bool CanTestCall(const CallExpr& expr);
  bool FirstTestReads(const Expr& expr, std::string_view key, std::string_view value) const;
  bool Reads(const Expr& expr, std::string_view key, std::string_view value) const;
  bool HasLookup(const CallExpr& expr) const;
  bool CanTakeSteps(const TraversalExpr& expr);
  bool CanChoose(const Expr& branch, Type type);
  template <typename Check>
  bool Descend(const Expr& expr, Check check);

  // The type of all branches that tell theirs; dynamic when they differ, nothing when none does.
  std::optional<Type> BranchType(const Expr& expr, int depth = 0) const;
  std::optional<Type> TypeOfLeaf(const Expr& expr) const;
  std::optional<Value> ConstantOf(const Expr& expr, int depth = 0) const;
  const Function* FunctionOf(const CallExpr& expr) const;

  // What `expr` reads of the scope, if that is all that it does.
  std::optional<uint32_t> PathOf(const Expr& expr);
  uint16_t Operand(const Expr& expr);
  uint16_t PlainConstant(const Value& value);
  void Load(uint16_t operand, uint16_t dest);
  void YieldSteps(const TraversalExpr& expr, uint16_t dest);
  void YieldArithmetic(const BinaryExpr& expr, uint16_t dest);
  void YieldTruth(const Expr& expr, uint16_t dest, bool returns);
  void LoadBranches(const Expr& expr, Type type);
  // The operand that a branch was loaded to, if it was.
  std::optional<uint16_t> LoadedOperand(const Expr& branch) const;
  void YieldBranch(const Expr& expr, uint16_t dest, bool returns, PlainLabel* done);
  void Finish(const Value& value, uint16_t dest, bool returns);
  void TestBinary(const BinaryExpr& expr, bool when, PlainLabel* target);
  void TestEquality(const BinaryExpr& expr, bool when, PlainLabel* target);
  void TestCall(const CallExpr& expr, bool when, PlainLabel* target);
  void TestBranch(const Expr& expr, bool when, PlainLabel* target);
  // Emits `op` on the value of `expr`, or `path_op` on its path.
  void EmitTest(Opcode op, Opcode path_op, const Expr& expr, uint16_t b, PlainLabel* target);

  CodeGenerator& g_;
  int depth_ = 0;
  int nodes_ = 0;
  int tests_ = 0;
  bool reads_ = false;  // something that is not constant was seen
  const Expr* obstacle_ = nullptr;
  ShortList<LoadedBranch> loaded_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_PLAIN_GENERATOR_H_
