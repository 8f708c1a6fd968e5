// JSON of hcldec, by text.

#include "hclvm/cmd/hcldec/decode_output.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {
namespace {

std::string Decoded(const std::string& typed, const DecodeFormat& format) {
  Heap heap;
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().ReadTyped(typed, &heap, &value, &error)) << error.detail;
  std::string out, reason;
  return AppendDecoded(value, format, &heap, &out, &reason) ? out : "!" + reason;
}

TEST(DecodeOutput, Values) {
  const std::string object =
      R"({"type":["object",{"a":"string","b":["list","number"]}],"value":{"a":null,"b":[1,null]}})";
  EXPECT_EQ(Decoded(object, {false, false}), "{\"b\":[1,null]}\n");
  EXPECT_EQ(Decoded(object, {false, true}), "{\"a\":null,\"b\":[1,null]}\n");
  EXPECT_EQ(Decoded(object, {true, false}),
            "{\"type\":[\"object\",{\"a\":\"string\",\"b\":[\"list\",\"number\"]}],\"value\":{\"b\":[1,null]}}\n");
  EXPECT_EQ(Decoded(R"({"type":"string","value":null})", {false, false}), "null\n");
  EXPECT_EQ(Decoded(R"({"type":"dynamic","value":null})", {true, true}), "null\n");
  EXPECT_EQ(Decoded(R"({"type":"string","value":null})", {true, false}), "{\"type\":\"string\"}\n");
  EXPECT_EQ(Decoded(R"({"type":"string","value":"<&>\u2028"})", {false, false}), "\"\\u003c\\u0026\\u003e\\u2028\"\n");
  EXPECT_EQ(Decoded(R"({"type":"string","value":{"$unknown":"string"}})", {false, false}), "!the value is not known");
}

TEST(DecodeOutput, Indentation) {
  EXPECT_EQ(Indent(R"({"a":[],"b":{},"c":[1,"x:\",{"]})"),
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    \"x:\\\",{\"\n  ]\n}");
}

TEST(DecodeOutput, Messages) {
  EXPECT_EQ(DiagnosticsDocument(Diagnostics()), "");
  Diagnostics diagnostics;
  Diagnostic diagnostic(DiagnosticCode::kUnknownVariable);
  diagnostic.detail = "D <";
  diagnostics.Add(diagnostic);
  EXPECT_EQ(DiagnosticsDocument(diagnostics),
            "{\n  \"diagnostics\": [\n    {\n      \"severity\": \"error\",\n      \"code\": \"HCL3001\",\n"
            "      \"summary\": \"Unknown variable\",\n      \"detail\": \"D \\u003c\"\n    }\n  ]\n}\n");
  EXPECT_EQ(ReferencesDocument({}, {}), "[]\n");
}

}  // namespace
}  // namespace hcl::cmd
