// TypeChecker: what of an expression fails in every run, or may fail for what its variables are declared to be.
//
// Works on the bound tree. The type of each node is what is known of its values; conditions narrow what they test where
// it is read behind them. What is told as an error fails in every run that comes by it. What is told as a warning may
// fail: what stays without a warning does not fail for names, types, nulls or arity (docs/modules.md, "Check").
//
// Internal to modules. Tested by module/type_checker_test.cc.

#ifndef HCLVM_MODULE_TYPE_CHECKER_H_
#define HCLVM_MODULE_TYPE_CHECKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_cases.h"
#include "hclvm/module/type_observer.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

class FunctionChecker;

// What is known of a slot.
struct CheckedName {
  const StaticType* type = nullptr;
  Place place;  // of the declaration; none for locals
  // A local: it may have no value; a collection, and it may have no elements; how it is written, for as long as trees
  // are checked.
  bool may_fail = false;
  bool may_be_empty = true;
  const Expr* text = nullptr;
};

// Not thread-safe. Serves one module, tree after tree.
class TypeChecker {
 public:
  // Errors and warnings are added to these; without `warnings`, what may fail is not told. All must outlive it.
  TypeChecker(StaticTypes* types, Dialect dialect, Diagnostics* errors, Diagnostics* warnings);

  // Calls of functions that it knows are looked at; it must outlive this. A warning of a call has the code of what was
  // found in the function.
  void set_functions(FunctionChecker* functions) { functions_ = functions; }
  // Sees types of trees from here on; null: nobody does. It must outlive this.
  void set_observer(TypeObserver* observer) { observer_ = observer; }
  // Of a slot that trees from here on read.
  void Declare(uint32_t slot, CheckedName name);
  // The type of the root, whose ranges are in `source`. What is wrong is reported.
  const StaticType* Check(const BoundTree& tree, const Source* source);
  // Whether the tree that was checked last, in which no error was found, may fail in a run.
  bool MayFail() { return tree_->root().size() > kMaxNodes || !CannotFail(tree_->root(), kMaxLevels); }
  // The same of whether its value, which is of `type`, has no elements.
  bool MayBeEmpty(const StaticType& type) {
    return !warns() || type.element == nullptr || tree_->root().size() > kMaxNodes || MayBeEmpty(tree_->root());
  }
  // The tree that was checked last, which is of `type`, is the condition of a validation of the variable `slot`.
  // Nothing is converted for it. Trees from here on read what it says of the variable.
  void CheckValidation(uint32_t slot, const StaticType* type);

 private:
  // A variable, or a local of the tree, with steps whose keys are constant.
  struct Way {
    uint32_t slot = UINT32_MAX;
    const LocalVariable* local = nullptr;
    absl::Span<const BoundStep> steps;
  };
  // What is known of it here.
  struct Fact {
    Way way;
    const StaticType* type;
  };

  // type_checker.cc
  const StaticType* Infer(const BoundExpr& expr);
  const StaticType* InferInner(const BoundExpr& expr);
  const StaticType* InferSpine(const BoundExpr& expr);
  const StaticType* InferChain(const BoundChain& chain);
  const StaticType* InferConditional(const BoundConditional& choice);
  const StaticType* InferObject(const BoundObject& object);
  const StaticType* InferFor(const BoundFor& loop);
  const StaticType* InferTemplate(const BoundTemplate& text);
  const StaticType* InferSplat(const BoundFor& splat);
  // What a loop over a value of `type` goes over, and what its keys are.
  struct Elements {
    const StaticType* key;
    const StaticType* value;
  };
  Elements ElementsOf(const BoundExpr& collection, const StaticType* type);
  void SetLoop(const LoopVariables& variables, const Elements& elements);

  // check_operands.cc
  enum class Need : uint8_t { kNumber, kBool, kText, kKey };
  // Whether a value of `type`, that of `expr`, is what an operation needs; says so where it is not, or may not be.
  // `hint` follows the message where it never is.
  bool Check(Need need, const BoundExpr& expr, const StaticType* type, DiagnosticCode code, std::string_view what,
             std::string_view hint = "");
  static bool IsAlwaysNull(const BoundExpr& expr, const StaticType* type);
  // An operand of && or || that may be null, of whatever type: it is no error where the other side decides.
  void CheckLogicalNull(const BoundExpr& expr, const StaticType* type);
  // The type without null, after a warning where there may be one. False for what is certainly null, an error.
  bool TakeNull(const BoundExpr& expr, const StaticType** type, std::string_view what);
  bool TakeAny(const BoundExpr& expr, const StaticType* type, std::string_view what);
  bool NeverConverts(Need need, const BoundExpr& expr);
  void CheckKinds(const BoundChain& chain, absl::Span<const StaticType* const> operands);
  void TellDifference(SourceRange range, const StaticType& a, const StaticType& b, std::string_view answer,
                      std::string_view advice);
  bool IsDeclared(const BoundExpr& expr) const;
  bool TellLoneAttribute(const BoundChain& chain, absl::Span<const StaticType* const> operands,
                         std::string_view answer);
  // Warns of a text in a comparison of numbers.
  void CheckText(const BoundExpr& operand, const StaticType& type);
  void CheckNeverNull(const BoundChain& chain, absl::Span<const StaticType* const> operands);

  // check_steps.cc
  const StaticType* InferPath(const BoundPath& path);
  const StaticType* InferLocal(const BoundLocal& local);
  const StaticType* Follow(const Way& way, const StaticType* type, const Place& declared, const BoundExpr& expr);
  // Adds that the values before the end of the way `expr`, if it is one, are there.
  void AssumeOnWay(const BoundExpr& expr);
  const StaticType* TakeStep(const StaticType* type, const BoundStep& step, const std::string& text,
                             const Place& declared);
  // Whether it is [0].
  static bool IsFirst(const BoundStep& step) { return step.key.is_int() && step.key.AsInt() == 0; }
  const StaticType* TakeIndex(const StaticType* type, const BoundIndex& index);

  // check_calls.cc
  const StaticType* InferCall(const BoundCall& call);
  // Whether the argument may be right; says so where it is not.
  bool CheckArgument(const BoundCall& call, size_t n, const StaticType* type);
  bool CheckType(const BoundCall& call, size_t n, size_t of_parameter, const StaticType* type, bool may_be_none);
  bool CheckRest(const BoundCall& call, size_t n, const StaticType* whole);
  bool FitsAsConstant(const BoundCall& call, size_t n);

  // check_outcomes.cc
  struct Argument;
  struct Failure;
  // What a call does, as far as types and constants decide, which is told.
  Outcome CheckCall(const BoundCall& call, const std::vector<const StaticType*>& types);
  Outcome TryCall(const Function& function, absl::Span<const Argument> arguments, Failure* failure);
  bool Succeeds(const Function& function, absl::Span<const Value> arguments, Failure* failure);
  std::vector<Argument> Expanded(const BoundCall& call, const std::vector<const StaticType*>& types,
                                 size_t count) const;
  static bool IsOpenEnded(const BoundCall& call, const std::vector<const StaticType*>& types);
  void TellFailure(const BoundCall& call, Outcome outcome, const Failure& failure);
  // False where the conditional fails in every run, which is told.
  bool CheckBranches(const BoundConditional& choice, const StaticType* if_true, const StaticType* if_false);
  void CheckDivisors(const BoundChain& chain);
  // Levels of an expression that are looked at for whether it may fail.
  static constexpr int kMaxLevels = 16;
  static constexpr uint32_t kMaxNodes = 256;  // each is looked at once for each level
  bool CannotFail(const BoundExpr& expr, int levels);
  // Whether the value may be a null that has no type, and so fits beside every other.
  bool MayBeUntypedNull(const BoundExpr& expr, const StaticType& type) const;
  bool CannotFailInCall(const BoundCall& call, int levels);
  bool IsSurePath(const BoundExpr& expr);
  const StaticType* QuietTypeOf(const BoundExpr& expr);

  // check_results.cc
  const StaticType* ResultOf(const BoundCall& call, const std::vector<const StaticType*>& arguments);
  const StaticType* ResultOfBody(const BoundCall& call, const std::vector<const StaticType*>& arguments);
  const StaticType* ResultOfLookup(const std::vector<const StaticType*>& arguments);
  const StaticType* ResultOfParts(const BoundCall& call, const std::vector<const StaticType*>& arguments);
  const StaticType* ElementOf(const StaticType& type, bool unifies);
  bool AddLeaves(const StaticType& type, const StaticType** leaves);

  // check_empty.cc
  // Warns of a call that takes the greatest, the sum or the only one of what may have no elements.
  void CheckFilled(const BoundCall& call);
  void CheckFirst(const BoundExpr& list, SourceRange range);
  void TellEmpty(SourceRange range, std::string_view what);
  static constexpr int kMaxEmptyLevels = 8;  // levels of an expression that are looked at
  bool MayBeEmpty(const BoundExpr& expr, int levels = kMaxEmptyLevels);
  // Whether the loop goes over literal rules, in its own text or in that of a local, with a condition; and then whether
  // this is true of the last of them, as it is written.
  std::optional<bool> TakesLastRule(const BoundFor& loop) const;
  // Whether it is a loop that makes at least one element, as it is written.
  bool MakesAny(const BoundExpr& expr) const;
  void AssumeFilled(const BoundExpr& collection);
  void AssumeLength(const BoundChain& chain, bool truth);
  bool IsFilled(const BoundExpr& collection) const;
  bool IsFilled(const Way& way, size_t steps) const;
  // Keeps what is known at this place of the variable, for all trees from here on.
  void KeepFilled(uint32_t slot);
  bool IsAlwaysFilled(const Way& way, size_t steps) const;

  // check_facts.cc
  // How much is known at a place.
  struct Known {
    size_t facts;
    size_t sure;
    size_t keys;
    size_t filled;
  };
  Known known() const { return {facts_.size(), sure_.size(), keys_.size(), filled_.size()}; }
  // Adds what holds where `condition` is `truth`, up to the next ForgetTo().
  void Assume(const BoundExpr& condition, bool truth);
  void AssumeComparison(const BoundChain& chain, bool truth);
  void AssumeNotNull(const BoundExpr& expr);
  // It equals `constant`, or another constant of its type.
  void AssumeLike(const BoundExpr& expr, const Value& constant);
  void AssumeAmong(const BoundExpr& expr, const BoundExpr& list);
  bool WayOf(const BoundExpr& expr, Way* way) const;
  // Whether `known` is the first `steps` of `way`.
  static bool IsSameWay(const Way& known, const Way& way, size_t steps);
  const StaticType* FactOf(const Way& way, size_t steps) const;
  void AddFact(const BoundExpr& expr, const StaticType* type);
  void AddFact(const Way& way, const StaticType* type);
  void ForgetTo(const Known& known);

  // check_attempts.cc
  // `expr` has not failed, and so none of the parts that it always makes.
  void AddSure(const BoundExpr& expr);
  bool IsSure(const BoundExpr& expr) const;
  // `mapping` has the key.
  void AddKey(const BoundExpr& mapping, const BoundExpr& key);
  bool HasKey(const BoundIndex& index) const;
  // Where `expr` is try(x, c) with a constant c that `is_out`, as its result is none that c could be: x, which has not
  // failed. Otherwise `expr` itself.
  const BoundExpr& BehindTry(const BoundExpr& expr, absl::FunctionRef<bool(const Value&)> is_out);

  void Report(SourceRange range, DiagnosticCode code, std::string detail);
  // Of a constant that is never right: also where an attempt catches the failure.
  void ReportConstant(SourceRange range, std::string detail);
  void Add(SourceRange range, DiagnosticCode code, std::string detail);
  bool is_quiet() const { return quiet_ > 0; }
  // Asked before the text of a warning is made.
  bool warns() const { return warnings_ != nullptr && !is_quiet(); }

  StaticTypes& types_;
  Heap heap_;
  FunctionChecker* functions_ = nullptr;
  TypeObserver* observer_ = nullptr;
  Diagnostics& errors_;
  Diagnostics* warnings_;
  const Source* source_ = nullptr;
  const BoundTree* tree_ = nullptr;
  std::vector<CheckedName> names_;  // by slot
  HashMap<const LocalVariable*, const StaticType*> locals_;
  // Of functions of one result type, by whether the result may be null: such a type may be large, and its function
  // called often.
  HashMap<std::pair<const Function*, bool>, const StaticType*> results_;
  // What is known here: types of ways, value numbers of what does not fail, and those of mappings and their keys.
  std::vector<Fact> facts_;
  std::vector<uint32_t> sure_;
  std::vector<std::pair<uint32_t, uint32_t>> keys_;
  std::vector<const BoundExpr*> filled_;  // collections that have elements
  // Of a variable, where the attributes lead: a validation says that there are elements.
  struct Filled {
    uint32_t slot;
    std::vector<std::string> names;
  };
  std::vector<Filled> always_filled_;
  Arena steps_;         // of ways that are longer than what is written
  int quiet_ = 0;       // attempts around the node, whose failures are caught, and looks at it again
  int takes_null_ = 0;  // places around the node where a null is tested for
  int attempts_ = 0;    // of these, the attempts
  size_t unsaid_ = 0;   // findings that were not told because of them
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_TYPE_CHECKER_H_
