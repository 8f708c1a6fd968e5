// RequestDiff: two versions of a config, requests, and how the answers differ.

#include "hclvm/workbench/request_diff.h"

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(std::string_view text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("p.hcl", std::string(text));
  std::shared_ptr<const Program> program = text.find("variable ") != std::string_view::npos
                                               ? CompileModule({{source, /*is_json=*/false}}, options, &diagnostics)
                                               : CompileConfig(source, options, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

DiffedVersion Version(std::shared_ptr<const Program> program) {
  DiffedVersion version;
  version.program = std::move(program);
  return version;
}

const char* NameOf(AnswerChange change) {
  switch (change) {
    case AnswerChange::kValue:
      return "";
    case AnswerChange::kFailsNow:
      return "fails: ";
    case AnswerChange::kFailsNoLonger:
      return "fails no longer: ";
    case AnswerChange::kOtherError:
      return "other error: ";
  }
  return "";
}

// "ENTRY COUNT BEFORE -> AFTER @LINE", with semicolons between groups, and behind them what was not answered.
std::string TextOf(const ComparedEntries& entries, const DiffCounts& counts) {
  std::vector<std::string> parts;
  for (size_t n = 0; n < entries.both.size(); ++n) {
    for (const auto& [key, group] : counts.entries[n].groups) {
      parts.push_back(absl::StrCat(NameOf(key.change), entries.both[n].path, " ", group.count, " ", key.before, " -> ",
                                   key.after, " @", group.line));
    }
  }
  if (counts.same_errors() > 0) parts.push_back(absl::StrCat(counts.same_errors(), " as before"));
  if (counts.partial > 0) parts.push_back(absl::StrCat(counts.partial, " partial"));
  if (counts.other > 0) parts.push_back(absl::StrCat(counts.other, " other"));
  if (counts.broken > 0) parts.push_back(absl::StrCat(counts.broken, " broken @", counts.first_broken));
  if (counts.limit) parts.push_back("limit");
  return absl::StrJoin(parts, "; ");
}

std::string Diff(std::string_view before, std::string_view after, const std::vector<std::string>& lines,
                 const RequestDiffOptions& options = {}) {
  const std::shared_ptr<const Program> old_program = Compile(before);
  const std::shared_ptr<const Program> new_program = Compile(after);
  if (old_program == nullptr || new_program == nullptr) return "";
  const ComparedEntries entries = CompareEntries(*old_program, *new_program, {});
  RequestDiff diff(Version(old_program), Version(new_program), &entries, options);
  for (size_t n = 0; n < lines.size(); ++n) diff.Add(lines[n], n + 1, /*is_cut=*/false);
  return TextOf(entries, diff.counts());
}

TEST(RequestDiffTest, Values) {
  const struct {
    const char* name;
    const char* before;
    const char* after;
    std::vector<std::string> lines;
    const char* want;
  } kCases[] = {
      {"the same", "a = n > 1", "a = !(n <= 1)", {R"({"n":1})", R"({"n":2})"}, ""},
      {"a bool", "a = n > 1", "a = n > 2", {R"({"n":2})", R"({"n":1})", R"({"n":2})"}, "a 2 true -> false @1"},
      {"two ways", "a = n", "a = n > 1 ? 5 : 6", {R"({"n":1})", R"({"n":2})"}, "a 1 1 -> 6 @1; a 1 2 -> 5 @2"},
      {"lists, tuples and sets", "a = toset([n])", "a = [for m in [n] : m]", {R"({"n":1})"}, ""},
      {"a number and its text", "a = n", "a = tostring(n)", {R"({"n":1})"}, "a 1 1 -> \"1\" @1"},
      {"null", "a = n", "a = null", {R"({"n":1})", R"({"n":null})"}, "a 1 1 -> null @1"},
      {"what decides",
       R"(a = { rule = "owner", why = "of ${n}" })",
       R"(a = { rule = n > 1 ? "hold" : "owner", why = "of ${n}" })",
       {R"({"n":1})", R"({"n":2})", R"({"n":3})"},
       "a 2 owner -> hold @2"},
      {"one decides, and something else differs",
       R"(a = { rule = "owner", ttl = 5 })",
       R"(a = { rule = "owner", ttl = 6 })",
       {"{}"},
       "a 1 owner: .ttl = 5 -> owner: .ttl = 6 @1"},
      {"parts",
       R"(a = { b = [1, n], c = true })",
       R"(a = { b = [1, 3], c = n < 2, d = 1 })",
       {R"({"n":1})"},
       "a 1 .b[1] = 1, .d = nothing -> .b[1] = 3, .d = 1 @1"},
      {"many parts",
       "a = [n, n, n, n, n]",
       "a = [5, 5, 5, 5, 5]",
       {R"({"n":1})"},
       "a 1 [0] = 1, [1] = 1, [2] = 1 -> [0] = 5, [1] = 5, [2] = 5, ... @1"},
      {"prose", R"(a = "line ${n}")", R"(a = "the line ${n}")", {R"({"n":1})", R"({"n":2})"}, "a 2 text -> text @1"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Diff(test.before, test.after, test.lines), test.want) << test.name;
  }
}

TEST(RequestDiffTest, Errors) {
  const struct {
    const char* name;
    const char* before;
    const char* after;
    std::vector<std::string> lines;
    const char* want;
  } kCases[] = {
      {"both fail alike", "a = n.x", "a = [n.x]", {R"({"n":{}})", R"({"n":{"x":1}})"}, "a 1 1 -> [1] @2; 1 as before"},
      {"fails now",
       "a = try(n.x, 0)",
       "a = n.x",
       {R"({"n":{}})", R"({"n":{"x":0}})"},
       "fails: a 1 0 -> error HCL4301 @1"},
      {"fails no longer", "a = n.x", "a = try(n.x, 0)", {R"({"n":{}})"}, "fails no longer: a 1 error HCL4301 -> 0 @1"},
      {"another error", "a = n.x", "a = m", {R"({"n":{}})"}, "other error: a 1 error HCL4301 -> error HCL3001 @1"},
      {"an object fails", "a = { rule = \"r\" }", "a = n.x", {R"({"n":{}})"}, "fails: a 1 r -> error HCL4301 @1"},
      {"an object without a name fails",
       "a = { b = 1 }",
       "a = n.x",
       {R"({"n":{}})"},
       "fails: a 1 value -> error HCL4301 @1"},
      {"broken lines", "a = n", "a = n", {"{", R"({"n":1})", "[]"}, "2 broken @1"},
      // What neither needs may be wrong.
      {"broken where nobody looks", "a = n", "a = n + 0", {R"({"n":1,"m":1.1.1})"}, ""},
  };
  for (const auto& test : kCases) EXPECT_EQ(Diff(test.before, test.after, test.lines), test.want) << test.name;
}

TEST(RequestDiffTest, Entries) {
  const char* const before = "a = n\nb = n\nc = 1\n";
  const char* const after = "d = 1\nb = n + 1\na = n + m\n";
  EXPECT_EQ(Diff(before, after, {R"({"n":1,"m":0})", R"({"n":1,"m":2})", R"({"n":1})"}),
            "b 3 1 -> 2 @1; a 1 1 -> 3 @2; fails: a 1 1 -> error HCL3001 @3");
  const std::shared_ptr<const Program> old_program = Compile(before);
  const std::shared_ptr<const Program> new_program = Compile(after);
  const ComparedEntries entries = CompareEntries(*old_program, *new_program, {});
  EXPECT_EQ(absl::StrJoin(entries.only_before, ","), "c");
  EXPECT_EQ(absl::StrJoin(entries.only_after, ","), "d");
  const std::vector<std::string> chosen = {"a", "d", "e"};
  const ComparedEntries some = CompareEntries(*old_program, *new_program, chosen);
  ASSERT_EQ(some.both.size(), 1);
  EXPECT_EQ(some.both[0].path, "a");
  EXPECT_EQ(absl::StrJoin(some.only_before, ","), "");
  EXPECT_EQ(absl::StrJoin(some.only_after, ","), "d");
}

// Equal answers that other conditions decide are other groups.
TEST(RequestDiffTest, Deciders) {
  const auto both = [](std::string_view text) {
    DiffedVersion version = Version(Compile(text));
    CompileOptions options;
    options.functions = StandardFunctions();
    Diagnostics ignored;
    version.recording =
        CompileConfig(std::make_shared<const Source>("p.hcl", std::string(text)), RecordingOptions(options), &ignored);
    return version;
  };
  const DiffedVersion before = both("a = n > 1 && m");
  const DiffedVersion after = both("\na = n > 2 && m && k");
  const ComparedEntries entries = CompareEntries(*before.program, *after.program, {});
  RequestDiff diff(before, after, &entries, RequestDiffOptions());
  for (const auto& [n, m, k] : {std::tuple{2, "true", "true"},
                                {3, "true", "false"},
                                {3, "true", "true"},
                                {2, "true", "false"},
                                {1, "true", "true"},
                                {9, "true", "false"}}) {
    diff.Add(absl::StrCat("{\"n\":", n, ",\"m\":", m, ",\"k\":", k, "}"), 1, /*is_cut=*/false);
  }
  std::vector<std::string> groups;
  for (const auto& [key, group] : diff.counts().entries[0].groups) {
    groups.push_back(absl::StrCat(group.count, " ", key.decided_before, " -> ", key.decided_after));
  }
  EXPECT_EQ(absl::StrJoin(groups, "\n"),
            "2 n > 1 is true (p.hcl:1), m is true (p.hcl:1) -> k is false (p.hcl:2)\n"
            "2 n > 1 is true (p.hcl:1), m is true (p.hcl:1) -> n > 2 is false (p.hcl:2)");
}

TEST(RequestDiffTest, Logs) {
  RequestDiffOptions options;
  options.form = RequestForm::kLog;
  const char* const before = "a = n\nb = 1\n";
  const char* const after = "a = n + 1\nb = try(m, 1)\n";
  const std::vector<std::string> lines = {
      R"({"path":"p/a","decision_id":"i1","input":{"n":1},"result":1})",
      R"({"path":"p/b","decision_id":"i2","input":{},"result":1})",
      R"({"path":"q/x","input":{},"result":1})",
      R"({"path":"q/a","input":{},"erased":["/n/token"],"result":1})",
      R"({"path":"a","input":{},"erased":["/n"],"result":1})",
      R"({"path":"b","input":{},"erased":["/n"],"result":1})",
      R"({"path":"a","input":null,"erased":[""],"result":1})",
  };
  EXPECT_EQ(Diff(before, after, lines, options), "a 1 1 -> 2 @1; 3 partial; 1 other");
  options.includes_partial = true;
  EXPECT_EQ(Diff(before, after, lines, options), "a 1 1 -> 2 @1; 1 as before; 2 partial; 1 other");
  options.includes_partial = false;
  options.log_module = "p";
  EXPECT_EQ(Diff(before, after, lines, options), "a 1 1 -> 2 @1; 2 partial; 3 other");
}

TEST(RequestDiffTest, Limits) {
  RequestDiffOptions options;
  options.limits.max_fuel = 1000;
  EXPECT_EQ(Diff("a = 1", "a = [for n in range(1000) : n][0]", {"{}"}, options),
            "fails: a 1 1 -> error HCL9202 @1; limit");
}

// What is sensitive stands in no group and no example, but counts.
TEST(RequestDiffTest, SensitiveParts) {
  for (const char* declared : {"sensitive", "ephemeral"}) {
    const std::string head = absl::StrCat("variable \"key\" {\n  type = string\n  ", declared, " = true\n}\n");
    const std::shared_ptr<const Program> old_program = Compile(absl::StrCat(head, "a = { k = key, n = 1 }"));
    const std::shared_ptr<const Program> new_program = Compile(absl::StrCat(head, "a = { k = \"x${key}\", n = 1 }"));
    const ComparedEntries entries = CompareEntries(*old_program, *new_program, {});
    for (const bool shows : {false, true}) {
      RequestDiffOptions options;
      options.show_sensitive = shows;
      RequestDiff diff(Version(old_program), Version(new_program), &entries, options);
      diff.Add(R"({"key":"secret"})", 1, /*is_cut=*/false);
      const DiffGroup& group = diff.counts().entries[0].groups.begin()->second;
      EXPECT_EQ(TextOf(entries, diff.counts()),
                shows ? "a 1 .k = \"secret\" -> .k = \"xsecret\" @1" : "a 1 (sensitive value) -> (sensitive value) @1");
      const char* const kHidden = "{\"k\":\"(sensitive value)\",\"n\":1}";
      EXPECT_EQ(group.before, shows ? R"({"k":"secret","n":1})" : kHidden);
    }
  }
}

TEST(RequestDiffTest, MergingDoesNotDependOnTheThreads) {
  const std::shared_ptr<const Program> old_program = Compile("a = n % 3\nb = n");
  const std::shared_ptr<const Program> new_program = Compile("a = n % 4\nb = n + m");
  const ComparedEntries entries = CompareEntries(*old_program, *new_program, {});
  std::vector<std::string> lines;
  for (int n = 0; n < 100; ++n) lines.push_back(n % 10 == 7 ? "{" : absl::StrCat("{\"n\":", n, ",\"m\":", n % 5, "}"));
  std::string wanted;
  for (const size_t threads : {1, 2, 7}) {
    DiffCounts all;
    for (size_t thread = threads; thread-- > 0;) {
      RequestDiff diff(Version(old_program), Version(new_program), &entries, RequestDiffOptions());
      for (size_t n = thread; n < lines.size(); n += threads) diff.Add(lines[n], n + 1, /*is_cut=*/false);
      Merge(std::move(diff.counts()), &all);
    }
    EXPECT_EQ(all.requests, 90);
    EXPECT_EQ(all.answers(), 180);
    if (threads == 1) wanted = TextOf(entries, all);
    EXPECT_EQ(TextOf(entries, all), wanted);
    EXPECT_GT(all.entries[0].before.fuel, 0);
  }
}

}  // namespace
}  // namespace hcl::internal
