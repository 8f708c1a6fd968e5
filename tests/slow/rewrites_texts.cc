// Rewrites: texts. Tested by tests/slow/rewrites_test.cc.

#include "absl/types/span.h"
#include "hclvm/tests/slow/rewrites.h"

namespace hcl::testing_support {
namespace {

constexpr Likeness kValues = Likeness::kValues;
constexpr Likeness kKnown = Likeness::kKnown;
constexpr Cost kSame = Cost::kSame;
constexpr Cost kMore = Cost::kMore;

constexpr Rewrite kTexts[] = {
    // Templates.
    {"@s|@s", "\"${$1}-${$2}\"", "\"${\"${$1}-\"}${$2}\"", kKnown, kSame},
    {"@s|@n", "\"${$1}${$2}\"", "join(\"\", [$1, $2])", kKnown, kSame},
    {"@b", "\"%{ if $1 }a%{ else }b%{ endif }\"", "\"${($1) ? \"a\" : \"b\"}\"", kValues, kSame},
    {"@s", "\"x${$1}y\"", "format(\"x%sy\", tostring($1))", kKnown, kSame},

    // Prefixes, parts and templates in their spellings.
    {"@S", "startswith($1, \"he\")", "substr($1, 0, 2) == \"he\"", kKnown, kSame},
    {"@S", "startswith($1, \"he\")", "can(regex(\"^he\", $1))", kKnown, kSame},
    {"@S", "startswith($1, \"he\")", "length(regexall(\"^he\", $1)) > 0", kKnown, kSame},
    {"@S", "startswith($1, \"he\")", "trimprefix($1, \"he\") != tostring($1)", kKnown, kMore},
    {"@S", "startswith($1, \"he\")", "replace($1, \"/^he/\", \"\") != tostring($1)", kKnown, kMore},
    {"@S", "endswith($1, \"lo\")", "can(regex(\"lo$\", $1))", kKnown, kSame},
    {"@S", "endswith($1, \"lo\")", "trimsuffix($1, \"lo\") != tostring($1)", kKnown, kMore},
    {"@S", "strcontains($1, \"ll\")", "can(regex(\"ll\", $1))", kKnown, kSame},
    {"@S", "strcontains($1, \"ll\")", "length(regexall(\"ll\", $1)) > 0", kKnown, kSame},
    {"@S", "strcontains($1, \"ll\")", "length(split(\"ll\", $1)) > 1", kKnown, kMore},
    {"@S", "strcontains($1, \"ll\")", "replace($1, \"ll\", \"\") != tostring($1)", kKnown, kMore},
    {"@S", "split(\"l\", $1)[0]", "element(split(\"l\", $1), 0)", kKnown, kSame},
    {"@S", "split(\"l\", $1)[0]", "slice(split(\"l\", $1), 0, 1)[0]", kKnown, kSame},
    {"@S", "split(\"l\", $1)[0]", "[for p in split(\"l\", $1) : p][0]", kKnown, kSame},
    {"@S", "split(\"l\", $1)[0]", "[for i, p in split(\"l\", $1) : p if i == 0][0]", kKnown, kSame},
    {"@S", "split(\"l\", $1)[0]", "concat(split(\"l\", $1), [])[0]", kKnown, kSame},
    {"@S", "lower($1)", "lower(lower($1))", kKnown, kSame},
    {"@S", "lower($1)", "lower(upper($1))", kKnown, kMore},
    {"@S", "lower($1)", "\"${lower($1)}\"", kKnown, kSame},
    {"@S", "lower($1)", "join(\"\", [lower($1)])", kKnown, kSame},
    {"@S", "lower($1)", "format(\"%s\", lower($1))", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "join(\"-\", [$1, $2])", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "format(\"%s-%s\", $1, $2)", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "join(\"\", [$1, \"-\", $2])", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "\"${\"${$1}-\"}${$2}\"", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "join(\"-\", [for x in [$1, $2] : x])", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "join(\"-\", concat([$1], [$2]))", kKnown, kSame},
    {"@S|@S", "\"${$1}-${$2}\"", "\"${$1}${\"-${$2}\"}\"", kKnown, kSame},
    {"@S", "trimspace($1)", "trimspace(trimspace($1))", kKnown, kSame},
    {"@S", "trimspace($1)", "trimspace(\"${$1}\")", kKnown, kSame},
};

}  // namespace

absl::Span<const Rewrite> TextRewrites() { return kTexts; }

}  // namespace hcl::testing_support
