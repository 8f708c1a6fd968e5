// How types and values are laid out in memory: what the inline code of vm/value/type.h and vm/value/value.h reads.
//
// Not for programs that use the library: everything here may change with any version.
//
// Canonical forms, on which equality relies: a string of up to kMaxInlineString bytes is inline; numbers are as
// vm/value/number.h says; strings are in NFC; shapes and map keys are sorted bytewise; sets are sorted and without
// duplicates (vm/value/set_order.h).
//
// Specification: information-model.md, "Values and Value Types". Tested by vm/value/value_test.cc.

#ifndef HCLVM_INTERNAL_VALUE_LAYOUT_H_
#define HCLVM_INTERNAL_VALUE_LAYOUT_H_

#include <cstdint>

#include "hclvm/internal/cxx17.h"

namespace hcl {

struct CapsuleType;
struct Shape;
class Value;
enum class TypeKind : uint8_t;

namespace internal {

// One interned type. Immutable.
struct TypeNode {
  TypeKind kind{};          // the dynamic pseudo-type
  bool has_dynamic = true;  // the dynamic pseudo-type occurs in it
  uint32_t size = 0;        // elements of a tuple, attributes of an object
  uint32_t depth = 1;
  uint64_t hash = 0;                          // of the structure: equal types have equal hashes
  const TypeNode* element = nullptr;          // list, set, map
  const TypeNode* const* elements = nullptr;  // tuple: by position; object: by position in the shape
  const Shape* shape = nullptr;               // object: attribute names in order
  const CapsuleType* capsule = nullptr;
};

// How a value is represented. The order matters for the range checks in Value.
enum class Tag : uint8_t {
  kNull,     // pointer: TypeNode
  kUnknown,  // pointer: TypeNode; aux 1: Refinement
  kFalse,
  kTrue,
  kNumber,       // aux: scale, payload: coefficient
  kBigNumber,    // size: digits of its text, pointer: BigNumber
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

// Of what a collection holds at any depth. `has_no_nulls`: certainly; what is made item by item may not know it.
struct Sequence {
  uint32_t size;
  uint16_t depth;
  bool wholly_known;
  bool has_marks : 1;
  bool has_no_nulls : 1;
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
  bool has_marks : 1;
  bool has_no_nulls : 1;
  uint64_t weight;
  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Value* mutable_items() { return reinterpret_cast<Value*>(this + 1); }
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_INTERNAL_VALUE_LAYOUT_H_
