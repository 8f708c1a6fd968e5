// What the library does with values and a host does not: their representation, values that never leave an evaluation,
// and tuples and objects that are filled in place.
//
// Tested by vm/value/value_test.cc.

#ifndef HCLVM_VM_VALUE_VALUE_ACCESS_H_
#define HCLVM_VM_VALUE_VALUE_ACCESS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The one class that may touch a value's bits. The functions below are for everybody else.
class ValueAccess {
 public:
  static Tag TagOf(const Value& value) { return value.tag(); }
  static const void* Pointer(const Value& value) { return value.pointer(); }
  static uint64_t Head(const Value& value) { return value.head_; }
  static uint64_t Payload(const Value& value) { return value.payload_; }
  static Value Make(Tag tag, const void* pointer) { return Value(tag, pointer); }
  static Value Make(Tag tag, uint64_t head_bits, uint64_t payload) {
    Value v(tag, nullptr);
    v.head_ |= head_bits;
    v.payload_ = payload;
    return v;
  }
};

inline Tag TagOf(const Value& value) { return ValueAccess::TagOf(value); }
inline uint64_t HeadBits(const Value& value) { return ValueAccess::Head(value); }
inline uint64_t PayloadBits(const Value& value) { return ValueAccess::Payload(value); }

// The value, read by its two words. What a call has just returned was stored so, and a load of all 16 bytes, which
// compilers prefer, would wait until both words are in the cache; words are had at once, also of what was stored whole.
inline Value ByWords(const Value& value) {
  uint64_t head = ValueAccess::Head(value);
  uint64_t payload = ValueAccess::Payload(value);
#if defined(__GNUC__)
  asm("" : "+r"(head), "+r"(payload));  // what hides the words keeps them apart
#endif
  return ValueAccess::Make(Tag::kNull, head, payload);
}

// The memory of a tuple, list or set; of an object or map.
inline const Sequence& SequenceOf(const Value& value) {
  HCL_DCHECK(value.is_sequence());
  return *static_cast<const Sequence*>(ValueAccess::Pointer(value));
}
inline const Mapping& MappingOf(const Value& value) {
  HCL_DCHECK(value.is_mapping());
  return *static_cast<const Mapping*>(ValueAccess::Pointer(value));
}
// Whether a collection certainly holds no null at any depth. Constant time.
inline bool HasNoNulls(const Value& value) {
  return value.is_sequence() ? SequenceOf(value).has_no_nulls : MappingOf(value).has_no_nulls;
}
// The type of a bool, number or string; dynamic for all else.
inline Type TypeOfScalar(const Value& value) {
  if (value.is_bool()) return Type::Bool();
  if (value.is_number()) return Type::Number();
  return value.is_string() ? Type::String() : Type::Dynamic();
}
inline bool IsUntypedNull(const Value& value) { return value.is_null() && value.null_or_unknown_type().is_dynamic(); }
// The value that is such memory, which is finished.
inline Value SequenceValue(Tag tag, const Sequence* sequence) {
  HCL_DCHECK(tag >= Tag::kTuple && tag <= Tag::kSet && sequence != nullptr);
  return ValueAccess::Make(tag, sequence);
}
inline Value MappingValue(Tag tag, const Mapping* mapping) {
  HCL_DCHECK((tag == Tag::kObject || tag == Tag::kMap) && mapping != nullptr);
  return ValueAccess::Make(tag, mapping);
}

// The value of something that failed ("poison"); it makes every result poison that is made of it. `first_diagnostic`:
// how many diagnostics there were before the first one that explains it.
inline Value ErrorValue(size_t first_diagnostic) { return ValueAccess::Make(Tag::kError, 0, first_diagnostic); }
inline size_t ErrorBegin(const Value& value) {
  HCL_DCHECK(value.is_error());
  return PayloadBits(value);
}

// State of a loop or builder in a register; null marks a variable without a value.
inline Value InternalValue(void* state) { return ValueAccess::Make(Tag::kInternal, state); }
inline bool IsInternal(const Value& value) { return TagOf(value) == Tag::kInternal; }
// What marks a variable without a value, or a register that holds none.
inline bool IsAbsent(const Value& value) { return value.SameBits(InternalValue(nullptr)); }
inline void* InternalState(const Value& value) {
  HCL_DCHECK(IsInternal(value));
  return const_cast<void*>(ValueAccess::Pointer(value));
}

// As Value::StringView for a `text` of at most kMaxInlineString bytes, of whose memory 16 bytes can be read.
inline Value ShortStringIn16(const char* text, size_t size) {
  HCL_DCHECK(size <= kMaxInlineString);
  // 16 bytes of it from `size` before the first zero on are a mask.
  static constexpr uint8_t kWindow[kMaxInlineString + 16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                             0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  uint64_t words[2], masks[2];
  std::memcpy(words, text, sizeof(words));
  std::memcpy(masks, kWindow + kMaxInlineString - size, sizeof(masks));
  const uint64_t low = words[0] & masks[0];
  return ValueAccess::Make(Tag::kShortString, static_cast<uint64_t>(size) << 8 | low << 16,
                           low >> 48 | (words[1] & masks[1]) << 16);
}

// Room for a sequence of `size` values to be filled by the caller through mutable_items(), then finished.
inline Sequence* NewSequence(uint32_t size, Type element, bool is_tuple, Arena* arena) {
  void* memory = arena->Allocate(sizeof(Sequence) + size * sizeof(Value), alignof(Sequence));
  return new (memory) Sequence{size, 1, true, false, false, is_tuple ? nullptr : element.node(), 1};
}
inline Mapping* NewMapping(const Shape* shape, Type element, bool is_object, Arena* arena) {
  void* memory = arena->Allocate(sizeof(Mapping) + shape->size * sizeof(Value), alignof(Mapping));
  return new (memory) Mapping{shape, is_object ? nullptr : element.node(), 1, true, false, false, 1};
}
// Sets wholly_known, has_marks, has_no_nulls, depth and weight from the items.
void Finish(Sequence* sequence);
void Finish(Mapping* mapping);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_VALUE_ACCESS_H_
