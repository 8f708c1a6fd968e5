// Costly values.

#include "hclvm/bench/worst_scope.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"

namespace hcl::bench {
namespace {

constexpr size_t kBytes = 1 << 20;
constexpr int kElements = 60'000;
constexpr int kTypes = 2'000;  // of elements that are all different
constexpr int kDepth = 400;

std::string Repeat(std::string_view part) {
  std::string text;
  while (text.size() < kBytes) text += part;
  return text;
}

class Maker {
 public:
  explicit Maker(Heap* heap) : heap_(heap) {}

  Value Text(const std::string& text) { return Value::String(text, heap_->arena()); }
  Value NumberOf(const std::string& text) {
    NumberError error = NumberError::kNone;
    const Number number = Number::Parse(text, NumberSyntax::kLiteral, Limits(), heap_->arena(), &error);
    if (error != NumberError::kNone) std::abort();
    return Value::FromNumber(number);
  }
  template <typename Make>
  std::vector<Value> Many(int count, const Make& make) {
    std::vector<Value> values;
    for (int n = 0; n < count; ++n) values.push_back(make(n));
    return values;
  }
  Value ObjectOf(const std::vector<std::pair<std::string, Value>>& items) {
    std::vector<KeyValue> pairs;
    for (const auto& [key, value] : items) pairs.push_back({Text(key), value});
    return MakeObject(absl::MakeSpan(pairs), heap_->arena());
  }
  Value MapOf(Type element, const std::vector<std::pair<std::string, Value>>& items) {
    std::vector<KeyValue> pairs;
    for (const auto& [key, value] : items) pairs.push_back({Text(key), value});
    return MakeMap(element, absl::MakeSpan(pairs), heap_->arena());
  }
  Value Tuple(const std::vector<Value>& values) { return MakeTuple(values, heap_->arena()); }
  Value List(Type element, const std::vector<Value>& values) { return MakeList(element, values, heap_->arena()); }
  Value Set(Type element, const std::vector<Value>& values) { return MakeSet(element, values, heap_->arena()); }
  Heap* heap() { return heap_; }

 private:
  Heap* heap_;
};

std::string Name(int n) { return "name" + std::to_string(n * 7919 % 1'000'003); }

void AddTexts(Maker* make, std::vector<NamedValue>* out) {
  const std::pair<const char*, const char*> kTexts[] = {
      {"text", "a"},
      {"words", "ab cd,ef\n"},
      {"letters", "abcdefghij"},
      {"accents", "\u00e9"},
      {"kana", "\u30ab\u3099x"},
      {"signs", "<\"&\\\t"},
      {"digits", "7"},
      {"blanks", " "},
      {"lines", "\n"},
      {"json", "[{\"a\":1},"},
      {"hangul", "\u1100\u1161"},
      {"flags", "\U0001F1E6"},
      {"percent", "%s %d "},
      {"slashes", "/(a|b)*/"},
      {"dollars", "${x}$1"},
  };
  for (const auto& [name, part] : kTexts) out->push_back({name, make->Text(Repeat(part))});
  std::string json = "[";
  std::string yaml;
  std::string merges = "a: &a {x: 1, y: 2, z: 3}\n";
  std::string csv = "a,b,c\n";
  for (int n = 0; n < kElements; ++n) {
    json += (n > 0 ? ",{\"k" : "{\"k") + std::to_string(n) + "\":[1.5,\"x\"]}";
    yaml += "- {k" + std::to_string(n) + ": [1, x]}\n";
    csv += "1,\"x\"\"y\"," + std::to_string(n) + "\n";
    if (n % 4 == 0) merges += "k" + std::to_string(n) + ": {<<: *a, b: 1}\n";
  }
  out->push_back({"json_text", make->Text(json + "]")});
  out->push_back({"yaml_text", make->Text(yaml)});
  out->push_back({"yaml_merges", make->Text(merges)});
  out->push_back({"csv_text", make->Text(csv)});
}

void AddNumbers(Maker* make, std::vector<NamedValue>* out) {
  out->push_back({"long_zeros", make->NumberOf("1e99999")});
  out->push_back({"long_number", make->NumberOf(std::string(150, '7'))});
  out->push_back({"long_fraction", make->NumberOf("0." + std::string(150, '7'))});
  out->push_back({"tiny", make->NumberOf("1e-300")});
}

void AddCollections(Maker* make, std::vector<NamedValue>* out) {
  const Type string = Type::String();
  const auto name = [&](int n) { return make->Text(Name(n)); };
  const std::vector<Value> names = make->Many(kElements, name);
  const std::vector<Value> numbers = make->Many(kElements, [](int n) { return Value::Int(n * 7919 % 1'000'003); });
  const std::vector<Value> longs =
      make->Many(1'000, [&](int n) { return make->Text(std::string(1'000, 'p') + std::to_string(n * 7919 % 1'003)); });
  out->push_back({"strings", make->List(string, names)});
  out->push_back({"prefixed", make->List(string, longs)});
  out->push_back({"tuple_of_strings", make->Tuple(names)});
  out->push_back({"numbers", make->List(Type::Number(), numbers)});
  out->push_back({"tuple_of_numbers", make->Tuple(numbers)});
  const Value big = make->NumberOf("0." + std::string(150, '3'));
  out->push_back({"fractions", make->List(Type::Number(), std::vector<Value>(kElements / 8, big))});
  out->push_back({"bools", make->List(Type::Bool(), std::vector<Value>(kElements, Value::Bool(true)))});
  out->push_back({"set_of_strings", make->Set(string, names)});
  out->push_back({"set_of_numbers", make->Set(Type::Number(), numbers)});
  std::vector<Value> unknown = names;
  unknown[0] = Value::Unknown(string);
  out->push_back({"with_unknown", make->List(string, unknown)});
  out->push_back({"marked", Mark(make->Tuple(names), kSensitiveMark, make->heap()->arena())});
  std::vector<Value> inside = names;
  inside[7] = Mark(inside[7], kSensitiveMark, make->heap()->arena());
  out->push_back({"marked_inside", make->Tuple(inside)});
  std::vector<std::pair<std::string, Value>> items;
  for (int n = 0; n < kElements / 2; ++n) items.emplace_back(Name(n), Value::Int(n));
  out->push_back({"map", make->MapOf(Type::Number(), items)});
  out->push_back({"object", make->ObjectOf(items)});
}

void AddNested(Maker* make, std::vector<NamedValue>* out) {
  TypeTable* types = make->heap()->types();
  const Value row = make->List(Type::String(), {make->Text("a"), make->Text("b long string"), make->Text("c")});
  const Type list = types->List(Type::String());
  out->push_back({"lists", make->List(list, std::vector<Value>(kElements / 8, row))});
  std::vector<std::pair<std::string, Value>> rows;
  for (int n = 0; n < kElements / 8; ++n) rows.emplace_back(Name(n), row);
  out->push_back({"map_of_lists", make->MapOf(list, rows)});
  const auto one = [&](int n) { return make->ObjectOf({{Name(n), Value::Int(n)}}); };
  out->push_back({"kinds", make->Tuple(make->Many(kTypes, one))});
  out->push_back({"more_kinds", make->Tuple(make->Many(4 * kTypes, one))});
  const auto mixed = [&](int n) { return n % 2 == 0 ? one(n) : make->Tuple({Value::Int(n), make->Text(Name(n))}); };
  out->push_back({"mixed", make->Tuple(make->Many(kTypes, mixed))});
  std::vector<Value> lengths;
  for (int n = 1; n < 300; ++n)
    lengths.push_back(make->Tuple(std::vector<Value>(static_cast<size_t>(n), Value::Int(n))));
  out->push_back({"lengths", make->Tuple(lengths)});
  const auto same = [&](int n) { return make->ObjectOf({{"a", Value::Int(n)}, {"b", make->Text(Name(n))}}); };
  const std::vector<Value> objects = make->Many(kElements / 8, same);
  out->push_back({"objects", make->Tuple(objects)});
  out->push_back({"set_of_objects", make->Set(TypeOf(objects[0], types), objects)});
  Value deep = Value::Int(1);
  for (int n = 0; n < kDepth; ++n) deep = make->Tuple({deep, Value::Int(n)});
  out->push_back({"deep", deep});
}

}  // namespace

std::vector<NamedValue> LargeValues(Heap* heap) {
  Maker make(heap);
  std::vector<NamedValue> values;
  AddTexts(&make, &values);
  AddNumbers(&make, &values);
  AddCollections(&make, &values);
  AddNested(&make, &values);
  values.push_back({"nothing", Value::Null()});
  values.push_back({"unknown", Value::Dynamic()});
  return values;
}

std::vector<NamedValue> SmallValues(Heap* heap) {
  Maker make(heap);
  std::vector<NamedValue> values;
  const std::pair<const char*, const char*> kTexts[] = {
      {"s_abc", "abc"},        {"s_a", "a"},
      {"s_true", "true"},      {"s_12", "12"},
      {"s_net", "10.0.0.0/8"}, {"s_time", "2020-02-03T04:05:06Z"},
      {"s_span", "1h"},        {"s_csv", "a,b\n1,2\n"},
      {"s_json", "[1,2]"},     {"s_base64", "YWJj"},
      {"s_dns", "dns"},        {"s_verb", "%v"},
      {"s_date", "YYYY"},      {"s_none", ""},
      {"s_charset", "UTF-8"},  {"s_template", "<${a}>"},
  };
  for (const auto& [name, text] : kTexts) values.push_back({name, make.Text(text)});
  for (int n : {0, 1, 2, 3, 10}) values.push_back({"n_" + std::to_string(n), Value::Int(n)});
  values.push_back({"n_half", make.NumberOf("2.5")});
  values.push_back({"l_strings", make.List(Type::String(), {make.Text("b"), make.Text("a"), make.Text("b")})});
  values.push_back({"l_numbers", make.List(Type::Number(), {Value::Int(3), Value::Int(1), Value::Int(3)})});
  values.push_back({"l_bools", make.List(Type::Bool(), {Value::Bool(true)})});
  values.push_back({"l_one", make.Tuple({Value::Int(1)})});
  values.push_back({"m_numbers", make.MapOf(Type::Number(), {{"a", Value::Int(1)}, {"b", Value::Int(2)}})});
  values.push_back({"o_small", make.ObjectOf({{"a", Value::Int(1)}, {"b", make.Text("x")}})});
  const Value list = make.List(Type::String(), {make.Text("x")});
  values.push_back({"m_lists", make.MapOf(heap->types()->List(Type::String()), {{"a", list}})});
  return values;
}

}  // namespace hcl::bench
