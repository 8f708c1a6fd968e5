// A program gives the same when parts of it are disguised: over random programs, in scopes of known, null, wrong,
// unknown and marked values, with and without fast code, and not optimized. What the compiler makes of a part that it
// knows, a constant, a comparison, a list of objects, is compared with what it makes of one that it does not know.
//

#include "hclvm/tests/slow/disguise.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/fits.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 20'000;
constexpr size_t kMaxReports = 20;
constexpr Code kCodes[] = {Code::kOptimized, Code::kGeneral, Code::kUnoptimized};

TEST(DisguisedTest, Ranges) {
  Generator random(1);
  const Disguised all("a + b", Disguise::kBrackets, 100, &random);
  EXPECT_EQ(all.text(), "((a) + (b))");
  EXPECT_EQ(all.Original({0, 11}), (SourceRange{0, 5}));
  EXPECT_EQ(all.Original({1, 4}), (SourceRange{0, 1}));
  EXPECT_EQ(all.Original({8, 9}), (SourceRange{4, 5}));
  EXPECT_EQ(Disguised("\"x${a}%{ if b }c%{ endif }\"", Disguise::kBrackets, 100, &random).text(),
            "(\"x${(a)}%{ if (b) }c%{ endif }\")");
  EXPECT_EQ(Disguised("a.b[*].c", Disguise::kBrackets, 100, &random).text(), "(((a).b)[*].c)");
  EXPECT_EQ(Disguised("{a = 1, \"b\" = 2}", Disguise::kBrackets, 100, &random).text(), "({a = (1), \"b\" = (2)})");
  EXPECT_EQ(Disguised("a + b", Disguise::kAny, 0, &random).text(), "a + b");
}

class DisguiseLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  DisguiseLawTest() : heap_(nullptr, GetParam()), harness_(OptionsFor(GetParam())), slow_(GetParam()) {
    for (const Code code : kCodes) {
      plain_.emplace_back(GetParam(), code);
      disguised_.emplace_back(GetParam(), code);
    }
  }

  // The scope of a number: as it is, mixed with all of it known, with unknown values, marked.
  Value ScopeFor(uint32_t n, const std::string& text, Generator* random) {
    UnknownScopes scopes(text, harness_.variables(), &heap_, random);
    if (n == 0) return harness_.variables();
    if (n == 1) return scopes.Sample(scopes.Mixed());
    if (n == 2) return scopes.Blurred();
    const Value mixed = scopes.Mixed();
    std::vector<Value> values(mixed.values().begin(), mixed.values().end());
    for (Value& value : values) {
      if (random->Below(4) == 0) value = Mark(value, MarkSet{1} << random->Below(3), heap_.arena());
    }
    return MakeObject(&mixed.shape(), values, heap_.arena());
  }

  // Whether the values are the same. The form of a branch may tell what is known of an unknown result, and optimized
  // code leaves out marks of what it skips (tests/slow/marks_law_test.cc).
  bool SameValues(const Value& a, const Value& b) {
    MarkSet marks = 0;
    const Value x = UnmarkDeep(a, &marks, heap_.arena());
    const Value y = UnmarkDeep(b, &marks, heap_.arena());
    if (x.is_wholly_known() && y.is_wholly_known()) return Identical(x, y);
    return Fits(x, y, heap_.types()) || Fits(y, x, heap_.types());
  }

  // The same errors, at the same places where these are to stay.
  static bool SameProblems(const Problems& want, Problems got, const Disguised& disguised, Disguise disguise) {
    if (want.size() != got.size()) return false;
    for (size_t n = 0; n < got.size(); ++n) {
      if (got[n].summary != want[n].summary) return false;
      const bool same_place = disguised.Original(got[n].range) == want[n].range;
      if (disguise == Disguise::kBrackets && !same_place) return false;
    }
    return true;
  }

  // How the program and its disguise differ; nothing if they do not. The same for the same seed.
  std::string WhatIsWrongWith(const std::string& text, uint64_t seed) {
    const Parsed parsed(text);
    if (!parsed.ok()) return "";
    Generator random(seed);
    const Disguise disguise = seed % 3 == 0 ? Disguise::kBrackets : Disguise::kAny;
    const Disguised disguised(text, disguise, 5 + random.Below(40), &random);
    const Parsed parsed_disguised(disguised.text());
    if (!parsed_disguised.ok()) return absl::StrCat("does not parse: ", disguised.text());
    const Value scope = ScopeFor(static_cast<uint32_t>(seed / 3 % 4), text, &random);
    for (size_t code = 0; code < std::size(kCodes); ++code) {
      const Outcome a = plain_[code].Evaluate(parsed, scope);
      const Outcome b = disguised_[code].Evaluate(parsed_disguised, scope);
      const bool same = a.ok() == b.ok() && (a.ok() ? SameValues(*a.value, *b.value)
                                                    : SameProblems(a.problems, b.problems, disguised, disguise));
      if (!same && !FormsMatter(parsed, scope)) {
        return absl::StrCat(Print(a), "\n", disguised.text(), "\n", Print(b), Changes(text, scope));
      }
    }
    return "";
  }

  // Whether the form of a branch that failed, or of which nothing is known, may have told its type; or that of one
  // whose condition is unknown.
  bool FormsMatter(const Parsed& parsed, const Value& scope) {
    MarkSet marks = 0;
    slow_.Evaluate(parsed, UnmarkDeep(scope, &marks, heap_.arena()));
    return slow_.doubts().untyped_branch || slow_.doubts().type_of_form;
  }

  std::string Changes(const std::string& text, const Value& scope) {
    std::string changes;
    for (size_t n = 0; n < scope.size(); ++n) {
      const std::string name(scope.shape().keys[n].AsString());
      if (text.find(name) == std::string::npos || Identical(scope.values()[n], harness_.variables().values()[n]))
        continue;
      absl::StrAppend(&changes, "\n  ", name, " = ", Print(scope.values()[n]));
    }
    return changes;
  }

  Heap heap_;
  Harness harness_;
  SlowSide slow_;
  std::vector<FastSide> plain_;
  std::vector<FastSide> disguised_;
};

TEST_P(DisguiseLawTest, DisguisesChangeNothing) {
  const auto check = [this](const std::string& text, uint64_t n) { return WhatIsWrongWith(text, n); };
  CheckPrograms(TestPrograms(kPrograms), &heap_, check, kMaxReports);
}

INSTANTIATE_TEST_SUITE_P(Dialects, DisguiseLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
