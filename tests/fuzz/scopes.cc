// Scopes that an input chooses.

#include "hclvm/tests/fuzz/scopes.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl::fuzz {
namespace {

constexpr const char* kVariables = "tests/conformance/variables.json";

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

// Nothing if `text` is no object.
std::optional<std::vector<KeyValue>> ReadScope(std::string_view text, Heap* heap) {
  Value read;
  JsonError error;
  if (!JsonReader().Read(text, heap, &read, &error) || !read.is_object()) return std::nullopt;
  std::vector<KeyValue> pairs;
  for (size_t n = 0; n < read.size(); ++n) {
    pairs.push_back({read.shape().keys[n], TypedOrPlain(read.values()[n], heap)});
  }
  return pairs;
}

// The fixed variables, read once. They are the same in both dialects.
const std::vector<KeyValue>& FixedVariables() {
  static Heap* const heap = new Heap();
  static const auto* const variables = [] {
    std::ifstream file(kVariables, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto read = ReadScope(text, heap);
    Require(read.has_value(), "the fixed variables can be read from the repository's top folder", kVariables);
    return new std::vector<KeyValue>(*std::move(read));
  }();
  return *variables;
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

// What fits hardly any place that the value fits.
Value OfAnotherKind(const Value& value, Heap* heap) {
  if (value.is_string() || value.is_number() || value.is_bool()) return MakeTuple({value, value}, heap->arena());
  if (value.is_mapping()) return MakeTuple(value.values(), heap->arena());
  return Value::StringView("text");
}

Value ManyObjects(int count, Heap* heap) {
  std::vector<Value> objects;
  for (int n = 0; n < count; ++n) {
    const KeyValue pair = {Value::String("a" + std::to_string(n), heap->arena()), Value::Int(n)};
    objects.push_back(MakeObject(absl::Span<const KeyValue>(&pair, 1), heap->arena()));
  }
  return MakeTuple(objects, heap->arena());
}

Value ManyKinds(const Value& value, int count, Heap* heap) {
  std::vector<Value> values = {value, OfAnotherKind(value, heap), Value::Null(), Value::Bool(true), Value::Int(7)};
  while (values.size() < static_cast<size_t>(count)) {
    const Value& last = values.back();
    values.push_back(MakeTuple({last, values[values.size() / 2]}, heap->arena()));
    if (values.size() % 3 == 0) values.push_back(Value::String(std::to_string(values.size()), heap->arena()));
  }
  return MakeTuple(values, heap->arena());
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
    case 'w':
      return OfAnotherKind(value, heap);
    case 'x':
      return ManyObjects(20, heap);
    case 'y':
      return ManyObjects(80, heap);
    case 'z':
      return ManyKinds(value, 30, heap);
    default:
      return value;
  }
}

}  // namespace

Value MakeScope(std::string_view line, Heap* heap) {
  if (!line.empty() && line[0] == '{') {
    const auto read = ReadScope(line, heap);
    if (read) return MakeObject(*read, heap->arena());
  }
  std::vector<KeyValue> pairs;
  int number = 0;
  for (const auto& [name, value] : FixedVariables()) {
    const char treatment = line.empty() ? '0' : line[static_cast<size_t>(number) % line.size()];
    if (treatment != '8') pairs.push_back({name, Treated(treatment, value, number, heap)});
    ++number;
  }
  return MakeObject(pairs, heap->arena());
}

}  // namespace hcl::fuzz
