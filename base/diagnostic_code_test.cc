#include "hclvm/base/diagnostic_code.h"

#include <optional>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(DiagnosticCodeTest, HasATextAndASummary) {
  EXPECT_EQ(static_cast<int>(DiagnosticCode::kUnsupportedAttribute), 4301);
  EXPECT_EQ(CodeText(DiagnosticCode::kUnsupportedAttribute), "HCL4301");
  EXPECT_EQ(SummaryOf(DiagnosticCode::kUnsupportedAttribute), "Unsupported attribute");
  EXPECT_EQ(SummaryOf(DiagnosticCode::kInvalidCharacterEncoding), "Invalid character encoding");
  EXPECT_EQ(SummaryOf(DiagnosticCode::kWritingInterrupted), "Writing interrupted");
}

TEST(DiagnosticCodeTest, PutsNamesIntoTheSummary) {
  const struct {
    std::string summary;
    std::string want;
  } kCases[] = {
      {SummaryOf(DiagnosticCode::kUnknownVariable, {}), "Unknown variable"},
      {SummaryOf(DiagnosticCode::kMissingBlock, {"rule"}), "Missing rule block"},
      {SummaryOf(DiagnosticCode::kMissingBlock, {""}), "Missing  block"},
      {SummaryOf(DiagnosticCode::kMissingBlock, {"..."}), "Missing ... block"},
      {SummaryOf(DiagnosticCode::kUnexpectedBlock, {"rule"}), "Unexpected \"rule\" block"},
      {SummaryOf(DiagnosticCode::kMissingLabel, {"name", "rule"}), "Missing name for rule"},
      {SummaryOf(DiagnosticCode::kExtraLabel, {"rule"}), "Extraneous label for rule"},
  };
  for (const auto& test : kCases) EXPECT_EQ(test.summary, test.want);
}

TEST(DiagnosticCodeTest, IsFoundByItsText) {
  std::set<std::string> texts;
  for (const DiagnosticCode code : kDiagnosticCodes) {
    EXPECT_EQ(FindDiagnosticCode(CodeText(code)), code);
    EXPECT_TRUE(texts.insert(CodeText(code)).second) << CodeText(code);
  }
  for (const char* text : {"", "HCL", "HCL0", "HCL4300", "4301", "hcl4301", "HCL04301", "HCL43010"}) {
    EXPECT_EQ(FindDiagnosticCode(text), std::nullopt) << text;
  }
}

// The number says what a host wants to know first.
TEST(DiagnosticCodeTest, NumbersTellWarningsAndLimits) {
  for (const DiagnosticCode code : kDiagnosticCodes) {
    const char thousands = CodeText(code)[3];
    EXPECT_EQ(SeverityOf(code) == Severity::kWarning, thousands == '8') << CodeText(code);
    EXPECT_EQ(IsLimit(code), thousands == '9') << CodeText(code);
  }
}

// A summary is a phrase, as Diagnostic::summary says.
TEST(DiagnosticCodeTest, SummariesArePhrases) {
  for (const DiagnosticCode code : kDiagnosticCodes) {
    const std::string summary(SummaryOf(code));
    ASSERT_FALSE(summary.empty()) << CodeText(code);
    EXPECT_TRUE(summary[0] >= 'A' && summary[0] <= 'Z') << summary;
    EXPECT_TRUE(summary.back() != '.' || summary.substr(summary.size() - 3) == "...") << summary;
    EXPECT_EQ(summary.find('\n'), std::string::npos) << summary;
  }
}

}  // namespace
}  // namespace hcl
