// Tested by vm/value/object_choice_test.cc.

#include "hclvm/vm/value/object_choice.h"

#include <cstddef>
#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/uniform_list.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxAttributes = 32;
constexpr int kMaxDepth = 4;

// Whether all of its type is in what it holds.
bool IsWholeStructure(const Value& value) {
  return (value.is_tuple() || value.is_object()) && value.is_wholly_known() && !value.has_marks();
}

bool Choose(const Value& taken, const Value& other, int depth, Heap* heap, Value* result);

// The attributes of both objects, in the order of their names, and what each of them is.
class Union {
 public:
  Union(const Value& taken, const Value& other, Heap* heap)
      : taken_(taken), other_(other), heap_(heap), arena_(heap->arena()) {}

  bool Unite(int depth) {
    const Shape& ours = taken_.shape();
    const Shape& theirs = other_.shape();
    if (ours == theirs) return UniteValues(depth);
    keys_ = arena_->NewArray<Value>(ours.size + theirs.size);
    values_ = arena_->NewArray<Value>(ours.size + theirs.size);
    for (uint32_t n = 0, m = 0; n < ours.size || m < theirs.size; ++size_) {
      const int order = n == ours.size ? 1 : m == theirs.size ? -1 : CompareStrings(ours.keys[n], theirs.keys[m]);
      keys_[size_] = order > 0 ? theirs.keys[m] : ours.keys[n];
      const Value* const mine = order <= 0 ? &taken_.values()[n++] : nullptr;
      const Value* const its = order >= 0 ? &other_.values()[m++] : nullptr;
      if (!Add(mine, its, depth)) return false;
    }
    return true;
  }

  // Of objects with the same keys.
  bool UniteValues(int depth) {
    values_ = arena_->NewArray<Value>(taken_.size());
    for (; size_ < taken_.size(); ++size_) {
      if (!Add(&taken_.values()[size_], &other_.values()[size_], depth)) return false;
    }
    return true;
  }

  Value Made() const {
    if (!has_changed_ && size_ == taken_.size()) return taken_;
    const Shape* const shape = size_ == taken_.size()   ? &taken_.shape()
                               : size_ == other_.size() ? &other_.shape()
                                                        : MakeShape({keys_, size_}, arena_);
    return MakeObject(shape, {values_, size_}, arena_);
  }

 private:
  // The next attribute; null stands for that of an object without it.
  bool Add(const Value* mine, const Value* its, int depth) {
    Value& value = values_[size_];
    if (mine == nullptr || IsUntypedNull(*mine)) {
      has_changed_ = true;
      return PutNull(its, &value);
    }
    value = *mine;
    const Type type = TypeOfScalar(*mine);
    if (its == nullptr) return !type.is_dynamic() || IsWholeStructure(*mine);
    if (!type.is_dynamic()) return TypeOfScalar(*its) == type || IsUntypedNull(*its);
    if (!IsWholeStructure(*mine)) return false;
    if (IsUntypedNull(*its)) return true;
    if (!IsWholeStructure(*its)) return false;
    if (SameType(*mine, *its)) return true;
    has_changed_ = true;
    return Choose(*mine, *its, depth + 1, heap_, &value);
  }

  bool PutNull(const Value* its, Value* value) {
    if (its == nullptr || IsUntypedNull(*its)) {
      *value = Value::Null();
      return true;
    }
    if (!IsWholeStructure(*its) && TypeOfScalar(*its).is_dynamic()) return false;
    *value = Value::Null(TypeOf(*its, heap_->types()));
    return true;
  }

  const Value& taken_;
  const Value& other_;
  Heap* const heap_;
  Arena* const arena_;
  Value* keys_ = nullptr;
  Value* values_ = nullptr;
  size_t size_ = 0;
  bool has_changed_ = false;
};

bool ChooseList(const Value& taken, const Value& other, Heap* heap, Value* result) {
  const Value branches[] = {taken, other};
  if (taken.size() == other.size() || !heap->CanAllocate(taken.size() * sizeof(Value))) return false;
  if (other.size() == 0 && AlignObjects(taken, heap, result)) return true;
  const Type element = UniformTypeOfTuples(branches, heap);
  if (element.is_dynamic()) return false;
  *result = ListOfElements(element, taken, heap->arena());
  return true;
}

bool Choose(const Value& taken, const Value& other, int depth, Heap* heap, Value* result) {
  if (taken.is_tuple() && other.is_tuple()) return ChooseList(taken, other, heap, result);
  if (!taken.is_object() || !other.is_object() || depth > kMaxDepth || heap->dialect() != Dialect::kSpec) return false;
  // Nothing to unite with.
  if (other.size() == 0 && IsWholeStructure(taken)) return *result = taken, true;
  const size_t most = taken.size() + other.size();
  if (most > kMaxAttributes || !heap->CanAllocate(4 * most * sizeof(Value))) return false;
  Union both(taken, other, heap);
  if (!both.Unite(depth)) return false;
  *result = both.Made();
  return true;
}

}  // namespace

// A null has the type of what stands beside it.
bool ChooseStructure(const Value& taken, const Value& other, Heap* heap, Value* result) {
  if (IsUntypedNull(other) && IsWholeStructure(taken)) return *result = taken, true;
  return Choose(taken, other, 0, heap, result);
}

}  // namespace hcl::internal
