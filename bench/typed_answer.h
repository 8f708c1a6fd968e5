// The answers of the hand-written workloads as typed JSON, as the files in bench/want have them: a vector is a tuple, a
// map or a struct with Fields() an object, an optional without a value a null of its type (bench/breadth/fields.h).
//
// Tested by bench/handwritten_test.cc and bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_TYPED_ANSWER_H_
#define HCLVM_BENCH_TYPED_ANSWER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// A type and a value, both as JSON.
struct TypedJson {
  std::string type;
  std::string value;
};

TypedJson DescribeText(std::string_view text);
TypedJson DescribeFixed(int64_t units, int scale);
TypedJson DescribeTuple(const std::vector<TypedJson>& items);
TypedJson DescribeList(const std::string& type, const std::vector<TypedJson>& items);
TypedJson DescribeObject(const std::map<std::string, TypedJson>& members);

template <typename T>
TypedJson Describe(const T& value);

// Adds the fields of a struct.
template <typename T>
void DescribeFields(const T& value, const std::string& prefix, std::map<std::string, TypedJson>* members) {
  const auto describe = [&](const auto& field) {
    const auto& member = value.*field.member;
    if constexpr (IsPrefixed<std::decay_t<decltype(member)>>::value) {
      DescribeFields(member.value, prefix + field.name + "_", members);
    } else {
      members->emplace(prefix + field.name, Describe(member));
    }
  };
  std::apply([&](const auto&... fields) { (describe(fields), ...); }, T::Fields());
}

// One function for all kinds, so that types may be nested in any order. The type of a list's elements is that of an
// empty one, as a list may have none.
template <typename T>
TypedJson Describe(const T& value) {
  std::vector<TypedJson> items;
  std::map<std::string, TypedJson> members;
  if constexpr (std::is_same_v<T, bool>) {
    return {R"("bool")", value ? "true" : "false"};
  } else if constexpr (std::is_integral_v<T>) {
    return {R"("number")", std::to_string(value)};
  } else if constexpr (IsFixed<T>::value) {
    return DescribeFixed(value.units, IsFixed<T>::kDigits);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return DescribeText(value);
  } else if constexpr (IsOptional<T>::value) {
    return value.has_value() ? Describe(*value) : TypedJson{Describe(typename T::value_type()).type, "null"};
  } else if constexpr (IsList<T>::value) {
    for (const auto& item : value.items) items.push_back(Describe(item));
    return DescribeList(Describe(typename decltype(value.items)::value_type()).type, items);
  } else if constexpr (IsMap<T>::value) {
    for (const auto& [key, item] : value) members.emplace(key, Describe(item));
    return DescribeObject(members);
  } else if constexpr (HasFields<T>::value) {
    DescribeFields(value, "", &members);
    return DescribeObject(members);
  } else {
    for (const auto& item : value) items.push_back(Describe(item));
    return DescribeTuple(items);
  }
}

template <typename T>
std::string TypedAnswer(const T& value) {
  const TypedJson typed = Describe(value);
  return R"({"type":)" + typed.type + R"(,"value":)" + typed.value + "}";
}

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_TYPED_ANSWER_H_
