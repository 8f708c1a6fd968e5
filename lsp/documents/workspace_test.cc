#include "hclvm/lsp/documents/workspace.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::lsp {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr char kVariables[] = "variable \"user\" {\n  type = object({ name = string })\n}\n";

// What is found in the first of these files: the code, and the name of the file that it is in.
std::string FoundIn(const Files& texts, Settings settings = {}) {
  Workspace workspace;
  workspace.set_settings(std::move(settings));
  workspace.files()->set_root("/no/such");
  for (const auto& [name, text] : texts) {
    EXPECT_TRUE(workspace.files()->Open("file:///no/such/" + name, 1, text).ok());
  }
  const Project project = workspace.ProjectOf(workspace.files()->FindOpen("/no/such/" + texts[0].first)->file);
  std::string out;
  for (const Diagnostic& diagnostic : workspace.Check(project).found) {
    absl::StrAppend(&out, out.empty() ? "" : " ", CodeText(diagnostic.code), "@", diagnostic.source->name());
    EXPECT_NE(project.FileOf(diagnostic.source), nullptr);
  }
  return out;
}

TEST(WorkspaceTest, ChecksEachKindOfFile) {
  struct Case {
    Files files;
    std::string expected;
  };
  const Case cases[] = {
      {{{"a.hcl", "x = 1\n"}}, ""},
      {{{"a.hcl", "x = nosuch(1)\n"}}, "HCL3002@a.hcl"},
      {{{"a.hcl", "x = user.nme\n"}, {"v.hcl", kVariables}}, "HCL3201@a.hcl"},
      {{{"v.hcl", kVariables}, {"a.hcl", "x = user.nme\n"}}, "HCL3201@a.hcl"},
      {{{"m/a.hcl", "x = user.nme\n"}, {"v.hcl", kVariables}}, ""},
      {{{"a.json", "{"}}, "HCL2001@a.json"},
      {{{"a.test.hcl", "test \"t\" {\n  wth = {}\n}\n"}, {"v.hcl", kVariables}, {"a.hcl", "x = user.name\n"}},
       "HCL5001@a.test.hcl"},
      {{{"a.hcldec", "object {\n  attr \"x\" {\n    type = strng\n  }\n}\n"}}, "HCL5308@a.hcldec"},
      {{{"a.svc.hcl", "prt = 1\n"}, {"svc.hcldec", "attr {\n  name = \"port\"\n  type = number\n}\n"}},
       "HCL5001@a.svc.hcl"},
      {{{"a.svc.hcl", "port = 1\n"}, {"svc.hcldec", "attr {\n  name = \"port\"\n  type = number\n}\n"}}, ""},
  };
  for (const Case& c : cases) {
    Settings settings;
    settings.specs = {{"*.svc.hcl", "svc.hcldec"}};
    EXPECT_EQ(FoundIn(c.files, settings), c.expected) << c.files[0].second;
  }
}

TEST(WorkspaceTest, StopsWhenItIsAskedTo) {
  Workspace workspace;
  std::string text;
  for (int n = 0; n < 20'000; ++n) absl::StrAppend(&text, "a", n, " = ", n, "\n");
  ASSERT_TRUE(workspace.files()->Open("file:///no/such/a.hcl", 1, text).ok());
  *workspace.stop() = true;
  const Project project = workspace.ProjectOf(workspace.files()->FindOpen("/no/such/a.hcl")->file);
  EXPECT_TRUE(workspace.Check(project).is_stopped);
  *workspace.stop() = false;
  EXPECT_FALSE(workspace.Check(project).is_stopped);
}

}  // namespace
}  // namespace hcl::lsp
