// A slow, obviously right evaluator: walks the tree, evaluates everything, and keeps errors in lists.
//
// It says a second time, as plainly as possible, what expressions mean: the specification, and where that is silent the
// reference implementation. Tests compare the virtual machine with it. It shares the leaves with the library (numbers,
// conversion, unification, equality, refinements, the function call protocol and the functions), and nothing of the
// compiler, the interpreter or vm/operations.
//
// Where it knowingly departs from the reference, a comment says so and why. Recursive: for expressions of test size.

#ifndef HCLVM_TESTS_SLOW_TREE_EVALUATOR_H_
#define HCLVM_TESTS_SLOW_TREE_EVALUATOR_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// One error.
struct Problem {
  std::string summary;
  SourceRange range;
  bool is_limit = false;

  friend bool operator==(const Problem& a, const Problem& b) {
    return a.summary == b.summary && a.range == b.range && a.is_limit == b.is_limit;
  }
};
using Problems = std::vector<Problem>;

// What an expression yields: a value, or the problems that it has no value for.
struct Outcome {
  Outcome(const Value& v) : value(v) {}             // NOLINT(google-explicit-constructor)
  Outcome(Problems p) : problems(std::move(p)) {}   // NOLINT(google-explicit-constructor)
  Outcome(Problem p) : problems({std::move(p)}) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value.has_value(); }

  std::optional<Value> value;  // unless there are problems
  Problems problems;
};

// Appends the problems of `outcome`.
void Append(const Outcome& outcome, Problems* problems);

// Where the rules of the language, as the reference has them, let an answer for unknown input differ from the answer
// for the real one, or a value from its type. What an evaluation came by.
struct Doubts {
  // A conditional with a branch that failed, or of which nothing is known: the other branch is not converted to the
  // type that both would unify to.
  bool untyped_branch = false;
  // A function that unifies its arguments or their elements, and one of which nothing is known: the others are taken as
  // if it were not there.
  bool untyped_argument = false;
  // `&&` or `||` of which one side has failed: this counts or not as the other side has it, and a side that fails is
  // not checked for being a bool.
  bool failed_side = false;
  // try() or can() with an argument that reads unknown values and has a known value all the same: optimism, since with
  // the real values it may fail.
  bool optimistic_attempt = false;
  // The elements of a set one after the other, some of them unknown: nobody knows at which place they will stand.
  bool unordered_set = false;
  // A null where no other value of its type would do: converted to any type (only by the specification), under a splat,
  // merged.
  bool tolerated_null = false;
  // A branch that failed, or of which nothing is known, whose form tells its type.
  bool type_of_form = false;
  // A splat of a list or set gives a list, also where what it gives for the elements differs in type.
  bool mixed_splat = false;

  // Those of another evaluation as well.
  void Add(const Doubts& other);
};

class TreeEvaluator {
 public:
  // Both must outlive the evaluator; results live in `heap`, which also says which dialect is spoken.
  TreeEvaluator(const FunctionRegistry& functions, Heap* heap) : functions_(functions), heap_(heap) {}

  // The value of `expr` with the attributes of `variables`, an object, as its variables.
  Outcome Evaluate(const Expr& expr, const Value& variables);
  // Of the last evaluation.
  const Doubts& doubts() const { return doubts_; }

  // Who is told of each evaluation of a node, before and after it. Without those in templates that templatestring
  // makes, and those of filters for elements that are none.
  class Observer {
   public:
    virtual void Enter(const Expr& expr) = 0;
    virtual void Leave(const Expr& expr, const Outcome& outcome) = 0;

   protected:
    ~Observer() = default;
  };
  // Must outlive the evaluations; null: nobody.
  void set_observer(Observer* observer) { observer_ = observer; }

 private:
  // One local variable, innermost first. The element under a splat is a variable that no identifier can name.
  struct Scope {
    std::string_view name;
    Value value;
    const Scope* outer;
  };
  // Items of a `for` or splat.
  struct Element {
    Value key;
    Value value;
  };

  Outcome Eval(const Expr& expr, const Scope* scope);
  Outcome EvalNode(const Expr& expr, const Scope* scope);

  // tree_evaluator.cc
  Outcome Literal(const LiteralExpr& expr);
  Outcome Variable(std::string_view name, SourceRange range, const Scope* scope);
  std::optional<Value> Find(std::string_view name, const Scope* scope);
  Outcome Traversal(const TraversalExpr& expr, const Scope* scope);
  Outcome Step(const Value& value, const TraversalStep& step);
  Outcome Index(const IndexExpr& expr, const Scope* scope);

  // tree_access.cc
  Outcome GetAttribute(const Value& value, std::string_view name, SourceRange range);
  Outcome GetElement(const Value& value, const Value& key, SourceRange range);
  Outcome ElementOfSequence(const Value& value, const Value& key, SourceRange range);
  Outcome ElementOfMapping(const Value& value, const Value& key, SourceRange range);

  // tree_operators.cc
  Outcome Unary(const UnaryExpr& expr, const Scope* scope);
  Outcome Binary(const BinaryExpr& expr, const Scope* scope);
  Outcome Equality(BinaryOp op, const Value& a, const Value& b);
  Outcome Arithmetic(const BinaryExpr& expr, const Value& a, const Value& b);
  Outcome Logical(const BinaryExpr& expr, const Outcome& lhs, const Outcome& rhs);
  Outcome Conditional(const Expr& condition, const Expr& if_true, const Expr* if_false, const Scope* scope);
  Outcome UnknownResult(const Outcome& yes, const Outcome& no, const Expr& if_true, const Expr* if_false,
                        hcl::Type type);
  bool NeverNullByForm(const Expr& expr);
  // The type of whatever `expr` yields, where its form alone says so.
  std::optional<hcl::Type> TypeOfForm(const Expr& expr);

  // tree_collections.cc
  Outcome Tuple(const TupleExpr& expr, const Scope* scope);
  Outcome Object(const ObjectExpr& expr, const Scope* scope);
  Outcome ObjectKey(const ObjectItem& item, const Scope* scope);

  // tree_loops.cc
  Outcome For(const ForExpr& expr, const Scope* scope);
  Outcome ForTuple(const ForExpr& expr, const std::vector<Element>& elements, const Scope* scope);
  Outcome ForObject(const ForExpr& expr, const std::vector<Element>& elements, const Scope* scope);
  bool HasUnknownLength(const Value& set);
  Outcome Filter(const ForExpr& expr, const Element& element, const Scope* scope);
  Outcome EvalWith(const Expr& expr, std::string_view key_name, std::string_view value_name, const Element& element,
                   const Scope* scope);
  Outcome Collection(const Expr& collection, const Scope* scope);
  std::vector<Element> Elements(const Value& collection);
  Outcome Splat(const SplatExpr& expr, const Scope* scope);
  Outcome SplatOfSequence(const SplatExpr& expr, const Value& source, const Scope* scope);
  Outcome ListOfSplat(const SplatExpr& expr, std::vector<Value> values);
  Outcome SplatOfUnknown(const SplatExpr& expr, const Value& source, const Scope* scope);

  // tree_templates.cc
  // A string of which `known`, the beginning, is all that is known.
  Value UnknownString(std::string_view known);
  Outcome Template(const TemplateExpr& expr, const Scope* scope);
  Outcome TemplateFor(const TemplateForExpr& expr, const Scope* scope);

  // tree_calls.cc
  Outcome Call(const CallExpr& expr, const Scope* scope);
  // An argument of try() or can(); not wholly known values as the dynamic value.
  Outcome Attempt(const Expr& argument, const Scope* scope);
  Outcome Try(const CallExpr& expr, const Scope* scope);
  Outcome TryExpanded(const CallExpr& expr, const Function& function, const Scope* scope);
  std::optional<Problem> CheckExpanded(const Value& expanded, const Expr& argument);
  bool IsOpenSequence(const Value& value);
  Outcome Can(const CallExpr& expr, const Scope* scope);
  Outcome TemplateString(const CallExpr& expr, const Value& text, const Value& variables);
  Outcome CallWith(const CallExpr& expr, const Function& function, std::vector<Outcome> arguments);
  void NoteArgument(const Function& function, const Value& argument, const Value& converted);
  std::optional<Problem> CheckCount(const CallExpr& expr, const Function& function, size_t count);

  std::optional<Value> Converted(const Value& value, hcl::Type type);
  hcl::Type TypeOfValue(const Value& value) { return TypeOf(value, heap_->types()); }
  Value NewString(std::string_view text);

  const FunctionRegistry& functions_;
  Heap* heap_;
  Value variables_;
  Doubts doubts_;
  int attempts_ = 0;          // calls of try and can around the expression at hand
  int unknown_reads_ = 0;     // variables read so far that were not wholly known
  bool in_template_ = false;  // that templatestring evaluates
  Observer* observer_ = nullptr;
};

// Where the reference's diagnostics about an argument point.
SourceRange StartRange(const Expr& expr);
SourceRange ArgumentRange(const CallExpr& expr, size_t n);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_TREE_EVALUATOR_H_
