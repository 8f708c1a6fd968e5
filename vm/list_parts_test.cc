// Lists in JSON to what is asked of them; beside the functions that make the lists.

#include "hclvm/vm/list_parts.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// "SHARED LACKING", or "-" where they are not counted.
std::string Counts(const Value& list, const Value& other) {
  int64_t shared = 0;
  int64_t lacking = 0;
  uint64_t cost = 0;
  const bool is_shared = CountShared(list, other, /*lacking=*/false, &shared, &cost);
  const bool is_lacking = CountShared(list, other, /*lacking=*/true, &lacking, &cost);
  EXPECT_EQ(is_shared, is_lacking);
  return is_shared ? std::to_string(shared) + " " + std::to_string(lacking) : "-";
}

TEST(ListParts, Counts) {
  const std::string kLong = "\"a text that is too long to be inline\"";
  const std::string kOther = "\"a text that is too long to be online\"";
  const struct {
    std::string list;
    std::string other;
    const char* counts;
  } kCases[] = {
      {R"(["a","b","c"])", R"(["b","c","d"])", "2 1"},
      {R"(["a","a","b","b"])", R"(["b","b"])", "1 1"},
      {R"(["a"])", R"(["b"])", "0 1"},
      {"[1,2,2.5]", "[2.5,1.0,7]", "2 1"},
      {"[1e30,5]", "[1000000000000000000000000000000]", "1 1"},
      {"[true,false,true]", "[true]", "1 1"},
      {"[" + kLong + ",\"a\"]", "[" + kOther + "," + kLong + "]", "1 1"},
      // An empty tuple suits elements of any type.
      {"[]", R"(["a"])", "0 0"},
      {R"(["a","b","a"])", "[]", "0 2"},
      {"[]", "[]", "0 0"},
      {"[]", "[{}]", "-"},
      // Of several types, which one has to be converted to the other; with parts; with what is missing.
      {R"(["1"])", "[1]", "-"},
      {R"(["a",true])", R"(["a"])", "-"},
      {R"([["a"]])", R"([["a"]])", "-"},
      {R"(["a",null])", R"(["a"])", "-"},
      {R"({"a":1})", R"(["a"])", "-"},
      {R"("a")", R"(["a"])", "-"},
      {"null", R"(["a"])", "-"},
  };
  Heap heap;
  for (const auto& c : kCases) {
    EXPECT_EQ(Counts(ParsedJson(c.list, &heap), ParsedJson(c.other, &heap)), c.counts) << c.list << " " << c.other;
  }
}

TEST(ListParts, AnEmptyListHasAType) {
  Heap heap;
  const Value strings = ParsedJson(R"(["a"])", &heap);
  EXPECT_EQ(Counts(strings, MakeList(Type::Number(), {}, heap.arena())), "-");
  EXPECT_EQ(Counts(MakeSet(Type::Number(), {}, heap.arena()), strings), "-");
}

TEST(ListParts, VeryManyAreNotCompared) {
  Heap heap;
  std::string many = "[0";
  for (int n = 1; n < 100; ++n) many += "," + std::to_string(n);
  const Value list = ParsedJson(many + "]", &heap);
  EXPECT_EQ(Counts(list, list), "-");
  EXPECT_EQ(Counts(ParsedJson("[5,500]", &heap), list), "1 1");
}

TEST(ListParts, Pieces) {
  const struct {
    const char* text;
    const char* separator;
    uint32_t place;
    const char* piece;  // null: none
  } kCases[] = {
      {"/api/v1/users", "/", 0, ""},
      {"/api/v1/users", "/", 2, "v1"},
      {"/api/v1/users", "/", 3, "users"},
      {"/api/v1/users", "/", 4, nullptr},
      {"", ",", 0, ""},
      {"", ",", 1, nullptr},
      {"a,b,", ",", 2, ""},
      {"a::b::c", "::", 1, "b"},
      {"a:::b", "::", 1, ":b"},
      {"abc", "", 0, nullptr},
      {"no separator in this long text", "/", 0, "no separator in this long text"},
      {"a long piece of text/and more", "/", 0, "a long piece of text"},
      {"a,b,c", ",", 65535, "c"},
      {"a,b,c", ",", 65533, "a"},
      {"a,b,c", ",", 65532, nullptr},
      {"a,b,", ",", 65535, ""},
      {"", ",", 65535, ""},
      {"a:::b", "::", 65535, nullptr},
      {"user.name@host.example.com", ".", 65534, "example"},
  };
  for (const auto& c : kCases) {
    Value piece = Value::StringView(c.text);
    uint64_t cost = 0;
    const bool found = PieceAt(piece, Value::StringView(c.separator), c.place, &piece, &cost);
    ASSERT_EQ(found, c.piece != nullptr) << c.text << " " << c.place;
    if (found) {
      EXPECT_EQ(piece.AsString(), c.piece) << c.text << " " << c.place;
    }
  }
  Value piece;
  uint64_t cost = 0;
  EXPECT_FALSE(PieceAt(Value::Int(1), Value::StringView("/"), 0, &piece, &cost));
  EXPECT_FALSE(PieceAt(Value::StringView("1"), Value::Null(), 0, &piece, &cost));
}

TEST(ListParts, CountsAndFindsPieces) {
  const struct {
    const char* text;
    const char* separator;
    const char* piece;
    int64_t count;
    bool found;
  } kCases[] = {
      {"read write admin", " ", "write", 3, true},
      {"read write admin", " ", "rite", 3, false},
      {"read write admin", " ", "admin", 3, true},
      {"read write admin", " ", "read write", 3, false},
      {"", ",", "", 1, true},
      {"", ",", "a", 1, false},
      {"a,,b", ",", "", 3, true},
      {"a,b", ",", "", 2, false},
      {"a,b,", ",", "", 3, true},
      {"a:::b", "::", ":b", 2, true},
      {"a:::b", "::", "b", 2, false},
      {"a::::b", "::", "", 3, true},
      {"no separator in this long text", "/", "no separator in this long text", 1, true},
  };
  for (const auto& c : kCases) {
    const Value text = Value::StringView(c.text), separator = Value::StringView(c.separator);
    int64_t count = 0;
    bool found = false;
    uint64_t cost = 0;
    ASSERT_TRUE(CountPieces(text, separator, &count, &cost)) << c.text;
    EXPECT_EQ(count, c.count) << c.text;
    ASSERT_TRUE(HasPiece(text, separator, Value::StringView(c.piece), &found, &cost)) << c.text;
    EXPECT_EQ(found, c.found) << c.text << " " << c.piece;
  }
  int64_t count = 0;
  bool found = false;
  uint64_t cost = 0;
  const Value text = Value::StringView("a");
  EXPECT_FALSE(CountPieces(text, Value::StringView(""), &count, &cost));
  EXPECT_FALSE(CountPieces(Value::Int(1), text, &count, &cost));
  EXPECT_FALSE(HasPiece(text, Value::Null(), text, &found, &cost));
  EXPECT_FALSE(HasPiece(text, text, Value::Int(1), &found, &cost));
}

}  // namespace
}  // namespace hcl::internal
