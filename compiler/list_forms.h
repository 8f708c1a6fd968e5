// Which calls of concat and flatten fast code puts together element by element, in place of the lists that they are
// given (compiler/core_lists.cc).
//
// All answers hold where nothing in the lists is unknown or marked.

#ifndef HCLVM_COMPILER_LIST_FORMS_H_
#define HCLVM_COMPILER_LIST_FORMS_H_

#include <algorithm>
#include <cstdint>

#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

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

// Whether its elements are made one by one.
bool IsMadeOfElements(const BoundExpr& expr);

// Whether the value is a tuple.
bool IsSureTuple(const BoundExpr& expr);

// Whether the elements of what concat gives are those of its arguments. Where all of these are lists, they are
// converted to one type.
bool KeepsElements(const BoundCall& concat, bool flat);

// Calls that are nested deeper are looked at again with each level.
inline constexpr uint16_t kMaxListHeight = 12;

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_LIST_FORMS_H_
