#include "hclvm/lsp/features/code_actions.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] =
    "variable \"user\" {\n  type = object({ name = string, nick = optional(string), team = optional(object({ lead = "
    "string })) })\n}\n"
    "variable \"used\" {\n  type = number\n}\nz = used\n";

// The text of a file after the action of that title, which stands beside the others.
std::string After(const std::string& text, const std::string& title, const std::string& changed) {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("a.hcl", text);
  const Json actions =
      client.Ask("textDocument/codeAction", "a.hcl", {{"context", {{"diagnostics", client.PublishedFor("a.hcl")}}}});
  std::string titles;
  for (const Json& action : actions) {
    absl::StrAppend(&titles, TextAt(action, "title"), "; ");
    if (TextAt(action, "title") != title) continue;
    return client.Edited(changed, action["edit"]["changes"][Replay::UriOf(changed)]);
  }
  return "only: " + titles;
}

TEST(CodeActionsTest, Mends) {
  struct Case {
    std::string text;
    std::string title;
    std::string expected;
    std::string changed = "a.hcl";
  };
  const Case cases[] = {
      {"x = user.nme\n", "Change to \"name\"", "x = user.name\n"},
      {"x = uper(user.name)\n", "Change to \"upper\"", "x = upper(user.name)\n"},
      {"x = usr.name\n", "Change to \"user\"", "x = user.name\n"},
      {"x = other.name\n", "Declare the variable \"other\" in v.hcl",
       "variable \"user\" {\n  type = object({ name = string, nick = optional(string), team = optional(object({ lead = "
       "string })) })\n}\nvariable \"used\" {\n  type = number\n}\n\nvariable \"other\" {\n  type = any\n}\nz = used\n",
       "v.hcl"},
      {"x = user.team.lead\n", "Wrap in try(..., null)", "x = try(user.team.lead, null)\n"},
      {"x = user.team.lead\n", "Wrap in try(..., \"\")", "x = try(user.team.lead, \"\")\n"},
      {"x = upper(user.nick)\n", "Wrap in try(..., null)", "only: Wrap in coalesce(..., \"\"); Ignore HCL8003 here; "},
      {"x = upper(user.nick)\r\n", "Ignore HCL8003 here", "# hclvm:ignore HCL8003\r\nx = upper(user.nick)\r\n"},
      // In a heredoc, a comment would be text.
      {"x = <<E\n${upper(user.nick)}\nE\n", "Ignore HCL8003 here", "only: Wrap in coalesce(..., \"\"); "},
      {"x = <<-E\n  a\n  ${<<F\nF\n}\n${upper(user.nick)}\n  E\n", "Ignore HCL8003 here",
       "only: Wrap in coalesce(..., \"\"); "},
      {"x = upper(user.nick)\n", "Wrap in coalesce(..., \"\")", "x = upper(coalesce(user.nick, \"\"))\n"},
      {"b {\n  x = upper(user.nick)\n}\n", "Ignore HCL8003 here",
       "b {\n  # hclvm:ignore HCL8003\n  x = upper(user.nick)\n}\n"},
      {"x = user.name\n", "", "only: "},
      {"x = nosuchfunction()\n", "", "only: "},
  };
  for (const Case& c : cases) EXPECT_EQ(After(c.text, c.title, c.changed), c.expected) << c.text;
}

TEST(CodeActionsTest, AnIgnoredWarningIsGone) {
  Replay client;
  client.Open("v.hcl", kVariables);
  const std::string text = "x = upper(user.nick)\n";
  client.Open("a.hcl", text);
  EXPECT_EQ(client.DiagnosticsOf("a.hcl"), "HCL8003 0:10-0:19");
  client.Edit("a.hcl", After(text, "Ignore HCL8003 here", "a.hcl"));
  EXPECT_EQ(client.DiagnosticsOf("a.hcl"), "");
}

TEST(CodeActionsTest, EachActionMendsWhatItIsAbout) {
  const char* const texts[] = {
      "x = upper(user.nick)\n",
      "x = user.team.lead\n",
      "x = upper(user.team.lead)\n",
      "x = \"a ${user.nick}\"\n",
      "x = <<E\n${user.nick}\nE\n",
      "x = [for c in [user.team] : c.lead]\n",
      "x = user.nme\n",
      "x = other\n",
      "x = uper(user.name)\n",
      "x = user.team.lead + 1\n",
  };
  for (const char* const text : texts) {
    Replay client;
    client.Open("v.hcl", kVariables);
    client.Open("a.hcl", text);
    const Json published = client.PublishedFor("a.hcl");
    EXPECT_FALSE(published.empty()) << text;
    const Json actions = client.Ask("textDocument/codeAction", "a.hcl", {{"context", {{"diagnostics", published}}}});
    EXPECT_FALSE(actions.empty()) << text;
    for (const Json& action : actions) {
      const auto open_changed = [&](const char* name, const char* before) {
        const Json& changes = action["edit"]["changes"];
        const auto edits = changes.find(Replay::UriOf(name));
        client.Edit(name, edits == changes.end() ? before : client.Edited(name, *edits));
      };
      open_changed("v.hcl", kVariables);
      open_changed("a.hcl", text);
      const std::string still = TextAt(action["diagnostics"][0], "message");
      for (const Json& one : client.PublishedFor("a.hcl")) {
        EXPECT_NE(TextAt(one, "message"), still) << text << " after " << TextAt(action, "title");
      }
      client.Edit("v.hcl", kVariables);
      client.Edit("a.hcl", text);
    }
  }
}

TEST(CodeActionsTest, TakesAnyParameters) {
  Replay client;
  client.Open("a.hcl", "x = 1\n");
  for (const char* const context :
       {"3", "{}", R"({"diagnostics": 1})", R"({"diagnostics": [1, {}, {"source": "hclvm"}]})",
        R"({"diagnostics": [], "only": 1})",
        R"({"diagnostics": [{"source": "hclvm", "code": "HCL8003", "range": {"start": {"line": 9}, "end": {}}}]})"}) {
    const Json actions = client.Ask("textDocument/codeAction", "a.hcl", {{"context", Json::parse(context)}});
    EXPECT_TRUE(actions.is_array()) << context;
  }
}

}  // namespace
}  // namespace hcl::lsp
