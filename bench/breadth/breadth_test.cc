// Compares the breadth workloads by hand with the reference implementation's answers, which are typed JSON, one a line.

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "hclvm/bench/breadth/by_hand.h"
#include "hclvm/bench/breadth/fields.h"
#include "hclvm/bench/breadth/scope_reader.h"
#include "hclvm/bench/typed_answer.h"

namespace hcl::bench {
namespace {

template <typename Workload>
void Check(int number) {
  const std::string name = absl::StrFormat("B%02d", number);
  std::ifstream want("bench/want/" + name + ".ndjson");
  ASSERT_TRUE(want.is_open()) << name;
  const std::vector<Workload> scopes = ReadScopes<Workload>("bench/inputs/" + name + ".ndjson");
  EXPECT_EQ(scopes.size(), 16u) << name;
  std::string line;
  for (size_t i = 0; i < scopes.size(); ++i) {
    ASSERT_TRUE(std::getline(want, line)) << name << " scope " << i;
    EXPECT_EQ(TypedAnswer(scopes[i].Evaluate()), line) << name << " scope " << i;
  }
  EXPECT_FALSE(std::getline(want, line)) << name;
}

template <size_t... kIndex>
void CheckAll(std::index_sequence<kIndex...> /*all*/) {
  (Check<std::tuple_element_t<kIndex, BreadthWorkloads>>(kIndex + 1), ...);
}

TEST(BreadthTest, AnswersAreThoseOfTheReference) {
  CheckAll(std::make_index_sequence<std::tuple_size_v<BreadthWorkloads>>());
}

TEST(BreadthTest, DecimalsAreWrittenOnceOnly) {
  EXPECT_EQ(TypedAnswer(Fixed<2>{1290}), R"({"type":"number","value":12.9})");
  EXPECT_EQ(TypedAnswer(Fixed<2>{1200}), R"({"type":"number","value":12})");
  EXPECT_EQ(TypedAnswer(Fixed<2>{0}), R"({"type":"number","value":0})");
  EXPECT_EQ(TypedAnswer(Fixed<2>{-5}), R"({"type":"number","value":-0.05})");
  EXPECT_EQ(TypedAnswer(Fixed<2>{-150}), R"({"type":"number","value":-1.5})");
}

struct Part {
  std::vector<std::string> texts;
  std::optional<int64_t> number;
  static auto Fields() { return std::make_tuple(Field("texts", &Part::texts), Field("number", &Part::number)); }
};

struct Whole {
  std::map<std::string, Part> parts;
  Prefixed<Part> part;
  ListOf<std::string> list;
  static auto Fields() {
    return std::make_tuple(Field("parts", &Whole::parts), Field("part", &Whole::part), Field("list", &Whole::list));
  }
};

TEST(BreadthTest, AnswersOfAllKinds) {
  const Whole whole = {{{"a", {{"x\n\"y\\"}, 7}}}, {{{}, std::nullopt}}, {{"z"}}};
  EXPECT_EQ(TypedAnswer(whole),
            R"({"type":["object",{"list":["list","string"],"part_number":"number","part_texts":["tuple",[]],)"
            R"("parts":["object",{"a":["object",{"number":"number","texts":["tuple",["string"]]}]}]}],)"
            R"("value":{"list":["z"],"part_number":null,"part_texts":[],)"
            R"("parts":{"a":{"number":7,"texts":["x\n\"y\\"]}}}})");
}

TEST(BreadthTest, ReadsWhatMayBeMissing) {
  simdjson::dom::parser parser;
  std::map<std::string, Part> parts;
  const std::string text =
      R"({"a": {"texts": ["x"]}, "b": {"texts": [], "number": null}, "c": {"texts": [], "number": 1}})";
  ReadJson(parser.parse(text).value(), &parts);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts["a"].texts, std::vector<std::string>{"x"});
  EXPECT_EQ(parts["a"].number, std::nullopt);
  EXPECT_EQ(parts["b"].number, std::nullopt);
  EXPECT_EQ(parts["c"].number, 1);
}

}  // namespace
}  // namespace hcl::bench
