// What evaluations pay, by units of fuel: docs/limits.md.

#include "hclvm/base/fuel.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// `n` elements or bytes of each kind, by name.
class Scope {
 public:
  explicit Scope(int n) {
    std::vector<Value> strings;
    std::vector<KeyValue> pairs;
    for (int i = 0; i < n; ++i) {
      strings.push_back(Value::String("key" + std::to_string(i * 7919 % 1'000'003), heap_.arena()));
      pairs.push_back({strings.back(), Value::Int(i)});
    }
    Add("list", MakeList(Type::String(), strings, heap_.arena()));
    Add("tuple", MakeTuple(strings, heap_.arena()));
    Add("marked", Mark(MakeTuple(strings, heap_.arena()), kSensitiveMark, heap_.arena()));
    Add("map", MakeMap(Type::Number(), absl::MakeSpan(pairs), heap_.arena()));
    Add("object", MakeObject(absl::MakeSpan(pairs), heap_.arena()));
    Add("text", Value::String(std::string(static_cast<size_t>(n), 'a'), heap_.arena()));
    Add("words", Value::String(Words(n), heap_.arena()));
    Add("big", MakeList(heap_.types()->List(Type::String()), {MakeList(Type::String(), strings, heap_.arena())},
                        heap_.arena()));
    std::vector<Value> kinds;
    for (int i = 0; i < n / 10; ++i) {
      KeyValue pair{strings[static_cast<size_t>(i)], Value::Int(i)};
      kinds.push_back(MakeObject(absl::MakeSpan(&pair, 1), heap_.arena()));
    }
    Add("kinds", MakeTuple(kinds, heap_.arena()));
  }

  // Units that the expression takes; 0 and a failure when it fails.
  uint64_t Units(const std::string& text, bool may_fail = false) {
    CompileOptions options;
    options.functions = StandardFunctions();
    Diagnostics diagnostics;
    auto program = CompileExpression(std::make_shared<const Source>("<test>", text), options, &diagnostics);
    if (program == nullptr) ADD_FAILURE() << text;
    Limits limits;
    Evaluator evaluator(program, limits);
    for (const auto& [name, value] : values_) evaluator.Bind(name, value);
    const Evaluation& evaluation = evaluator.Run();
    EXPECT_TRUE(may_fail || evaluation.ok()) << text << ToText(evaluation.diagnostics(), nullptr);
    return limits.max_fuel - evaluation.fuel_left();
  }

 private:
  static std::string Words(int n) {
    std::string text;
    while (text.size() < static_cast<size_t>(n)) text += "ab cd,";
    return text;
  }
  void Add(const std::string& name, const Value& value) { values_.emplace_back(name, value); }

  Heap heap_;
  std::vector<std::pair<std::string, Value>> values_;
};

// A call pays for what the function looks at, and not for what stands in its arguments beside that.
TEST(FuelTest, WhatIsNotLookedAtIsFree) {
  Scope small(100);
  Scope large(10'000);
  for (const char* text : {
           "lookup(map, \"key0\", 0)",
           "lookup(object, \"nosuch\", 0)",
           "length(list)",
           "length(map)",
           "element(tuple, 3)",
           "element(big, 0)",
           "index(list, 3)",
           "hasindex(map, \"a\")",
           "coalesce(null, list)",
           "coalescelist([], tuple)",
           "one(big)",
           "slice(list, 3, 9)",
           "try(tuple, 0)",
           "sensitive(tuple)",
           "issensitive(marked)",
           "startswith(text, \"aa\")",
           "endswith(text, \"aa\")",
           "strcontains(words, \"cd\")",
           "trimprefix(text, \"a\")",
           "trimsuffix(text, \"a\")",
           "trimspace(words)",
           "substr(text, 3, 5)",
           "contains(list, \"key0\")",
           "regex(\"b\", words)",
           "tuple[5]",
           "map[\"key0\"]",
       }) {
    EXPECT_EQ(small.Units(text), large.Units(text)) << text;
  }
}

// Work that grows with the argument is paid for in proportion, and not beyond.
TEST(FuelTest, WhatIsLookedAtIsPaidFor) {
  Scope small(2'000);
  Scope large(20'000);
  for (const char* text : {
           "keys(map)",
           "values(map)",
           "reverse(list)",
           "sort(list)",
           "distinct(list)",
           "toset(list)",
           "setunion(list, [])",
           "setsubtract(list, [\"a\"])",
           "merge(map, {})",
           "zipmap(list, list)",
           "concat(list, tuple)",
           "flatten(tuple)",
           "join(\",\", list)",
           "split(\",\", words)",
           "upper(text)",
           "title(words)",
           "strlen(text)",
           "strrev(text)",
           "indent(2, words)",
           "replace(words, \"a\", \"b\")",
           "trim(text, \"a\")",
           "trim(\"b\", words)",
           "format(\"%s\", text)",
           "format(words)",
           "formatlist(\"%s\", list)",
           "jsonencode(object)",
           "jsondecode(jsonencode(tuple))",
           "yamlencode(tuple)",
           "yamldecode(jsonencode(tuple))",
           "base64encode(text)",
           "base64decode(base64encode(text))",
           "urlencode(words)",
           "urldecode(urlencode(words))",
           "base64gunzip(base64gzip(text))",
           "sha256(text)",
           "md5(text)",
           "crc32(text)",
           "regexall(\"[a-z]+\", words)",
           "regexall(\"([a-z])([a-z])\", words)",
           "regexreplace(words, \"[a-z]+\", \"x\")",
           "contains(tuple, \"nosuch\")",
           "strcontains(text, \"b\")",
           "type(tuple)",
       }) {
    const uint64_t few = small.Units(text);
    const uint64_t many = large.Units(text);
    EXPECT_GT(few, 10u) << text;
    EXPECT_GE(many, few * 7) << text;
    EXPECT_LE(many, few * 20) << text;
  }
}

// A long text that is looked for, and is nearly there everywhere, takes some nanoseconds for each byte. Fast code and
// functions charge the same for it.
TEST(FuelTest, SearchesPayForWhatTheyRead) {
  Scope scope(80'000);
  for (const char* text : {
           "strcontains(text, \"aab\")",
           "strcontains(text, \"aab\") ? 1 : 2",
           "[for t in [text] : t if strcontains(t, \"aab\")]",
           "contains_substring(text, \"aab\")",
           "issensitive(strcontains(sensitive(text), \"aab\"))",
           "length(split(\"aab\", text))",
           "split(\"aab\", text)[0]",
       }) {
    EXPECT_GE(scope.Units(text), 10'000u) << text;
    EXPECT_LE(scope.Units(text), 25'000u) << text;
  }
}

// Elements of different types are compared with each other.
TEST(FuelTest, UnifyingIsQuadratic) {
  Scope small(2'000);
  Scope large(20'000);
  const uint64_t few = small.Units("try(tolist(kinds), 0)", true);
  EXPECT_GE(large.Units("try(tolist(kinds), 0)", true), few * 50);
}

TEST(FuelTest, PatternsPayForWhatRe2Does) {
  Scope scope(20'000);
  // Short matches of a local pattern cost what is read, not the whole rest of the text each.
  EXPECT_LT(scope.Units("regexall(\"[a-z]+\", words)"), 500'000u);
  EXPECT_LT(scope.Units("regexall(\"a\", text)"), 1'000'000u);
  // Where each search may read the whole rest, it is paid for.
  EXPECT_GT(scope.Units("regexall(\"x.*y|a\", text)"), 4'000'000u);
  // Groups, in proportion to the program and to their number.
  EXPECT_GT(scope.Units("regex(join(\"\", [for n in range(90) : \"(a*)\"]), text)"), 1'000'000u);
  // A pattern that many states can be in.
  EXPECT_GT(scope.Units("regexall(\"(?:a|b)*a(?:a|b){12}\", text)"), 100'000u);
  // A pattern that is not constant is compiled by the call, quadratic in what may be left out.
  EXPECT_GT(scope.Units("regexall(\"a{0,900}${substr(text, 0, 1)}\", \"\")"), 50'000u);
  EXPECT_LT(scope.Units("regexall(\"[a-z]+${substr(text, 0, 1)}\", \"\")"), 2'000u);
}

// An evaluator keeps patterns that come in variables; what an evaluation takes does not depend on those before it.
TEST(FuelTest, KeptPatternsArePaidForAgain) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto program = CompileExpression(
      std::make_shared<const Source>("<test>", "[for p in [a, b] : can(regex(p, \"abc\"))]"), options, &diagnostics);
  ASSERT_NE(program, nullptr);
  Heap heap;
  for (const char* second : {"b+", "(", "(?:x{900}y{900})", "\\C"}) {
    Evaluator evaluator(program);
    evaluator.Bind("a", Value::String("[a-z]+", heap.arena()));
    evaluator.Bind("b", Value::String(second, heap.arena()));
    const uint64_t left = evaluator.Run().fuel_left();
    for (int again = 0; again < 3; ++again) {
      const Evaluation& evaluation = evaluator.Run();
      ASSERT_TRUE(evaluation.ok()) << second;
      EXPECT_TRUE(evaluation.value().elements()[0].is_true());
      EXPECT_EQ(evaluation.value().elements()[1].is_true(), second == std::string("b+"));
      EXPECT_EQ(evaluation.fuel_left(), left) << second;
    }
  }
}

TEST(FuelTest, DigitsArePaidFor) {
  Scope scope(1'000);
  // A key, a branch, a part of a text: 100,000 digits each.
  for (const char* const digits :
       {"{(1e99999 + length(list) - 1000) = 1}", "\"a${1e99999 + length(list) - 1000}\"",
        "length(list) > 1 ? 1e99999 + length(list) - 1000 : words", "coalesce(1e99999 + length(list) - 1000, words)"}) {
    EXPECT_GT(scope.Units(digits), 10'000u) << digits;
  }
  EXPECT_GT(scope.Units("(1e99999 + length(list) - 1000) % (1e150 + length(list))"), 500u);
  EXPECT_GT(scope.Units("\"${substr(words, 0, 0)}${1e999 + length(list) - 1000}\" % 7"), 200u);
}

TEST(FuelTest, FailuresArePaidFor) {
  Scope scope(1'000);
  EXPECT_GT(scope.Units("[for y in kinds : kinds.role]", true), 600u);
  EXPECT_GT(scope.Units("max(list...)", true), 4'000u);
  EXPECT_GT(scope.Units("coalesce(kinds...)"), 300u);
}

TEST(FuelTest, FormatsPayForWidthsAndPieces) {
  Scope scope(1'000);
  EXPECT_GT(scope.Units("format(\"%.${999 * length(list)}f\", 1)"), 100'000u);
  EXPECT_GT(scope.Units("length(format(replace(words, \"ab\", \"%%\"))) == 0", true), 100u);
}

}  // namespace
}  // namespace hcl
