// What the instruction Guard asks for, by the tags of values.
//
// Internal to the machine. Tested by compiler/core_values_test.cc.

#ifndef HCLVM_VM_GUARD_TAGS_H_
#define HCLVM_VM_GUARD_TAGS_H_

#include <cstdint>

#include "hclvm/internal/value_layout.h"

namespace hcl::internal {

inline constexpr uint16_t TagBits(Tag first, Tag last) {
  return static_cast<uint16_t>((2U << static_cast<int>(last)) - (1U << static_cast<int>(first)));
}
inline constexpr uint16_t kBoolTags = TagBits(Tag::kFalse, Tag::kTrue);
inline constexpr uint16_t kNumberTags = TagBits(Tag::kNumber, Tag::kBigNumber);
inline constexpr uint16_t kStringTags = TagBits(Tag::kShortString, Tag::kString);
inline constexpr uint16_t kScalarTags = TagBits(Tag::kFalse, Tag::kString);
inline constexpr uint16_t kKnownTags = TagBits(Tag::kFalse, Tag::kCapsule);

// By the instruction's operand B: a bit for each tag whose values all pass. The numbers are those of Guard in
// compiler/guards.h, which this folder must not include.
inline constexpr uint16_t kPassingTags[] = {
    kBoolTags,                                      // a bool
    kNumberTags,                                    // a number
    kStringTags,                                    // a string
    kScalarTags,                                    // any of these
    0,                                              // a list or tuple of these
    kKnownTags,                                     // no error
    kBoolTags,                                      // a bool, an untyped null or nothing
    kNumberTags,                                    // likewise
    kStringTags,                                    // likewise
    kBoolTags,                                      // a bool or nothing
    kScalarTags | TagBits(Tag::kNull, Tag::kNull),  // no marks
    kScalarTags,                                    // not null
    kKnownTags | TagBits(Tag::kNull, Tag::kNull),   // known
    kScalarTags | TagBits(Tag::kNull, Tag::kNull),  // known in all parts, and unmarked
    TagBits(Tag::kTuple, Tag::kTuple),              // a tuple, or a list or set with elements
    kBoolTags,                                      // a bool or nothing, as a side of a logical operator
    0,                                              // an object or map without marks, or an untyped null
    kBoolTags,                                      // a bool or nothing, as a side that decides
    TagBits(Tag::kTuple, Tag::kTuple),              // a list or tuple
    TagBits(Tag::kTuple, Tag::kTuple) |
        TagBits(Tag::kObject, Tag::kObject),  // empty, of no type, or of bools or strings
    kScalarTags,                              // an argument: known, not null and without marks
    0,                                        // a string of ASCII
    0,                                        // a list or tuple without lists, tuples, sets and unknown values
};

// Checks that null fails for certain, where what fails is dropped.
inline constexpr uint16_t kNumberCheck = 1;  // and that of bools before it
inline constexpr uint16_t kNotNullCheck = 11;
// The check that a value is a scalar. Where only that is asked, and what fails is dropped, it is of what becomes a
// string.
inline constexpr uint16_t kScalarCheck = 3;
// A side that is no bool fails with the operator, unless it is null, which passes.
inline constexpr uint16_t kSideCheck = 15;
// The same, where null does not pass either.
inline constexpr uint16_t kBoolSideCheck = 17;

// Whether what is absent passes too.
inline constexpr bool AbsentPasses(uint16_t check) {
  return (check >= 6 && check <= 9) || check == kSideCheck || check == kBoolSideCheck;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_GUARD_TAGS_H_
