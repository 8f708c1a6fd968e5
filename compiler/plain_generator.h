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
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Jumps to one place that is not known yet.
using PlainLabel = ShortList<uint32_t>;

// Whether `expr` is the word null.
bool IsNullLiteral(const Expr& expr);

// What the instruction PlainCheck asks of a value. Its operand B is one of these, so they are in the order in which
// vm/opcodes.def numbers them.
enum class PlainCheck : uint16_t { kBool, kNumber, kString, kScalar, kScalars, kNoError };

// What the plain code of a whole loop over a literal list shares (compiler/literal_loop.h).
struct PlainSession {
  // `name` stands for `element`. Its items are expressions of the scope around the loop and do not read `name`.
  std::string_view name;
  const ObjectExpr* element = nullptr;
  // Expressions that have no plain code, with their sizes; general code makes their values for it.
  absl::flat_hash_map<const Expr*, int> general;
  // Paths and values of general code. Those that stand in several places are kept in registers.
  struct KnownValue {
    uint32_t uses = 0;
    uint16_t reg = 0;  // 0: none; the chunk's result is there
    bool is_there = false;
    uint32_t checks = 0;  // those that it has passed, as bits
  };
  std::vector<KnownValue> values;
  absl::flat_hash_map<std::string, size_t> value_numbers;  // by their text
  absl::flat_hash_map<const Expr*, size_t> values_of;
  absl::flat_hash_set<const Expr*> verified;
  // The shapes of objects that are made, and where each item stands in them.
  struct KnownKeys {
    uint16_t shape = 0;
    ShortList<uint32_t> positions;
  };
  absl::flat_hash_map<const ObjectExpr*, KnownKeys> keys;
  // How many conditions there are around the code that is being emitted. When there is none, what the code finds out
  // holds for all code behind it.
  int branches = 0;
  uint32_t begin = 0;  // of the plain code since the last general code
  ShortList<PlainRegion> regions;
};

// Whether all keys of the object are names, distinct, and not too many for one instruction.
bool HasNames(const ObjectExpr& object);

// Serves one expression, or one session. Not thread-safe.
class PlainGenerator {
 public:
  // The generator must outlive this one, and so must the session, which may be null.
  explicit PlainGenerator(CodeGenerator* generator, PlainSession* session = nullptr)
      : g_(*generator), session_(session) {}

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

  // Whether there are registers enough for what a session may need.
  bool HasRoom() const { return g_.next() + 2 * kMaxNodes < static_cast<int>(kMaxPlainRegisters); }
  // Whether there is code for the value, for a test, and for Verify().
  bool CanYield(const Expr& expr);
  bool CanTest(const Expr& expr);
  bool CanVerify(const Expr& expr);
  // Code that leaves unless `expr` yields a value that passes `check`, which is all that is asked of it: most of the
  // work need not be done.
  void Verify(const Expr& expr, PlainCheck check);
  // The operand that `expr` is, or the register that its value was put into.
  uint16_t Operand(const Expr& expr);
  // Counts how often `expr` reads each path and general value, and chooses registers for what is read more than once.
  void CountReads(const Expr& expr);
  // `expr` without parentheses, and what it stands for if it is an item of the session's element.
  const Expr& Inner(const Expr& expr) const {
    const Expr& inner = Unwrap(expr);
    return session_ == nullptr ? inner : ItemOf(inner);
  }
  // The regions of the code so far.
  void BeginRegion() { session_->begin = g_.builder_->here(); }
  void EndRegion();

  // While it lives, code is emitted that does not always run.
  class Branch {
   public:
    explicit Branch(PlainGenerator* generator) : session_(generator->session_) {
      if (session_ != nullptr) ++session_->branches;
    }
    ~Branch() {
      if (session_ != nullptr) --session_->branches;
    }
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;

   private:
    PlainSession* session_;
  };
  // `operand` as one of general code.
  uint16_t InRegister(uint16_t operand);

 private:
  // Larger expressions have general code only; a jump reaches 65,535 instructions.
  static constexpr int kMaxDepth = 100;
  static constexpr int kMaxNodes = 2000;
  static constexpr int kMaxSessionNodes = 16'000;
  static constexpr size_t kMaxKnownValues = 256;
  static constexpr int kMaxFoldDepth = 8;

  // Branches of conditionals whose type only their value tells: they are loaded and checked before anything else.
  struct LoadedBranch {
    const Expr* expr;
    uint16_t operand;
  };

  bool Fail(const Expr& expr) { return obstacle_ = &expr, false; }
  const Expr& ItemOf(const Expr& inner) const;
  bool CanYieldNode(const Expr& expr);
  bool CanYieldItems(const Expr& expr);
  bool CanTestNode(const Expr& expr);
  bool CanTestBinary(const BinaryExpr& expr);
  bool CanTestCall(const CallExpr& expr);
  bool IsLength(const CallExpr& expr) const;
  bool CanYieldCall(const CallExpr& expr);
  bool FirstTestReads(const Expr& expr, std::string_view key, std::string_view value) const;
  bool ReadsVariables(const Expr& expr);
  bool Reads(const Expr& expr, std::string_view key, std::string_view value) const;
  bool HasLookup(const CallExpr& expr) const;
  // Whether general code may make the value of `expr` for plain code: it has no effects, and does not read the
  // session's element. Notes it if so.
  bool TakeGeneral(const Expr& expr);
  bool IsGeneral(const Expr& expr) const { return session_ != nullptr && session_->general.contains(&expr); }
  bool ReadsElement(const Expr& expr) const;
  bool IsTotal(const CallExpr& expr) const;
  std::optional<Type> StaticType(const Expr& expr) const { return g_.StaticType(Inner(expr)); }
  bool CanTakeSteps(const TraversalExpr& expr);
  bool CanChoose(const Expr& branch, Type type);
  bool CountNode() { return ++nodes_ <= (session_ != nullptr ? kMaxSessionNodes : kMaxNodes); }
  // check(), one level deeper.
  template <typename Check>
  bool Descend(const Expr& expr, Check check) {
    if (!CountNode() || depth_ > kMaxDepth) return Fail(expr);
    ++depth_;
    const bool suits = check();
    --depth_;
    return suits;
  }

  // The type of all branches that tell theirs; dynamic when they differ, nothing when none does.
  std::optional<Type> BranchType(const Expr& expr, int depth = 0) const;
  std::optional<Type> TypeOfLeaf(const Expr& expr) const;
  std::optional<Value> ConstantOf(const Expr& expr, int depth = 0) const;
  const Function* FunctionOf(const CallExpr& expr) const { return g_.FunctionOf(expr); }

  // What `expr` reads of the scope, if that is all that it does.
  std::optional<uint32_t> PathOf(const Expr& expr);
  void CountRead(const Expr& expr);
  // The register that keeps the value of `expr`, after code that puts it there if need be; null without one.
  PlainSession::KnownValue* KnownValueOf(const Expr& expr);
  bool VerifyByParts(const Expr& expr, PlainCheck check);
  void VerifyParts(absl::Span<const Expr* const> parts);
  void VerifyTemplateIf(const TemplateIfExpr& expr);
  bool CannotFail(const CallExpr& expr, PlainCheck check) const;
  bool NeedsNoCheck(const Expr& expr, PlainCheck check) const;
  // The same as Operand(), behind code that checks the value.
  uint16_t CheckedOperand(const Expr& expr, PlainCheck check);
  void YieldGeneral(const Expr& expr, uint16_t dest, PlainCheck check);
  void YieldObject(const ObjectExpr& expr, uint16_t dest);
  void YieldTuple(const TupleExpr& expr, uint16_t dest);
  void YieldTemplate(const TemplateExpr& expr, uint16_t dest);
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
  PlainSession* const session_;
  int depth_ = 0;
  int nodes_ = 0;
  int tests_ = 0;
  bool reads_ = false;  // something that is not constant was seen
  const Expr* obstacle_ = nullptr;
  ShortList<LoadedBranch> loaded_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_PLAIN_GENERATOR_H_
