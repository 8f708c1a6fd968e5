// ValueSampler.

#include "hclvm/tests/value_sampler.h"

#include <iterator>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/type.h"

namespace hcl {
namespace {

constexpr int64_t kNumbers[] = {0, 1, -3, 2, 7, 100, -1000000};
constexpr const char* kStrings[] = {"", "a", "hello", "12", "true", "-"};

}  // namespace

uint32_t ValueSampler::Pick(uint32_t bound) {
  state_ = state_ * 1664525u + 1013904223u;
  return (state_ >> 16) % bound;
}

Value ValueSampler::OfType(Type type) {
  Arena* arena = heap_->arena();
  if (Pick(8) == 0) return Value::Null(type);
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
      for (uint32_t n = Pick(4); n > 0; --n) items.push_back(OfType(type.element()));
      return type.kind() == TypeKind::kList ? MakeList(type.element(), items, arena)
                                            : MakeSet(type.element(), items, arena);
    case TypeKind::kMap: {
      std::vector<KeyValue> pairs;
      for (uint32_t n = Pick(4); n > 0; --n) {
        pairs.push_back({Value::StringView(kStrings[n]), OfType(type.element())});
      }
      return MakeMap(type.element(), pairs, arena);
    }
    default: {
      const Type kTypes[] = {Type::Bool(), Type::Number(), Type::String(), heap_->types()->List(Type::Number()),
                             heap_->types()->Map(Type::String())};
      return OfType(kTypes[Pick(std::size(kTypes))]);
    }
  }
}

Value ValueSampler::Known(const Value& value) {
  if (value.is_unknown()) return OfType(value.null_or_unknown_type());
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
