// CoreEmitter: the first of several elements with conditions, where types say that these cannot fail.
//
// The first element whose condition holds is chosen, and yet all that follow would have been evaluated: where one
// fails, so does the whole, and where a condition is not known, or marked, the result is. Where all that is read is
// declared to be a bool, number or string, never null, and all that is done with it is total for its type, an element
// does nothing of that as long as what it reads is known and unmarked. Tested by module/typed_table_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_sure.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

struct Row {
  const CoreNode* condition;
  const CoreNode* value;
  std::vector<const CoreNode*> needs;
};

// A read that has to be looked at where a row before `until` is chosen: those up to there have not read it in any case.
struct Owed {
  const CoreNode* read;
  uint32_t tested = kNever;  // the first row that reads it in any case
  uint32_t last = 0;         // that may read it
};

// Of the list that the first element is taken of.
absl::Span<const CoreNode* const> PartsOf(const CoreNode& first) {
  return first.args[0]->kind == CoreKind::kSeq ? first.args[0]->args : first.args.first(1);
}

// The row that a part of the table is; false for what is none.
bool ReadRow(const CoreNode& part, Row* row) {
  const CoreNode* at = &part;
  for (; at->kind == CoreKind::kNeed; at = at->args[0]) {
    row->needs.insert(row->needs.end(), at->args.begin() + 1, at->args.end());
  }
  if (at->kind != CoreKind::kGuard) return false;
  row->condition = at->args[0];
  for (at = at->args[1]; at->kind == CoreKind::kNeed; at = at->args[0]) {
    row->needs.insert(row->needs.end(), at->args.begin() + 1, at->args.end());
  }
  if (at->kind != CoreKind::kYield) return false;
  row->value = at->args[0];
  return true;
}

// What is read in one table. Rows come in their order.
class Reads {
 public:
  // Whether `node`, of a row, is total where all that it reads is known. `counts`: whether that is known matters.
  bool Add(const CoreNode& node, uint32_t row, bool counts) {
    const auto all = [&] {
      return std::all_of(node.args.begin(), node.args.end(),
                         [&](const CoreNode* arg) { return Add(*arg, row, counts); });
    };
    const auto are = [&](KindSet kinds) {
      return std::all_of(node.args.begin(), node.args.end(),
                         [kinds](const CoreNode* arg) { return (arg->kinds & ~(kinds | kOtherKind)) == 0; });
    };
    switch (node.kind) {
      case CoreKind::kConst:
        return true;
      case CoreKind::kSlot:
      case CoreKind::kStep:
        if ((node.flags & kDeclared) == 0) return false;
        if (counts) AddRead(node, row);
        return true;
      case CoreKind::kObject:
      case CoreKind::kTuple:
        return all();
      case CoreKind::kText:
        return are(kScalarKinds) && all();
      case CoreKind::kAll:
      case CoreKind::kAny:
      case CoreKind::kNeed:
        return are(kAnyKind) && all();
      case CoreKind::kIf:
        return (node.args[0]->kinds & ~(kBoolKind | kOtherKind)) == 0 && all();
      case CoreKind::kPrim:
        break;
      default:
        return false;
    }
    switch (node.op) {
      case CoreOp::kEqual:
        return are(kScalarKinds | kNullKind) && all();
      case CoreOp::kCheck:
      case CoreOp::kIn:
        return are(kScalarKinds) && all();
      case CoreOp::kNot:
      case CoreOp::kUnsure:
        return are(kBoolKind) && all();
      case CoreOp::kLess:
        return are(kNumberKind) && all();
      case CoreOp::kPrefix:
      case CoreOp::kSuffix:
      case CoreOp::kWithin:
        return are(kStringKind) && all();
      default:
        return false;
    }
  }

  // Adds which of the reads since the last call a jump on the condition of that row makes in any case.
  void Test(const CoreNode& condition, uint32_t row) {
    for (const size_t at : latest_) {
      if (owed_[at].tested == kNever && AlwaysMakes(condition, *owed_[at].read)) owed_[at].tested = row;
    }
    latest_.clear();
  }

  std::vector<Owed> Owing() const {
    std::vector<Owed> owing;
    for (const Owed& owed : owed_) {
      if (std::min(owed.tested, owed.last) > 0) owing.push_back(owed);
    }
    std::stable_sort(owing.begin(), owing.end(), [](const Owed& a, const Owed& b) {
      return std::min(a.tested, a.last) < std::min(b.tested, b.last);
    });
    return owing;
  }

 private:
  void AddRead(const CoreNode& read, uint32_t row) {
    const auto [at, is_new] = place_of_.emplace(read.id, owed_.size());
    if (is_new) owed_.push_back({&read});
    owed_[at->second].last = std::max(owed_[at->second].last, row);
    latest_.push_back(at->second);
  }

  std::vector<Owed> owed_;
  HashMap<uint32_t, size_t> place_of_;  // by id of the node
  std::vector<size_t> latest_;
};

}  // namespace

// Rows are tested up to the first that is chosen. What those behind it would have read is looked at from there on, in
// code of its own: the reads that are owed longest stand last, so that each row that is chosen enters it at its place,
// and each read is looked at once. False, and no code, for other tables.
bool CoreEmitter::MakeDeclaredTable(const CoreNode& node, uint16_t dest) {
  if (failure_ != nullptr) return false;
  const absl::Span<const CoreNode* const> parts = PartsOf(node);
  const bool by_function = (node.flags & kByFunction) != 0;
  std::vector<Row> rows(parts.size());
  Reads reads;
  for (uint32_t n = 0; n < rows.size(); ++n) {
    if (!ReadRow(*parts[n], &rows[n])) return false;
    const auto count = static_cast<uint32_t>(rows.size());
    // Marks of what is checked to have none count, whichever row is chosen.
    for (const CoreNode* need : rows[n].needs) {
      if (!reads.Add(*need, count, need->is(CoreOp::kCheck))) return false;
    }
    const bool is_bool = (rows[n].condition->kinds & ~(kBoolKind | kOtherKind)) == 0;
    if (!is_bool || !reads.Add(*rows[n].condition, n, /*counts=*/true)) return false;
    reads.Test(*rows[n].condition, n);
    if (!reads.Add(*rows[n].value, n + 1, by_function)) return false;
  }
  std::vector<uint32_t> chosen;
  {
    const CorePlaces::Branch tested(&places_);
    for (const Row& row : rows) {
      const uint16_t mark = registers_.next();
      Label next;
      Jump(*row.condition, false, &next);
      const CorePlaces::Branch branch(&places_);
      Value(*row.value, dest);
      chosen.push_back(builder_->EmitJump(Opcode::kJump));
      PatchToHere(next);
      registers_.FreeTo(mark);
    }
  }
  if (node.args.size() > 1) {
    Value(*node.args[1], dest);
    chosen.push_back(builder_->EmitJump(Opcode::kJump));
  } else {
    // None was: the slow path says so. Null is no bool.
    Check(registers_.RkConstant(hcl::Value::Null()), Guard::kBool);
  }
  size_t entered = 0;
  for (const Owed& owed : reads.Owing()) {
    for (; entered < chosen.size() && entered < std::min(owed.tested, owed.last); ++entered) {
      builder_->PatchToHere(chosen[entered]);
    }
    const uint16_t mark = registers_.next();
    Check(Operand(*owed.read), Guard::kScalar);
    registers_.FreeTo(mark);
  }
  for (; entered < chosen.size(); ++entered) builder_->PatchToHere(chosen[entered]);
  return true;
}

// Rows that ask for nothing but what the first one has asked for end with the one that is chosen. False, and no code,
// for other tables.
bool CoreEmitter::MakeSureTable(const CoreNode& node, uint16_t dest) {
  const absl::Span<const CoreNode* const> parts = PartsOf(node);
  const auto is_row = [](const CoreNode* part) {
    while (part->kind == CoreKind::kNeed) part = part->args[0];
    return part->kind == CoreKind::kGuard && part->loops == 0;
  };
  if (!std::all_of(parts.begin(), parts.end(), is_row) || !AreSureBehindFirst(parts)) return false;
  Label done;
  {
    const CorePlaces::Branch tested(&places_);
    Consumer consumer{&node, dest, 0};
    consumer.done = &done;
    for (const CoreNode* part : parts) {
      Label next;
      Produce(*part, &consumer, &next);
      PatchToHere(next);
    }
    // None was: the slow path says so, or what is tried fails. Null is no bool.
    if (node.args.size() > 1) {
      Value(*node.args[1], dest);
    } else if (failure_ != nullptr) {
      failure_->jumps.push_back(Emit(Opcode::kSkip, 0));
    } else {
      Check(registers_.RkConstant(hcl::Value::Null()), Guard::kBool);
    }
  }
  PatchToHere(done);
  return true;
}

}  // namespace hcl::internal
