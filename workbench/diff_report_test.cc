// Reports of RequestDiff: one comparison in each form.

#include "hclvm/workbench/diff_report.h"

#include <chrono>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/request_diff.h"

namespace hcl::internal {
namespace {

ComparedEntries Entries() {
  ComparedEntries entries;
  entries.both = {{"allow", nullptr, nullptr}, {"same", nullptr, nullptr}};
  entries.only_before = {"gone"};
  entries.only_after = {"n\033[31mew"};
  return entries;
}

DiffCounts Counts() {
  DiffCounts counts;
  counts.requests = 100;
  counts.differing = 5;
  counts.partial = 1;
  counts.other = 2;
  counts.broken = 1;
  counts.first_broken = 7;
  counts.fault = "Invalid JSON: \n";
  counts.entries.resize(2);
  EntryCounts& entry = counts.entries[0];
  entry.answers = 100;
  entry.before = {1000, std::chrono::nanoseconds(50'000)};
  entry.after = {1100, std::chrono::nanoseconds(25'000)};
  entry.groups[{AnswerChange::kValue, "true", "false", "m is true (p.hcl:1)", "m is false (p.hcl:1)"}] = {
      2, 20, "", "true", "false", "", "", ""};
  entry.groups[{AnswerChange::kValue, "a|b", "`c`", "", ""}] = {
      2, 3, "id-1", "{\"rule\":\"a|b\"}", "{\"rule\":\"`c`\"}", "", "", ""};
  entry.groups[{AnswerChange::kFailsNow, "true", "error HCL4301", "", "n.x fails (p.hcl:1)"}] = {
      3, 9, "", "true", "error HCL4301 at p.hcl:1: No\nx.", "", "", ""};
  counts.entries[1].answers = 100;
  return counts;
}

TEST(DiffReportTest, Text) {
  EXPECT_EQ(DiffText(Entries(), Counts(), DiffReportOptions()), R"(allow  7 of 100 answers
       3  true -> error HCL4301  (line 9)
          because nothing -> n.x fails (p.hcl:1)
          - true
          + error HCL4301 at p.hcl:1: No x.
       2  a|b -> `c`  (line 3, id-1)
          - {"rule":"a|b"}
          + {"rule":"`c`"}
       2  true -> false  (line 20)
          because m is true (p.hcl:1) -> m is false (p.hcl:1)
          fuel of an answer 10 -> 11 (+10.0 %); time 500 -> 250 ns (-50.0 %)

gone: gone
new: n [31mew
1 decision not answered, as the log leaves parts of the variables out
2 decisions of other entries
1 line no request; line 7: Invalid JSON:  
100 requests, 200 answers of 2 entries: 7 differ, 3 fail now
fuel of an answer 5 -> 6 (+10.0 %); time 250 -> 125 ns (-50.0 %)
)");
  DiffReportOptions few;
  few.max_groups = 1;
  EXPECT_NE(DiffText(Entries(), Counts(), few).find("and 2 further ways\n"), std::string::npos);
}

TEST(DiffReportTest, Markdown) {
  EXPECT_EQ(DiffMarkdown(Entries(), Counts(), DiffReportOptions()),
            R"(**100 requests, 200 answers of 2 entries: 7 differ, 3 fail now**

| entry | answers | differ | fail now | fuel | time |
|---|---|---|---|---|---|
| `allow` | 100 | 7 | 3 | 10 -> 11 (+10.0 %) | 500 -> 250 ns (-50.0 %) |
| `same` | 100 | 0 | 0 | 0 -> 0 | 0 -> 0 ns |

`allow`

| answers | before | after | for example | before | after |
|---|---|---|---|---|---|
| 3 | `true` | `error HCL4301`<br>`n.x fails (p.hcl:1)` | line 9 | `true` | `error HCL4301 at p.hcl:1: No x.` |
| 2 | `a\|b` | `` `c` `` | line 3, `id-1` | `{"rule":"a\|b"}` | `` {"rule":"`c`"} `` |
| 2 | `true`<br>`m is true (p.hcl:1)` | `false`<br>`m is false (p.hcl:1)` | line 20 | `true` | `false` |

Gone: `gone`

New: `n [31mew`

1 decision not answered, as the log leaves parts of the variables out
2 decisions of other entries

1 line no request; line 7: `Invalid JSON:  `
)");
}

TEST(DiffReportTest, Json) {
  const std::string json = DiffJson(Entries(), Counts());
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  ASSERT_TRUE(reader.Read(json, &heap, &value, &error)) << error.detail << "\n" << json;
  EXPECT_EQ(json.substr(0, 176),
            R"({"requests":100,"differing_requests":5,"answers":200,"differing":7,"partial":1,"other":2,"broken":1,)"
            R"("first_broken":{"line":7,"fault":"Invalid JSON: \n"},"only_before":["gone"],)");
  EXPECT_NE(json.find(R"({"change":"fails_now","count":3,"before":"true","after":"error HCL4301",)"
                      R"x("decided_after":"n.x fails (p.hcl:1)","example":{"line":9,"before":"true",)x"),
            std::string::npos)
      << json;
}

TEST(DiffReportTest, Same) {
  ComparedEntries entries;
  entries.both = {{"allow", nullptr, nullptr}};
  DiffCounts counts;
  counts.requests = 1;
  counts.entries.resize(1);
  counts.entries[0].answers = 1;
  EXPECT_TRUE(IsSame(entries, counts));
  EXPECT_EQ(DiffText(entries, counts, DiffReportOptions()),
            "1 request, 1 answer of 1 entry: all the same\nfuel of an answer 0 -> 0; time 0 -> 0 ns\n");
  EXPECT_EQ(DiffMarkdown(entries, counts, DiffReportOptions()).substr(0, 50),
            "**1 request, 1 answer of 1 entry: all the same**\n\n");
  counts.entries[0].same_error = 1;
  EXPECT_TRUE(IsSame(entries, counts));
  EXPECT_EQ(DiffText(entries, counts, DiffReportOptions()).substr(0, 66),
            "1 request, 1 answer of 1 entry: all the same, 1 fails as before\nfu");
  entries.only_after = {"x"};
  EXPECT_FALSE(IsSame(entries, counts));
}

}  // namespace
}  // namespace hcl::internal
