// ValueSampler. Tested by tests/value_sampler_test.cc.

#include "hclvm/tests/value_sampler.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace {

constexpr int64_t kNumbers[] = {0, 1, -3, 2, 7, 3, 100, -1000000};
// In the order of bytes, as keys are; their common beginnings and numbers in them are what programs ask about.
constexpr const char* kStrings[] = {"", "-", "1", "12", "a", "b", "hello", "one", "true", "x"};
constexpr uint64_t kMoreElements = 4;  // that a collection may have beyond the fewest

}  // namespace

uint32_t ValueSampler::Pick(uint32_t bound) {
  state_ = state_ * 1664525u + 1013904223u;
  return (state_ >> 16) % bound;
}

Value ValueSampler::OfType(Type type) {
  if (Pick(8) == 0) return Value::Null(type);
  Arena* arena = heap_->arena();
  std::vector<Value> items;
  switch (type.kind()) {
    case TypeKind::kBool:
      return Value::Bool(Pick(2) == 0);
    case TypeKind::kNumber:
      return Value::Int(kNumbers[Pick(std::size(kNumbers))]);
    case TypeKind::kString:
      return Value::StringView(kStrings[Pick(std::size(kStrings))]);
    case TypeKind::kTuple:
    case TypeKind::kObject:
      for (size_t i = 0; i < type.size(); ++i) items.push_back(OfType(type.element(i)));
      return type.kind() == TypeKind::kTuple ? MakeTuple(items, arena) : MakeObject(&type.shape(), items, arena);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
      return OfLength(type, 0, UINT64_MAX);
    default:
      return Any();
  }
}

// A value of one of some types, tuples and objects among them.
Value ValueSampler::Any() {
  Arena* arena = heap_->arena();
  switch (Pick(8)) {
    case 0:
      return OfType(Type::Bool());
    case 1:
      return OfType(Type::Number());
    case 2:
      return OfType(Type::String());
    case 3:
      return OfType(heap_->types()->List(Type::Number()));
    case 4:
      return OfType(heap_->types()->Map(Type::String()));
    case 5:
      return OfType(heap_->types()->Set(Type::String()));
    case 6: {
      const Value pair[] = {OfType(Type::String()), OfType(Type::Number())};
      return MakeTuple({pair, Pick(3)}, arena);
    }
    default: {
      const KeyValue pairs[] = {{Value::StringView("a"), OfType(Type::Number())},
                                {Value::StringView("name"), OfType(Type::String())}};
      return MakeObject({pairs, Pick(3)}, arena);
    }
  }
}

// A collection of at least `min` elements, of at most `max`, and of a few in any case. The elements of a set are made
// to differ where there are enough values of their type.
Value ValueSampler::OfLength(Type type, uint64_t min, uint64_t max) {
  Arena* arena = heap_->arena();
  const uint64_t size = min + Pick(static_cast<uint32_t>(std::min(max - min, kMoreElements - 1)) + 1);
  if (type.kind() == TypeKind::kMap) {
    std::vector<KeyValue> pairs;
    const uint32_t first = Pick(std::size(kStrings));
    for (uint64_t n = 0; n < size; ++n) {
      const Value key = n < std::size(kStrings) ? Value::StringView(kStrings[(first + n) % std::size(kStrings)])
                                                : Value::String("key" + std::to_string(n), arena);
      pairs.push_back({key, OfType(type.element())});
    }
    return MakeMap(type.element(), pairs, arena);
  }
  std::vector<Value> items;
  for (uint64_t n = 0; n < size; ++n) items.push_back(OfType(type.element()));
  if (type.kind() == TypeKind::kList) return MakeList(type.element(), items, arena);
  Value set = MakeSet(type.element(), items, arena);
  for (int attempt = 0; set.size() < min && attempt < 100; ++attempt) {
    items.push_back(OfType(type.element()));
    set = MakeSet(type.element(), items, arena);
  }
  return set;
}

// A value that the refinement allows: one of those that are made anyway, if it does, otherwise one at its edge.
Value ValueSampler::Refined(const Value& unknown) {
  const Refinement r = RefinementOf(unknown);
  Arena* arena = heap_->arena();
  if (!r.not_null && Pick(8) == 0) return Value::Null(r.type);
  if (r.type.is_collection()) return OfLength(r.type, r.min_length, r.max_length);
  if (r.type.kind() == TypeKind::kString) {
    return Value::String(std::string(r.prefix) + kStrings[Pick(std::size(kStrings))], arena);
  }
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Value value = OfType(r.type);
    if (!Contradicts(unknown, value)) return value;
  }
  if (r.min && r.min->inclusive) return Value::FromNumber(r.min->value);
  if (r.max && r.max->inclusive) return Value::FromNumber(r.max->value);
  NumberError error = NumberError::kNone;
  const Number from = r.min ? r.min->value : r.max->value;
  const Number step = r.min ? Value::Int(1).AsNumber() : Value::Int(-1).AsNumber();
  return Value::FromNumber(Add(from, step, arena, &error));
}

Value ValueSampler::Known(const Value& value) {
  if (value.is_unknown()) {
    return value.refinement() != nullptr ? Refined(value) : OfType(value.null_or_unknown_type());
  }
  return value.is_wholly_known() ? value : Elements(value);
}

Value ValueSampler::Elements(const Value& value) {
  Arena* arena = heap_->arena();
  std::vector<Value> items;
  for (const Value& item : value.is_sequence() ? value.elements() : value.values()) items.push_back(Known(item));
  if (value.is_tuple()) return MakeTuple(items, arena);
  if (value.is_list()) return MakeList(value.element_type(), items, arena);
  if (value.is_set()) return MakeSet(value.element_type(), items, arena);
  if (value.is_object()) return MakeObject(&value.shape(), items, arena);
  return MakeMap(value.element_type(), &value.shape(), items, arena);
}

}  // namespace hcl
