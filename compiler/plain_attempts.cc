// PlainGenerator: try and can, and what they look for. Tested by compiler/plain_attempts_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

// A logical operator drops what one side fails with where the other one decides, so that nothing in it fails the whole
// for certain. Of a conditional, that is only the condition.
void PlainGenerator::EnsureReads(const BoundExpr& expr, PlainLabel* failed) {
  const BoundExpr& inner = Inner(expr);
  if (inner.is_constant() || EnsuredOperand(inner)) return;
  const auto ensure = [&](const BoundExpr& part) { EnsureReads(part, failed); };
  if (CanSeek(inner) && KnownValueOf(inner) == nullptr) {
    const uint16_t operand = Find(inner);
    failed->push_back(g_.builder_->Emit(Opcode::kIfNotThere, operand));
    MarkThere(inner);
    return ensured_.push_back({&inner, operand});
  }
  switch (inner.kind) {
    case BoundKind::kChain:
      if (!IsLogical(As<BoundChain>(inner).op)) ForEachPart(inner, ensure);
      return;
    case BoundKind::kUnary:
    case BoundKind::kTemplate:
      return ForEachPart(inner, ensure);
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(inner);
      if (const BoundExpr* const mapping = MappingOfKeys(call)) {
        ensure(*mapping);
        return ensure(*call.arguments[1]);
      }
      const BoundCall* const set = CountedSet(call);
      const AskedPiece piece = PieceOf(call);
      const BoundExpr& asked = set != nullptr ? *set : piece ? *piece.split : inner;
      if (HasStrictArguments(call)) ForEachPart(asked, ensure);
      return;
    }
    default:
      return;
  }
}

// Whether looking for it runs no code that fails: steps, and indexes, from what is read.
bool PlainGenerator::IsLookedFor(const BoundExpr& expr) const {
  const bool is_variable = (expr.kind == BoundKind::kPath || expr.kind == BoundKind::kLocal) && StepsOf(expr).empty();
  if (!is_variable && !CanSeek(expr)) return false;
  switch (expr.kind) {
    case BoundKind::kPath:
    case BoundKind::kLocal:
      return true;
    case BoundKind::kSteps:
      return IsLookedFor(*As<BoundSteps>(expr).source);
    case BoundKind::kIndex: {
      const BoundExpr& key = *As<BoundIndex>(expr).key;
      return IsLookedFor(*As<BoundIndex>(expr).source) && (key.is_constant() || IsLookedFor(key));
    }
    default:
      return false;
  }
}

// Whether the branch that is not taken is at most looked for, which does not fail; nor does what is taken where it is a
// choice between others, as its condition runs only then. No null is among them, whose type others tell.
bool PlainGenerator::RunsOneBranch(const BoundConditional& choice) const {
  const BoundExpr& yes = *choice.if_true;
  const BoundExpr& no = *choice.if_false;
  if (yes.is_constant() && no.is_constant()) return true;
  if (choice.common_type.is_primitive()) {
    return yes.has_primitive_type() && no.has_primitive_type() && !IsChoice(yes) && !IsChoice(no);
  }
  const auto is_passed_over = [this](const BoundExpr& branch) {
    if (IsChoice(branch)) return RunsOneBranch(As<BoundConditional>(branch));
    return branch.has_primitive_type() || IsLookedFor(branch);
  };
  return choice.common_type.is_dynamic() && choice.shape == nullptr && is_passed_over(yes) && is_passed_over(no);
}

// Whether it fails for certain where some read, operator or call in it does: nothing in it is passed over. The value of
// general code is an error then.
bool PlainGenerator::FailsWithItsParts(const BoundExpr& expr, const StrictDepth& depth) const {
  const BoundExpr& inner = Inner(expr);
  if (inner.is_constant() || EnsuredOperand(inner)) return true;
  if (IsTriedTemplate(inner) || IsPlainStructure(inner) || IsPlainCall(inner)) {
    const bool expands = inner.kind == BoundKind::kCall && As<BoundCall>(inner).expand_last;
    return !expands && depth.parts > 0 && AllFailWithTheirParts(inner, depth.Below());
  }
  if (IsGeneral(inner)) return true;
  bool is_strict = true;
  switch (inner.kind) {
    case BoundKind::kPath:
    case BoundKind::kLocal:
      return true;
    case BoundKind::kChain:
      if (IsLogical(As<BoundChain>(inner).op)) return IsTriedLogic(inner, depth.Below());
      break;
    case BoundKind::kUnary:
    case BoundKind::kTemplate:
      break;
    case BoundKind::kCall:
      if (const Reduction reduction = ReductionOf(inner)) return LoopFailsWithItsParts(inner, reduction, depth);
      is_strict = HasStrictArguments(As<BoundCall>(inner));
      break;
    case BoundKind::kSteps:
      if (const Reduction reduction = ReductionOf(inner)) return LoopFailsWithItsParts(inner, reduction, depth);
      break;
    case BoundKind::kIndex:
      break;
    case BoundKind::kConditional:
      is_strict = RunsOneBranch(As<BoundConditional>(inner));
      break;
    default:
      return false;
  }
  return is_strict && depth.parts > 0 && AllFailWithTheirParts(inner, depth.Below());
}

// Whether an element that is no bool is a failure where bools are asked for. A null is none: ReduceElement() tells it
// apart of what is read, where that is no part of the text.
bool PlainGenerator::FailsByItsTests(const Reduction& reduction) const {
  if (reduction.kind != Reduction::Kind::kAllTrue && reduction.kind != Reduction::Kind::kAnyTrue) return true;
  const BoundExpr& value = Inner(*reduction.loop->value);
  const bool is_read = value.kind == BoundKind::kPath || value.kind == BoundKind::kLocal ||
                       value.kind == BoundKind::kIndex || value.kind == BoundKind::kSteps;
  const BoundExpr& list = *reduction.loop->collection;
  return value.sure_bool || (is_read && !list.is_constant() && list.kind != BoundKind::kTuple);
}

// An element that fails is the whole list's failure. Loops that make several values at once fail with any of them.
bool PlainGenerator::LoopFailsWithItsParts(const BoundExpr& whole, const Reduction& reduction,
                                           const StrictDepth& depth) const {
  if (depth.parts == 0 || IsJoint(whole)) return false;
  if (!FailsByItsTests(reduction)) return false;
  if (reduction.needle != nullptr && !FailsWithItsParts(*reduction.needle, depth.Below())) return false;
  return AllFailWithTheirParts(*reduction.loop, depth.Below());
}

bool PlainGenerator::AllFailWithTheirParts(const BoundExpr& whole, const StrictDepth& depth) const {
  bool is_strict = true;
  ForEachPart(whole, [&](const BoundExpr& part) { is_strict = is_strict && FailsWithItsParts(part, depth); });
  return is_strict;
}

// A template that is tried is joined in fast code also where it is general code elsewhere.
bool PlainGenerator::IsTriedTemplate(const BoundExpr& expr) const {
  return session_ == nullptr && expr.kind == BoundKind::kTemplate && HasSureAttempt(expr, Parts{this});
}

bool PlainGenerator::IsStrict(const BoundExpr& attempt) const {
  return session_ == nullptr && FailsWithItsParts(attempt, MaxStrictDepth(0));
}

// Calls in it go to `failed`. What else fails for certain comes from the regions, those that have no such place yet.
PlainGenerator::FailedRegions PlainGenerator::YieldStrictly(PlainLabel* failed, absl::FunctionRef<void()> emit) {
  EndRegion();
  BeginRegion();
  const size_t first = regions_.size();
  PlainLabel* const outer = std::exchange(strict_failed_, failed);
  const bool was_tried = std::exchange(is_tried_, true);
  emit();
  strict_failed_ = outer;
  is_tried_ = was_tried;
  EndRegion();
  BeginRegion();
  FailedRegions regions;
  for (size_t n = first; n < regions_.size(); ++n) {
    if (regions_[n].failed == 0) regions.push_back(n);
  }
  return regions;
}

// What is read in any case is looked for first, since that is what most attempts lack; of a template, most parts are
// there, and what an element is asked for by need not be kept.
PlainGenerator::FailedRegions PlainGenerator::YieldAttempt(const BoundExpr& attempt, uint16_t dest,
                                                           const AttemptLabels& labels) {
  const auto yield = [&] { YieldSure(attempt, dest); };
  if (IsTriedLogic(attempt)) {
    PlainLabel* const outer = std::exchange(strict_failed_, nullptr);
    const bool was_tried = std::exchange(is_tried_, true);
    FailedRegions regions = YieldTriedLogic(As<BoundChain>(attempt), dest, labels);
    strict_failed_ = outer;
    is_tried_ = was_tried;
    return regions;
  }
  const bool needs_no_look = attempt.kind == BoundKind::kTemplate || IsStructure(attempt) || IsComputedElement(attempt);
  if (needs_no_look && IsStrict(attempt)) return YieldStrictly(labels.failed, yield);
  EnsureReads(attempt, labels.failed);
  if (IsStrict(attempt)) return YieldStrictly(labels.failed, yield);
  PlainLabel* const outer = std::exchange(strict_failed_, nullptr);
  yield();
  strict_failed_ = outer;
  return {};
}

void PlainGenerator::EndAttempt(const FailedRegions& regions) {
  for (const size_t region : regions) regions_[region].failed = g_.builder_->here();
}

// A branch need not be known, nor all of an element.
void PlainGenerator::YieldSure(const BoundExpr& attempt, uint16_t dest) {
  if (attempt.kind == BoundKind::kTemplate) {
    const uint16_t mark = g_.next();
    YieldTemplate(As<BoundTemplate>(attempt), dest);
    return g_.FreeTo(mark);
  }
  Yield(attempt, dest, /*returns=*/false);
  if (IsChoice(attempt) || !attempt.has_primitive_type()) {
    g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kWhole));
  }
}

void PlainGenerator::SeekAttempt(const BoundExpr& attempt, uint16_t dest, PlainLabel* found) {
  if (KnownReads::Read* const read = KnownReadOf(Inner(attempt))) {
    Load(FindKnown(read), dest);
  } else {
    Seek(attempt, dest);
  }
  found->push_back(g_.builder_->Emit(Opcode::kIfThere, dest));
}

// False where nothing in it is known to fail, so that whatever is tried next is never reached from here.
bool PlainGenerator::YieldAttemptOrGoOn(const BoundExpr& attempt, uint16_t dest, PlainLabel* done) {
  const Ensured ensured(this);
  const Branch branch(this);
  PlainLabel failed;
  const FailedRegions regions = YieldAttempt(attempt, dest, {done, &failed});
  if (failed.empty() && regions.empty()) return false;
  done->push_back(g_.builder_->Emit(Opcode::kSkip));
  PatchToHere(failed);
  EndAttempt(regions);
  return true;
}

// The first that is there, and wholly known.
void PlainGenerator::YieldTry(const BoundCall& call, uint16_t dest) {
  Attempts attempts;
  AppendAttempts(call, &attempts);
  if (!HasOtherAttempts(absl::MakeConstSpan(attempts), Parts{this})) return YieldSure(Inner(*attempts[0]), dest);
  PlainLabel done;
  // Where one is there, nothing behind it runs.
  std::optional<Branch> branch;
  for (const BoundExpr* attempt : absl::MakeConstSpan(attempts).first(attempts.size() - 1)) {
    const BoundExpr& inner = Inner(*attempt);
    if (!HasSureAttempt(inner, Parts{this})) {
      SeekAttempt(inner, dest, &done);
    } else if (!YieldAttemptOrGoOn(inner, dest, &done)) {
      return PatchToHere(done);
    }
    if (!branch) branch.emplace(this);
  }
  const BoundExpr& last = Inner(*attempts.back());
  if (IsNull(last)) {
    Load(Operand(last), dest);
  } else {
    Yield(last, dest, /*returns=*/false);
    if (!last.is_constant()) done.push_back(g_.builder_->Emit(Opcode::kIfThere, dest));
  }
  PatchToHere(done);
}

// The first that is there. Each is tested, as one that is not wholly known leaves.
void PlainGenerator::SeekTry(const BoundCall& call, uint16_t dest) {
  PlainLabel done;
  SeekAttempt(*call.arguments[0], dest, &done);
  const Branch branch(this);
  for (const BoundExpr* argument : call.arguments.subspan(1)) SeekAttempt(*argument, dest, &done);
  PatchToHere(done);
}

// Whether the function tells whether it succeeds, and nobody else asks for the value.
bool PlainGenerator::AsksOnlySuccess(const BoundExpr& inner) const {
  return inner.kind == BoundKind::kCall && As<BoundCall>(inner).function->succeeds != nullptr && IsPlainCall(inner) &&
         CanSeek(inner) && !As<BoundCall>(inner).expand_last && !g_.SharedRegister(inner) && !EnsuredOperand(inner);
}

// Nothing is made of what is only asked for: a value that is sure to be there once its reads are needs no code
// beyond these; of others it is found out whether there is something, and the value is dropped.
void PlainGenerator::TestCan(const BoundExpr& attempt, bool when, PlainLabel* target) {
  const BoundExpr& inner = Inner(attempt);
  if (!HasSureAttempt(inner, Parts{this})) {
    if (TestCanMatch(inner, when, target)) return;
    uint16_t found;
    if (AsksOnlySuccess(inner)) {
      SeekCall(As<BoundCall>(inner), Opcode::kPlainCan, found = g_.Allocate());
    } else {
      found = Find(inner);
    }
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfThere : Opcode::kIfNotThere, found));
    return;
  }
  const Ensured ensured(this);
  const Branch branch(this);
  PlainLabel failed;
  PlainLabel done;
  const uint16_t value = g_.Allocate();
  const FailedRegions regions = YieldAttempt(inner, value, {when ? target : &done, &failed});
  if (when) {
    target->push_back(g_.builder_->Emit(Opcode::kSkip));
    PatchToHere(failed);
    EndAttempt(regions);
  } else {
    target->Append(failed);
    if (!regions.empty()) {
      done.push_back(g_.builder_->Emit(Opcode::kSkip));
      EndAttempt(regions);
      target->push_back(g_.builder_->Emit(Opcode::kSkip));
    }
    PatchToHere(done);
  }
}

void PlainGenerator::YieldNothingAt(const PlainLabel& failed, const FailedRegions& regions, uint16_t dest) {
  if (failed.empty() && regions.empty()) return;
  const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
  PatchToHere(failed);
  EndAttempt(regions);
  g_.builder_->Emit(Opcode::kForget, dest, 1);
  g_.builder_->PatchToHere(done);
}

// Most arguments are reads, which were looked for.
PlainGenerator::FailedRegions PlainGenerator::YieldArguments(const BoundCall& call, uint16_t run, PlainLabel* failed) {
  const auto yield = [&] {
    for (size_t n = 0; n < call.arguments.size(); ++n) {
      Yield(*call.arguments[n], static_cast<uint16_t>(run + n), /*returns=*/false);
    }
  };
  const auto is_made = [this](const BoundExpr* argument) {
    const BoundExpr& inner = Inner(*argument);
    const bool is_read = inner.kind == BoundKind::kPath || inner.kind == BoundKind::kLocal;
    return !is_read && !inner.is_constant() && !EnsuredOperand(inner);
  };
  const auto fails = [this](const BoundExpr* argument) { return IsStrict(*argument); };
  const auto& arguments = call.arguments;
  const bool is_strict = std::any_of(arguments.begin(), arguments.end(), is_made) &&
                         std::all_of(arguments.begin(), arguments.end(), fails);
  if (is_strict) return YieldStrictly(failed, yield);
  PlainLabel* const outer = std::exchange(strict_failed_, nullptr);
  yield();
  strict_failed_ = outer;
  return {};
}

// What an argument reads is not known behind a call that is passed over.
void PlainGenerator::SeekCall(const BoundCall& call, Opcode opcode, uint16_t dest) {
  const uint16_t mark = g_.next();
  const std::optional<uint16_t> shared = g_.SharedRegister(call);
  const Ensured ensured(this);
  const Branch branch(this);
  const bool may_be_kept = shared && g_.shared_values_.BeginMaking(call);
  const uint32_t recalled = may_be_kept ? g_.builder_->Emit(Opcode::kRecall, dest, *shared) : 0;
  PlainLabel failed;
  for (const BoundExpr* argument : call.arguments) EnsureReads(*argument, &failed);
  const auto count = static_cast<uint32_t>(call.arguments.size());
  const uint16_t run = g_.AllocateRun(dest, count > 0 ? count : 1);
  const FailedRegions regions = YieldArguments(call, run, &failed);
  g_.builder_->EmitX(opcode, run, call.site, call.spans);
  if (shared) g_.builder_->Emit(Opcode::kKeep, *shared, run);
  Load(run, dest);
  YieldNothingAt(failed, regions, dest);
  if (may_be_kept) g_.builder_->PatchToHere(recalled);
  g_.FreeTo(mark);
}

void PlainGenerator::SeekPiece(const BoundCall& split, int64_t place, uint16_t dest) {
  const uint16_t mark = g_.next();
  const Ensured ensured(this);
  const Branch branch(this);
  PlainLabel failed;
  for (const BoundExpr* argument : split.arguments) EnsureReads(*argument, &failed);
  const uint16_t separator = LeavingOperand(*split.arguments[0]);
  Yield(*split.arguments[1], dest, /*returns=*/false);
  g_.builder_->Emit(Opcode::kPlainSeekPiece, dest, separator, static_cast<uint16_t>(place));
  YieldNothingAt(failed, {}, dest);
  g_.FreeTo(mark);
}

}  // namespace hcl::internal
