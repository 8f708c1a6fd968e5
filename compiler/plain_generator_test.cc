// Which expressions have plain code, what it is, and that it means what general code means.

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/plain_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using testing_support::CompilePlain;
using testing_support::ExpectPlainMeansGeneral;
using testing_support::PlainListing;

TEST(PlainGeneratorTest, Listings) {
  struct Row {
    const char* source;
    const char* want;
  };
  const Row kRows[] = {
      {"a + b * 2 > -c",
       "PlainMultiply r2 b 2\nPlainAdd r1 a r2\nPlainSubtract r2 0 c\nIfLessEqual r1 r2 -> 5\nReturn true\nReturn "
       "false\n"},
      {"a < 2 * 3", "IfLessEqual 6 a -> 2\nReturn true\nReturn false\n"},
      {"a == null", "IfNotNull a -> 2\nReturn true\nReturn false\n"},
      {"!(a.b == \"x\")", "IfPathEqual a.b \"x\" -> 2\nReturn true\nReturn false\n"},
      {"a == 1 && b", "PlainCheck b #9\nIfNotEqual a 1 -> 4\nIfFalse b -> 4\nReturn true\nReturn false\n"},
      {"a && b == 1 || c[d] > 0",
       "IfFalse a -> 2\nIfEqual b 1 -> 4\nPlainIndex r1 c d\nIfLessEqual r1 0 -> 5\nReturn true\nReturn false\n"},
      {"a ? b : 1", "IfFalse a -> 3\nPlainAlike r0 b 1\nReturn r0\nPlainAlike r0 1 b\nReturn r0\n"},
      {"a ? b : c", "IfFalse a -> 3\nPlainAlike r0 b c\nReturn r0\nPlainAlike r0 c b\nReturn r0\n"},
      {"a.b == null ? null : a.b.c",
       "PlainFind r0 a.b\nPlainSeekAttr r2 r0 \"c\"\nIfNotNull r0 -> 5\nPlainAlike r1 null r2\nReturn r1\n"
       "PlainAlike r1 r2 null\nReturn r1\n"},
      {"contains([\"x\"], a)", ""},  // one instruction, and its operand, in general code as well
      {"!contains([\"x\"], a)", "IfIn a [\"x\"] -> 2\nReturn true\nReturn false\n"},
      {"startswith(a, \"x\") || false", "IfNotPrefix a \"x\" -> 2\nReturn true\nReturn false\n"},
      {"!contains(a, b)", "IfHas a b -> 2\nReturn true\nReturn false\n"},
      {"!endswith(a, \"x\")", "IfSuffix a \"x\" -> 2\nReturn true\nReturn false\n"},
      {"startswith(a, \"x\")", "IfNotPrefix a \"x\" -> 2\nReturn true\nReturn false\n"},
      {"startswith(a.b, \"x\")", "IfPathNotPrefix a.b \"x\" -> 2\nReturn true\nReturn false\n"},
      {"!endswith(a.b, \"x\")", "IfPathSuffix a.b \"x\" -> 2\nReturn true\nReturn false\n"},
      {"strcontains(a.b, c)", "IfPathNotWithin a.b c -> 2\nReturn true\nReturn false\n"},
      {"a + length(b)", "PlainLength r1 b\nPlainAdd r0 a r1\nReturn r0\n"},
      {"\"${a}-${\"${b}:${c}\"}\"",
       "PlainCheck a #3\nPlainLoad r1 a\nPlainCheck b #3\nPlainLoad r2 b\nPlainCheck c #3\nPlainLoad r3 c\n"
       "Concat r0 r1 \"-\" r2 \":\" r3\nReturn r0\n"},
      {"\"${a}-${b}\"", ""},
      {"\"is ${a ? \"on\" : \"off\"}, ${b}\"",
       "IfFalse a -> 3\nLoadConst r1 \"is on, \"\nSkip -> 4\nLoadConst r1 \"is off, \"\nPlainCheck b #3\n"
       "PlainLoad r2 b\nConcat r0 r1 r2\nReturn r0\n"},
      {"try(a.b, c)", "PlainFind r0 a.b\nIfThere r0 -> 4\nPlainLoad r0 c\nIfThere r0 -> 4\nReturn r0\n"},
      {"can(a.b.c)", "PlainFind r1 a.b.c\nIfNotThere r1 -> 3\nReturn true\nReturn false\n"},
      {"a / b > 0.5", "PlainRatio r1 a b\nIfLessEqual r1 0.5 -> 3\nReturn true\nReturn false\n"},
      {"floor(a * 3 / b) - 1 / c < ceil(d)",
       "PlainMultiply r3 a 3\nPlainRatio r3 r3 b\nPlainFloor r2 r3\nPlainRatio r3 1 c\nPlainSubtract r1 r2 "
       "r3\nPlainCeil r2 d\n"
       "IfLessEqual r2 r1 -> 8\nReturn true\nReturn false\n"},
      {"length(setintersection(a, [\"x\"])) > 0",
       "PlainShared r1 a [\"x\"]\nIfLessEqual r1 0 -> 3\nReturn true\nReturn false\n"},
      {"lookup(a, \"k\", 0) > 1",
       "PlainLoad r1 a\nPlainLookupAttr r1 0 \"k\"\nIfLessEqual r1 1 -> 4\nReturn true\nReturn false\n"},
      {"lookup(a, b, 0) > 1", "PlainLoad r1 a\nPlainLookup r1 b 0\nIfLessEqual r1 1 -> 4\nReturn true\nReturn false\n"},
      {"split(\"/\", a)[2] == b",
       "PlainLoad r1 a\nPlainPiece r1 \"/\" #2\nIfNotEqual r1 b -> 4\nReturn true\nReturn false\n"},
      {"length(a) > 1", "PlainLength r1 a\nIfLessEqual r1 1 -> 3\nReturn true\nReturn false\n"},
      {"a == 1 || a == 2 || a == 3 || 4 == a", "IfNotIn a [1,2,3,4] -> 2\nReturn true\nReturn false\n"},
      {"a.b != \"x\" && a.b != \"y\" && a.b != \"z\" && a.b != \"\" && c == 1",
       "IfPathIn a.b [\"x\",\"y\",\"z\",\"\"] -> 3\nIfNotEqual c 1 -> 3\nReturn true\nReturn false\n"},
      // A call that stands in several places is made once, where the first always runs.
      {"lower(a) == b || c == lower(a)",
       "Forget r0 #1\nPlainLoad r2 a\nPlainCall r2 lower/1\nKeep r0 r2\n"
       "IfEqual r2 b -> 6\nIfNotEqual c r0 -> 7\nReturn true\nReturn false\n"},
      // What its arguments read is read once, and not kept; it is there in all that runs behind it.
      {"lower(a.b) == \"x\" || (c && lower(a.b) == \"y\")",
       "Forget r0 #1\nPlainLoad r2 a.b\nPlainCall r2 lower/1\nKeep r0 r2\n"
       "IfEqual r2 \"x\" -> 7\nIfFalse c -> 8\nIfNotEqual r0 \"y\" -> 8\nReturn true\nReturn false\n"},
      // Where a constant tells the type, the others need not be compared.
      {"coalesce(a, b, 3) == 1",
       "PlainCheck a #5\nPlainCheck a #7\nPlainCheck b #5\nPlainCheck b #7\nIfNull a -> 7\nPlainLoad r1 a\n"
       "Skip -> 11\nIfNull b -> 10\nPlainLoad r1 b\nSkip -> 11\nLoadConst r1 3\nIfNotEqual r1 1 -> 13\n"
       "Return true\nReturn false\n"},
      {"a + -b + c > -a + b",
       "PlainSubtract r1 a b\nPlainAdd r1 r1 c\nPlainSubtract r2 b a\nIfLessEqual r1 r2 -> 5\nReturn true\nReturn "
       "false\n"},
      // Constants that decide nothing are not there.
      {"true && a && true && b", "IfFalseChecking a b -> 3\nIfFalse b -> 3\nReturn true\nReturn false\n"},
      {"!!a || (b ? false : true) || false", "IfTrue a -> 2\nIfTrue b -> 3\nReturn true\nReturn false\n"},
      {"(a ? true : false) && b && c",
       "PlainCheck c #9\nIfFalseChecking a b -> 5\nIfFalse b -> 5\nIfFalse c -> 5\nReturn true\nReturn false\n"},
      {"startswith(a, b)", "IfNotPrefix a b -> 2\nReturn true\nReturn false\n"},
      {"alltrue([for x in a : x.y == b])",
       "LoadConst r0 true\nPlainLoad r1 a\nPlainFor r1 -> 7\nPlainAttr r4 r3 \"y\"\nIfEqual r4 b -> 6\nLoadConst r0 "
       "false\n"
       "PlainForEach r1 -> 3\nReturn r0\n"},
      {"length([for x in a : x if x]) > 1",
       "LoadConst r1 0\nPlainLoad r2 a\nPlainFor r2 -> 7\nIfFalse r4 -> 6\nPlainCheck r4 #10\nPlainAdd r1 r1 1\n"
       "PlainForEach r2 -> 3\nIfLessEqual r1 1 -> 9\nReturn true\nReturn false\n"},
      {"[for x in a : x.k if x.y == b][0]",
       "LoadConst r1 null\nPlainLoad r2 a\nPlainForFilter r2 -> 10\nPlainAttr r5 r4 \"y\"\nIfNotEqual r5 b -> 9\n"
       "PlainAttr r5 r4 \"k\"\nIfNotNull r1 -> 9\nMove r0 r5\nLoadConst r1 true\nPlainForEach r2 -> 3\nPlainCheck r1 "
       "#0\n"
       "Return r0\n"},
      {"sum(a[*].x) > 1",
       "LoadConst r1 null\nPlainLoad r2 a\nPlainCheck r2 #14\nPlainFor r2 -> 7\nPlainAttr r5 r4 \"x\"\nPlainSum r1 "
       "r5\nPlainForEach r2 -> 4\nPlainCheck r1 #1\nIfLessEqual r1 1 -> 10\nReturn true\nReturn false\n"},
      {"one([for x in a : x.k if x.y == b])",
       "LoadConst r1 null\nLoadConst r0 null\nPlainLoad r2 a\nPlainFor r2 -> 13\nPlainAttr r5 r4 \"y\"\nIfNotEqual r5 "
       "b "
       "-> 11\nPlainCheck r1 #6\nPlainAttr r5 r4 \"k\"\nPlainCheck r5 #10\nMove r0 r5\nLoadConst r1 1\nPlainForEach r2 "
       "-> "
       "4\nSkip -> 14\nPlainCheck b #10\nReturn r0\n"},
      // General code does these as fast, unless they are what the program returns.
      {"a + b * 2", ""},
      {"[a == 1]", ""},
      // The branches have different types.
      {"a ? 1 : \"x\"", "IfFalse a -> 3\nLoadConst r0 \"1\"\nReturn r0\nLoadConst r0 \"x\"\nReturn r0\n"},
      {"1 + 2", ""},
  };
  for (const Row& row : kRows) EXPECT_EQ(PlainListing(row.source), row.want) << row.source;
}

TEST(PlainGeneratorTest, MeansWhatGeneralCodeMeans) {
  const char* const kSources[] = {
      "a + b",
      "a - b",
      "a * b",
      "a / b",
      "a % b",
      "-a",
      "!a",
      "a == b",
      "a != b",
      "a < b",
      "a <= b",
      "a > b",
      "a >= b",
      "a / b > 1",
      "a / b <= 0.5 && b",
      "(a + 1) / b * 3 < a",
      "1 - a / 3 >= -(b / 7)",
      "a / b / 3 > a % b / 2",
      "1 / a > 2 || 1 / b < 1",
      "floor(a / b)",
      "ceil(a / b * 100) / 100 >= b",
      "floor(a) == b",
      "ceil(-a / 3)",
      "floor(a * 10) / 10",
      "a && b",
      "a || b",
      "a + -b",
      "-a + b > 1",
      "-a + -b - -a",
      "1 - -a == b",
      "-a * -b",
      "a[\"1\"].y == 1 || b[\"0\"] == 1",
      "a[\"01\"].y == 1 || b[\"-1\"] == 1",
      "a[\"9\"].y == 1 || b[\"1.0\"] == 1",
      "true && a && true && b",
      "false || a || b",
      "!!a || (b ? false : true) || false",
      "(a ? true : false) && b && a",
      "a && b && true && !a",
      "a == 1 && b < 2",
      "a == 1 || b < 2",
      "a == 1 ? true || b == 1 : false",
      "a ? b : 1",
      "a ? 1 : b",
      "a ? b : \"s\"",
      "\"%{if a}${b}%{endif}\"",
      "\"x%{if a == 1}${b}%{else}e\u0301%{endif}\u0301${a}\"",
      "\"%{if a}%{for x in b}${x}%{endfor}%{else}${b}%{endif}\" == \"1\"",
      "\"e%{if a}\u0301%{else}\u0300${b}%{endif}${b ? \"\u0301\" : \"\"}\u0301 ${a == 1 ? \"n\" : null}\"",
      "\"${b} item%{if b != 1}s%{endif}${a ? \"!\" : \"?\"}\" == \"1 item!\"",
      "\"${\"${a}b\"}${\"${nosuch(1)}${b}\"}\"",
      "\"${\"${a}b\"}${\"${[1]}${b}\"}\" == b",
      "[for r in [{s = \"${\"${nosuch(1)}${b}\"}!\", t = a}, {s = \"n\", t = b}] : r.s if r.t == 1][0]",
      "[for r in [{v = a, w = \"x\"}, {v = b, w = abs(b ? \"y\" : \"x\")}] : r.w if r.v == 1][0]",
      "[for r in [{v = a, w = \"x\"}, {v = b, w = abs(b ? \"2\" : \"x\")}] : r.w if r.v == 1][0]",
      "[for r in [{v = a, w = 1}, {v = b, w = abs(b ? true : false)}] : r.w if r.v == 1][0]",
      "\"<${\"(${a}:${b})\"}>\"",
      "\"${b}${\"e${\"${a}\"}${b}\"}${\"\u0301${a}\"}\"",
      "\"${\"${a}${a + 1}\"} ${\"${b}\"}\" == \"1 1\"",
      "[for r in [{s = \"%{if a}${b}%{endif}\", t = a}, {s = \"${\"${b}!\"}\", t = b}] : r.s if r.t == 1][0]",
      "[for r in [{s = a == 1 ? \"${b}\" : \"y\", t = a}, {s = a ? \"n\" : \"y\", t = b}] : r.s if r.t == 1][0]",
      "lookup(a, b, 1)",
      "lookup(a, b, [])",
      "lookup(a, b, null)",
      "contains(lookup(a, \"x\", []), b)",
      "contains(lookup(a, b, [1]), 1)",
      "lookup(a, b, [a]) == a",
      "sum(a[*].x)",
      "sum(a[*]) > 1",
      "alltrue(a[*].x)",
      "anytrue(a[*].x) && b",
      "contains(a[*].x, b)",
      "contains(a[*], b)",
      "length(a[*].x) == 1",
      "length(a[*]) > 1",
      "max(a[*].x...)",
      "flatten(a[*].x)",
      "flatten(a[*][*].x)",
      "flatten([a[*].x, b[*][*]])",
      "concat(a[*].x, [b])",
      "concat(a[*][*], [b])",
      "concat(a[*], b[*])",
      "element(a[*].x, 0)",
      "a[*].x == [1]",
      "one([for x in a : x if x == b])",
      "one([for x in a : x.x if b])",
      "one([for x in [a, b] : x if x == 1]) == 1",
      "one(a[*].x)",
      "sum([for x in a[*].x : x * 2])",
      "anytrue([for x in a[*].x : x == b])",
      "anytrue([for x in [for y in a : y.x if y.x != b] : x == 1])",
      "length([for x in [for y in a : y.x if y.x == b] : x if x == 1]) == 1",
      "[for x in [for y in a : y.x if y.x != b] : x][0]",
      "[for x in [for y in a : y.x] : x if b == 1][0]",
      "alltrue([for x in [for y in b : y if y != a] : x == 1 || x == 2])",
      "contains([for x in [for y in a : [for z in y : z]] : x[0]], b)",
      "length([for x in [for y in a : lower(y)] : 1]) == 2",
      "flatten([for x in [for y in a : [y, b]] : [for z in x : z]])",
      "length([for x in a : x][*].y) == 2",
      "max([for x in [for y in a : y.x] : x + b]...)",
      // What is no register at first is read by general code in the body.
      "length([for x in [for y in a : \"s\"] : lower(x.y)]) == 2",
      "anytrue([for x in [for y in a : b] : try(jsonencode(x.y) == \"1\", false)])",
      "sum([for x in [for y in a : 1] : try(x.y, x) + length(keys(x)...)])",
      "a == 1 ? {x = b, y = \"one\"} : b == 1 ? {x = 2, y = \"two\"} : {x = 3, y = \"none ${a}\"}",
      "a == 1 ? {x = 1, y = \"one\"} : b == 1 ? {x = 2, y = \"two\"} : {x = a, y = \"none\"}",
      "a ? {x = 1} : b ? {x = 2} : null",
      "lookup(a, \"x\", b)",
      "lookup(a, \"x\", 1)",
      "lookup(a, \"x\", null)",
      "[for v in [a, b, a] : lookup(v, \"x\", 0)]",
      "lookup(a, \"a key that is so long that looking for it is paid for, as any text of more than 64 bytes\", 1)",
      "lookup(a, b, \"z\") == \"z\"",
      "lookup({x = 1, y = a}, b, a) == 1",
      "alltrue([a, b])",
      "anytrue([a == 1, b])",
      "alltrue([a == 1, b == 2, true])",
      "alltrue([a, false])",
      "anytrue([a, true]) || b == 1",
      "anytrue([a, b, false]) && alltrue([a == b])",
      "strcontains(a, b)",
      "!strcontains(a, \"x\") && strcontains(\"xyz\", b)",
      "a ? [] : [\"x ${b}\"]",
      "b == null ? [] : [\"x ${b}\", \"y\"]",
      "a ? [\"${b.x}!\", \"!\"] : [\"-${b}\"]",
      "b == 1 ? [] : [\"x ${a.x.y} ${a.x}\"]",
      "a == 1 ? [\"x ${b}\"] : b == 1 ? [] : [\"y ${a.x}\", \"z\"]",
      "a ? \"x ${b}\" : null",
      "a == null ? null : \"x ${a.x}${b}\"",
      "b == 1 ? upper(a) : \"${a}.\"",
      "a ? upper(b) : lower(b)",
      "a ? length(b) : upper(b)",
      "a ? b : true",
      "a == null",
      "b != null",
      "a.x == 1",
      "a.x == b",
      "a[b] == 1",
      "a[0] == 1",
      "a.x.y < 3",
      "contains([1, \"x\", true], a) && true",
      "!contains([\"a text of more than a few bytes\", 2], a)",
      "startswith(a, \"x\") && b == 1",
      "(a ? b == 1 : b == 2) && a",
      "a ? (b ? 1 : 2) : 3",
      "nosuch == 1 && a",
      "[for x in a : x if x.y == b]",
      "[for k, x in a : k if x > 1 && b]",
      "[for x in a : x if b == 1]",
      "{for k, x in a : k => x * 2 if x != b}",
      "a[*].y == b",
      "[for x in a : x.y + b]",
      "contains(a, b) && true",
      "!contains(a, b)",
      "contains(a, 1) || contains(b, \"x\")",
      "[for x in a : x if contains(b, x)]",
      "[for x in a : x if contains(x, b)]",
      "length(a) > 1 && length(b) == 2",
      "length(a) && true",
      "[for x in a : x if length(x) > 0]",
      "endswith(a, \"x\") && b == 1",
      "!endswith(a, \"than a few bytes\")",
      // Calls and other general code as operands.
      "startswith(a, b)",
      "endswith(b, a) || startswith(a, b)",
      "upper(a) == \"X\" && b == 1",
      "a == 1 || lower(b) == \"x\" || length(split(\"x\", a)) > 1",
      "contains(split(\",\", a), b) && true",
      "split(\",\", a)[0] == b",
      "split(a, b)[1] == \"x\"",
      "split(\"x\", a)[0] == \"\" || split(\"x\", a)[1] == b",
      "[for x in a : x if split(\"e\", x)[1] != \"x\"]",
      "length(setintersection(a, b)) > 0",
      "length(setsubtract(a, [1, 2])) == 0",
      "length(setsubtract(a, b)) + length(setintersection(a, [\"x\", \"y\"]))",
      "length(setintersection(a, [1, \"1\"])) > 0 && contains(setintersection(a, [1, \"1\"]), b)",
      "contains(keys(a), b)",
      "\"${a}-\" == \"x-\" ? upper(b) : \"n\"",
      "values(a)[0] == b && a != null",
      "try(tonumber(a), 3) > 2 && b",
      "can(upper(a)) && a == b",
      "[for x in a : x if upper(x) == \"X\" && x != b]",
      "[for x in a : x if can(upper(x)) && x != b]",
      "[for x in a : x if x != b && can(x.y) || can(upper(x))]",
      "lower(a) == \"x\" || lower(a) == \"y\" || b == lower(a)",
      "(b ? lower(a) : \"z\") == lower(a) && lower(a) != \"q\"",
      "(b == 1 && lower(a) == \"x\") || lower(a) == \"y\"",
      "b == 1 ? lower(a) : (a == \"q\" || lower(a) == \"x\")",
      "(b == 1 ? lower(a) == \"x\" : false) || upper(lower(a)) == \"Y\" || lower(a) == \"z\"",
      "(b == 1 && (lower(a) == \"y\" || lower(a) == \"x\")) || lower(a) == \"y\" || a == \"z\" || lower(a) == \"z\"",
      "startswith(lower(a), \"x\") && (b == 1 || endswith(lower(a), \"y\") || strcontains(lower(a), \"z\"))",
      "(b == 1 && upper(lower(a)) == \"X\") || (lower(a) == \"s\" && upper(lower(a)) == \"S\")",
      "[for y in [lower(a)] : lower(a) == y && b == 1][0] || lower(a) == \"x\"",
      "(b == 1 && [for y in [upper(a)] : lower(y) == lower(y)][0]) || [for y in [b] : lower(y) == lower(y)][0]",
      "strcontains(a.y, \"x\") || endswith(a.y, b) || !strcontains(a.y, b) && !endswith(a.y, \"s\")",
      "b && upper(a) == \"X\" || upper(a) == \"Y\"",
      "[for x in a : x if tonumber(split(\"x\", x)[0]) > 0 || b == tonumber(split(\"x\", x)[0])]",
      "[for x in a : x if b == 1 && lower(x) == \"x\"]",
      "[for x in a : x if can(lower(x)) || b]",
      "anytrue([for x in a : lower(x) == b || lower(b) == lower(x)]) || lower(b) == \"x\"",
      "a == 1 || a == 2 || a == \"x\" || a == 0.5 || b",
      "b || a.x == \"x\" || \"1\" == a.x || a.x == \"y\" || a.x == 2",
      "a != 1 && 2 != a && a != \"xyz and some more text\" && a != -3 && b != 1",
      "[for x in a : x if x.y == 1 || x.y == 2 || x.y == \"x\" || x.y == b || x.y == 3]",
      "[for x in a : x if x.y != 1 && x.y != 2 && x.y != \"x\" && x.y != \"true\"]",
      "a == 1 || a == 2 || a == 123456789012345678901234567890 || a == null || a == 9223372036854775807",
      // A call that does not always run has made nothing for those behind it.
      "try(a.x, b[lower(b)], 1) != 7 && lower(b) == \"x\"",
      "try(a[upper(b)], a[lower(b)], 1) != 7 && (lower(b) == \"x\" || upper(b) == \"X\")",
      // What need not be there, by keys that are computed.
      "try(a[b].x, 1) == 1 && b != 2",
      "try(a[b].x, a[\"x\"][b], 1)",
      "can(a[b]) && can(b[a.x])",
      "try(a[b.x].y[0], b)",
      "[for k, x in a : try(x[k], b) if can(a[k].y)]",
      "a != null ? a[b].x : b",
      // The first that is set, of one type.
      "coalesce(a, b)",
      "coalesce(a, b, 1) == 1 && a != b",
      "coalesce(null, a, \"x\")",
      "coalesce(a.x, b.y, null) != 2",
      "coalesce(a, [b])",
      // Objects and lists of types that the text tells.
      "a == 1 ? {x = 1, y = \"b\"} : {x = 2, y = \"c\"}",
      "a == b ? {x = \"${a}\"} : {x = \"${b}\"}",
      "a ? [] : [\"${b}\"]",
      "a ? [\"${b.x}\", \"x\"] : []",
      "a ? {x = b == 1} : null",
      "a == null ? null : {x = \"${a.y}\"}",
      "a ? {x = 1} : {x = \"${b}\"}",
      "a ? {x = 1} : {y = 1}",
      "a == 1 ? [\"x\"] : b == 1 ? [\"y\"] : [\"z\"]",
      "(a == 1 ? {x = \"${b}\"} : {x = \"n\"}).x == \"1\" && b",
      "a == 1 ? {x = a, y = \"b\"} : {x = b, y = \"c\"}",
      "a == 1 ? {x = a, y = b} : b == 1 ? {y = a, x = 1} : {x = b, y = a.x}",
      "b ? {x = \"${a}\", y = a} : {x = \"y\", y = null}",
      "b ? {x = a.x} : {x = true}",
      "b ? {x = a} : {x = [1]}",
      "(b ? {x = a, y = upper(\"${b}\")} : {x = b, y = a}).x == 1 && b",
      "[for x in a : x == b ? {v = x, n = 1} : {v = b, n = 2}]",
      // Loops of which one value is kept.
      "alltrue([for x in a : x == b])",
      "anytrue([for x in a : x])",
      "alltrue([for i, x in a : x.y > i if x != null])",
      "anytrue([for x in a : startswith(x, b)])",
      "alltrue([for x in a : anytrue([for y in b : x == y])])",
      "!anytrue([for x in [a, b] : x == \"x\"])",
      "length([for x in a : x])",
      "length([for x in a : x if x != b]) > 0",
      "length([for x in a : {v = x}]) == 2 && b",
      "sum([for x in a : x])",
      "sum([for x in a : x * 2 if x != b]) > 1",
      "sum([for x in [a, b, 9223372036854775807, 0.5] : x])",
      "max([for x in a : x]...)",
      "min([for x in [a, b, 3] : x if x != 1]...) + 1",
      "contains([for x in a : x], b)",
      "contains([for x in a : x.y if true], b) && true",
      "[for x in a : x][0]",
      "[for x in a : x if x.y == b][0].y",
      "[for k, x in a : {k = k, x = x} if x != b][0].k",
      "[for x in a : x if can(x.y)][0]",
      "try([for x in a : x if x == b][0], \"none\")",
      // Elements whose names nothing reads, or not always: their errors are the list's.
      "[for v in [c] : 1][0]",
      "[for v in [c.d] : 1][0]",
      "[for v in [c] : a ? 1 : v][0]",
      "[for v in [c] : a == 1 || v][0]",
      "[for k, v in [c] : k][0] == a",
      "[for v in [a, c] : b][0]",
      "[for v in [a] : b][0]",
      "[for v in [[c]] : b][0]",
      "[for v in [c] : [for w in [a] : 2][0]][0]",
      "[for v in [{x = c}] : 1 if a][0]",
      "[for v in [for w in [c] : 1] : 2][0]",
      "element([for v in [c] : b], 0)",
      "length([for v in [c] : 1])",
      "length([for v in [a, c] : b])",
      "alltrue([for v in [c] : a])",
      "contains([for v in [c] : 1], b)",
      "sum([for v in [c] : 1])",
      // The same spelled in other ways, and constants that are computed.
      "a ? b : null",
      "a ? b.x : null",
      "a ? null : b.x.y",
      "a == null ? b : a",
      "a != null ? a.x : 1",
      "a != null ? a.x : b.x",
      "a == null ? null : b",
      "b ? null : a.x ? b.x : 1",
      "b ? null : a.x ? b.x : null",
      // Guards within guards: what is behind one that holds need not be there, and may give a null its type all the
      // same.
      "a == null ? null : a.x == null ? null : a.x.y",
      "a == null ? \"none\" : a.x == null ? \"inner\" : a.x.y",
      "a != null ? a.x != null ? a.x.y : null : null",
      "a != null ? a.x != null ? a.x.y : b : null",
      "a == null ? null : b == null ? null : a",
      "a == null ? 1 : b == null ? null : a.x",
      "a ? {x = 1}.x : true ? null : b ? 1 : 2",
      "a ? {x = 1}.x : b == 1 ? null : b == 2 ? 1 : 2",
      "a.x == 1 ? b : a.y == 2 ? null : b.x",
      "a == 1 ? null : a.x == 1 ? b : null",
      "b == null ? a : a.x == null ? null : a.x.y == 2 ? null : 3",
      "b == null ? null : a.x == null ? null : a.x.y == null ? null : b.x",
      "b == 1 ? null : !(a.x == null) ? a : null",
      "b == 1 ? null : a.x ? null : b.x",
      "b == 1 ? null : a.x != null && a.x.y == 2 ? null : b.x",
      "b == 1 ? null : tonumber(a) > 1 ? null : b",
      "(a == 1 ? b == 1 ? null : b.x : null) == null && b",
      "a == null ? 0 : a.x == null ? 0 : length(a.x)",
      "[for x in [a, b] : x == null ? null : x.x == null ? null : x.x.y]",
      "contains(a == null ? [] : a, b)",
      "[for x in (b == 1 ? [] : a) : x if x != null]",
      "a ? b : b.x ? a : null",
      "b.x ? a.x : b ? a.y : 1",
      "(a ? null : b.x) == 1 && b",
      "a && b.x || b.y",
      "a && b.x && b.y",
      "(a ? b.x : null) && true",
      "[for x in [a, b] : x != null ? x.y : \"none\"]",
      "try(a.x, b)",
      "try(a.x.y, b.x, null)",
      "try(a[0].y, a.y, 1) == 1",
      "can(a.x.y)",
      "!can(a[1]) && b == 1",
      "try(a.x, b.x)",
      "try(a.x, false) && try(b.x, true)",
      "try(try(a.x.y, b.x.y), \"none\")",
      "try(a.x + b, a)",
      "try(a.x == b ? b.x : a, 0)",
      "try(!a.x, b, c)",
      "try(a.x * 2 > b) ? a : 1",
      "try()",
      "[for v in [a, b] : try(v.x * 2, v.x && true, \"none\")]",
      "[for v in [a, b] : try(v.x.y, v[0], \"none\")]",
      "[for v in [a, b] : can(v.x)]",
      "[for v in [a, b] : 1 if can(v.x)]",
      "[for v in [{w = try(a.x, true), u = can(b.x)}, {w = try(a.x, false), u = try(a.x, b)}] : v.u if v.w][0]",
      "a == tonumber(null)",
      "tonumber(null) != b && a",
      "a == {n = null}.n",
      "a == lower(\"X\") && (b == 1 && a)",
      "startswith(a, 1) && b == -(-1)",
      "contains([lower(\"X\"), 1 + 0], a) && true",
      "contains(([1, \"x\"]), (a)) || b",
      "(a)[(\"x\")] == b",
      "a[(\"x\")][\"y\"] < 3 && a[(0)] == 1",
      "(a == 1 || b) || (a == 2 || b == 2)",
      "a == 1 ? \"x\" : b == 1 ? \"y\" : a",
      "[for i, x in a : x if (x.y) == b]",
  };
  for (const char* source : kSources) ExpectPlainMeansGeneral(source);
}

TEST(PlainGeneratorTest, BothCodesShareTheirSets) {
  EXPECT_EQ(internal::TablesOf(*CompilePlain("contains([1], a) && contains([2], b)")).lookups().size(), 2u);
  EXPECT_EQ(internal::TablesOf(*CompilePlain("[for x in a : x if contains([1], x)]")).lookups().size(), 1u);
  EXPECT_EQ(internal::TablesOf(*CompilePlain("[contains([1], a), contains([1], b)]")).lookups().size(), 1u);
}

TEST(PlainGeneratorTest, AnIndexThatIsNoNumberIsReportedOnce) {
  for (const char* text : {"a[1e9999999] == 1 && b", "[for x in a : x if x[1e9999999] == 1]"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(CompileExpression(std::make_shared<const Source>("<test>", text), {}, &diagnostics), nullptr) << text;
    EXPECT_EQ(diagnostics.count(), 1u) << text;
  }
}

TEST(PlainGeneratorTest, LongChainsHaveGeneralCode) {
  std::string text = "a == 0";
  for (int n = 1; n < 10'000; ++n) text += " || a == " + std::to_string(n);
  const std::shared_ptr<const Program> program = CompilePlain(text);
  ASSERT_NE(program, nullptr);
  Evaluator evaluator(program);
  evaluator.Bind("a", Value::Int(9'999));
  EXPECT_TRUE(evaluator.Run().value().is_true());
  evaluator.Bind("a", Value::Int(10'000));
  EXPECT_TRUE(evaluator.Run().value().is_false());
}

}  // namespace
}  // namespace hcl
