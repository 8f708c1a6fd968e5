// Rewrites: decisions, tables of rules and choices. Tested by tests/slow/rewrites_test.cc.

#include "absl/types/span.h"
#include "hclvm/tests/slow/rewrites.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kExact = Likeness::kExact;
constexpr Likeness kKnown = Likeness::kKnown;
constexpr Cost kSame = Cost::kSame;
constexpr Cost kMore = Cost::kMore;

constexpr Rewrite kRules[] = {
    // Decisions and tables of rules.
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for r in [{c = $1, v = $2}, {c = true, v = $3}] : r.v if r.c][0]", kKnown,
     kSame},
    {"(@A == @A)|@g|(@B && @B)|@g|@g", "$1 ? $2 : $3 ? $4 : $5",
     "[for r in [{c = $1, v = $2}, {c = $3, v = $4}, {c = true, v = $5}] : r.v if r.c][0]", kKnown, kSame},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c]",
     "[for i, r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c]", kExact, kSame},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c][0]",
     "[for r in [{\"c\" = $1, \"v\" = $2}, {\"c\" = $3, \"v\" = $4}] : r[\"v\"] if r[\"c\"]][0]", kExact, kSame},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c][0]",
     "([for r in ([({c = ($1), v = $2}), {c = $3, v = ($4)}]) : (r.v) if (r).c])[0]", kExact, kSame},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c][0]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3, v = $4}]}.zz : r.v if r.c][0]", kExact, kSame},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c]",
     "[for r in concat([{c = $1, v = $2}], [{c = $3, v = $4}]) : r.v if r.c]", kKnown, kSame},
    {"@b|@w|@b|@w|@b", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : r.v if r.c && $5][0]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3, v = $4}]}.zz : r.v if r.c && $5][0]", kExact, kSame},
    {"@b|@w|@b|@w", "[for r in [{c = $1, v = $2}, {c = $3, v = $4}] : {a = r.v} if !r.c][0]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3, v = $4}]}.zz : {a = r.v} if !r.c][0]", kExact, kSame},
    {"@s|@b|@w|@b", "[for r in [{c = $1, v = $2}, {c = $3}] : r.v if r.c == \"a\"]",
     "[for r in {zz = [{c = $1, v = $2}, {c = $3}]}.zz : r.v if r.c == \"a\"]", kExact, kSame},
    {"@B|@s|@s", "$1 ? $2 : $3", "!$1 ? $3 : $2", kKnown, kSame},
    {"@B|@g|@B|@g|@g", "$1 ? {a = $2} : $3 ? {a = $4} : {a = $5}", "{a = $1 ? $2 : $3 ? $4 : $5}", kKnown, kSame},
    {"@b|@w|@w", "try($1 ? $2 : nosuch, $3)", "try($1 ? {zz = $2}.zz : nosuch, $3)", kKnown, kMore},

    // One decision in its spellings. A table looks at all conditions, so that the second takes no work.
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for r in [{c = $1, v = $2}, {c = true, v = $3}] : r.v if r.c][0]", kKnown,
     kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for r in [[$1, $2], [true, $3]] : r[1] if r[0]][0]", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "coalesce($1 ? $2 : null, $3)", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "try([for r in [{c = $1, v = $2}] : r.v if r.c][0], $3)", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "concat([for r in [{c = $1, v = $2}] : r.v if r.c], [$3])[0]", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "element(concat($1 ? [$2] : [], [$3]), 0)", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for r in concat([{c = $1, v = $2}], [{c = true, v = $3}]) : r.v if r.c][0]",
     kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for k, r in {a = {c = $1, v = $2}, b = {c = true, v = $3}} : r.v if r.c][0]",
     kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "{true = $2, false = $3}[tostring($1)]", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[$3, $2][$1 ? 1 : 0]", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "lookup({true = $2}, tostring($1), $3)", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for r in [{c = $1, v = [$2]}, {c = true, v = [$3]}] : r.v if r.c][0][0]",
     kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "!$1 ? $3 : $2", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? $2 : $3", "[for v in [$1 ? $2 : null, $3] : v if v != null][0]", kKnown, kSame},
    {"(@A == @A)|@g|((@C == @C))|@g|@g", "$1 ? $2 : $3 ? $4 : $5",
     "[for r in [{c = $1, v = $2}, {c = $3, v = $4}, {c = true, v = $5}] : r.v if r.c][0]", kKnown, kSame},
    {"(@A == @A)|@g|((@C == @C))|@g|@g", "$1 ? $2 : $3 ? $4 : $5", "$1 ? $2 : ($3 ? $4 : $5)", kKnown, kSame},
    {"(@A == @A)|@g|((@C == @C))|@g|@g", "$1 ? $2 : $3 ? $4 : $5", "coalesce($1 ? $2 : null, $3 ? $4 : null, $5)",
     kKnown, kSame},
    {"(@A == @A)|@g|((@C == @C))|@g|@g", "$1 ? $2 : $3 ? $4 : $5",
     "[for r in [{c = $1, v = {w = $2}}, {c = $3, v = {w = $4}}, {c = true, v = {w = $5}}] : r.v.w if r.c][0]", kKnown,
     kSame},
    {"(@A == @A)|@g|((@C == @C))|@g|@g", "$1 ? $2 : $3 ? $4 : $5", "flatten([$1 ? [$2] : [], $3 ? [$4] : [], [$5]])[0]",
     kKnown, kSame},

    // A choice by key.
    {"@S|@g|@g|@g", "$1 == \"a\" ? $2 : $1 == \"hello\" ? $3 : $4", "lookup({a = $2, hello = $3}, $1, $4)", kKnown,
     kSame},
    {"@S|@g|@g|@g", "$1 == \"a\" ? $2 : $1 == \"hello\" ? $3 : $4", "try({a = $2, hello = $3}[$1], $4)", kKnown, kSame},
    {"@S|@g|@g|@g", "$1 == \"a\" ? $2 : $1 == \"hello\" ? $3 : $4",
     "can({a = $2, hello = $3}[$1]) ? {a = $2, hello = $3}[$1] : $4", kKnown, kSame},
    {"@S|@g|@g|@g", "$1 == \"a\" ? $2 : $1 == \"hello\" ? $3 : $4",
     "[for r in [{k = \"a\", v = $2}, {k = \"hello\", v = $3}, {k = $1, v = $4}] : r.v if r.k == $1][0]", kKnown,
     kSame},
    {"@S|@g|@g|@g", "$1 == \"a\" ? $2 : $1 == \"hello\" ? $3 : $4",
     "coalesce(lookup({a = $2, hello = $3}, $1, null), $4)", kKnown, kSame},
    {"@S|@g|@g|@g", "$1 == \"a\" ? $2 : $1 == \"hello\" ? $3 : $4",
     "contains([\"a\", \"hello\"], $1) ? {a = $2, hello = $3}[$1] : $4", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? {a = $2, b = 1} : {a = $3, b = 2}", "{a = $1 ? $2 : $3, b = $1 ? 1 : 2}", kKnown, kSame},
    {"(@A == @A)|@g|@g", "$1 ? {a = $2, b = 1} : {a = $3, b = 2}",
     "[for r in [{c = $1, v = {a = $2, b = 1}}, {c = true, v = {a = $3, b = 2}}] : r.v if r.c][0]", kKnown, kSame},
};

}  // namespace

absl::Span<const Rewrite> RuleRewrites() { return kRules; }

}  // namespace hcl::testing_support
