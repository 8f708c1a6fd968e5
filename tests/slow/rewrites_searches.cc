// Rewrites: searches, counts, sums and logic. Tested by tests/slow/rewrites_test.cc.

#include "absl/types/span.h"
#include "hclvm/tests/slow/rewrites.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kKnown = Likeness::kKnown;
constexpr Cost kSame = Cost::kSame;
constexpr Cost kMore = Cost::kMore;

constexpr Rewrite kSearches[] = {
    // Searches and reductions.
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "length([for x in $1 : x if x == $2]) > 0", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "length([for x in $1 : 1 if x == $2]) != 0", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "[for x in $1 : x if x == $2] != []", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "!alltrue([for x in $1 : x != $2])", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "contains([for x in $1 : x == $2], true)", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "anytrue([for x in reverse($1) : x == $2])", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "anytrue([for x in concat($1, []) : x == $2])", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "anytrue([for x in [for y in $1 : y] : x == $2])", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "anytrue([for y in [for x in $1 : x == $2] : y])", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "sum(concat([0], [for x in $1 : 1 if x == $2])) > 0", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "0 < length([for x in $1 : x if x == $2])", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "length([for x in $1 : x if x == $2]) >= 1", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "anytrue(concat([for x in $1 : x == $2], []))", kKnown, kSame},
    {"@Q|@C", "anytrue([for x in $1 : x == $2])", "anytrue(reverse([for x in $1 : x == $2]))", kKnown, kSame},
    {"@Q", "length($1) > 0", "length($1) != 0", kKnown, kSame},
    {"@Q", "length($1) > 0", "0 < length($1)", kKnown, kSame},
    {"@Q", "length($1) > 0", "length($1) >= 1", kKnown, kSame},
    {"@Q", "length($1) > 0", "length([for x in $1 : x]) > 0", kKnown, kSame},
    {"@Q", "length($1) > 0", "sum(concat([0], [for x in $1 : 1])) > 0", kKnown, kSame},
    {"@Q", "length($1) > 0", "length(reverse($1)) > 0", kKnown, kSame},
    {"@Q", "length($1) > 0", "length(concat($1, [])) > 0", kKnown, kSame},
    {"@Q", "length($1) > 0", "[for x in $1 : 1] != []", kKnown, kSame},
    {"@Q", "length($1) > 0", "anytrue([for x in $1 : true])", kKnown, kSame},
    {"@Q", "length($1) > 0", "!(length($1) == 0)", kKnown, kSame},
    {"@L", "sum([for x in $1 : x + 1])", "sum(reverse([for x in $1 : x + 1]))", kKnown, kSame},
    {"@L", "sum([for x in $1 : x + 1])", "sum([for y in [for x in $1 : x + 1] : y])", kKnown, kSame},
    {"@L", "sum([for x in $1 : x + 1])", "sum([for y in [for x in $1 : x] : y + 1])", kKnown, kSame},
    {"@L", "sum([for x in $1 : x + 1])", "sum(concat([for x in $1 : x + 1], []))", kKnown, kSame},
    {"@L", "sum([for x in $1 : x + 1])", "sum(flatten([for x in $1 : [x + 1]]))", kKnown, kSame},
    {"@L", "sum([for x in $1 : x + 1])", "sum([for x in reverse($1) : x + 1])", kKnown, kSame},
    {"@L", "min([for x in $1 : x * 1]...)", "min(reverse([for x in $1 : x * 1])...)", kKnown, kSame},
    {"@L", "min([for x in $1 : x * 1]...)", "min([for y in [for x in $1 : x] : y * 1]...)", kKnown, kSame},
    {"@L", "min([for x in $1 : x * 1]...)", "min(concat([for x in $1 : x * 1], [])...)", kKnown, kSame},
    {"@Q|@C", "length([for x in $1 : x if x != $2])", "length([for x in reverse($1) : x if x != $2])", kKnown, kSame},
    {"@Q|@C", "length([for x in $1 : x if x != $2])", "sum(concat([0], [for x in $1 : 1 if x != $2]))", kKnown, kSame},
    {"@Q|@C", "length([for x in $1 : x if x != $2])", "length([for y in [for x in $1 : x] : y if y != $2])", kKnown,
     kSame},
    {"@Q|@C", "length([for x in $1 : x if x != $2])", "length(concat([for x in $1 : x if x != $2], []))", kKnown,
     kSame},
    {"@Q|@C", "length([for x in $1 : x if x != $2])", "length(flatten([for x in $1 : [1] if x != $2]))", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "element([for x in $1 : x if x != $2], 0)", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "[for y in [for x in $1 : x] : y if y != $2][0]", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "[for y in [for x in $1 : x if x != $2] : y][0]", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "concat([for x in $1 : x if x != $2], [])[0]", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "slice([for x in $1 : x if x != $2], 0, 1)[0]", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "[for x in $1 : {a = x} if x != $2][0].a", kKnown, kSame},
    {"@Q|@C", "[for x in $1 : x if x != $2][0]", "([for x in $1 : {a = x} if x != $2][*].a)[0]", kKnown, kSame},
    {"@T", "join(\",\", [for x in $1 : \"<${x}>\"])", "join(\",\", [for y in [for x in $1 : \"<${x}>\"] : y])", kKnown,
     kSame},
    {"@T", "join(\",\", [for x in $1 : \"<${x}>\"])", "join(\",\", concat([for x in $1 : \"<${x}>\"], []))", kKnown,
     kSame},
    {"@T", "join(\",\", [for x in $1 : \"<${x}>\"])", "join(\",\", [for x in concat($1, []) : \"<${x}>\"])", kKnown,
     kSame},
    {"@T", "join(\",\", [for x in $1 : \"<${x}>\"])", "join(\",\", reverse(reverse([for x in $1 : \"<${x}>\"])))",
     kKnown, kSame},

    // Logic. An operator need not look at what stands behind the operand that decides, and a list has to: what lists of
    // conditions cost is compared among these.
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "alltrue([$1, $2, $3])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "alltrue([for x in [$1, $2, $3] : x])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "alltrue(values({a = $1, b = $2, c = $3}))", kKnown,
     kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "!anytrue([!$1, !$2, !$3])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "alltrue(concat([$1], [$2, $3]))", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "!contains([$1, $2, $3], false)", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "length([for x in [$1, $2, $3] : x if !x]) == 0",
     kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "alltrue([for x in {a = $1, b = $2, c = $3} : x])",
     kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 && $2 && $3", "alltrue(reverse([$3, $2, $1]))", kKnown, kMore},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "alltrue([for x in [$1, $2, $3] : x])", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "alltrue(values({a = $1, b = $2, c = $3}))", kKnown,
     kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "!anytrue([!$1, !$2, !$3])", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "alltrue(concat([$1], [$2, $3]))", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "!contains([$1, $2, $3], false)", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "length([for x in [$1, $2, $3] : x if !x]) == 0",
     kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "alltrue([for x in {a = $1, b = $2, c = $3} : x])",
     kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "alltrue([$1, $2, $3])", "alltrue(reverse([$3, $2, $1]))", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "$1 && $2 && $3", "!(!$1 || !$2 || !$3)", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "$1 && $2 && $3", "alltrue([$1, $2, $3])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "anytrue([$1, $2, $3])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "anytrue([for x in [$1, $2, $3] : x])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "anytrue(values({a = $1, b = $2, c = $3}))", kKnown,
     kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "!alltrue([!$1, !$2, !$3])", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "anytrue(concat([$1], [$2, $3]))", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "contains([$1, $2, $3], true)", kKnown, kMore},
    {"((@C == @C))|((@C != @C))|((@C == @C))", "$1 || $2 || $3", "length([for x in [$1, $2, $3] : x if x]) > 0", kKnown,
     kMore},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "anytrue([$1, $2, $3])", "anytrue([for x in [$1, $2, $3] : x])", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "anytrue([$1, $2, $3])", "anytrue(values({a = $1, b = $2, c = $3}))", kKnown,
     kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "anytrue([$1, $2, $3])", "!alltrue([!$1, !$2, !$3])", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "anytrue([$1, $2, $3])", "anytrue(concat([$1], [$2, $3]))", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "anytrue([$1, $2, $3])", "contains([$1, $2, $3], true)", kKnown, kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "anytrue([$1, $2, $3])", "length([for x in [$1, $2, $3] : x if x]) > 0", kKnown,
     kSame},
    {"(@A == @A)|(@A != @A)|(@N > @N)", "$1 || $2 || $3", "anytrue([$1, $2, $3])", kKnown, kMore},

    // One of several texts.
    {"@S", "$1 == \"a\" || $1 == \"b\" || $1 == \"hello\"", "contains([\"a\", \"b\", \"hello\"], $1)", kKnown, kSame},
    {"@S", "$1 == \"a\" || $1 == \"b\" || $1 == \"hello\"", "anytrue([for x in [\"a\", \"b\", \"hello\"] : x == $1])",
     kKnown, kSame},
    {"@S", "$1 == \"a\" || $1 == \"b\" || $1 == \"hello\"", "contains(concat([\"a\"], [\"b\", \"hello\"]), $1)", kKnown,
     kSame},
    {"@S", "$1 == \"a\" || $1 == \"b\" || $1 == \"hello\"",
     "length([for x in [\"a\", \"b\", \"hello\"] : x if x == $1]) > 0", kKnown, kSame},
    {"@S", "$1 == \"a\" || $1 == \"b\" || $1 == \"hello\"", "can({a = 1, b = 1, hello = 1}[$1])", kKnown, kSame},
    {"@S", "$1 == \"a\" || $1 == \"b\" || $1 == \"hello\"", "contains(keys({a = 1, b = 1, hello = 1}), $1)", kKnown,
     kSame},
};

}  // namespace

absl::Span<const Rewrite> SearchRewrites() { return kSearches; }

}  // namespace hcl::testing_support
