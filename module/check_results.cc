// TypeChecker: what calls of functions give. Recursion follows the depth of types. Tested by
// module/type_checker_test.cc.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/fuel.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/function_checker.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What a rule for result types may take.
constexpr uint64_t kMaxFuel = 10'000;

bool IsSequence(const StaticType& type) {
  return type.kind == StaticKind::kList || type.kind == StaticKind::kSet || type.kind == StaticKind::kTuple;
}

bool IsMapping(const StaticType& type) { return type.kind == StaticKind::kMap || type.kind == StaticKind::kObject; }

// Whether two values of `type` are of one type, so that none is converted to the other's: an object that lacks an
// attribute of the other would get a null.
bool IsSettled(const StaticType& type) {
  if (type.kind == StaticKind::kAny || type.is_open) return false;
  if (type.element != nullptr) return type.is_exact && IsSettled(*type.element);
  return std::all_of(type.parts.begin(), type.parts.end(), [](const StaticType* part) { return IsSettled(*part); });
}

// Whether the type of the elements is not told.
bool IsVague(Type type) { return type.is_dynamic() || (type.is_collection() && type.element().is_dynamic()); }

bool HasNullElements(const StaticType& type) {
  if (type.element != nullptr) return type.element->nullable;
  return type.parts.empty() ||
         std::any_of(type.parts.begin(), type.parts.end(), [](const StaticType* part) { return part->nullable; });
}

}  // namespace

// A part of what is looked in, or the default. Null where it is no mapping whose parts are told.
const StaticType* TypeChecker::ResultOfLookup(const std::vector<const StaticType*>& arguments) {
  if (arguments.size() != 3) return nullptr;
  const StaticType& mapping = *arguments[0];
  const StaticType* found = mapping.element;
  if (mapping.kind == StaticKind::kObject && !mapping.is_open) {
    for (const StaticType* part : mapping.parts) {
      found = found == nullptr ? part : types_.Join(found, part, /*unifies=*/false);
    }
  }
  const bool is_mapping = mapping.kind == StaticKind::kObject || mapping.kind == StaticKind::kMap;
  return is_mapping && found != nullptr ? types_.Join(found, arguments[2], /*unifies=*/false) : nullptr;
}

// What fails in the function need not be reached in this call, so that it is no error.
const StaticType* TypeChecker::ResultOfBody(const BoundCall& call, const std::vector<const StaticType*>& arguments) {
  for (const StaticType* argument : arguments) {
    // That a null is an error has been said.
    if (argument->kind <= StaticKind::kNull && argument->kind != StaticKind::kAny)
      return types_.Of(StaticKind::kSilent);
  }
  Diagnostics found;
  const StaticType* const type = functions_->Call(*call.function, arguments, call.expand_last, &found);
  if (found.kept().empty() || !warns()) return type;
  const Diagnostic& first = found.kept()[0];
  Diagnostic diagnostic = first;
  diagnostic.severity = Severity::kWarning;
  diagnostic.detail = absl::StrCat("In ", call.function->name, ", at ", TextOf(Place{*first.subject, first.source}),
                                   ", for these arguments: ", first.detail);
  diagnostic.subject = call.range;
  diagnostic.context.reset();
  diagnostic.source = source_;
  warnings_->Add(std::move(diagnostic));
  return type;
}

// What a sequence or mapping of `type` has as elements, as one type; null where there are none, or nothing is known.
const StaticType* TypeChecker::ElementOf(const StaticType& type, bool unifies) {
  if (type.is_open) return nullptr;
  if (type.element != nullptr) return type.element;
  const StaticType* element = nullptr;
  for (const StaticType* part : type.parts) element = element == nullptr ? part : types_.Join(element, part, unifies);
  return element;
}

// What is left when sequences in sequences are taken apart. False where that is not known.
bool TypeChecker::AddLeaves(const StaticType& type, const StaticType** leaves) {
  const auto add = [&](const StaticType* part) {
    if (part->kind == StaticKind::kAny || (IsSequence(*part) && part->nullable)) return false;
    if (IsSequence(*part)) return AddLeaves(*part, leaves);
    *leaves = *leaves == nullptr ? part : types_.Join(*leaves, part, /*unifies=*/false);
    return true;
  };
  if (type.element != nullptr) return add(type.element);
  return std::all_of(type.parts.begin(), type.parts.end(), add);
}

// Of functions that put together the elements of their arguments, where their own rule cannot tell, as it knows of no
// types for lists that may be tuples. Null where nothing is known.
const StaticType* TypeChecker::ResultOfParts(const BoundCall& call, const std::vector<const StaticType*>& arguments) {
  const Function& function = *call.function;
  const bool is_merge = function.special == Function::Special::kMerge;
  const bool to_set = function.is_library_function("toset");
  const bool to_map = function.is_library_function("tomap");
  if (arguments.empty()) return nullptr;
  if (call.is(Function::Special::kFlatten)) {
    const StaticType* leaves = nullptr;
    const bool is_known = !call.expand_last && IsSequence(*arguments[0]) && AddLeaves(*arguments[0], &leaves);
    return is_known && leaves != nullptr ? types_.Collection(StaticKind::kList, leaves) : nullptr;
  }
  const bool is_conversion = to_set || to_map || function.is_library_function("tolist");
  if (!is_merge && !is_conversion && !call.is(Function::Special::kConcat)) return nullptr;
  const bool takes_mappings = is_merge || to_map;
  const StaticType* element = nullptr;
  // What a loop makes may have no elements, and then its elements have any type.
  bool is_exact = is_conversion;
  for (size_t n = 0; n < arguments.size(); ++n) {
    is_exact = is_exact && (arguments[n]->is_exact || !arguments[n]->parts.empty());
    const bool is_expanded = call.expand_last && n + 1 == arguments.size();
    const StaticType* const argument = is_expanded ? ElementOf(*arguments[n], /*unifies=*/false) : arguments[n];
    if (argument == nullptr) return nullptr;
    if (argument->kind == StaticKind::kNull && is_merge) continue;
    if (argument->is_open || !(takes_mappings ? IsMapping(*argument) : IsSequence(*argument))) return nullptr;
    const StaticType* const part = ElementOf(*argument, /*unifies=*/is_conversion);
    if (part == nullptr) continue;
    element = element == nullptr ? part : types_.Join(element, part, /*unifies=*/false);
  }
  if (element == nullptr || element->kind == StaticKind::kAny) return nullptr;
  // Elements of a tuple stay as they are; those of a list are converted to one type.
  if (!is_merge && !IsSettled(*element)) return nullptr;
  return types_.Collection(takes_mappings ? StaticKind::kMap
                           : to_set       ? StaticKind::kSet
                                          : StaticKind::kList,
                           element, is_exact);
}

// The function's own rule is asked, with unknown values of the types of the arguments; constants are what they are. A
// function that puts together what it gets has nulls in it where its arguments have.
const StaticType* TypeChecker::ResultOf(const BoundCall& call, const std::vector<const StaticType*>& arguments) {
  const Function& function = *call.function;
  if (functions_ != nullptr && functions_->Knows(function)) return ResultOfBody(call, arguments);
  const bool told = function.result_type_rule == nullptr;
  // What takes marks off or puts them on gives its argument.
  if (told && function.result_type.is_dynamic() && arguments.size() == 1 && function.parameter(0).allow_marked) {
    return arguments[0];
  }
  const bool nulls_inside = !told && std::any_of(arguments.begin(), arguments.end(), [](const StaticType* type) {
    return type->kind != StaticKind::kAny && type->holds_null;
  });
  const bool gives_part =
      call.is(Function::Special::kLookup) ||
      (call.is(Function::Special::kElement) && (arguments.empty() || HasNullElements(*arguments[0])));
  // What takes a null gives one, unless it says that it does not.
  bool passes_null = false;
  const size_t given = std::min(arguments.size(), function.max_arguments());
  for (size_t n = 0; n < given && !function.nulls_give_values; ++n) {
    passes_null = passes_null || (arguments[n]->nullable && function.parameter(n).allow_null);
  }
  const bool nullable =
      function.result_may_be_null || passes_null || (nulls_inside && gives_part) || call.is(Function::Special::kOne);
  if (told) {
    const StaticType* const parts = IsVague(function.result_type) ? ResultOfParts(call, arguments) : nullptr;
    if (parts != nullptr) return types_.WithNull(parts, nullable);
    const StaticType*& result = results_[{&function, nullable}];
    if (result == nullptr) result = types_.FromType(function.result_type, nullptr, nullable);
    return result;
  }
  if (call.expand_last) {
    const StaticType* const result = ResultOfParts(call, arguments);
    return result == nullptr ? types_.Of(StaticKind::kAny) : result;
  }
  if (call.is(Function::Special::kKeys) && arguments.size() == 1 &&
      (arguments[0]->kind == StaticKind::kAny || arguments[0]->is_open)) {
    return types_.Collection(StaticKind::kList, types_.Of(StaticKind::kString));
  }
  if (call.is(Function::Special::kLookup)) {
    if (const StaticType* const result = ResultOfLookup(arguments)) return result;
  }
  heap_.Reset();
  std::vector<Value> values;
  for (size_t n = 0; n < arguments.size(); ++n) {
    const BoundExpr& argument = *call.arguments[n];
    const Type type = types_.ToType(*arguments[n]);
    Value value = argument.is_constant() ? As<BoundConstant>(argument).value : Value::Unknown(type);
    const Type wanted = function.parameter(n).type;
    ConversionError error;
    if (!wanted.is_dynamic() && !Convert(value, wanted, &heap_, &value, &error)) return types_.Of(StaticKind::kSilent);
    values.push_back(value);
  }
  Fuel fuel(kMaxFuel);
  FunctionCall invoked(function, &heap_, &fuel);
  const Value result = InvokeFunction(&invoked, values);
  if (invoked.failed()) return types_.Of(StaticKind::kAny);  // CheckCall has looked at it
  const Type type = result.is_unknown() || result.is_error() ? invoked.result_type() : TypeOf(result, heap_.types());
  if (IsVague(type)) {
    if (const StaticType* const parts = ResultOfParts(call, arguments)) return types_.WithNull(parts, nullable);
  }
  if (type.is_dynamic()) return types_.Of(StaticKind::kAny);
  // The keys are texts of their own.
  const bool is_of_parts = !call.is(Function::Special::kKeys);
  return types_.WithNull(is_of_parts ? types_.FromParts(type, arguments) : types_.FromType(type, nullptr, false),
                         nullable);
}

}  // namespace hcl::internal
