// Value: what expressions evaluate to, 16 bytes.
//
// Null, unknown, bool, most numbers and strings of up to 14 bytes are inline; the rest points to memory that somebody
// else owns: an arena, a program's constants, the host. A Value never owns anything, is trivially copyable, and is
// valid as long as the memory it points to. Values are immutable and may be shared by threads.
//
// Each accessor says what it requires of the value; a dbg build checks that (internal/dcheck.h), an optimised one does
// not. How values are laid out is in internal/value_layout.h, and is nobody's business outside of the library.
//
// Specification: information-model.md, "Values and Value Types". Tested by vm/value/value_test.cc.

#ifndef HCLVM_VM_VALUE_VALUE_H_
#define HCLVM_VM_VALUE_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"

namespace hcl {

struct Refinement;

namespace internal {
class ValueAccess;
}  // namespace internal

// The longest string that a Value holds without pointing to memory, in bytes.
inline constexpr size_t kMaxInlineString = 14;

// Marks are what a host says of values, such as "sensitive": one bit each (vm/value/marks.h).
using MarkSet = uint64_t;
inline constexpr int kMaxMarks = 48;

// A host's value of a capsule type; lives where the host says.
struct Capsule {
  Type type;  // a capsule type
  const void* data;
};

class Value {
 public:
  // The null value of the dynamic pseudo-type.
  Value() : Value(Tag::kNull, Type::Dynamic().node()) {}

  static Value Null(Type type = Type::Dynamic()) { return Value(Tag::kNull, type.node()); }
  static Value Unknown(Type type) { return Value(Tag::kUnknown, type.node()); }
  // An unknown value of which more is known than its type. Requires that it is not null, and lives as long as the
  // value. RefinedUnknown() in vm/value/refinement.h is easier.
  static Value Unknown(const Refinement* refinement) {
    HCL_DCHECK(refinement != nullptr);
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
  // A number that is not inline must live as long as the value.
  static Value FromNumber(const Number& n) {
    if (!n.is_inline()) return FromBigNumber(n);
    Value v(Tag::kNumber, nullptr);
    v.payload_ = static_cast<uint64_t>(n.coefficient());
    v.head_ |= static_cast<uint64_t>(n.scale()) << 8;
    return v;
  }
  // A string. Requires that `text` is valid UTF-8 in NFC and shorter than 4 GiB; if it is over kMaxInlineString bytes
  // long, the value points to it.
  static Value StringView(std::string_view text ABSL_ATTRIBUTE_LIFETIME_BOUND) {
    HCL_DCHECK(text.size() <= UINT32_MAX);
    if (text.size() <= kMaxInlineString) return ShortString(text);
    Value v(Tag::kString, text.data());
    v.head_ |= static_cast<uint64_t>(text.size()) << 32;
    return v;
  }
  // A string, with a copy of a long `text` in `arena`. Requires the same of `text`.
  static Value String(std::string_view text, Arena* arena) {
    return StringView(text.size() <= kMaxInlineString ? text : arena->CopyString(text));
  }
  // Requires that the capsule is not null, and lives as long as the value. MakeCapsule() makes both.
  static Value FromCapsule(const Capsule* capsule) {
    HCL_DCHECK(capsule != nullptr);
    return Value(Tag::kCapsule, capsule);
  }
  // `inner` under `marks`. Requires that `inner` is not null, is not marked itself and lives as long as the value, and
  // that `marks` are some of the lowest kMaxMarks bits. Mark() in vm/value/marks.h is easier.
  static Value Marked(MarkSet marks, const Value* inner) {
    HCL_DCHECK(inner != nullptr && !inner->is_marked() && marks != 0 && marks >> kMaxMarks == 0);
    Value v(Tag::kMarked, inner);
    v.head_ |= marks << 16;
    return v;
  }

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
  // The result of something that failed, which functions and callables meet as the value that FunctionCall::Error()
  // gives; it never leaves an evaluation.
  bool is_error() const { return tag() == Tag::kError; }
  // Under marks; none of the other questions is then true. Values inside of it or of others may be marked as well.
  bool is_marked() const { return tag() == Tag::kMarked; }
  bool is_true() const { return tag() == Tag::kTrue; }
  bool is_false() const { return tag() == Tag::kFalse; }
  // The dynamic value: unknown, and of unknown type.
  bool is_dynamic_value() const { return is_unknown() && pointer() == Type::Dynamic().node(); }
  // An integer that fits 64 bits.
  bool is_int() const { return (head_ & 0xffff) == static_cast<uint64_t>(Tag::kNumber); }

  // Requires is_bool().
  bool AsBool() const {
    HCL_DCHECK(is_bool());
    return is_true();
  }
  // Requires is_int().
  int64_t AsInt() const {
    HCL_DCHECK(is_int());
    return static_cast<int64_t>(payload_);
  }
  // Requires is_number(). Valid as long as the value's memory.
  hcl::Number AsNumber() const {
    HCL_DCHECK(is_number());
    if (tag() == Tag::kNumber) {
      return hcl::Number::Inline(static_cast<int64_t>(payload_), static_cast<uint32_t>((head_ >> 8) & 0xff));
    }
    return hcl::Number::Big(static_cast<const BigNumber*>(pointer()));
  }
  // Requires is_string(). A view that lives as long as this Value object (short strings) and its memory (long ones).
  std::string_view AsString() const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    HCL_DCHECK(is_string());
    if (tag() == Tag::kShortString) return {reinterpret_cast<const char*>(this) + 2, (head_ >> 8) & 0xff};
    return {static_cast<const char*>(pointer()), head_ >> 32};
  }
  // Requires is_capsule().
  const Capsule& capsule() const {
    HCL_DCHECK(is_capsule());
    return *static_cast<const Capsule*>(pointer());
  }
  // The type of a null or unknown value. Requires is_null() or is_unknown().
  Type null_or_unknown_type() const {
    HCL_DCHECK(is_null() || is_unknown());
    // A refinement begins with its type.
    if (head_ & kRefinedBit) return *static_cast<const Type*>(pointer());
    return Type(static_cast<const internal::TypeNode*>(pointer()));
  }
  // What else is known of an unknown value, or null; null for every other value.
  const Refinement* refinement() const {
    return is_unknown() && (head_ & kRefinedBit) ? static_cast<const Refinement*>(pointer()) : nullptr;
  }
  // Elements of a tuple, list or set, in order. Requires is_sequence(). Valid as long as the value's memory.
  absl::Span<const Value> elements() const { return {sequence().items(), sequence().size}; }
  // Keys and values of an object or map, in key order. Requires is_mapping(). Valid as long as the value's memory.
  const Shape& shape() const { return *mapping().shape; }
  absl::Span<const Value> values() const;
  // Elements of any of the five; attributes or elements of a mapping. Requires is_sequence() or is_mapping().
  size_t size() const;
  // Element type of a list, set or map. Requires one of these.
  Type element_type() const {
    HCL_DCHECK(is_list() || is_set() || is_map());
    return Type(is_sequence() ? sequence().element : mapping().element);
  }
  // The marks on this value, 0 for none; and the value without them.
  MarkSet marks() const { return is_marked() ? head_ >> 16 : 0; }
  const Value& unmarked() const { return is_marked() ? *static_cast<const Value*>(pointer()) : *this; }

  // Same bits: implies equality for everything, and is equality for bools, inline numbers and short strings.
  bool SameBits(const Value& other) const { return head_ == other.head_ && payload_ == other.payload_; }

  // No unknown value in it, at any depth. Time: constant.
  bool is_wholly_known() const {
    if (is_unknown()) return false;
    if (is_sequence()) return sequence().wholly_known;
    if (is_mapping()) return mapping().wholly_known;
    return !is_marked() || unmarked().is_wholly_known();
  }
  // A mark on it or in it, at any depth. Time: constant.
  bool has_marks() const {
    if (is_sequence()) return sequence().has_marks;
    if (is_mapping()) return mapping().has_marks;
    return is_marked();
  }
  // Levels of nesting: 0 for a scalar, null or unknown, one more than the deepest element for the rest; counts to
  // 65,535. Recursive operations need this bounded. Time: constant.
  uint32_t depth() const {
    if (is_sequence()) return sequence().depth;
    if (is_mapping()) return mapping().depth;
    return is_marked() ? unmarked().depth() : 0;
  }
  // Size of the value as a tree, in units of 16 bytes, where a number beyond 18 digits has the size of its text: a part
  // that stands in it twice counts twice, although it is stored once. What walks a value pays for this; evaluations
  // bound it (Limits::max_result_bytes). Time: constant.
  uint64_t weight() const {
    if (is_sequence()) return sequence().weight;
    if (is_mapping()) return mapping().weight;
    if (is_marked()) return 1 + unmarked().weight();
    // What has no size has zeros where others have theirs, but for the text of a short string.
    return tag() == Tag::kShortString ? 1 : 1 + (head_ >> 36);
  }

 private:
  friend class internal::ValueAccess;
  using Tag = internal::Tag;

  static constexpr uint64_t kRefinedBit = 1 << 8;  // of kUnknown

  Value(Tag tag, const void* pointer)
      : head_(static_cast<uint64_t>(tag)), payload_(reinterpret_cast<uintptr_t>(pointer)) {}
  static Value FromBigNumber(const Number& n);
  static Value ShortString(std::string_view text) {
    // Put together in registers: whoever reads the value next need not wait for single bytes that were stored.
    const char* from = text.data();
    const size_t size = text.size();
    uint64_t first = 0;   // bytes 0 to 7 of the text
    uint64_t behind = 0;  // the rest
    if (size >= 8) {
      std::memcpy(&first, from, sizeof(first));
      if (size > 8) {
        std::memcpy(&behind, from + size - 8, sizeof(behind));
        behind >>= 8 * (16 - size);
      }
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

  Tag tag() const { return static_cast<Tag>(head_ & 0xff); }
  const void* pointer() const { return reinterpret_cast<const void*>(static_cast<uintptr_t>(payload_)); }
  const internal::Sequence& sequence() const {
    HCL_DCHECK(is_sequence());
    return *static_cast<const internal::Sequence*>(pointer());
  }
  const internal::Mapping& mapping() const {
    HCL_DCHECK(is_mapping());
    return *static_cast<const internal::Mapping*>(pointer());
  }

  uint64_t head_;  // byte 0: tag; byte 1: scale or length; bytes 4..7: size of a long string (little-endian)
  uint64_t payload_;
};
static_assert(sizeof(Value) == 16 && alignof(Value) == 8);
static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "Value's layout assumes a little-endian machine");
static_assert(sizeof(internal::Sequence) % alignof(Value) == 0 && sizeof(internal::Mapping) % alignof(Value) == 0);

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

inline absl::Span<const Value> Value::values() const { return {mapping().items(), mapping().shape->size}; }
inline size_t Value::size() const { return is_sequence() ? sequence().size : mapping().shape->size; }

// The shape of `keys` (strings, sorted bytewise, distinct), in `arena`. The keys' own memory must live as long.
const Shape* MakeShape(absl::Span<const Value> sorted_keys, Arena* arena);
// As above, of keys in any order, which may be repeated: positions[n] becomes that of keys[n] in the shape.
const Shape* MakeShape(absl::Span<const Value> keys, absl::Span<uint32_t> positions, Arena* arena);

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

// The type of `value`; tuple and object types are made in `types`. An error value's type is dynamic.
Type TypeOf(const Value& value, TypeTable* types);

// FriendlyName(TypeOf(value)), without making types: constant time, however large the value is.
std::string FriendlyName(const Value& value);

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
