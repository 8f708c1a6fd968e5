#include "hclvm/workbench/coverage.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/workbench/coverage_report.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {
namespace {

using Kind = CoveredDecision::Kind;

std::shared_ptr<const Program> Compile(const std::string& text, bool all_nodes) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  auto program = CompileModule({{std::make_shared<const Source>("m.hcl", text), /*is_json=*/false}},
                               all_nodes ? RecordingOptions(options) : DecisionOptions(options), &diagnostics);
  EXPECT_NE(nullptr, program) << ToText(diagnostics, nullptr);
  return program;
}

// What the entries of the module do over these scopes, in so many threads. `all_nodes`: the program reports more than
// coverage needs.
CoverageReport Covered(const std::string& module, const std::vector<std::string>& scopes, bool all_nodes = false,
                       size_t threads = 1) {
  const std::shared_ptr<const Program> program = Compile(module, all_nodes);
  if (program == nullptr) return {};
  CoverageIndex index;
  index.Add(*program, [](const Source&) { return true; });
  std::vector<std::unique_ptr<CoverageCounter>> counters;
  for (size_t n = 0; n < threads; ++n) counters.push_back(std::make_unique<CoverageCounter>(index));
  std::vector<std::thread> running;
  for (size_t n = 0; n < threads; ++n) {
    running.emplace_back([&, n] {
      Evaluator evaluator(program);
      AttachRecorder(evaluator.heap(), counters[n].get());
      for (size_t at = n; at < scopes.size(); at += threads) {
        Heap heap;
        evaluator.BindAll(ParsedJson(scopes[at], &heap));
        for (const Entry& entry : program->entries()) {
          evaluator.Run(entry);
          counters[n]->Commit();
        }
        evaluator.UnbindAll();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  std::vector<const CoverageCounter*> all;
  for (const auto& counter : counters) all.push_back(counter.get());
  return index.Report(all);
}

// "KIND TEXT COUNT/COUNT" for each decision.
std::string Printed(const CoverageReport& report) {
  static const char* const kNames[] = {"condition", "operand", "filter", "attempt", "rule"};
  std::string text;
  for (const CoveredFile& file : report.files) {
    for (const CoveredDecision& one : file.decisions) {
      absl::StrAppend(&text, kNames[static_cast<int>(one.kind)], " ", one.text, " ", one.counts[0]);
      if (one.has_second) absl::StrAppend(&text, "/", one.counts[1]);
      text += "\n";
    }
  }
  return text;
}

const std::string kVariables = "variable \"x\" {}\nvariable \"y\" {}\n";

TEST(Coverage, Decisions) {
  const struct {
    const char* module;
    std::vector<std::string> scopes;
    const char* decisions;
  } rows[] = {
      {"a = x ? y : 3", {R"({"x": true, "y": 1})", R"({"x": true, "y": 1})"}, "condition x 2/0\n"},
      // What was not taken does not count, though its type is asked.
      {"a = x ? (y ? 1 : 2) : \"b\"", {R"({"x": false, "y": true})"}, "condition x 0/1\ncondition y 0/0\n"},
      {"a = x && y", {R"({"x": false, "y": true})", R"({"x": true, "y": true})"}, "operand x 1/1\noperand y 1/0\n"},
      {"a = x || y || x", {R"({"x": true, "y": true})"}, "operand x 1/0\noperand y 0/0\noperand x 0/0\n"},
      {"a = true && x", {R"({"x": true, "y": true})"}, "operand x 1/0\n"},
      {"a = [for e in x : e if e > 1]", {R"({"x": [1, 2, 3], "y": 1})"}, "filter e > 1 2/1\n"},
      {"a = [for e in x : e if y && e > 1]",
       {R"({"x": [], "y": true})"},
       "filter y && e > 1 0/0\noperand y 0/0\noperand e > 1 0/0\n"},
      {"a = try(x.a, x.b, 1)", {R"({"x": {"b": 2}, "y": 1})"}, "attempt x.a 0/1\nattempt x.b 1/0\n"},
      {"a = try(x.a, x.b)", {R"({"x": {"b": 2}, "y": 1})"}, "attempt x.a 0/1\nattempt x.b 1\n"},
      {"a = [for r in [{n = 1, w = x}, {n = 2, w = y}] : r.n if r.w][0]",
       {R"({"x": true, "y": true})"},
       "rule {n = 1, w = x} 1\nrule {n = 2, w = y} 0\nfilter r.w 2/0\n"},
      {"locals {\n  rules = [{n = 1, w = x}, {n = 2, w = y}]\n}\na = [for r in local.rules : r.n if r.w]",
       {R"({"x": true, "y": true})"},
       "rule {n = 1, w = x} 1\nrule {n = 2, w = y} 1\nfilter r.w 2/0\n"},
      {"function \"f\" {\n  params = [p]\n  result = p ? 1 : 2\n}\na = f(x)",
       {R"({"x": true, "y": 1})"},
       "condition p 1/0\n"},
      {"function \"f\" {\n  params = [p]\n  result = p ? 1 : 2\n}\nfunction \"g\" {\n  params = [q]\n"
       "  result = f(q) > 1 && q\n}\na = x",
       {R"({"x": true, "y": 1})"},
       "condition p 0/0\noperand f(q) > 1 0/0\noperand q 0/0\n"},
      // Decisions within what is none.
      {"a = max([for e in [x, y] : e if e > 1]...) + {k = x > 1 ? 1 : 2}.k",
       {R"({"x": 2, "y": 1})"},
       "rule x 1\nrule y 0\nfilter e > 1 1/1\ncondition x > 1 1/0\n"},
      {"locals {\n  l = [x > 1 ? 1 : 2]\n}\na = y && local.l[0] > 1 ? local.l : [0]",
       {R"({"x": 2, "y": true})", R"({"x": 2, "y": false})"},
       "condition x > 1 1/0\ncondition y && local.l[0] > 1 0/2\noperand y 1/1\noperand local.l[0] > 1 0/1\n"},
      // An error decides nothing; the run is done twice, and counts once.
      {"a = (x > 1 ? 1 : 2) + (y > 1 ? 1 : 2)",
       {R"({"x": 2, "y": "b"})"},
       "condition x > 1 1/0\ncondition y > 1 0/0\n"},
  };
  for (const auto& row : rows) {
    for (const bool all_nodes : {false, true}) {
      EXPECT_EQ(row.decisions, Printed(Covered(kVariables + row.module, row.scopes, all_nodes))) << row.module;
    }
  }
}

// How a policy is spelled, what its program reports, and how many threads there are, does not matter.
TEST(Coverage, TheFigureIsThatOfThePolicy) {
  const std::string plain =
      kVariables +
      "a = x.a && x.b && !x.c || y == 1 ? \"p\" : x.c && (x.a || y == 2) ? \"q\" : try(x.d, \"r\")\n"
      "b = [for r in [{n = 1, w = x.a && x.c}, {n = 2, w = y > 1}] : r.n if r.w]\n";
  const std::vector<std::string> scopes = {R"({"x": {"a": true, "b": false, "c": true}, "y": 2})",
                                           R"({"x": {"a": true, "b": true, "c": false}, "y": 1})",
                                           R"({"x": {"a": false, "b": true, "c": false}, "y": 3})"};
  const CoverageReport wanted = Covered(plain, scopes);
  EXPECT_GT(wanted.seen(), 10u);
  EXPECT_LT(wanted.seen(), wanted.outcomes());
  const std::string spelled[] = {
      plain,
      absl::StrReplaceAll(plain, {{"x.a && x.b && !x.c", "(x.a && (x.b && (!x.c)))"}}),
      absl::StrReplaceAll(plain, {{"x.a && x.b && !x.c", "(\n  x.a\n    && x.b && !(x.c)\n)"}}),
      absl::StrReplaceAll(plain, {{"x.a && x.b && !x.c", "((x.a && x.b) && !x.c)"}, {"y == 2", "((y) == 2)"}}),
      absl::StrReplaceAll(plain, {{"x.c && (x.a || y == 2)", "((x.c) && ((x.a) || (y == 2)))"}}),
      absl::StrReplaceAll(plain, {{"{n = 1, w", "{\n n = 1\n \"w\""}, {"x.a", "x[\"a\"]"}}),
      absl::StrReplaceAll(plain, {{"try(x.d, \"r\")", "\"${try(x.d, \"r\")}\""}, {"b = [", "# A table.\nb = ["}}),
  };
  for (const std::string& module : spelled) {
    for (const bool all_nodes : {true, false}) {
      for (const size_t threads : {1, 8}) {
        const CoverageReport got = Covered(module, scopes, all_nodes, threads);
        EXPECT_EQ(got.outcomes(), wanted.outcomes()) << module;
        EXPECT_EQ(got.seen(), wanted.seen()) << module;
      }
    }
  }
}

TEST(Coverage, Forms) {
  const CoverageReport report = Covered(kVariables + "a = x && y ? 1 : 2\n", {R"({"x": true, "y": true})"});
  EXPECT_EQ(ToText(report),
            "m.hcl: 50.0 %, 3 of 6 outcomes\n"
            "     3 | a = x && y ? 1 : 2\n"
            "         never false: x && y\n"
            "         never false: x\n"
            "         never false: y\n"
            "coverage: 50.0 %, 3 of 6 outcomes\n");
  EXPECT_EQ(ToLcov(report),
            "TN:\nSF:m.hcl\nBRDA:3,0,0,1\nBRDA:3,0,1,0\nBRDA:3,1,0,1\nBRDA:3,1,1,0\nBRDA:3,2,0,1\nBRDA:3,2,1,0\n"
            "BRF:6\nBRH:3\nDA:3,1\nLF:1\nLH:1\nend_of_record\n");
  EXPECT_EQ(ToJson(report),
            "{\"outcomes\":6,\"seen\":3,\"percent\":50.00,\"files\":[{\"file\":\"m.hcl\",\"outcomes\":6,\"seen\":3,"
            "\"decisions\":[{\"kind\":\"condition\",\"text\":\"x && y\",\"line\":3,\"column\":5,\"counts\":{\"true\":1,"
            "\"false\":0}},{\"kind\":\"operand\",\"text\":\"x\",\"line\":3,\"column\":5,\"counts\":{\"true\":1,"
            "\"false\":0}},{\"kind\":\"operand\",\"text\":\"y\",\"line\":3,\"column\":10,\"counts\":{\"true\":1,"
            "\"false\":0}}]}]}\n");
  EXPECT_NE(
      ToCobertura(report).find("<line number=\"3\" hits=\"1\" branch=\"true\" condition-coverage=\"50% (3/6)\"/>"),
      std::string::npos);
  const std::string page = ToHtml(report);
  EXPECT_NE(page.find("<p id=\"total\">50.0 %, 3 of 6 outcomes</p>"), std::string::npos) << page;
  EXPECT_NE(page.find("<mark class=\"some\" title=\"true 1, false 0\">y<small> true 1, false 0</small></mark>"),
            std::string::npos)
      << page;
  const std::string tables =
      ToHtml(Covered(kVariables + "a = [for r in [{w = x},\n {w = y}] : 1 if r.w]\n", {R"({"x": true, "y": false})"}));
  EXPECT_NE(tables.find("<li>m.hcl:4 <code>{w = y}</code></li>"), std::string::npos) << tables;
}

}  // namespace
}  // namespace hcl::internal
