// Conversion plans: what of a conversion depends on types alone.
//
// A plan goes down the types once, so that its use goes down the value only. It is made for types without dynamic
// parts, whose values' items have the types that the plan has been made for. Items that are null, unknown or marked,
// and whatever else depends on the value, take the general way. Tested by vm/value/conversion_plan_test.cc.

#include <memory>
#include <optional>
#include <utility>

#include "hclvm/base/hash_table.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/conversion_types.h"
#include "hclvm/vm/value/conversion_values.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::MappingValue;
using internal::NewMapping;
using internal::NewSequence;
using internal::SequenceValue;
namespace {

using internal::Mapping;
using internal::Sequence;
using internal::Tag;

// Larger types are converted the general way: plans are small.
constexpr size_t kMaxParts = 64;

// Null, unknown and marked values are converted by what they are, not by their type.
bool IsPlain(const Value& value) { return !value.is_null() && !value.is_unknown() && !value.is_marked(); }

// No known value of type `from` can be converted to `to`, whatever is in it. Lets a plan fail without looking at the
// value. False is always safe: the general way then decides.
bool NeverConverts(Type from, Type to, Dialect dialect) {
  const TypeKind kind = from.kind();
  const bool sequence = kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kTuple;
  switch (to.kind()) {
    case TypeKind::kDynamic:
      return false;
    case TypeKind::kString:
      return !from.is_primitive();
    case TypeKind::kBool:
    case TypeKind::kNumber:
      return kind != TypeKind::kString;
    case TypeKind::kList:
    case TypeKind::kSet:
      return !sequence;
    case TypeKind::kTuple:
      return dialect == Dialect::kSpec ? !sequence : kind != TypeKind::kTuple;
    case TypeKind::kMap:
    case TypeKind::kObject:
      return kind != TypeKind::kMap && kind != TypeKind::kObject;
    case TypeKind::kCapsule:
      return true;
  }
  return false;
}

}  // namespace

struct Conversion::Context {
  internal::ConversionContext types;
  size_t parts_left = kMaxParts;
};

// Only what is certain from the types becomes a plan, and everything else stays kGeneral: a plan gives what Convert()
// gives, or it does not exist. kPrimitive needs the value (a text may be no number), but no decision about types. Types
// with dynamic parts are out, because values of one such type may differ in the types of their parts.
Conversion Conversion::Make(Type from, Type to, Context* context) {
  Conversion plan(from, to);
  if (to.is_dynamic() || from == to) {
    plan.kind_ = Kind::kIdentity;
  } else if (from.has_dynamic()) {
    plan.kind_ = Kind::kGeneral;
  } else if (NeverConverts(from, to, context->types.dialect)) {
    plan.kind_ = Kind::kImpossible;
  } else if (to.is_primitive()) {
    plan.kind_ = Kind::kPrimitive;
  } else if (internal::ConvertibleTypes(from, to, /*unsafe=*/true, context->types)) {
    const bool made = to.kind() == TypeKind::kTuple    ? plan.MakeTupleItems(context)
                      : to.kind() == TypeKind::kObject ? plan.MakeObjectItems(context)
                                                       : plan.MakeCollectionItems(context);
    if (made) {
      plan.kind_ = Kind::kItems;
    } else {
      plan.items_ = {};
      plan.sources_ = {};
    }
  }
  return plan;
}

// A plan holds a plan for each part, and types from a hostile input can be large; parts_left bounds them all together.
bool Conversion::AddItem(Type from, Type to, Context* context) {
  if (context->parts_left == 0) return false;
  --context->parts_left;
  items_.push_back(Make(from, to, context));
  return true;
}

// One plan serves all elements of a collection; a tuple or object has one for each part.
bool Conversion::MakeCollectionItems(Context* context) {
  // Elements of sets come together and are sorted.
  if (to_.kind() == TypeKind::kSet || from_.kind() == TypeKind::kSet) return false;
  element_ = to_.element();
  if (from_.is_collection()) {
    if (element_.is_dynamic()) element_ = from_.element();
    return !element_.has_dynamic() && AddItem(from_.element(), element_, context);
  }
  if (!internal::CollectionElement(from_, element_, /*unsafe=*/true, context->types, &element_)) return false;
  const absl::Span<const Type> parts = internal::ElementTypes(from_);
  if (to_.element().is_dynamic()) {
    element_ = internal::Unification::Beside(element_, parts, context->types).of_types();
  }
  if (element_.has_dynamic()) return false;
  for (Type part : parts) {
    if (!AddItem(part, element_, context)) return false;
  }
  return true;
}

// ConvertibleTypes() has seen to it that both tuples have the same length.
bool Conversion::MakeTupleItems(Context* context) {
  if (from_.kind() != TypeKind::kTuple) return false;
  for (size_t i = 0; i < to_.size(); ++i) {
    if (!AddItem(from_.element(i), to_.element(i), context)) return false;
  }
  return true;
}

bool Conversion::MakeObjectItems(Context* context) {
  if (from_.kind() != TypeKind::kObject) return false;
  for (size_t i = 0; i < to_.size(); ++i) {
    const int64_t at = from_.shape().Find(to_.shape().keys[i]);
    sources_.push_back(at);
    // Without a source, only its target type counts.
    if (!AddItem(at < 0 ? to_.element(i) : from_.element(static_cast<size_t>(at)), to_.element(i), context)) {
      return false;
    }
  }
  return true;
}

// Not in the header, which evaluators include: maps of this kind are costly to compile.
struct ConversionCache::Entries {
  // By identity: a type under two addresses takes two entries.
  using Key = std::pair<const internal::TypeNode*, const internal::TypeNode*>;
  struct Unified {
    std::optional<internal::Unification> unification;  // none: they do not unify
    uint64_t cost = 0;                                 // what it has taken of the fuel
  };

  internal::HashMap<Key, std::unique_ptr<const Conversion>> plans;
  internal::HashMap<Key, Unified> unified;
};

ConversionCache::ConversionCache(size_t max_entries) : max_entries_(max_entries) {}
ConversionCache::~ConversionCache() = default;
ConversionCache::ConversionCache(ConversionCache&& other) noexcept = default;
ConversionCache& ConversionCache::operator=(ConversionCache&& other) noexcept = default;

size_t ConversionCache::size() const {
  return entries_ == nullptr ? 0 : entries_->plans.size() + entries_->unified.size();
}

// Plans are found by the types' addresses and not by their structure, so that a hit costs one probe. An address may be
// reused when the heap forgets its types; Prepare() then forgets all plans, by the table's generation.
const Conversion& Conversion::Get(Type from, Type to, Heap* heap, ConversionCache* cache) {
  std::unique_ptr<const Conversion>& plan = cache->Prepare(*heap)->plans[{from.node(), to.node()}];
  if (plan == nullptr) {
    Context context{{heap->types(), heap->dialect()}};
    plan.reset(new Conversion(Make(from, to, &context)));
  }
  return *plan;
}

// Null, unknown and marked values are converted by what they are, and kImpossible does not hold for them: a null has
// every type in kSpec.
bool Conversion::Apply(const Value& value, Heap* heap, Value* result, ConversionError* error) const {
  if (kind_ == Kind::kItems && IsPlain(value)) return ApplyToItems(value, heap, result, error);
  if (kind_ == Kind::kIdentity && IsPlain(value)) {
    *result = value;
    return true;
  }
  if (kind_ == Kind::kImpossible && IsPlain(value)) {
    *error = {"", internal::MismatchMessage(from_, to_)};
    return false;
  }
  return Convert(value, to_, heap, result, error);
}

// A part is a level deeper than the whole, which the reference's treatment of unknown lengths depends on
// (KeepsSourceElement in conversion.cc); hence ConvertPart() and not Convert().
bool Conversion::ApplyToPart(const Value& value, Heap* heap, Value* result, ConversionError* error) const {
  const bool general = kind_ == Kind::kGeneral || kind_ == Kind::kPrimitive || !IsPlain(value);
  return general ? internal::ConvertPart(value, to_, heap, result, error) : Apply(value, heap, result, error);
}

// The loop that plans are made for: it knows the shape of the result, and neither compares nor makes a type. Memory is
// asked for before it is taken. An error's path is put together from the inside, as in the general conversion.
bool Conversion::ApplyToItems(const Value& value, Heap* heap, Value* result, ConversionError* error) const {
  const TypeKind kind = to_.kind();
  const bool sequence = kind == TypeKind::kList || kind == TypeKind::kTuple;
  const size_t size = to_.is_collection() ? value.size() : to_.size();
  if (!internal::ReserveValues(size, *heap, error)) return false;
  Sequence* to_sequence = nullptr;
  Mapping* to_mapping = nullptr;
  Value* items = nullptr;
  if (sequence) {
    to_sequence = NewSequence(static_cast<uint32_t>(size), element_, kind == TypeKind::kTuple, heap->arena());
    items = to_sequence->mutable_items();
  } else {
    const Shape* shape = kind == TypeKind::kObject ? &to_.shape() : &value.shape();
    to_mapping = NewMapping(shape, element_, kind == TypeKind::kObject, heap->arena());
    items = to_mapping->mutable_items();
  }
  absl::Span<const Value> from = value.is_sequence() ? value.elements() : value.values();
  for (size_t i = 0; i < size; ++i) {
    const Conversion& plan = items_[from_.is_collection() ? 0 : i];
    const int64_t source = kind == TypeKind::kObject ? sources_[i] : static_cast<int64_t>(i);
    if (source < 0) {
      items[i] = Value::Null(plan.to_);
      continue;
    }
    const size_t at = static_cast<size_t>(source);
    if (plan.ApplyToPart(from[at], heap, &items[i], error)) continue;
    if (!error->message.empty()) error->path.insert(0, internal::PathToItem(value, at));
    return false;
  }
  if (sequence) {
    Finish(to_sequence);
    *result = SequenceValue(kind == TypeKind::kTuple ? Tag::kTuple : Tag::kList, to_sequence);
  } else {
    Finish(to_mapping);
    *result = MappingValue(kind == TypeKind::kObject ? Tag::kObject : Tag::kMap, to_mapping);
  }
  return true;
}

// A conditional whose branches have different types asks the same in each run. What is remembered is paid for again, so
// that fuel does not depend on earlier runs. Work that ends for want of fuel gives no answer, and work that takes all
// of the fuel cannot be told from it: both fail, whether the answer is remembered or not.
bool ConversionCache::Unify(Type a, Type b, Heap* heap, internal::Unification* result, Fuel* fuel) {
  auto& unified = Prepare(*heap)->unified;
  const Entries::Key key = {a.node(), b.node()};
  if (const auto at = unified.find(key); at != unified.end()) {
    const Entries::Unified& known = at->second;
    if (fuel != nullptr && (!fuel->Charge(known.cost) || fuel->left() == 0)) return false;
    if (!known.unification) return false;
    *result = *known.unification;
    return true;
  }
  const Type types[] = {a, b};
  const uint64_t before = fuel == nullptr ? 0 : fuel->left();
  Entries::Unified found;
  if (internal::Unification::Of(types, heap, result, fuel)) found.unification = *result;
  if (fuel != nullptr && fuel->left() == 0) return false;
  found.cost = fuel == nullptr ? 0 : before - fuel->left();
  unified.emplace(key, found);
  return found.unification.has_value();
}

// All plans go when there are too many: types built at run time may be without end, and which plans come again is not
// known.
ConversionCache::Entries* ConversionCache::Prepare(const Heap& heap) {
  if (entries_ == nullptr) entries_ = std::make_unique<Entries>();
  if (generation_ == heap.types()->generation() && size() < max_entries_) return entries_.get();
  entries_->plans.clear();
  entries_->unified.clear();
  generation_ = heap.types()->generation();
  return entries_.get();
}

}  // namespace hcl
