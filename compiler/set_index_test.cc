// Which programs a scope leaves to be run. That the others are not true is tested by
// tests/slow/set_search_law_test.cc.

#include "hclvm/compiler/set_index.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/fast_code_test_util.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

SetRecord Record(const std::string& text) {
  const auto segment = std::make_shared<SetSegment>(/*capacity=*/1, /*number=*/0);
  segment->mutable_texts()->Add("p", text, testing_support::PackedFirstTests(text));
  return {segment, 0};
}

std::vector<SetPlace> PlacesOf(const std::vector<SetRecord>& records) {
  std::vector<SetPlace> places;
  for (const SetRecord& record : records) places.push_back({record.segment.get(), record.chunk});
  return places;
}

// The places of programs that have to be run for a scope of these variables.
std::string Left(const SetIndex& index, const Value& scope) {
  std::vector<ScopeValue> values;
  for (const SetPath& path : index.paths()) {
    const int64_t at = scope.shape().Find(path[0]);
    values.emplace_back(at < 0 ? InternalValue(nullptr) : scope.values()[static_cast<size_t>(at)], path);
  }
  std::string text;
  const PageIds ids = index.Candidates([&](uint32_t path) -> ScopeValue& { return values[path]; });
  ids.Any([&](size_t id) {
    absl::StrAppend(&text, text.empty() ? "" : " ", id);
    return false;
  });
  return text;
}

std::string RunJson(const SetIndex& index, std::string_view scope) {
  Heap heap;
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(scope, &heap, &value, &error)) << scope;
  return Left(index, value);
}

TEST(SetIndexTest, FindsWhatAScopeCouldMakeTrue) {
  std::vector<SetRecord> records;
  for (int n = 0; n < 8; ++n)
    records.push_back(Record(absl::StrCat("role == \"r\" && path == \"/", n, "\" && level > 3")));
  for (int n = 0; n < 8; ++n) records.push_back(Record(absl::StrCat("startswith(path, \"/", n, "\") && user.admin")));
  records.emplace_back();
  records.push_back(Record("level > 3"));
  records.push_back(Record("contains([\"/1\", \"/2\"], path)"));
  records.push_back(Record("other == \"/1\" && level > 3"));  // one is too few for a group
  const SetIndex index(PlacesOf(records));
  const struct {
    const char* scope;
    const char* want;
  } kCases[] = {
      {R"({"path": "/1", "role": "r", "user": {}})", "1 9 17 18 19"},
      {R"({"path": "/1/2", "role": "r", "user": {"admin": true}})", "9 17 19"},
      {R"({"path": "/9", "role": "r", "user": {}})", "17 19"},
      {R"({"path": "", "role": "r", "user": {}})", "17 19"},
      {R"({"path": "/9", "role": 1, "user": {}})", "17 19"},
      // Without a role, the first eight may fail; so may the next ones with another admin.
      {R"({"path": "/9", "user": {}})", "0 1 2 3 4 5 6 7 17 19"},
      {R"({"path": "/9", "role": "r", "user": {"admin": "x"}})", "8 9 10 11 12 13 14 15 17 19"},
      {R"({"path": "/9", "role": "r", "user": {"admin": null}})", "8 9 10 11 12 13 14 15 17 19"},
      // A number is none of the texts, but may begin with one of them when it is converted.
      {R"({"path": 5, "role": "r", "user": {}})", "8 9 10 11 12 13 14 15 17 19"},
      {R"({"role": "r", "user": {}})", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 17 18 19"},
  };
  for (const auto& [scope, want] : kCases) EXPECT_EQ(RunJson(index, scope), want) << scope;
}

TEST(SetIndexTest, LooksUpNumbersAndMixedLists) {
  std::vector<SetRecord> records;
  for (int n = 0; n < 8; ++n) records.push_back(Record(absl::StrCat("tenant == ", n, " && path == \"/a\"")));
  for (int n = 0; n < 8; ++n) records.push_back(Record(absl::StrCat("contains([", n, ", \"t", n, "\"], tenant)")));
  const SetIndex index(PlacesOf(records));
  EXPECT_EQ(RunJson(index, R"({"tenant": 3, "path": "/a"})"), "3 11");
  EXPECT_EQ(RunJson(index, R"({"tenant": "t3", "path": "/a"})"), "11");
  EXPECT_EQ(RunJson(index, R"({"tenant": "3", "path": "/b"})"), "");
  EXPECT_EQ(RunJson(index, R"({"tenant": 9, "path": 1})"), "");
  EXPECT_EQ(RunJson(index, R"({"tenant": true})"), "");
  EXPECT_EQ(RunJson(index, R"({"tenant": [3]})"), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
}

// The second of them cannot do without a run, as a user must be there.
TEST(SetIndexTest, DemandsWhatTheCodeLooksAt) {
  std::vector<SetRecord> records;
  for (int n = 0; n < 10; ++n) records.push_back(Record(absl::StrCat("path == \"/", n, "\" && user.admin")));
  const SetIndex index(PlacesOf(records));
  EXPECT_EQ(RunJson(index, R"({"path": "/3", "user": {"admin": false}})"), "3");
  EXPECT_EQ(RunJson(index, R"({"path": "/3"})"), "0 1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(RunJson(index, R"({"path": "/3", "user": 1})"), "0 1 2 3 4 5 6 7 8 9");
}

TEST(SetIndexTest, WhatIsNotKnownOrMarkedIsRun) {
  std::vector<SetRecord> records;
  for (int n = 0; n < 8; ++n) records.push_back(Record(absl::StrCat("o.path == \"/", n, "\" && level > 3")));
  const SetIndex index(PlacesOf(records));
  Heap heap;
  const auto scope = [&](const Value& path) {
    const auto object = [&](std::string_view name, const Value& value) {
      const Value key = Value::String(std::string(name), heap.arena());
      return MakeObject(MakeShape({&key, 1}, heap.arena()), {&value, 1}, heap.arena());
    };
    return object("o", object("path", path));
  };
  const std::string all = "0 1 2 3 4 5 6 7";
  EXPECT_EQ(Left(index, scope(Value::StringView("/5"))), "5");
  EXPECT_EQ(Left(index, scope(Value::Unknown(Type::String()))), all);
  EXPECT_EQ(Left(index, scope(Value::Dynamic())), all);
  EXPECT_EQ(Left(index, scope(Mark(Value::StringView("/5"), 1, heap.arena()))), all);
  EXPECT_EQ(Left(index, scope(Value::Null(Type::String()))), all);
}

// Prefixes of so many lengths that some stand with what they begin with, long ones, and one of nothing.
TEST(SetIndexTest, PrefixesOfManyLengths) {
  std::vector<SetRecord> records;
  const std::string text(100, 'a');
  for (size_t n = 0; n < 100; ++n) {
    records.push_back(Record(absl::StrCat("startswith(path, \"", text.substr(0, n), "\") && level > 3")));
  }
  const SetIndex index(PlacesOf(records));
  for (const size_t size : {0, 1, 5, 20, 63, 64, 65, 99, 100}) {
    const std::string found =
        absl::StrCat(" ", RunJson(index, absl::StrCat("{\"path\": \"", text.substr(0, size), "\"}")), " ");
    for (size_t n = 0; n < 100 && n <= size; ++n) {
      EXPECT_NE(found.find(absl::StrCat(" ", n, " ")), std::string::npos) << size << ": " << n;
    }
  }
  EXPECT_EQ(RunJson(index, R"({"path": "b"})"), "0");
}

}  // namespace
}  // namespace hcl::internal
