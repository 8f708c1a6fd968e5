// Judge, ShrinkScope.

#include "hclvm/tests/slow/net/judge.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/net/odd_scopes.h"
#include "hclvm/tests/slow/net/shrink_scope.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

Value Read(const std::string& json, Heap* heap) {
  JsonReader reader;
  Value value;
  JsonError error;
  EXPECT_TRUE(reader.Read(json, heap, &value, &error)) << json;
  return value;
}

TEST(JudgeTest, AllWaysAreAsked) {
  Heap heap;
  const std::vector<OddScope> scopes = {ScopeOf(Read(R"({"a": 1, "b": [1, 2]})", &heap), &heap),
                                        ScopeOf(Read(R"({"a": "x", "b": null})", &heap), &heap)};
  Judge judge(Dialect::kSpec);
  ASSERT_TRUE(judge.Load("[for x in b : x + a]"));
  size_t at = 0;
  EXPECT_EQ(judge.Compare(scopes, &at).way, "");
  // General, not optimized, slow, row, lazy for each, and a new evaluator for the first.
  EXPECT_EQ(judge.comparisons(), 11u);
  EXPECT_EQ(judge.values(), 6u);
  EXPECT_FALSE(judge.Load("1 +"));
}

TEST(JudgeTest, ModulesThatDeclareTheVariables) {
  const struct {
    const char* text;
    const char* scope;
    uint64_t comparisons;  // of the attribute and of the local; none where the module, or its scope, is wrong
  } kRows[] = {
      {"[for x in b : x + a]", R"({"a": 1, "b": [1, 2]})", 2},
      {"a + b", R"({"a": 1, "b": [1, 2]})", 0},
      {"a.b", R"({"a": {"b": null}})", 0},
      {"a + nosuch", R"({"a": 1})", 0},
  };
  for (const auto& row : kRows) {
    Heap heap;
    Judge judge(Dialect::kSpec);
    ASSERT_TRUE(judge.Load(row.text));
    EXPECT_EQ(judge.CompareDeclared(ScopeOf(Read(row.scope, &heap), &heap)).way, "") << row.text;
    EXPECT_EQ(judge.comparisons(), row.comparisons) << row.text;
  }
}

// What fails or is unknown must be so for those as well who ask for no reason: try(), can(), and branches not taken.
TEST(JudgeTest, AttemptsOverUnknownElements) {
  Heap heap;
  const Value unknown = Value::Dynamic();
  const Value known[] = {Value::StringView(""), unknown};
  KeyValue user[] = {{Value::StringView("host"), Value::Unknown(Type::String())}};
  const Value users[] = {MakeObject(absl::MakeSpan(user), heap.arena())};
  KeyValue pairs[] = {{Value::StringView("known"), MakeTuple(known, heap.arena())},
                      {Value::StringView("s"), Value::StringView("hello")},
                      {Value::StringView("un"), unknown},
                      {Value::StringView("users"), MakeTuple(users, heap.arena())}};
  const std::vector<OddScope> scopes = {ScopeOf(MakeObject(absl::MakeSpan(pairs), heap.arena()), &heap)};
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Judge judge(dialect);
    for (const char* text : {
             "can(un % 0)",
             "(true ? {a = known} : {a = known}).a",
             "(s == \"hello\" ? {a = known} : {a = known}).a",
             "try(anytrue([for z in split(1, join(1, [un])) : z == 1.weekday]), 1)",
             "can(alltrue(toset([s, un])))",
             "can(anytrue(toset(known)))",
             "can(join(\",\", toset([[s], un])))",
             "[] == 1 ? alltrue(toset(known)) : 1",
             "try(alltrue(toset([s, s, un])), 1)",
             "try(sum(users[*]), 1)",
             "can(sum([for x in known : x]))",
             "can(sum([un, s]))",
             "[for x in [known, users] : try(sum(x), 0)]",
         }) {
      ASSERT_TRUE(judge.Load(text)) << text;
      size_t at = 0;
      const Finding finding = judge.Compare(scopes, &at);
      EXPECT_EQ(finding.way, "") << text << "\n" << finding.text;
    }
  }
}

TEST(JudgeTest, Sets) {
  Heap heap;
  const std::vector<OddScope> scopes = {ScopeOf(Read(R"({"a": 1})", &heap), &heap)};
  Judge judge(Dialect::kSpec);
  EXPECT_EQ(judge.CompareSet({"a == 2", "a", "a == 1", "true"}, scopes).way, "");
  EXPECT_EQ(judge.comparisons(), 5u);
  EXPECT_EQ(judge.CompareSet({"a == 2", "a.b == 1", "true"}, scopes).way, "");
  EXPECT_EQ(judge.CompareSet({"a == 2"}, scopes).way, "");
}

TEST(ShrinkScopeTest, KeepsWhatShows) {
  Heap heap;
  const Value marked = Mark(Value::StringView("secret"), 1, heap.arena());
  const Value whole = Read(R"({"a": {"b": [1, 22, {"c": "some text"}], "d": true}, "e": [[], [3]]})", &heap);
  std::vector<KeyValue> pairs;
  for (size_t n = 0; n < whole.size(); ++n) pairs.push_back({whole.shape().keys[n], whole.values()[n]});
  pairs.push_back({Value::StringView("m"), marked});
  const OddScope scope = ScopeOf(MakeObject(pairs, heap.arena()), &heap);
  const struct {
    const char* part;  // of the printed scope, which has to stay
    const char* want;
  } kRows[] = {
      {"\"c\"", R"({"a":{"b":[{"c":""}]}})"},
      {"\"e\"", R"({"e":[]})"},
      {"22", R"({"a":{"b":[22]}})"},
      {"secret", R"({"m":"secret"})"},
      {"", "{}"},
  };
  for (const auto& row : kRows) {
    const auto print = [](const Value& value) {
      TypeTable types;
      std::string text;
      AppendTypedValueJson(value, &types, &text);
      return text;
    };
    const OddScope small = ShrinkScope(
        scope, [&](const OddScope& over) { return print(over.marked).find(row.part) != std::string::npos; }, &heap);
    EXPECT_EQ(print(small.marked), row.want);
  }
}

}  // namespace
}  // namespace hcl::testing_support
