// The bound tree: an expression with everything that is known of it before it runs.
//
// Binding (compiler/bind.h) makes it from the syntax tree, in one pass; whoever comes after reads facts and works
// nothing out. How something is spelled is gone: parentheses and quotes around one interpolation are no nodes, quoted
// keys are names, a key that is a literal is a step of a path, loop variables that nothing reads are not there, a chain
// of one operator is one node. A literal is read once; what can be computed beforehand is a constant.
//
// Nodes live in the arena of their binder. Children stand before their parents, so that the nodes of a subtree are the
// ids from `first` to `id`, and facts beside the tree are arrays by id. Depth is bounded as that of the syntax tree is,
// with the same exception: the first operand of chains and the source of steps and indexes may nest without bound, and
// whoever walks them follows it in a loop.
//
// Specification: native-syntax.md, "Expressions", "Templates". Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_BOUND_TREE_H_
#define HCLVM_COMPILER_BOUND_TREE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Objects of up to so many parts are put together in one instruction, from as many registers; and tuples and templates,
// which otherwise grow part by part.
inline constexpr size_t kMaxInline = 64;
inline constexpr size_t kMaxInlineTuple = 1024;
inline constexpr size_t kMaxInlineText = 1024;

enum class BoundKind : uint8_t {
  kConstant,     // BoundConstant
  kPath,         // BoundPath
  kLocal,        // BoundLocal
  kSteps,        // BoundSteps
  kIndex,        // BoundIndex
  kCall,         // BoundCall
  kTuple,        // BoundTuple
  kObject,       // BoundObject
  kFor,          // BoundFor
  kUnary,        // BoundUnary
  kChain,        // BoundChain
  kConditional,  // BoundConditional
  kTemplate,     // BoundTemplate
  kTemplateFor,  // BoundTemplateFor
  kRaise,        // BoundRaise
};

// Base of all nodes. The facts hold for every run.
struct BoundExpr {
  BoundKind kind;
  // It is not null where it is known and no error.
  bool never_null = false;
  // Every function in it is pure.
  bool pure = true;
  // It does not fail if its operands do not, are known and not null, and are of the types that it takes them for.
  bool total = false;
  // It is a bool, null included, or fails, or is not known.
  bool sure_bool = false;
  // Levels of nodes in it, up to 65,535.
  uint16_t height = 1;
  // Tests that fast code for it has, not counting one on the value itself.
  uint32_t tests = 0;

  uint32_t id = 0;     // dense in its tree
  uint32_t first = 0;  // the subtree's nodes have ids from here to `id`
  // What it reads: positions in BoundTree::path_reads() and local_reads().
  uint32_t paths_begin = 0, paths_end = 0;
  uint32_t locals_begin = 0, locals_end = 0;

  // The type of its values, null included; dynamic where the text does not tell.
  Type type;

  SourceRange range;  // of itself
  SourceRange outer;  // with parentheses, and quotes around a single interpolation

  bool is_constant() const { return kind == BoundKind::kConstant; }
  bool reads() const { return paths_begin != paths_end || locals_begin != locals_end; }
  uint32_t size() const { return id - first + 1; }
  // Its type is static, and is that of bools, numbers or strings.
  bool has_primitive_type() const { return type.is_primitive(); }

 protected:
  BoundExpr(BoundKind k, SourceRange r) : kind(k), range(r), outer(r) {}
};

// `expr` as its concrete node. Requires that expr.kind == Node::kKind.
template <typename Node>
const Node& As(const BoundExpr& expr) {
  HCL_DCHECK(expr.kind == Node::kKind);
  return static_cast<const Node&>(expr);
}

struct BoundConstant : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kConstant;
  BoundConstant(SourceRange r, const Value& v) : BoundExpr(kKind, r), value(v) {}
  Value value;  // lives in the program
  // The literal that it was made of, a BoundTuple or BoundObject whose parts are nodes of the tree and which is none
  // itself; null for other constants.
  const BoundExpr* literal = nullptr;
  // A bool, number or string: what fast code takes as an operand.
  bool is_scalar() const { return value.is_bool() || value.is_number() || value.is_string(); }
};

// A constant step into a value.
struct BoundStep {
  Value key;          // lives in the program
  bool is_attribute;  // `.name`; otherwise in brackets, or a number after a dot
  SourceRange range;  // of the step
  SourceRange whole;  // of the traversal that it is part of
};

// A variable of the scope, with steps whose keys are strings and numbers.
class BoundTree;

// What the text says of a local of a module: fast code may stand on that in place of the local's value.
struct NamedTree {
  const BoundTree* tree = nullptr;
  uint32_t size = 0;          // its nodes, with those of the locals that it reads, as often as they are read
  uint32_t height = 0;        // likewise
  bool is_read_once = false;  // in the whole text of the module
};

struct BoundPath : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kPath;
  explicit BoundPath(SourceRange r) : BoundExpr(kKind, r) {}
  std::string_view name;
  static constexpr uint32_t kNoPath = UINT32_MAX;
  uint32_t slot = 0;
  uint32_t path = kNoPath;  // in the program's table; none where nobody asks for code (TreeBuilder::LeaveOutCode)
  absl::Span<const BoundStep> steps;
  absl::Span<const SourceRange> spans;  // the whole, the variable, each step
  const NamedTree* named = nullptr;     // of a local of a module that fast code may stand on
};

// A variable of a loop, the element of a splat, or what the host keeps in a register. The code generator says where.
struct LocalVariable {
  static constexpr uint32_t kNoLoop = UINT32_MAX;
  std::string_view name;  // empty for a splat's element
  uint32_t level = 0;     // how many locals are around it
  bool is_key = false;
  bool is_read = false;
  uint16_t reg = 0;
  uint32_t loop = kNoLoop;  // in the program's table, for messages
  // The variable of another loop that stands for the same element, while code is emitted that goes over both.
  const LocalVariable* joint = nullptr;

  const LocalVariable* root() const { return joint == nullptr ? this : joint; }
};

// Such a variable, with steps.
struct BoundLocal : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kLocal;
  explicit BoundLocal(SourceRange r) : BoundExpr(kKind, r) {}
  LocalVariable* local = nullptr;
  absl::Span<const BoundStep> steps;
};

// Constant steps into anything else.
struct BoundSteps : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kSteps;
  explicit BoundSteps(SourceRange r) : BoundExpr(kKind, r) {}
  const BoundExpr* source = nullptr;
  absl::Span<const BoundStep> steps;
};

struct BoundIndex : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kIndex;
  explicit BoundIndex(SourceRange r) : BoundExpr(kKind, r) {}
  const BoundExpr* source = nullptr;
  const BoundExpr* key = nullptr;
  SourceRange brackets;
};

struct BoundCall : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kCall;
  static constexpr uint32_t kNone = UINT32_MAX;
  explicit BoundCall(SourceRange r) : BoundExpr(kKind, r) {}
  const Function* function = nullptr;
  bool expand_last = false;
  absl::Span<const BoundExpr* const> arguments;
  uint32_t site = kNone;    // in the program's table; try and can, and sets of constants, need none
  uint32_t lookup = kNone;  // the prepared set of `contains([constants], x)`
  // The call, the name with its bracket, the closing bracket, and the beginning of each argument.
  absl::Span<const SourceRange> spans;

  bool is(Function::Special special) const { return function->special == special && !expand_last; }
};

struct BoundTuple : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kTuple;
  explicit BoundTuple(SourceRange r) : BoundExpr(kKind, r) {}
  absl::Span<const BoundExpr* const> elements;
};

struct BoundItem {
  const BoundExpr* key;  // a constant string where the key is a name, or a text
  const BoundExpr* value;
  uint32_t position;  // in the object's shape, if it has one
};

struct BoundObject : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kObject;
  explicit BoundObject(SourceRange r) : BoundExpr(kKind, r) {}
  bool unique_keys = false;  // as ObjectExpr's
  absl::Span<const BoundItem> items;
  // Where the keys are constant and distinct.
  const Shape* shape = nullptr;
  uint32_t shape_index = 0;  // in the program's table

  // Whether one instruction can put it together, from as many registers as there are items.
  bool is_short() const { return shape != nullptr && items.size() <= kMaxInline && shape_index <= UINT16_MAX; }
};

// What a loop goes over its elements with.
struct LoopVariables {
  // For suggestions only: names say nothing else any more.
  std::string_view key_name;  // empty when only one is given
  std::string_view value_name;
  LocalVariable* key = nullptr;  // null where nothing reads it
  LocalVariable* value = nullptr;
};

// What a splat is besides a loop over its source.
struct SplatParts {
  SourceRange marker;  // from the source's beginning
  SourceRange steps;   // from the marker on
  bool nests = false;  // there is a splat in what each element becomes, which may differ in type then
};

// `for`, and a splat: a loop without key and filter that takes a value that is no sequence for a list of itself, null
// for one of nothing, and makes a list of a list.
struct BoundFor : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kFor;
  explicit BoundFor(SourceRange r) : BoundExpr(kKind, r) {}
  const BoundExpr* collection = nullptr;
  LoopVariables variables;
  const BoundExpr* condition = nullptr;  // null without `if`
  const BoundExpr* key = nullptr;        // null for a tuple
  const BoundExpr* value = nullptr;
  bool group = false;
  uint32_t decision = 0;              // of the filter
  const SplatParts* splat = nullptr;  // null for `for`
};

struct BoundUnary : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kUnary;
  explicit BoundUnary(SourceRange r, UnaryOp o) : BoundExpr(kKind, r), op(o) {}
  UnaryOp op;
  const BoundExpr* operand = nullptr;
};

// One application of a chain's operator.
struct BoundApplication {
  SourceRange whole;
  SourceRange lhs;
};

// operands[0] op operands[1] op ...: from the left, as `(a - b) - c`. Comparisons and equality have two operands.
struct BoundChain : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kChain;
  explicit BoundChain(SourceRange r, BinaryOp o) : BoundExpr(kKind, r), op(o) {}
  BinaryOp op;
  absl::Span<const BoundExpr* const> operands;      // at least two
  absl::Span<const BoundApplication> applications;  // one less
  // Of a logical operator, the operands but for constants that decide nothing, such as true of `&&`.
  absl::Span<const BoundExpr* const> tested;
  uint32_t decision = 0;  // of the first application, if logical; then one each
  // A logical one in what try or can are given, where it makes something else of unknown values beside errors.
  bool in_attempt = false;
};

// The types that the branches of a conditional tell, through conditionals in them.
enum class BranchTypes : uint8_t { kNone, kOne, kSeveral };

// `condition ? if_true : if_false`, and a template's `if`, whose branches are texts.
struct BoundConditional : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kConditional;
  explicit BoundConditional(SourceRange r) : BoundExpr(kKind, r) {}
  const BoundExpr* condition = nullptr;
  const BoundExpr* if_true = nullptr;
  const BoundExpr* if_false = nullptr;
  BranchTypes branch_types = BranchTypes::kNone;
  Type branch_type;  // if it is one
  // Of the value, where the text tells both, and they differ, or are those of objects or lists: the branches' own where
  // it is the same, otherwise what both unify to. Dynamic for others.
  Type common_type;
  // Where all that it may yield are object literals of the same keys: these, with the types of their values as far as
  // the text tells them, bools, numbers and strings.
  const Shape* shape = nullptr;
  absl::Span<const Type> item_types;
  uint32_t objects = 0;     // how many there are
  bool open_items = false;  // two objects, with nulls, lists or objects in the text among their values
  uint32_t decision = 0;
};

// Parts that are joined to a string.
struct BoundTemplate : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kTemplate;
  explicit BoundTemplate(SourceRange r) : BoundExpr(kKind, r) {}
  absl::Span<const BoundExpr* const> parts;
};

struct BoundTemplateFor : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kTemplateFor;
  explicit BoundTemplateFor(SourceRange r) : BoundExpr(kKind, r) {}
  const BoundExpr* collection = nullptr;
  LoopVariables variables;
  const BoundExpr* body = nullptr;
};

// What always fails, with a diagnostic of the program.
struct BoundRaise : BoundExpr {
  static constexpr BoundKind kKind = BoundKind::kRaise;
  BoundRaise(SourceRange r, uint32_t d, SourceRange s) : BoundExpr(kKind, r), diagnostic(d), subject(s) {}
  uint32_t diagnostic;
  SourceRange subject;  // of the diagnostic
};

// The nodes of one expression. Not thread-safe.
class BoundTree {
 public:
  BoundTree() = default;
  BoundTree(const BoundTree&) = delete;
  BoundTree& operator=(const BoundTree&) = delete;

  // By id.
  absl::Span<BoundExpr* const> nodes() const { return nodes_; }
  const BoundExpr& root() const { return *nodes_.back(); }
  // Variables of the scope and locals, each where it is read, in the order of the text.
  absl::Span<const BoundPath* const> path_reads() const { return path_reads_; }
  absl::Span<const BoundLocal* const> local_reads() const { return local_reads_; }
  // Choices that a run makes: conditionals, sides of `&&` and `||`, filters.
  uint32_t decisions() const { return decisions_; }

  // Whether there may be two calls or loops, or a template in a loop, and whether there may be a loop: there is none
  // otherwise.
  bool may_repeat() const { return calls_ + loops_ > 1 || (loops_ > 0 && templates_ > 0); }
  bool may_have_loops() const { return loops_ > 0; }
  // Whether there may be a BoundRaise: there is none otherwise.
  bool may_raise() const { return raises_ > 0; }

  // Nodes of one number have the same value, or the same failure, where they stand in the same loops. By structure. All
  // numbers are made when the first is asked for.
  uint32_t ValueNumberOf(const BoundExpr& expr) const {
    if (value_numbers_.empty()) NumberValues();
    return value_numbers_[expr.id];
  }

  // Whether `expr` reads `local`. Time: what it reads of locals.
  bool Reads(const BoundExpr& expr, const LocalVariable* local) const {
    return std::any_of(local_reads_.begin() + expr.locals_begin, local_reads_.begin() + expr.locals_end,
                       [local](const BoundLocal* read) { return read->local == local; });
  }

 private:
  friend class TreeBuilder;

  void NumberValues() const;

  PlainList<BoundExpr*, 48> nodes_;
  PlainList<const BoundPath*, 16> path_reads_;
  PlainList<const BoundLocal*, 8> local_reads_;
  uint32_t decisions_ = 0;
  uint32_t calls_ = 0;  // that were made, also where they are no nodes any more
  uint32_t loops_ = 0;
  uint32_t templates_ = 0;
  uint32_t raises_ = 0;
  mutable std::vector<uint32_t> value_numbers_;  // by id; empty: not made
};

// The nodes, one a line: number, what it is with the numbers of its parts, and its facts.
std::string PrintBoundTree(const BoundTree& tree);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BOUND_TREE_H_
