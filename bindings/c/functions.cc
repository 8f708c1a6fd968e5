// Sets of functions, and functions of the host. Tested by bindings/c/functions_test.cc.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

struct hclvm_call {
  hcl::FunctionCall* call;
  hclvm_heap heap;
  size_t arguments;  // how many there are
};

// What was added, in this order, and the registry of that once somebody has asked for it.
struct hclvm_functions {
  std::mutex mutex;
  std::vector<std::variant<hcl::FunctionFamily, hcl::Function>> added;
  std::shared_ptr<const hcl::FunctionRegistry> registry;
};

namespace hcl::internal {
namespace {

// What the body of a host's function needs; Function::state keeps it as long as anything can call the function.
struct HostFunction {
  HostFunction() : types(nullptr) {}
  HostFunction(const HostFunction&) = delete;
  HostFunction& operator=(const HostFunction&) = delete;
  ~HostFunction() {
    if (free_context != nullptr) free_context(context);
  }

  Heap types;  // in which the types of the declaration live
  hclvm_function_body body = nullptr;
  void* context = nullptr;
  void (*free_context)(void*) = nullptr;
};

// Calls the host. A host that is written in C++ may throw against the rules, which ends here.
hclvm_status CallBody(const HostFunction& host, hclvm_call* call, absl::Span<const Value> arguments,
                      const hclvm_value** result) {
  absl::InlinedVector<const hclvm_value*, 8> handles;
  for (const Value& argument : arguments) handles.push_back(HandleOf(&argument));
#if defined(__cpp_exceptions)
  try {
    return host.body(call, host.context, handles.data(), handles.size(), result);
  } catch (...) {
    call->call->Error("it threw an exception");
    return HCLVM_INVALID;
  }
#else
  return host.body(call, host.context, handles.data(), handles.size(), result);
#endif
}

// The FunctionBody of all functions of hosts. The host is not trusted with what the machine relies on: the result's
// type is that of the declaration, and it is no deeper than a value of an evaluation. Only the first error of a call
// counts, so that what is said here is said where the host has said nothing.
Value CallHost(FunctionCall* call, absl::Span<const Value> arguments) {
  const auto& host = *static_cast<const HostFunction*>(call->function().state.get());
  hclvm_call handle{call, hclvm_heap{call->heap(), nullptr, {}}, arguments.size()};
  const hclvm_value* result = nullptr;
  const hclvm_status status = CallBody(host, &handle, arguments, &result);
  if (status == HCLVM_LIMIT) return call->LimitError("a limit was reached in it");
  if (status != HCLVM_OK || call->failed()) return call->Error("it failed without a reason");
  if (result == nullptr) return call->Error("it has returned no value");
  Value value = ValueOf(result);
  if (value.depth() > call->heap()->limits().max_nesting_depth) {
    return call->LimitError("its result is nested too deeply (limit max_nesting_depth)");
  }
  const Type wanted = call->function().result_type;
  if (wanted == Type::Dynamic() || HasType(value, wanted)) return value;
  ConversionError wrong;
  if (Convert(ValueOf(result), wanted, call->heap(), &value, &wrong)) return value;
  const std::string message = "its result is wrong: " + wrong.ToString();
  return wrong.is_limit ? call->LimitError(message) : call->Error(message);
}

// "upper", "net::ip".
bool IsFunctionName(std::string_view name) {
  for (size_t end; (end = name.find("::")) != std::string_view::npos; name.remove_prefix(end + 2)) {
    if (!IsIdentifier(name.substr(0, end))) return false;
  }
  return IsIdentifier(name);
}

// A type of a declaration; null stands for "any".
hclvm_status ReadDeclaredType(const char* text, HostFunction* host, Type* type, hclvm_error** error) {
  *type = Type::Dynamic();
  return text == nullptr ? HCLVM_OK : ReadType(text, HCLVM_TERMINATED, &host->types, type, error);
}

hclvm_status ReadParameter(const hclvm_parameter& given, HostFunction* host, Parameter* parameter,
                           hclvm_error** error) {
  std::string_view name;
  if (given.name == nullptr) return Fail(HCLVM_ARGUMENT, "The name of a parameter is NULL.", error);
  if (!ReadUtf8(given.name, HCLVM_TERMINATED, "The name of a parameter", &name, error)) return HCLVM_ARGUMENT;
  if ((given.flags & ~uint32_t{HCLVM_ALLOW_NULL | HCLVM_ALLOW_UNKNOWN}) != 0) {
    return Fail(HCLVM_ARGUMENT, "A parameter has flags that there are not.", error);
  }
  parameter->name = std::string(name);
  parameter->allow_null = (given.flags & HCLVM_ALLOW_NULL) != 0;
  parameter->allow_unknown = (given.flags & HCLVM_ALLOW_UNKNOWN) != 0;
  parameter->allow_dynamic = parameter->allow_unknown;
  return ReadDeclaredType(given.type, host, &parameter->type, error);
}

// Reads a declaration. The context goes to the function only when all else is right, since after a failure it is the
// caller's.
hclvm_status ReadFunction(const hclvm_function& given, Function* function, hclvm_error** error) {
  constexpr size_t kMostParameters = 1000;
  std::string_view name;
  if (given.name == nullptr) return Fail(HCLVM_ARGUMENT, "The name of the function is NULL.", error);
  if (!ReadUtf8(given.name, HCLVM_TERMINATED, "The name of the function", &name, error)) return HCLVM_ARGUMENT;
  if (!IsFunctionName(name)) return Fail(HCLVM_ARGUMENT, "The name of the function is no identifier.", error);
  if (given.body == nullptr) return Fail(HCLVM_ARGUMENT, "The body of the function is NULL.", error);
  if (given.parameter_count > kMostParameters || (given.parameters == nullptr && given.parameter_count != 0)) {
    return Fail(HCLVM_ARGUMENT, "The parameters of the function are NULL or too many.", error);
  }
  auto host = std::make_shared<HostFunction>();
  function->name = std::string(name);
  function->parameters.resize(given.parameter_count);
  for (size_t i = 0; i < given.parameter_count; ++i) {
    const hclvm_status status = ReadParameter(given.parameters[i], host.get(), &function->parameters[i], error);
    if (status != HCLVM_OK) return status;
  }
  if (given.variadic != nullptr) {
    const hclvm_status status = ReadParameter(*given.variadic, host.get(), &function->variadic.emplace(), error);
    if (status != HCLVM_OK) return status;
  }
  const hclvm_status status = ReadDeclaredType(given.result_type, host.get(), &function->result_type, error);
  if (status != HCLVM_OK) return status;
  function->body = CallHost;
  function->pure = given.is_impure == 0;
  function->result_may_be_null = true;
  host->body = given.body;
  host->context = given.context;
  host->free_context = given.free_context;
  function->state = std::move(host);
  return HCLVM_OK;
}

}  // namespace

std::shared_ptr<const FunctionRegistry> RegistryOf(const hclvm_functions* functions) {
  if (functions == nullptr) return StandardFunctions();
  // What is made on demand is no part of what the handle says.
  auto* set = const_cast<hclvm_functions*>(functions);
  const std::lock_guard<std::mutex> lock(set->mutex);
  if (set->registry == nullptr) {
    FunctionRegistryBuilder builder;
    for (const auto& item : set->added) {
      if (const auto* family = std::get_if<FunctionFamily>(&item)) {
        RegisterFamily(*family, &builder);
      } else {
        builder.Add(std::get<Function>(item));
      }
    }
    set->registry = std::move(builder).Build();
  }
  return set->registry;
}

}  // namespace hcl::internal

using hcl::internal::Fail;
using hcl::internal::Guarded;

hclvm_status hclvm_functions_new(hclvm_functions** functions, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (functions == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the functions is NULL.", error);
    *functions = nullptr;
    *functions = new hclvm_functions;
    return HCLVM_OK;
  });
}

// The constants of C are the families in the order of the C++ enum, from 1.
hclvm_status hclvm_functions_add_family(hclvm_functions* functions, int32_t family, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (functions == nullptr) return Fail(HCLVM_ARGUMENT, "The functions are NULL.", error);
    if (family < HCLVM_ALL_FUNCTIONS || family > HCLVM_TYPE_FUNCTIONS) {
      return Fail(HCLVM_ARGUMENT, "There is no such family of functions.", error);
    }
    const std::lock_guard<std::mutex> lock(functions->mutex);
    functions->added.reserve(functions->added.size() + HCLVM_TYPE_FUNCTIONS);
    for (const hcl::FunctionFamily each : hcl::kFunctionFamilies) {
      if (family != HCLVM_ALL_FUNCTIONS && family != static_cast<int32_t>(each) + 1) continue;
      functions->added.emplace_back(each);
    }
    functions->registry = nullptr;
    return HCLVM_OK;
  });
}

hclvm_status hclvm_functions_add(hclvm_functions* functions, const hclvm_function* function, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (functions == nullptr) return Fail(HCLVM_ARGUMENT, "The functions are NULL.", error);
    if (function == nullptr) return Fail(HCLVM_ARGUMENT, "The function is NULL.", error);
    hclvm_function fields;
    if (!hcl::internal::ReadStruct(function, HCLVM_FIRST_SIZE(hclvm_function, free_context), &fields)) {
      return Fail(HCLVM_ARGUMENT, "The size of hclvm_function is not that of any version.", error);
    }
    const std::lock_guard<std::mutex> lock(functions->mutex);
    // Room first: from here on nothing fails that would leave the context to nobody.
    functions->added.reserve(functions->added.size() + 1);
    hcl::Function read;
    const hclvm_status status = hcl::internal::ReadFunction(fields, &read, error);
    if (status != HCLVM_OK) return status;
    functions->added.emplace_back(std::move(read));
    functions->registry = nullptr;
    return HCLVM_OK;
  });
}

void hclvm_functions_free(hclvm_functions* functions) { delete functions; }

hclvm_heap* hclvm_call_heap(hclvm_call* call) { return call == nullptr ? nullptr : &call->heap; }

hclvm_status hclvm_call_charge(hclvm_call* call, uint64_t units) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    if (call == nullptr) return HCLVM_ARGUMENT;
    return call->call->Charge(units) ? HCLVM_OK : HCLVM_LIMIT;
  });
}

hclvm_status hclvm_call_fail(hclvm_call* call, int32_t argument, const char* message, size_t size) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    std::string_view view;
    if (call == nullptr || !hcl::internal::ReadText(message, size, "", &view, nullptr)) return HCLVM_ARGUMENT;
    // What is not UTF-8 is replaced: this is told to people, and the host is already failing.
    std::string text = hcl::internal::ToNfc(view.substr(0, hcl::kMaxMessageBytes));
    if (argument >= 0 && static_cast<size_t>(argument) < call->arguments) {
      call->call->ArgumentError(static_cast<size_t>(argument), std::move(text));
    } else {
      call->call->Error(std::move(text));
    }
    return HCLVM_INVALID;
  });
}
