// KnownReads. Tested by compiler/known_reads_test.cc.

#include "hclvm/compiler/known_reads.h"

#include <algorithm>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/ascii.h"
#include "absl/types/span.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/literal_loop.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxCounted = 48;  // more different reads are not looked at
constexpr size_t kMaxLoops = 16;    // nor what stands in more loops

bool HaveSameRoot(const BoundExpr& a, const BoundExpr& b) {
  if (a.kind != b.kind) return false;
  return a.kind == BoundKind::kPath ? As<BoundPath>(a).slot == As<BoundPath>(b).slot
                                    : As<BoundLocal>(a).local->root() == As<BoundLocal>(b).local->root();
}

// How many steps both begin with.
uint32_t CommonLength(const BoundExpr& a, const BoundExpr& b) {
  if (!HaveSameRoot(a, b)) return 0;
  const absl::Span<const BoundStep> x = StepsOf(a);
  const absl::Span<const BoundStep> y = StepsOf(b);
  const auto [end, other] =
      std::mismatch(x.begin(), x.end(), y.begin(), y.end(),
                    [](const BoundStep& s, const BoundStep& t) { return Identical(s.key, t.key); });
  return static_cast<uint32_t>(end - x.begin());
}

// Whether both are the first `length` steps of one read. Asked of each read for each other one.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool IsSame(const BoundExpr& a, const BoundExpr& b, uint32_t length) {
  const bool are_whole = StepsOf(a).size() == length && StepsOf(b).size() == length;
  if (are_whole && a.kind == BoundKind::kPath && b.kind == BoundKind::kPath) {
    return As<BoundPath>(a).path == As<BoundPath>(b).path;
  }
  return CommonLength(a, b) >= length;
}

// Whether the steps from `first` on can be taken one by one from a value: a text may stand for a position, which only
// paths know.
bool AreSingle(absl::Span<const BoundStep> steps, size_t first) {
  return std::all_of(steps.begin() + static_cast<ptrdiff_t>(first), steps.end(), [](const BoundStep& step) {
    return step.key.is_number() ||
           (step.key.is_string() && !step.key.AsString().empty() && !absl::ascii_isdigit(step.key.AsString()[0]));
  });
}

// Whether the first `length` steps can be taken so that others go on from there; the first one of a path by its name.
bool CanBegin(const BoundExpr& read, uint32_t length) {
  const absl::Span<const BoundStep> steps = StepsOf(read).first(length);
  if (!AreSingle(steps, 0)) return false;
  return read.kind == BoundKind::kLocal || (steps[0].key.is_string() && As<BoundPath>(read).slot <= UINT16_MAX);
}

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

// Paths are numbers, and one expression has few; where it has many, or loops, it takes a closer look.
bool KnownReads::MayHave(const BoundTree& tree) {
  const absl::Span<const BoundPath* const> paths = tree.path_reads();
  if (!tree.local_reads().empty()) return true;
  if (paths.size() > 16) return true;
  for (size_t n = 1; n < paths.size(); ++n) {
    for (size_t m = 0; m < n; ++m) {
      if (paths[m]->slot == paths[n]->slot && CommonLength(*paths[m], *paths[n]) > 0) return true;
    }
  }
  return false;
}

// Looking whether a value is there takes about half of what one step takes, and taking a step from it less than a path
// of several steps.
bool KnownReads::IsWorthLooking(const Counted& counted) {
  return counted.uses > 2 || StepsOf(*counted.expr).size() > 1;
}

bool KnownReads::IsThat(const Read& read, const BoundExpr& expr) {
  return StepsOf(expr).size() == read.length && IsSame(*read.expr, expr, read.length);
}

bool KnownReads::IsOneOf(absl::Span<const BoundExpr* const> exprs, const Read& read) {
  return std::any_of(exprs.begin(), exprs.end(), [&](const BoundExpr* expr) { return IsThat(read, *expr); });
}

KnownReads::Read* KnownReads::Of(const BoundExpr& expr) {
  if (reads_.empty() || (expr.kind != BoundKind::kPath && expr.kind != BoundKind::kLocal)) return nullptr;
  const size_t length = StepsOf(expr).size();
  for (size_t n = reads_.size(); n-- > 0;) {
    if (reads_[n].length == length && IsSame(*reads_[n].expr, expr, reads_[n].length)) return &reads_[n];
  }
  return nullptr;
}

KnownReads::Read* KnownReads::BeginningOf(const BoundExpr& expr, uint32_t length) {
  Read* longest = nullptr;
  for (Read& read : reads_) {
    if (read.length >= length || (longest != nullptr && read.length <= longest->length)) continue;
    if (CommonLength(*read.expr, expr) >= read.length && AreSingle(StepsOf(expr).first(length), read.length)) {
      longest = &read;
    }
  }
  return longest;
}

void KnownReads::Set(Read* read, State state) {
  if (read->state == state) return;
  changes_.push_back({static_cast<uint32_t>(read - reads_.data()), read->state});
  read->state = state;
}

KnownReads::Read* KnownReads::Add(const Counted& counted, uint16_t reg, State state) {
  reads_.push_back({counted.expr, counted.length, reg, state});
  return &reads_.back();
}

void KnownReads::Undo(size_t changes, size_t count) {
  for (; changes_.size() > changes; changes_.pop_back()) reads_[changes_.back().read].state = changes_.back().before;
  reads_.Shrink(count);
}

// Whole paths have numbers, which are compared first of all.
void KnownReads::Count(const BoundExpr& read, uint32_t length, uint32_t uses) {
  const bool is_whole = read.kind == BoundKind::kPath && StepsOf(read).size() == length;
  const uint32_t path = is_whole ? As<BoundPath>(read).path : BoundPath::kNoPath;
  for (Counted& counted : counted_) {
    if (counted.length != length) continue;
    const bool are_numbers = path != BoundPath::kNoPath && counted.path != BoundPath::kNoPath;
    if (are_numbers ? path == counted.path : IsSame(*counted.expr, read, length)) {
      counted.uses += uses;
      return;
    }
  }
  if (counted_.size() < kMaxCounted) counted_.push_back({&read, length, uses, path});
}

// Variables are operands as they are.
void KnownReads::CountAll(const BoundExpr& read, uint32_t uses) {
  const size_t length = StepsOf(read).size();
  if (length > 0 && read.plain_value) Count(read, static_cast<uint32_t>(length), uses);
}

// What two reads begin with is read for each of them. Such a beginning may be one of the reads itself.
void KnownReads::CountBeginnings() {
  const size_t count = counted_.size();
  for (size_t n = 1; n < count; ++n) {
    for (size_t m = 0; m < n; ++m) {
      const Counted a = counted_[m];
      const Counted b = counted_[n];
      const uint32_t common = CommonLength(*a.expr, *b.expr);
      if (common == 0 || !CanBegin(*a.expr, common)) continue;
      const bool is_read = common == a.length || common == b.length;
      Count(common == a.length ? *a.expr : *b.expr, common, is_read ? 1 : 2);
    }
  }
}

void KnownReads::DropSingle() {
  const auto is_single = [](const Counted& counted) { return counted.uses < 2; };
  counted_.Shrink(static_cast<size_t>(std::remove_if(counted_.begin(), counted_.end(), is_single) - counted_.begin()));
}

// From the root down: plain code is looked for as the generator does. A table of rules keeps its reads itself.
void KnownReads::CountPaths(const BoundTree& tree, const SharedValues& shared, bool whole) {
  counted_.clear();
  Loops loops;
  const auto count = [&](const BoundExpr& expr, uint32_t uses) {
    for (const BoundPath* path : PathsIn(tree, expr)) {
      if (!shared.IsRepeated(path->id)) CountAll(*path, uses);
    }
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
  CountBeginnings();
  DropSingle();
  if (counted_.size() > kMaxReads) counted_.Shrink(kMaxReads);
}

void KnownReads::CountReads(const BoundTree& tree, const BoundExpr& expr) {
  counted_.clear();
  const auto count = [this](const auto& reads) {
    if (reads.size() < 2) return;
    for (const auto* read : reads) {
      if (Of(*read) == nullptr) CountAll(*read, 1);
    }
  };
  count(LocalsIn(tree, expr));
  if (&expr != &tree.root()) count(PathsIn(tree, expr));
  CountBeginnings();
  DropSingle();
  if (counted_.size() > kMaxReads - std::min(kMaxReads, reads_.size())) counted_.clear();
}

void KnownReads::CountJointReads(const BoundTree& tree, absl::Span<const BoundFor* const> loops) {
  counted_.clear();
  for (const BoundFor* loop : loops) {
    for (const BoundLocal* read : LocalsIn(tree, *loop)) {
      if (read->id > loop->collection->id && Of(*read) == nullptr) CountAll(*read, 1);
    }
  }
  CountBeginnings();
  DropSingle();
  counted_.Shrink(std::min(counted_.size(), kMaxReads - std::min(kMaxReads, reads_.size())));
}

void KnownReads::CountOnlyBeginnings(const BoundTree& tree, const BoundExpr& expr) {
  counted_.clear();
  for (const BoundPath* path : PathsIn(tree, expr)) CountAll(*path, 1);
  CountBeginnings();
  const auto is_whole = [](const Counted& counted) { return counted.length == StepsOf(*counted.expr).size(); };
  counted_.Shrink(static_cast<size_t>(std::remove_if(counted_.begin(), counted_.end(), is_whole) - counted_.begin()));
  counted_.Shrink(std::min(counted_.size(), kMaxReads - std::min(kMaxReads, reads_.size())));
}

void KnownReads::CountInLoop(const BoundTree& tree, const BoundFor& loop) {
  counted_.clear();
  const uint32_t level = LevelOf(loop.variables);
  for (const BoundPath* path : PathsIn(tree, loop)) {
    if (path->id > loop.collection->id) CountAll(*path, 1);
  }
  for (const BoundLocal* local : LocalsIn(tree, loop)) {
    if (local->id > loop.collection->id && local->local->level < level) CountAll(*local, 1);
  }
}

}  // namespace hcl::internal
