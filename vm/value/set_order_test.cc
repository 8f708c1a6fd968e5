// Tests of the order of sets.

#include "hclvm/vm/value/set_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::FindSetElement;
using internal::SortSetElements;
namespace {

class SetOrderTest : public ::testing::Test {
 protected:
  Value Num(const char* text) {
    NumberError error;
    return Value::FromNumber(Number::Parse(text, NumberSyntax::kReference, Limits(), &arena_, &error));
  }
  Value Text(const char* text) { return Value::StringView(text); }
  Value Tuple(const std::vector<Value>& elements) { return MakeTuple(elements, &arena_); }

  // The set of the wanted elements, given in any order and twice, iterates as wanted.
  void ExpectOrder(Type element, const std::vector<Value>& want) {
    std::mt19937 engine(1);
    for (int i = 0; i < 20; ++i) {
      std::vector<Value> given = want;
      for (const Value& value : want) {
        if (value.is_wholly_known()) given.push_back(value);
      }
      std::shuffle(given.begin(), given.end(), engine);
      Value set = MakeSet(element, given, &arena_);
      ASSERT_EQ(set.size(), want.size());
      for (size_t j = 0; j < want.size(); ++j) EXPECT_TRUE(Identical(set.elements()[j], want[j])) << j;
      for (size_t j = 0; j < want.size(); ++j) {
        if (!want[j].is_wholly_known()) continue;
        EXPECT_EQ(FindSetElement(set, want[j]), static_cast<int64_t>(j));
      }
    }
  }

  Arena arena_;
  TypeTable types_;
};

TEST_F(SetOrderTest, PrimitiveElements) {
  Value null = Value::Null(Type::String());
  Value unknown = Value::Unknown(Type::String());
  ExpectOrder(Type::String(), {Text(""), Text("B"), Text("a"), Text("a string longer than inline"), Text("b"),
                               Text("\xc3\xa9"), unknown, null});
  ExpectOrder(Type::Bool(), {Value::Bool(false), Value::Bool(true)});
  ExpectOrder(Type::Number(), {Num("-1e30"), Num("-2"), Num("0"), Num("0.5"), Num("9"), Num("10"), Num("1e30")});
}

// The words by which strings are sorted hold 14 bytes and a length; what differs behind them, or in zeros only, too.
TEST_F(SetOrderTest, StringsOfOneBeginning) {
  const std::string beginning = "arn:aws:iam::123456789012:role/";
  const std::string zeros("a\0\0", 3);
  struct Case {
    const char* name;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"none", {}},
      {"one", {"a"}},
      {"the empty string", {"", "a"}},
      {"zeros", {"", zeros.substr(1, 1), "a", zeros.substr(0, 2), zeros, "aa"}},
      {"bytes above ASCII", {"a", "z", "\xc3\xa9", "\xe2\x82\xac"}},
      {"the longest short strings", {"0123456789abc", "0123456789abcd", "0123456789abcde", "0123456789abcdef"}},
      {"a prefix of the others", {beginning, beginning + "a", beginning + "b"}},
      {"far behind", {beginning + std::string(40, 'x') + "a", beginning + std::string(40, 'x') + "b"}},
      {"short and long", {"a", "arn:", beginning + "0123456789abcdX", beginning + "0123456789abcdY", "b"}},
      {"short behind a prefix", {beginning + "a", beginning + "ab", beginning + "b"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<Value> want;
    for (const std::string& text : c.want) want.push_back(Value::String(text, &arena_));
    ExpectOrder(Type::String(), want);
  }
}

TEST_F(SetOrderTest, NumbersOfManyForms) {
  ExpectOrder(Type::Number(),
              {Num("-9223372036854775809"), Num("-9223372036854775808"), Num("-1"), Num("-0.5"), Num("0"), Num("0.25"),
               Num("9223372036854775807"), Num("9223372036854775808"), Num("1e200")});
  ExpectOrder(Type::Number(), {Num("-9223372036854775808"), Num("-1"), Num("0"), Num("1"), Num("9223372036854775807")});
}

// Large and small sets, in runs and at random, beside the obvious way.
TEST_F(SetOrderTest, IsThatOfSortedTexts) {
  std::mt19937 engine(2);
  for (const size_t size : {2, 3, 11, 12, 13, 31, 32, 33, 100, 1000}) {
    for (const char* beginning : {"", "x", "a beginning of more than a word"}) {
      for (const bool in_runs : {false, true}) {
        std::vector<std::string> texts;
        for (size_t i = 0; i < size; ++i) texts.push_back(beginning + std::to_string(engine() % (2 * size)));
        if (in_runs) {
          std::sort(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(size / 3));
          std::sort(texts.begin() + static_cast<std::ptrdiff_t>(size / 3), texts.end(), std::greater<>());
        }
        std::vector<Value> elements;
        for (const std::string& text : texts) elements.push_back(Value::String(text, &arena_));
        std::vector<uint32_t> counts(size);
        const size_t kept = SortSetElements(absl::MakeSpan(elements), &arena_, counts.data());
        std::map<std::string, uint32_t> want;
        for (const std::string& text : texts) ++want[text];
        ASSERT_EQ(kept, want.size());
        size_t at = 0;
        for (const auto& [text, count] : want) {
          EXPECT_EQ(elements[at].AsString(), text);
          EXPECT_EQ(counts[at++], count);
        }
        elements.clear();
        for (const std::string& text : texts) elements.push_back(Value::String(text, &arena_));
        internal::SortStrings(absl::MakeSpan(elements), &arena_);
        std::sort(texts.begin(), texts.end());
        for (size_t i = 0; i < size; ++i) EXPECT_EQ(elements[i].AsString(), texts[i]);
      }
    }
  }
}

TEST_F(SetOrderTest, CountsEqualElements) {
  const Type string = Type::String();
  const Value unknown = Value::Unknown(string), null = Value::Null(string), pair = Tuple({Num("1"), Text("a")});
  std::vector<Value> elements = {null, Text("b"), unknown, Text("a"), null, unknown, Text("b")};
  std::vector<uint32_t> counts(elements.size());
  ASSERT_EQ(SortSetElements(absl::MakeSpan(elements), &arena_, counts.data()), 5u);
  EXPECT_EQ(std::vector<uint32_t>(counts.begin(), counts.begin() + 5), (std::vector<uint32_t>{1, 2, 1, 1, 2}));
  elements = {pair, Tuple({Num("1"), Text("A")}), Tuple({Num("1"), Text("a")})};
  ASSERT_EQ(SortSetElements(absl::MakeSpan(elements), &arena_, counts.data()), 2u);
  EXPECT_EQ(counts[0], 1u);
  EXPECT_EQ(counts[1], 2u);
  EXPECT_TRUE(elements[1].SameBits(pair));  // the first of them is kept
}

// From hardly any different elements to only such ones; of equal ones the first is kept.
TEST_F(SetOrderTest, RepeatedElements) {
  std::mt19937 engine(3);
  const auto draw = [&engine](size_t below) { return engine() % below; };
  for (int round = 0; round < 3000; ++round) {
    const size_t kind = draw(4);
    const size_t different = 1 + draw(round % 3 == 0 ? 5 : 300);
    const size_t size = draw(round % 2 == 0 ? 60 : 400);
    std::vector<Value> elements;
    for (size_t n = 0; n < size; ++n) {
      const size_t drawn = draw(different);
      std::string text = std::to_string(1000 + drawn);
      if (kind == 1 || (kind == 2 && drawn % 2 == 0)) text.insert(0, "a long beginning ").append(" and a long end");
      elements.push_back(kind == 3 ? Value::Int(static_cast<int64_t>(drawn))
                                   : Value::StringView(arena_.CopyString(text)));
    }
    // Texts and numbers of as many digits, so that one order is that of both.
    const auto text_of = [](const Value& v) {
      return v.is_int() ? std::to_string(1000 + v.AsInt()) : std::string(v.AsString());
    };
    if (round % 5 == 0) {
      std::sort(elements.begin(), elements.begin() + static_cast<int64_t>(size / 2),
                [&](const Value& x, const Value& y) { return text_of(x) < text_of(y); });
    }
    std::map<std::string, Value> want;  // the first of each
    for (const Value& element : elements) want.emplace(text_of(element), element);
    const size_t kept = SortSetElements(absl::MakeSpan(elements), &arena_);
    ASSERT_EQ(kept, want.size());
    size_t at = 0;
    for (const auto& [text, value] : want) ASSERT_TRUE(elements[at++].SameBits(value)) << text;
  }
}

TEST_F(SetOrderTest, OtherElementsGoByTheirText) {
  Type pair = types_.Tuple({Type::Number(), Type::String()});
  // "10" is before "9" in a text, and a large number has an exponent.
  ExpectOrder(pair, {Tuple({Num("123456789012"), Text("")}) /* 1.23456789e+11 */, Tuple({Num("1.5"), Text("x")}),
                     Tuple({Num("10"), Text("a\nb")}), Tuple({Num("10"), Text("ab")}),
                     Tuple({Num("0.00001"), Text("x")}) /* 1e-05 */, Tuple({Num("9"), Text("x")})});
  ExpectOrder(pair, {Tuple({Value::Unknown(Type::Number()), Text("x")}), Value::Null(pair)});
  // The same ten digits: by value.
  ExpectOrder(types_.Tuple({Type::Number()}), {Tuple({Num("12345678901.1")}), Tuple({Num("12345678901.2")})});
}

TEST_F(SetOrderTest, UnknownElementsAreNotMerged) {
  Value unknown = Value::Unknown(Type::Number());
  EXPECT_EQ(MakeSet(Type::Number(), {unknown, unknown, Num("1"), Num("1")}, &arena_).size(), 3u);
  Value holder = Tuple({unknown});
  EXPECT_EQ(MakeSet(types_.Tuple({Type::Number()}), {holder, holder}, &arena_).size(), 2u);
}

TEST_F(SetOrderTest, FindsStringsBesideNullsAndUnknowns) {
  const Type string = Type::String();
  const Value set = MakeSet(string, {Value::Null(string), Text("b"), Value::Unknown(string), Text("d")}, &arena_);
  EXPECT_EQ(FindSetElement(set, Text("b")), 0);
  EXPECT_EQ(FindSetElement(set, Text("d")), 1);
  EXPECT_EQ(FindSetElement(set, Value::Null(string)), 3);
  for (const char* text : {"", "a", "c", "e", "a text that is not inline"}) {
    EXPECT_EQ(FindSetElement(set, Text(text)), -1) << text;
  }
}

TEST_F(SetOrderTest, FindsNothingWhereNothingIs) {
  Value set = MakeSet(Type::Number(), {Num("1"), Num("3")}, &arena_);
  EXPECT_EQ(FindSetElement(set, Num("2")), -1);
  EXPECT_EQ(FindSetElement(set, Num("4")), -1);
  EXPECT_EQ(FindSetElement(MakeSet(Type::Number(), {}, &arena_), Num("4")), -1);
}

}  // namespace
}  // namespace hcl
