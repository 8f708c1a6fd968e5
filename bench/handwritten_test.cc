// Compares the hand-written workloads with the reference implementation's
// answers, which are typed JSON, one a line.

#include "bench/handwritten.h"

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace hcl::bench {
namespace {

// Text in quotes, for absl::StrJoin; the workloads' texts need no escapes.
struct Quote {
  void operator()(std::string* out, const std::string& text) const { absl::StrAppend(out, "\"", text, "\""); }
};

std::string Typed(bool value) { return absl::StrCat(R"({"type":"bool","value":)", value ? "true" : "false", "}"); }

std::string Typed(int64_t value) { return absl::StrCat(R"({"type":"number","value":)", value, "}"); }

std::string Typed(const std::string& value) { return absl::StrCat(R"({"type":"string","value":")", value, "\"}"); }

std::string Typed(const std::vector<std::string>& value) {
  const std::vector<std::string> types(value.size(), "string");
  return absl::StrCat(R"({"type":["tuple",[)", absl::StrJoin(types, ",", Quote()), R"(]],"value":[)",
                      absl::StrJoin(value, ",", Quote()), "]}");
}

std::string Typed(const std::map<std::string, std::string>& value) {
  std::vector<std::string> types;
  std::vector<std::string> entries;
  for (const auto& [key, text] : value) {
    types.push_back(absl::StrCat("\"", key, "\":\"string\""));
    entries.push_back(absl::StrCat("\"", key, "\":\"", text, "\""));
  }
  return absl::StrCat(R"({"type":["object",{)", absl::StrJoin(types, ","), R"(}],"value":{)",
                      absl::StrJoin(entries, ","), "}}");
}

template <typename Workload>
void Check(const std::string& name) {
  std::ifstream want(absl::StrCat("bench/want/", name, ".ndjson"));
  ASSERT_TRUE(want.is_open()) << name;
  std::string line;
  for (int i = 0; i < kScopeCount; ++i) {
    ASSERT_TRUE(std::getline(want, line)) << name << " scope " << i;
    EXPECT_EQ(Typed(Workload::Make(i).Evaluate()), line) << name << " scope " << i;
  }
  EXPECT_FALSE(std::getline(want, line)) << name;
}

TEST(HandwrittenTest, W0) { Check<W0>("W0"); }
TEST(HandwrittenTest, W1) { Check<W1>("W1"); }
TEST(HandwrittenTest, W2) { Check<W2>("W2"); }
TEST(HandwrittenTest, W3) { Check<W3>("W3"); }
TEST(HandwrittenTest, W4) { Check<W4>("W4"); }
TEST(HandwrittenTest, W5) { Check<W5>("W5"); }
TEST(HandwrittenTest, W6) { Check<W6>("W6"); }
TEST(HandwrittenTest, W7) { Check<W7>("W7"); }
TEST(HandwrittenTest, W8) { Check<W8>("W8"); }
TEST(HandwrittenTest, W9) { Check<W9>("W9"); }

}  // namespace
}  // namespace hcl::bench
