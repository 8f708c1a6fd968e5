// SharedValues: which expressions share a value. Tested by compiler/shared_values_test.cc.

#include "hclvm/compiler/shared_values.h"

#include <algorithm>
#include <utility>

#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/joined_texts.h"
#include "hclvm/compiler/list_forms.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxValues = 64;      // more are not kept
constexpr size_t kMaxLoops = 64;       // among more, nothing is looked for
constexpr uint32_t kMaxSize = 256;     // nodes: the code of one must be shorter than a short jump
constexpr size_t kMaxPlaces = 10'000;  // more are not looked at

// Only what takes much longer than looking whether it is there. Of calls, those that have instructions of their own do
// not, and try and can are as good as what they are given.
bool IsWorthwhile(const BoundExpr& expr) {
  if (!expr.reads() || expr.size() > kMaxSize) return false;
  if (IsOrdinaryCall(expr) || (IsListCall(expr) && expr.pure)) return true;
  if (expr.kind == BoundKind::kCall) {
    return expr.pure && (PieceOf(As<BoundCall>(expr)) || !JoinedParts(As<BoundCall>(expr)).empty());
  }
  return (expr.kind == BoundKind::kFor || expr.kind == BoundKind::kTemplate) && expr.pure && !expr.plain_value;
}

}  // namespace

SharedValues::Shared* SharedValues::ValueOf(uint32_t id) {
  const auto found = value_of_.find(id);
  return found == value_of_.end() ? nullptr : &values_[found->second];
}

void SharedValues::AddLoop(const BoundExpr& node) {
  switch (node.kind) {
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(node);
      loops_.push_back({&node, loop.collection->id + 1, node.id, {loop.variables.key, loop.variables.value}});
      break;
    }
    case BoundKind::kTemplateFor: {
      const auto& loop = As<BoundTemplateFor>(node);
      loops_.push_back({&node, loop.collection->id + 1, node.id, {loop.variables.key, loop.variables.value}});
      break;
    }
    default:
      break;
  }
}

SharedValues::Place SharedValues::PlaceOf(const BoundTree& tree, const BoundExpr& expr) const {
  bool repeats = false;
  for (const Loop& loop : loops_) {
    if (expr.id < loop.body_begin || expr.id >= loop.body_end) continue;
    const bool reads = std::any_of(std::begin(loop.variables), std::end(loop.variables),
                                   [&](const LocalVariable* v) { return v != nullptr && tree.Reads(expr, v); });
    if (reads) return {&expr, loop.node, repeats};
    repeats = true;
  }
  return {&expr, nullptr, repeats};
}

bool SharedValues::Share(const BoundTree& tree, const BoundExpr& expr, const BoundExpr* same) {
  if (value_of_.contains(expr.id)) return true;
  if (loops_.size() > kMaxLoops) return false;
  if (same != nullptr) {
    const uint32_t value = value_of_[same->id];
    value_of_[expr.id] = value;
    return true;
  }
  if (values_.size() == kMaxValues) return false;
  value_of_[expr.id] = static_cast<uint32_t>(values_.size());
  values_.push_back({PlaceOf(tree, expr).scope, std::nullopt});
  return true;
}

bool SharedValues::IsRepeated(uint32_t id) const {
  const auto place = std::lower_bound(repeated_.begin(), repeated_.end(), id,
                                      [](const Repeated& repeated, uint32_t at) { return repeated.id < at; });
  return place != repeated_.end() && place->first <= id;
}

// Places are added in order, parts before the whole, which has them in it.
void SharedValues::AddRepeated(const BoundExpr& expr) {
  while (!repeated_.empty() && repeated_.back().first >= expr.first) repeated_.pop_back();
  repeated_.push_back({expr.first, expr.id});
}

// Parts come before the whole. What stands several times as a whole is counted once with its parts, as these are not
// made again where the whole is there; hence places are gone through from the end, and parts of later ones are passed
// over. Once it is known what is shared, all places take it.
void SharedValues::Find(const BoundTree& tree) {
  Clear();
  absl::InlinedVector<const BoundExpr*, 16> candidates;
  for (const BoundExpr* node : tree.nodes()) {
    const bool is_loop = node->kind == BoundKind::kFor || node->kind == BoundKind::kTemplateFor;
    const bool is_text = node->kind == BoundKind::kTemplate && tree.may_have_loops();
    if (!is_loop && !is_text && node->kind != BoundKind::kCall) continue;
    if (IsWorthwhile(*node)) candidates.push_back(node);
    if (is_loop) AddLoop(*node);
  }
  const bool may_share = candidates.size() > 1 || (candidates.size() == 1 && !loops_.empty());
  if (!may_share || loops_.size() > kMaxLoops || candidates.size() > kMaxPlaces) return;
  using Key = std::pair<uint32_t, const BoundExpr*>;  // value number, scope
  struct Use {
    uint32_t places = 0;
    bool repeats = false;
    std::optional<uint32_t> value;
  };
  HashMap<Key, Use> uses;
  std::vector<Key> keys;  // as they are met
  std::vector<Place> places;
  uint32_t passed_over = UINT32_MAX;  // ids from here on
  for (auto at = candidates.rbegin(); at != candidates.rend(); ++at) {
    const BoundExpr& expr = **at;
    const Place& place = places.emplace_back(PlaceOf(tree, expr));
    if (expr.id >= passed_over) continue;
    const Key key = {tree.ValueNumberOf(expr), place.scope};
    Use& use = uses[key];
    if (++use.places == 1) keys.push_back(key);
    if (use.places > 1) passed_over = expr.first;
    use.repeats |= place.repeats;
  }
  for (const Key& key : keys) {
    Use& use = uses[key];
    if ((use.places < 2 && !use.repeats) || values_.size() == kMaxValues) continue;
    use.value = static_cast<uint32_t>(values_.size());
    values_.push_back({key.second, std::nullopt});
    values_.back().repeats = use.repeats;
  }
  if (values_.empty()) return;
  std::vector<bool> is_met(values_.size());
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const auto use = uses.find({tree.ValueNumberOf(*place->expr), place->scope});
    if (use == uses.end() || !use->second.value) continue;
    value_of_[place->expr->id] = *use->second.value;
    if (is_met[*use->second.value]) AddRepeated(*place->expr);
    is_met[*use->second.value] = true;
  }
}

}  // namespace hcl::internal
