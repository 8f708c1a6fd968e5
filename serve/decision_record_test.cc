// Lines of the decision log.

#include "hclvm/serve/decision_record.h"

#include <cstdint>
#include <ctime>
#include <string>

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

TEST(DecisionRecordTest, WritesTimes) {
  const auto text = [](int64_t time) {
    std::string out;
    AppendTimestamp(time, &out);
    return out;
  };
  EXPECT_EQ(text(0), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(text(1), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(text(1717243200'123456789), "2024-06-01T12:00:00.123456789Z");
  EXPECT_EQ(text(-1), "1969-12-31T23:59:59.999999999Z");
}

// As the system has it: days at the ends of months, leap years, and years that are none though four divides them.
TEST(DecisionRecordTest, WritesDays) {
  constexpr int64_t kHalfDay = 43'200;
  for (int64_t seconds = -9'000'000'000; seconds < 9'000'000'000; seconds += kHalfDay) {
    std::string out;
    AppendTimestamp(seconds * 1'000'000'000, &out);
    const std::time_t time = seconds;
    std::tm civil = {};
    gmtime_r(&time, &civil);
    char want[40];
    std::strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S.000000000Z", &civil);
    ASSERT_EQ(out, want);
  }
}

TEST(DecisionRecordTest, WritesLines) {
  DecisionRecord record;
  record.input = R"({"user":{"name":"ann"}})";
  record.erased = R"("/user/token")";
  record.decision_id = "id";
  record.revision = "r1";
  record.path = "a/b";
  record.result = "true";
  record.nanoseconds = 12;
  record.fuel = 3;
  std::string line;
  ASSERT_TRUE(AppendDecisionLine(record, R"({"env":"test"})", 1000, &line));
  EXPECT_EQ(
      line,
      R"({"decision_id":"id","timestamp":"1970-01-01T00:00:00.000000000Z","labels":{"env":"test"},)"
      R"("revision":"r1","path":"a/b","outcome":"value","input":{"user":{"name":"ann"}},"erased":["/user/token"],)"
      R"("result":true,"metrics":{"decision_ns":12,"fuel":3}})"
      "\n");
  const size_t size = line.size();
  line = "before";
  EXPECT_FALSE(AppendDecisionLine(record, "{\"env\":\"test\"}", size - 1, &line));
  EXPECT_EQ(line, "before");
  EXPECT_TRUE(AppendDecisionLine(record, "{\"env\":\"test\"}", size, &line));

  record.is_error = true;
  record.result = "[]";
  record.trace_id = "t";
  record.span_id = "s";
  ShadowRecord shadow;
  shadow.revision = "r2";
  shadow.result = "false";
  record.shadow = &shadow;
  line.clear();
  ASSERT_TRUE(AppendDecisionLine(record, "{}", 1000, &line));
  EXPECT_NE(line.find(R"("error":[],"trace_id":"t","span_id":"s","metrics":{"decision_ns":12,"fuel":3},)"
                      R"("shadow":{"revision":"r2","same":false,"result":false}})"),
            std::string::npos)
      << line;

  record.input = {};
  record.masked = R"("/x")";
  line.clear();
  ASSERT_TRUE(AppendDecisionLine(record, "{}", 1000, &line));
  EXPECT_NE(line.find(R"("input":null,"erased":[""],"error")"), std::string::npos) << line;
}

}  // namespace
}  // namespace hcl::serve
