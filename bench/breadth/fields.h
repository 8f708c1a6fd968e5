// What the structs of the breadth workloads are made of: fields with the names that they have in JSON.
//
//   struct User {
//     std::string name;
//     std::optional<int64_t> age;
//     static auto Fields() { return std::make_tuple(Field("name", &User::name), Field("age", &User::age)); }
//   };
//
// Scopes are read (bench/breadth/scope_reader.h) and answers are written (bench/typed_answer.h) by these lists.
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_FIELDS_H_
#define HCLVM_BENCH_BREADTH_FIELDS_H_

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace hcl::bench {

template <typename Struct, typename T>
struct FieldOf {
  const char* name;
  T Struct::*member;
};

template <typename Struct, typename T>
constexpr FieldOf<Struct, T> Field(const char* name, T Struct::*member) {
  return {name, member};
}

// A decimal with so many digits behind the point: 12.90 is units 1290 of scale 2.
template <int kScale>
struct Fixed {
  int64_t units = 0;
};

// The answers that are lists of HCL; a vector is a tuple.
template <typename T>
struct ListOf {
  std::vector<T> items;
};

// A struct whose fields are part of the object around, with the field's name and _ before theirs.
template <typename T>
struct Prefixed {
  T value;
};

// What kind a type is.

template <typename T>
struct IsFixed : std::false_type {};
template <int kScale>
struct IsFixed<Fixed<kScale>> : std::true_type {
  static constexpr int kDigits = kScale;
};

template <typename T, typename = void>
struct IsMap : std::false_type {};
template <typename T>
struct IsMap<T, std::void_t<typename T::mapped_type>> : std::true_type {};

template <typename T, typename = void>
struct HasFields : std::false_type {};
template <typename T>
struct HasFields<T, std::void_t<decltype(&T::Fields)>> : std::true_type {};

template <typename T>
struct IsList : std::false_type {};
template <typename T>
struct IsList<ListOf<T>> : std::true_type {};

template <typename T>
struct IsPrefixed : std::false_type {};
template <typename T>
struct IsPrefixed<Prefixed<T>> : std::true_type {};

template <typename T, typename = void>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<T, std::void_t<decltype(std::declval<T>().has_value())>> : std::true_type {};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_FIELDS_H_
