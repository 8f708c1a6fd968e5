// Which C++ types stand for which HCL types when a callable becomes a function, and how values get from one to the
// other.
//
// Internal to callable.h. Tested by tests/callable_test.cc, tests/capsule_test.cc.

#ifndef HCLVM_INTERNAL_CALLABLE_TRAITS_H_
#define HCLVM_INTERNAL_CALLABLE_TRAITS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {

// Arguments on their way to C++. A part that cannot be had is either a failure, with a message and the path to the
// part, or unknown, which makes the whole result unknown.
class ArgumentReader {
 public:
  explicit ArgumentReader(FunctionCall* call) : call_(call) {}

  // Begins to read argument number `argument`.
  void Start(size_t argument) { argument_ = argument; }
  // Reports the failure of the argument that was started, if there was one, to the call.
  void Finish();
  // Something that is unknown was met.
  bool unknown() const { return unknown_; }

  // True when `value` is there to be read: neither null, which is a failure, nor unknown.
  bool Expect(const Value& value) {
    if (value.is_unknown()) unknown_ = true;
    if (value.is_null()) Fail("must not be null");
    return !value.is_unknown() && !value.is_null();
  }
  // A whole number from `min` to `max`. `*result` is left alone on failure.
  bool ReadSigned(const Value& value, int64_t min, int64_t max, int64_t* result);
  bool ReadUnsigned(const Value& value, uint64_t max, uint64_t* result);
  // Room for `count` items; null, with the limit reported to the call, when there is none.
  template <typename T>
  T* NewArray(size_t count) {
    constexpr size_t kBytes = sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    return Reserve(count, kBytes) ? call_->arena()->NewArray<T>(count) : nullptr;
  }

  // Notes a failure, or that the noted one is in element `i`. Always false.
  bool Fail(std::string message);
  bool FailAt(size_t i);

 private:
  bool Reserve(size_t count, size_t bytes_each);

  FunctionCall* call_;
  size_t argument_ = 0;
  bool unknown_ = false;
  bool failed_ = false;
  std::string path_;  // where in the argument
  std::string message_;
};

// Integers but not bool and characters.
template <typename T>
inline constexpr bool kIsInteger =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
    !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

// Parameters. TypeIn is the HCL type, made in the table given; Read reads a value that is neither null nor unknown,
// unless kAllowNull, and is false when that fails.

struct UnsupportedArgument {
  static constexpr bool kSupported = false;
  static constexpr bool kAllowNull = false;
};
struct SupportedArgument {
  static constexpr bool kSupported = true;
  static constexpr bool kAllowNull = false;
};

template <typename T, typename = void>
struct ArgumentOf : UnsupportedArgument {};

template <>
struct ArgumentOf<bool> : SupportedArgument {
  static Type TypeIn(TypeTable*) { return Type::Bool(); }
  static bool Read(const Value& value, ArgumentReader*, bool* result) {
    *result = value.is_true();
    return true;
  }
};

template <typename T>
struct ArgumentOf<T, std::enable_if_t<kIsInteger<T>>> : SupportedArgument {
  static Type TypeIn(TypeTable*) { return Type::Number(); }
  static bool Read(const Value& value, ArgumentReader* reader, T* result) {
    using Range = std::numeric_limits<T>;
    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t> number = 0;
    bool read = false;
    if constexpr (std::is_signed_v<T>) {
      read = reader->ReadSigned(value, Range::min(), Range::max(), &number);
    } else {
      read = reader->ReadUnsigned(value, Range::max(), &number);
    }
    *result = static_cast<T>(number);
    return read;
  }
};

template <>
struct ArgumentOf<double> : SupportedArgument {
  static Type TypeIn(TypeTable*) { return Type::Number(); }
  static bool Read(const Value& value, ArgumentReader*, double* result) {
    *result = value.AsNumber().ToDouble();
    return true;
  }
};

template <typename T>
struct ArgumentOf<T, std::enable_if_t<std::is_same_v<T, std::string_view> || std::is_same_v<T, std::string>>>
    : SupportedArgument {
  static Type TypeIn(TypeTable*) { return Type::String(); }
  static bool Read(const Value& value, ArgumentReader*, T* result) {
    *result = value.AsString();
    return true;
  }
};

template <>
struct ArgumentOf<Value> : SupportedArgument {
  static Type TypeIn(TypeTable*) { return Type::Dynamic(); }
  static bool Read(const Value& value, ArgumentReader*, Value* result) {
    *result = value;
    return true;
  }
};

template <typename T>
struct ArgumentOf<const T*, std::void_t<decltype(CapsuleTraits<T>::type())>> : SupportedArgument {
  static Type TypeIn(TypeTable* types) { return types->Capsule(&CapsuleTraits<T>::type()); }
  static bool Read(const Value& value, ArgumentReader*, const T** result) {
    *result = static_cast<const T*>(value.capsule().data);
    return true;
  }
};

// Reads `value`, which may be null or unknown.
template <typename T>
bool ReadArgument(const Value& value, ArgumentReader* reader, T* result) {
  if constexpr (!ArgumentOf<T>::kAllowNull && !std::is_same_v<T, Value>) {
    if (!reader->Expect(value)) return false;
  }
  return ArgumentOf<T>::Read(value, reader, result);
}

template <typename T>
struct ArgumentOf<std::optional<T>> {
  static constexpr bool kSupported = ArgumentOf<T>::kSupported && !ArgumentOf<T>::kAllowNull;
  static constexpr bool kAllowNull = true;
  static Type TypeIn(TypeTable* types) { return ArgumentOf<T>::TypeIn(types); }
  static bool Read(const Value& value, ArgumentReader* reader, std::optional<T>* result) {
    result->reset();
    return value.is_null() || ReadArgument(value, reader, &result->emplace());
  }
};

template <typename T>
struct ArgumentOf<std::vector<T>> {
  static constexpr bool kSupported = ArgumentOf<T>::kSupported;
  static constexpr bool kAllowNull = false;
  static Type TypeIn(TypeTable* types) { return types->List(ArgumentOf<T>::TypeIn(types)); }
  static bool Read(const Value& value, ArgumentReader* reader, std::vector<T>* result) {
    result->reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) {
      T item{};
      if (!ReadArgument(value.elements()[i], reader, &item)) return reader->FailAt(i);
      result->push_back(std::move(item));
    }
    return true;
  }
};

template <typename T>
struct ArgumentOf<absl::Span<const T>> {
  static_assert(std::is_trivially_destructible_v<T>,
                "a span's elements live in the evaluation's arena, which runs no destructors: take std::string_view "
                "rather than std::string, or a std::vector rather than a span");
  static constexpr bool kSupported = ArgumentOf<T>::kSupported;
  static constexpr bool kAllowNull = false;
  static Type TypeIn(TypeTable* types) { return types->List(ArgumentOf<T>::TypeIn(types)); }
  static bool Read(const Value& value, ArgumentReader* reader, absl::Span<const T>* result) {
    absl::Span<const Value> from = value.elements();
    if constexpr (std::is_same_v<T, Value>) {
      *result = from;
    } else {
      T* items = reader->NewArray<T>(from.size());
      if (items == nullptr) return false;
      for (size_t i = 0; i < from.size(); ++i) {
        if (!ReadArgument(from[i], reader, new (items + i) T{})) return reader->FailAt(i);
      }
      *result = absl::MakeConstSpan(items, from.size());
    }
    return true;
  }
};

// Results. TypeIn is the HCL type; Make makes a value of it, or reports a failure to the call.

Value MakeStringResult(FunctionCall* call, std::string_view text);
Value MakeUint64Result(FunctionCall* call, uint64_t number);
Value MakeDoubleResult(FunctionCall* call, double number);
// Room for a list of `element` or, with a dynamic element, a tuple; null, with the limit reported, when there is none.
Sequence* NewResultSequence(FunctionCall* call, size_t size, Type element);
// The filled list or tuple.
Value FinishResultSequence(Sequence* sequence, Type element);
// What a call gives whose arguments have unknown parts that the callable would have read.
Value UnknownResult(FunctionCall* call);

struct UnsupportedResult {
  static constexpr bool kSupported = false;
  static constexpr bool kMayBeNull = false;
};
struct SupportedResult {
  static constexpr bool kSupported = true;
  static constexpr bool kMayBeNull = false;
};

template <typename T, typename = void>
struct ResultOf : UnsupportedResult {};

template <>
struct ResultOf<bool> : SupportedResult {
  static Type TypeIn(TypeTable*) { return Type::Bool(); }
  static Value Make(FunctionCall*, Type, bool result) { return Value::Bool(result); }
};

template <typename T>
struct ResultOf<T, std::enable_if_t<kIsInteger<T>>> : SupportedResult {
  static Type TypeIn(TypeTable*) { return Type::Number(); }
  static Value Make(FunctionCall* call, Type, T result) {
    if constexpr (std::is_signed_v<T>) {
      return Value::Int(result);
    } else {
      return MakeUint64Result(call, result);
    }
  }
};

template <>
struct ResultOf<double> : SupportedResult {
  static Type TypeIn(TypeTable*) { return Type::Number(); }
  static Value Make(FunctionCall* call, Type, double result) { return MakeDoubleResult(call, result); }
};

template <typename T>
struct ResultOf<T, std::enable_if_t<std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
                                    std::is_same_v<T, const char*>>> : SupportedResult {
  static Type TypeIn(TypeTable*) { return Type::String(); }
  static Value Make(FunctionCall* call, Type, std::string_view result) { return MakeStringResult(call, result); }
};

template <>
struct ResultOf<Value> : SupportedResult {
  static constexpr bool kMayBeNull = true;
  static Type TypeIn(TypeTable*) { return Type::Dynamic(); }
  static Value Make(FunctionCall*, Type, const Value& result) { return result; }
};

template <typename T>
struct ResultOf<const T*, std::void_t<decltype(CapsuleTraits<T>::type())>> : SupportedResult {
  static constexpr bool kMayBeNull = true;
  static Type TypeIn(TypeTable* types) { return types->Capsule(&CapsuleTraits<T>::type()); }
  static Value Make(FunctionCall* call, Type type, const T* result) {
    return result == nullptr ? Value::Null(type) : MakeCapsule(type, result, call->arena());
  }
};

template <typename T>
struct ResultOf<std::optional<T>> {
  static constexpr bool kSupported = ResultOf<T>::kSupported;
  static constexpr bool kMayBeNull = true;
  static Type TypeIn(TypeTable* types) { return ResultOf<T>::TypeIn(types); }
  static Value Make(FunctionCall* call, Type type, std::optional<T>&& result) {
    return result ? ResultOf<T>::Make(call, type, *std::move(result)) : Value::Null(type);
  }
};

// A list, or where the elements may be of any type, a tuple.
template <typename T>
struct ResultOf<std::vector<T>> {
  static constexpr bool kSupported = ResultOf<T>::kSupported;
  static constexpr bool kMayBeNull = false;
  static Type TypeIn(TypeTable* types) {
    const Type element = ResultOf<T>::TypeIn(types);
    return element.is_dynamic() ? element : types->List(element);
  }
  static Value Make(FunctionCall* call, Type type, std::vector<T>&& result) {
    const Type element = type.is_dynamic() ? type : type.element();
    Sequence* sequence = NewResultSequence(call, result.size(), element);
    if (sequence == nullptr) return Value();
    for (size_t i = 0; i < result.size(); ++i) {
      T item = std::move(result[i]);
      sequence->mutable_items()[i] = ResultOf<T>::Make(call, element, std::move(item));
      if (call->failed()) return Value();
    }
    return FinishResultSequence(sequence, element);
  }
};

template <typename T>
struct ResultOf<absl::StatusOr<T>> {
  static constexpr bool kSupported = ResultOf<T>::kSupported;
  static constexpr bool kMayBeNull = ResultOf<T>::kMayBeNull;
  static Type TypeIn(TypeTable* types) { return ResultOf<T>::TypeIn(types); }
  static Value Make(FunctionCall* call, Type type, absl::StatusOr<T>&& result) {
    if (!result.ok()) return call->Error(std::string(result.status().message()));
    return ResultOf<T>::Make(call, type, *std::move(result));
  }
};

// Signatures: result and parameters of a callable with exactly one call operator, or of a function.

template <typename... T>
struct TypeList {};

template <typename R, bool kIsConst, typename... A>
struct SignatureParts {
  using Result = std::decay_t<R>;
  using Parameters = TypeList<A...>;
  static constexpr bool kConst = kIsConst;
};

template <typename Pointer>
struct PointerSignature;
template <typename C, typename R, typename... A>
struct PointerSignature<R (C::*)(A...)> : SignatureParts<R, false, A...> {};
template <typename C, typename R, typename... A>
struct PointerSignature<R (C::*)(A...) noexcept> : SignatureParts<R, false, A...> {};
template <typename C, typename R, typename... A>
struct PointerSignature<R (C::*)(A...) const> : SignatureParts<R, true, A...> {};
template <typename C, typename R, typename... A>
struct PointerSignature<R (C::*)(A...) const noexcept> : SignatureParts<R, true, A...> {};
template <typename R, typename... A>
struct PointerSignature<R (*)(A...)> : SignatureParts<R, true, A...> {};
template <typename R, typename... A>
struct PointerSignature<R (*)(A...) noexcept> : SignatureParts<R, true, A...> {};

template <typename F, typename = void>
struct SignatureOf {
  static_assert(std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>,
                "a callable is a function, or has one call operator that is neither overloaded nor a template (no "
                "`auto` parameters)");
  using Type = PointerSignature<F>;
};
template <typename F>
struct SignatureOf<F, std::void_t<decltype(&F::operator())>> {
  using Type = PointerSignature<decltype(&F::operator())>;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_INTERNAL_CALLABLE_TRAITS_H_
