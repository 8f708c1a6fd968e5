// What the two dialects answer differently, and what they answer alike but did not always: docs/language.md. Variables
// are those of tests/conformance/variables.json.

#include <string>

#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

using testing_support::Harness;

constexpr char kUnknownBool[] = R"({"$unknown":"bool"})";
constexpr char kUnknownNumber[] = R"({"$unknown":"number"})";
constexpr char kUnknownString[] = R"({"$unknown":"string"})";
constexpr char kDynamic[] = R"({"$unknown":"dynamic"})";

struct Row {
  const char* source;
  const char* spec;
  const char* hashicorp;
};

template <size_t N>
void Check(const Row (&rows)[N]) {
  for (const bool optimize : {true, false}) {
    for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
      CompileOptions options;
      options.dialect = dialect;
      options.optimize = optimize;
      Harness harness(options);
      for (const Row& row : rows) {
        const bool by_spec = dialect == Dialect::kSpec;
        EXPECT_EQ(harness.Eval(row.source), by_spec ? row.spec : row.hashicorp)
            << row.source << (by_spec ? " (spec" : " (hashicorp") << (optimize ? ")" : ", not optimized)");
      }
    }
  }
}

TEST(DialectsTest, AnUnknownSideBesideOneThatFails) {
  const Row kRows[] = {
      {"ub && [] > 1", kUnknownBool, kUnknownBool},
      {"ub || nullo.a == 1", kUnknownBool, kUnknownBool},
      {"[] > 1 && ub", kUnknownBool, "error 0-2 Invalid operand"},
      {"nosuch || ub", kUnknownBool, "error 0-6 Unknown variable"},
      {"dyn && nosuch", kUnknownBool, kUnknownBool},
      {"nosuch && ub && nosuch", kUnknownBool, "error 0-6 Unknown variable; error 16-22 Unknown variable"},
      {"ub && []", "error 6-8 Invalid operand", "error 6-8 Invalid operand"},
      {"ub && [] > 1 ? 1 : 2", kUnknownNumber, kUnknownNumber},
      // What is known for every value of an unknown one may be said, and nothing else.
      {"can(ub && [] > 1)", kUnknownBool, kUnknownBool},
      {"can([] > 1 && ub)", kUnknownBool, kUnknownBool},
      {"try([] > 1 || ub, 1)", kDynamic, kDynamic},
      {"try([for x in [1] : nosuch && ub], 1)", kDynamic, kDynamic},
      {"can([] > 1 && yes)", "false", "false"},
      {"false && [] > 1 && ub", "false", "false"},
  };
  Check(kRows);
}

TEST(DialectsTest, SplatsInSplats) {
  const Row kRows[] = {
      {"tolist([\"a\", null])[*][*]", "[[\"a\"],[]]", "error 19-25 Invalid nested splat expressions"},
      {"toset([\"a\", null])[*][*]", "[[\"a\"],[]]", "error 18-24 Invalid nested splat expressions"},
      {"tolist([\"a\", \"b\"])[*][*]", "[[\"a\"],[\"b\"]]", "[[\"a\"],[\"b\"]]"},
      {"tolist([[1], [2, 3]])[*][*]", "[[1],[2,3]]", "[[1],[2,3]]"},
      {"lu[*][*]", kDynamic, R"([[1],{"$unknown":["tuple",["number"]]},[3]])"},
      // What is known stays known, also where it is empty and of elements without a type.
      {"us[*].tags[*][*]", R"([[["x"],["y"]],[],[["z"]]])", "error 2-16 Invalid nested splat expressions"},
      {"tolist([un, un])[*][*]", kDynamic, R"([{"$unknown":"dynamic"},{"$unknown":"dynamic"}])"},
      {"ul[*][*]", kDynamic, R"({"$unknown":["list","dynamic"]})"},
      {"ul[*]", R"({"$unknown":["list","number"]})", R"({"$unknown":["list","number"]})"},
      // What is not null is one element.
      {"(un + 1)[*]", R"([{"$unknown":"number"}])", R"([{"$unknown":"number"}])"},
      {"un[*]", kDynamic, kDynamic},
  };
  Check(kRows);
}

TEST(DialectsTest, SetsWithUnknownElements) {
  const Row kRows[] = {
      {"[for x in toset([un, 1]) : 1]", kDynamic, "[1,1]"},
      {"[for x in toset([un]) : 1]", "[1]", "[1]"},
      {"toset([un, 1])[*]", R"({"$unknown":["list","number"]})", R"([1,{"$unknown":"number"}])"},
      {"\"%{for x in toset([un, 1])}a%{endfor}\"", kUnknownString, "\"aa\""},
      {"max(toset([un, 1])...)", kDynamic, kUnknownNumber},
      {"[for x in toset([un, 1]) : 1 if nosuch]", "error 32-38 Unknown variable", "error 32-38 Unknown variable"},
  };
  Check(kRows);
}

TEST(DialectsTest, TryWithAnExpandedList) {
  const Row kRows[] = {
      {"try(\"x\", nosuch, [1]...)", "\"x\"", "\"x\""},
      {"try(nosuch, 2, [1]...)", "2", "2"},
      {"try(nosuch, [3, 4]...)", "3", "3"},
      {"try(nosuch, []...)", "error 0-4 Error in function call", "error 0-4 Error in function call"},
      {"try(1, [2, 3]...)", "1", "1"},
      {"try([2, 3]...)", "2", "2"},
      // Without the list there is no call.
      {"try(1, nosuch...)", "error 7-13 Unknown variable", "error 7-13 Unknown variable"},
      {"try(1, nulll...)", "error 7-12 Invalid expanding argument value",
       "error 7-12 Invalid expanding argument value"},
      {"try(1, 5...)", "error 7-8 Invalid expanding argument value", "error 7-8 Invalid expanding argument value"},
      {"try(1, ul...)", kDynamic, kDynamic},
      {"try(1, un...)", "error 7-9 Invalid expanding argument value", "error 7-9 Invalid expanding argument value"},
  };
  Check(kRows);
}

TEST(DialectsTest, BranchesThatFail) {
  const Row kRows[] = {
      {"true ? {a = 1} : max([1], 2)", R"({"a":1})", R"({"a":1})"},
      {"false ? max([1], 2) : {a = 1}", R"({"a":1})", R"({"a":1})"},
      {"false ? {a = 1} : max([1], 2)", "error 22-23 Invalid function argument",
       "error 22-23 Invalid function argument"},
      {"true ? [1] : join(\",\", nul)", "[1]", "[1]"},
      {"ub ? null : null", "null", "null"},
      {"ub ? nulls : nulls", "null", "null"},
  };
  Check(kRows);
}

TEST(DialectsTest, Remainders) {
  const Row kRows[] = {
      {"i % 0", "error 0-5 Operation failed", "7"},
      {"0 % 0", "error 0-5 Operation failed", "0"},
      {"2.5 % (1 - n1)", "error 0-14 Operation failed", "2.5"},
      {"7 % (1 / 0)", "7", "7"},
      {"-7.5 % (-1 / 0)", "-7.5", "-7.5"},
      {"(1 / 0) % 7", "error 0-11 Operation failed", "error 0-11 Operation failed"},
  };
  Check(kRows);
}

TEST(DialectsTest, Functions) {
  const Row kRows[] = {
      {"contains([1], nulln)", "false", "false"},
      {"contains([1, null], null)", "true", "true"},
      {"contains(tolist([\"a\"]), nulls) || contains([\"a\"], nulls)", "false", "false"},
      {"!contains([1, 2, 3, 4, 5, 6, 7, 8, 9], nulln) && nulln != 1", "true", "true"},
      {"format(\"%s\", dyn)", kUnknownString, kUnknownString},
      {"formatlist(\"%s\", dyn)", R"({"$unknown":["list","string"]})", R"({"$unknown":["list","string"]})"},
      {"setintersection(ls, uset) == toset([])", "false", "false"},
      {"ul == tolist([])", "false", "false"},
      {"setproduct([], ut)", "[]", "[]"},
      {"setproduct([\"a\"], [null, 1])", R"([["a",null],["a",1]])", R"([["a",null],["a",1]])"},
      {"setproduct([\"a\"], [null, 1, true])", "error 18-19 Invalid function argument",
       "error 18-19 Invalid function argument"},
      {"setunion(toset([null]), [{}])", "[null,{}]", "error 0-9 Error in function call"},
      {"tolist(uset)", R"({"$unknown":["list","string"]})", R"({"$unknown":["list","string"]})"},
      {"toset(ul)", R"({"$unknown":["set","number"]})", R"({"$unknown":["set","number"]})"},
      {"tomap(um)", R"({"$unknown":["map","string"]})", R"({"$unknown":["map","string"]})"},
  };
  Check(kRows);
}

TEST(DialectsTest, ByteOrderMarks) {
  const Row kRows[] = {
      {"\xEF\xBB\xBFi + 1", "error 0-3 Byte order mark", "8"},
      {"\xEF\xBB\xBFnosuch", "error 0-3 Byte order mark", "error 3-9 Unknown variable"},
  };
  Check(kRows);
}

}  // namespace
}  // namespace hcl
