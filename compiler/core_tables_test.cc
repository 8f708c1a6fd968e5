// Which loops over literal lists have fast code, what it is, and that it means what the slow path means.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/fast_code_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::ToAbsl;
namespace {

using testing_support::CompileFast;
using testing_support::ExpectFastMeansSlow;

TEST(CoreTablesTest, MeansWhatTheSlowPathMeans) {
  const char* const kSources[] = {
      R"([for r in [{w = try(a == "x%{ for s in [1, ""] }%{ if b }y%{ endif }%{ endfor }", b), v = a}] : r.v if r.w])",
      R"([for r in [{w = true, v = try(a == trimprefix("x%{ for s in [1, null] }${b}%{ endfor }", "a"), b)}] : r.v if r.w][0])",
      R"([for r in [{w = a == 1, v = "is ${b}"}, {w = true, v = b}] : r.v if r.w][0])",
      R"([for r in [{w = a == 1, v = "is ${b}"}, {w = true, v = b}] : r.v if r.w])",
      R"([for r in [{w = a, v = 1}, {w = b, v = 2}] : r if r.w])",
      R"([for r in [{w = a, v = 1}, {w = b, v = 2}] : r if r.w][0])",
      R"([for r in [{w = a, v = b.x.y}, {w = !a, v = [b]}] : {v = r.v, n = [r.w, a]} if r.w])",
      // Elements that are no objects.
      R"([for v in [a ? "x" : null, b ? "y" : null] : v if v != null])",
      R"([for v in [a, b, 1] : v if v != 1])",
      R"([for v in [a, b, 1] : v if v != 1][0])",
      R"([for v in ["x", "s"] : v if startswith(a, v)])",
      R"([for v in [lower(a), b] : v if v != "x"])",
      R"([for v in [lower(a), upper(b)] : 1 if v != "x"])",
      R"([for v in [[a, 1], [b, 2]] : v[1] if v[0] == 1])",
      R"([for v in [[a, 1], [b, 2]] : v if v[0] == 1][0])",
      R"([for v in [[a, 1], b] : v[0] if b == 1])",
      R"([for v in values({x = a, y = b}) : v if v == b])",
      // Calls that read the element.
      R"([for r in [{w = a, v = 1}] : upper(r.v) if r.w])",
      R"([for r in [{w = a, v = b}, {w = true, v = "x"}] : upper(r.v) if r.w][0])",
      R"([for r in [{w = a, v = "%s-%d"}, {w = true, v = "%s"}] : format(r.v, b, 1) if r.w])",
      R"([for r in [{w = "s", v = b}, {w = "x", v = 1}] : r.v if replace(a, r.w, "") == ""])",
      R"(anytrue([for v in ["10.0.0.0/8", "x", "1.2.3.0/24"] : cidrcontains(v, a)]))",
      R"(anytrue([for v in ["10.0.0.0/8", "1.2.3.0/24"] : cidrcontains(v, "1.2.3.4")]) && b)",
      R"(anytrue([for v in ["^s", "x$"] : can(regex(v, a))]))",
      R"(anytrue([for v in ["^s", "x$"] : regexreplace(a, v, "") == b]))",
      R"(sum([for v in [a, "2"] : tonumber(v)]))",
      R"(max([for v in [a, b] : length(keys(v))]...))",
      R"(max([for v in [a, b] : abs(strlen(v))]...))",
      R"(alltrue([for v in [a, b] : upper(v) == upper(lower(v))]))",
      // Reductions, of elements of any kind.
      R"(anytrue([for r in [{w = a == 1, v = "is ${b}"}, {w = b, v = a}] : r.w]))",
      R"(alltrue([for r in [{w = a == 1, v = upper(b)}, {w = b, v = a.x}] : r.w]))",
      R"(anytrue([{w = a, v = 1}, {w = b, v = a.x}][*].w))",
      R"(anytrue([for r in [{w = a, v = 1}, {w = b, v = 2}] : r.v == 2 if r.w]))",
      R"(alltrue([for r in [{w = a, v = b.x}, {w = b, v = 2}] : !r.w]) && a)",
      R"(length([for r in [{w = a == 1, v = "is ${b}"}, {w = b, v = a.x}] : r.v if r.w]) == 0)",
      R"(length([for r in [{w = a, v = b}, {w = b, v = {x = a}}] : r if r.w]))",
      R"(sum([for r in [{w = a, v = 5}, {w = b, v = a}] : r.v if r.w]))",
      R"(sum([for r in [{w = a, v = b}, {w = b, v = 7}] : r.w ? r.v : 0]))",
      R"(max([for r in [{w = a, v = b}, {w = b, v = 7}] : r.v]...))",
      R"(max(concat([0], [for r in [{w = a, v = b}, {w = b, v = 7}] : r.v if r.w])...))",
      R"(sum([for r in [{w = true, v = "5"}, {w = true, v = 7}] : r.v if r.w]) == a && b)",
      R"(anytrue([for v in ["x", "s", "1"] : v == a]))",
      R"(anytrue([for v in ["x", "s"] : startswith(a, v)]) || b)",
      R"(alltrue([for v in [a, b] : v != "x"]))",
      R"(alltrue([for v in [a, b] : can(v.x)]))",
      R"(alltrue([for v in [a, b] : contains(["x", 1], v)]))",
      R"(length([for v in [a, b, a == b] : v if v]) >= 2)",
      R"(anytrue([for v in [[a, 1], [b, 2]] : v[0] == v[1]]))",
      R"(anytrue([for v in [[a, 1], [b, 2]] : v[2] == 1]))",
      R"(anytrue([for v in values({y = a, x = b}) : v == 1]))",
      R"(sum([for v in slice([1, a, b], 0, 2) : v]))",
      R"(sum([for v in flatten([[{x = a}], {x = b}]) : v.x]))",
      R"(anytrue([for x in a : anytrue([for v in [{w = x, u = b}, {w = b, u = 1}] : v.w == v.u])]))",
      R"(alltrue([for v in [a, b] : anytrue([for w in [1, "x"] : w == v])]))",
      R"(try(anytrue([for r in [{w = a.x, v = 1}, {w = b, v = 2}] : r.w == 1]), false))",
      R"(can(sum([for r in [{w = a, v = 1}, {w = b, v = a.x}] : r.v + r.w])))",
      R"(anytrue([for r in [{w = a, v = 1}, {w = b, v = nosuch}] : r.w]))",
      R"(b == 1 ? anytrue([for r in [{w = a, v = 1}, {w = b, v = 2}] : r.w == r.v]) : a)",
      R"([for r in [{w = a, v = 1}] : nosuch if r.w])",
      R"([for r in [{w = a, v = nosuch}] : r.v if r.w])",
      R"([for r in [{w = a, v = 1}] : r.nosuch if r.w])",
      R"([for r in [{w = false, v = a + b}, {w = true, v = a}] : r.v if r.w][0])",
      R"([for r in [{w = true, v = upper(a)}, {w = true, v = join(",", b)}] : r.v if r.w][0])",
      R"([for r in [{w = true, v = "${a}%{if b}x${a}%{else}${a.x}%{endif}"}] : r.v if r.w && true][0])",
      R"([for r in [{w = true, v = 1}, {w = true, v = "${a}%{if b}x${a}%{else}${a.x}%{endif}"}] : r.v if r.w][0])",
      R"([for r in [{w = can(a.x), v = try(a.x, "none")}, {w = true, v = upper(try(b.x, "none"))}] : r.v if r.w][0])",
      R"([for r in [{w = contains(a, b), v = try("${a.x}", "")}, {w = true, v = 0}] : r.v if r.w][0])",
      R"([for r in [{w = length([for x in a : x if x == b]) > 0, v = a}, {w = true, v = b}] : r.v if r.w][0])",
      R"([for r in [{w = a == b, v = {x = a}[b]}, {w = a != b, v = length(a)}] : r.v if r.w])",
      R"([for r in [{w = a && b, v = 1}, {w = a || b, v = 2}, {w = a ? b : true, v = 3}] : r.v if r.w])",
      R"([for r in [{w = a, v = 1}, {w = a, v = 2}] : r.v if !r.w])",
      R"([for r in [{w = a, v = split("", b)[0]}, {w = true, v = split("", b)[1]}] : r.v if r.w][0])",
      R"([for r in [{w = true, v = max(a, b)}, {w = true, v = min(a)}, {w = true, v = join(a)}] : r.v if r.w][0])",
      R"([for r in [{w = null == null, v = 1}, {w = a, v = null != null}] : r.v if r.w])",
      R"([for r in [{w = true, v = null}, {w = a, v = null}] : r.v if r.w])",
      R"([for r in [{w = "true", v = 1}, {w = a, v = 2}] : r.v if r.w])",
      R"([for x in a : [for r in [{w = x == b, v = x}, {w = true, v = "${x}"}] : r.v if r.w][0]])",
      R"([for r in [{w = a, v = [for s in [{t = b, u = 1}] : s.u if s.t]}] : r.v if r.w])",
      R"([for i, r in [{w = a, v = 1}, {"w" = b, ("v") = 2}] : r.v if (r.w)][0])",
      R"([for a in [{w = a, v = 1}, {w = b, v = 2}] : a.v if a.w])",
      R"([for a in [{w = b == 1, v = b}] : a.x if a.w])",
      R"([for a in [{w = b == 1, v = b}] : a.v if a["w"]])",
      R"([for a in [{w = b == 1, v = {x = b}}] : a.v.x if a.w])",
      R"([for r in [{k = "x", v = 1}, {k = 1, v = 2}] : r.v if r.k == a][0])",
      // What try and can look for behind the loop's variable.
      R"([for r in [{o = a, v = 1}, {o = b, v = 2}] : r.v if try(r.o.x == 1, false)])",
      R"([for r in [{o = a, v = 1}, {o = b, v = 2}] : r.v if try(r.o.x, false)])",
      R"([for r in [{o = a, v = 1}, {o = b, v = 2}] : r.v if can(r.o.x)])",
      R"([for r in [{o = a, v = 1}, {o = b, v = 2}] : r.o if can(r.o[0]) || can(a[r.v])])",
      // A path that does not always run has loaded nothing for those behind it.
      R"([for r in [{u = try(a.x, a[b.x], 1), w = true, v = b.x}, {w = true, v = b.x}] : r.v if r.w])",
      // Nor has what it begins with.
      R"([for r in [{w = a.x.y == 1 && a.x.z == b, v = a.x.y}, {w = true, v = a.x.z}] : r.v if r.w][0])",
      R"([for r in [{w = b || a.x.y == 1, v = 1}, {w = a.x.z == 2, v = a.x}, {w = true, v = a.x.y}] : r.v if r.w])",
      R"([for r in [{w = b, v = try(a.x.y, 1)}, {w = can(a.x.z) || a.x.z == 1, v = a.x.y}] : r.v if r.w])",
      R"([for r in [{w = b, v = a.x.y}, {w = b == 1, v = upper(a.x.z)}, {w = true, v = "${a.x.y}"}] : r.v if r.w])",
      // The list, and its first element, in other words.
      R"([for r in concat([{w = a == b, v = 1}], [{w = true, v = b}]) : r.v if r.w][0])",
      R"([for r in flatten([[{w = a == b, v = 1}], [[{w = true, v = b}]]]) : r.v if r.w][0])",
      R"([for r in slice([{w = a == b, v = 1}, {w = true, v = b.x}], 0, 1) : r.v if r.w])",
      R"([for k, r in {b = {w = a == b, v = 1}, a = {w = a, v = b}} : r.v if r.w])",
      R"([for r in values({b = {w = a == b, v = 1}, a = {w = a, v = b}}) : r.v if r.w][0])",
      R"(element([for r in [{w = a == b, v = 1}, {w = true, v = b}] : r.v if r.w], 0))",
      R"(slice([for r in [{w = a == b, v = 1}, {w = a, v = b}] : r.v if r.w], 0, 1)[0])",
      R"(concat([for r in [{w = a == b, v = 1}, {w = a, v = b}] : r.v if r.w], [a])[0])",
      R"(one(slice([for r in [{w = a == b, v = 1}, {w = a, v = b}] : r.v if r.w], 0, 1)))",
      R"([for r in [{w = a == b, v = {x = a}}, {w = true, v = b}] : r if r.w][0].v.x)",
      R"([for r in [{w = a == b, v = {x = a}}, {w = true, v = {x = b, y = 1}}] : r.v if r.w][0].x)",
      R"([for r in [{w = a == b, v = a.x}, {w = true, v = b.x}] : r if r.w][0].v)",
      R"([for r in [{w = a == b, v = a, n = b.x}, {w = b, v = 1}] : {v = r.v, n = r.n} if r.w][0].v)",
      R"([for r in [{w = a == b, v = 1}, {w = true, u = b}] : r if r.w][0].v)",
      R"([for r in [{w = a == b, v = 1}, {w = true, v = b}] : r if r.w][0].nosuch)",
      R"(element([for r in [{w = a == b, v = 1, n = b}, {w = true, v = b, n = a}] : r if r.w], 0).v)",
      R"([for r in [{w = a == b, v = [a, b]}, {w = true, v = {x = 1}}] : r if r.w][0].v)",
      // Nulls of types that only a call tells.
      R"([for r in [{w = a == 1, v = toset(null)}, {w = true, v = tolist(null)}] : r.v if r.w])",
      R"([for r in [{w = a == 1, v = tomap(null)}, {w = true, v = toset(null)}] : r.v if r.w][0])",
      // No element is left, and the condition is looked at.
      R"([for x in slice([a], 0, 0) : x if 1])",
      R"([for x in slice([a, b], 1, 1) : x if b])",
      R"(length([for x in slice([a, 1], 0, 0) : x if x.y == b]))",
      R"(anytrue([for x in slice([a, b], 2, 2) : x if x[null] == 1]))",
      // A condition that the text decides.
      R"([for r in true ? [{w = a == 1, v = "x"}, {w = true, v = "y"}] : [] : r.v if r.w][0])",
      R"([for r in false ? [] : [{w = a == 1, v = "x"}, {w = b == 1, v = "${a}"}] : r.v if r.w])",
      R"([for r in true ? [{w = a == 1, v = 1}, {w = b == 1, v = "${a}"}] : [] : r.v if r.w])",
      R"([for r in true ? [{w = a == 1, v = a}, {w = true, v = b}] : [] : r.v if r.w])",
      R"([for r in true ? [{w = a == 1, v = 1}] : [{w = "x", v = 2}] : r.v if r.w])",
      R"([for r in true ? [{w = a == 1, v = 1}] : [{w = b == 1, v = 2}, {w = true, v = 3}] : r.v if r.w])",
      R"([for r in [{w = a == b, v = 1}, {w = true, v = b}] : {v = r.v, u = a} if r.w]["0"].u)",
      R"([for r in [{w = a == b, v = 1}, {w = true, v = b}] : r.v if r.w && true][0])",
      R"([for r in [{w = a == b, v = 1}, {w = true, v = b}] : r.v if (r.w == true) != false][0])",
  };
  for (const char* source : kSources) ExpectFastMeansSlow(source);
}

// An object is one element of a splat, and its values are those of a loop.
TEST(CoreTablesTest, SplatsOfObjects) {
  constexpr const char* kSources[] = {
      "alltrue({x = a}[*])",
      "anytrue({x = a, y = b}[*])",
      "sum({x = a}[*])",
      "max({x = a, y = b}[*]...)",
      "alltrue({x = a}.*)",
      "sum({x = {y = a}}[*].y)",
      "sum({x = a}[*].x)",
      "alltrue({x = true}[*])",
      "alltrue((true ? {x = a} : {x = b})[*])",
      "length({x = a, y = b}[*])",
      "sum([a, b][*])",
      "alltrue([{x = a}, {x = b}][*].x)",
      "alltrue(values({x = a, y = b})[*])",
      "sum(concat([{x = a}], [{x = b}])[*].x)",
      "contains({x = a}[*], b)",
  };
  for (const char* source : kSources) ExpectFastMeansSlow(source, /*stride=*/1);
}

// Tables put together at random.
class Tables {
 public:
  std::string Next() {
    std::string elements;
    for (int count = 1 + Pick(4); count > 0; --count) {
      absl::StrAppend(&elements, elements.empty() ? "" : ", ", "{w = ", Pick(8) == 0 ? Expression(2) : Bool(2),
                      ", v = ", Pick(8) == 0 ? Expression(2) : Text(2), ", u = ", Text(1), "}");
    }
    const char* const kValues[] = {
        "r.v", "r", "{x = r.v, y = r.u}", "[r.u, c]", "\"${r.v} ${r.u}\"", "r.v == r.u", "r[\"v\"]", "r.v.x", "r.x"};
    static constexpr const char* kConditions[] = {"r.w",
                                                  "r.w",
                                                  "!r.w",
                                                  "r.w && r.u == 1",
                                                  "r.w || r.v",
                                                  "r[\"w\"]",
                                                  "r.w.x",
                                                  "!(!r.w)",
                                                  "r.w && true",
                                                  "true && r.w",
                                                  "try(r.v.x, r.w)",
                                                  "can(r.v.x) || r.w",
                                                  "r.w == true",
                                                  "(r.w != false) == true",
                                                  "try(r.q, true)"};
    // The loop's variable may have the name of one of the scope, which the elements read.
    const char* const kNames[] = {"r", "r", "a", "b"};
    const char* const name = kNames[Pick(4)];
    const auto named = [&](const char* text) {
      return absl::StrReplaceAll(text, {{"r.", absl::StrCat(name, ".")},
                                        {"r[", absl::StrCat(name, "[")},
                                        {"c", name == std::string_view("a") ? "b" : "a"}});
    };
    const std::string value = named(kValues[Pick(9)]);
    static constexpr const char* kLists[] = {"[$0]",
                                             "[$0]",
                                             "[$0]",
                                             "concat([$0], [])",
                                             "concat([], [$0], [$0])",
                                             "flatten([[$0], {w = true, v = a, u = b}, [[$0]]])",
                                             "slice([$0], 0, 1)",
                                             "slice([$0, $0], 1, 2)",
                                             "{z = {w = true, v = a, u = b}, y = {w = a == 1, v = b, u = 1}}",
                                             "values({z = {w = b == 1, v = a, u = b}, y = {w = true, v = 1, u = 2}})"};
    static constexpr const char* kResults[] = {"$0",
                                               "$0",
                                               "$0[0]",
                                               "$0[0]",
                                               "$0[0]",
                                               "$0[\"0\"]",
                                               "element($0, 0)",
                                               "slice($0, 0, 1)[0]",
                                               "concat($0, [a])[0]",
                                               "concat($0, [])[0]",
                                               "one(slice($0, 0, 1))",
                                               "$0[0].v",
                                               "element($0, 0).x[0]",
                                               "try($0[0], \"none\")"};
    const std::string list = absl::StrReplaceAll(kLists[Pick(10)], {{"$0", elements}});
    const std::string loop = absl::StrCat("[for ", Pick(3) == 0 ? "i, " : "", name, " in ", list, " : ",
                                          value == "r" ? name : value, " if ", named(kConditions[Pick(15)]), "]");
    return absl::StrReplaceAll(kResults[Pick(14)], {{"$0", loop}});
  }

 private:
  int Pick(int bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<uint64_t>(bound));
  }

  std::string Fill(std::string_view form, const std::string& left, const std::string& right) {
    return absl::StrReplaceAll(ToAbsl(form),
                               {{"$0", absl::StrCat("(", left, ")")}, {"$1", absl::StrCat("(", right, ")")}});
  }

  template <size_t kSize>
  std::string_view PickOf(const std::string_view (&choices)[kSize]) {
    return choices[Pick(kSize)];
  }

  // Anything; most of it fails for most operands.
  std::string Expression(int depth) {
    static constexpr std::string_view kLeaves[] = {
        "a", "b", "1", "\"x\"", "true", "false", "a.x", "b[0]", "[for x in a : x]", "null"};
    static constexpr std::string_view kForms[] = {
        "$0 == $1",
        "$0 != $1",
        "$0 && $1",
        "$0 || $1",
        "$0 < $1",
        "$0 + $1",
        "$0 ? $1 : $0",
        "!$0",
        "\"${$0}-${$1}\"",
        "upper($0)",
        "join(\",\", $0)",
        "\"%{if $0}${$1}%{endif}\"",
        "contains($0, $1)",
        "length($0)",
        "try($0, $1)",
        "try($0, \"n\")",
        "can($0)",
        "max($0, $1)",
        "[$0, $1]",
        "{k = $0}",
        "split(\"x\", $0)[0]",
        "endswith($0, \"x\")",
        "[for y in $0 : y if y == $1]",
        "contains([\"x\", 1], $0)",
    };
    if (depth == 0 || Pick(4) == 0) return std::string(PickOf(kLeaves));
    return Fill(PickOf(kForms), Expression(depth - 1), Expression(depth - 1));
  }

  // What seldom fails.
  std::string Bool(int depth) {
    static constexpr std::string_view kLeaves[] = {"a == 1",   "b == \"x\"", "true",
                                                   "can(a.x)", "a != b",     "try(a > 1, false)"};
    static constexpr std::string_view kForms[] = {"$0 && $1", "$0 || $1", "!$0", "$0 ? $1 : true", "$0 == $1"};
    if (depth == 0 || Pick(4) == 0) return std::string(PickOf(kLeaves));
    return Fill(PickOf(kForms), Bool(depth - 1), Bool(depth - 1));
  }

  std::string Text(int depth) {
    static constexpr std::string_view kLeaves[] = {
        "a", "\"x\"", "\"is ${a}\"", "try(a.x, \"none\")", "try(\"${b}\", \"n\")", "a.x.y", "try(a.x.z, \"z\")"};
    static constexpr std::string_view kForms[] = {
        "\"${$0}-${$1}\"",     "upper($0)",
        "split(\"-\", $0)[0]", "join($0, [$0, $1])",
        "trimspace($0)",       "\"%{if a == 1}${$0}%{else}${$1}%{endif}\"",
        "a == 1 ? $0 : \"y\"", "join(\",\", [for x in [$0, $1] : x if x != \"x\"])",
    };
    if (depth == 0 || Pick(4) == 0) return std::string(PickOf(kLeaves));
    return Fill(PickOf(kForms), Text(depth - 1), Text(depth - 1));
  }

  uint64_t state_ = 1;
};

TEST(CoreTablesTest, RandomTablesMeanWhatTheSlowPathMeans) {
  constexpr int kTables = 1'500;
  Tables tables;
  int with_fast_code = 0;
  for (int n = 0; n < kTables && !testing::Test::HasFailure(); ++n) {
    const std::string text = tables.Next();
    with_fast_code += internal::TablesOf(*CompileFast(text)).fast_regions().empty() ? 0 : 1;
    ExpectFastMeansSlow(text, /*stride=*/7);
  }
  EXPECT_GT(with_fast_code, kTables / 2);
}

int calls = 0;

TEST(CoreTablesTest, FunctionsThatAreNotPureAreCalledOnce) {
  Function count;
  count.name = "count";
  count.result_type = Type::Number();
  count.body = [](FunctionCall*, absl::Span<const Value>) { return Value::Int(++calls); };
  count.pure = false;
  FunctionRegistryBuilder builder;
  builder.Add(count);
  CompileOptions options;
  options.functions = std::move(builder).Build();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>(
      "<test>", "[for r in [{w = true, v = count()}, {w = false, v = a}] : r.v if r.w][0]");
  const auto program = CompileExpression(source, options, &diagnostics);
  ASSERT_NE(program, nullptr);
  Evaluator evaluator(program);
  evaluator.Bind("a", Value::Dynamic());
  EXPECT_TRUE(evaluator.Run().ok());
  EXPECT_EQ(calls, 1);
}

// A table within a table within a table: the code must not double with each.
TEST(CoreTablesTest, NestedTables) {
  std::string text = "a";
  for (int depth = 0; depth < 60; ++depth) {
    text = absl::StrCat("[for r in [{w = a == 1, v = ", text, "}, {w = true, v = 2}] : r.v if r.w][0]");
  }
  const auto program = CompileFast(text);
  ASSERT_NE(program, nullptr);
  EXPECT_LT(internal::TablesOf(*program).code().size(), text.size());
  Evaluator evaluator(program);
  evaluator.Bind("a", Value::Int(1));
  EXPECT_EQ(evaluator.Run().value().AsInt(), 1);
  evaluator.Bind("a", Value::Int(3));
  EXPECT_EQ(evaluator.Run().value().AsInt(), 2);
}

// Too many elements, or too much in them, for fast code.
TEST(CoreTablesTest, LongTables) {
  for (int count : {200, 300, 5000}) {
    std::string elements;
    for (int n = 0; n < count; ++n) absl::StrAppend(&elements, "{w = a == ", n, ", v = \"is ${a} and ${b}\"},");
    const auto program = CompileFast("[for r in [" + elements + "] : r.v if r.w][0]");
    ASSERT_NE(program, nullptr);
    Evaluator evaluator(program);
    evaluator.Bind("a", Value::Int(count - 1));
    evaluator.Bind("b", Value::StringView("x"));
    EXPECT_EQ(evaluator.Run().value().AsString(), absl::StrCat("is ", count - 1, " and x"));
  }
}

}  // namespace
}  // namespace hcl
