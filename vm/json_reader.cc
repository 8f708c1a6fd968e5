// JsonReader: plain JSON to values, the hot path of reading requests.
//
// Works on stacks that are kept between calls, so that reading line after line takes no heap memory but the values'
// own. Objects get interned shapes, and the order of the keys of an object seen before is looked up, not sorted again.
// Tested by vm/json_reader_test.cc.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "vm/hash.h"
#include "vm/json.h"
#include "vm/json_cursor.h"
#include "vm/json_typed_reader.h"

namespace hcl {
namespace {

// Objects of more keys than this are not worth remembering: a shape in the type table, or an order in the reader.
constexpr size_t kMaxRememberedKeys = 64;

// How a sequence of distinct keys is sorted: the entry of a small cache.
struct KeyOrder {
  uint64_t hash = 0;
  std::vector<Value> keys;       // as given
  std::vector<uint32_t> sorted;  // indices of `keys`, bytewise ascending
  std::string text;              // memory of the long keys
};

// Remembers orders of keys, bounded: one entry for each remainder of a hash.
class KeyOrderCache {
 public:
  // The order of `keys`, or null.
  const KeyOrder* Find(uint64_t hash, absl::Span<const Value> keys) const {
    const KeyOrder& entry = entries_[hash % kEntries];
    bool found = entry.hash == hash && entry.keys.size() == keys.size() &&
                 SameStrings(entry.keys.data(), keys.data(), keys.size());
    return found ? &entry : nullptr;
  }

  void Insert(uint64_t hash, absl::Span<const Value> keys, const std::vector<uint32_t>& sorted) {
    size_t bytes = 0;
    for (const Value& key : keys) bytes += key.AsString().size();
    if (bytes > kMaxKeyBytes) return;
    KeyOrder& entry = entries_[hash % kEntries];
    entry.hash = hash;
    entry.sorted = sorted;
    entry.keys.clear();
    entry.text.clear();
    entry.text.reserve(bytes);  // so that views of it stay valid
    for (const Value& key : keys) {
      size_t begin = entry.text.size();
      entry.text.append(key.AsString());
      std::string_view text = entry.text;
      entry.keys.push_back(Value::StringView(text.substr(begin)));
    }
  }

 private:
  static constexpr size_t kEntries = 64;
  static constexpr size_t kMaxKeyBytes = 4096;
  std::array<KeyOrder, kEntries> entries_;
};

}  // namespace

struct JsonReader::Impl {
  std::string scratch;          // of the cursor
  std::vector<Value> values;    // elements of the open arrays, values of the open objects
  std::vector<Value> keys;      // keys of the open objects
  std::vector<size_t> offsets;  // where the keys stand
  std::vector<uint32_t> order;  // of the keys of one object
  std::vector<Value> sorted_keys;
  KeyOrderCache orders;
};

namespace {

// One call of Read.
template <typename State>
class ValueReader {
 public:
  ValueReader(std::string_view text, Heap* heap, State* state, JsonError* error)
      : cursor_(text, heap, &state->scratch, error), heap_(heap), state_(*state) {}

  bool ReadAll(Value* value) {
    state_.values.clear();
    state_.keys.clear();
    state_.offsets.clear();
    return ReadValue(heap_->limits().max_nesting_depth, value) && cursor_.TakeEnd();
  }

 private:
  // `depth`: levels that may be opened from here.
  bool ReadValue(uint32_t depth, Value* value) {
    char c = cursor_.Peek();
    switch (c) {
      case '"':
        return cursor_.TakeString(/*borrow=*/false, value);
      case '{':
        return depth == 0 ? cursor_.FailDepth() : ReadObject(depth - 1, value);
      case '[':
        return depth == 0 ? cursor_.FailDepth() : ReadArray(depth - 1, value);
      case '-':
        return cursor_.TakeNumber(value);
      default:
        return c >= '0' && c <= '9' ? cursor_.TakeNumber(value) : cursor_.TakeLiteral(value);
    }
  }

  bool ReadArray(uint32_t depth, Value* value) {
    size_t begin = state_.values.size();
    cursor_.TryTake('[');
    if (!cursor_.TryTake(']')) {
      do {
        Value element;
        if (!ReadValue(depth, &element)) return false;
        state_.values.push_back(element);
      } while (cursor_.TryTake(','));
      if (!cursor_.Take(']', "\",\" or \"]\" after an element")) return false;
    }
    absl::Span<const Value> elements = absl::MakeConstSpan(state_.values).subspan(begin);
    if (!heap_->CanAllocate(elements.size() * sizeof(Value))) return cursor_.FailMemory();
    *value = MakeTuple(elements, heap_->arena());
    state_.values.resize(begin);
    return true;
  }

  bool ReadObject(uint32_t depth, Value* value) {
    size_t begin_values = state_.values.size();
    size_t begin_keys = state_.keys.size();
    cursor_.TryTake('{');
    if (!cursor_.TryTake('}')) {
      do {
        if (!ReadProperty(depth)) return false;
      } while (cursor_.TryTake(','));
      if (!cursor_.Take('}', "\",\" or \"}\" after a property")) return false;
    }
    if (!MakeObjectOf(begin_values, begin_keys, value)) return false;
    state_.values.resize(begin_values);
    state_.keys.resize(begin_keys);
    state_.offsets.resize(begin_keys);
    return true;
  }

  bool ReadProperty(uint32_t depth) {
    if (cursor_.Peek() != '"') return cursor_.FailExpected("a property name in quotes");
    Value key;
    state_.offsets.push_back(cursor_.offset());
    if (!cursor_.TakeString(/*borrow=*/true, &key) || !cursor_.Take(':', "\":\" after the property name")) return false;
    state_.keys.push_back(key);
    Value value;
    if (!ReadValue(depth, &value)) return false;
    state_.values.push_back(value);
    return true;
  }

  bool MakeObjectOf(size_t begin_values, size_t begin_keys, Value* value) {
    absl::Span<const Value> keys = absl::MakeConstSpan(state_.keys).subspan(begin_keys);
    absl::Span<const Value> values = absl::MakeConstSpan(state_.values).subspan(begin_values);
    if (!heap_->CanAllocate(keys.size() * 2 * sizeof(Value))) return cursor_.FailMemory();
    const std::vector<uint32_t>* order = FindOrder(keys, begin_keys);
    if (order == nullptr) return false;
    std::vector<Value>& sorted = state_.sorted_keys;
    sorted.resize(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) sorted[i] = keys[(*order)[i]];
    internal::Mapping* mapping = NewMapping(MakeShapeOf(), Type(), /*is_object=*/true, heap_->arena());
    Value* items = mapping->mutable_items();
    for (size_t i = 0; i < values.size(); ++i) items[i] = values[(*order)[i]];
    Finish(mapping);
    *value = Value::FromMapping(internal::Tag::kObject, mapping);
    return true;
  }

  // How the keys of one object are sorted; null, with an error, when one is given twice.
  const std::vector<uint32_t>* FindOrder(absl::Span<const Value> keys, size_t begin_keys) {
    bool remember = keys.size() <= kMaxRememberedKeys;
    uint64_t hash = remember ? HashKeys(keys) : 0;
    const KeyOrder* known = remember ? state_.orders.Find(hash, keys) : nullptr;
    if (known != nullptr) return &known->sorted;
    state_.order.resize(keys.size());
    for (uint32_t i = 0; i < keys.size(); ++i) state_.order[i] = i;
    std::sort(state_.order.begin(), state_.order.end(), [keys](uint32_t a, uint32_t b) {
      int compared = keys[a].AsString().compare(keys[b].AsString());
      return compared != 0 ? compared < 0 : a < b;
    });
    for (size_t i = 1; i < keys.size(); ++i) {
      const Value& key = keys[state_.order[i]];
      if (!SameString(key, keys[state_.order[i - 1]])) continue;
      cursor_.FailDuplicate(state_.offsets[begin_keys + state_.order[i]], key.AsString());
      return nullptr;
    }
    if (remember) state_.orders.Insert(hash, keys, state_.order);
    return &state_.order;
  }

  // The shape of sorted_keys: interned, so that requests of one form share it, unless it is large.
  const Shape* MakeShapeOf() {
    std::vector<Value>& keys = state_.sorted_keys;
    if (keys.size() <= kMaxRememberedKeys) return heap_->types()->InternShape(keys);
    for (Value& key : keys) key = Value::String(key.AsString(), heap_->arena());
    return MakeShape(keys, heap_->arena());
  }

  internal::JsonCursor cursor_;
  Heap* heap_;
  State& state_;
};

}  // namespace

JsonReader::JsonReader() : impl_(std::make_unique<Impl>()) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

bool JsonReader::Read(std::string_view text, Heap* heap, Value* value, JsonError* error) {
  return ValueReader<Impl>(text, heap, impl_.get(), error).ReadAll(value);
}

bool JsonReader::ReadTyped(std::string_view text, Heap* heap, Value* value, JsonError* error) {
  return internal::ReadTypedJson(text, heap, &impl_->scratch, value, error);
}

}  // namespace hcl
