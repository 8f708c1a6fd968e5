// Tested by vm/value/kind_name_test.cc.

#include "hclvm/vm/value/kind_name.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hcl::internal {
namespace {

// `name`: of FriendlyName().
std::string Named(std::string name) {
  constexpr std::string_view kOfAny = " of dynamic";
  if (name == "dynamic") return "a value of any type";
  const size_t rest = name.size() - std::min(name.size(), kOfAny.size());
  if (std::string_view(name).substr(rest) == kOfAny) name.resize(rest);
  const bool has_vowel = !name.empty() && std::string_view("aeiou").find(name[0]) != std::string_view::npos;
  return (has_vowel ? "an " : "a ") + name;
}

}  // namespace

std::string WithArticle(Type type) { return Named(FriendlyName(type)); }

std::string WithArticle(const Value& value) { return Named(FriendlyName(value)); }

}  // namespace hcl::internal
