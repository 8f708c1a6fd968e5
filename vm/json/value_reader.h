// JsonValueReader: plain JSON to values, the hot path of reading requests.
//
// Works on stacks that are kept between calls, so that reading line after line takes no heap memory but the values'
// own. What most texts are made of is read here: keys that came before (vm/json/key_paths.h), short strings, small
// integers; the cursor reads the rest, and finds the words for errors. A header, so that readers that are built on it
// have its code inlined.
//
// Internal to the JSON readers. Tested by vm/json/json_reader_test.cc.

#ifndef HCLVM_VM_JSON_VALUE_READER_H_
#define HCLVM_VM_JSON_VALUE_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/json/key_paths.h"
#include "hclvm/vm/json/reader_state.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/string_sort.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// What the items of a collection add up to.
struct Items {
  uint64_t weight = 0;  // beyond 1 for each
  uint32_t depth = 0;   // of the deepest

  void Nest(uint64_t item_weight, uint32_t item_depth) {
    weight += item_weight - 1;
    depth = std::max(depth, item_depth);
  }
  // The depth of the collection itself.
  uint16_t OuterDepth() const { return static_cast<uint16_t>(std::min<uint32_t>(depth + 1, UINT16_MAX)); }
};

// One call of Read. The functions that return a place in the text get the one where they begin, and return where they
// end; null after an error.
class JsonValueReader {
 public:
  JsonValueReader(std::string_view text, Heap* heap, ReaderState* state, JsonError* error)
      : cursor_(text, heap, &state->scratch, error),
        end_(cursor_.end()),
        heap_(heap),
        interrupt_(&heap->limits().interrupt),
        next_check_(interrupt_->is_set() ? cursor_.at() : end_ + 1),
        plain_integers_(heap->limits().max_number_digits >= JsonCursor::kMaxPlainDigits),
        state_(*state) {}

  bool ReadAll(Value* value) {
    return ReadDocument(value, [&](const char* at, uint32_t depth, KeyPath* path, Items* items) {
      return ReadItem(at, depth, path, items);
    });
  }

 protected:
  struct OpenObject {
    const char* begin;  // after the brace
    size_t begin_values;
    size_t begin_keys;
    KeyPath* path;  // of the keys so far; null: they are in state_.keys
    Items items;
  };

  // Reads the text by `read`, which is as ReadItem(). Whatever a failed read has left on the stacks is dropped here, at
  // the next read, so that no error path has to tidy up.
  template <typename Read>
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool ReadDocument(Value* value, const Read& read) {
    state_.values.Shrink(0);
    state_.keys.clear();
    if (!CheckInterrupt(cursor_.at())) return false;
    // The document is the only value of a key that is not there.
    KeyPath* path = state_.paths.Begin(heap_->types()->generation());
    Items items;
    const char* end = read(cursor_.at(), heap_->limits().max_nesting_depth, path, &items);
    if (end == nullptr) return false;
    *value = *state_.values.from(0);
    cursor_.Seek(end);
    return cursor_.TakeEnd();
  }

  // The next byte that is not blank, to which *at goes; 0 at the end (and for a NUL byte). One comparison tells what is
  // no blank: in a document without blanks, nothing else is asked.
  char Peek(const char** at) const {
    while (*at < end_) {
      const char c = **at;
      if (static_cast<unsigned char>(c) > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t')) return c;
      ++*at;
    }
    return '\0';
  }

  const char* FailExpected(const char* at, const char* what) {
    cursor_.Seek(at);
    cursor_.FailExpected(what);
    return nullptr;
  }

  const char* FailDepth(const char* at) {
    cursor_.Seek(at);
    cursor_.FailDepth();
    return nullptr;
  }

  // Looks at the interrupt, and says where to do so again.
  bool CheckInterrupt(const char* at) {
    constexpr std::ptrdiff_t kBetweenChecks = 64 << 10;
    if (at < next_check_) return true;
    next_check_ = at + std::min(kBetweenChecks, end_ + 1 - at);
    if (!interrupt_->Reached()) return true;
    cursor_.Seek(at);
    return cursor_.FailInterrupted();
  }

  bool FailMemory(const char* at) {
    cursor_.Seek(at);
    return cursor_.FailMemory();
  }

  // Reads a value, which becomes the last of state_.values. `depth`: levels that may be opened from here. `path`: of
  // the key whose value it is or is in; may be null. The function is inlined into its three callers, of which arrays
  // and objects call it for each item.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadItem(const char* at, uint32_t depth, KeyPath* path, Items* items) {
    const char c = Peek(&at);
    switch (c) {
      case '"':
        return ReadString(at, items);
      case '{':
        return depth == 0 ? FailDepth(at) : ReadObject(at + 1, depth - 1, path, items);
      case '[':
        return depth == 0 ? FailDepth(at) : ReadArray(at + 1, depth - 1, path, items);
      default:
        return (c >= '0' && c <= '9') || c == '-' ? ReadNumber(at, items) : ReadLiteral(at);
    }
  }

  const char* ReadString(const char* at, Items* items) {
    Value value;
    at = ReadStringTo(at, &value, items);
    state_.values.Push(value);
    return at;
  }

  const char* ReadStringTo(const char* at, Value* to, Items* items) {
    const char* const end = ReadShortString(at, to);
    if (end != nullptr) return end;
    cursor_.Seek(at);
    if (!cursor_.TakeString(/*borrow=*/false, to)) return nullptr;
    items->weight += to->weight() - 1;
    return cursor_.at();
  }

  // Short strings are read without a loop: one block of 16 bytes shows the closing quote, whether anything before it
  // needs a look, and the whole text, which ShortStringIn16() takes in two words. Null for all others, which are the
  // cursor's.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadShortString(const char* at, Value* to) const {
    const char* text = at + 1;
    if (end_ - text < 16) return nullptr;
    const StringBytes bytes = ClassifyString(text);
    // A text that ends within the first 15 bytes, without escapes and in ASCII.
    const uint32_t before = (bytes.quotes - 1) & ~bytes.quotes;
    const bool is_short =
        bytes.quotes != 0 && ((bytes.others | bytes.non_ascii) & before) == 0 && (before >> kMaxInlineString) == 0;
    if (!is_short) return nullptr;
    const auto size = static_cast<size_t>(__builtin_ctz(bytes.quotes));
    *to = ShortStringIn16(text, size);
    return text + size + 1;
  }

  const char* ReadNumber(const char* at, Items* items) {
    Value value;
    at = ReadNumberTo(at, &value, items);
    state_.values.Push(value);
    return at;
  }

  // Whether plain integers may be read at all depends on a limit, which is asked once for each document.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadNumberTo(const char* at, Value* to, Items* items) {
    const char* end = plain_integers_ ? JsonCursor::ReadPlainInteger(at, end_, to) : nullptr;
    if (end != nullptr) return end;
    cursor_.Seek(at);
    if (!cursor_.TakeNumber(to)) return nullptr;
    items->weight += to->weight() - 1;
    return cursor_.at();
  }

  const char* ReadLiteral(const char* at) {
    Value value;
    at = ReadLiteralTo(at, &value);
    state_.values.Push(value);
    return at;
  }

  const char* ReadLiteralTo(const char* at, Value* to) {
    cursor_.Seek(at);
    return cursor_.TakeLiteral(to) ? cursor_.at() : nullptr;
  }

  ABSL_ATTRIBUTE_NOINLINE const char* ReadArray(const char* at, uint32_t depth, KeyPath* path, Items* outer) {
    return ReadArrayOf(at, outer, [&](const char* from, Items* items) ABSL_ATTRIBUTE_ALWAYS_INLINE {
      return ReadItem(from, depth, path, items);
    });
  }

  // An array whose elements `read` reads and puts on the stack. They are gathered there, because their number is known
  // at the closing bracket only; then they are copied into a tuple of the right size. Weight and depth are added up
  // while reading, which spares a second pass over the elements. wholly_known and has_marks have their defaults: JSON
  // knows neither. The memory of the stack is bounded by the text, that of the tuple is asked for.
  template <typename Read>
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* ReadArrayOf(const char* at, Items* outer, const Read& read) {
    const size_t begin = state_.values.size();
    Items items;
    bool more = Peek(&at) != ']';
    while (more) {
      at = read(at, &items);
      if (at == nullptr) return nullptr;
      at = EndItem(at, ']', "\",\" or \"]\" after an element", &more);
      if (at == nullptr) return nullptr;
    }
    ++at;
    Value made;
    if (!MakeSequenceOf(begin, items, at, Tag::kTuple, Type(), outer, &made)) return nullptr;
    state_.values.Push(made);
    return at;
  }

  // Makes a tuple, or a list of `element`, of the values from `begin` on, which it takes away. `end`: after the
  // bracket.
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool MakeSequenceOf(size_t begin, const Items& items, const char* end, Tag tag,
                                                   Type element, Items* outer, Value* to) {
    const size_t size = state_.values.size() - begin;
    if (!heap_->CanAllocate(size * sizeof(Value))) return FailMemory(end);
    Sequence* sequence = NewSequence(static_cast<uint32_t>(size), element, tag == Tag::kTuple, heap_->arena());
    std::copy_n(state_.values.from(begin), size, sequence->mutable_items());
    sequence->weight = 1 + size + items.weight;
    sequence->depth = items.OuterDepth();
    outer->Nest(sequence->weight, sequence->depth);
    state_.values.Shrink(begin);
    *to = SequenceValue(tag, sequence);
    return true;
  }

  // As long as the keys follow a path that came before (KeyPaths), `object.path` stands for them and no key is stored.
  // Once they leave all paths, the keys so far are written out and the object is read the general way.
  ABSL_ATTRIBUTE_NOINLINE const char* ReadObject(const char* at, uint32_t depth, KeyPath* outer_path, Items* outer) {
    OpenObject object = Open(at, outer_path);
    bool more = Peek(&at) != '}';
    while (more) {
      at = ReadKey(at, &object);
      if (at == nullptr) return nullptr;
      at = ReadItem(at, depth, object.path, &object.items);
      if (at == nullptr) return nullptr;
      at = EndProperty(at, &more);
      if (at == nullptr) return nullptr;
    }
    ++at;
    return MakeObjectOf(object, at, outer) ? at : nullptr;
  }

  // From behind an item over the comma, with which there are more, or to the bracket that closes.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* EndItem(const char* at, char close, const char* expected, bool* more) {
    const char c = Peek(&at);
    if (c != ',' && c != close) return FailExpected(at, expected);
    if (ABSL_PREDICT_FALSE(at >= next_check_) && !CheckInterrupt(at)) return nullptr;
    *more = c == ',';
    return *more ? at + 1 : at;
  }
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* EndProperty(const char* at, bool* more) {
    return EndItem(at, '}', "\",\" or \"}\" after a property", more);
  }

  // The object whose first property is at `at`, in the value of the key of `outer_path`.
  OpenObject Open(const char* at, KeyPath* outer_path) {
    KeyPath* const path = outer_path == nullptr ? nullptr : state_.paths.ObjectsIn(outer_path);
    return {at, state_.values.size(), state_.keys.size(), path, {}};
  }

  // With blanks before it and the colon.
  const char* ReadKey(const char* at, OpenObject* object) {
    Peek(&at);
    at = TakeKey(at, object);
    return at == nullptr ? nullptr : TakeColon(at);
  }

  // Find() compares the token with its quotes, so that a match shows the end of the key as well.
  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* TakeKey(const char* at, OpenObject* object) {
    KeyPath* path = object->path == nullptr ? nullptr : object->path->Find(at, end_);
    if (path == nullptr) return ReadNewKey(at, object);
    object->path = path;
    return at + path->token_size();
  }

  ABSL_ATTRIBUTE_ALWAYS_INLINE const char* TakeColon(const char* at) {
    return Peek(&at) == ':' ? at + 1 : FailExpected(at, "\":\" after the property name");
  }

  // The name of a property, as it is meant, for a look at it: it may point to memory of the cursor. Returns the end of
  // the name; null where none is there.
  const char* TakeName(const char* at, std::string_view* name) {
    if (at == end_ || *at != '"') return nullptr;
    const char* const text = at + 1;
    if (end_ - text >= 16) {
      const StringBytes bytes = ClassifyString(text);
      const uint32_t before = (bytes.quotes - 1) & ~bytes.quotes;
      if (bytes.quotes != 0 && ((bytes.others | bytes.non_ascii) & before) == 0) {
        *name = {text, static_cast<size_t>(__builtin_ctz(bytes.quotes))};
        return text + name->size() + 1;
      }
    }
    cursor_.Seek(at);
    if (!cursor_.TakeString(/*borrow=*/true, &state_.name)) return nullptr;
    *name = state_.name.AsString();
    return cursor_.at();
  }

  // A key that is new gets a path if there is room. The key borrows from the text, because the shape copies what it
  // keeps.
  const char* ReadNewKey(const char* at, OpenObject* object) {
    if (at == end_ || *at != '"') return FailExpected(at, "a property name in quotes");
    Value key;
    cursor_.Seek(at);
    if (!cursor_.TakeString(/*borrow=*/true, &key)) return nullptr;
    const char* end = cursor_.at();
    if (object->path != nullptr) {
      KeyPath* path = state_.paths.Add(object->path, {at, static_cast<size_t>(end - at)}, key);
      if (path == nullptr) AddKeysOf(*object->path);
      object->path = path;
    }
    if (object->path == nullptr) state_.keys.push_back(key);
    return end;
  }

  // Appends them to state_.keys.
  void AddKeysOf(const KeyPath& path) {
    size_t at = state_.keys.size() + path.size();
    state_.keys.resize(at);
    for (const KeyPath* p = &path; p->previous() != nullptr; p = p->previous()) state_.keys[--at] = p->key();
  }

  bool MakeObjectOf(const OpenObject& object, const char* end, Items* outer) {
    Value made;
    if (!MakeMappingOf(object, end, Tag::kObject, Type(), outer, &made)) return false;
    state_.values.Push(made);
    return true;
  }

  // Makes an object, or a map of `element`, of the values from object.begin_values on, which it takes away. `end`:
  // after the brace. A path that has ended an object before knows the shape and the order: nothing is sorted, hashed or
  // looked up then.
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool MakeMappingOf(const OpenObject& object, const char* end, Tag tag, Type element,
                                                  Items* outer, Value* to) {
    const size_t size = state_.values.size() - object.begin_values;
    if (!heap_->CanAllocate(size * 2 * sizeof(Value))) return FailMemory(end);
    const Shape* shape = object.path == nullptr ? nullptr : object.path->shape();
    const uint32_t* order = nullptr;
    if (shape != nullptr) {
      order = object.path->order();
    } else {
      shape = MakeShapeOf(object);
      if (shape == nullptr) return false;
      order = state_.order.data();
    }
    *to = FillMapping(object, shape, order, tag, element, outer);
    return true;
  }

  // The same with a shape that is there, and the order of its keys (KeyPath::order()). Requires that there is memory.
  ABSL_ATTRIBUTE_ALWAYS_INLINE Value FillMapping(const OpenObject& object, const Shape* shape, const uint32_t* order,
                                                 Tag tag, Type element, Items* outer) {
    Mapping* mapping = NewMapping(shape, element, tag == Tag::kObject, heap_->arena());
    const Value* values = state_.values.from(object.begin_values);
    Value* items = mapping->mutable_items();
    for (size_t i = 0; i < shape->size; ++i) items[i] = values[order == nullptr ? i : order[i]];
    mapping->weight = 1 + shape->size + object.items.weight + shape->weight;
    mapping->depth = object.items.OuterDepth();
    outer->Nest(mapping->weight, mapping->depth);
    state_.values.Shrink(object.begin_values);
    return MappingValue(tag, mapping);
  }

  // The shape of an object of which nothing is known, with state_.order; null, with an error, if a key is given twice.
  // An object with very many keys may be a map in disguise (users by id), whose shape would take room in the table and
  // never come again.
  const Shape* MakeShapeOf(const OpenObject& object) {
    if (object.path != nullptr) AddKeysOf(*object.path);
    const absl::Span<const Value> keys = absl::MakeConstSpan(state_.keys).subspan(object.begin_keys);
    if (!SortKeys(keys, object)) return nullptr;
    std::vector<Value>& sorted = state_.sorted_keys;
    sorted.resize(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) sorted[i] = keys[state_.order[i]];
    state_.keys.resize(object.begin_keys);
    // Interned, so that requests of one form share it, unless it is large, or there are very many forms already.
    if (sorted.size() <= KeyPaths::kMaxKeys && heap_->types()->bytes_used() <= kMaxInternedBytes) {
      const Shape* shape = heap_->types()->InternShape(sorted);
      if (object.path != nullptr) state_.paths.SetShape(object.path, shape, state_.order.data());
      return shape;
    }
    CopyTexts(&sorted);
    return MakeShape(sorted, heap_->arena());
  }

  // Puts the texts of keys, which the text of the document holds, into the heap. In their order they lie scattered, so
  // that memory is asked for ahead.
  void CopyTexts(std::vector<Value>* keys) {
    constexpr size_t kAhead = 16;
    for (size_t i = 0; i < keys->size(); ++i) {
      if (i + kAhead < keys->size()) __builtin_prefetch((*keys)[i + kAhead].AsString().data());
      Value& key = (*keys)[i];
      key = Value::String(key.AsString(), heap_->arena());
    }
  }

  // Sets state_.order to the indices of `keys` in bytewise order. False, with an error, if one is given twice.
  // Positions are sorted and not keys, since the values have to follow. Of two equal keys the later one is reported.
  bool SortKeys(absl::Span<const Value> keys, const OpenObject& object) {
    std::vector<uint32_t>& order = state_.order;
    if (state_.sort.size() < 2 * keys.size()) state_.sort.resize(2 * keys.size());
    const bool has_equal = SortStringPositions(keys, state_.sort.data());
    order.resize(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) order[i] = state_.sort[i].index;
    for (size_t i = 1; has_equal && i < keys.size(); ++i) {
      if (SameString(keys[order[i]], keys[order[i - 1]])) return FailDuplicate(object, order[i], keys[order[i]]);
    }
    return true;
  }

  // The `index`-th key of `object` has come before. Goes over the object once more to find where it stands. Where keys
  // stand is not kept while reading: that would cost every document for the sake of the few that are wrong.
  bool FailDuplicate(const OpenObject& object, uint32_t index, const Value& key) {
    if (cursor_.is_quiet()) return cursor_.FailDuplicate(cursor_.offset(), key.AsString());
    Value ignored;
    cursor_.Seek(object.begin);
    for (uint32_t i = 0; i < index; ++i) {
      cursor_.Peek();
      if (!cursor_.TakeString(/*borrow=*/true, &ignored) || !cursor_.TryTake(':')) return false;
      if (!cursor_.Skip(heap_->limits().max_nesting_depth) || !cursor_.TryTake(',')) return false;
    }
    cursor_.Peek();
    return cursor_.FailDuplicate(cursor_.offset(), key.AsString());
  }

  JsonCursor cursor_;
  const char* const end_;
  Heap* const heap_;
  const Interrupt* const interrupt_;
  const char* next_check_;  // where the interrupt is looked at again; behind the text, if there is none
  const bool plain_integers_;
  ReaderState& state_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_VALUE_READER_H_
