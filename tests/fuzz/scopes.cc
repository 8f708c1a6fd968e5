// Scopes that an input chooses.

#include "hclvm/tests/fuzz/scopes.h"

#include <string>
#include <vector>

#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl::fuzz {
namespace {

struct Variable {
  std::string_view name;
  std::string_view typed;
};

// The names are those that the dictionary has.
constexpr Variable kVariables[] = {
    {"a", R"({"type":"number","value":7})"},
    {"b", R"({"type":"string","value":"hello"})"},
    {"c", R"({"type":"bool","value":true})"},
    {"l", R"({"type":["list","number"],"value":[3,1,2]})"},
    {"o", R"({"type":["object",{"a":"number","b":"string","c":["list","string"]}],"value":{"a":1,"b":"x","c":["y"]}})"},
    {"m", R"({"type":["map","string"],"value":{"a":"x","b":"y"}})"},
    {"t", R"({"type":["tuple",["number","string","bool"]],"value":[1,"a",false]})"},
    {"s", R"({"type":["set","string"],"value":["p","q"]})"},
    {"d", R"({"type":"number","value":2.5})"},
    {"e", R"({"type":"string","value":""})"},
    {"f", R"({"type":"bool","value":false})"},
    {"g", R"({"type":["list",["object",{"a":"number","b":"string"}]],"value":[{"a":1,"b":"x"},{"a":2,"b":"y"}]})"},
    {"h", R"({"type":["map",["list","number"]],"value":{"a":[1],"b":[2,3]}})"},
    {"n", R"({"type":"dynamic","value":null})"},
    {"w", R"({"type":["list","string"],"value":[]})"},
    {"x", R"({"type":"number","value":123456789012345678901234567890.5})"},
    {"y", R"({"type":"string","value":"12"})"},
    {"z", R"({"type":["object",{}],"value":{}})"},
    {"i", R"({"type":"number","value":{"$number":"+Inf"}})"},
    {"u", R"({"type":["set",["tuple",["number","bool"]]],"value":[[1,true],[2,false]]})"},
};

// The fixed variables, read once. They are the same in both dialects.
const std::vector<Value>& FixedValues() {
  static Heap* const heap = new Heap();
  static const auto* const values = [] {
    auto* const read = new std::vector<Value>();
    for (const Variable& variable : kVariables) {
      JsonError error;
      read->emplace_back();
      Require(JsonReader().ReadTyped(variable.typed, heap, &read->back(), &error), "the fixed variables are typed JSON",
              error.detail);
    }
    return read;
  }();
  return *values;
}

// A collection with `first` in place of its first element. Sets stay as they are, since their elements have an order of
// their own.
Value WithFirst(const Value& value, const Value& first, Heap* heap) {
  if (!(value.is_sequence() || value.is_mapping()) || value.is_set() || value.size() == 0) return value;
  const auto parts = value.is_sequence() ? value.elements() : value.values();
  std::vector<Value> items(parts.begin(), parts.end());
  items[0] = first;
  if (value.is_tuple()) return MakeTuple(items, heap->arena());
  if (value.is_list()) return MakeList(value.element_type(), items, heap->arena());
  if (value.is_object()) return MakeObject(&value.shape(), items, heap->arena());
  return MakeMap(value.element_type(), &value.shape(), items, heap->arena());
}

Value FirstOf(const Value& value) {
  if (!(value.is_sequence() || value.is_mapping()) || value.size() == 0) return Value();
  return value.is_sequence() ? value.elements()[0] : value.values()[0];
}

// `number` tells marks apart.
Value Treated(char treatment, const Value& value, int number, Heap* heap) {
  const hcl::Type type = TypeOf(value, heap->types());
  const MarkSet mark = number % 4 == 3 ? kSensitiveMark : MarkSet{1} << (number % 4);
  switch (treatment) {
    case '1':
      return Value::Unknown(type);
    case '2':
      return Value::Dynamic();
    case '3':
      return Value::Null(type);
    case '4':
      return Mark(value, mark, heap->arena());
    case '5':
      return Mark(Value::Unknown(type), mark, heap->arena());
    case '6':
      return WithFirst(value, Value::Unknown(TypeOf(FirstOf(value), heap->types())), heap);
    case '7':
      return WithFirst(value, Mark(FirstOf(value), mark, heap->arena()), heap);
    case '9': {
      Refinement refinement;
      refinement.type = type;
      refinement.not_null = true;
      return RefinedUnknown(refinement, heap->arena());
    }
    default:
      return value;
  }
}

// An attribute of a scope in JSON.
Value TypedOrPlain(const Value& value, Heap* heap) {
  std::string text, reason;
  Value typed;
  JsonError error;
  if (!value.is_object() || value.size() != 2 || value.shape().Find("type") < 0 || value.shape().Find("value") < 0 ||
      !AppendJson(value, &text, &reason) || !JsonReader().ReadTyped(text, heap, &typed, &error)) {
    return value;
  }
  return typed;
}

}  // namespace

Value MakeScope(std::string_view line, Heap* heap) {
  std::vector<KeyValue> pairs;
  Value read;
  JsonError error;
  if (!line.empty() && line[0] == '{' && JsonReader().Read(line, heap, &read, &error) && read.is_object()) {
    for (size_t n = 0; n < read.size(); ++n) {
      pairs.push_back({read.shape().keys[n], TypedOrPlain(read.values()[n], heap)});
    }
    return MakeObject(pairs, heap->arena());
  }
  int number = 0;
  for (const Variable& variable : kVariables) {
    const char treatment = line.empty() ? '0' : line[static_cast<size_t>(number) % line.size()];
    const Value& value = FixedValues()[static_cast<size_t>(number)];
    if (treatment != '8') pairs.push_back({Value::StringView(variable.name), Treated(treatment, value, number, heap)});
    ++number;
  }
  return MakeObject(pairs, heap->arena());
}

}  // namespace hcl::fuzz
