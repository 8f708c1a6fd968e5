// Rewrites: loops over loops and over what has the same elements. Tested by tests/slow/rewrites_test.cc.

#include "absl/types/span.h"
#include "hclvm/tests/slow/rewrites.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kKnown = Likeness::kKnown;
constexpr Cost kSame = Cost::kSame;
constexpr Cost kMore = Cost::kMore;

constexpr Rewrite kLoops[] = {
    // Elements of sequences.
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in [for x in $1 : x] : y == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in concat($1, []) : y == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in concat([for x in $1 : [x]]...) : y == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in reverse(reverse($1)) : y == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in slice($1, 0, length($1)) : y == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in [$1] : [for x in y : x == $2]][0]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in [for x in $1 : {a = x}] : y.a == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in [for x in $1 : [x, 1]] : y[0] == $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y == $2]", "[for y in [for x in $1 : x == $2] : y]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y if y != $2]", "[for y in [for x in $1 : x if x != $2] : y]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y if y != $2]", "[for y in [for x in $1 : x] : y if y != $2]", kKnown, kSame},
    {"@Q|@C", "[for y in $1 : y if y != $2]", "[for y in [for x in $1 : x if x != $2] : y if y != $2]", kKnown, kMore},
    {"@Q|@C", "[for y in $1 : y if y != $2]", "concat([for y in $1 : y if y != $2], [])", kKnown, kSame},

    // Elements and keys of mappings.
    {"@M|@C", "[for k, v in $1 : v == $2]", "[for v in $1 : v == $2]", kKnown, kSame},
    {"@M|@C", "[for k, v in $1 : v == $2]", "[for v in values($1) : v == $2]", kKnown, kSame},
    {"@M|@C", "[for k, v in $1 : v == $2]", "[for v in [for k, x in $1 : x] : v == $2]", kKnown, kSame},
    {"@M|@C", "[for k, v in $1 : v == $2]", "[for v in {for k, x in $1 : k => x} : v == $2]", kKnown, kSame},
    {"@M|@C", "[for k, v in $1 : v == $2]", "[for v in values({for k, x in $1 : k => x == $2}) : v]", kKnown, kMore},
    {"@M", "[for k, v in $1 : \"${k}-\"]", "[for k in keys($1) : \"${k}-\"]", kKnown, kSame},
    {"@M", "[for k, v in $1 : \"${k}-\"]", "[for k in [for j, v in $1 : j] : \"${k}-\"]", kKnown, kSame},
    {"@M", "[for k, v in $1 : \"${k}-\"]", "[for k in keys({for j, v in $1 : j => 1}) : \"${k}-\"]", kKnown, kMore},
    {"@M|@g", "contains(keys($1), $2)", "can($1[$2])", kKnown, kSame},
    {"@M|@g", "contains(keys($1), $2)", "anytrue([for k in keys($1) : k == $2])", kKnown, kSame},
    {"@M|@g", "contains(keys($1), $2)", "anytrue([for k, v in $1 : k == $2])", kKnown, kSame},
    {"@M|@g", "contains(keys($1), $2)", "contains([for k, v in $1 : k], $2)", kKnown, kSame},
    {"@M|@g", "contains(keys($1), $2)", "length([for k in keys($1) : k if k == $2]) > 0", kKnown, kSame},
    {"@M|@g", "contains(keys($1), $2)", "try($1[$2] == $1[$2], false)", kKnown, kMore},

    // Reductions.
    {"@q|@a", "alltrue([for x in $1 : x != ($2)])", "length([for x in $1 : x if !(x != ($2))]) == 0", kKnown, kSame},
    {"@q|@a", "anytrue([for x in $1 : x == ($2)])", "contains([for x in $1 : x == ($2)], true)", kKnown, kMore},
    {"@q|@a", "anytrue([for x in $1 : x == ($2)])", "!alltrue([for x in $1 : x != ($2)])", kKnown, kSame},
    {"@q|@a", "length([for x in $1 : x if x == ($2)]) > 0", "[for x in $1 : x if x == ($2)] != []", kKnown, kSame},
    {"@q|@b", "length([for x in $1 : x if $2])", "sum(concat([0], [for x in $1 : 1 if $2]))", kKnown, kMore},
    {"@t", "join(\"\", [for x in $1 : \"${x},\"])", "\"%{ for x in $1 }${x},%{ endfor }\"", kKnown, kSame},
    {"@q", "[for y in distinct([for x in $1 : x]) : y]", "[for y in distinct($1) : y]", kKnown, kMore},
    {"@t", "toset([for x in $1 : \"${x}\"])", "toset(reverse([for x in $1 : \"${x}\"]))", kKnown, kMore},
    {"@l|@t", "concat([for x in $1 : \"-${x}\"], [for x in $2 : \"-${x}\"])",
     "flatten([[for x in $1 : [\"-${x}\"]], [for x in $2 : [\"-${x}\"]]])", kKnown, kMore},
    {"@t|@s", "[for y in tolist($1)[*] : y == ($2)]", "[for x in tolist($1) : x == ($2)]", kKnown, kSame},
};

}  // namespace

absl::Span<const Rewrite> LoopRewrites() { return kLoops; }

}  // namespace hcl::testing_support
