// Value: what expressions evaluate to, 16 bytes.
//
// Null, unknown, bool, most numbers and strings of up to 14 bytes are inline; the rest points to memory that somebody
// else owns: an arena, a program's constants, the host. A Value never owns anything, is trivially copyable, and is
// valid as long as the memory it points to. Values are immutable and may be shared by threads.
//
// Canonical forms, on which equality relies: a string of up to kMaxInlineString bytes is inline; numbers are as
// vm/value/number.h says; strings are in NFC; shapes and map keys are sorted bytewise; sets are sorted and without
// duplicates (vm/value/set_order.h).
//
// Specification: information-model.md, "Values and Value Types". Tested by vm/value/value_test.cc.

#ifndef HCLVM_VM_VALUE_VALUE_H_
#define HCLVM_VM_VALUE_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"

namespace hcl {

struct Refinement;
struct Shape;
class Value;

inline constexpr size_t kMaxInlineString = 14;

// Marks are what a host says of values, such as "sensitive": one bit each (vm/value/marks.h).
using MarkSet = uint64_t;
inline constexpr int kMaxMarks = 48;

namespace internal {

// How a value is represented. The order matters for the range checks in Value.
enum class Tag : uint8_t {
  kNull,     // pointer: TypeNode
  kUnknown,  // pointer: TypeNode; aux 1: Refinement
  kFalse,
  kTrue,
  kNumber,       // aux: scale, payload: coefficient
  kBigNumber,    // pointer: BigNumber
  kShortString,  // aux: length, bytes 2..15: text
  kString,       // size: length, pointer: text
  kTuple,        // pointer: Sequence
  kList,         // pointer: Sequence
  kSet,          // pointer: Sequence
  kObject,       // pointer: Mapping
  kMap,          // pointer: Mapping
  kCapsule,      // pointer: Capsule
  kError,        // payload: count of diagnostics before the first that explains it; never leaves an evaluation
  kInternal,     // pointer: state of a loop or builder; never leaves an evaluation
  kMarked,       // bytes 2..7: marks, pointer: the Value that they are on
};

struct Sequence;
struct Mapping;

}  // namespace internal

// A host's value of a capsule type; lives where the host says.
struct Capsule {
  const internal::TypeNode* type;  // a capsule type
  const void* data;
};

class Value {
 public:
  using Tag = internal::Tag;

  // The null value of the dynamic pseudo-type.
  Value() : Value(Tag::kNull, Type::Dynamic().node()) {}

  static Value Null(Type type = Type::Dynamic()) { return Value(Tag::kNull, type.node()); }
  static Value Unknown(Type type) { return Value(Tag::kUnknown, type.node()); }
  // An unknown value of which more is known than its type; RefinedUnknown() in vm/value/refinement.h makes them.
  static Value Unknown(const Refinement* refinement) {
    Value v(Tag::kUnknown, refinement);
    v.head_ |= kRefinedBit;
    return v;
  }
  // The unknown value of the dynamic pseudo-type.
  static Value Dynamic() { return Unknown(Type::Dynamic()); }
  static Value Bool(bool b) { return Value(b ? Tag::kTrue : Tag::kFalse, nullptr); }
  static Value Int(int64_t i) {
    Value v(Tag::kNumber, nullptr);
    v.payload_ = static_cast<uint64_t>(i);
    return v;
  }
  static Value FromNumber(const Number& n) {
    Value v(n.is_inline() ? Tag::kNumber : Tag::kBigNumber, n.is_inline() ? nullptr : n.big());
    if (n.is_inline()) {
      v.payload_ = static_cast<uint64_t>(n.coefficient());
      v.head_ |= static_cast<uint64_t>(n.scale()) << 8;
    }
    return v;
  }
  // A string. `text` is valid UTF-8 in NFC; if it is over kMaxInlineString bytes long, the value points to it.
  static Value StringView(std::string_view text ABSL_ATTRIBUTE_LIFETIME_BOUND) {
    if (text.size() <= kMaxInlineString) return ShortString(text);
    Value v(Tag::kString, text.data());
    v.head_ |= static_cast<uint64_t>(text.size()) << 32;
    return v;
  }
  // The same for a `text` of at most kMaxInlineString bytes, of whose memory 16 bytes can be read.
  static Value ShortStringIn16(const char* text, size_t size) {
    // 16 bytes of it from `size` before the first zero on are a mask.
    static constexpr uint8_t kWindow[kMaxInlineString + 16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                               0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    uint64_t words[2], masks[2];
    std::memcpy(words, text, sizeof(words));
    std::memcpy(masks, kWindow + kMaxInlineString - size, sizeof(masks));
    const uint64_t low = words[0] & masks[0];
    Value v(Tag::kShortString, nullptr);
    v.head_ |= static_cast<uint64_t>(size) << 8 | low << 16;
    v.payload_ = low >> 48 | (words[1] & masks[1]) << 16;
    return v;
  }
  // A string, with a copy of a long `text` in `arena`.
  static Value String(std::string_view text, Arena* arena) {
    return StringView(text.size() <= kMaxInlineString ? text : arena->CopyString(text));
  }
  static Value FromCapsule(const Capsule* capsule) { return Value(Tag::kCapsule, capsule); }
  static Value FromSequence(Tag tag, const internal::Sequence* s) { return Value(tag, s); }
  static Value FromMapping(Tag tag, const internal::Mapping* m) { return Value(tag, m); }
  static Value Error(size_t first_diagnostic) {
    Value v(Tag::kError, nullptr);
    v.payload_ = first_diagnostic;
    return v;
  }
  static Value Internal(void* state) { return Value(Tag::kInternal, state); }
  // `inner`, which is not marked itself, under `marks` (at most kMaxMarks bits, not 0). Mark() in vm/value/marks.h is
  // easier.
  static Value Marked(MarkSet marks, const Value* inner) {
    Value v(Tag::kMarked, inner);
    v.head_ |= marks << 16;
    return v;
  }

  Tag tag() const { return static_cast<Tag>(head_ & 0xff); }

  bool is_null() const { return tag() == Tag::kNull; }
  bool is_unknown() const { return tag() == Tag::kUnknown; }
  bool is_known() const { return tag() != Tag::kUnknown; }
  bool is_bool() const { return tag() == Tag::kFalse || tag() == Tag::kTrue; }
  bool is_number() const { return tag() == Tag::kNumber || tag() == Tag::kBigNumber; }
  bool is_string() const { return tag() == Tag::kShortString || tag() == Tag::kString; }
  bool is_tuple() const { return tag() == Tag::kTuple; }
  bool is_list() const { return tag() == Tag::kList; }
  bool is_set() const { return tag() == Tag::kSet; }
  bool is_object() const { return tag() == Tag::kObject; }
  bool is_map() const { return tag() == Tag::kMap; }
  bool is_capsule() const { return tag() == Tag::kCapsule; }
  bool is_sequence() const { return tag() >= Tag::kTuple && tag() <= Tag::kSet; }
  bool is_mapping() const { return tag() == Tag::kObject || tag() == Tag::kMap; }
  bool is_error() const { return tag() == Tag::kError; }
  // Under marks; none of the other questions is then true. Values inside of it or of others may be marked as well.
  bool is_marked() const { return tag() == Tag::kMarked; }
  bool is_true() const { return tag() == Tag::kTrue; }
  bool is_false() const { return tag() == Tag::kFalse; }
  // The dynamic value: unknown, and of unknown type.
  bool is_dynamic_value() const { return is_unknown() && pointer() == Type::Dynamic().node(); }
  // An integer that fits 64 bits.
  bool is_int() const { return (head_ & 0xffff) == static_cast<uint64_t>(Tag::kNumber); }

  // Each requires the kind its name says.
  bool AsBool() const { return is_true(); }
  int64_t AsInt() const { return static_cast<int64_t>(payload_); }
  hcl::Number AsNumber() const {
    if (tag() == Tag::kNumber) return hcl::Number::Inline(AsInt(), static_cast<uint32_t>((head_ >> 8) & 0xff));
    return hcl::Number::Big(static_cast<const BigNumber*>(pointer()));
  }
  // A view that lives as long as this Value object (short strings) and its memory (long ones).
  std::string_view AsString() const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    if (tag() == Tag::kShortString) return {reinterpret_cast<const char*>(this) + 2, (head_ >> 8) & 0xff};
    return {static_cast<const char*>(pointer()), head_ >> 32};
  }
  // The type of a null or unknown value.
  Type null_or_unknown_type() const {
    // A refinement begins with its type.
    if (head_ & kRefinedBit) return *static_cast<const Type*>(pointer());
    return Type(static_cast<const internal::TypeNode*>(pointer()));
  }
  // What else is known of an unknown value, or null.
  const Refinement* refinement() const {
    return is_unknown() && (head_ & kRefinedBit) ? static_cast<const Refinement*>(pointer()) : nullptr;
  }
  const internal::Sequence& sequence() const { return *static_cast<const internal::Sequence*>(pointer()); }
  const internal::Mapping& mapping() const { return *static_cast<const internal::Mapping*>(pointer()); }
  const Capsule& capsule() const { return *static_cast<const Capsule*>(pointer()); }
  // Elements of a tuple, list or set, in order.
  absl::Span<const Value> elements() const;
  // Keys and values of an object or map, in key order.
  const Shape& shape() const;
  absl::Span<const Value> values() const;
  // Elements of any of the five; attributes or elements of a mapping.
  size_t size() const;
  // Element type of a list, set or map.
  Type element_type() const;
  // The marks on this value, 0 for none; and the value without them.
  MarkSet marks() const { return is_marked() ? head_ >> 16 : 0; }
  const Value& unmarked() const { return is_marked() ? *static_cast<const Value*>(pointer()) : *this; }
  size_t error_begin() const { return payload_; }
  void* internal_state() const { return const_cast<void*>(pointer()); }

  // Same bits: implies equality for everything, and is equality for bools, inline numbers and short strings.
  bool SameBits(const Value& other) const { return head_ == other.head_ && payload_ == other.payload_; }
  uint64_t head_bits() const { return head_; }
  uint64_t payload_bits() const { return payload_; }

  // No unknown value in it, at any depth. Time: constant.
  bool is_wholly_known() const;
  // A mark on it or in it, at any depth. Time: constant.
  bool has_marks() const;
  // Levels of nesting: 0 for a scalar, null or unknown, one more than the deepest element for the rest; counts to
  // 65,535. Recursive operations need this bounded. Time: constant.
  uint32_t depth() const;

  // Size of the value as a tree, in units of 16 bytes: a part that stands in it twice counts twice, although it is
  // stored once. What walks a value pays for this; evaluations bound it (Limits::max_result_bytes). Time: constant.
  uint64_t weight() const;

 private:
  static constexpr uint64_t kRefinedBit = 1 << 8;  // of kUnknown

  Value(Tag tag, const void* pointer)
      : head_(static_cast<uint64_t>(tag)), payload_(reinterpret_cast<uintptr_t>(pointer)) {}
  static Value ShortString(std::string_view text) {
    // Put together in registers: whoever reads the value next need not wait for single bytes that were stored.
    const char* from = text.data();
    const size_t size = text.size();
    uint64_t first = 0;   // bytes 0 to 7 of the text
    uint64_t behind = 0;  // the rest
    if (size >= 8) {
      first = LoadWord(from);
      behind = size == 8 ? 0 : LoadWord(from + size - 8) >> (8 * (16 - size));
    } else if (size >= 4) {
      uint32_t low;
      uint32_t high;
      std::memcpy(&low, from, sizeof(low));
      std::memcpy(&high, from + size - 4, sizeof(high));
      first = low | static_cast<uint64_t>(high) << (8 * (size - 4));
    } else if (size > 0) {
      auto byte = [from](size_t at) { return static_cast<uint64_t>(static_cast<unsigned char>(from[at])) << (8 * at); };
      first = byte(0) | byte(size / 2) | byte(size - 1);
    }
    Value v(Tag::kShortString, nullptr);
    v.head_ |= static_cast<uint64_t>(size) << 8 | first << 16;
    v.payload_ = first >> 48 | behind << 16;
    return v;
  }
  const void* pointer() const { return reinterpret_cast<const void*>(static_cast<uintptr_t>(payload_)); }

  uint64_t head_;  // byte 0: tag; byte 1: scale or length; bytes 4..7: size of a long string (little-endian)
  uint64_t payload_;
};
static_assert(sizeof(Value) == 16 && alignof(Value) == 8);
static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "Value's layout assumes a little-endian machine");

// The sorted, distinct keys of an object or map, with a hash index when there are many. Immutable, shared.
struct Shape {
  uint32_t size = 0;
  uint32_t index_mask = 0;          // slots of `index` - 1; 0 without an index
  uint64_t hash = 0;                // of the keys: equal shapes have equal hashes
  uint64_t weight = 0;              // of the keys
  const Value* keys = nullptr;      // strings, sorted bytewise
  const uint32_t* index = nullptr;  // open addressing: position + 1, or 0

  // Position of `key`, or -1.
  int64_t Find(const Value& key) const;
  int64_t Find(std::string_view key) const { return Find(Value::StringView(key)); }

  friend bool operator==(const Shape& a, const Shape& b);
};

namespace internal {

struct Sequence {
  uint32_t size;
  uint16_t depth;
  bool wholly_known;
  bool has_marks;
  const TypeNode* element;  // of a list or set; null for a tuple
  uint64_t weight;
  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Value* mutable_items() { return reinterpret_cast<Value*>(this + 1); }
};

struct Mapping {
  const Shape* shape;
  const TypeNode* element;  // of a map; null for an object
  uint16_t depth;
  bool wholly_known;
  bool has_marks;
  uint64_t weight;
  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Value* mutable_items() { return reinterpret_cast<Value*>(this + 1); }
};
static_assert(sizeof(Sequence) % alignof(Value) == 0 && sizeof(Mapping) % alignof(Value) == 0);

}  // namespace internal

inline absl::Span<const Value> Value::elements() const { return {sequence().items(), sequence().size}; }
inline const Shape& Value::shape() const { return *mapping().shape; }
inline absl::Span<const Value> Value::values() const { return {mapping().items(), mapping().shape->size}; }
inline size_t Value::size() const { return is_sequence() ? sequence().size : mapping().shape->size; }
inline Type Value::element_type() const { return Type(is_sequence() ? sequence().element : mapping().element); }
inline bool Value::is_wholly_known() const {
  if (is_unknown()) return false;
  if (is_sequence()) return sequence().wholly_known;
  if (is_mapping()) return mapping().wholly_known;
  return !is_marked() || unmarked().is_wholly_known();
}
inline bool Value::has_marks() const {
  if (is_sequence()) return sequence().has_marks;
  if (is_mapping()) return mapping().has_marks;
  return is_marked();
}
inline uint64_t Value::weight() const {
  if (is_sequence()) return sequence().weight;
  if (is_mapping()) return mapping().weight;
  if (is_marked()) return 1 + unmarked().weight();
  return tag() == Tag::kString ? 1 + (head_ >> 36) : 1;
}
inline uint32_t Value::depth() const {
  if (is_sequence()) return sequence().depth;
  if (is_mapping()) return mapping().depth;
  return is_marked() ? unmarked().depth() : 0;
}

// Hash of a string value or of its text: equal strings have equal hashes.
uint64_t HashString(std::string_view text);

// The shape of `keys` (strings, sorted bytewise, distinct), in `arena`. The keys' own memory must live as long.
const Shape* MakeShape(absl::Span<const Value> sorted_keys, Arena* arena);

// Values in `arena`. What the elements point to must live as long as the result.
Value MakeTuple(absl::Span<const Value> elements, Arena* arena);
// Elements are of type `element` (dynamic inside it where they differ).
Value MakeList(Type element, absl::Span<const Value> elements, Arena* arena);
// Sorts and removes duplicates. Elements wholly known, or the set is as the reference has it (vm/value/set_order.h).
Value MakeSet(Type element, absl::Span<const Value> elements, Arena* arena);
// `values[i]` belongs to `shape->keys[i]`.
Value MakeObject(const Shape* shape, absl::Span<const Value> values, Arena* arena);
Value MakeMap(Type element, const Shape* shape, absl::Span<const Value> values, Arena* arena);

// A value of the capsule type `type`. `data` must live as long as the result; see CapsuleType::copy.
Value MakeCapsule(Type type, const void* data, Arena* arena);

struct KeyValue {
  Value key;  // a string
  Value value;
};
// From pairs in any order; a later pair replaces an earlier one of the same key. Pairs that come sorted cost less.
Value MakeObject(absl::Span<const KeyValue> pairs, Arena* arena);
Value MakeMap(Type element, absl::Span<const KeyValue> pairs, Arena* arena);

// Room for a sequence of `size` values to be filled by the caller through mutable_items(), then finished.
inline internal::Sequence* NewSequence(uint32_t size, Type element, bool is_tuple, Arena* arena) {
  void* memory = arena->Allocate(sizeof(internal::Sequence) + size * sizeof(Value), alignof(internal::Sequence));
  return new (memory) internal::Sequence{size, 1, true, false, is_tuple ? nullptr : element.node(), 1};
}
inline internal::Mapping* NewMapping(const Shape* shape, Type element, bool is_object, Arena* arena) {
  void* memory = arena->Allocate(sizeof(internal::Mapping) + shape->size * sizeof(Value), alignof(internal::Mapping));
  return new (memory) internal::Mapping{shape, is_object ? nullptr : element.node(), 1, true, false, 1};
}
// Sets wholly_known, has_marks, depth and weight from the items.
void Finish(internal::Sequence* sequence);
void Finish(internal::Mapping* mapping);

// The type of `value`; tuple and object types are made in `types`. An error value's type is dynamic.
Type TypeOf(const Value& value, TypeTable* types);

// True when TypeOf(a) == TypeOf(b), without making types.
bool SameType(const Value& a, const Value& b);
// True when TypeOf(value) == type, without making types.
bool HasType(const Value& value, Type type);

// Structural identity of type and value, unknowns and nulls included: what tests compare.
bool Identical(const Value& a, const Value& b);

// A deep copy of `value` in `arena`, types in `types`: keeps a result beyond its evaluation. A capsule's data is copied
// as its type says, or shared. Values of a depth that an
// evaluation can make (Limits::max_nesting_depth) only.
Value Clone(const Value& value, Arena* arena, TypeTable* types);

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_VALUE_H_
