// What is known of unknown results: source to typed JSON with refinements. Variables as in tests/language_test.cc.

#include <string>

#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/support/harness.h"

namespace hcl {
namespace {

using testing_support::Harness;

// `{"$unknown":T,"refinement":{F}}`.
std::string Unknown(const std::string& type, const std::string& facts) {
  return "{\"$unknown\":" + type + (facts.empty() ? "" : ",\"refinement\":{" + facts + "}") + "}";
}

TEST(UnknownTest, Refinements) {
  Harness optimized;
  optimized.set_refinements(true);
  CompileOptions options;
  options.optimize = false;
  Harness plain(options);
  plain.set_refinements(true);
  const std::string kNotNull = "\"not_null\":true";
  const std::string number = "\"number\"", text = "\"string\"", boolean = "\"bool\"";
  const struct {
    const char* source;
    std::string want;
  } kRows[] = {
      {"un", Unknown(number, "")},
      {"un + 1", Unknown(number, kNotNull)},
      {"-un", Unknown(number, kNotNull)},
      {"un < 1", Unknown(boolean, kNotNull)},
      {"un == 1", Unknown(boolean, kNotNull)},
      {"!ub", Unknown(boolean, kNotNull)},
      {"ub && true", Unknown(boolean, kNotNull)},
      {"un == null", Unknown(boolean, kNotNull)},
      {"(un + 1) == null", "false"},
      {"null != (un + 1)", "true"},
      {"(un < 1) == null", "false"},
      {"\"arn:${ust}\"", Unknown(text, kNotNull + ",\"prefix\":\"arn:\"")},
      {"\"arn:${ust}:x\"", Unknown(text, kNotNull + ",\"prefix\":\"arn:\"")},
      {"\"a-${s}${ust}\"", Unknown(text, kNotNull + ",\"prefix\":\"a-hell\"")},
      {"\"${\"arn:${ust}\"}-${ust}\"", Unknown(text, kNotNull + ",\"prefix\":\"arn:\"")},
      // Also where a branch of what is joined is not known: the text within is not joined to that around it.
      {"\"null${\"a${ust}\"}\"", Unknown(text, kNotNull + ",\"prefix\":\"nul\"")},
      {"\"null${\"a%{ if i > 0 }${ust}%{ endif }\"}\"", Unknown(text, kNotNull + ",\"prefix\":\"nul\"")},
      {"\"null${\"a%{ if i > 0 }${i > 1 ? \"${ust}\" : s}%{ endif }\"}\"",
       Unknown(text, kNotNull + ",\"prefix\":\"nul\"")},
      {"\"arn:${ust}\" == \"x\"", "false"},
      {"\"arn:${ust}\" == \"arn:x\"", Unknown(boolean, kNotNull)},
      {"\"arn:${ust}\" == null", "false"},
      {"ub ? 1 : 5", Unknown(number, kNotNull)},
      {"ub ? i : 5", Unknown(number, kNotNull + ",\"min\":5,\"max\":7")},
      {"ub ? i : null", Unknown(number, "")},
      {"(ub ? i : 5) + 1", Unknown(number, kNotNull + ",\"min\":6,\"max\":8")},
      {"(ub ? i : 5) * -2", Unknown(number, kNotNull + ",\"min\":-14,\"max\":-10")},
      {"10 - (ub ? i : 5)", Unknown(number, kNotNull + ",\"min\":3,\"max\":5")},
      {"(ub ? i : 5) > 4", "true"},
      {"(ub ? i : 5) >= 8", "false"},
      {"(ub ? i : 5) > 5", Unknown(boolean, kNotNull)},
      {"(ub ? i : 5) == 9", "false"},
      {"ub ? \"aws-${s}\" : \"aws-${t}\"", Unknown(text, kNotNull)},
      {"ub ? ls : le", Unknown("[\"list\",\"string\"]", kNotNull + ",\"max_length\":3")},
      {"ub ? ls : ls", Unknown("[\"list\",\"string\"]", kNotNull + ",\"min_length\":3,\"max_length\":3")},
      {"(ub ? ls : ls)[*]", Unknown("[\"list\",\"string\"]", kNotNull + ",\"min_length\":3,\"max_length\":3")},
      {"length(ul)", Unknown(number, kNotNull + ",\"min\":0")},
      {"length(ul) >= 0", "true"},
      {"length(ub ? ls : le) < 4", "true"},
      {"upper(ust)", Unknown(text, kNotNull)},
      {"upper(ust) == null", "false"},
      {"tostring(un)", Unknown(text, "")},
      {"dyn", Unknown("\"dynamic\"", "")},
      {"dyn + 1", Unknown(number, kNotNull)},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(optimized.Eval(row.source), row.want) << row.source;
    // Where only one branch is looked at there are fewer facts, never other ones.
    if (optimized.Eval(row.source).find("unknown") == std::string::npos) {
      EXPECT_EQ(plain.Eval(row.source), row.want) << row.source;
    }
  }
}

}  // namespace
}  // namespace hcl
