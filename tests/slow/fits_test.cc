// Which answers for unknown and for real input go together: typed JSON on both sides.

#include "hclvm/tests/slow/fits.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

class FitsTest : public testing::Test {
 protected:
  Value Read(const std::string& type, const std::string& value) {
    Value result;
    JsonError error;
    EXPECT_TRUE(reader_.ReadTyped("{\"type\":" + type + ",\"value\":" + value + "}", &heap_, &result, &error))
        << type << " " << value << ": " << error.summary;
    return result;
  }

  Heap heap_;
  JsonReader reader_;
};

TEST_F(FitsTest, Fits) {
  const std::string number = "\"number\"", text = "\"string\"", any = "\"dynamic\"";
  const std::string numbers = R"(["list","number"])", set = R"(["set","number"])";
  const std::string un = R"({"$unknown":"number"})", dyn = R"({"$unknown":"dynamic"})";
  const struct {
    std::string type, earlier, real_type, real;
    bool want;
  } kRows[] = {
      {number, "1", number, "1", true},
      {number, "1", number, "2", false},
      {number, "1", text, "\"1\"", false},
      {number, un, number, "1", true},
      {number, un, number, "null", true},
      {number, un, text, "\"1\"", false},
      {number, un, number, un, true},
      {any, dyn, numbers, "[1]", true},
      {number, un, any, dyn, true},
      {number, "1", any, dyn, false},
      {numbers, "[1," + un + "]", numbers, "[1,2]", true},
      {numbers, "[1," + un + "]", numbers, "[2,2]", false},
      {numbers, "[1," + un + "]", numbers, "[1]", false},
      {set, "[1," + un + "]", set, "[1]", true},
      {set, "[1," + un + "]", set, "[1,2]", true},
      {set, "[1," + un + "]", set, "[2]", false},
      {set, "[1," + un + "]", set, "[1,2,3]", false},
      {R"(["tuple",["number","dynamic"]])", "[1," + dyn + "]", R"(["tuple",["number","string"]])", "[1,\"x\"]", true},
      {R"(["tuple",["number","dynamic"]])", "[1," + dyn + "]", R"(["tuple",["string","string"]])", "[\"1\",\"x\"]",
       false},
      {R"(["object",{"a":"number"}])", "{\"a\":" + un + "}", R"(["object",{"a":"number"}])", R"({"a":1})", true},
      {R"(["object",{"a":"number"}])", "{\"a\":" + un + "}", R"(["object",{"b":"number"}])", R"({"b":1})", false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Fits(Read(row.type, row.earlier), Read(row.real_type, row.real), heap_.types()), row.want)
        << row.earlier << " " << row.real;
  }
}

TEST_F(FitsTest, Refinements) {
  Refinement refinement;
  refinement.type = Type::Number();
  refinement.not_null = true;
  refinement.min = NumberBound{Value::Int(2).AsNumber(), true};
  const Value unknown = RefinedUnknown(refinement, heap_.arena());
  EXPECT_TRUE(Fits(unknown, Value::Int(2), heap_.types()));
  EXPECT_FALSE(Fits(unknown, Value::Int(1), heap_.types()));
  EXPECT_FALSE(Fits(unknown, Value::Null(Type::Number()), heap_.types()));
}

}  // namespace
}  // namespace hcl::testing_support
