// CoreTree. Tested by compiler/core_test.cc.

#include "hclvm/compiler/core.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Structures of more parts are the same where they are one: to compare them takes a walk.
constexpr size_t kFewParts = 8;

// The parts of a short tuple or object; none of others.
absl::Span<const Value> FewParts(const Value& value) {
  const absl::Span<const Value> parts = value.is_object()  ? value.values()
                                        : value.is_tuple() ? value.elements()
                                                           : absl::Span<const Value>();
  return parts.size() <= kFewParts ? parts : absl::Span<const Value>();
}

bool IsSameScalar(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  return (a.is_string() || a.is_number() || a.is_null()) && Identical(a, b);
}

bool IsSameConstant(const Value& a, const Value& b) {
  if (IsSameScalar(a, b)) return true;
  const absl::Span<const Value> parts = FewParts(a);
  if (parts.empty() || a.is_object() != b.is_object()) return false;
  const absl::Span<const Value> others = FewParts(b);
  if (!std::equal(parts.begin(), parts.end(), others.begin(), others.end(), IsSameScalar)) return false;
  return a.is_tuple() || std::equal(a.shape().keys, a.shape().keys + parts.size(), b.shape().keys, IsSameScalar);
}

uint64_t HashScalar(const Value& value) {
  if (value.is_string()) return HashString(value.AsString());
  return value.is_int() ? static_cast<uint64_t>(value.AsInt()) : 1;
}

uint64_t HashConstant(const Value& value) {
  uint64_t hash = HashScalar(value);
  for (const Value& part : FewParts(value)) hash = MixHash(hash, HashScalar(part));
  return hash;
}

KindSet KindsOf(const Value& value) {
  if (value.is_bool()) return kBoolKind;
  if (value.is_number()) return kNumberKind;
  if (value.is_string()) return kStringKind;
  if (value.is_null()) return kNullKind;
  return kStructureKind | kOtherKind;
}

// What an instruction exits for is none of its results.
KindSet KindsOf(CoreOp op) {
  switch (op) {
    case CoreOp::kNone:
    case CoreOp::kTyped:
    case CoreOp::kMeet:
    case CoreOp::kNotNull:
    case CoreOp::kUnsure:
    case CoreOp::kCheck:
    case CoreOp::kLookup:
    case CoreOp::kKeyed:
      return kAnyKind;
    case CoreOp::kAdd:
    case CoreOp::kSubtract:
    case CoreOp::kMultiply:
    case CoreOp::kDivide:
    case CoreOp::kModulo:
    case CoreOp::kRatio:
    case CoreOp::kLength:
    case CoreOp::kShared:
    case CoreOp::kLacking:
    case CoreOp::kPieces:
    case CoreOp::kCeil:
    case CoreOp::kFloor:
      return kNumberKind;
    case CoreOp::kSumOf:
    case CoreOp::kLeastOf:
    case CoreOp::kGreatestOf:
    case CoreOp::kCountOf:
      return kNumberKind;
    case CoreOp::kPiece:
    case CoreOp::kJoinOf:
      return kStringKind;
    case CoreOp::kFirstOf:
    case CoreOp::kOneOf:
      return kAnyKind;
    case CoreOp::kListOf:
    case CoreOp::kMatches:
      return kStructureKind | kOtherKind;
    default:
      return kBoolKind;
  }
}

// Of any part of a structure in the text.
KindSet KindsOfParts(const CoreNode& whole) {
  if (!whole.is_const() || !(whole.value.is_object() || whole.value.is_tuple())) return kAnyKind;
  KindSet kinds = 0;
  for (const Value& part : whole.value.is_object() ? whole.value.values() : whole.value.elements()) {
    kinds |= KindsOf(part);
  }
  return kinds;
}

// What the others have to be may tell more of the first.
KindSet KindsOfChecked(absl::Span<const CoreNode* const> args) {
  KindSet kinds = args[0]->kinds;
  for (const CoreNode* check : args.subspan(1)) {
    if (!check->is(CoreOp::kCheck) || check->args[0] != args[0]) continue;
    const auto guard = static_cast<Guard>(check->index);
    if (guard == Guard::kBool) kinds &= kBoolKind;
    if (guard == Guard::kNumber) kinds &= kNumberKind;
    if (guard == Guard::kString) kinds &= kStringKind;
  }
  return kinds;
}

// Of any element that the producer gives.
KindSet KindsOfElements(const CoreNode& producer) {
  switch (producer.kind) {
    case CoreKind::kYield:
      return producer.args[0]->kinds;
    case CoreKind::kNeed:
    case CoreKind::kOpen:
      return KindsOfElements(*producer.args[0]);
    case CoreKind::kItems:
    case CoreKind::kGuard:
      return KindsOfElements(*producer.args[1]);
    case CoreKind::kSeq: {
      KindSet kinds = 0;
      for (const CoreNode* part : producer.args) kinds |= KindsOfElements(*part);
      return kinds;
    }
    case CoreKind::kEither:
      return static_cast<KindSet>(KindsOfElements(*producer.args[1]) | KindsOfElements(*producer.args[2]));
    default:
      return kAnyKind;
  }
}

// Of a choice all branches count, as the one that is taken is not known.
KindSet KindsOf(const CoreNode& node, absl::Span<const CoreNode* const> args) {
  switch (node.kind) {
    case CoreKind::kConst:
      return KindsOf(node.value);
    case CoreKind::kIndex:
      return KindsOfParts(*args[0]);
    case CoreKind::kLoop:
      if (node.op == CoreOp::kFirstOf) {
        return static_cast<KindSet>(KindsOfElements(*args[0]) | (args.size() > 1 ? args[1]->kinds : 0));
      }
      return KindsOf(node.op);
    case CoreKind::kPrim:
      return KindsOf(node.op);
    case CoreKind::kObject:
    case CoreKind::kTuple:
      return kStructureKind | kOtherKind;
    case CoreKind::kAll:
    case CoreKind::kAny:
    case CoreKind::kCan:
      return kBoolKind;
    case CoreKind::kText:
      return kStringKind;
    case CoreKind::kIf:
    case CoreKind::kChoice:
      return static_cast<KindSet>(args[1]->kinds | args[2]->kinds);
    case CoreKind::kNeed:
      return KindsOfChecked(args);
    case CoreKind::kTry: {
      KindSet kinds = 0;
      for (const CoreNode* arg : args) kinds |= arg->kinds;
      return kinds;
    }
    default:
      return kAnyKind;
  }
}

bool IsSame(const CoreNode& a, const CoreNode& b) {
  if (a.kind != b.kind || a.op != b.op || a.args != b.args || a.flags != b.flags) return false;
  switch (a.kind) {
    case CoreKind::kStep:
    case CoreKind::kConst:
      return IsSameConstant(a.value, b.value);
    case CoreKind::kObject:
      return As<BoundObject>(*a.origin).shape == As<BoundObject>(*b.origin).shape;
    case CoreKind::kCall:
      return a.index == b.index && As<BoundCall>(*a.origin).function == As<BoundCall>(*b.origin).function;
    case CoreKind::kGeneral:
      return a.origin == b.origin;
    default:
      return a.index == b.index;
  }
}

// Whether there are jumps from one argument behind another.
bool JumpsOverArgs(const CoreNode& node) {
  switch (node.kind) {
    case CoreKind::kStep:
    case CoreKind::kIndex:
    case CoreKind::kCall:
    case CoreKind::kText:
    case CoreKind::kObject:
    case CoreKind::kTuple:
    case CoreKind::kSeq:
    case CoreKind::kNeed:
    case CoreKind::kYield:
    case CoreKind::kSpread:
    case CoreKind::kOpen:
    case CoreKind::kLoop:
      return false;
    case CoreKind::kPrim:
      return node.kinds == kBoolKind;
    default:
      return true;
  }
}

// Variables of a loop are bound in what it does for each element.
uint32_t FreeOf(const CoreNode& node) {
  if (node.kind == CoreKind::kVar) return uint32_t{1} << (node.index / 2);
  uint32_t free = 0;
  for (const CoreNode* arg : node.args) free |= arg->free;
  if (node.kind != CoreKind::kItems) return free;
  return node.args[0]->free | (free & ~(uint32_t{1} << node.index));
}

}  // namespace

bool FailsWithParts(const CoreNode& node) {
  switch (node.kind) {
    case CoreKind::kAll:
    case CoreKind::kAny:
      return false;
    case CoreKind::kPrim:
      // The function `contains` fails for what is no list, the loop that a search stands for does not; nor does one
      // fail without elements.
      return node.op != CoreOp::kSearch && node.op != CoreOp::kExiting && node.op != CoreOp::kMatches;
    case CoreKind::kCall:
      return !As<BoundCall>(*node.origin).expand_last;
    default:
      return true;
  }
}

// Conditions are made first, since what they choose may not be.
absl::Span<const CoreNode* const> SureArgs(const CoreNode& node) {
  switch (node.kind) {
    case CoreKind::kIf:
    case CoreKind::kAll:
    case CoreKind::kAny:
    case CoreKind::kGuard:
    case CoreKind::kEither:
    case CoreKind::kItems:
      return node.args.first(1);
    // What is tried may not come to its end.
    case CoreKind::kTry:
    case CoreKind::kCan:
    case CoreKind::kGeneral:
      return {};
    case CoreKind::kChoice:
      return node.flags == 0 ? node.args : node.args.first(1);
    default:
      return node.args;
  }
}

// Hashes are compared first, so that a long list costs little where somebody chooses the texts.
const CoreNode* CoreTree::Intern(const CoreNode& node) {
  const bool is_step = node.kind == CoreKind::kStep;
  // Which path the program has for a step is no part of what it means.
  uint64_t hash = (is_step ? 0 : uint64_t{node.index} << 16) | static_cast<uint64_t>(node.kind) << 8 |
                  static_cast<uint64_t>(node.op);
  if (is_step || node.is_const()) hash = MixHash(hash, HashConstant(node.value));
  for (const CoreNode* arg : node.args) hash = MixHash(hash, arg->id);
  const auto short_hash = static_cast<uint32_t>(hash ^ hash >> 32);
  for (const CoreNode* at = places_[short_hash & (places_.size() - 1)]; at != nullptr; at = at->next) {
    if (at->hash != short_hash || !IsSame(*at, node)) continue;
    if (!is_step) return at;
    // What else is known of it was told where it stands as a whole.
    CoreNode* const step = nodes_[at->id];
    if (step->index == kNoIndex) step->index = node.index;
    step->kinds &= node.kinds;
    return step;
  }
  if (nodes_.size() == 2 * places_.size()) Grow();
  auto* const made = arena_.New<CoreNode>(node);
  made->args = arena_.CopySpan(node.args);
  made->id = static_cast<uint32_t>(nodes_.size());
  made->hash = short_hash;
  if (made->kinds == kAnyKind) made->kinds = KindsOf(*made, made->args);
  made->free = FreeOf(*made);
  made->loops = node.kind == CoreKind::kItems ? uint32_t{1} << node.index : 0;
  for (const CoreNode* arg : made->args) made->loops |= arg->loops;
  for (const CoreNode* arg : made->args) made->size = std::min(made->size + arg->size, kMaxCoreSize + 1);
  made->reach = JumpsOverArgs(*made) ? made->size : 1;
  for (const CoreNode* arg : made->args) {
    made->reach = std::max(made->reach, arg->reach);
    made->width = made->kind == CoreKind::kSeq ? std::max(made->width, arg->width)
                                               : std::min(made->width + arg->width, kMaxCoreSize + 1);
  }
  const CoreNode*& place = places_[short_hash & (places_.size() - 1)];
  made->next = place;
  place = made;
  nodes_.push_back(made);
  return made;
}

void CoreTree::Grow() {
  const size_t count = 4 * places_.size();
  places_ = absl::MakeSpan(arena_.NewArray<const CoreNode*>(count), count);
  std::fill(places_.begin(), places_.end(), nullptr);
  for (CoreNode* node : nodes_) {
    const CoreNode*& place = places_[node->hash & (count - 1)];
    node->next = place;
    place = node;
  }
}

// Only so deep, as a condition may have one part in many places.
bool AlwaysMakes(const CoreNode& condition, const CoreNode& node, bool fails_with_logic, int depth) {
  if (node.is(CoreOp::kNot) && IsCondition(*node.args[0])) {
    return depth > 0 && AlwaysMakes(condition, *node.args[0], fails_with_logic, depth - 1);
  }
  const CoreNode* at = &condition;
  for (; depth > 0; --depth) {
    if (at == &node) return true;
    const bool is_logic = at->kind == CoreKind::kAll || at->kind == CoreKind::kAny;
    const bool goes_on = (is_logic && fails_with_logic) || at->kind == CoreKind::kIf ||
                         (at->kind == CoreKind::kPrim && !at->args.empty());
    if (!goes_on) return false;
    const bool has_second = at->kind == CoreKind::kPrim && at->args.size() > 1;
    if (has_second && AlwaysMakes(*at->args[1], node, fails_with_logic, depth - 1)) return true;
    at = at->args[0];
  }
  return false;
}

// What the value itself makes in any case need not be asked for.
const CoreNode* CoreTree::Make(const CoreNode& node, absl::Span<const CoreNode* const> args) {
  if (node.kind == CoreKind::kNeed) {
    if (args.size() == 1) return args[0];
    const auto is_made = [&](const CoreNode* need) { return AlwaysMakes(*args[0], *need, /*fails_with_logic=*/false); };
    if (std::any_of(args.begin() + 1, args.end(), is_made)) {
      absl::InlinedVector<const CoreNode*, 8> needs(args.begin(), args.begin() + 1);
      std::remove_copy_if(args.begin() + 1, args.end(), std::back_inserter(needs), is_made);
      return Make(node, needs);
    }
  }
  CoreNode wanted = node;
  wanted.args = args;
  if (const CoreNode* const rewritten = ApplyRules(this, wanted)) return rewritten;
  return Intern(wanted);
}

const CoreNode* CoreTree::Const(const Value& value) {
  CoreNode node(CoreKind::kConst);
  node.value = value;
  return Intern(node);
}

const CoreNode* CoreTree::Prim(CoreOp op, absl::Span<const CoreNode* const> args, const BoundExpr* origin,
                               uint32_t index) {
  CoreNode node(CoreKind::kPrim, op);
  node.origin = origin;
  node.index = index;
  return Make(node, args);
}

// Arguments have smaller ids, so that a walk from the root's down meets each node behind all that it is an argument of.
void CoreTree::CountUses(const CoreNode& root) {
  for (CoreNode* node : nodes_) node->uses = 0;
  nodes_[root.id]->uses = 1;
  for (uint32_t id = root.id + 1; id-- > 0;) {
    if (nodes_[id]->uses == 0) continue;
    for (const CoreNode* arg : nodes_[id]->args) {
      uint16_t& uses = nodes_[arg->id]->uses;
      uses = static_cast<uint16_t>(std::min<uint32_t>(uses + 1U, UINT16_MAX));
    }
  }
}

}  // namespace hcl::internal
