// Reads a scope, as bench/inputs has them, into a struct with Fields() (bench/breadth/fields.h).
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_SCOPE_READER_H_
#define HCLVM_BENCH_BREADTH_SCOPE_READER_H_

#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hclvm/bench/breadth/fields.h"
#include "simdjson.h"

namespace hcl::bench {

// A member that is missing leaves an optional or a map empty; so does null an optional. Other members must be there and
// of the right kind: anything else throws, which ends the process, as the inputs are our own.
template <typename T>
void ReadJson(const simdjson::dom::element& json, T* value) {
  if constexpr (IsFixed<T>::value) {
    value->units = std::llround(double{json} * std::pow(10, IsFixed<T>::kDigits));
  } else if constexpr (std::is_same_v<T, std::string>) {
    *value = std::string(std::string_view{json});
  } else if constexpr (std::is_arithmetic_v<T>) {
    *value = T(json);
  } else if constexpr (IsOptional<T>::value) {
    if (!json.is_null()) ReadJson(json, &value->emplace());
  } else if constexpr (IsMap<T>::value) {
    for (const auto [key, item] : simdjson::dom::object{json}) ReadJson(item, &(*value)[std::string(key)]);
  } else if constexpr (HasFields<T>::value) {
    const auto read = [&](const auto& field) {
      simdjson::dom::element member;
      auto& target = value->*field.member;
      const bool found = json[field.name].get(member) == simdjson::SUCCESS;
      using Target = std::remove_reference_t<decltype(target)>;
      if (!found && (IsOptional<Target>::value || IsMap<Target>::value)) return;
      ReadJson(found ? member : json[field.name].value(), &target);
    };
    std::apply([&](const auto&... fields) { (read(fields), ...); }, T::Fields());
  } else {
    for (const simdjson::dom::element item : simdjson::dom::array{json}) {
      value->emplace_back();
      ReadJson(item, &value->back());
    }
  }
}

// The scopes of a file in bench/inputs, one a line; none if it cannot be read.
template <typename Scope>
std::vector<Scope> ReadScopes(const std::string& path) {
  std::vector<Scope> scopes;
  std::ifstream file(path);
  simdjson::dom::parser parser;
  for (std::string line; std::getline(file, line);) {
    scopes.emplace_back();
    ReadJson(parser.parse(line).value(), &scopes.back());
  }
  return scopes;
}

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_SCOPE_READER_H_
