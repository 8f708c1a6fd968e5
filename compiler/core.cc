// CoreTree. Tested by compiler/core_test.cc.

#include "hclvm/compiler/core.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Structures are the same where they are one: to compare them takes a walk.
bool IsSameConstant(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  return (a.is_string() || a.is_number() || a.is_null()) && Identical(a, b);
}

uint64_t HashConstant(const Value& value) {
  if (value.is_string()) return HashString(value.AsString());
  return value.is_int() ? static_cast<uint64_t>(value.AsInt()) : 1;
}

KindSet KindsOf(const Value& value) {
  if (value.is_bool()) return kBoolKind;
  if (value.is_number()) return kNumberKind;
  if (value.is_string()) return kStringKind;
  if (value.is_null()) return kNullKind;
  return kStructureKind | kOtherKind;
}

KindSet KindsOf(CoreOp op) {
  switch (op) {
    case CoreOp::kNone:
    case CoreOp::kUnsure:
    case CoreOp::kCheck:
    case CoreOp::kLookup:
      return kAnyKind;
    case CoreOp::kAdd:
    case CoreOp::kSubtract:
    case CoreOp::kMultiply:
    case CoreOp::kDivide:
    case CoreOp::kModulo:
    case CoreOp::kRatio:
    case CoreOp::kLength:
    case CoreOp::kCeil:
    case CoreOp::kFloor:
      return kNumberKind;
    case CoreOp::kSumOf:
    case CoreOp::kLeastOf:
    case CoreOp::kGreatestOf:
    case CoreOp::kCountOf:
      return kNumberKind;
    case CoreOp::kFirstOf:
    case CoreOp::kOneOf:
      return kAnyKind;
    default:
      return kBoolKind;
  }
}

KindSet KindsOf(const CoreNode& node, absl::Span<const CoreNode* const> args) {
  switch (node.kind) {
    case CoreKind::kConst:
      return KindsOf(node.value);
    case CoreKind::kPrim:
    case CoreKind::kLoop:
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
      return args[0]->kinds;
    case CoreKind::kTry: {
      KindSet kinds = 0;
      for (const CoreNode* arg : args) kinds |= arg->kinds;
      return kinds;
    }
    default:
      return kAnyKind;
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

const CoreNode* CoreTree::Intern(const CoreNode& node) {
  // Which path the program has for a step is no part of what it means.
  const uint32_t index = node.kind == CoreKind::kStep ? 0 : node.index;
  uint64_t hash = HashConstant(node.value) ^ (uint64_t{index} << 8);
  hash = MixHash(hash, static_cast<uint64_t>(node.kind) << 8 | static_cast<uint64_t>(node.op));
  for (const CoreNode* arg : node.args) hash = MixHash(hash, arg->id);
  const bool is_step = node.kind == CoreKind::kStep;
  const bool is_object = node.kind == CoreKind::kObject;
  const bool is_call = node.kind == CoreKind::kCall;
  const auto is_same = [&](uint32_t at) {
    const CoreNode& other = *nodes_[at];
    return other.kind == node.kind && other.op == node.op && (is_step || other.index == node.index) && other.args == node.args && other.flags == node.flags &&
           IsSameConstant(other.value, node.value) &&
           (!is_object || As<BoundObject>(*other.origin).shape == As<BoundObject>(*node.origin).shape) &&
           (!is_call || As<BoundCall>(*other.origin).function == As<BoundCall>(*node.origin).function);
  };
  if (const std::optional<uint32_t> found = index_.Find(hash, is_same)) {
    CoreNode* const same = nodes_[*found];
    if (is_step && same->index == kNoIndex) same->index = node.index;
    return same;
  }
  auto* const made = arena_.New<CoreNode>(node);
  made->args = arena_.CopySpan(node.args);
  made->id = static_cast<uint32_t>(nodes_.size());
  if (made->kinds == kAnyKind) made->kinds = KindsOf(*made, made->args);
  made->free = FreeOf(*made);
  for (const CoreNode* arg : made->args) made->size = std::min(made->size + arg->size, kMaxCoreSize + 1);
  index_.Add(hash, made->id);
  nodes_.push_back(made);
  return made;
}

const CoreNode* CoreTree::Make(const CoreNode& node, absl::Span<const CoreNode* const> args) {
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
