// What SARIF says of findings.

#include "hclvm/cmd/hclvm/sarif.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl::cmd {
namespace {

Diagnostic FindingAt(DiagnosticCode code, SourceRange range, const Source& source) {
  Diagnostic finding(code);
  finding.detail = "Say \"why\".";
  finding.subject = range;
  finding.source = &source;
  return finding;
}

// The part of `text` from `begin` to the first `end` behind it.
std::string Part(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t at = text.find(begin);
  return at == std::string::npos ? "" : text.substr(at, text.find(end, at) - at);
}

TEST(SarifTest, HasRulesResultsAndPlaces) {
  const Source source("./a dir/p.hcl", "x = 1\ny = nme\n");
  const std::string sarif = ToSarif({FindingAt(DiagnosticCode::kUndeclaredVariable, {10, 13}, source),
                                     FindingAt(DiagnosticCode::kUnused, {0, 1}, source)});
  EXPECT_NE(sarif.find("\"rules\":[{\"id\":\"HCL3101\",\"shortDescription\":{\"text\":\"Undeclared variable\"}},"
                       "{\"id\":\"HCL8005\",\"shortDescription\":{\"text\":\"Not used\"}}]"),
            std::string::npos);
  EXPECT_EQ(Part(sarif, "{\"ruleId\"", ",\"partial"),
            "{\"ruleId\":\"HCL3101\",\"level\":\"error\",\"message\":{\"text\":\"Undeclared variable. Say "
            "\\\"why\\\".\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"a%20dir/p.hcl\"},"
            "\"region\":{\"startLine\":2,\"startColumn\":5,\"endLine\":2,\"endColumn\":8}}}]");
  EXPECT_NE(sarif.find("{\"ruleId\":\"HCL8005\",\"level\":\"warning\""), std::string::npos);
  EXPECT_EQ(ToSarif({}).find("\"results\":[]}]}\n"), ToSarif({}).size() - 16);
}

// As people count it, the letter with its accent is one character.
TEST(SarifTest, CountsCodePoints) {
  const Source source("p.hcl", "\xEF\xBB\xBFx = \"e\u0301\u4E16\" + nme\n");
  const auto at = static_cast<uint32_t>(source.text().find("nme"));
  const std::string sarif = ToSarif({FindingAt(DiagnosticCode::kUndeclaredVariable, {at, at + 3}, source)});
  EXPECT_NE(sarif.find("\"columnKind\":\"unicodeCodePoints\""), std::string::npos);
  EXPECT_EQ(Part(sarif, "\"startLine\"", "}"), "\"startLine\":1,\"startColumn\":13,\"endLine\":1,\"endColumn\":16");
}

TEST(SarifTest, PathsAreRelative) {
  const auto uri = [](const std::string& name, const std::string& folder) {
    const Source source(name, "x = nme\n");
    return Part(ToSarif({FindingAt(DiagnosticCode::kUndeclaredVariable, {4, 7}, source)}, 0, folder), "\"uri\":", "}");
  };
  EXPECT_EQ(uri("/work/a/p.hcl", "/work"), "\"uri\":\"a/p.hcl\"");
  EXPECT_EQ(uri("/worker/p.hcl", "/work"), "\"uri\":\"file:///worker/p.hcl\"");
  EXPECT_EQ(uri("/work", "/work"), "\"uri\":\"file:///work\"");
  EXPECT_EQ(uri("/p.hcl", ""), "\"uri\":\"file:///p.hcl\"");
  EXPECT_EQ(uri("../p.hcl", "/work"), "\"uri\":\"../p.hcl\"");
}

// What is not there is said to be missing.
TEST(SarifTest, SaysHowManyWereLeftOut) {
  const Source source("p.hcl", "x = nme\n");
  const Diagnostic finding = FindingAt(DiagnosticCode::kUndeclaredVariable, {4, 7}, source);
  const auto note = [](const std::string& sarif) { return Part(sarif, "\"toolExecutionNotifications\"", "],"); };
  EXPECT_EQ(note(ToSarif({finding})), "");
  EXPECT_EQ(note(ToSarif({finding}, 1)),
            "\"toolExecutionNotifications\":[{\"level\":\"warning\",\"message\":{\"text\":\"1 more was left out\"}}]}");
  const std::string many = ToSarif(std::vector<Diagnostic>(25'003, finding), 4);
  EXPECT_NE(note(many).find("7 more were left out"), std::string::npos);
}

// Lines that are added elsewhere change no fingerprint; equal findings have fingerprints of their own.
TEST(SarifTest, FingerprintsStay) {
  const auto prints = [](const std::string& text) {
    const Source source("p.hcl", text);
    std::vector<Diagnostic> findings;
    for (size_t at = text.find("nme"); at != std::string::npos; at = text.find("nme", at + 1)) {
      const auto begin = static_cast<uint32_t>(at);
      findings.push_back(FindingAt(DiagnosticCode::kUndeclaredVariable, {begin, begin + 3}, source));
    }
    const std::string sarif = ToSarif(findings);
    std::vector<std::string> all;
    for (size_t at = sarif.find("hclvm/v1"); at != std::string::npos; at = sarif.find("hclvm/v1", at + 1)) {
      all.push_back(sarif.substr(at, 32));
    }
    return all;
  };
  const std::vector<std::string> before = prints("y = nme + nme\n");
  ASSERT_EQ(before.size(), 2u);
  EXPECT_NE(before[0], before[1]);
  EXPECT_EQ(prints("x = 1\n\ny = nme + nme\n"), before);
  EXPECT_NE(prints("z = nme\n")[0], before[0]);
}

}  // namespace
}  // namespace hcl::cmd
