// What the text tells of lists: which stand in it element by element, which are made of elements, and who takes these
// one by one, so that fast code makes no list between them.
//
// All answers hold where nothing in the lists is unknown or marked. Tested by compiler/core_lists_test.cc.

#ifndef HCLVM_COMPILER_CORE_LIST_FACTS_H_
#define HCLVM_COMPILER_CORE_LIST_FACTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What the text says of the local that `expr` reads as a whole; null for others.
inline const NamedTree* NamedBy(const BoundExpr& expr) {
  return expr.kind == BoundKind::kPath && As<BoundPath>(expr).steps.empty() ? As<BoundPath>(expr).named : nullptr;
}

// Who takes the elements of a list. Each of them is evaluated in any case: the list fails if one does.
struct ListConsumer {
  CoreOp op = CoreOp::kNone;  // of loops
  const BoundExpr* list = nullptr;
  const BoundExpr* needle = nullptr;    // of kContains
  absl::Span<const BoundStep> steps{};  // behind the first element, of kFirstOf
  bool is_by_call = false;              // of kFirstOf: a function finds it, whose result has the marks of all elements

  explicit operator bool() const { return op != CoreOp::kNone; }
};

// Whether `expr` may be one: nearly nothing has a list where they have one.
inline bool MayTakeElements(const BoundExpr& expr) {
  const BoundExpr* list = nullptr;
  if (expr.kind == BoundKind::kSteps) {
    list = As<BoundSteps>(expr).source;
  } else if (expr.kind == BoundKind::kCall && !As<BoundCall>(expr).arguments.empty()) {
    list = As<BoundCall>(expr).arguments[0];
  }
  return list != nullptr && (list->kind == BoundKind::kFor || list->kind == BoundKind::kCall ||
                             list->kind == BoundKind::kTuple || NamedBy(*list) != nullptr);
}

// Who takes the first element of `list`, where `steps` begin with that, and of what it has, the rest of them; or none.
ListConsumer FirstOfSteps(const BoundExpr& list, absl::Span<const BoundStep> steps);

// The consumer that `expr` is, or none.
ListConsumer FindConsumer(const BoundExpr& expr);
inline ListConsumer ConsumerOf(const BoundExpr& expr) {
  return MayTakeElements(expr) ? FindConsumer(expr) : ListConsumer();
}

// Nodes that each element of the loop meets.
inline uint64_t NodesOfPass(const BoundFor& loop) {
  return uint64_t{loop.value->size()} + (loop.condition == nullptr ? 0 : loop.condition->size());
}

// Whether the code of a pass may stand there for each of `count` elements of a list of `size` nodes: all of them
// together meet not many more nodes than the text has. A loop has the code once.
inline constexpr uint64_t kFewNodes = 16;
constexpr bool MayUnroll(uint64_t count, uint64_t nodes_of_pass, uint64_t size) {
  return count * nodes_of_pass <= size + nodes_of_pass + 2 * kFewNodes;
}
// Constants in such a list.
inline constexpr uint64_t kMaxUnrolledConstants = 2000;

// An element of a list that stands in the text, one by one. Those that are cut off are evaluated all the same.
struct ListedElement {
  const BoundExpr* expr;
  bool is_cut_off;
};
using ListedElements = std::vector<ListedElement>;

// Whether `expr` is such a list: a literal, several in concat or flatten, one reversed, part of one by slice, or the
// values of an object literal, as a loop over it takes them. Appends its elements, in order. Time: its elements, times
// its height.
bool ListElements(const BoundExpr& expr, ListedElements* elements);
// Whether it may be one, which costs nothing to find out.
bool MayBeListed(const BoundExpr& expr);

// The object or tuple literal that `expr` is, or was before it became a constant; null for others.
const BoundObject* ObjectLiteral(const BoundExpr& expr);
const BoundTuple* TupleLiteral(const BoundExpr& expr);

// A call of concat with arguments, or of flatten.
inline bool IsListCall(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall) return false;
  const auto& call = As<BoundCall>(expr);
  if (call.is(Function::Special::kConcat)) return !call.arguments.empty();
  return call.is(Function::Special::kFlatten) && call.arguments.size() == 1;
}

// Whether all elements of the list are of one type that the text tells, of bools, numbers or strings. *type: of those
// so far; dynamic where there are none.
bool HaveOneType(const BoundExpr& list, Type* type);

// Whether it is a choice between lists in the text. It gives a list of another type than either of them where they
// differ in length, but the same elements.
bool IsListChoice(const BoundExpr& expr);

// Whether it is `[]`.
inline bool IsEmptyList(const BoundExpr& expr) {
  return expr.is_constant() && As<BoundConstant>(expr).value.is_tuple() && As<BoundConstant>(expr).value.size() == 0;
}

// Whether its elements are made one by one.
bool IsMadeOfElements(const BoundExpr& expr);

// Whether no element of what is made so is a list, which flatten would take apart.
bool HasFlatElements(const BoundExpr& list);

// Whether the value is a tuple.
bool IsSureTuple(const BoundExpr& expr);

// Whether the elements of what concat gives are those of its arguments. Where all of these are lists, they are
// converted to one type.
bool KeepsElements(const BoundCall& concat, bool flat);

// Calls that are nested deeper are looked at again with each level.
inline constexpr uint16_t kMaxListHeight = 12;

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_LIST_FACTS_H_
