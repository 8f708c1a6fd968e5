// Rewrites: spellings, operators and tests. Tested by tests/slow/rewrites_test.cc.

#include "absl/types/span.h"
#include "hclvm/tests/slow/rewrites.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kExact = Likeness::kExact;
constexpr Likeness kValues = Likeness::kValues;
constexpr Likeness kKnown = Likeness::kKnown;
constexpr Cost kSame = Cost::kSame;
constexpr Cost kMore = Cost::kMore;

constexpr Rewrite kOperators[] = {
    // Spellings.
    {"@a", "$1", "($1)", kExact, kSame},
    {"@a", "$1", "{zz = ($1)}.zz", kExact, kSame},
    {"@a", "[$1][0]", "[for zz in [0] : $1][0]", kExact, kSame},
    {"@a|@a", "{a = $1, b = $2}", "{\"a\" = $1, \"b\" = $2}", kExact, kSame},
    {"@a|@a", "{a = $1, b = $2}", "{(\"a\") = $1, (\"${\"b\"}\") = $2}", kExact, kSame},
    {"@a|@a", "{a = $1, b = $2}.a", "{b = $2, a = $1}[\"a\"]", kValues, kSame},
    {"@a", "($1).a", "($1)[\"a\"]", kValues, kSame},
    {"@a", "($1).0", "($1)[0]", kValues, kMore},
    {"@a", "(($1).a).b", "($1).a.b", kExact, kSame},
    {"@q|@a", "[for x in $1 : x == ($2)]", "[for zz, x in $1 : x == ($2)]", kExact, kSame},
    {"@q|@a|@n", "[for x in $1 : [x, $2] if x != ($3)]", "[for zz, x in $1 : [x, $2] if x != ($3)]", kExact, kSame},
    {"@m|@a", "{for k, x in $1 : k => x == ($2)}", "{for k, x in $1 : \"${k}\" => x == ($2)}", kKnown, kSame},

    // Chains of operators.
    {"@B|@B|@B", "$1 && $2 && $3", "($1 && $2) && $3", kExact, kSame},
    {"@B|@B|@B", "$1 || $2 || $3", "($1 || $2) || $3", kExact, kSame},
    {"@B|@B|@B", "$1 && $2 || $3", "($1 && $2) || $3", kExact, kSame},
    {"@N|@N|@N", "$1 + $2 + $3", "($1 + $2) + $3", kExact, kSame},
    {"@N|@N|@N", "$1 * $2 - $3", "($1 * $2) - $3", kExact, kSame},
    {"@N|@N|@N", "$1 + $2 * $3", "$1 + ($2 * $3)", kExact, kSame},
    {"@B|@B|@B", "$1 && $2 && $3", "$1 && ($2 && $3)", kKnown, kSame},
    {"@B|@B|@B", "$1 || $2 || $3", "$1 || ($2 || $3)", kKnown, kSame},
    {"@B|@B", "!($1 && $2)", "!$1 || !$2", kKnown, kSame},
    {"@B|@B", "!($1 || $2)", "!$1 && !$2", kKnown, kSame},
    {"@B|(@A == @A)", "$1 && $2", "$1 ? $2 : false", kKnown, kSame},
    {"@B|(@A != @A)", "$1 || $2", "$1 ? true : $2", kKnown, kSame},
    {"@N|@N", "$1 - $2", "$1 + -$2", kKnown, kSame},
    {"@N", "$1 * 2", "$1 + $1", kKnown, kMore},
    {"@N", "-(-$1)", "$1 + 0", kKnown, kMore},
    {"@N|@N", "$1 + $2", "sum([$1, $2])", kKnown, kSame},
    {"@n|@n", "max($1, $2)", "max([$1, $2]...)", kValues, kSame},

    // Tests.
    {"@A|@A", "$1 != $2", "!($1 == $2)", kExact, kSame},
    {"@A|@A", "$1 == $2", "$2 == $1", kValues, kSame},
    {"@N|@N", "$1 > $2", "$2 < $1", kValues, kSame},
    {"@N|@N", "$1 > $2", "!($1 <= $2)", kExact, kSame},
    {"@N|@N", "$1 >= $2", "!($1 < $2)", kExact, kSame},
    {"@n|@n", "tonumber($1) <= tonumber($2)", "tonumber($1) < tonumber($2) || tonumber($1) == tonumber($2)", kKnown,
     kMore},
    {"@A", "$1 == null", "null == $1", kExact, kSame},
    {"@A", "$1 != null", "!($1 == null)", kExact, kSame},
    {"@A", "$1 == null", "$1 == {zz = null}.zz", kExact, kSame},
    {"@A|@b", "$1 == null ? $2 : false", "$1 != null ? false : $2", kKnown, kSame},
    {"@A|@n", "$1 == null || ($1).a > ($2)", "!($1 != null && !(($1).a > ($2)))", kKnown, kSame},
    {"@A", "can(($1).a)", "try([($1).a] != [], false)", kKnown, kMore},
    {"@A|@s", "try(($1).a, null) == null", "can(($1).a) ? ($1).a == null : true", kKnown, kMore},
    {"@a|@s", "try(($1).a, \"z\") == ($2)", "can(($1).a) ? ($1).a == ($2) : \"z\" == ($2)", kKnown, kMore},
    {"@g|@g|@s", "contains([$1, $2], $3)", "($3) == $1 || ($3) == $2", kKnown, kSame},
    {"@d|@d|@n", "contains([$1, $2], tonumber($3))", "tonumber($3) == $1 || tonumber($3) == $2", kKnown, kSame},
    {"@g|@s", "contains([$1, 1, true], $2)", "contains(concat([$1], [1, true]), $2)", kKnown, kMore},
    {"@s|@s|@s", "contains([$1, $2], $3)", "contains([for x in [$1, $2] : x], $3)", kValues, kSame},
    {"@g|@g|@s", "!contains([$1, $2], $3)", "($3) != $1 && ($3) != $2", kKnown, kSame},
    {"@s|@g", "startswith($1, $2)", "startswith($1, {zz = $2}.zz)", kValues, kSame},
    {"@s|@g", "endswith($1, $2)", "endswith($1, {zz = $2}.zz)", kValues, kSame},
    {"@s|@g", "startswith($1, $2)", "endswith(strrev($1), strrev($2))", kKnown, kMore},
    {"@q|@n", "length($1) == $2", "length([for x in $1 : 0]) == $2", kKnown, kMore},
    {"@q", "length($1) > 0", "length($1) != 0", kKnown, kSame},
};

}  // namespace

absl::Span<const Rewrite> OperatorRewrites() { return kOperators; }

}  // namespace hcl::testing_support
