#include "vm/functions/encoding_functions.h"

#include "gtest/gtest.h"
#include "vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(EncodingFunctionsTest, JsonEncode) {
  CheckFunctionCases({
      {"jsonencode", R"([{"b": [1, null, true], "a": "x"}])", R"("string" "{\"a\":\"x\",\"b\":[1,null,true]}")"},
      {"jsonencode", R"(["<a&b>\u2028\n"])", R"("string" "\"\\u003ca\\u0026b\\u003e\\u2028\\n\"")"},
      {"jsonencode", "[null]", R"("string" "null")"},
      {"jsonencode", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"("string" {"$unknown":"string"})"},
      {"jsonencode", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])", R"("string" {"$unknown":"string"})"},
      {"jsonencode", R"([{"type": "number", "value": {"$number": "+Inf"}}])", "error: JSON has no infinity"},
  });
}

}  // namespace
}  // namespace hcl
