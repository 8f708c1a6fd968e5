// Every code has its section.

#include "hclvm/cmd/hclvm/explain.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::cmd {
namespace {

TEST(ExplainTest, ExplainsEveryCode) {
  for (const DiagnosticCode code : kDiagnosticCodes) {
    const std::string text = ExplainCode(code);
    EXPECT_EQ(text.find(CodeText(code) + " "), 0u) << text;
    EXPECT_GT(text.size(), CodeText(code).size() + SummaryOf(code).size() + 40) << text;
    EXPECT_EQ(text.find("```"), std::string::npos) << text;
    EXPECT_EQ(text.find("\n## "), std::string::npos) << text;
    EXPECT_TRUE(text.back() == '\n' && text[text.size() - 2] != '\n') << text;
  }
}

TEST(ExplainTest, ShowsExamples) {
  EXPECT_EQ(
      ExplainCode(DiagnosticCode::kInvalidCharacterEncoding),
      "HCL1001 Invalid character encoding\n\n    a = \"Zürich\"    # saved in Latin-1\n\n"
      "The file is not UTF-8: the message points to the first byte that cannot be a part of it, mostly a letter with "
      "an accent\nthat was saved in an older encoding. Save the file as UTF-8.\n");
}

TEST(ExplainTest, KnowsCodes) {
  for (const char* code : {"HCL3201", "hcl3201", "3201", "HCL0000"}) EXPECT_TRUE(LooksLikeCode(code)) << code;
  for (const char* other : {"", "HCL", "HCL32011", "policies", "HCL320x", "./3201", "32 1"}) {
    EXPECT_FALSE(LooksLikeCode(other)) << other;
  }
}

}  // namespace
}  // namespace hcl::cmd
