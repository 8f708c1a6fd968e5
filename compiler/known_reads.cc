// KnownReads. Tested by compiler/known_reads_test.cc.

#include "hclvm/compiler/known_reads.h"

#include <algorithm>

#include "hclvm/compiler/literal_loop.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxCounted = 48;  // more different reads are not looked at
constexpr size_t kMaxLoops = 16;    // nor what stands in more loops

absl::Span<const BoundPath* const> PathsIn(const BoundTree& tree, const BoundExpr& expr) {
  return tree.path_reads().subspan(expr.paths_begin, expr.paths_end - expr.paths_begin);
}

absl::Span<const BoundLocal* const> LocalsIn(const BoundTree& tree, const BoundExpr& expr) {
  return tree.local_reads().subspan(expr.locals_begin, expr.locals_end - expr.locals_begin);
}

// How many locals are around the loop; 0 where nothing reads its variables, so that nothing tells.
uint32_t LevelOf(const LoopVariables& variables) {
  if (variables.key != nullptr) return variables.key->level;
  return variables.value != nullptr ? variables.value->level - 1 : 0;
}

// The loops that have been met on the way from the root down, and which nodes are in their passes.
class Loops {
 public:
  void Meet(const BoundExpr& node) {
    if (loops_.size() == kMaxLoops) return;
    if (node.kind == BoundKind::kFor) {
      const auto& loop = As<BoundFor>(node);
      const uint32_t condition = loop.condition == nullptr ? UINT32_MAX : loop.condition->id;
      loops_.push_back({loop.collection->id, node.id, condition});
    } else if (node.kind == BoundKind::kTemplateFor) {
      loops_.push_back({As<BoundTemplateFor>(node).collection->id, node.id, UINT32_MAX});
    }
  }
  bool IsInside(uint32_t id) const {
    return std::any_of(loops_.begin(), loops_.end(), [id](const Loop& loop) { return id > loop.from && id < loop.to; });
  }
  bool IsFilter(uint32_t id) const {
    return std::any_of(loops_.begin(), loops_.end(), [id](const Loop& loop) { return id == loop.condition; });
  }

 private:
  struct Loop {
    uint32_t from, to, condition;
  };
  absl::InlinedVector<Loop, 4> loops_;
};

}  // namespace

bool KnownReads::IsSame(const BoundExpr& a, const BoundExpr& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == BoundKind::kPath) return As<BoundPath>(a).path == As<BoundPath>(b).path;
  const auto& x = As<BoundLocal>(a);
  const auto& y = As<BoundLocal>(b);
  return x.local == y.local &&
         std::equal(x.steps.begin(), x.steps.end(), y.steps.begin(), y.steps.end(),
                    [](const BoundStep& s, const BoundStep& t) { return Identical(s.key, t.key); });
}

// Paths are numbers, and one expression has few; where it has many, or loops, it takes a closer look.
bool KnownReads::MayHave(const BoundTree& tree) {
  const absl::Span<const BoundPath* const> paths = tree.path_reads();
  if (!tree.local_reads().empty()) return true;
  if (paths.size() > 16) return true;
  for (size_t n = 1; n < paths.size(); ++n) {
    for (size_t m = 0; m < n; ++m) {
      if (paths[m]->path == paths[n]->path && !paths[n]->steps.empty()) return true;
    }
  }
  return false;
}

// Looking whether a value is there takes about half of what one step takes.
bool KnownReads::IsWorthLooking(const Counted& counted) {
  return counted.uses > 2 || As<BoundPath>(*counted.expr).steps.size() > 1;
}

KnownReads::Read* KnownReads::Of(const BoundExpr& expr) {
  if (reads_.empty() || (expr.kind != BoundKind::kPath && expr.kind != BoundKind::kLocal)) return nullptr;
  const auto found =
      std::find_if(reads_.rbegin(), reads_.rend(), [&](const Read& read) { return IsSame(*read.expr, expr); });
  return found == reads_.rend() ? nullptr : &*found;
}

void KnownReads::Set(Read* read, State state) {
  if (read->state == state) return;
  changes_.push_back({static_cast<uint32_t>(read - reads_.data()), read->state});
  read->state = state;
}

KnownReads::Read* KnownReads::Add(const BoundExpr* expr, uint16_t reg, State state) {
  reads_.push_back({expr, reg, state});
  return &reads_.back();
}

void KnownReads::Undo(size_t changes, size_t count) {
  for (; changes_.size() > changes; changes_.pop_back()) reads_[changes_.back().read].state = changes_.back().before;
  reads_.resize(count);
}

// Variables are operands as they are.
void KnownReads::Count(const BoundExpr& read, uint32_t uses) {
  const bool has_steps =
      read.kind == BoundKind::kPath ? !As<BoundPath>(read).steps.empty() : !As<BoundLocal>(read).steps.empty();
  if (!has_steps || !read.plain_value) return;
  for (Counted& counted : counted_) {
    if (IsSame(*counted.expr, read)) {
      counted.uses += uses;
      return;
    }
  }
  if (counted_.size() < kMaxCounted) counted_.push_back({&read, uses});
}

// From the root down: plain code is looked for as the generator does. A table of rules keeps its reads itself.
void KnownReads::CountPaths(const BoundTree& tree, bool whole) {
  counted_.clear();
  Loops loops;
  const auto count = [&](const BoundExpr& expr, uint32_t uses) {
    for (const BoundPath* path : PathsIn(tree, expr)) Count(*path, uses);
  };
  if (whole) {
    count(tree.root(), 1);
  } else {
    for (uint32_t id = tree.root().id + 1; id-- > 0;) {
      const BoundExpr& node = *tree.nodes()[id];
      loops.Meet(node);
      const bool is_table = LiteralLoop::Find(node).loop != nullptr;
      const bool is_plain = HasOwnPlainCode(node, /*returns=*/false) || (node.plain_test && loops.IsFilter(id));
      if (is_plain && !is_table) count(node, loops.IsInside(id) ? 3 : 1);
      if (is_plain || is_table) id = node.first;
    }
  }
  if (counted_.size() > kMaxReads) counted_.resize(kMaxReads);
}

void KnownReads::CountReads(const BoundTree& tree, const BoundExpr& expr) {
  counted_.clear();
  const auto count = [this](const auto& reads) {
    if (reads.size() < 2) return;
    for (const auto* read : reads) {
      if (Of(*read) == nullptr) Count(*read, 1);
    }
  };
  count(LocalsIn(tree, expr));
  if (&expr != &tree.root()) count(PathsIn(tree, expr));
  if (counted_.size() > kMaxReads - std::min(kMaxReads, reads_.size())) counted_.clear();
}

void KnownReads::CountInLoop(const BoundTree& tree, const BoundFor& loop) {
  counted_.clear();
  const uint32_t level = LevelOf(loop.variables);
  for (const BoundPath* path : PathsIn(tree, loop)) {
    if (path->id > loop.collection->id) Count(*path, 1);
  }
  for (const BoundLocal* local : LocalsIn(tree, loop)) {
    if (local->id > loop.collection->id && local->local->level < level) Count(*local, 1);
  }
}

}  // namespace hcl::internal
