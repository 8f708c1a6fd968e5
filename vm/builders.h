// Builders: tuples, objects and strings that grow item by item while an evaluation runs.
//
// They live in the evaluation's arena, behind a register, and are finished once. Each remembers the first error among
// its items (the result is then that error) and whether an item made the result unknowable.
// Tested by vm/builders_test.cc.

#ifndef HCLVM_VM_BUILDERS_H_
#define HCLVM_VM_BUILDERS_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What every builder has; first member of each, so that a filter can mark any of them.
struct BuilderState {
  Value poison;             // an error value once there was one, otherwise null
  bool unknowable = false;  // an unknown key or condition: the result is unknown
  MarkSet marks = 0;        // of keys, conditions and the collection: the result gets them

  void AddPoison(const Value& error) { poison = poison.is_error() ? Poison(poison, error) : error; }
};

struct TupleBuilder : BuilderState {
  void Push(const Value& value, Arena* arena) {
    if (value.is_error()) return AddPoison(value);
    if (size == capacity) Grow(arena);
    HCL_DCHECK(size < capacity);
    sequence->mutable_items()[size++] = value;
  }
  // Appends values, none of which is an error.
  void Append(absl::Span<const Value> values, Arena* arena);
  // Takes an error or an unknown value for any number of elements: the result is then an error, or unknown with the
  // value's marks.
  void Absorb(const Value& value) {
    if (value.is_error()) return AddPoison(value);
    unknowable = true;
    marks |= value.marks();
  }
  // The tuple, the dynamic value, or the error.
  Value FinishTuple(Arena* arena);
  // The list of these values for a splat: at least one, and all of the type of the first.
  Value FinishList(Heap* heap);

  Sequence* sequence = nullptr;
  uint32_t size = 0;
  uint32_t capacity = 0;

 private:
  void Grow(Arena* arena);
};

// What a repeated key means.
enum class RepeatedKey : uint8_t { kReplace = 0, kRefuse = 1, kGroup = 2 };

struct ObjectBuilder : BuilderState {
  explicit ObjectBuilder(RepeatedKey mode) : repeated(mode) {}

  // False when `key` is there already and repeated keys are refused.
  bool Put(const Value& key, const Value& value, Arena* arena);
  Value Finish(Arena* arena);

  RepeatedKey repeated;
  bool sorted = true;  // keys came in strictly ascending order so far
  KeyValue* items = nullptr;
  uint32_t size = 0;
  uint32_t capacity = 0;
  uint64_t* slots = nullptr;  // hash table, once keys came unsorted; only for kRefuse. Hash above position + 1
  uint32_t slot_mask = 0;

 private:
  bool Insert(const Value& key, Arena* arena);
  void Rehash(Arena* arena);
  Value FinishGroups(Arena* arena);
  bool CollectFewGroups(Arena* arena);
};

// An object of known keys, whose values come in any order.
struct FixedBuilder : BuilderState {
  FixedBuilder(const Shape* shape, Arena* arena);

  // Later values replace earlier ones.
  void Put(uint32_t position, const Value& value) {
    HCL_DCHECK(position < mapping->shape->size);
    if (value.is_error()) AddPoison(value);
    mapping->mutable_items()[position] = value;
  }
  // Requires a value at each position.
  Value Finish();

  Mapping* mapping;
};

struct StringBuilder : BuilderState {
  // `text` is in NFC.
  void Append(std::string_view text, Arena* arena);
  // Makes room for `bytes`, which what is there needs at least.
  void Reserve(size_t bytes, Arena* arena);
  // Normalizes.
  Value Finish(Arena* arena);

  char* data = nullptr;
  size_t size = 0;
  size_t capacity = 0;
  bool is_nfc = true;      // nothing that was appended joins what is before it
  bool has_parts = false;  // of texts with others between them: there is one
};

// A loop's position.
struct LoopState {
  enum class Mode : uint8_t {
    kFor,
    kSplatTuple,    // the result is a tuple
    kSplatList,     // the result is a list
    kSplatUnknown,  // the source is unknown: elements are unknown, only the result's type is of interest
    kSplatDynamic,  // an unknown value was taken for a sequence of one: the result is dynamic
  };
  const Value* items = nullptr;
  const Value* keys = nullptr;             // of an object or map, and a set's items; null: numbers from 0
  const Refinement* refinement = nullptr;  // kSplatUnknown: what is known of the source
  const TypeNode* type = nullptr;          // kSplatUnknown: the source's type; kSplatList: the source's element type
  uint32_t size = 0;
  uint32_t next = 0;
  Mode mode = Mode::kFor;
  bool dry = false;      // ForBeginFilter: the pass with unknown key and element is on
  bool unknown = false;  // the collection is unknown: the result is the dynamic value
  MarkSet marks = 0;     // of the collection
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_BUILDERS_H_
