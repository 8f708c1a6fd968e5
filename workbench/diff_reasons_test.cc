// ExplainGroups: both sides of the example of a group.

#include "hclvm/workbench/diff_reasons.h"

#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_diff.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(std::string_view text, bool records) {
  Diagnostics diagnostics;
  const CompileOptions options;
  return CompileConfig(std::make_shared<const Source>("p.hcl", std::string(text)),
                       records ? RecordingOptions(options) : options, &diagnostics);
}

DiffedVersion Version(std::string_view text) {
  DiffedVersion version;
  version.program = Compile(text, /*records=*/false);
  version.recording = Compile(text, /*records=*/true);
  return version;
}

TEST(DiffReasonsTest, BothSides) {
  const char* const before = "a = n > 1 && m";
  const char* const after = "a = n > 5 && m";
  const DiffedVersion old_version = Version(before);
  const DiffedVersion new_version = Version(after);
  const ComparedEntries entries = CompareEntries(*old_version.program, *new_version.program, {});
  RequestDiff diff(old_version, new_version, &entries, RequestDiffOptions());
  diff.Add(R"({"n":3,"m":true})", 1, /*is_cut=*/false);
  DiffCounts& counts = diff.counts();
  ASSERT_EQ(counts.entries[0].groups.size(), 1);
  ExplainGroups(old_version, new_version, entries, RequestDiffOptions(), /*max_groups=*/5, &counts);
  const DiffGroup& group = counts.entries[0].groups.begin()->second;
  EXPECT_NE(group.why_after.find("n > 5"), std::string::npos) << group.why_after;
  EXPECT_EQ(group.why_after.find("m = "), std::string::npos) << group.why_after;
  EXPECT_NE(group.why_before, group.why_after);
  // Groups beyond are left as they are.
  DiffGroup& first = counts.entries[0].groups.begin()->second;
  first.why_before.clear();
  ExplainGroups(old_version, new_version, entries, RequestDiffOptions(), /*max_groups=*/0, &counts);
  EXPECT_EQ(first.why_before, "");
}

}  // namespace
}  // namespace hcl::internal
