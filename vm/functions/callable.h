// Functions from C++ callables, with parameters and result inferred from the signature:
//
//   builder.Register("add", [](int64_t a, int64_t b) { return a + b; });
//
// Tested by tests/callable_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CALLABLE_H_
#define HCLVM_VM_FUNCTIONS_CALLABLE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/internal/callable_traits.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"

// What a callable may take: a FunctionCall* or nothing, then parameters, and as the last one perhaps a Variadic<T>.
//
//   parameter                       HCL type     what the callable gets
//   bool                            bool
//   int, int64_t, uint64_t, ...     number       a whole number of the type's range; anything else is an error
//   double                          number       the nearest double, infinite beyond the range
//   std::string_view, std::string   string       a view lives as long as the call
//   Value                           any          the value as it is, with what is unknown or null in it
//   std::optional<T>                T            nothing for null, which is an error for a plain T
//   std::vector<T>                  list(T)
//   absl::Span<const T>             list(T)      lives as long as the evaluation; T is trivially destructible
//   const T* with CapsuleTraits<T>  the capsule  the capsule's data, never null
//   Variadic<T>                     T...         all further arguments, as a span; T is trivially destructible
//
// By value or by const reference. When an argument is unknown, or has an unknown part that the callable would read, the
// callable is not called, and the result is unknown.
//
// What it may return: the scalars above, const char* (not null), Value, std::optional<T> (nothing is null),
// std::vector<T> (a list; a tuple where T is or holds a Value), const T* with CapsuleTraits<T> (nullptr is null), and
// absl::StatusOr of these, whose message becomes the error's reason. With a FunctionCall* it can blame an argument
// (ArgumentError; what it returns then does not matter) and allocate. Strings are copied and normalized; one that is
// not UTF-8, and a double that is not a number, is an error of the call.
//
// A callable is called as const, from all threads that evaluate, possibly at the same time. It must not throw.

namespace hcl {

// What a signature does not tell. Plain data.
struct CallableOptions {
  // The parameters' names in order, for messages; "arg1", "arg2" and so on where there are none.
  std::vector<std::string> parameter_names;
  // As Function::pure: the compiler may call it. False for what reads a clock or changes something.
  bool pure = true;
};

namespace internal {

// What Function::state points to.
template <typename F>
struct CallableState {
  explicit CallableState(F f) : callable(std::move(f)) {}
  F callable;
  TypeTable types;  // of parameters and result
};

// How a parameter is kept until the call.
template <typename T>
using ParameterOf = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename T>
struct VariadicElement {
  static constexpr bool kIs = false;
  using Type = T;
};
template <typename T>
struct VariadicElement<Variadic<T>> {
  static_assert(std::is_trivially_destructible_v<T>,
                "variadic arguments live in the evaluation's arena, which runs no destructors: take std::string_view "
                "rather than std::string");
  static constexpr bool kIs = true;
  using Type = T;
};

// A variadic parameter can only be the last.
template <typename... T>
constexpr bool VariadicIsLast() {
  const bool variadic[] = {VariadicElement<T>::kIs..., false};
  for (size_t i = 0; i + 1 < sizeof...(T); ++i) {
    if (variadic[i]) return false;
  }
  return true;
}

// Reads argument number `i` into `*result`; for a variadic parameter all from there on.
template <typename T>
void ReadParameter(absl::Span<const Value> arguments, size_t i, ArgumentReader* reader, T* result) {
  reader->Start(i);
  ReadArgument(arguments[i], reader, result);
  reader->Finish();
}
template <typename T>
void ReadParameter(absl::Span<const Value> arguments, size_t i, ArgumentReader* reader, Variadic<T>* result) {
  arguments.remove_prefix(i);
  if constexpr (std::is_same_v<T, Value>) {
    *result = Variadic<T>(arguments);
  } else {
    T* items = reader->NewArray<T>(arguments.size());
    if (items == nullptr) return;
    for (size_t n = 0; n < arguments.size(); ++n) {
      reader->Start(i + n);
      ReadArgument(arguments[n], reader, new (items + n) T{});
      reader->Finish();
    }
    *result = Variadic<T>(absl::MakeConstSpan(items, arguments.size()));
  }
}

// A callable of type F with result R and parameters A..., behind a FunctionCall* if kTakesCall.
template <typename F, typename R, bool kTakesCall, typename... A>
struct CallableBody {
  static_assert(
      (ArgumentOf<typename VariadicElement<ParameterOf<A>>::Type>::kSupported && ...),
      "a parameter of the callable is of a type that stands for no HCL type; vm/functions/callable.h lists those that "
      "do");
  static_assert(((!std::is_lvalue_reference_v<A> || std::is_const_v<std::remove_reference_t<A>>)&&...),
                "a callable takes its parameters by value or by const reference");
  static_assert(VariadicIsLast<ParameterOf<A>...>(), "only the last parameter of a callable can be variadic");
  static_assert(
      ResultOf<R>::kSupported,
      "the callable's result is of a type that stands for no HCL type; vm/functions/callable.h lists those that do");

  // Function::body.
  static Value Call(FunctionCall* call, absl::Span<const Value> arguments) {
    return CallWith(call, arguments, std::index_sequence_for<A...>());
  }

  // Fills in what the signature tells.
  static void Declare(TypeTable* types, Function* function) {
    (DeclareParameter<ParameterOf<A>>(types, function), ...);
    function->result_type = ResultOf<R>::TypeIn(types);
    function->result_may_be_null = ResultOf<R>::kMayBeNull;
    function->body = Call;
  }

 private:
  template <size_t... I>
  static Value CallWith(FunctionCall* call, [[maybe_unused]] absl::Span<const Value> arguments,
                        std::index_sequence<I...>) {
    const F& callable = static_cast<const CallableState<F>*>(call->function().state.get())->callable;
    std::tuple<ParameterOf<A>...> parameters;
    ArgumentReader reader(call);
    (ReadParameter(arguments, I, &reader, &std::get<I>(parameters)), ...);
    if (call->failed()) return Value();
    if (reader.unknown()) return UnknownResult(call);
    if constexpr (kTakesCall) {
      return MakeResult(call, callable(call, std::move(std::get<I>(parameters))...));
    } else {
      return MakeResult(call, callable(std::move(std::get<I>(parameters))...));
    }
  }

  static Value MakeResult(FunctionCall* call, R result) {
    if (call->failed()) return Value();
    return ResultOf<R>::Make(call, call->function().result_type, std::move(result));
  }

  template <typename T>
  static void DeclareParameter(TypeTable* types, Function* function) {
    using Element = typename VariadicElement<T>::Type;
    Parameter parameter;
    parameter.type = ArgumentOf<Element>::TypeIn(types);
    parameter.allow_null = ArgumentOf<Element>::kAllowNull;
    if (VariadicElement<T>::kIs) {
      function->variadic = std::move(parameter);
    } else {
      function->parameters.push_back(std::move(parameter));
    }
  }
};

template <typename F, typename R, typename Parameters>
struct CallableBodyOf;
template <typename F, typename R, typename... A>
struct CallableBodyOf<F, R, TypeList<A...>> {
  using Type = CallableBody<F, R, false, A...>;
};
template <typename F, typename R, typename... A>
struct CallableBodyOf<F, R, TypeList<FunctionCall*, A...>> {
  using Type = CallableBody<F, R, true, A...>;
};

// Gives the parameters their names.
void NameParameters(const CallableOptions& options, Function* function);

}  // namespace internal

// The function `name` that calls `callable`; what it says may still be changed before it is added to a registry. The
// function and its copies share the callable, which is destroyed with the last of them.
template <typename Callable>
Function MakeFunction(std::string name, Callable callable, const CallableOptions& options = {}) {
  using Signature = typename internal::SignatureOf<Callable>::Type;
  static_assert(Signature::kConst, "a callable is called as const, from many threads: no mutable lambda");
  using Body =
      typename internal::CallableBodyOf<Callable, typename Signature::Result, typename Signature::Parameters>::Type;
  auto state = std::make_shared<internal::CallableState<Callable>>(std::move(callable));
  Function function;
  function.name = std::move(name);
  function.pure = options.pure;
  Body::Declare(&state->types, &function);
  function.state = std::move(state);
  internal::NameParameters(options, &function);
  return function;
}

template <typename Callable>
FunctionRegistryBuilder& FunctionRegistryBuilder::Register(std::string name, Callable callable,
                                                           const CallableOptions& options) {
  return Add(MakeFunction(std::move(name), std::move(callable), options));
}
template <typename Callable>
FunctionRegistryBuilder& FunctionRegistryBuilder::Register(std::string name, Callable callable) {
  return Add(MakeFunction(std::move(name), std::move(callable)));
}

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_CALLABLE_H_
