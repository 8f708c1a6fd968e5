// BindingPlan: how given values become values of a declared type, worked out once.
//
// For values as hosts mostly give them: known, unmarked, objects and tuples as JSON makes them. What else there may be,
// and what does not fit, is left to ToDeclared() (vm/value/declared_value.h), which gives the same.
//
// Tested by vm/value/declared_value_test.cc and by tests/slow/module_law_test.cc.

#ifndef HCLVM_VM_VALUE_BINDING_PLAN_H_
#define HCLVM_VM_VALUE_BINDING_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/type_part.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Immutable and thread-safe once made.
class BindingPlan {
 public:
  // Sets of more elements are left to conversion, which counts the work of putting them in order.
  static constexpr size_t kMaxSetSize = 64;

  // `defaults` may be null; values that stand in for missing ones are made in `heap`. Type and heap must outlive the
  // plan. Time and memory: as large as the type.
  BindingPlan(Type type, const TypeDefaults* defaults, Heap* heap);
  // The same for the part of the type's values that is read. Nothing else is looked at: objects have the attributes
  // only that are read, and maps the keys that are named. type() is the type of these values, in heap->types().
  BindingPlan(Type type, const TypePart& part, const TypeDefaults* defaults, Heap* heap);

  // Sets *result to `value` as it is declared, in `heap` as far as something has to be made. False where that is not
  // simple; *result then means nothing. The result may share the shapes of `value`. Sets *stands_in, unless it is null,
  // where something stands in for an attribute that is not there. Recursion follows the type.
  bool Apply(const Value& value, Heap* heap, Value* result, bool* stands_in = nullptr) const;

  // `value` without what is not read, for ToDeclared() with type(): marks and unknown values stay. In `heap`, as far as
  // something is left out. Recursion follows the type.
  Value Trim(const Value& value, Heap* heap) const;

  // Whether what is read of `value` is as it is declared, so that what Apply() would make of it is equal to that. May
  // be false where it is, but for a look at its elements, or where it is not simple. Time: that of looking at the
  // attributes that objects of the type have, elements of collections not counted.
  bool Keeps(const Value& value) const { return Passes(value) || KeepsParts(value); }
  // What sees most of that without a call; false of others.
  class QuickLook;
  inline QuickLook quick_look() const;
  // Whether Keeps() looks at a few scalars and collections at most.
  bool keeps_quickly() const { return keeps_quickly_; }

  // What Apply() goes by, for readers that make such values straight away. The plan for part `n` of an object or tuple,
  // or for the elements of a list, map, or set of scalars (`n` is 0); what stands in for part `n` of an object that is
  // missing or null, or null; a bit for each Tag of values that stay as they are.
  Type type() const { return type_; }
  const BindingPlan& part(size_t n) const { return parts_[n]; }
  const Value* stand_in(size_t n) const { return stand_in_[n] ? &*stand_in_[n] : nullptr; }
  uint32_t passing_tags() const { return passing_tags_; }
  // Whether something may stand in for a part, or for a part of one.
  bool has_stand_ins() const { return has_stand_ins_; }

 private:
  // Of an object or tuple.
  struct Part {
    Value key;              // of an object; it lives as long as the type
    uint32_t passing_tags;  // of the part's plan
    bool Passes(const Value& value) const { return (passing_tags >> static_cast<uint32_t>(TagOf(value)) & 1) != 0; }
  };

  // The parts of an object type.
  void AddAttributes(Type type, const TypePart& part, const TypeDefaults* defaults, Heap* heap);
  // Whether a collection has nothing in it that would have to be looked at one by one: where it has no nulls, all that
  // may be missing in its elements is there.
  template <typename Collection>
  static bool IsWhole(const Collection& given) {
    return given.has_no_nulls && given.wholly_known && !given.has_marks;
  }
  bool KeepsParts(const Value& value) const;
  bool KeepsObject(const Mapping& given) const;
  bool KeepsAttributes(const Mapping& given) const;
  bool KeepsTuple(const Sequence& given) const;
  bool KeepsPart(size_t n, const Value& item) const;
  bool ApplyToObject(const Value& value, Heap* heap, Value* result, bool* stands_in) const;
  bool ApplyToItems(const Value& value, Heap* heap, Value* result, bool* stands_in) const;
  bool ApplyToKeys(const Value& value, Heap* heap, Value* result, bool* stands_in) const;
  bool ApplyToSet(const Value& value, Heap* heap, Value* result) const;

  // Whether `value` stays as it is because of its tag alone: most parts of most values are scalars of the kind that is
  // declared.
  bool Passes(const Value& value) const { return (passing_tags_ >> static_cast<uint32_t>(TagOf(value)) & 1) != 0; }

  static constexpr auto kNone = static_cast<Tag>(0xff);  // of no value

  Type type_;
  uint32_t passing_tags_ = 0;  // a bit for each tag; none of types with parts
  Tag whole_tag_ = kNone;      // of values whose parts are looked at
  bool keeps_quickly_ = true;
  bool is_open_ = false;   // an object may have other attributes beside these, which nothing reads
  bool has_keys_ = false;  // of a map, `keys_` alone are read
  bool has_stand_ins_ = false;
  bool trims_ = false;                          // there are such objects or maps in it
  std::vector<Value> keys_;                     // in order; they live as long as the types
  std::vector<BindingPlan> parts_;              // of an object or tuple; the only one of a list, set or map
  std::vector<Part> quick_;                     // of an object or tuple: what is looked at first
  std::vector<std::optional<Value>> stand_in_;  // of an object: for parts that are missing or null
};

// Whether a value is as it is declared, for objects with short names and scalars in them, and for lists and maps whose
// elements are of the very type. It lives as long as the plan.
class BindingPlan::QuickLook {
 public:
  // Sees nothing.
  QuickLook() = default;
  explicit QuickLook(const BindingPlan& plan)
      : tag_(plan.whole_tag_),
        part_count_(static_cast<uint32_t>(plan.quick_.size())),
        parts_(plan.quick_.data()),
        element_(plan.type_.node()->element) {}

  bool Keeps(const Value& value) const {
    if (TagOf(value) != tag_) return false;
    if (tag_ == Tag::kObject) return HasKeptBits(MappingOf(value));
    if (tag_ == Tag::kMap) return IsKept(MappingOf(value));
    return tag_ == Tag::kList && IsKept(SequenceOf(value));
  }

 private:
  template <typename Collection>
  bool IsKept(const Collection& given) const {
    return given.element == element_ && IsWhole(given);
  }
  // Names and values are looked at together, once, and what was seen is asked at the end: nearly all fit. The shape is
  // that of the type only where a host makes values with the types of the program.
  bool HasKeptBits(const Mapping& given) const {
    const Shape& shape = *given.shape;
    if (shape.size != part_count_) return false;
    const Value* key = shape.keys;
    const Value* item = given.items();
    uint64_t other = 0;
    uint32_t passing = 1;
    for (const Part* part = parts_; part != parts_ + part_count_; ++part, ++key, ++item) {
      other |= (HeadBits(*key) ^ HeadBits(part->key)) | (PayloadBits(*key) ^ PayloadBits(part->key));
      passing &= part->passing_tags >> static_cast<uint32_t>(TagOf(*item));
    }
    return other == 0 && passing != 0;
  }

  Tag tag_ = kNone;
  uint32_t part_count_ = 0;  // of an object
  const Part* parts_ = nullptr;
  const TypeNode* element_ = nullptr;  // of a list or map
};

inline BindingPlan::QuickLook BindingPlan::quick_look() const {
  return keeps_quickly_ ? QuickLook(*this) : QuickLook();
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_BINDING_PLAN_H_
