// Rewrites. Tested by tests/slow/rewrites_test.cc.

#include "hclvm/tests/slow/rewrites.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kExact = Likeness::kExact;
constexpr Likeness kValues = Likeness::kValues;
constexpr Likeness kKnown = Likeness::kKnown;

// Each group is about a form that the compiler has code of its own for. Where a program on the left is that form, the
// one on the right is not, or in another spelling.
constexpr Rewrite kRewrites[] = {
    // Spellings.
    {"@a", "$1", "($1)", kExact},
    {"@a", "$1", "{zz = ($1)}.zz", kExact},
    {"@a", "[$1][0]", "[for zz in [0] : $1][0]", kExact},
    {"@a|@a", "{a = $1, b = $2}", "{\"a\" = $1, \"b\" = $2}", kExact},
    {"@a|@a", "{a = $1, b = $2}", "{(\"a\") = $1, (\"${\"b\"}\") = $2}", kExact},
    {"@a|@a", "{a = $1, b = $2}.a", "{b = $2, a = $1}[\"a\"]", kValues},
    {"@a", "($1).a", "($1)[\"a\"]", kValues},
    {"@a", "($1).0", "($1)[0]", kValues},
    {"@a", "(($1).a).b", "($1).a.b", kExact},
    {"@q|@a", "[for x in $1 : x == ($2)]", "[for zz, x in $1 : x == ($2)]", kExact},
    {"@q|@a|@n", "[for x in $1 : [x, $2] if x != ($3)]", "[for zz, x in $1 : [x, $2] if x != ($3)]", kExact},
    {"@m|@a", "{for k, x in $1 : k => x == ($2)}", "{for k, x in $1 : \"${k}\" => x == ($2)}", kKnown},

    // Chains of operators.
    {"@B|@B|@B", "$1 && $2 && $3", "($1 && $2) && $3", kExact},
    {"@B|@B|@B", "$1 || $2 || $3", "($1 || $2) || $3", kExact},
    {"@B|@B|@B", "$1 && $2 || $3", "($1 && $2) || $3", kExact},
    {"@N|@N|@N", "$1 + $2 + $3", "($1 + $2) + $3", kExact},
    {"@N|@N|@N", "$1 * $2 - $3", "($1 * $2) - $3", kExact},
    {"@N|@N|@N", "$1 + $2 * $3", "$1 + ($2 * $3)", kExact},
    {"@B|@B|@B", "$1 && $2 && $3", "$1 && ($2 && $3)", kKnown},
    {"@B|@B|@B", "$1 || $2 || $3", "$1 || ($2 || $3)", kKnown},
    {"@B|@B", "!($1 && $2)", "!$1 || !$2", kKnown},
    {"@B|@B", "!($1 || $2)", "!$1 && !$2", kKnown},
    {"@B|(@A == @A)", "$1 && $2", "$1 ? $2 : false", kKnown},
    {"@B|(@A != @A)", "$1 || $2", "$1 ? true : $2", kKnown},
    {"@N|@N", "$1 - $2", "$1 + -$2", kKnown},
    {"@N", "$1 * 2", "$1 + $1", kKnown},
    {"@N", "-(-$1)", "$1 + 0", kKnown},
    {"@N|@N", "$1 + $2", "sum([$1, $2])", kKnown},
    {"@n|@n", "max($1, $2)", "max([$1, $2]...)", kValues},

    // Tests.
    {"@A|@A", "$1 != $2", "!($1 == $2)", kExact},
    {"@A|@A", "$1 == $2", "$2 == $1", kValues},
    {"@N|@N", "$1 > $2", "$2 < $1", kValues},
    {"@N|@N", "$1 > $2", "!($1 <= $2)", kExact},
    {"@N|@N", "$1 >= $2", "!($1 < $2)", kExact},
    {"@n|@n", "tonumber($1) <= tonumber($2)", "tonumber($1) < tonumber($2) || tonumber($1) == tonumber($2)", kKnown},
    {"@A", "$1 == null", "null == $1", kExact},
    {"@A", "$1 != null", "!($1 == null)", kExact},
    {"@A", "$1 == null", "$1 == {zz = null}.zz", kExact},
    {"@A|@b", "$1 == null ? $2 : false", "$1 != null ? false : $2", kKnown},
    {"@A|@n", "$1 == null || ($1).a > ($2)", "!($1 != null && !(($1).a > ($2)))", kKnown},
    {"@A", "can(($1).a)", "try([($1).a] != [], false)", kKnown},
    {"@A|@s", "try(($1).a, null) == null", "can(($1).a) ? ($1).a == null : true", kKnown},
    {"@a|@s", "try(($1).a, \"z\") == ($2)", "can(($1).a) ? ($1).a == ($2) : \"z\" == ($2)", kKnown},
    {"@g|@g|@s", "contains([$1, $2], $3)", "($3) == $1 || ($3) == $2", kKnown},
    {"@d|@d|@n", "contains([$1, $2], tonumber($3))", "tonumber($3) == $1 || tonumber($3) == $2", kKnown},
    {"@g|@s", "contains([$1, 1, true], $2)", "contains(concat([$1], [1, true]), $2)", kKnown},
    {"@s|@s|@s", "contains([$1, $2], $3)", "contains([for x in [$1, $2] : x], $3)", kValues},
    {"@g|@g|@s", "!contains([$1, $2], $3)", "($3) != $1 && ($3) != $2", kKnown},
    {"@s|@g", "startswith($1, $2)", "startswith($1, {zz = $2}.zz)", kValues},
    {"@s|@g", "endswith($1, $2)", "endswith($1, {zz = $2}.zz)", kValues},
    {"@s|@g", "startswith($1, $2)", "endswith(strrev($1), strrev($2))", kKnown},
    {"@q|@n", "length($1) == $2", "length([for x in $1 : 0]) == $2", kKnown},
    {"@q", "length($1) > 0", "length($1) != 0", kKnown},

    // Decisions and tables of rules.
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for r in [{c = $1, v = $2}, {c = true, v = $3}] : r.v if r.c][0]", kKnown},
    {"(@A == @A)|@g|(@B && @B)|@g|@g", "$1 ? $2 : $3 ? $4 : $5",
     "[for r in [{c = $1, v = $2}, {c = $3, v = $4}, {c = true, v = $5}] : r.v if r.c][0]", kKnown},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c]",
     "[for i, r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c]", kExact},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c][0]",
     "[for r in [{\"c\" = $1, \"v\" = $2}, {\"c\" = $3, \"v\" = $4}] : r[\"v\"] if r[\"c\"]][0]", kExact},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c][0]",
     "([for r in ([({c = ($1), v = $2}), {c = $3, v = ($4)}]) : (r.v) if (r).c])[0]", kExact},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c][0]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3, v = $4}]}.zz : r.v if r.c][0]", kExact},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c]",
     "[for r in concat([{c = $1, v = $2}], [{c = $3, v = $4}]) : r.v if r.c]", kKnown},
    {"@b|@w|@b|@w|@b", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c && $5][0]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3, v = $4}]}.zz : r.v if r.c && $5][0]", kExact},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : {a = r.v} if !r.c][0]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3, v = $4}]}.zz : {a = r.v} if !r.c][0]", kExact},
    {"@s|@b|@w|@b", "[for r in [{c = $1, v = $2}, {c = $3}] : r.v if r.c == \"a\"]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3}]}.zz : r.v if r.c == \"a\"]", kExact},
    {"@B|@s|@s", "$1 ? $2 : $3", "!$1 ? $3 : $2", kKnown},
    {"@B|@g|@B|@g|@g", "$1 ? {a = $2} : $3 ? {a = $4} : {a = $5}", "{a = $1 ? $2 : $3 ? $4 : $5}", kKnown},
    {"@b|@w|@w", "try($1 ? $2 : nosuch, $3)", "try($1 ? {zz = $2}.zz : nosuch, $3)", kKnown},

    // Reductions.
    {"@q|@a", "alltrue([for x in $1 : x != ($2)])", "length([for x in $1 : x if !(x != ($2))]) == 0", kKnown},
    {"@q|@a", "anytrue([for x in $1 : x == ($2)])", "contains([for x in $1 : x == ($2)], true)", kKnown},
    {"@q|@a", "anytrue([for x in $1 : x == ($2)])", "!alltrue([for x in $1 : x != ($2)])", kKnown},
    {"@q|@a", "length([for x in $1 : x if x == ($2)]) > 0", "[for x in $1 : x if x == ($2)] != []", kKnown},
    {"@q|@b", "length([for x in $1 : x if $2])", "sum(concat([0], [for x in $1 : 1 if $2]))", kKnown},
    {"@t", "join(\"\", [for x in $1 : \"${x},\"])", "\"%{ for x in $1 }${x},%{ endfor }\"", kKnown},
    {"@q", "[for y in distinct([for x in $1 : x]) : y]", "[for y in distinct($1) : y]", kKnown},
    {"@t", "toset([for x in $1 : \"${x}\"])", "toset(reverse([for x in $1 : \"${x}\"]))", kKnown},
    {"@l|@t", "concat([for x in $1 : \"-${x}\"], [for x in $2 : \"-${x}\"])",
     "flatten([[for x in $1 : [\"-${x}\"]], [for x in $2 : [\"-${x}\"]]])", kKnown},
    {"@t|@s", "[for y in tolist($1)[*] : y == ($2)]", "[for x in tolist($1) : x == ($2)]", kKnown},

    // Templates.
    {"@s|@s", "\"${$1}-${$2}\"", "\"${\"${$1}-\"}${$2}\"", kKnown},
    {"@s|@n", "\"${$1}${$2}\"", "join(\"\", [$1, $2])", kKnown},
    {"@b", "\"%{ if $1 }a%{ else }b%{ endif }\"", "\"${($1) ? \"a\" : \"b\"}\"", kValues},
    {"@s", "\"x${$1}y\"", "format(\"x%sy\", tostring($1))", kKnown},
};

}  // namespace

absl::Span<const Rewrite> Rewrites() { return kRewrites; }

Filled::Filled(std::string_view side, const std::vector<std::string>& parts) {
  for (size_t n = 0; n < side.size(); ++n) {
    // A "$" before a brace begins an interpolation.
    if (side[n] != '$' || n + 1 == side.size() || side[n + 1] < '1' || side[n + 1] > '9') {
      text_ += side[n];
      continue;
    }
    const auto part = static_cast<size_t>(side[++n] - '1');
    const auto begin = static_cast<uint32_t>(text_.size());
    text_ += parts[part];
    places_.push_back({part, begin, static_cast<uint32_t>(text_.size())});
  }
}

std::vector<std::string> Filled::Describe(const Problems& problems) const {
  std::vector<std::string> texts;
  for (const Problem& problem : problems) {
    std::string text = absl::StrCat(problem.is_limit ? "limit " : "", problem.summary);
    for (const Place& place : places_) {
      if (problem.range.begin < place.begin || problem.range.end > place.end) continue;
      absl::StrAppend(&text, " in ", place.part + 1, ":", problem.range.begin - place.begin, "-",
                      problem.range.end - place.begin);
      break;
    }
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

}  // namespace hcl::testing_support
