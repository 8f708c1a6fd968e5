// What the function families share: declaring functions, looking at arguments, making results.
//
// Tested through the families: vm/functions/*_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_FUNCTION_SUPPORT_H_
#define HCLVM_VM_FUNCTIONS_FUNCTION_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What a parameter lets through to the rule and the body; see Parameter.
enum ParameterFlags : unsigned { kAllowNull = 1, kAllowUnknown = 2, kAllowDynamic = 4, kAllowAll = 7 };

Parameter Param(std::string name, Type type, unsigned flags = 0);

// A function of the library with a static result type (dynamic where a rule or the body decides).
Function Define(std::string name, std::vector<Parameter> parameters, Type result, FunctionBody body);
Function DefineVariadic(std::string name, std::vector<Parameter> parameters, Parameter variadic, Type result,
                        FunctionBody body);
// The same with a rule.
Function Define(std::string name, std::vector<Parameter> parameters, ResultTypeRule rule, FunctionBody body);
Function DefineVariadic(std::string name, std::vector<Parameter> parameters, Parameter variadic, ResultTypeRule rule,
                        FunctionBody body);
// A function whose last parameter, `optional`, may be left out.
Function DefineOptional(std::string name, std::vector<Parameter> parameters, Parameter optional, ResultTypeRule rule,
                        FunctionBody body);
// `function`, declared to be total (Function::total).
Function Total(Function function);
// `function`, which has a quick body (vm/functions/quick_bodies.h).
Function Quick(Function function);
// `function`, declared to take fuel for what it looks at (Function::charges).
Function Charging(Function function);
// `function`, declared to fail for types and nulls only (Function::fails_by_type).
Function FailingByType(Function function);
// `function`, of which a check tells more than its rule (Function::check).
Function Checked(ArgumentCheck check, Function function);
// `function`, declared to read only the elements of lists (Function::takes_tuples).
Function TakingTuples(Function function);
// `function`, which the compiler knows (Function::special).
Function KnownAs(Function::Special special, Function function);

// Types that the declarations need; immutable, alive until the process ends.
struct CommonTypes {
  TypeTable table;
  Type list_of_dynamic = table.List(Type::Dynamic());
  Type list_of_bool = table.List(Type::Bool());
  Type list_of_string = table.List(Type::String());
  Type list_of_number = table.List(Type::Number());
  Type set_of_dynamic = table.Set(Type::Dynamic());
  Type set_of_bool = table.Set(Type::Bool());
  Type set_of_string = table.Set(Type::String());
  Type set_of_number = table.Set(Type::Number());
  Type map_of_dynamic = table.Map(Type::Dynamic());
  Type map_of_string_lists = table.Map(list_of_string);
};
const CommonTypes& Common();

// The kind of the type of `value`, nulls and unknowns included.
TypeKind KindOf(const Value& value);

// The element type of a value of a list, set or map type, nulls and unknowns included.
Type ElementTypeOf(const Value& value);

// For a conversion that a body makes: its failure is read where the call's is, and the call pays for it.
ConversionError NewError(FunctionCall* call);

// Whether a value of that kind is a list, a set or a tuple, or may be one.
bool MayBeSequence(TypeKind kind);

// Whether some value that `argument` may become can be converted to `type`. Of an unknown argument its type tells.
bool MayConvert(FunctionCall* call, const Value& argument, Type type);

// True when one of `values` is an unknown value itself.
bool AnyUnknown(absl::Span<const Value> values);

// True when all of `values` have one type.
bool AllSameType(absl::Span<const Value> values);

// The string of `text`, which lives as long as the result; normalizes where needed, and pays for that.
Value NormalizedView(std::string_view text, FunctionCall* call);
// The same for a text that lives elsewhere.
Value NormalizedCopy(std::string_view text, FunctionCall* call);

// The number as an index or count: nullopt unless it is a whole number of int64_t, which all are inline. Inline itself,
// since an optional that is returned takes longer than all else here.
inline std::optional<int64_t> WholeNumber(const Value& number) {
  if (number.is_int()) return number.AsInt();
  return std::nullopt;
}

// The same of an argument that is a size or count; otherwise the call fails, which `what` begins to tell: "the size".
inline std::optional<uint64_t> CountArgument(FunctionCall* call, absl::Span<const Value> arguments, size_t place,
                                             std::string_view what) {
  const std::optional<int64_t> number = WholeNumber(arguments[place]);
  if (number && *number >= 0) return static_cast<uint64_t>(*number);
  call->ArgumentError(place, [&] { return std::string(what) + " must be a whole number, and not negative"; });
  return std::nullopt;
}

// A hash that equal values (Tri::kTrue of EqualsTri) share. Time: the value's size.
uint64_t HashValue(const Value& value);

// Room for `size` elements to be filled; a list or set's element type is `element`.
Sequence* NewList(FunctionCall* call, uint64_t size, Type element);
Sequence* NewTuple(FunctionCall* call, uint64_t size);
// The finished list or tuple.
Value FinishList(Sequence* list);
Value FinishTuple(Sequence* tuple);
// As FinishList, for elements that are in the order of sets.
Value FinishSet(Sequence* set);

// Units of fuel for looking at `value` as a whole, at `count` elements of a sequence but not into them, and at `bytes`
// of a text as fast as memory is read.
inline uint64_t CostOf(const Value& value) { return value.weight() / 4; }
inline uint64_t CostOfElements(uint64_t count) { return count / 4; }
inline uint64_t CostOfBytes(uint64_t bytes) { return bytes / 64; }
// And for sorting or hashing `count` values that weigh `weight`.
uint64_t CostOfSorting(uint64_t count, uint64_t weight);
uint64_t CostOfHashing(uint64_t count, uint64_t weight);

// Looks whether the host wants the work to stop, once in 64 KiB of what a loop goes over that is paid for already.
class Pace {
 public:
  explicit Pace(FunctionCall* call) : call_(call) {}
  // For that many bytes more, or for what takes as long. False when the call has failed.
  bool Step(uint64_t bytes) {
    if (bytes < left_) {
      left_ -= bytes;
      return true;
    }
    left_ = kBytes;
    return call_->Look();
  }

 private:
  static constexpr uint64_t kBytes = 64 << 10;

  FunctionCall* call_;
  uint64_t left_ = kBytes;
};

// Whether `count` values of `bytes_each`, or that many bytes, may be made; reports the limit when not.
bool FailCannotMake(FunctionCall* call);  // false
inline bool CanMake(FunctionCall* call, uint64_t count, uint64_t bytes_each = sizeof(Value)) {
  // Both factors may come from the input.
  uint64_t bytes;
  if (!__builtin_mul_overflow(count, bytes_each, &bytes) && call->heap()->CanAllocate(bytes)) return true;
  return FailCannotMake(call);
}

// Reports that a conversion has failed: as an error about `argument` (of the call as a whole: -1), or as a limit.
Value ConversionFailed(FunctionCall* call, int argument, const ConversionError& error);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_FUNCTION_SUPPORT_H_
