// Call sites. Tested by vm/call_site_test.cc.

#include "hclvm/vm/call_site.h"

#include <algorithm>

#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/set_order.h"
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
constexpr uint16_t kCompounds = kLists | Bit(Tag::kSet) | Bit(Tag::kObject) | Bit(Tag::kMap);
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

// Conversions come first, and null ends the checks behind it.
uint16_t RefusedBy(const Parameter& parameter) {
  const uint16_t null = parameter.allow_null ? uint16_t{0} : Bit(Tag::kNull);
  switch (parameter.type.kind()) {
    case TypeKind::kBool:
      return null | kNumbers | kCompounds;
    case TypeKind::kNumber:
      return null | kBools | kCompounds;
    case TypeKind::kString:
      return null | kCompounds;
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
      return null | kBools | kNumbers | kStrings;
    default:
      return null;
  }
}

}  // namespace

// The elements of a list tell its element type; that of an empty one may be another, which may be an error.
bool ArgumentKinds::TakesCompound(const Value& argument) const {
  if (argument.has_marks()) return false;
  if (element_tags == 0) return true;
  const Sequence& sequence = SequenceOf(argument);
  if (sequence.size == 0) return argument.is_tuple();
  const Value* const end = sequence.items() + sequence.size;
  const auto have = [&](uint32_t tags) {
    return std::all_of(sequence.items(), end,
                       [tags](const Value& element) { return (tags >> static_cast<int>(TagOf(element)) & 1) != 0; });
  };
  if ((element_tags & Bit(Tag::kNull)) == 0) return have(element_tags);
  if (have(element_tags & ~uint32_t{Bit(Tag::kNull)})) return true;
  return have(element_tags) && std::all_of(sequence.items(), end, [](const Value& element) {
           return !element.is_null() || IsUntypedNull(element);
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

ArgumentKinds KindsOf(const Function& function, size_t parameter) {
  using Special = Function::Special;
  ArgumentKinds kinds = KindsOf(function.parameter(parameter), function.takes_tuples);
  const bool takes_null = function.special == Special::kAllTrue || function.special == Special::kAnyTrue;
  if (takes_null && kinds.element_tags != 0) kinds.element_tags |= Bit(Tag::kNull);
  return kinds;
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
      is_program(callee->is_program && !expanded),
      refused(count > 0 && !expanded ? RefusedBy(callee->parameter(0)) : uint16_t{0}),
      fails(is_quick ? FailureTestOf(callee->quick) : nullptr),
      light{} {
  if (expand_last) return;
  for (size_t n = 0; n < std::min<size_t>(count, kOwnKinds); ++n) {
    kinds[n] = KindsOf(*function, n);
    light[n] = kinds[n].tags & kLight;
  }
  if (count <= kOwnKinds) {
    if (function->result_type_rule == nullptr) light_arguments = static_cast<uint8_t>(count);
    return;
  }
  ArgumentKinds& others = kinds[kOwnKinds];
  others = KindsOf(*function, kOwnKinds);
  for (size_t n = kOwnKinds + 1; n < count && n <= function->parameters.size(); ++n) {
    if (!(KindsOf(*function, n) == others)) others = {};
  }
}

namespace {

// Elements that are looked at for one that cannot be converted.
constexpr size_t kMostElements = 4;

bool IsListOrSet(TypeKind kind) { return kind == TypeKind::kList || kind == TypeKind::kSet; }

// Whether the argument, which is known and not null, cannot be converted, as a glance tells.
bool CannotBecome(Type type, const Value& argument) {
  const TypeKind kind = type.kind();
  if (!IsListOrSet(kind) && kind != TypeKind::kMap) return IsUnfit(argument, kind);
  if (TagOf(argument) <= Tag::kString) return true;
  if (!IsListOrSet(kind) || !argument.is_sequence()) return false;
  // It becomes an unknown list, whatever the elements are.
  if (HasOpenLength(argument)) return false;
  const TypeKind element_kind = type.element().kind();
  const absl::Span<const Value> elements = argument.elements();
  return std::any_of(elements.begin(), elements.begin() + std::min(elements.size(), kMostElements),
                     [element_kind](const Value& element) { return IsUnfit(element, element_kind); });
}

}  // namespace

bool HasUnfitArgument(const Function& function, size_t first, absl::Span<const Value> arguments) {
  const size_t most = function.max_arguments() - std::min(first, function.max_arguments());
  const size_t count = std::min({arguments.size(), kMostElements, most});
  bool counts_null = first == 0;  // what is unknown, or marked, may end the checks
  for (size_t n = 0; n < count; ++n) {
    const Parameter& parameter = function.parameter(first + n);
    if (IsUnfit(arguments[n], parameter.type.kind())) return true;
    const Tag tag = TagOf(arguments[n]);
    if (counts_null && tag == Tag::kNull && !parameter.allow_null) return true;
    counts_null = counts_null && tag != Tag::kNull && tag != Tag::kUnknown && tag <= Tag::kCapsule;
  }
  return false;
}

// As the protocol has it, in any order: conversions come first, and of nulls the first one counts, since one without a
// type may end the checks of those behind it.
bool CallSite::FailsToTake(const Value* values) const {
  HCL_DCHECK(!expand_last);
  bool has_null = false;
  bool is_refused = false;
  bool is_unfit = false;
  for (uint32_t n = 0; n < arguments; ++n) {
    const Tag tag = TagOf(values[n]);
    if (tag > Tag::kCapsule || tag == Tag::kUnknown) return false;
    if (tag == Tag::kNull) {
      if (!has_null) is_refused = !function->parameter(n).allow_null;
      has_null = true;
    } else if (!is_unfit && !(kinds_of(n).TakesTag(values[n]) && kinds_of(n).element_tags == 0)) {
      is_unfit = CannotBecome(function->parameter(n).type, values[n]);
    }
  }
  return is_unfit || is_refused;
}

// Each argument that cannot be converted is reported; and where all can, the first null that is not allowed. A null
// with a type may fail to be converted, and what is neither taken as it is nor unfit needs a conversion to tell.
uint32_t CallSite::CountRefusals(const Value* values) const {
  HCL_DCHECK(!expand_last);
  bool has_null = false;
  uint32_t refused_nulls = 0;
  uint32_t unfit = 0;
  for (uint32_t n = 0; n < arguments; ++n) {
    const Value& value = values[n];
    const Tag tag = TagOf(value);
    if (tag > Tag::kCapsule || tag == Tag::kUnknown) return 0;
    if (tag == Tag::kNull) {
      if (!IsUntypedNull(value)) return 0;
      if (!has_null && !function->parameter(n).allow_null) refused_nulls = 1;
      has_null = true;
    } else if (!(kinds_of(n).TakesTag(value) && kinds_of(n).element_tags == 0)) {
      if (!CannotBecome(function->parameter(n).type, value)) return 0;
      ++unfit;
    }
  }
  return unfit > 0 ? unfit : refused_nulls;
}

}  // namespace hcl::internal
