// Findings that say the same are told once.

#include "hclvm/cmd/hclvm/equal_findings.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl::cmd {
namespace {

const Source& Lines() {
  static const Source* const source = new Source("a.hcl", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  return *source;
}

Diagnostic On(uint32_t line, std::string detail) {
  Diagnostic diagnostic(DiagnosticCode::kMayBeNull);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = SourceRange{2 * line - 2, 2 * line - 1};
  diagnostic.source = &Lines();
  return diagnostic;
}

TEST(EqualFindingsTest, DropsWhatIsEqualInAll) {
  std::vector<Diagnostic> findings = {On(1, "a"), On(2, "a"), On(1, "a"), On(1, "b"), On(2, "a")};
  DropRepeated(&findings);
  ASSERT_EQ(findings.size(), 3);
  EXPECT_EQ(findings[0].detail, "a");
  EXPECT_EQ(findings[1].subject->begin, 2);
  EXPECT_EQ(findings[2].detail, "b");
}

TEST(EqualFindingsTest, NamesTheLinesOfTheOthers) {
  const auto details = [](const std::vector<Diagnostic>& findings) {
    std::string text;
    for (const Diagnostic& finding : Grouped(findings)) text += finding.detail + "|";
    return text;
  };
  EXPECT_EQ(details({On(1, "a."), On(2, "b.")}), "a.|b.|");
  EXPECT_EQ(details({On(1, "a."), On(2, "b."), On(3, "a.")}), "a. The same is found on line 3.|b.|");
  EXPECT_EQ(details({On(1, "a."), On(2, "a."), On(3, "a.")}), "a. The same is found on lines 2 and 3.|");
  std::vector<Diagnostic> many;
  for (uint32_t line = 1; line <= 9; ++line) many.push_back(On(line, "a."));
  EXPECT_EQ(details(many), "a. The same is found on lines 2, 3, 4, 5, 6 and in 3 more places.|");
}

}  // namespace
}  // namespace hcl::cmd
