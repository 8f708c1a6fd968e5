// PlainSession: what the plain code of a whole loop over a literal list shares (compiler/literal_loop.h).
//
// The loop's variable stands for one element after the other. Whatever does not read it can be made by general code in
// the midst of the plain code; paths and values that stand in several places are kept in registers.
//
// Tested by compiler/literal_loop_test.cc.

#ifndef HCLVM_COMPILER_PLAIN_SESSION_H_
#define HCLVM_COMPILER_PLAIN_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/vm/intern_index.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// What the instruction PlainCheck asks of a value. Its operand B is one of these, so they are in the order in which
// vm/opcodes.def numbers them.
enum class PlainCheck : uint16_t {
  kBool,
  kNumber,
  kString,
  kScalar,
  kScalars,
  kNoError,
  kBoolOrBlank,  // an untyped null, or nothing
  kNumberOrBlank,
  kStringOrBlank,
  kBoolOrNothing,
  kUnmarked,  // in no part
  kNotNull,
  kKnown,     // whether its parts are or not
  kWhole,     // with all parts, and unmarked
  kSplat,     // a tuple, or a list or set with elements: without, general code looks what their type would make of the
              // steps
  kSide,      // as kBoolOrBlank, of a logical operator that fails with what is none of these
  kMapping,   // an object or map, or an untyped null
  kBoolSide,  // as kBoolOrNothing, of a logical operator that fails with what is none of these, but for null
};

// Whether every known value of the type, not null and not marked, passes.
bool Passes(Type type, PlainCheck check);

// That it is one of this type, which is primitive, an untyped null, or nothing.
inline PlainCheck BranchCheckOf(Type type) {
  return type == Type::Bool()     ? PlainCheck::kBoolOrBlank
         : type == Type::Number() ? PlainCheck::kNumberOrBlank
                                  : PlainCheck::kStringOrBlank;
}

// Not thread-safe. Serves one loop, whose tree must outlive it.
class PlainSession {
 public:
  // More paths and values are not kept.
  static constexpr size_t kMaxKnownValues = 256;

  // `loop` contains all that is asked about.
  PlainSession(const BoundTree& tree, const BoundFor& loop);

  // What the variable stands for from here on: an object or tuple, or a constant made of one, or another value. Its
  // parts do not read the variable.
  void Bind(const BoundExpr& element);
  // The object that it is, or null.
  const BoundObject* object() const { return object_; }
  // The values in an object or tuple; of another element, itself.
  absl::Span<const BoundExpr* const> parts() const { return parts_; }
  bool IsVariable(const LocalVariable* local) const { return local == variable_; }

  // What `expr` stands for, if it is the element or an item of it; otherwise itself.
  const BoundExpr& Inner(const BoundExpr& expr) const {
    return expr.kind == BoundKind::kLocal ? InnerOfLocal(As<BoundLocal>(expr)) : expr;
  }
  // Whether there is code for the value, for a test, and for verifying that there is one.
  bool CanYield(const BoundExpr& expr);
  bool CanTest(const BoundExpr& expr);
  bool CanVerify(const BoundExpr& expr);
  // Whether `inner` is a conditional of which only what is taken has to be verified.
  bool IsVerifiedByJumps(const BoundExpr& inner);
  // Whether `inner` is a call that reads the element, of a function that fast code has no form for.
  bool IsElementCall(const BoundExpr& inner) { return ReadsElement(inner) && !CanYieldNode(inner) && CanCall(inner); }
  // Its value is made by general code. Also of what nobody has asked about before.
  bool IsGeneral(const BoundExpr& expr) { return !ReadsElement(expr) && WayOf(expr) == Way::kGeneral; }

  // Paths and values of general code. Those that stand in several places are kept in registers.
  struct KnownValue {
    uint32_t number;  // of the value (BoundTree::ValueNumberOf)
    uint32_t uses = 0;
    uint16_t reg = 0;  // 0: none; the chunk's result is there
    bool is_there = false;
    uint32_t checks = 0;  // those that it has passed, as bits
  };
  // Counts how often `expr` reads each path and general value. Calls allocate() for a register for each that is read
  // more than once.
  template <typename Allocate>
  void CountReads(const BoundExpr& expr, const Allocate& allocate) {
    AppendReads(expr);
    for (const BoundExpr* read : reads_) {
      if (KnownValue* const value = CountRead(*read)) value->reg = allocate();
    }
    reads_.clear();
  }
  // The known value of `expr` that has a register, or null.
  KnownValue* Find(const BoundExpr& expr);

  // Code from here on does not know what the code so far has found out.
  void Forget();

  bool is_verified(const BoundExpr& expr) const { return verified_[expr.id - first_]; }
  void set_verified(const BoundExpr& expr) { verified_[expr.id - first_] = true; }

 private:
  // How the value of a node that does not read the variable is made.
  enum class Way : uint8_t { kUnknown, kFast, kGeneral, kNone };
  struct Parts;

  const BoundExpr& InnerOfLocal(const BoundLocal& expr) const;
  bool ReadsElement(const BoundExpr& expr) const { return tree_.Reads(expr, variable_); }
  Way WayOf(const BoundExpr& expr);
  bool CanYieldNode(const BoundExpr& expr);
  bool CanCall(const BoundExpr& expr);
  bool CanYieldItems(const BoundExpr& expr);
  bool CanVerifyNode(const BoundExpr& expr);
  void AppendReads(const BoundExpr& expr);
  KnownValue* CountRead(const BoundExpr& expr);
  KnownValue* FindNumber(uint32_t number);

  const BoundTree& tree_;
  const uint32_t first_;  // the loop's nodes have ids from here on
  const LocalVariable* const variable_;
  const BoundExpr* element_ = nullptr;
  const BoundObject* object_ = nullptr;
  const BoundTuple* tuple_ = nullptr;
  absl::InlinedVector<const BoundExpr*, 8> parts_;
  // By id, from first_ on.
  std::vector<Way> ways_;
  std::vector<bool> verifiable_known_, verifiable_;
  std::vector<bool> counted_, verified_;
  PlainList<KnownValue, 32> values_;
  InternIndex value_index_;  // by value number
  std::vector<const BoundExpr*> reads_;
};

// Whether it is a call of a total function whose parameters are all of types that can be checked.
bool IsTotalCall(const BoundExpr& expr);
// What a parameter of such a function asks of an argument: strings are made of any scalar.
PlainCheck CheckOfParameter(Type type);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_PLAIN_SESSION_H_
