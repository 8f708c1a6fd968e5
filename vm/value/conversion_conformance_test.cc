// Runs the conformance cases of kinds "convert" and "unify".
//
// Arguments: case files; without any, all that the test was built with. A want that was rounded to a double (it has a
// fraction) is compared as the nearest double.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::TagOf;
namespace {

std::vector<std::string>& CaseFiles() {
  static auto* files = new std::vector<std::string>();
  return *files;
}

using Texts = std::map<std::string, std::string>;

// The JSON texts of the properties of an object, or of the elements of an array under their numbers.
Texts Split(std::string_view text) {
  Heap heap;
  std::string scratch;
  JsonError error;
  internal::JsonCursor cursor(text, &heap, &scratch, &error);
  Texts texts;
  bool object = cursor.TryTake('{');
  if (!object) cursor.TryTake('[');
  while (cursor.Peek() != '}' && cursor.Peek() != ']') {
    Value key = Value::StringView("");
    std::string name = std::to_string(texts.size());
    if (object) {
      EXPECT_TRUE(cursor.TakeString(/*borrow=*/false, &key) && cursor.Take(':', "a colon"));
      name = std::string(key.AsString());
    }
    cursor.Peek();
    size_t begin = cursor.offset();
    if (!cursor.Skip(1000)) {
      ADD_FAILURE() << error.detail;
      break;
    }
    texts[name] = std::string(text.substr(begin, cursor.offset() - begin));
    cursor.TryTake(',');
  }
  return texts;
}

bool SameOrRounded(const Value& got, const Value& want);

bool SameItems(absl::Span<const Value> got, absl::Span<const Value> want) {
  if (got.size() != want.size()) return false;
  for (size_t i = 0; i < got.size(); ++i) {
    if (!SameOrRounded(got[i], want[i])) return false;
  }
  return true;
}

bool SameOrRounded(const Value& got, const Value& want) {
  if (Identical(got, want)) return true;
  if (got.is_number() && want.is_number()) {
    Number number = want.AsNumber();
    return !number.IsInteger() && got.AsNumber().ToDouble() == number.ToDouble();
  }
  if (!SameType(got, want) || TagOf(got) != TagOf(want)) return false;
  if (got.is_sequence()) return SameItems(got.elements(), want.elements());
  return got.is_mapping() && got.shape() == want.shape() && SameItems(got.values(), want.values());
}

std::string RunConvert(const Texts& texts, const Texts& want, Heap* heap) {
  JsonReader reader;
  JsonError json_error;
  Value value;
  Type type;
  if (!reader.ReadTyped(texts.at("value"), heap, &value, &json_error)) return json_error.detail;
  if (!ParseTypeJson(texts.at("type"), heap, &type, &json_error)) return json_error.detail;
  Value got;
  ConversionError error;
  bool converted = Convert(value, type, heap, &got, &error);
  if (want.count("error") > 0) {
    if (!converted) return error.message.empty() ? "an error without a message" : "";
    std::string text = "no error, but ";
    AppendTypedJson(got, heap->types(), &text);
    return text;
  }
  if (!converted) return "error: " + error.ToString();
  Value wanted;
  if (!reader.ReadTyped(texts.at("want"), heap, &wanted, &json_error)) return json_error.detail;
  if (SameOrRounded(got, wanted)) return "";
  std::string text;
  AppendTypedJson(got, heap->types(), &text);
  return text;
}

std::string RunUnify(const Texts& texts, const Texts& want, Heap* heap) {
  JsonError json_error;
  std::vector<Type> types;
  Texts elements = Split(texts.at("types"));
  for (size_t i = 0; i < elements.size(); ++i) {
    types.emplace_back();
    if (!ParseTypeJson(elements.at(std::to_string(i)), heap, &types.back(), &json_error)) return json_error.detail;
  }
  Type got;
  bool unified = Unify(types, heap, &got);
  if (!unified) return want.count("error") > 0 ? "" : "error";
  std::string text;
  AppendTypeJson(got, &text);
  if (want.count("type") == 0) return text;
  Type wanted;
  if (!ParseTypeJson(want.at("type"), heap, &wanted, &json_error)) return json_error.detail;
  return got == wanted ? "" : text;
}

TEST(ConversionConformanceTest, AllCases) {
  size_t total = 0;
  for (const std::string& name : CaseFiles()) {
    std::ifstream file(name);
    ASSERT_TRUE(file.good()) << name;
    std::string line;
    while (std::getline(file, line)) {
      Texts texts = Split(line);
      bool convert = texts["kind"] == "\"convert\"";
      if (!convert && texts["kind"] != "\"unify\"") continue;
      ++total;
      Heap heap(nullptr, texts["dialect"] == "\"spec\"" ? Dialect::kSpec : Dialect::kHashiCorp);
      Texts want = Split(texts.at("want"));
      EXPECT_EQ(convert ? RunConvert(texts, want, &heap) : RunUnify(texts, want, &heap), "") << line;
    }
  }
  EXPECT_GE(total, 500u);
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) hcl::CaseFiles().push_back(argv[i]);
  return RUN_ALL_TESTS();
}
