// Tests of the texts of numbers: which are numbers, in each syntax.

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace {

struct ParseRow {
  const char* text;
  const char* literal;  // the plain form, or the error: "syntax"
  const char* spec;
  const char* reference;
  const char* json;
};

TEST(NumberTextTest, SyntaxesDiffer) {
  const char* no = "syntax";
  const ParseRow rows[] = {
      {"0", "0", "0", "0", "0"},
      {"007", "7", "7", "7", no},
      {"-12.50", no, "-12.5", "-12.5", "-12.5"},
      {"+1", no, no, "1", no},
      {"1e3", "1000", no, "1000", "1000"},
      {"1E-2", "0.01", no, "0.01", "0.01"},
      {"1e+2", "100", no, "100", "100"},
      {".5", no, no, "0.5", no},
      {"1.", no, no, "1", no},
      {".", no, no, no, no},
      {"", no, no, no, no},
      {"-", no, no, no, no},
      {" 1", no, no, no, no},
      {"1 ", no, no, no, no},
      {"1e", no, no, no, no},
      {"1p3", no, no, "8", no},
      {"3p-1", no, no, "1.5", no},
      {"0x10", no, no, no, no},
      {"1_000", no, no, no, no},
      {"inf", no, no, "Inf", no},
      {"-Inf", no, no, "-Inf", no},
      {"+inf", no, no, "Inf", no},
      {"INF", no, no, no, no},
      {"nan", no, no, no, no},
      {"-0", no, "0", "0", "0"},
      {"9223372036854775808", "9223372036854775808", "9223372036854775808", "9223372036854775808",
       "9223372036854775808"},
  };
  for (const ParseRow& row : rows) {
    const char* wants[] = {row.literal, row.spec, row.reference, row.json};
    NumberSyntax syntaxes[] = {NumberSyntax::kLiteral, NumberSyntax::kSpec, NumberSyntax::kReference,
                               NumberSyntax::kJson};
    for (int i = 0; i < 4; ++i) {
      Arena arena;
      NumberError error;
      Number number = Number::Parse(row.text, syntaxes[i], Limits(), &arena, &error);
      std::string got = error == NumberError::kNone ? number.ToString() : no;
      EXPECT_EQ(got, wants[i]) << row.text << " in syntax " << i;
    }
  }
}

}  // namespace
}  // namespace hcl
