// BoundTree: numbers for nodes of the same structure. Tested by compiler/bind_test.cc.
//
// Parts have their numbers before the whole, so that two nodes are compared by one level. Locals are told apart by how
// many are around them and not by name: loops that do the same have the same number. An impure call is like no other.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Places that are looked at for one node; one that finds none there gets a new number, although there may be an equal
// one. Whoever chooses the text could choose texts whose hashes are equal.
constexpr size_t kMaxProbes = 16;

// What structures are compared by.
class Words {
 public:
  void Add(uint64_t word) { words_.push_back(word); }
  friend bool operator==(const Words& a, const Words& b) { return a.words_ == b.words_; }

 private:
  absl::InlinedVector<uint64_t, 16> words_;
};

class Hash {
 public:
  void Add(uint64_t word) {
    hash_ ^= word;
    hash_ *= 0xBF58476D1CE4E5B9u;
    hash_ ^= hash_ >> 29;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0x9E3779B97F4A7C15u;
};

// Adds the structure of a node, as a sequence of words, to a `Sink`.
template <typename Sink>
class Structure {
 public:
  // The numbers of the node's parts are there.
  Structure(const BoundExpr& node, const std::vector<uint32_t>& numbers) {
    Add(static_cast<uint64_t>(node.kind));
    AddOwn(node);
    ForEachPart(node, [&](const BoundExpr& part) { Add(numbers[part.id]); });
  }

  const Sink& sink() const { return sink_; }

 private:
  void Add(uint64_t word) { sink_.Add(word); }
  // Long keys by their hashes: SameKeys() compares them.
  void AddSteps(absl::Span<const BoundStep> steps) {
    Add(steps.size());
    for (const BoundStep& step : steps) {
      const bool hashes = step.key.is_string() || step.key.is_number() || step.key.is_bool();
      Add(hashes ? HashScalar(step.key) : 1);
      Add(step.is_attribute ? 1 : 0);
    }
  }

  void AddLocal(const LocalVariable* local) { Add(local == nullptr ? 0 : uint64_t{local->level} + 1); }
  void AddLoop(const LoopVariables& variables) {
    AddLocal(variables.key);
    AddLocal(variables.value);
  }

  void AddOwn(const BoundExpr& node);

  Sink sink_;
};

// What a node has beside its parts.
template <typename Sink>
void Structure<Sink>::AddOwn(const BoundExpr& node) {
  switch (node.kind) {
    case BoundKind::kConstant: {
      const Value& value = As<BoundConstant>(node).value;
      return Add(As<BoundConstant>(node).is_scalar() ? HashScalar(value) : HeadBits(value) ^ PayloadBits(value));
    }
    case BoundKind::kPath: {
      const auto& path = As<BoundPath>(node);
      Add(path.path);
      if (path.path != BoundPath::kNoPath) return;
      Add(path.slot);
      return AddSteps(path.steps);
    }
    case BoundKind::kLocal:
      AddLocal(As<BoundLocal>(node).local);
      Add(As<BoundLocal>(node).local->is_key ? 1 : 0);
      return AddSteps(As<BoundLocal>(node).steps);
    case BoundKind::kSteps:
      return AddSteps(As<BoundSteps>(node).steps);
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(node);
      Add(reinterpret_cast<uintptr_t>(call.function));
      return Add(!call.function->pure ? uint64_t{call.id} + 2 : call.expand_last ? 1 : 0);
    }
    case BoundKind::kObject:
      return Add(As<BoundObject>(node).unique_keys ? 1 : 0);
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(node);
      AddLoop(loop.variables);
      return Add((loop.splat != nullptr ? 8 : 0) + (loop.group ? 4 : 0) + (loop.condition != nullptr ? 2 : 0) +
                 (loop.key != nullptr ? 1 : 0));
    }
    case BoundKind::kTemplateFor:
      return AddLoop(As<BoundTemplateFor>(node).variables);
    case BoundKind::kUnary:
      return Add(static_cast<uint64_t>(As<BoundUnary>(node).op));
    case BoundKind::kChain:
      return Add(static_cast<uint64_t>(As<BoundChain>(node).op) * 2 + (As<BoundChain>(node).in_attempt ? 1 : 0));
    case BoundKind::kRaise:
      return Add(node.id);
    default:
      return;
  }
}

struct Numbered {
  uint64_t hash = 0;
  const BoundExpr* node = nullptr;  // null: free
};

bool SameConstant(const Value& a, const Value& b) {
  const bool scalar =
      (a.is_bool() || a.is_number() || a.is_string()) && (b.is_bool() || b.is_number() || b.is_string());
  return scalar ? SameScalar(a, b) : HeadBits(a) == HeadBits(b) && PayloadBits(a) == PayloadBits(b);
}

bool SameKeys(absl::Span<const BoundStep> a, absl::Span<const BoundStep> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const BoundStep& x, const BoundStep& y) { return SameConstant(x.key, y.key); });
}

// Whether hashes that are the same are those of one structure. Most nodes have nothing but a value, or the number of a
// path.
bool HaveSameStructure(const BoundExpr& a, const BoundExpr& b, const std::vector<uint32_t>& numbers) {
  if (a.is_constant()) return true;
  if (a.kind == BoundKind::kPath && As<BoundPath>(a).path != BoundPath::kNoPath) {
    return As<BoundPath>(a).path == As<BoundPath>(b).path;
  }
  return Structure<Words>(a, numbers).sink() == Structure<Words>(b, numbers).sink();
}

// Where hashes stood for values, the values decide.
bool SameValues(const BoundExpr& a, const BoundExpr& b) {
  switch (a.kind) {
    case BoundKind::kConstant:
      return SameConstant(As<BoundConstant>(a).value, As<BoundConstant>(b).value);
    case BoundKind::kPath:
      return As<BoundPath>(a).path != BoundPath::kNoPath || SameKeys(As<BoundPath>(a).steps, As<BoundPath>(b).steps);
    case BoundKind::kLocal:
      return SameKeys(As<BoundLocal>(a).steps, As<BoundLocal>(b).steps);
    case BoundKind::kSteps:
      return SameKeys(As<BoundSteps>(a).steps, As<BoundSteps>(b).steps);
    default:
      return true;
  }
}

}  // namespace

// Open addressing in a table of the size that all nodes need.
void BoundTree::NumberValues() const {
  size_t size = 64;
  while (size < nodes_.size() * 2) size *= 2;
  std::vector<Numbered> table(size);
  value_numbers_.resize(nodes_.size());
  uint32_t next = 0;
  for (const BoundExpr* node : nodes_) {
    const uint64_t hash = Structure<Hash>(*node, value_numbers_).sink().value();
    uint32_t number = next;
    for (size_t probe = 0; probe < kMaxProbes; ++probe) {
      Numbered& place = table[(hash + probe) & (size - 1)];
      if (place.node == nullptr) {
        place = {hash, node};
        break;
      }
      const BoundExpr& other = *place.node;
      const bool same = place.hash == hash && other.kind == node->kind && SameValues(other, *node) &&
                        HaveSameStructure(other, *node, value_numbers_);
      if (!same) continue;
      number = value_numbers_[other.id];
      break;
    }
    value_numbers_[node->id] = number;
    next += number == next ? 1 : 0;
  }
}

}  // namespace hcl::internal
