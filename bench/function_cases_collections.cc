// Functions of collections, beside C++ by hand.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "hclvm/bench/function_case.h"

namespace hcl::bench {
namespace {

using S = FunctionScope;
using Texts = std::vector<std::string>;
using Views = std::vector<std::string_view>;
using Map = std::map<std::string, std::string>;

// Strings without repeated ones, sorted: the form in which sets of a few strings are worked with soonest.
Views SetOf(const Texts& texts) {
  Views set(texts.begin(), texts.end());
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

template <typename Operation>
Views Combine(const Texts& a, const Texts& b, const Operation& operation) {
  const Views set_a = SetOf(a);
  const Views set_b = SetOf(b);
  Views result;
  operation(set_a.begin(), set_a.end(), set_b.begin(), set_b.end(), std::back_inserter(result));
  return result;
}

Map Merged(const S& s) {
  Map merged = s.tags;
  for (const auto& [key, value] : s.more) merged[key] = value;
  return merged;
}

template <typename Part>
Texts Parts(const Map& map, const Part& part) {
  Texts parts;
  parts.reserve(map.size());
  for (const auto& pair : map) parts.push_back(part(pair));
  return parts;
}

Texts Distinct(const Texts& texts) {
  Texts result;
  std::unordered_set<std::string_view> seen;
  for (const std::string& text : texts) {
    if (seen.insert(text).second) result.push_back(text);
  }
  return result;
}

Texts Flat(const S& s) {
  Texts result;
  for (const Texts& texts : s.nested) result.insert(result.end(), texts.begin(), texts.end());
  return result;
}

Texts Concat(const S& s) {
  Texts result = s.list;
  result.insert(result.end(), s.others.begin(), s.others.end());
  return result;
}

std::map<std::string, Texts> Transposed(const S& s) {
  std::map<std::string, Texts> result;
  for (const auto& [key, texts] : s.groups) {
    for (const std::string& text : texts) result[text].push_back(key);
  }
  return result;
}

Texts Matching(const S& s) {
  Texts result;
  for (size_t i = 0; i < s.list.size(); ++i) {
    const std::string& key = s.repeated[i];
    if (key == "a" || key == "d") result.push_back(s.list[i]);
  }
  return result;
}

}  // namespace

std::vector<FunctionCase> CollectionCases() {
  return {
      Beside("contains_literal", R"(contains(["admin", "operator", "owner"], role))",
             [](const S& s) { return s.role == "admin" || s.role == "operator" || s.role == "owner"; }),
      Beside("contains_variable", "contains(list, role)",
             [](const S& s) { return std::find(s.list.begin(), s.list.end(), s.role) != s.list.end(); }),
      Beside(
          "length", "length(list)", [](const S& s) { return static_cast<int64_t>(s.list.size()); }, kCallCosts),
      Beside(
          "element", "element(list, count)", [](const S& s) { return s.list[s.count % s.list.size()]; }, kCallCosts),
      Beside(
          "index", "index(list, 4)", [](const S& s) { return s.list[4]; }, kCallCosts),
      Beside(
          "hasindex", "hasindex(list, 9)", [](const S& s) { return 9 < s.list.size(); }, kCallCosts),
      Beside(
          "one", "one(nested[1])", [](const S& s) { return s.nested[1].at(0); }, kCallCosts),
      Beside("lookup", R"(lookup(tags, "region", "none"))",
             [](const S& s) {
               const auto found = s.tags.find("region");
               return found == s.tags.end() ? std::string_view("none") : std::string_view(found->second);
             }),
      Beside("keys", "keys(tags)", [](const S& s) { return Parts(s.tags, [](const auto& p) { return p.first; }); }),
      Beside("values", "values(tags)",
             [](const S& s) { return Parts(s.tags, [](const auto& p) { return p.second; }); }),
      Beside("merge", "merge(tags, more)", Merged),
      Beside("zipmap", "zipmap(nested[3], [numbers[0], numbers[1], numbers[2]])",
             [](const S& s) {
               std::map<std::string, int64_t> result;
               for (size_t i = 0; i < 3; ++i) result[s.nested[3][i]] = s.numbers[i];
               return result;
             }),
      Beside("concat", "concat(list, others)", Concat),
      Beside("flatten", "flatten(nested)", Flat),
      Beside("reverse", "reverse(list)", [](const S& s) { return Texts(s.list.rbegin(), s.list.rend()); }),
      Beside("slice", "slice(list, 2, 6)", [](const S& s) { return Texts(s.list.begin() + 2, s.list.begin() + 6); }),
      Beside("sort", "sort(others)",
             [](const S& s) {
               Texts sorted = s.others;
               std::sort(sorted.begin(), sorted.end());
               return sorted;
             }),
      Beside("distinct", "distinct(repeated)", [](const S& s) { return Distinct(s.repeated); }),
      Beside("compact", "compact(repeated)",
             [](const S& s) {
               Texts result;
               std::copy_if(s.repeated.begin(), s.repeated.end(), std::back_inserter(result),
                            [](const std::string& text) { return !text.empty(); });
               return result;
             }),
      Beside("chunklist", "chunklist(list, 3)",
             [](const S& s) {
               std::vector<Texts> chunks;
               for (size_t i = 0; i < s.list.size(); i += 3) {
                 const auto begin = s.list.begin() + static_cast<std::ptrdiff_t>(i);
                 chunks.emplace_back(begin, begin + std::min<std::ptrdiff_t>(3, s.list.end() - begin));
               }
               return chunks;
             }),
      Beside("coalesce", "coalesce(null, role)", [](const S& s) { return s.role; }),
      Beside("coalescelist", "coalescelist([], list)", [](const S& s) { return s.list; }),
      Beside("matchkeys", R"(matchkeys(list, repeated, ["a", "d"]))", Matching),
      Beside("range", "range(8)",
             [](const S& s) {
               std::vector<int64_t> numbers(s.list.size());
               std::iota(numbers.begin(), numbers.end(), 0);
               return numbers;
             }),
      Beside("transpose", "transpose(groups)", Transposed),
      Beside("alltrue", "alltrue(flags)",
             [](const S& s) { return std::all_of(s.flags.begin(), s.flags.end(), [](bool flag) { return flag; }); }),
      Beside("anytrue", "anytrue(flags)",
             [](const S& s) { return std::any_of(s.flags.begin(), s.flags.end(), [](bool flag) { return flag; }); }),
      Beside(
          "sum", "sum(numbers)",
          [](const S& s) { return std::accumulate(s.numbers.begin(), s.numbers.end(), int64_t{0}); }, kCallCosts),
      Beside(
          "max", "max(numbers...)", [](const S& s) { return *std::max_element(s.numbers.begin(), s.numbers.end()); },
          kCallCosts),
      Beside(
          "min", "min(numbers...)", [](const S& s) { return *std::min_element(s.numbers.begin(), s.numbers.end()); },
          kCallCosts),
      Beside("toset", "toset(repeated)", [](const S& s) { return SetOf(s.repeated); }),
      Beside("tolist", "tolist(list)", [](const S& s) { return s.list; }),
      Beside("tomap", "tomap(tags)", [](const S& s) { return s.tags; }),
      Beside("setunion", "setunion(list, others)",
             [](const S& s) { return Combine(s.list, s.others, [](auto... parts) { std::set_union(parts...); }); }),
      Beside(
          "setintersection", "setintersection(list, others)",
          [](const S& s) { return Combine(s.list, s.others, [](auto... parts) { std::set_intersection(parts...); }); }),
      Beside(
          "setsubtract", "setsubtract(list, others)",
          [](const S& s) { return Combine(s.list, s.others, [](auto... parts) { std::set_difference(parts...); }); }),
  };
}

}  // namespace hcl::bench
