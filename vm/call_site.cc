// Call sites. Tested by vm/call_site_test.cc.

#include "hclvm/vm/call_site.h"

#include <algorithm>

#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/functions/quick_bodies.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"

namespace hcl::internal {
namespace {

constexpr uint16_t Bit(Tag tag) { return static_cast<uint16_t>(1U << static_cast<int>(tag)); }

constexpr uint16_t kBools = Bit(Tag::kFalse) | Bit(Tag::kTrue);
constexpr uint16_t kNumbers = Bit(Tag::kNumber) | Bit(Tag::kBigNumber);
constexpr uint16_t kStrings = Bit(Tag::kShortString) | Bit(Tag::kString);
constexpr uint16_t kLists = Bit(Tag::kTuple) | Bit(Tag::kList);
constexpr uint16_t kLight = kBools | Bit(Tag::kNumber) | kStrings;
constexpr uint16_t kAll =
    kBools | kNumbers | kStrings | kLists | Bit(Tag::kSet) | Bit(Tag::kObject) | Bit(Tag::kMap) | Bit(Tag::kCapsule);

uint16_t TagsOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return kBools;
    case TypeKind::kNumber:
      return kNumbers;
    case TypeKind::kString:
      return kStrings;
    case TypeKind::kDynamic:
      return kAll;
    default:
      return 0;
  }
}

}  // namespace

// The elements of a list tell its element type; that of an empty one may be another, which may be an error.
bool ArgumentKinds::TakesCompound(const Value& argument) const {
  if (argument.has_marks()) return false;
  if (element_tags == 0) return true;
  const Sequence& sequence = SequenceOf(argument);
  if (sequence.size == 0) return argument.is_tuple();
  return std::all_of(sequence.items(), sequence.items() + sequence.size, [this](const Value& element) {
    return (uint32_t{element_tags} >> static_cast<int>(TagOf(element)) & 1) != 0;
  });
}

ArgumentKinds KindsOf(const Parameter& parameter, bool takes_tuples) {
  const Type type = parameter.type;
  if (type.is_dynamic() && parameter.allow_dynamic) {
    // The protocol looks for nothing else in what is null or unknown.
    const int blank = (parameter.allow_null ? Bit(Tag::kNull) : 0) | (parameter.allow_unknown ? Bit(Tag::kUnknown) : 0);
    return {static_cast<uint16_t>(kAll | blank), 0};
  }
  if (type.kind() != TypeKind::kList) return {TagsOf(type.kind()), 0};
  if (!takes_tuples || !type.element().is_primitive()) return {};
  return {kLists, TagsOf(type.element().kind())};
}

// How many arguments a quick body of a variadic function takes, which nobody tells it.
constexpr size_t kQuickVariadic = 2;

// The number of arguments is right where nothing is expanded: the compiler has counted them.
CallSite::CallSite(const Function* callee, const void* state, uint32_t count, bool expanded)
    : function(callee),
      prepared(state),
      arguments(count),
      expand_last(expanded),
      light_arguments(UINT8_MAX),
      is_quick(callee->quick != nullptr && !expanded &&
               count == (callee->variadic ? kQuickVariadic : callee->parameters.size())),
      converts_to(is_quick ? ConvertsTo(callee->quick) : TypeKind::kDynamic),
      light{} {
  if (expand_last) return;
  for (size_t n = 0; n < std::min<size_t>(count, kOwnKinds); ++n) {
    kinds[n] = KindsOf(function->parameter(n), function->takes_tuples);
    light[n] = kinds[n].tags & kLight;
  }
  if (count <= kOwnKinds) {
    if (function->result_type_rule == nullptr) light_arguments = static_cast<uint8_t>(count);
    return;
  }
  ArgumentKinds& others = kinds[kOwnKinds];
  others = KindsOf(function->parameter(kOwnKinds), function->takes_tuples);
  for (size_t n = kOwnKinds + 1; n < count && n <= function->parameters.size(); ++n) {
    if (!(KindsOf(function->parameter(n), function->takes_tuples) == others)) others = {};
  }
}

// As the protocol has it, in any order: conversions come first, and of nulls the first one counts, since one without a
// type may end the checks of those behind it.
bool CallSite::FailsToTake(const Value* values) const {
  HCL_DCHECK(!expand_last);
  const Value* null = nullptr;
  bool is_unfit = false;
  for (uint32_t n = 0; n < arguments; ++n) {
    const Tag tag = TagOf(values[n]);
    if (tag > Tag::kCapsule || tag == Tag::kUnknown) return false;
    if (tag == Tag::kNull && null == nullptr) null = &values[n];
    if (!is_unfit && !kinds_of(n).TakesTag(values[n])) {
      const TypeKind kind = function->parameter(n).type.kind();
      const bool is_collection = kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kMap;
      is_unfit = is_collection ? tag >= Tag::kFalse && tag <= Tag::kString : IsUnfit(values[n], kind);
    }
  }
  return is_unfit || (null != nullptr && !function->parameter(static_cast<size_t>(null - values)).allow_null);
}

}  // namespace hcl::internal
