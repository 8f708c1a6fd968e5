// Which calls of concat and flatten fast code puts together element by element, in place of the lists that they are
// given (compiler/plain_lists.cc).
//
// `Parts` is as in compiler/fast_forms.h. All answers hold where nothing in the lists is unknown or marked.

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

// Whether there is fast code for each element of `list`. `flat`: elements that are lists are taken apart as well.
template <typename Parts>
bool HasFastElements(const BoundExpr& list, bool flat, const Parts& parts);

template <typename Parts>
bool HasFastElement(const BoundExpr& element, bool flat, const Parts& parts) {
  return flat && IsMadeOfElements(element) ? HasFastElements(element, flat, parts) : parts.list(element);
}

template <typename Parts>
bool HasFastElements(const BoundExpr& list, bool flat, const Parts& parts) {
  switch (list.kind) {
    case BoundKind::kConstant:
      return true;
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(list).elements;
      return std::all_of(elements.begin(), elements.end(),
                         [&](const BoundExpr* element) { return HasFastElement(*element, flat, parts); });
    }
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(list);
      // Lists in a list would be converted to one type.
      if (loop.splat != nullptr && loop.splat->nests && !flat) return false;
      return parts.list(*loop.collection) && (loop.condition == nullptr || parts.test(*loop.condition)) &&
             HasFastElement(*loop.value, flat, parts);
    }
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(list);
      return parts.test(*choice.condition) && HasFastElements(*choice.if_true, flat, parts) &&
             HasFastElements(*choice.if_false, flat, parts);
    }
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(list);
      if (call.is(Function::Special::kFlatten)) return HasFastElement(*call.arguments[0], true, parts);
      return KeepsElements(call, flat) &&
             std::all_of(call.arguments.begin(), call.arguments.end(), [&](const BoundExpr* argument) {
               return IsMadeOfElements(*argument) ? HasFastElements(*argument, flat, parts) : parts.list(*argument);
             });
    }
    default:
      return false;
  }
}

// Calls that are nested deeper are looked at again with each level.
inline constexpr uint16_t kMaxListHeight = 12;

// Whether fast code makes what the call gives: a list that is there as a whole is better given to the function.
template <typename Parts>
bool HasFastList(const BoundCall& call, const Parts& parts) {
  const bool is_worthwhile = std::any_of(call.arguments.begin(), call.arguments.end(), [](const BoundExpr* argument) {
    return !argument->is_constant() && IsMadeOfElements(*argument);
  });
  return is_worthwhile && call.height <= kMaxListHeight && HasFastElements(call, /*flat=*/false, parts);
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_LIST_FORMS_H_
