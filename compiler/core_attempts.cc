// CoreEmitter: what is tried, and goes on behind it where it fails for certain. Tested by
// compiler/core_emitter_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

// The operands of logical operators in what is tried have code twice, and once more with each operator around them.
constexpr int kMaxTriedLogics = 2;
constexpr uint32_t kMaxTriedSize = 128;

// A variable, or a constant, which is there.
bool IsThere(const CoreNode& node) {
  return node.is_const() || node.kind == CoreKind::kSlot || node.kind == CoreKind::kVar ||
         node.kind == CoreKind::kLocal;
}

// Whether nothing but a bool goes on behind it.
bool IsBool(const CoreNode& node) { return (node.kinds & ~(kBoolKind | kOtherKind)) == 0; }

}  // namespace

void CoreEmitter::Land(const Failure& failure) {
  PatchToHere(failure.jumps);
  for (const uint32_t region : failure.regions) regions_.Land(region);
}

// Whether what fails in it for certain is its failure, in the code that is made for it here.
bool CoreEmitter::FailsHere(const CoreNode& node) const {
  const bool is_logic = node.kind == CoreKind::kAll || node.kind == CoreKind::kAny;
  return is_logic ? tried_logics_ < kMaxTriedLogics && node.size <= kMaxTriedSize : FailsWithParts(node);
}

// A call whose arguments are there fails by its value alone; what else is put together fails with its parts.
void CoreEmitter::MakeFound(const CoreNode& node, uint16_t dest) {
  const uint16_t mark = registers_.next();
  if (node.kind == CoreKind::kStep) {
    MakeSteps(node, /*may_be_absent=*/true, dest, dest);
  } else if (node.kind == CoreKind::kIndex) {
    const uint16_t source = Find(*node.args[0]);
    Emit(Opcode::kFastSeek, dest, source, Find(*node.args[1]));
  } else if (node.kind == CoreKind::kCall) {
    const bool may_lack =
        !std::all_of(node.args.begin(), node.args.end(), [](const CoreNode* arg) { return IsThere(*arg); });
    MakeTried(node, may_lack, dest, [&] { MakeCall(node, Opcode::kFastAttempt, dest); });
  } else {
    MakeTried(node, /*may_lack=*/true, dest, [&] { MakeUnkept(node, dest); });
  }
  registers_.FreeTo(mark);
}

// `dest` is absent where what `make` makes of the node fails, other than by itself.
void CoreEmitter::MakeTried(const CoreNode& node, bool may_lack, uint16_t dest, absl::FunctionRef<void()> make) {
  const CorePlaces::Branch branch(&places_);
  Failure failure;
  {
    const Attempt attempt(this, may_lack && FailsHere(node) ? &failure : nullptr);
    make();
  }
  if (!may_lack) return;
  const uint32_t done = Emit(Opcode::kSkip, 0);
  Land(failure);
  Emit(Opcode::kForget, dest, 1);
  builder_->PatchToHere(done);
}

// The first that is there, and wholly known. Where one is there, nothing behind it runs.
void CoreEmitter::MakeTry(const CoreNode& node, uint16_t dest) {
  Label done;
  const CorePlaces::Branch branch(&places_);
  for (const CoreNode* attempt : node.args.first(node.args.size() - 1)) {
    if (attempt->kind == CoreKind::kStep || attempt->kind == CoreKind::kIndex || attempt->kind == CoreKind::kCall) {
      const uint16_t mark = registers_.next();
      if (places_.At(*attempt).has_reg) {
        Load(Find(*attempt), dest);
      } else {
        MakeFound(*attempt, dest);
      }
      done.push_back(Emit(Opcode::kIfThere, dest));
      registers_.FreeTo(mark);
      continue;
    }
    const CorePlaces::Branch inner(&places_);
    Failure failure;
    {
      const Attempt tried(this, &failure);
      Value(*attempt, dest);
      if ((attempt->kinds & ~kScalarKinds) != 0) Check(dest, Guard::kWhole);
    }
    done.push_back(Emit(Opcode::kSkip, 0));
    Land(failure);
  }
  const CoreNode& last = *node.args.back();
  Value(last, dest);
  if (!last.is_const()) done.push_back(Emit(Opcode::kIfThere, dest));
  PatchToHere(done);
}

// Of a value that is sure to be there where all of it is, nothing more is asked; nor of one that a function need not
// make to tell whether it succeeds.
void CoreEmitter::JumpOnCan(const CoreNode& node, bool when, Label* target) {
  const CoreNode& attempt = *node.args[0];
  if (attempt.kind == CoreKind::kStep || attempt.kind == CoreKind::kIndex || attempt.kind == CoreKind::kCall) {
    const bool asks_only = attempt.kind == CoreKind::kCall && !places_.At(attempt).has_reg &&
                           As<BoundCall>(*attempt.origin).function->succeeds != nullptr && FailsWithParts(attempt);
    uint16_t found = 0;
    if (asks_only) {
      found = registers_.Allocate();
      MakeTried(attempt, /*may_lack=*/true, found, [&] { MakeCall(attempt, Opcode::kFastCan, found); });
    } else {
      found = Find(attempt);
    }
    target->push_back(Emit(when ? Opcode::kIfThere : Opcode::kIfNotThere, found));
    return;
  }
  const CorePlaces::Branch branch(&places_);
  const uint16_t value = registers_.Allocate();
  Failure failure;
  {
    const Attempt tried(this, &failure);
    Value(attempt, value);
    if ((attempt.kinds & ~kScalarKinds) != 0) Check(value, Guard::kWhole);
  }
  const uint32_t there = Emit(Opcode::kSkip, 0);
  Land(failure);
  if (when) {
    const uint32_t absent = Emit(Opcode::kSkip, 0);
    builder_->PatchToHere(there);
    target->push_back(Emit(Opcode::kSkip, 0));
    builder_->PatchToHere(absent);
  } else {
    target->push_back(Emit(Opcode::kSkip, 0));
    builder_->PatchToHere(there);
  }
}

// An operand that fails does not matter where another one decides: behind code where nothing fails, those behind it are
// tested once more. An operand that might be no bool is looked at before anything is tested: what is none fails with
// its operator, whatever the others are, but for null, and exits.
void CoreEmitter::JumpOnTriedLogic(const CoreNode& node, bool when, Label* target) {
  const bool decides = node.kind == CoreKind::kAny;
  ShortList<const CoreNode*> operands;
  const CoreNode* rest = &node;
  for (; rest->kind == node.kind; rest = rest->args[1]) operands.push_back(rest->args[0]);
  operands.push_back(rest);
  const size_t count = operands.size();
  ShortList<uint16_t> loaded(count);
  for (size_t n = count; n-- > 0;) {
    if (IsBool(*operands[n])) continue;
    loaded[n] = Find(*operands[n]);
    const Attempt none(this, nullptr);
    Check(loaded[n], Guard::kBoolOrAbsent);
  }
  Label decided;
  std::vector<Failure> behind(count + 1);
  const auto test = [&](size_t n) {
    const Attempt tried(this, &behind[n + 1]);
    if (IsBool(*operands[n])) return Jump(*operands[n], decides, &decided);
    behind[n + 1].jumps.push_back(Emit(Opcode::kIfNotThere, loaded[n]));
    decided.push_back(Emit(decides ? Opcode::kIfTrue : Opcode::kIfFalse, loaded[n]));
  };
  ++tried_logics_;
  Label done;
  {
    const CorePlaces::Branch branch(&places_);
    for (size_t n = 0; n < count; ++n) test(n);
    (when == decides ? &done : target)->push_back(Emit(Opcode::kSkip, 0));
    branch.Else();
    for (size_t n = 1; n < count; ++n) {
      Land(behind[n]);
      const CorePlaces::Branch tested(&places_);
      test(n);
    }
    Land(behind[count]);
    failure_->jumps.push_back(Emit(Opcode::kSkip, 0));
  }
  --tried_logics_;
  if (when == decides) {
    target->Append(decided);
  } else {
    PatchToHere(decided);
  }
  PatchToHere(done);
}

}  // namespace hcl::internal
