// Lines in, lines out: order, bad lines, failing ends, and the host's wish to stop.

#include "hclvm/ndjson.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

CompileOptions Standard() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

std::shared_ptr<const Program> Compile(const std::string& text) {
  Diagnostics diagnostics;
  return CompileExpression(std::make_shared<const Source>("<test>", text), Standard(), &diagnostics);
}

// Gives `text`, at most `piece` bytes at a time.
NdjsonInput From(std::string_view text, size_t piece = SIZE_MAX) {
  return [text, piece](char* room, size_t size) mutable -> absl::StatusOr<size_t> {
    const size_t bytes = std::min({size, piece, text.size()});
    std::memcpy(room, text.data(), bytes);
    text.remove_prefix(bytes);
    return bytes;
  };
}

NdjsonOutput To(std::string* out) {
  return [out](std::string_view lines) { return out->append(lines), absl::OkStatus(); };
}

// Output, counts and status of evaluating `expression` for each line of `scopes`.
std::string RunLines(const std::string& expression, std::string_view scopes, NdjsonOptions options = {},
                     size_t piece = SIZE_MAX) {
  options.name = "scopes";
  std::string out;
  NdjsonCounts counts;
  const absl::Status status = RunNdjson(Compile(expression), options, From(scopes, piece), To(&out), &counts);
  return out + std::to_string(counts.lines) + " lines, " + std::to_string(counts.errors) + " errors" +
         (counts.limit ? ", limit" : "") + (status.ok() ? "" : ", " + std::string(status.message()));
}

TEST(NdjsonTest, OneLineOutForEachLineIn) {
  EXPECT_EQ(RunLines("a + 1", ""), "0 lines, 0 errors");
  EXPECT_EQ(RunLines("a + 1", "{\"a\": 1}"), "{\"value\":2}\n1 lines, 0 errors");
  EXPECT_EQ(RunLines("a + 1", "{\"a\": 1}\n{\"a\": 2}\r\n"), "{\"value\":2}\n{\"value\":3}\n2 lines, 0 errors");
  NdjsonOptions options;
  options.typed = true;
  EXPECT_EQ(RunLines("[a]", "{\"a\": 1}", options),
            "{\"type\":[\"tuple\",[\"number\"]],\"value\":[1]}\n1 lines, 0 errors");
}

// What is sensitive is not written unless it is asked for.
TEST(NdjsonTest, HidesWhatIsSensitive) {
  const auto run = [](const std::string& expression, NdjsonOptions options) {
    const std::string out = RunLines(expression, R"({"s": "t"})", options);
    return out.substr(0, out.find('\n'));
  };
  NdjsonOptions options;
  EXPECT_EQ(run("sensitive(s)", options), R"({"value":null,"erased":[""]})");
  EXPECT_EQ(run("{ x = [1, sensitive(s)], y = s }", options), R"({"value":{"x":[1,null],"y":"t"},"erased":["/x/1"]})");
  EXPECT_EQ(run("upper(s)", options), R"({"value":"T"})");
  options.typed = true;
  EXPECT_EQ(run("{ x = sensitive(s) }", options),
            R"({"type":["object",{"x":"string"}],"value":{"x":null},"erased":["/x"]})");
  options.typed = false;
  options.text = true;
  EXPECT_EQ(run("sensitive(s)", options), "(sensitive value)");
  EXPECT_EQ(run("[1, sensitive(s)]", options), "[1,\"(sensitive value)\"]");
  options.show_sensitive = true;
  EXPECT_EQ(run("sensitive(s)", options), "t");
  options.text = false;
  EXPECT_EQ(run("[1, sensitive(s)]", options), R"({"value":[1,"t"]})");
}

TEST(NdjsonTest, BadLinesDoNotStopTheOthers) {
  const std::string out = RunLines("a", "{\"a\": 1}\n{\n{\"a\": 3}\n\n[]\n{}\n");
  EXPECT_EQ(out.substr(0, 12), "{\"value\":1}\n");
  EXPECT_NE(out.find("\"filename\":\"scopes\",\"start\":{\"line\":2"), std::string::npos) << out;
  EXPECT_NE(out.find("\n{\"value\":3}\n"), std::string::npos) << out;
  EXPECT_NE(out.find("Invalid scope"), std::string::npos) << out;
  EXPECT_NE(out.find("Unknown variable"), std::string::npos) << out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 6);
  EXPECT_NE(out.find("6 lines, 4 errors"), std::string::npos) << out;
}

TEST(NdjsonTest, AnEntryAndVariablesOfTheHost) {
  Diagnostics diagnostics;
  const auto program =
      CompileConfig(std::make_shared<const Source>("<test>", "a = 1\nb = \"${x} ${y}\""), {}, &diagnostics);
  NdjsonOptions options;
  options.entries = {program->FindEntry("b")};
  options.variables = {{"y", Value::Int(1)}, {"y", Value::Int(2)}, {"x", Value::Int(3)}};
  std::string out;
  ASSERT_TRUE(RunNdjson(program, options, From("{}\n{\"y\":7}\n"), To(&out)).ok());
  EXPECT_EQ(out, "{\"value\":\"3 2\"}\n{\"value\":\"3 7\"}\n");
}

// Answers of a config for each line, with all of its attributes as entries.
std::string RunEntries(const std::string& config, const std::string& scopes, NdjsonOptions options = {}) {
  Diagnostics diagnostics;
  const auto program = CompileConfig(std::make_shared<const Source>("<test>", config), {}, &diagnostics);
  for (const Entry& entry : program->entries()) options.entries.push_back(&entry);
  std::string out;
  NdjsonCounts counts;
  EXPECT_TRUE(RunNdjson(program, options, From(scopes), To(&out), &counts).ok());
  return out + std::to_string(counts.errors) + " errors";
}

// Places begin with the entry, also of entries that fail.
TEST(NdjsonTest, HidesWhatIsSensitiveInSeveralEntries) {
  const std::string config =
      "a = sensitive(s)\nb = { x = [sensitive(s)] }\nc \"d/e\" { f = sensitive(s) }\n"
      "g = [sensitive(s), 1 / z]\nh = s\n";
  Diagnostics diagnostics;
  const auto program = CompileConfig(std::make_shared<const Source>("<test>", config), Standard(), &diagnostics);
  NdjsonOptions options;
  for (const Entry& entry : program->entries()) options.entries.push_back(&entry);
  std::string out;
  ASSERT_TRUE(RunNdjson(program, options, From(R"({"s":"t","z":0})"), To(&out)).ok());
  EXPECT_EQ(out.find(R"({"values":{"a":null,"b":{"x":[null]},"h":"t","c.d/e.f":null},)"
                     R"("erased":["/a","/b/x/0","/c.d~1e.f"],"diagnostics":[{"entry":"g",)"),
            0u)
      << out;
  options.text = true;
  out.clear();
  ASSERT_TRUE(RunNdjson(program, options, From(R"({"s":"t","z":1})"), To(&out)).ok());
  EXPECT_EQ(out,
            "(sensitive value)\t{\"x\":[\"(sensitive value)\"]}\t[\"(sensitive value)\",1]\tt\t(sensitive value)\n");
}

TEST(NdjsonTest, SeveralEntries) {
  const std::string config = "a = x + 1\nb = upper\nc { d = [x, null] }\n";
  EXPECT_EQ(RunEntries(config, "{\"x\":1,\"upper\":\"U\"}\n{\"upper\":\"v\",\"x\":2.5}\n"),
            "{\"values\":{\"a\":2,\"b\":\"U\",\"c.d\":[1,null]}}\n"
            "{\"values\":{\"a\":3.5,\"b\":\"v\",\"c.d\":[2.5,null]}}\n0 errors");
  NdjsonOptions typed;
  typed.typed = true;
  EXPECT_EQ(RunEntries("a = x\nb = 1", "{\"x\":1}\n", typed),
            "{\"values\":{\"a\":{\"type\":\"number\",\"value\":1},\"b\":{\"type\":\"number\",\"value\":1}}}\n0 errors");

  // What fails is told by its entry, and keeps nothing else back.
  const std::string some = RunEntries(config, "{\"x\":1}\n{\"upper\":1,\"x\":1}\n[]\n");
  EXPECT_EQ(
      some.find("{\"values\":{\"a\":2,\"c.d\":[1,null]},\"diagnostics\":[{\"entry\":\"b\",\"severity\":\"error\","), 0u)
      << some;
  EXPECT_NE(some.find("\n{\"values\":{\"a\":2,\"b\":1,\"c.d\":[1,null]}}\n{\"diagnostics\":[{\"severity\""),
            std::string::npos)
      << some;
  EXPECT_NE(some.find("\n2 errors"), std::string::npos) << some;
  const std::string all = RunEntries(config, "{}\n");
  EXPECT_EQ(all.find("{\"values\":{},\"diagnostics\":[{\"entry\":\"a\","), 0u) << all;
  EXPECT_NE(all.find("},{\"entry\":\"c.d\","), std::string::npos) << all;
}

// A line that is evaluated a second time, for better messages, is told once; also where the first entry has a value
// that cannot be written.
TEST(NdjsonTest, EachFailureIsToldOnce) {
  NdjsonOptions options;
  options.variables = {{"u", Value::Dynamic()}};
  options.describe = [](const NdjsonReport& report) { return std::string(report.entry->path) + ";"; };
  std::string told;
  options.tell = [&](std::string_view text) { told += text; };
  const std::string out = RunEntries("a = u\nb = missing\nc = x", "{\"x\":1}\n", options);
  EXPECT_EQ(told, "a;b;");
  EXPECT_EQ(out.find("{\"values\":{\"c\":1},\"diagnostics\":[{\"entry\":\"a\""), 0u) << out;
  EXPECT_NE(out.find("\n1 errors"), std::string::npos) << out;
}

// A column for each entry and a line for each line, whatever is in them.
TEST(NdjsonTest, Text) {
  NdjsonOptions options;
  options.text = true;
  EXPECT_EQ(RunLines("a", "{\"a\":\"x\"}\n{\"a\":\"1\\t2\\n\\r\\\\ \\u0001\\u007f\\u00e9\"}\n{\"a\":null}\n", options),
            "x\n1\\t2\\n\\r\\\\ \\x01\\x7f\u00e9\n\\N\n3 lines, 0 errors");
  // Controls of one and two bytes, and what turns the direction of writing around; also in what went wrong.
  EXPECT_EQ(RunLines("a", "{\"a\":\"\\u001b[1m \u009b1m \u202e \u2066 \u200f \u2028\"}\n", options),
            "\\x1b[1m \\u009b1m \\u202e \\u2066 \\u200f \\u2028\n1 lines, 0 errors");
  EXPECT_EQ(RunLines("{}[a]", "{\"a\":\"\u009b\u202e\"}\n", options),
            "error[HCL4305]: Invalid index: This object has no attribute named \"\\u009b\\u202e\".\n1 lines, 1 errors");
  EXPECT_EQ(RunLines("a", "{\"a\":[1,\"x\\ty\",null]}\n{\"a\":true}\n{\"a\":-0.5}\n", options),
            "[1,\"x\\\\ty\",null]\ntrue\n-0.5\n3 lines, 0 errors");
  EXPECT_EQ(RunLines("a", "{}\n", options),
            "error[HCL3001]: Unknown variable: There is no variable named \"a\".\n1 lines, 1 errors");
  EXPECT_EQ(RunEntries("a = x\nb = \"\"\nc = y", "{\"y\":1}\n{\"x\":\"\",\"y\":{}}\n", options),
            "error[HCL3001]: Unknown variable: There is no variable named \"x\".\t\t1\n\t\t{}\n1 errors");
  const std::string bad = RunEntries("a = x\nb = 1", "[]\n{\"x\":1}\n", options);
  EXPECT_EQ(std::count(bad.begin(), bad.end(), '\t'), 2) << bad;
  EXPECT_NE(bad.find("\n1\t1\n"), std::string::npos) << bad;
}

TEST(NdjsonTest, Progress) {
  std::string scopes;
  for (int n = 0; n < 50'000; ++n) scopes += n % 100 == 0 ? "{}\n" : "{\"a\": 1}\n";
  NdjsonOptions options;
  for (const uint32_t threads : {1u, 3u}) {
    options.threads = threads;
    uint64_t calls = 0;
    NdjsonProgress last;
    options.progress = [&](const NdjsonProgress& progress) {
      ++calls;
      EXPECT_GT(progress.lines, last.lines);
      EXPECT_GT(progress.bytes, last.bytes);
      last = progress;
    };
    RunLines("a", scopes, options, 10'000);
    EXPECT_GT(calls, 1u);
    EXPECT_EQ(last.lines, 50'000u);
    EXPECT_EQ(last.errors, 500u);
    EXPECT_EQ(last.bytes, scopes.size());
  }
}

TEST(NdjsonTest, ALineOverTheLimitIsReportedAndSkipped) {
  NdjsonOptions options;
  options.limits.max_source_bytes = 1000;
  const std::string big = "{\"a\": \"" + std::string(2'000'000, 'x') + "\"}\n";
  const std::string out = RunLines("a", "{\"a\": 1}\n" + big + "{\"a\": 3}\n" + big, options);
  EXPECT_EQ(out.substr(0, 12), "{\"value\":1}\n");
  EXPECT_NE(out.find("Line too long"), std::string::npos) << out.substr(0, 500);
  EXPECT_NE(out.find("\"line\":2"), std::string::npos);
  EXPECT_NE(out.find("{\"value\":3}\n"), std::string::npos);
  EXPECT_NE(out.find("\"line\":4"), std::string::npos);
  EXPECT_NE(out.find("4 lines, 2 errors, limit"), std::string::npos);
}

// However the input comes in pieces, and with any number of threads.
TEST(NdjsonTest, ThreadsKeepTheOrder) {
  std::string scopes;
  for (int n = 0; n < 20'000; ++n) scopes += "{\"a\": " + std::to_string(n) + ", \"pad\": \"................\"}\n";
  NdjsonOptions options;
  const std::string want = RunLines("\"n${a}\"", scopes, options);
  for (uint32_t threads : {2u, 4u, 16u, 0u}) {
    options.threads = threads;
    for (size_t piece : {size_t{777}, size_t{100'000}}) {
      EXPECT_TRUE(RunLines("\"n${a}\"", scopes, options, piece) == want) << threads << " " << piece;
    }
  }
}

TEST(NdjsonTest, DescribesTheFirstBadLinesInOrder) {
  std::string scopes;
  for (int n = 1; n <= 100; ++n) scopes += n % 3 == 0 ? "{}\n" : "{\"a\": 1}\n";
  NdjsonOptions options;
  options.max_reports = 3;
  options.describe = [](const NdjsonReport& report) {
    EXPECT_EQ(report.diagnostics.kept().size(), 1u);
    EXPECT_NE(ToText(report.diagnostics, report.source).find("<test> line 1"), std::string::npos);
    return std::to_string(report.line) + (report.is_last ? " last\n" : "\n");
  };
  std::string told;
  options.tell = [&](std::string_view text) { told += text; };
  RunLines("a", scopes, options);
  EXPECT_EQ(told, "3\n6\n9 last\n");
}

TEST(NdjsonTest, FailingEndsAreTold) {
  const NdjsonInput broken = [n = 0](char* room, size_t) mutable -> absl::StatusOr<size_t> {
    if (n++ > 0) return absl::UnavailableError("the peer has gone");
    return std::string_view("{}\n{}").copy(room, 5);
  };
  std::string out;
  NdjsonCounts counts;
  const absl::Status read = RunNdjson(Compile("1"), {}, broken, To(&out), &counts);
  EXPECT_EQ(read, absl::UnavailableError("the peer has gone"));
  EXPECT_EQ(out, "{\"value\":1}\n{\"value\":1}\n");
  EXPECT_EQ(counts.lines, 2u);

  // An input without an end, whose answers nobody takes.
  for (uint32_t threads : {1u, 3u}) {
    NdjsonOptions options;
    options.threads = threads;
    const NdjsonInput endless = [](char* room, size_t size) -> absl::StatusOr<size_t> {
      for (size_t n = 0; n + 3 <= size; n += 3) std::string_view("{}\n").copy(room + n, 3);
      return size / 3 * 3;
    };
    const NdjsonOutput full = [](std::string_view) { return absl::DataLossError("full"); };
    EXPECT_EQ(RunNdjson(Compile("1"), options, endless, full), absl::DataLossError("full"));
  }
}

TEST(NdjsonTest, TheHostCanStopIt) {
  std::atomic<bool> cancel{false};
  NdjsonOptions options;
  options.limits.interrupt.cancel = &cancel;
  options.threads = 2;
  const NdjsonInput endless = [](char* room, size_t) -> absl::StatusOr<size_t> {
    return std::string_view("{}\n").copy(room, 3);
  };
  uint64_t lines = 0;
  const NdjsonOutput output = [&](std::string_view) {
    if (++lines == 10) cancel = true;
    return absl::OkStatus();
  };
  EXPECT_TRUE(absl::IsCancelled(RunNdjson(Compile("1"), options, endless, output)));
  EXPECT_GE(lines, 10u);
}

TEST(NdjsonTest, EachLineHasItsTime) {
  NdjsonOptions options;
  options.timeout = std::chrono::milliseconds(1);
  const std::string forever =
      "length([for i in range(1000): [for j in range(1000): [for k in range(1000): i + j + k]]])";
  const std::string out = RunLines(forever, "{}\n", options);
  EXPECT_NE(out.find("Evaluation interrupted"), std::string::npos) << out;
  EXPECT_NE(out.find("1 lines, 1 errors, limit"), std::string::npos) << out;
}

TEST(NdjsonTest, ALineEvaluatorNeedsNoFiles) {
  const NdjsonOptions options;
  LineEvaluator evaluator(Compile("a"), options);
  std::string out;
  evaluator.Evaluate("{\"a\": 5}", 1, &out);
  evaluator.Evaluate("{}", 2, &out);
  EXPECT_EQ(out.substr(0, 29), "{\"value\":5}\n{\"diagnostics\":[{");
  EXPECT_EQ(evaluator.counts().lines, 2u);
  EXPECT_EQ(evaluator.counts().errors, 1u);
}

}  // namespace
}  // namespace hcl
