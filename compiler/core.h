// Core: the tree that fast code is made from.
//
// Lowering (compiler/core_lowering.h) makes it from the bound tree, rules (compiler/rules.def) rewrite it while it is
// made, and the emitter (compiler/core_emitter.h) turns it into instructions. It has some 16 kinds of nodes, so that
// how something was spelled is gone: conditions are `if`s, chains are operations of two operands, a path is a row of
// steps from a variable.
//
// Equal nodes are one node, so that a pointer says what a value is. A node means: the value of the expression for
// known, unmarked values of the usual kinds. For others, and where the expression fails, fast code takes a side exit
// to the slow path, which starts over. A rule must hold for the usual values, and must keep what makes the source fail.
//
// Nodes live in the arena of the tree. Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_H_
#define HCLVM_COMPILER_CORE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Which kinds of values a node may have where fast code goes on behind it, a bit each.
using KindSet = uint16_t;
inline constexpr KindSet kBoolKind = 1;
inline constexpr KindSet kNumberKind = 2;
inline constexpr KindSet kStringKind = 4;
inline constexpr KindSet kNullKind = 8;
inline constexpr KindSet kStructureKind = 16;  // a tuple, list, set, object or map
inline constexpr KindSet kOtherKind = 32;      // what is unknown or marked, and what only the slow path knows
inline constexpr KindSet kScalarKinds = kBoolKind | kNumberKind | kStringKind;
inline constexpr KindSet kAnyKind = 63;

enum class CoreKind : uint8_t {
  kConst,    // value
  kSlot,     // variable `index` of the scope
  kStep,     // args[0], then the constant key `value`
  kIndex,    // args[0][args[1]]
  kPrim,     // `op` of the arguments
  kAll,      // all arguments are true: what stands behind one that is false does not count
  kAny,      // one argument is true, likewise
  kIf,       // args[0] ? args[1] : args[2]
  kChoice,   // the same, of branches whose type only the values tell: a null has the type of the other branch
  kTry,      // the first of the arguments that does not fail
  kCan,      // whether args[0] does not fail
  kCall,     // the function of `origin`, a BoundCall
  kText,     // the texts of the arguments, joined
  kObject,   // of the shape of `origin`, a BoundObject; the arguments are its attributes, by position
  kTuple,    // of the arguments
  kVar,      // variable `index` of a loop: twice its depth for the element, one more for the key
  kLocal,    // the variable of a loop around all of it, which is in register `index`
  kGeneral,  // what the slow path makes of `origin`; the arguments are the values of `locals`
  kLoop,     // what `op` makes of the elements that the producer args[0] gives

  // Producers: what gives elements to a loop, one after the other.
  kItems,   // those of the collection args[0] of depth `index`: for each, the producer args[1]; args from 2 on must be
            // there, and unmarked, or pass their checks, where it has none
  kGuard,   // the producer args[1] where args[0] is true
  kSeq,     // one argument, a producer, after the other
  kNeed,    // the producer or value args[0], where the others are there
  kYield,   // the element args[0]
  kSpread,  // the elements of args[0], as TupleExtend takes them by `index`
  kEither,  // the producer args[1] where args[0] is true, args[2] where it is not
  kOpen,    // the producer args[0], in which failures exit, also in what is tried
};

// Bits of CoreNode::flags.
// Of a loop: a function finds the element, whose result has all marks, or makes the list, for which all has to be
// known. Of a text: likewise. Of what the slow path makes: it has another form, which is not for this.
inline constexpr uint8_t kByFunction = 1;
// Of a path: its type is declared, so that it is there, and a bool, number or string, where it is known.
inline constexpr uint8_t kDeclared = 1;
// Of a choice: the text tells the type of args[1], or args[2], for which the value does not count then.
inline constexpr uint8_t kTellsTrue = 1;
inline constexpr uint8_t kTellsFalse = 2;
inline constexpr uint8_t kNeedsElements = 2;  // of items: without any, the slow path looks for mistakes in a filter
inline constexpr uint8_t kOverMapping = 4;    // of items: an object or map
inline constexpr uint8_t kOverKeys = 8;       // likewise; the element is the key
inline constexpr uint8_t kOverSplat = 16;     // of items: a tuple, or a list or set that is not empty
inline constexpr uint8_t kReadsKey = 32;      // of items: somebody reads the key
inline constexpr uint8_t kBackwards = 128;    // of items: from the last element on
inline constexpr uint8_t kNamesKey = 64;      // of items: the text names it, so that they may well be a mapping's

// Bit of the index of a piece: where there is no such one, a function may give another.
inline constexpr uint32_t kOtherPiece = 1 << 16;

struct CoreNode {
  explicit CoreNode(CoreKind k, CoreOp o = CoreOp::kNone) : kind(k), op(o) {}

  CoreKind kind;
  CoreOp op;
  KindSet kinds = kAnyKind;
  uint32_t id = 0;     // dense in its tree; arguments have smaller ones
  uint32_t index = 0;  // of a slot or lookup set; of a step, its path in the program's table, if it has one
  uint32_t size = 1;   // nodes in it, those that stand in several places in each
  uint32_t reach = 1;  // the longest jump in its code, as `size`
  uint32_t width = 1;  // the registers that it takes at a time, likewise
  uint32_t free = 0;   // depths of the loops whose variables it reads, a bit each
  uint32_t loops = 0;  // depths of the loops in it, likewise
  uint32_t hash = 0;
  const CoreNode* next = nullptr;  // of the same place in the tree's index
  uint16_t uses = 0;               // places where it stands, up to 65,535
  uint8_t flags = 0;
  Value value;                              // of a constant, and the key of a step
  const BoundExpr* origin = nullptr;        // a node that means the same, for ranges
  absl::Span<LocalVariable* const> locals;  // of what the slow path makes: the variables that it reads
  absl::Span<const CoreNode* const> args;

  bool is(CoreOp which) const { return kind == CoreKind::kPrim && op == which; }
  bool is_const() const { return kind == CoreKind::kConst; }
  bool is_bool(bool which) const { return is_const() && value.is_bool() && value.is_true() == which; }
  // A bool, number or string in the text.
  bool is_scalar() const { return is_const() && (value.is_bool() || value.is_number() || value.is_string()); }
  bool is_null() const { return is_const() && value.is_null(); }
};

// Whether it fails where fast code finds that a part of it does. Of a logical operator, the other side may decide.
bool FailsWithParts(const CoreNode& node);

// The arguments that are made whenever the node is.
absl::Span<const CoreNode* const> SureArgs(const CoreNode& node);

// Whether fast code makes jumps of it and no value.
inline bool IsCondition(const CoreNode& node) {
  return node.kind == CoreKind::kAll || node.kind == CoreKind::kAny || node.kind == CoreKind::kCan ||
         (node.kind == CoreKind::kPrim && node.kinds == kBoolKind);
}
// Whether it is a bool wherever fast code goes on behind it, or null, or what exits.
inline bool IsSureOfBool(const CoreNode& node) { return (node.kinds & ~(kBoolKind | kNullKind | kOtherKind)) == 0; }
// A choice between constants.
inline bool IsOfConstants(const CoreNode& node) {
  return node.kind == CoreKind::kIf && node.args[1]->is_const() && node.args[2]->is_const();
}

// Loops nest so deep in fast code.
inline constexpr uint32_t kMaxLoopDepth = 15;

// What has a longer jump, or takes more registers, has no fast code: a jump reaches 65,535 instructions, and there are
// 16,384 registers.
inline constexpr uint32_t kMaxCoreReach = 5000;
// `size` of what is larger is one more.
inline constexpr uint32_t kMaxCoreSize = 1U << 22;

inline constexpr uint32_t kNoIndex = UINT32_MAX;

// Whether a jump on `condition` makes `node` before it decides anything. `fails_with_logic`: no operand of a logical
// operator decides where another one has failed.
bool AlwaysMakes(const CoreNode& condition, const CoreNode& node, bool fails_with_logic = true, int depth = 8);

// The nodes of one expression. Not thread-safe.
class CoreTree {
 public:
  // The arena must outlive the tree, and so must what values point to.
  explicit CoreTree(Arena* arena) : arena_(*arena) {}
  Arena* arena() { return &arena_; }
  CoreTree(const CoreTree&) = delete;
  CoreTree& operator=(const CoreTree&) = delete;

  // The node that is equal to `node` in kind, operation, index, value and arguments, which are copied; or what a rule
  // makes of it. Time: constant, but for rules, each of which makes a few nodes.
  const CoreNode* Make(const CoreNode& node, absl::Span<const CoreNode* const> args = {});

  const CoreNode* Const(const Value& value);
  const CoreNode* Bool(bool value) { return Const(Value::Bool(value)); }
  const CoreNode* Prim(CoreOp op, absl::Span<const CoreNode* const> args, const BoundExpr* origin = nullptr,
                       uint32_t index = 0);
  const CoreNode* Not(const CoreNode* node) { return Prim(CoreOp::kNot, {&node, 1}); }

  // By id.
  absl::Span<CoreNode* const> nodes() const { return nodes_; }
  // Counts the uses of all nodes that `root` has, itself included.
  void CountUses(const CoreNode& root);

 private:
  friend const CoreNode* ApplyRules(CoreTree* tree, const CoreNode& node);

  static constexpr size_t kFirstPlaces = 64;  // a power of two, like all later numbers

  const CoreNode* Intern(const CoreNode& node);
  void Grow();

  Arena& arena_;
  PlainList<CoreNode*, 64> nodes_;
  // Nodes by the lower bits of their hashes, in lists.
  const CoreNode* first_places_[kFirstPlaces] = {};
  absl::Span<const CoreNode*> places_ = absl::MakeSpan(first_places_);
};

// What a rule of compiler/rules.def makes of `node`, whose arguments no rule changes any more; null where none fits.
const CoreNode* ApplyRules(CoreTree* tree, const CoreNode& node);

// As an expression in prefix form, such as `if(equal(a.x 1) "one" b.y)`. A node that stands in several places is shown
// in each.
std::string PrintCore(const CoreNode& node);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_H_
