// Rewrites: parts of what is just made. Tested by tests/slow/rewrites_test.cc.

#include "absl/types/span.h"
#include "hclvm/tests/slow/rewrites.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kValues = Likeness::kValues;
constexpr Likeness kKnown = Likeness::kKnown;
constexpr Cost kSame = Cost::kSame;

constexpr Rewrite kParts[] = {
    // What is made and taken apart again.
    {"@A|@C", "$1", "{a = $1, b = $2}.a", kKnown, kSame},
    {"@A|@C", "$1", "{b = $2, a = $1}[\"a\"]", kKnown, kSame},
    {"@A|@C", "$1", "[$1, $2][0]", kKnown, kSame},
    {"@A|@C", "$1", "[$2, $1][1]", kKnown, kSame},
    {"@A|@C", "{a = $1, b = $2}.a", "[$1, $2][0]", kValues, kSame},
    {"@A|@C", "{a = $1, b = $2}.a", "{b = $2, a = $1}.a", kValues, kSame},
    {"@A", "$1", "{a = $1}.a", kValues, kSame},
    {"@A", "$1", "[$1][0]", kValues, kSame},
    {"@A", "$1", "{a = {b = $1}}.a.b", kValues, kSame},
    {"@A", "$1", "[[$1]][0][0]", kValues, kSame},
    {"@A", "$1", "[{a = $1}][0].a", kValues, kSame},
    {"@A|@C", "$1", "merge({a = $1}, {b = $2}).a", kKnown, kSame},
    {"@A|@C", "$1", "merge({a = $2}, {a = $1}).a", kKnown, kSame},
    {"@A", "$1", "values({a = $1})[0]", kKnown, kSame},
    {"@A", "$1", "element([$1], 0)", kKnown, kSame},
    {"@A|@C", "$1", "element([$2, $1], 1)", kKnown, kSame},
    {"@A", "$1", "{for k, v in {a = $1} : k => v}.a", kKnown, kSame},
    {"@A", "$1", "[for v in [$1] : v][0]", kKnown, kSame},
    {"@A", "$1", "[for v in {a = $1} : v][0]", kKnown, kSame},
    {"@A", "$1", "[for v in [$1] : {a = v}][0].a", kKnown, kSame},
    {"@A", "$1", "concat([$1], [])[0]", kKnown, kSame},
    {"@A", "$1", "concat([], [$1])[0]", kKnown, kSame},
    {"@N", "$1 + 0", "flatten([[$1]])[0] + 0", kKnown, kSame},
    {"@A", "$1", "slice([$1], 0, 1)[0]", kKnown, kSame},
    {"@A", "$1", "reverse([$1])[0]", kKnown, kSame},
    {"@A", "$1", "one([$1])", kKnown, kSame},
    {"@A", "$1", "([$1][*])[0]", kKnown, kSame},
    {"@A", "$1", "([{a = $1}][*].a)[0]", kKnown, kSame},
    {"@A|@C", "$1", "lookup({a = $1}, \"a\", $2)", kKnown, kSame},
    {"@A", "$1", "try($1)", kKnown, kSame},
    {"@A", "$1", "true ? $1 : null", kKnown, kSame},
    {"@A|@C", "{a = $1, b = $2}", "merge({a = $1}, {b = $2})", kKnown, kSame},
    {"@A|@C", "[$1, $2]", "concat([$1], [$2])", kKnown, kSame},
    {"@A|@C", "[$1, $2]", "reverse([$2, $1])", kKnown, kSame},
    {"@A|@C", "[$1, $2]", "[for v in [$1, $2] : v]", kKnown, kSame},
    {"@A|@C", "[$1, $2]", "values({a = $1, b = $2})", kKnown, kSame},
};

}  // namespace

absl::Span<const Rewrite> PartRewrites() { return kParts; }

}  // namespace hcl::testing_support
