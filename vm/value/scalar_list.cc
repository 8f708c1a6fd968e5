// A conversion plans what it does to each element. Scalars of one type need nothing but a place in the new list.
//
// Tested by vm/value/scalar_list_test.cc.

#include "hclvm/vm/value/scalar_list.h"

#include "absl/types/span.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr uint32_t Bit(Tag tag) { return uint32_t{1} << static_cast<int>(tag); }

constexpr uint32_t kBools = Bit(Tag::kFalse) | Bit(Tag::kTrue);
constexpr uint32_t kNumbers = Bit(Tag::kNumber) | Bit(Tag::kBigNumber);
constexpr uint32_t kStrings = Bit(Tag::kShortString) | Bit(Tag::kString);

}  // namespace

bool TakeScalarList(Type type, Heap* heap, Value* value, uint64_t* cost) {
  // A host that wants to stop is not asked in between.
  constexpr uint32_t kMaxElements = 256;
  const TypeKind kind = type.kind();
  if ((kind != TypeKind::kList && kind != TypeKind::kSet) || !value->is_sequence()) return false;
  const Sequence& sequence = SequenceOf(*value);
  if (sequence.size == 0 || sequence.size > kMaxElements || !heap->CanAllocate(sequence.size * sizeof(Value))) {
    return false;
  }
  uint32_t tags = 0;
  for (uint32_t n = 0; n < sequence.size; ++n) tags |= Bit(TagOf(sequence.items()[n]));
  const auto only = [tags](uint32_t wanted) { return (tags & ~wanted) == 0; };
  const Type element = only(kStrings)   ? Type::String()
                       : only(kNumbers) ? Type::Number()
                       : only(kBools)   ? Type::Bool()
                                        : Type::Dynamic();
  const Type wanted = type.element();
  if (element.is_dynamic() || !(wanted.is_dynamic() || wanted == element)) return false;
  if (!value->is_tuple() && value->element_type() != element) return false;
  *cost += sequence.weight / 4;
  const absl::Span<const Value> items(sequence.items(), sequence.size);
  if (kind == TypeKind::kSet && !value->is_set()) {
    // As ConversionCost(), which has more to find out.
    const auto rounds = static_cast<uint64_t>(32 - __builtin_clz(sequence.size));
    *cost += sequence.weight / 2 + (sequence.size + sequence.weight) * rounds;
    *value = MakeSet(element, items, heap->arena());
  } else if (kind == TypeKind::kList && !value->is_list()) {
    *cost += sequence.weight / 2;
    *value = MakeList(element, items, heap->arena());
  }
  return true;
}

}  // namespace hcl::internal
