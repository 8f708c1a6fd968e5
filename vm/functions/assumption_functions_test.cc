#include "hclvm/vm/functions/assumption_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

// JSON of an unknown value of a type, with what is known of it.
std::string Unknown(const std::string& type, const std::string& known = "") {
  const std::string refinement = known.empty() ? "" : ", \"refinement\": {" + known + "}";
  return "{\"type\": " + type + ", \"value\": {\"$unknown\": " + type + refinement + "}}";
}

constexpr char kString[] = "\"string\"";
constexpr char kList[] = "[\"list\", \"string\"]";
constexpr char kMap[] = "[\"map\", \"number\"]";
constexpr char kSet[] = "[\"set\", \"string\"]";
constexpr char kNotMet[] = "error in argument 0: the value does not meet the assumption";

void Expect(const char* name, const std::string& arguments, const char* want) {
  EXPECT_EQ(CallForTest(name, "[" + arguments + "]"), want) << name << " " << arguments;
}

TEST(AssumptionFunctionsTest, NotNull) {
  Expect("assumenotnull", "\"a\"", R"("string" "a")");
  Expect("assumenotnull", "[null]", R"(["tuple",["dynamic"]] [null])");
  Expect("assumenotnull", "null", kNotMet);
  Expect("assumenotnull", R"({"type": "string", "value": null})", kNotMet);
  Expect("assumenotnull", Unknown(kList, "\"min_length\": 2"),
         R"(["list","string"] {"$unknown":["list","string"],"refinement":{"not_null":true,"min_length":2}})");
  Expect("assumenotnull", Unknown("\"dynamic\""), R"("dynamic" {"$unknown":"dynamic"})");
}

TEST(AssumptionFunctionsTest, StringPrefix) {
  Expect("assumestringprefix", R"("subnet-1", "subnet-")", R"("string" "subnet-1")");
  Expect("assumestringprefix", R"("subnet-", "subnet-")", R"("string" "subnet-")");
  Expect("assumestringprefix", R"("subnet", "subnet-")", kNotMet);
  Expect("assumestringprefix", R"(12, "1")", R"("string" "12")");
  Expect("assumestringprefix", R"({"type": "string", "value": null}, "a-")", R"("string" null)");
  const std::string known = R"(, "subnet-")";
  Expect("assumestringprefix", Unknown(kString) + known,
         R"("string" {"$unknown":"string","refinement":{"not_null":false,"prefix":"subnet-"}})");
  Expect("assumestringprefix", Unknown("\"dynamic\"") + known,
         R"("string" {"$unknown":"string","refinement":{"not_null":false,"prefix":"subnet-"}})");
  // A combining character may follow the last letter.
  Expect("assumestringprefix", Unknown(kString) + R"(, "foo")",
         R"("string" {"$unknown":"string","refinement":{"not_null":false,"prefix":"fo"}})");
  Expect("assumestringprefix", Unknown(kString, "\"prefix\": \"subnet-1-\", \"not_null\": true") + known,
         R"("string" {"$unknown":"string","refinement":{"not_null":true,"prefix":"subnet-1-"}})");
  Expect("assumestringprefix", Unknown(kString, "\"prefix\": \"vpc-\"") + known, kNotMet);
  // The prefix is not known, and so whether the text has it is not.
  Expect("assumestringprefix", "\"a\", " + Unknown(kString), R"("string" {"$unknown":"string"})");
  Expect("assumestringprefix", "\"a\", null", "error in argument 1: the argument must not be null");
}

TEST(AssumptionFunctionsTest, Lengths) {
  Expect("assumelistlength", "[\"a\"], 0, 1", R"(["list","string"] ["a"])");
  Expect("assumelistlength", "[\"a\"], 2, 3", kNotMet);
  Expect("assumelistlength", "[\"a\", \"b\"], 0, 1", kNotMet);
  Expect("assumelistlengthmin", "[\"a\"], 1", R"(["list","string"] ["a"])");
  Expect("assumelistlengthmin", "[\"a\"], 2", kNotMet);
  Expect("assumelistlengthmax", "[\"a\"], 1", R"(["list","string"] ["a"])");
  Expect("assumelistlengthmax", "[\"a\"], 0", kNotMet);
  Expect("assumemaplength", "{\"a\": 1}, 1, 1", R"(["map","number"] {"a":1})");
  Expect("assumemaplengthmin", "{\"a\": 1}, 2", kNotMet);
  Expect("assumemaplengthmax", "{\"a\": 1}, 0", kNotMet);
  Expect("assumesetlength", "[\"a\", \"a\"], 1, 1", R"(["set","string"] ["a"])");
  Expect("assumesetlengthmin", "[\"a\", \"a\"], 2", kNotMet);
  Expect("assumesetlengthmax", "[\"a\", \"b\"], 1", kNotMet);
  Expect("assumelistlength", R"({"type": ["list", "string"], "value": null}, 1, 1)", R"(["list","string"] null)");
  Expect(
      "assumelistlength", Unknown(kList) + ", 1, 3",
      R"(["list","string"] {"$unknown":["list","string"],"refinement":{"not_null":false,"min_length":1,"max_length":3}})");
  Expect(
      "assumelistlengthmin", Unknown(kList, "\"min_length\": 2, \"max_length\": 5") + ", 1",
      R"(["list","string"] {"$unknown":["list","string"],"refinement":{"not_null":false,"min_length":2,"max_length":5}})");
  Expect(
      "assumelistlengthmax", Unknown(kList, "\"min_length\": 2, \"max_length\": 5") + ", 4",
      R"(["list","string"] {"$unknown":["list","string"],"refinement":{"not_null":false,"min_length":2,"max_length":4}})");
  Expect("assumelistlengthmax", Unknown(kList, "\"min_length\": 2") + ", 1", kNotMet);
  Expect("assumemaplengthmin", Unknown(kMap) + ", 1",
         R"(["map","number"] {"$unknown":["map","number"],"refinement":{"not_null":false,"min_length":1}})");
  Expect("assumesetlengthmax", Unknown(kSet) + ", 1",
         R"(["set","string"] {"$unknown":["set","string"],"refinement":{"not_null":false,"max_length":1}})");
  // Unknown elements of a set may be equal, those of a list count.
  const std::string set = R"({"type": ["set", "string"], "value": ["a", {"$unknown": "string"}]})";
  EXPECT_EQ(CallForTest("assumesetlengthmax", "[" + set + ", 1]").rfind("[\"set\"", 0), 0u);
  EXPECT_EQ(CallForTest("assumesetlengthmin", "[" + set + ", 3]"), kNotMet);
}

TEST(AssumptionFunctionsTest, WrongLengths) {
  for (const char* number : {"-1", "0.5", "1e30"}) {
    Expect("assumelistlengthmin", std::string("[], ") + number,
           "error in argument 1: the minimum must be a whole number, and not negative");
    Expect("assumesetlengthmax", std::string("[], ") + number,
           "error in argument 1: the maximum must be a whole number, and not negative");
    Expect("assumemaplength", std::string("{}, 0, ") + number,
           "error in argument 2: the maximum must be a whole number, and not negative");
  }
  Expect("assumelistlength", "[], 2, 1", "error in argument 2: the maximum must not be under the minimum");
  EXPECT_EQ(CallForTest("assumelistlength", "[\"a\", 0, 1]").rfind("no conversion of argument 0: ", 0), 0u);
}

TEST(AssumptionFunctionsTest, Equal) {
  constexpr char kOther[] = "error in argument 0: the value is not the one that is assumed";
  Expect("assumeequal", "\"a\", \"a\"", R"("string" "a")");
  Expect("assumeequal", "\"a\", \"b\"", kOther);
  Expect("assumeequal", Unknown(kString) + ", \"a\"", R"("string" "a")");
  Expect("assumeequal", Unknown(kString, "\"not_null\": true") + R"(, {"type": "string", "value": null})", kOther);
  Expect("assumeequal", "\"a\", " + Unknown(kString), R"("string" {"$unknown":"string"})");
  Expect("assumeequal", Unknown("\"dynamic\"") + ", [1]", R"(["tuple",["number"]] [1])");
  Expect("assumeequal", R"([1], {"type": ["list", "number"], "value": [1]})", R"(["list","number"] [1])");
  Expect("assumeequal", "1, \"1\"", R"("string" "1")");
  Expect("assumeequal", "null, null", R"("dynamic" null)");
  Expect("assumeequal", "1, null", kOther);
  EXPECT_EQ(CallForTest("assumeequal", "[[1], 1]").rfind("error in argument 0: ", 0), 0u);
}

}  // namespace
}  // namespace hcl
