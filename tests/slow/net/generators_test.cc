// What programs and scopes of the net are made of.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/grammar.h"
#include "hclvm/tests/slow/net/matrix.h"
#include "hclvm/tests/slow/net/mutator.h"
#include "hclvm/tests/slow/net/odd_scopes.h"
#include "hclvm/tests/slow/net/shapes.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr int kPrograms = 2'000;

// The corpus is read once, for all tests.
class GeneratorsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    corpus_ = new Corpus();
    signatures_ = new Signatures(*corpus_);
  }
  static void TearDownTestSuite() {
    delete signatures_;
    delete corpus_;
  }

  // Texts of `next`, called with a world each time. All of them must parse, or nearly all.
  template <typename Next>
  std::vector<std::string> Texts(Grammar* grammar, Dice* dice, const Next& next) {
    std::vector<std::string> texts;
    int broken = 0;
    for (int n = 0; n < kPrograms; ++n) {
      const World& world = dice->Pick(corpus_->worlds());
      grammar->Begin(world);
      texts.push_back(next(world));
      broken += Parsed(texts.back()).ok() ? 0 : 1;
    }
    EXPECT_LE(broken, kPrograms / 100);
    return texts;
  }

  static bool Has(const std::vector<std::string>& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
  }

  static Corpus* corpus_;
  static Signatures* signatures_;
};

Corpus* GeneratorsTest::corpus_ = nullptr;
Signatures* GeneratorsTest::signatures_ = nullptr;

TEST(ShapesTest, PlacesOfAValue) {
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  ASSERT_TRUE(reader.Read(R"({"a": [{"b": 1}, {"c d": "x"}], "n": null})", &heap, &value, &error));
  Shapes shapes;
  std::vector<std::string> places;
  for (const Shapes::Place& place : shapes.PlacesIn(shapes.Of(value))) places.push_back(place.steps);
  EXPECT_EQ(places, (std::vector<std::string>{"", ".a", ".a[0]", ".a[0].b", ".a[0][\"c d\"]", ".n"}));
  EXPECT_EQ(WantOf(value.values()[0]).element, Kind::kMapping);
}

TEST(GrammarTest, Bracketed) {
  const struct {
    const char* text;
    const char* want;
  } kRows[] = {
      {"a.b[0]", "a.b[0]"},
      {"f(a, b)", "f(a, b)"},
      {"[1, 2]", "[1, 2]"},
      {"\"a b\"", "\"a b\""},
      {"a + b", "(a + b)"},
      {"!a", "(!a)"},
      {"-1", "(-1)"},
      {"\"${a ? b : c}\"", "(\"${a ? b : c}\")"},
      {"f(a) == 1", "(f(a) == 1)"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Bracketed(row.text), row.want);
}

TEST_F(GeneratorsTest, TheCorpusIsThere) {
  EXPECT_GE(corpus_->worlds().size(), 37u);
  for (const World& world : corpus_->worlds()) {
    EXPECT_FALSE(world.scopes.empty()) << world.name;
    EXPECT_FALSE(world.variables.empty()) << world.name;
    EXPECT_FALSE(world.fragments.empty()) << world.name;
    for (const Fragment& fragment : world.fragments) EXPECT_TRUE(Parsed(fragment.text).ok()) << fragment.text;
  }
  EXPECT_GT(corpus_->Count(ExprKind::kFor), 20u);
  EXPECT_GT(corpus_->CountCalls("contains"), 10u);
  EXPECT_GT(corpus_->Count(BinaryOp::kEqual), corpus_->Count(BinaryOp::kModulo));
}

// A function without a signature is called with anything: that must be rare.
TEST_F(GeneratorsTest, FunctionsAreKnown) {
  std::set<std::string> unknown;
  for (const KnownFunction& function : signatures_->functions()) {
    if (function.signatures.empty()) unknown.insert(function.name);
  }
  EXPECT_EQ(unknown, (std::set<std::string>{}));
  EXPECT_GT(signatures_->functions().size(), 100u);
}

TEST_F(GeneratorsTest, ProgramsParse) {
  Dice dice(1);
  Grammar grammar(corpus_, *signatures_, &dice);
  const auto made = Texts(&grammar, &dice, [&](const World&) { return grammar.Program(4); });
  for (const char* part : {"for ", " if ", "...",  "[*]",         ".*",          "%{",           "<<EOT", "<<-EOT",
                           "~}",   "try(", "can(", " ? ",         " && ",        " || ",         " % ",   "!",
                           "null", "=>",   "[\"",  "[for t in [", "{for t in [", "one([for t in"}) {
    EXPECT_TRUE(Has(made, part)) << part;
  }
  Mutator mutator(corpus_, *signatures_, &grammar, &dice);
  const auto changed = Texts(&grammar, &dice, [&](const World& world) { return mutator.Next(world); });
  EXPECT_TRUE(Has(changed, "[for it in ["));
  Matrix matrix(corpus_->shapes(), &grammar, &dice);
  const auto crossed = Texts(&grammar, &dice, [&](const World& world) { return matrix.Next(world); });
  EXPECT_TRUE(Has(crossed, "[for it in ["));
}

TEST_F(GeneratorsTest, TheSameForTheSameSeed) {
  std::vector<std::string> texts[2];
  for (std::vector<std::string>& some : texts) {
    Dice dice(7);
    Grammar grammar(corpus_, *signatures_, &dice);
    some = Texts(&grammar, &dice, [&](const World&) { return grammar.Program(3); });
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST_F(GeneratorsTest, ScopesAreOdd) {
  Dice dice(1);
  const World& world = corpus_->worlds()[0];
  OddScopes scopes(world, Dialect::kSpec, &dice);
  std::string names;
  for (const WorldVariable& variable : world.variables) names += variable.name + " ";
  Heap heap;
  int marked = 0, unknown = 0, missing = 0;
  for (int n = 0; n < kPrograms; ++n) {
    const OddScope scope = scopes.Next(names, &heap);
    marked += scope.has_marks ? 1 : 0;
    unknown += scope.marked.is_wholly_known() ? 0 : 1;
    missing += scope.marked.size() < world.variables.size() ? 1 : 0;
    EXPECT_FALSE(scope.bare.has_marks());
    EXPECT_EQ(scope.bare.size(), scope.marked.size());
  }
  for (const int count : {marked, unknown, missing}) EXPECT_GT(count, kPrograms / 50);
  EXPECT_LT(unknown, kPrograms / 2);
}

}  // namespace
}  // namespace hcl::testing_support
