// Functions and the call protocol. Tested by vm/function_test.cc.

#include "hclvm/vm/functions/function.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "hclvm/base/absl_string.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/refinement.h"

namespace hcl {

using internal::ToAbsl;

void FunctionCall::Say(std::string message) {
  has_message_ = true;
  new (&message_) std::string(std::move(message));
}

void FunctionCall::Forget() {
  if (has_message_) message_.~basic_string();
  failed_ = has_message_ = out_of_fuel_ = is_limit_ = false;
  argument_ = -1;
}

Value FunctionCall::Error(std::string_view message) {
  if (Fails()) Say(std::string(message));
  return Value();
}

Value FunctionCall::Error(MakeText message) {
  if (Fails()) Say(message());
  return Value();
}

Value FunctionCall::ArgumentError(size_t argument, std::string_view message) {
  if (!failed_) argument_ = static_cast<int>(argument);
  return Error(message);
}

Value FunctionCall::ArgumentError(size_t argument, MakeText message) {
  if (!failed_) argument_ = static_cast<int>(argument);
  return Error(message);
}

// What ends the evaluation is always said.
Value FunctionCall::LimitError(std::string_view message) {
  if (failed_) return Value();
  failed_ = is_limit_ = true;
  Say(std::string(message));
  return Value();
}

const std::string& FunctionCall::NoMessage() {
  static const auto* const none = new std::string;
  return *none;
}

bool FunctionCall::OutOfFuel() {
  if (!failed_) out_of_fuel_ = true;
  LimitError("the call needs more steps than are allowed (limit max_fuel)");
  return false;
}

bool FunctionCall::Look() {
  if (fuel_ == nullptr || fuel_->Look()) return true;
  if (!failed_) out_of_fuel_ = true;
  LimitError("the call was interrupted");
  return false;
}

// What the declaration promises, so that an unknown result can be refined to not null without running the body.
bool Function::never_null() const {
  if (!result_type.is_primitive() || result_may_be_null) return false;
  if (nulls_give_values) return true;
  if (variadic && variadic->allow_null) return false;
  for (const Parameter& p : parameters) {
    if (p.allow_null) return false;
  }
  return true;
}

// information-model.md, "Functions and Function Calls", step by step: nulls and dynamic values argument by argument,
// then the result type, then unknown arguments. The rule runs even when the result is unknown, because the type of an
// unknown result matters; it sees unknown arguments, the body sees them only where a parameter asks for them. A dynamic
// argument forces the dynamic type, and so spares the rule.
Value InvokeFunction(FunctionCall* call, absl::Span<const Value> arguments) {
  const Function& function = call->function();
  bool any_unknown = false;
  bool is_dynamic = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value& argument = arguments[i];
    if (!argument.is_null() && !argument.is_unknown()) continue;
    const Parameter& parameter = function.parameter(i);
    const bool is_unsuitable = argument.null_or_unknown_type().is_dynamic() && !parameter.allow_dynamic;
    if (argument.is_unknown()) {
      any_unknown |= !parameter.allow_unknown || is_unsuitable;
    } else if (!parameter.allow_null && !is_dynamic) {
      return call->ArgumentError(i, "the argument must not be null");
    }
    // As in the reference, a dynamic argument ends the checks of those behind it.
    is_dynamic |= is_unsuitable;
  }
  Type type;
  if (!is_dynamic) {
    type = function.result_type_rule != nullptr ? function.result_type_rule(call, arguments) : function.result_type;
    if (call->failed()) return Value();
    HCL_DCHECK(!function.result_type.is_primitive() || type == function.result_type);
  }
  call->set_result_type(type);
  if (any_unknown) return function.never_null() && !is_dynamic ? UnknownNotNull(type) : Value::Unknown(type);
  return function.body(call, arguments);
}

// Not in the header, which all that registers functions includes: maps of this kind are costly to compile.
struct FunctionRegistry::Functions {
  internal::HashMap<std::string, std::unique_ptr<const Function>> by_name;
};

FunctionRegistry::FunctionRegistry() : functions_(std::make_unique<Functions>()) {}
FunctionRegistry::~FunctionRegistry() = default;
FunctionRegistry::FunctionRegistry(FunctionRegistry&& other) noexcept = default;
FunctionRegistry& FunctionRegistry::operator=(FunctionRegistry&& other) noexcept = default;

std::string_view internal::WithoutCore(std::string_view name) {
  constexpr std::string_view kCore = "core::";
  return name.substr(0, kCore.size()) == kCore ? name.substr(kCore.size()) : name;
}

// Whoever looks for a function does so here: all that is said of a call holds for both of its spellings.
const Function* FunctionRegistry::Find(std::string_view name) const {
  const auto& by_name = functions_->by_name;
  auto found = by_name.find(ToAbsl(name));
  if (found != by_name.end()) return found->second.get();
  const std::string_view plain = internal::WithoutCore(name);
  if (plain.size() == name.size()) return nullptr;
  found = by_name.find(ToAbsl(plain));
  return found == by_name.end() || !found->second->in_core ? nullptr : found->second.get();
}

std::vector<std::string_view> FunctionRegistry::Names() const {
  std::vector<std::string_view> names;
  names.reserve(functions_->by_name.size());
  for (const auto& [name, function] : functions_->by_name) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// Functions are behind pointers, so that Find() can hand out pointers which stay valid while the map grows.
FunctionRegistryBuilder& FunctionRegistryBuilder::Add(Function function) {
  if (!internal::IsKnownNfc(function.name)) function.name = internal::ToNfc(function.name);
  std::string name = function.name;
  registry_.functions_->by_name[name] = std::make_unique<const Function>(std::move(function));
  return *this;
}

// What is pure is looked at here, since functions may replace others up to now.
std::shared_ptr<const FunctionRegistry> FunctionRegistryBuilder::Build() && {
  for (const auto& [name, function] : registry_.functions_->by_name) registry_.is_pure_ &= function->pure;
  return std::make_shared<const FunctionRegistry>(std::move(registry_));
}

}  // namespace hcl
