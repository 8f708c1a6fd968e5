// RequestBench: what is counted, and which differences between two runs are told.

#include "hclvm/workbench/request_bench.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(std::string_view text) {
  Diagnostics diagnostics;
  return CompileConfig(std::make_shared<const Source>("p.hcl", std::string(text)), CompileOptions(), &diagnostics);
}

BenchReport Measure(const std::string& config, const std::vector<std::string>& lines, BenchOptions options = {}) {
  const std::shared_ptr<const Program> program = Compile(config);
  std::vector<const Entry*> entries;
  for (const Entry& entry : program->entries()) entries.push_back(&entry);
  options.time = std::chrono::milliseconds(1);
  RequestBench bench(program, entries, options);
  for (size_t n = 0; n < lines.size(); ++n) bench.Add(lines[n], n + 1, /*is_cut=*/false);
  return bench.Measure();
}

TEST(RequestBenchTest, Counts) {
  uint64_t allocations = 0;
  BenchOptions options;
  options.allocations = [&] { return allocations += 3; };
  const BenchReport report =
      Measure("a = n > 1\nb = n.x\n", {R"({"n":1})", R"({"n":2})", "{", R"({"n":{"x":1}})"}, options);
  ASSERT_EQ(report.entries.size(), 2);
  const EntryBench& a = report.entries[0];
  const EntryBench& b = report.entries[1];
  EXPECT_EQ(absl::StrCat(a.entry, " ", a.requests, " ", a.failed), "a 3 1");
  EXPECT_EQ(absl::StrCat(b.entry, " ", b.requests, " ", b.failed), "b 3 2");
  EXPECT_GE(a.samples, 5);
  EXPECT_GT(a.fuel, 0);
  EXPECT_EQ(a.allocations, 0.125);  // 3 of 24 evaluations
  EXPECT_LE(a.ns_low, a.ns);
  EXPECT_LE(a.ns, a.ns_high);
  EXPECT_GT(a.ns_low, 0);
  EXPECT_GT(report.reference_ns, 50);  // it has compiled
}

TEST(RequestBenchTest, Logs) {
  BenchOptions options;
  options.form = RequestForm::kLog;
  const BenchReport report = Measure("a = n\nb = n\nc = n\n",
                                     {R"({"path":"p/a","input":{"n":1}})", R"({"path":"b","input":{"n":1}})",
                                      R"({"path":"p/a","input":{"n":2}})", R"({"path":"q","input":{"n":2}})"},
                                     options);
  ASSERT_EQ(report.entries.size(), 2);
  EXPECT_EQ(report.entries[0].requests, 2);
  EXPECT_EQ(report.entries[1].requests, 1);
  EXPECT_EQ(report.entries[0].allocations, -1);
}

TEST(RequestBenchTest, NothingToMeasure) {
  EXPECT_TRUE(Measure("a = 1", {}).entries.empty());
  BenchOptions options;
  options.max_requests = 2;
  EXPECT_EQ(Measure("a = 1", {"{}", "{}", "{}"}, options).entries[0].requests, 2);
}

// The fastest sample is two below the middle half.
EntryBench Row(double low, double middle, double high) {
  EntryBench entry;
  entry.entry = "a";
  entry.requests = 10;
  entry.samples = 10;
  entry.ns_min = low - 2;
  entry.ns_low = low;
  entry.ns = middle;
  entry.ns_high = high;
  entry.fuel = 5;
  entry.allocations = 0;
  return entry;
}

// A difference is told only where it is no noise.
TEST(RequestBenchTest, Changes) {
  const struct {
    const char* name;
    EntryBench before, after;
    double reference_before, reference_after;
    BenchChange want;
  } kCases[] = {
      {"equal", Row(98, 100, 102), Row(98, 100, 102), 1, 1, BenchChange::kSame},
      {"slower", Row(98, 100, 102), Row(118, 120, 122), 1, 1, BenchChange::kSlower},
      {"faster", Row(118, 120, 122), Row(98, 100, 102), 1, 1, BenchChange::kFaster},
      {"slower, and halves overlap", Row(80, 100, 125), Row(118, 120, 122), 1, 1, BenchChange::kSame},
      {"slower, and as fast at best", Row(98, 100, 102), Row(100, 140, 160), 1, 1, BenchChange::kSame},
      {"little slower", Row(99, 100, 101), Row(106, 107, 108), 1, 1, BenchChange::kSame},
      {"slower on a slower machine", Row(98, 100, 102), Row(118, 120, 122), 1, 1.2, BenchChange::kSame},
      {"as fast on a slower machine", Row(98, 100, 102), Row(98, 100, 102), 1, 1.5, BenchChange::kSame},
      {"much slower on a slower machine", Row(98, 100, 102), Row(198, 200, 202), 1, 1.2, BenchChange::kSlower},
      {"faster on a faster machine", Row(118, 120, 122), Row(98, 100, 102), 1.2, 1, BenchChange::kSame},
      {"a little slower than a much slower machine", Row(98, 100, 102), Row(240, 250, 255), 1, 1.85,
       BenchChange::kSame},
      {"without a reference", Row(98, 100, 102), Row(118, 120, 122), 0, 1, BenchChange::kSlower},
  };
  for (const auto& test : kCases) {
    BenchReport before, after;
    before.reference_ns = test.reference_before;
    after.reference_ns = test.reference_after;
    EXPECT_EQ(CompareBench(before, test.before, after, test.after), test.want) << test.name;
  }
}

TEST(RequestBenchTest, Json) {
  BenchReport report;
  report.reference_ns = 1.5;
  report.entries = {Row(3, 4, 5), Row(10, 20, 30)};
  report.entries[0].allocations = -1;
  const std::string json = BenchJson(report);
  EXPECT_EQ(
      json,
      R"({"reference_ns":1.5000,"entries":[{"entry":"a","requests":10,"failed":0,"samples":10,"ns":4.00,"ns_min":1.00,)"
      R"("ns_low":3.00,"ns_high":5.00,"fuel":5.00,"allocations":null},{"entry":"a","requests":10,"failed":0,)"
      R"("samples":10,"ns":20.00,"ns_min":8.00,"ns_low":10.00,"ns_high":30.00,"fuel":5.00,"allocations":0.0000}]})"
      "\n");
  BenchReport read;
  ASSERT_TRUE(ReadBenchJson(json, &read));
  EXPECT_EQ(BenchJson(read), json);
  for (const char* const wrong : {"", "{}", "[]", R"({"reference_ns":1,"entries":[{}]})", R"({"entries":[]})",
                                  R"({"reference_ns":"x","entries":[]})", R"({"reference_ns":1,"entries":[5]})"}) {
    EXPECT_FALSE(ReadBenchJson(wrong, &read)) << wrong;
  }
}

TEST(RequestBenchTest, Text) {
  BenchReport before, after;
  before.reference_ns = after.reference_ns = 1;
  before.entries = {Row(98, 100, 102)};
  after.entries = {Row(198, 200, 202), Row(3, 4, 5)};
  after.entries[0].failed = 2;
  after.entries[0].fuel = 6;
  after.entries[1].entry = "policy.b";
  size_t slower = 0;
  EXPECT_EQ(BenchText(after, &before, &slower),
            "entry     requests   ns  fastest  middle half  allocations  fuel  before    change        \n"
            "a               10  200      196     198..202         0.00     6      96  +104.2 %  SLOWER\n"
            "policy.b        10    4        1         3..5         0.00     5       -         -     new\n"
            "a: 2 requests fail\n"
            "a: fuel was 5.00\n");
  EXPECT_EQ(slower, 1);
  after.reference_ns = 1.3;
  EXPECT_NE(BenchText(after, &before, &slower).find("the machine takes 30 % more time now"), std::string::npos);
  EXPECT_EQ(BenchText(before, nullptr, &slower),
            "entry  requests   ns  fastest  middle half  allocations  fuel\n"
            "a            10  100       96      98..102         0.00     5\n");
}

}  // namespace
}  // namespace hcl::internal
