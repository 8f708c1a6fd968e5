#include "hclvm/lsp/features/known_types.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/documents/workspace.h"

namespace hcl::lsp {
namespace {

std::string Written(const std::optional<KnownType>& type) {
  if (!type) return "none";
  std::string text = type->text;
  for (const KnownType::Attribute& one : type->attributes) absl::StrAppend(&text, "; ", one.name, ": ", one.type);
  return text;
}

TEST(KnownTypesTest, KnowsWhatStandsBeforeADot) {
  struct Case {
    std::string text;  // "|" is where the word begins and ends
    std::string expected;
  };
  const std::string team = "object({ size = number }); size: number";
  const Case cases[] = {
      {"x = user.|\n",
       "object({ name = string, team = object({ size = number }) }); name: string; "
       "team: object({ size = number })"},
      {"x = user.team.|\n", team},
      {"x = var.user.team.|\n", team},
      {"x = [user][0].team.|\n", team},
      {"x = [for u in [user] : u.team.|]\n", team},
      {"locals {\n  t = user.team\n}\nx = local.t.|\n", team},
      {"x = merge(user.team, {a = true}).|\n", "object({ a = bool, size = number }); a: bool; size: number"},
      {"x = 1.|\n", "number"},
      // The rest of the text is wrong.
      {"y = (\nx = user.team.|\n", team},
      {"x = nosuch.|\n", "none"},
  };
  for (const Case& c : cases) {
    Workspace workspace;
    std::string text = c.text;
    const auto at = static_cast<uint32_t>(text.find('|'));
    text.erase(at, 1);
    ASSERT_TRUE(
        workspace.files()
            ->Open("file:///no/such/v.hcl", 1,
                   "variable \"user\" {\n  type = object({ name = string, team = object({ size = number }) })\n}\n")
            .ok());
    ASSERT_TRUE(workspace.files()->Open("file:///no/such/a.hcl", 1, text).ok());
    const TextFilePtr file = workspace.files()->FindOpen("/no/such/a.hcl")->file;
    EXPECT_EQ(Written(TypeBeforeDot(&workspace, workspace.ProjectOf(file), *file, {at, at})), c.expected) << c.text;
  }
}

}  // namespace
}  // namespace hcl::lsp
