// Lines of the decision log.

#include "hclvm/serve/decision_record.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"

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

TEST(DecisionRecordTest, WritesLines) {
  Heap heap;
  DecisionRecord record;
  JsonError error;
  ASSERT_TRUE(JsonReader().Read(R"({"user":{"name":"ann","token":"x"}})", &heap, &record.input, &error));
  record.decision_id = "id";
  record.revision = "r1";
  record.path = "a/b";
  record.result = "true";
  record.nanoseconds = 12;
  record.fuel = 3;
  LogMask mask;
  ASSERT_EQ(mask.Add("user.token", true), "");
  std::string line;
  ASSERT_TRUE(AppendDecisionLine(record, mask, R"({"env":"test"})", 1000, &line));
  EXPECT_EQ(
      line,
      R"({"decision_id":"id","timestamp":"1970-01-01T00:00:00.000000000Z","labels":{"env":"test"},)"
      R"("revision":"r1","path":"a/b","outcome":"value","input":{"user":{"name":"ann"}},"erased":["/user/token"],)"
      R"("result":true,"metrics":{"decision_ns":12,"fuel":3}})"
      "\n");
  const size_t size = line.size();
  line = "before";
  EXPECT_FALSE(AppendDecisionLine(record, mask, "{\"env\":\"test\"}", size - 1, &line));
  EXPECT_EQ(line, "before");
  EXPECT_TRUE(AppendDecisionLine(record, mask, "{\"env\":\"test\"}", size, &line));

  record.is_error = true;
  record.result = "[]";
  record.trace_id = "t";
  record.span_id = "s";
  ShadowRecord shadow;
  shadow.revision = "r2";
  shadow.result = "false";
  record.shadow = &shadow;
  line.clear();
  ASSERT_TRUE(AppendDecisionLine(record, mask, "{}", 1000, &line));
  EXPECT_NE(line.find(R"("error":[],"trace_id":"t","span_id":"s","metrics":{"decision_ns":12,"fuel":3},)"
                      R"("shadow":{"revision":"r2","same":false,"result":false}})"),
            std::string::npos)
      << line;
}

}  // namespace
}  // namespace hcl::serve
