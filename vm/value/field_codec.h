// How C++ types become values and back, one Codec for each. What does not depend on the type is in
// vm/value/field_support.h.
//
// Internal to vm/value/fields.h. Tested by vm/value/fields_test.cc.

#ifndef HCLVM_VM_VALUE_FIELD_CODEC_H_
#define HCLVM_VM_VALUE_FIELD_CODEC_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/field_support.h"
#include "hclvm/vm/value/short_text.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// For a struct T: `static constexpr auto list`, a FieldList() of vm/value/fields.h.
template <typename T>
struct FieldsOf;

namespace internal {

template <typename Struct, typename Member>
struct FieldDeclaration {
  using Type = Member;
  std::string_view name;
  Member Struct::*member;
  bool is_optional;
};

// The structs around a type, so that one which contains itself is noticed.
struct TypeContext {
  const void* identity;
  const TypeContext* outer;
};

struct NoCodec {
  static constexpr bool kCanMake = false;
  static constexpr bool kCanRead = false;
  static constexpr bool kTakesNull = false;
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::Dynamic(); }
};
struct BothWays {
  static constexpr bool kCanMake = true;
  static constexpr bool kCanRead = true;
  static constexpr bool kTakesNull = false;
};

// TypeIn: the type of what Make makes, dynamic where that depends on the data. Make: a value of `data`. Read: reads a
// value that is neither null, unless kTakesNull, nor unknown or marked, unless T is Value.
template <typename T, typename>
struct Codec : NoCodec {};

template <>
struct Codec<bool> : BothWays {
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::Bool(); }
  static Value Make(bool data, ValueMaker*) { return Value::Bool(data); }
  static bool Read(const Value& value, ValueReader* reader, bool* result) { return reader->Bool(value, result); }
};

template <typename T>
inline constexpr bool kIsNumberType =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
    !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

template <typename T>
struct Codec<T, std::enable_if_t<kIsNumberType<T>>> : BothWays {
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::Number(); }
  static Value Make(T data, ValueMaker* maker) {
    if constexpr (std::is_signed_v<T>) {
      return Value::Int(data);
    } else {
      return maker->Uint64(data);
    }
  }
  static bool Read(const Value& value, ValueReader* reader, T* result) {
    using Range = std::numeric_limits<T>;
    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t> number = 0;
    bool read = false;
    if constexpr (std::is_signed_v<T>) {
      read = reader->Signed(value, Range::min(), Range::max(), &number);
    } else {
      read = reader->Unsigned(value, Range::max(), &number);
    }
    *result = static_cast<T>(number);
    return read;
  }
};

template <>
struct Codec<double> : BothWays {
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::Number(); }
  static Value Make(double data, ValueMaker* maker) { return maker->Double(data); }
  static bool Read(const Value& value, ValueReader* reader, double* result) { return reader->Double(value, result); }
};

template <>
struct Codec<std::string> : BothWays {
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::String(); }
  static Value Make(const std::string& data, ValueMaker* maker) {
    Value value;
    const bool is_short = data.size() <= kMaxInlineString && HasShortRoom(data);
    if (ABSL_PREDICT_TRUE(is_short) && ABSL_PREDICT_TRUE(StoreShortAscii(data.data(), data.size(), &value)))
      return value;
    return maker->String(data);
  }
  static bool Read(const Value& value, ValueReader* reader, std::string* result) {
    return reader->String(value, result);
  }
};

template <typename T>
struct Codec<T, std::enable_if_t<std::is_same_v<T, std::string_view> || std::is_same_v<T, const char*>>> : NoCodec {
  static constexpr bool kCanMake = true;
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::String(); }
  static Value Make(std::string_view data, ValueMaker* maker) { return maker->String(data); }
};
// A literal.
template <size_t N>
struct Codec<char[N]> : Codec<const char*> {};

template <>
struct Codec<Value> : BothWays {
  static constexpr bool kTakesNull = true;
  static Type TypeIn(TypeTable*, const TypeContext*) { return Type::Dynamic(); }
  static Value Make(const Value& data, ValueMaker* maker) { return maker->Any(data); }
};

template <typename T>
struct Codec<const T*, std::void_t<decltype(CapsuleTraits<T>::type())>> : BothWays {
  static constexpr bool kTakesNull = true;
  static Type TypeIn(TypeTable* types, const TypeContext*) { return types->Capsule(&CapsuleTraits<T>::type()); }
  static Value Make(const T* data, ValueMaker* maker) {
    return maker->MakeCapsule(TypeIn(maker->types(), nullptr), data);
  }
  static bool Read(const Value& value, ValueReader* reader, const T** result) {
    const void* data = nullptr;
    if (!value.is_null() && !reader->Capsule(value, CapsuleTraits<T>::type(), &data)) return false;
    *result = static_cast<const T*>(data);
    return true;
  }
};

// The type of a part, such as a collection's items, and dynamic where any part of that is not fixed.
template <typename T>
Type ItemType(TypeTable* types, const TypeContext* context) {
  const Type type = Codec<T>::TypeIn(types, context);
  return type.has_dynamic() ? Type::Dynamic() : type;
}

template <typename T>
struct Codec<std::optional<T>> {
  static constexpr bool kCanMake = Codec<T>::kCanMake && !Codec<T>::kTakesNull;
  static constexpr bool kCanRead = Codec<T>::kCanRead && !Codec<T>::kTakesNull;
  static constexpr bool kTakesNull = true;
  static Type TypeIn(TypeTable* types, const TypeContext* context) { return Codec<T>::TypeIn(types, context); }
  static Value Make(const std::optional<T>& data, ValueMaker* maker) {
    return data ? Codec<T>::Make(*data, maker) : Value::Null(ItemType<T>(maker->types(), nullptr));
  }
  // Out of line: GCC 12 warns of an empty optional that is destroyed where it sees all of this in one function.
  ABSL_ATTRIBUTE_NOINLINE static bool Read(const Value& value, ValueReader* reader, std::optional<T>* result) {
    result->reset();
    return value.is_null() || reader->Read(value, &result->emplace());
  }
};

// The values of a range of items.
template <typename T, typename Range>
absl::InlinedVector<Value, 8> MakeItems(const Range& data, ValueMaker* maker) {
  absl::InlinedVector<Value, 8> items;
  if (!maker->Expect(data.size()) || !maker->Enter()) return items;
  items.reserve(data.size());
  for (const T& item : data) {
    items.push_back(Codec<T>::Make(item, maker));
    if (maker->ok()) continue;
    maker->InIndex(items.size() - 1);
    break;
  }
  maker->Leave();
  return items;
}

template <typename T, typename Put>
bool ReadItems(const Value& value, ValueReader* reader, Put put) {
  if (!reader->ExpectSequence(value)) return false;
  size_t index = 0;
  for (const Value& element : value.elements()) {
    T item{};
    if (!reader->Read(element, &item)) return reader->InIndex(index);
    put(std::move(item));
    ++index;
  }
  return true;
}

template <typename T, typename Allocator>
struct Codec<std::vector<T, Allocator>> {
  static constexpr bool kCanMake = Codec<T>::kCanMake;
  static constexpr bool kCanRead = Codec<T>::kCanRead;
  static constexpr bool kTakesNull = false;
  static Type TypeIn(TypeTable* types, const TypeContext* context) {
    const Type item = ItemType<T>(types, context);
    return item.is_dynamic() ? item : types->List(item);
  }
  static Value Make(const std::vector<T, Allocator>& data, ValueMaker* maker) {
    return maker->Sequence(ItemType<T>(maker->types(), nullptr), MakeItems<T>(data, maker));
  }
  static bool Read(const Value& value, ValueReader* reader, std::vector<T, Allocator>* result) {
    result->clear();
    return ReadItems<T>(value, reader, [&](T item) { result->push_back(std::move(item)); });
  }
};

// Containers are told apart by their member types: what has a mapped_type is a map, what has only a key_type is a set.
template <typename T, typename = void>
struct IsMap : std::false_type {};
template <typename T>
struct IsMap<T, std::void_t<typename T::key_type, typename T::mapped_type>> : std::true_type {};
template <typename T, typename = void>
struct IsSet : std::false_type {};
template <typename T>
struct IsSet<T, std::enable_if_t<!IsMap<T>::value, std::void_t<typename T::key_type, typename T::const_iterator>>>
    : std::true_type {};

template <typename T>
struct Codec<T, std::enable_if_t<IsSet<T>::value>> {
  using Item = typename T::key_type;
  static constexpr bool kCanMake = Codec<Item>::kCanMake;
  static constexpr bool kCanRead = Codec<Item>::kCanRead;
  static constexpr bool kTakesNull = false;
  static Type TypeIn(TypeTable* types, const TypeContext* context) {
    const Type item = ItemType<Item>(types, context);
    return item.is_dynamic() ? item : types->Set(item);
  }
  static Value Make(const T& data, ValueMaker* maker) {
    return maker->Set(ItemType<Item>(maker->types(), nullptr), MakeItems<Item>(data, maker));
  }
  static bool Read(const Value& value, ValueReader* reader, T* result) {
    result->clear();
    return ReadItems<Item>(value, reader, [&](Item item) { result->insert(std::move(item)); });
  }
};

template <typename T>
struct Codec<T, std::enable_if_t<IsMap<T>::value>> {
  using Item = typename T::mapped_type;
  static constexpr bool kHasTextKeys =
      std::is_same_v<typename T::key_type, std::string> || std::is_same_v<typename T::key_type, std::string_view>;
  static constexpr bool kCanMake = kHasTextKeys && Codec<Item>::kCanMake;
  static constexpr bool kCanRead = std::is_same_v<typename T::key_type, std::string> && Codec<Item>::kCanRead;
  static constexpr bool kTakesNull = false;
  static Type TypeIn(TypeTable* types, const TypeContext* context) {
    const Type item = ItemType<Item>(types, context);
    return item.is_dynamic() ? item : types->Map(item);
  }
  static Value Make(const T& data, ValueMaker* maker) {
    absl::InlinedVector<KeyValue, 8> pairs;
    if (!maker->Expect(2 * data.size()) || !maker->Enter()) return Value();
    pairs.reserve(data.size());
    for (const auto& [key, item] : data) {
      const Value name = maker->String(key);
      pairs.push_back({name, Codec<Item>::Make(item, maker)});
      if (maker->ok()) continue;
      maker->InKey(key);
      break;
    }
    maker->Leave();
    return maker->Mapping(ItemType<Item>(maker->types(), nullptr), pairs);
  }
  static bool Read(const Value& value, ValueReader* reader, T* result) {
    if (!reader->ExpectMapping(value)) return false;
    result->clear();
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string_view key = value.shape().keys[i].AsString();
      if (!reader->Read(value.values()[i], &(*result)[std::string(key)])) return reader->InKey(key);
    }
    return true;
  }
};

// The fields of T in the order of their names, as positions in the list. Fails to compile where two have one name.
template <typename T>
class SortedFields {
 public:
  static constexpr size_t kCount = std::tuple_size_v<std::decay_t<decltype(FieldsOf<T>::list)>>;

  static constexpr std::array<std::string_view, kCount> Names() { return Unsorted(std::make_index_sequence<kCount>()); }
  // Where the field at a position of the list stands in the order of names.
  static constexpr std::array<size_t, kCount> Ranks() {
    const auto names = Names();
    std::array<size_t, kCount> ranks{};
    for (size_t i = 0; i < kCount; ++i) {
      for (size_t j = 0; j < kCount; ++j) ranks[i] += names[j] < names[i] ? 1 : 0;
    }
    return ranks;
  }
  static constexpr std::array<std::string_view, kCount> InOrder() {
    const auto names = Names();
    const auto ranks = Ranks();
    std::array<std::string_view, kCount> sorted{};
    for (size_t i = 0; i < kCount; ++i) sorted[ranks[i]] = names[i];
    return sorted;
  }
  static constexpr bool AreDistinct() {
    const auto names = InOrder();
    for (size_t i = 1; i < kCount; ++i) {
      if (names[i - 1] == names[i]) return false;
    }
    return true;
  }

 private:
  template <size_t... I>
  static constexpr std::array<std::string_view, kCount> Unsorted(std::index_sequence<I...>) {
    return {std::get<I>(FieldsOf<T>::list).name...};
  }
};

template <typename T>
struct Codec<T, std::void_t<decltype(FieldsOf<T>::list)>> {
  using Fields = SortedFields<T>;
  static constexpr size_t kCount = Fields::kCount;
  using Indices = std::make_index_sequence<kCount>;
  static constexpr std::array<std::string_view, kCount> kNames = Fields::InOrder();
  static constexpr std::array<size_t, kCount> kRanks = Fields::Ranks();
  static_assert(Fields::AreDistinct(), "two fields of the list have one name");

  static constexpr bool kCanMake = true;
  static constexpr bool kCanRead = true;
  static constexpr bool kTakesNull = false;

  static Type TypeIn(TypeTable* types, const TypeContext* context) {
    for (const TypeContext* outer = context; outer != nullptr; outer = outer->outer) {
      if (outer->identity == &kNames) return Type::Dynamic();
    }
    const TypeContext inner{&kNames, context};
    std::array<Type, kCount> parts;
    SetTypes(types, &inner, &parts, Indices());
    return types->Object(*types->InternShape(Keys()), parts);
  }
  static Value Make(const T& data, ValueMaker* maker) {
    if (!maker->Enter()) return Value();
    std::array<Value, kCount> values;
    MakeFields(data, maker, &values, Indices());
    maker->Leave();
    return maker->Object(
        &kNames, [] { return Keys(); }, values);
  }
  static bool Read(const Value& value, ValueReader* reader, T* result) {
    return reader->ExpectMapping(value) && reader->CheckOthers(value, kNames) &&
           ReadFields(value, reader, result, Indices());
  }

 private:
  static std::array<Value, kCount> Keys() {
    std::array<Value, kCount> keys;
    for (size_t i = 0; i < kCount; ++i) keys[i] = Value::StringView(kNames[i]);
    return keys;
  }

  // A list of no fields uses no parameter, hence the attributes.
  template <size_t... I>
  static void SetTypes([[maybe_unused]] TypeTable* types, [[maybe_unused]] const TypeContext* context,
                       [[maybe_unused]] std::array<Type, kCount>* parts, std::index_sequence<I...>) {
    (((*parts)[kRanks[I]] = Codec<FieldType<I>>::TypeIn(types, context)), ...);
  }
  template <size_t... I>
  static void MakeFields([[maybe_unused]] const T& data, [[maybe_unused]] ValueMaker* maker,
                         [[maybe_unused]] std::array<Value, kCount>* values, std::index_sequence<I...>) {
    (void)(MakeField<I>(data, maker, &(*values)[kRanks[I]]) && ...);
  }
  template <size_t... I>
  static bool ReadFields([[maybe_unused]] const Value& value, [[maybe_unused]] ValueReader* reader,
                         [[maybe_unused]] T* result, std::index_sequence<I...>) {
    return (ReadField<I>(value, reader, result) && ...);
  }

  template <size_t I>
  using FieldType = typename std::tuple_element_t<I, std::decay_t<decltype(FieldsOf<T>::list)>>::Type;

  template <size_t I>
  static bool MakeField(const T& data, ValueMaker* maker, Value* value) {
    constexpr const auto& field = std::get<I>(FieldsOf<T>::list);
    static_assert(Codec<FieldType<I>>::kCanMake, "a field's type has no form as a value");
    *value = Codec<FieldType<I>>::Make(data.*field.member, maker);
    if (!maker->ok()) maker->InField(field.name);
    return maker->ok();
  }
  template <size_t I>
  static bool ReadField(const Value& value, ValueReader* reader, T* result) {
    constexpr const auto& field = std::get<I>(FieldsOf<T>::list);
    static_assert(Codec<FieldType<I>>::kCanRead, "values are not decoded to a field's type");
    const Value* const found = ValueReader::Find(value, field.name);
    if (field.is_optional && (found == nullptr || found->is_null())) return true;
    if (found == nullptr) {
      if constexpr (Codec<FieldType<I>>::kTakesNull) {
        (result->*field.member) = {};
        return true;
      }
      return reader->Missing(field.name);
    }
    return reader->Read(*found, &(result->*field.member)) || reader->InField(field.name);
  }
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_FIELD_CODEC_H_
