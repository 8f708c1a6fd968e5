// Questions that one instruction answers: what the code is, and that it means what the slow path means.

#include <cstdint>
#include <string>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/fast_code_test_util.h"

namespace hcl {
namespace {

using testing_support::ExpectFastMeansSlow;
using testing_support::FastListing;

TEST(CoreSearchesTest, ListsMeanWhatTheSlowPathMeans) {
  const char* const kForms[] = {
      "length([for v in P : v if v == Q]) > 0",
      "1 > length([for v in P : \"s\" if Q == v])",
      "length([for v in P : v if v == Q]) != 0 && b",
      "!(length([for i, v in P : i if v == Q]) == 0)",
      "can(length([for v in P : v if v == Q]) > 0)",
      "contains([for v in P : v], Q)",
      "contains([for k, v in P : k], Q)",
      "try(contains([for v in P : v], Q), 1)",
      "contains(toset(P), Q)",
      "try(contains(toset(P), Q), 1)",
      "contains(toset(P), Q) ? P : Q",
      "length(setintersection(P, toset(Q))) > 0",
      "length(setsubtract(toset(P), Q)) == 0",
      "0 < length(setintersection(P, [Q, 1]))",
      "[for i in range(length(P)) : P[i] == Q]",
      "length([for i in range(length(P)) : i if P[i] == Q]) > 1",
      "anytrue([for i, j in range(length(P)) : P[j] == Q && i == j])",
      "try(sum([for i in range(length(P)) : i]), Q)",
      "sum([for i in range(length(P)) : i]) + sum([for i in range(length(P)) : i * 2])",
  };
  const char* const kParts[] = {
      "a", "b", "a.x", "[a, 1]", "[\"x\"]", "toset([a, b])", "[for e in a : e if e != b]", "{k = b}", "\"x\"", "1",
  };
  for (const char* form : kForms) {
    for (const char* p : kParts) {
      for (const char* q : kParts) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/7);
      }
    }
  }
}

TEST(CoreSearchesTest, MappingsMeanWhatTheSlowPathMeans) {
  const char* const kForms[] = {
      "sum(values(P)) > Q",
      "alltrue(values(P)) && Q != 1",
      "anytrue(values(P)) || Q == 1",
      "max(values(P)...) == min(values(Q)...)",
      "contains(values(P), Q)",
      "try(contains(values(P), Q), 1)",
      "try(sum(values(P)), Q)",
      "[for v in [1, 2] : v if sum(values(P)) > v || contains(values(P), Q)]",
      "lookup(merge({k = Q}, P), \"k\", 1)",
      "lookup(merge(P, {y = 1}), \"x\", Q)",
      "lookup(merge(P, {(\"${Q}\") = 1}), \"x\", null)",
      "try(lookup(merge({}, P), \"x\", Q), 1)",
      "lookup(merge({k = P}, 1), \"k\", Q)",
      "lookup(merge([1], {x = P}), \"k\", Q)",
      "lookup(merge(null, {x = P}), \"x\", Q)",
  };
  const char* const kParts[] = {
      "a",   "b",     "a.x", "{k = a, x = b}", "{k = 1}", "{}", "tomap({x = b})", "{for v in [1, 2] : v => a}",
      "[a]", "\"x\"",
  };
  for (const char* form : kForms) {
    for (const char* p : kParts) {
      for (const char* q : kParts) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/7);
      }
    }
  }
}

TEST(CoreSearchesTest, PatternsMeanWhatTheSlowPathMeans) {
  const char* const kForms[] = {
      "can(regex(\"P\", Q))",
      "!can(regex(\"P\", Q)) && b",
      "length(regexall(\"P\", Q)) > 0",
      "length(regexall(\"P\", Q)) == 0 || a",
      "try(can(regex(\"P\", Q)) ? b : a.x, 1)",
      "[for v in [a, b] : v if can(regex(\"P\", v))]",
      "try(length(regexall(\"P\", Q)) > 0, b)",
  };
  for (const char* form : kForms) {
    for (const char* p : {"^s", "s$", "s", "^s$", "^(s|t|1)$", "^(?:true|x)$", "1", "^x\\\\.y", "^.", "s|t", ""}) {
      for (const char* q : {"a", "b.x", "\"${a}s\"", "1", "lower(a)", "[a]"}) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/3);
      }
    }
  }
}

// Verbs take what they are for as it is.
TEST(CoreSearchesTest, Formats) {
  for (const char* form : {"format(\"P\", a)", "try(format(\"P\", a.x), b)", "can(format(\"P\", b / 2)) == a",
                           "\"${a}-${format(\"P\", b)}\"", "[for v in [a, 3] : format(\"P\", v)]",
                           "try(upper(format(\"P\", a)), 1)", "can(\"${format(\"P\", a)}${b}\")"}) {
    for (const char* p : {"%d", "x%d", "%t", "%t%%", "%v", "%s", "%5d", "%d%d"}) {
      ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", p}}));
    }
  }
}

// Keys that are normalized, empty, no identifiers, no strings, or there twice. Some pairs, as all take long.
TEST(CoreSearchesTest, OddKeys) {
  const char* const kKeys[] = {"\"e\\u0301\"", "\"\\u00e9\"", "\"\"", "\"a.b\"", "0", "\"0\"", "null",
                               "true",         "1.5",         "-1",   "\"x\"",   "a", "b",     "b.x"};
  const char* const kMappings[] = {
      "{\"e\\u0301\" = 1, \"\\u00e9\" = a}",
      "{\"\" = a, \"a.b\" = 2}",
      "{(b) = 1, \"\\u00e9\" = 2}",
      "{null = 1, true = a, 0 = 3}",
      "{\"${b}\" = 1}",
      "{(a) = 1, (a) = b}",
      "{x = 1, x = a}",
      "merge(a, {\"e\\u0301\" = 9})",
      "{for k, v in a : k => v}",
      "{for v in [\"e\\u0301\", \"\\u00e9\", b] : v => a...}",
      "tomap({\"e\\u0301\" = a})",
      "[a, 2][*]",
      "a",
      "b",
  };
  const char* const kForms[] = {
      "P[K]",
      "try(P[K], 9)",
      "can(P[K])",
      "lookup(P, K, 9)",
      "contains(keys(P), K)",
      "anytrue([for k, v in P : k == K])",
      "[for k, v in P : v if k == K]",
      "try({for k, v in P : k => v}[K], 9)",
      "length([for k in keys(P) : k if k == K]) > 0",
      "{for x in [K] : x => P}",
      "[for t in [P] : try(t[K], t)][0]",
      "P == {(K) = 1}",
      "merge(P, {(K) = 5})[K]",
      "values({(K) = P})[0]",
      "[for x in [{a = P, b = K}] : try(x.a[x.b], 0)][0]",
      "one([for v in P : v if v == K])",
      "coalesce(try(P[K], null), 8)",
      "\"${K}\" == K",
      "P[K] == P[K] ? 1 : 2",
      "try(anytrue([for k, v in P : k == K && v == 1]), K)",
  };
  uint32_t drawn = 0;
  for (const char* form : kForms) {
    for (const char* mapping : kMappings) {
      for (const char* key : kKeys) {
        if (++drawn % 11 != 0) continue;
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", mapping}, {"K", key}}), /*stride=*/97);
      }
    }
  }
}

}  // namespace
}  // namespace hcl
