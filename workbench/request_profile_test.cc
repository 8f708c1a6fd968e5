// RequestProfile: what is reported of a small module, and its forms.

#include "hclvm/workbench/request_profile.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr std::string_view kModule =
    "variable \"n\" {}\n"
    "locals {\n"
    "  squares = [for m in range(n) : m * m]\n"
    "  unread  = [for m in range(n) : m + 1]\n"
    "}\n"
    "a = n > 3 && \"<b>\" != \"\"\n"
    "b = n > 3 ? length(local.squares) : 0\n"
    "c = n > 1000 ? length(local.unread) : 0\n";

ProfileReport Profile(std::string_view text, const std::vector<std::string>& lines, ProfileOptions options = {}) {
  CompileOptions compile;
  compile.functions = StandardFunctions();
  compile.keep_origins = true;
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("m.hcl", std::string(text));
  const std::shared_ptr<const Program> program = CompileModule({{source}}, compile, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  if (program == nullptr) return {};
  std::vector<const Entry*> entries;
  for (const Entry& entry : program->entries()) entries.push_back(&entry);
  RequestProfile profile(program, entries, options);
  for (size_t n = 0; n < lines.size(); ++n) profile.Add(lines[n], n + 1, /*is_cut=*/false);
  return profile.Finish();
}

TEST(RequestProfileTest, Reports) {
  ProfileOptions options;
  options.time = std::chrono::milliseconds(30);
  options.max_expensive = 2;
  const ProfileReport report =
      Profile(kModule, {R"({"n":1})", R"({"n":50})", R"({"n":"7"})", R"({"n":40})", R"({"n":{}})", "{"}, options);
  EXPECT_EQ(report.evaluations, 15);
  EXPECT_EQ(report.failed, 3);
  ASSERT_FALSE(report.lines.empty());
  EXPECT_EQ(report.lines[0].place.line, 3);
  EXPECT_EQ(report.lines[0].place.text, "squares = [for m in range(n) : m * m]");
  uint64_t fuel = 0;
  for (const ProfileReport::Line& line : report.lines) fuel += line.fuel;
  EXPECT_LE(fuel, report.fuel);
  EXPECT_GE(fuel, report.fuel * 9 / 10);
  EXPECT_GT(report.samples, 0);
  ASSERT_EQ(report.unread_locals.size(), 1);
  EXPECT_EQ(report.unread_locals[0].text, "local.unread");
  EXPECT_EQ(report.unread_locals[0].line, 4);
  ASSERT_EQ(report.expensive.size(), 2);
  EXPECT_EQ(absl::StrCat(report.expensive[0].entry, " ", report.expensive[0].line), "b 2");
  EXPECT_EQ(absl::StrCat(report.expensive[1].entry, " ", report.expensive[1].line), "b 4");
  EXPECT_GT(report.expensive[0].fuel, report.expensive[1].fuel);
  uint64_t roots = 0;
  for (const ProfileReport::Frame& frame : report.roots) roots += frame.fuel;
  EXPECT_EQ(roots, report.fuel);
  EXPECT_FALSE(report.exits.empty());  // n is an object
}

TEST(RequestProfileTest, Exits) {
  ProfileOptions options;
  options.time = std::chrono::milliseconds(0);
  const ProfileReport report = Profile("variable \"u\" {\n  sensitive = true\n}\na = u.n > 1 ? 2 : 3\n",
                                       {R"({"u":{"n":5}})", R"({"u":{"n":1}})"}, options);
  ASSERT_EQ(report.exits.size(), 1);
  EXPECT_EQ(report.exits[0].count, 2);
  EXPECT_EQ(report.exits[0].place.line, 4);
  EXPECT_EQ(report.exits[0].causes[0].first, "u.n is marked");
  EXPECT_EQ(report.samples, 0);
}

TEST(RequestProfileTest, Forms) {
  ProfileOptions options;
  options.time = std::chrono::milliseconds(0);
  const ProfileReport report = Profile(kModule, {R"({"n":50})", R"({"n":{}})"}, options);
  const std::string text = ProfileText(report, /*max_lines=*/1);
  EXPECT_TRUE(absl::StartsWith(text, "6 evaluations, 3 failed, ")) << text;
  for (const char* const part :
       {"%  m.hcl:3: squares = [for m in range(n) : m * m]\n", " further lines\n", "\nfast code was left\n",
        "\nlocals that no request has read\n          m.hcl:4: local.unread\n", "  line 1: b\n"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << " in\n" << text;
  }
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  const std::string json = ProfileJson(report);
  EXPECT_TRUE(reader.Read(json, &heap, &value, &error)) << json;
  EXPECT_TRUE(absl::StartsWith(json, R"({"evaluations":6,"failed":3,"fuel":)")) << json;
  const std::string html = ProfileHtml(report, "<m>");
  EXPECT_TRUE(absl::StrContains(html, "<title>&lt;m&gt;</title>"));
  EXPECT_TRUE(absl::StrContains(html, "squares = [for m in range(n) : m * m]"));
  EXPECT_FALSE(absl::StrContains(html, "<b>"));
  for (const char* const outside : {"http:", "https:", "src=", "<script", "@import"}) {
    EXPECT_FALSE(absl::StrContains(html, outside)) << outside;
  }
}

TEST(RequestProfileTest, NothingToLookAt) {
  const ProfileReport report = Profile("a = 1", {});
  EXPECT_EQ(report.evaluations, 0);
  EXPECT_TRUE(report.lines.empty());
  EXPECT_TRUE(absl::StartsWith(ProfileText(report, 10), "0 evaluations, 0 failed, 0.0 fuel each\n"));
}

}  // namespace
}  // namespace hcl::internal
