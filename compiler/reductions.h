// Reductions: loops whose elements are all that is asked for, as in `anytrue([for r in rules : r.on])`, so that fast
// code keeps one value and makes no list.
//
// Tested by compiler/core_values_test.cc.

#ifndef HCLVM_COMPILER_REDUCTIONS_H_
#define HCLVM_COMPILER_REDUCTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What is asked of the elements. Each of them is evaluated in any case: the list fails if one does.
struct Reduction {
  enum class Kind : uint8_t {
    kNone,
    kAllTrue,   // alltrue(loop)
    kAnyTrue,   // anytrue(loop)
    kLength,    // length(loop)
    kSum,       // sum(loop)
    kLeast,     // min(loop...)
    kGreatest,  // max(loop...)
    kContains,  // contains(loop, needle)
    kFirst,     // loop[0], and what comes to the same (FirstOf)
    kOne,       // one(loop)
  };

  Kind kind = Kind::kNone;
  const BoundFor* loop = nullptr;
  const BoundExpr* needle = nullptr;    // of kContains
  absl::Span<const BoundStep> steps{};  // behind the first element, of kFirst
  bool is_by_call = false;              // of kFirst: as FirstElement's
  const Value* otherwise = nullptr;     // likewise
  // Numbers in front of the loop's, of kSum, kLeast and kGreatest: `sum(concat([0], loop))`.
  absl::Span<const Value> before{};

  explicit operator bool() const { return kind != Kind::kNone; }
};

// Whether it puts numbers together, of which there must be one.
constexpr bool FoldsNumbers(Reduction::Kind kind) {
  return kind == Reduction::Kind::kSum || kind == Reduction::Kind::kLeast || kind == Reduction::Kind::kGreatest;
}

// Whether it is an error where no element is.
constexpr bool FailsEmpty(const Reduction& reduction) {
  return FoldsNumbers(reduction.kind) && reduction.before.empty();
}

// Nodes that each element of the loop meets.
inline uint64_t NodesOfPass(const BoundFor& loop) {
  return uint64_t{loop.value->size()} + (loop.condition == nullptr ? 0 : loop.condition->size());
}

// In the code of all elements together, where an element meets more than a few; and constants in a list.
inline constexpr uint64_t kMaxUnrolledNodes = 64'000;
inline constexpr uint64_t kFewNodes = 16;
inline constexpr uint64_t kMaxUnrolledConstants = 2000;
// Whether `expr` may be a reduction or have a first element, FirstOf(): nearly none has a loop where they have one.
inline bool MayTakeLoop(const BoundExpr& expr) {
  const BoundExpr* list = nullptr;
  if (expr.kind == BoundKind::kSteps) {
    list = As<BoundSteps>(expr).source;
  } else if (expr.kind == BoundKind::kCall && !As<BoundCall>(expr).arguments.empty()) {
    list = As<BoundCall>(expr).arguments[0];
  }
  return list != nullptr && (list->kind == BoundKind::kFor || list->kind == BoundKind::kCall);
}

// The reduction that `expr` is, or none.
Reduction FindReduction(const BoundExpr& expr);
inline Reduction ReductionOf(const BoundExpr& expr) { return MayTakeLoop(expr) ? FindReduction(expr) : Reduction(); }

// The loop that makes a list of whose first element alone `expr` is made, by more steps: `loop[0].name`,
// `element(loop, 0)`, `slice(loop, 0, 1)[0]`, `concat(loop, [])[0]` and the like, which fail without elements; or
// `concat(loop, ["x"])[0]`, which does not.
struct FirstElement {
  const BoundFor* loop = nullptr;
  absl::Span<const BoundStep> steps{};
  bool is_by_call = false;  // a function finds it, whose result has the marks of all elements
  // What `expr` is where the loop yields no element, steps included; null where it fails then. Lives as long as the
  // tree.
  const Value* otherwise = nullptr;
};
FirstElement FirstOf(const BoundExpr& expr);

// An element of a list that stands in the text, one by one. Those that are cut off are evaluated all the same.
struct ListedElement {
  const BoundExpr* expr;
  bool is_cut_off;
};
using ListedElements = std::vector<ListedElement>;

// Whether `expr` is such a list: a literal, several in concat or flatten, part of one by slice, or the values of an
// object literal, as a loop over it takes them. Appends its elements, in order. Time: its elements, times its height.
bool ListElements(const BoundExpr& expr, ListedElements* elements);
// Whether it may be one, which costs nothing to find out.
bool MayBeListed(const BoundExpr& expr);

// The object or tuple literal that `expr` is, or was before it became a constant; null for others.
const BoundObject* ObjectLiteral(const BoundExpr& expr);
const BoundTuple* TupleLiteral(const BoundExpr& expr);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_REDUCTIONS_H_
