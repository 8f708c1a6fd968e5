// PlainGenerator: values that are kept, and what need not be there. Tested by compiler/known_reads_test.cc,
// compiler/plain_generator_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

void PlainGenerator::KeepReads(const BoundExpr& expr) {
  if (session_ == nullptr) g_.known_reads_.AddReads(*g_.tree_, expr, [this] { return g_.Allocate(); });
}

// A read that was passed over on some way here is made anew where it is missing: the register tells, which costs
// less than to read twice on all ways.
uint16_t PlainGenerator::Take(KnownReads::Read* read, bool leaves) {
  using State = KnownReads::State;
  const uint16_t reg = read->reg;
  if (read->state == State::kThere || (read->state == State::kFound && leaves)) return reg;
  const State before = read->state;
  g_.known_reads_.Set(read, State::kThere);
  if (before == State::kFound) {
    g_.builder_->Emit(Opcode::kPlainCheck, reg, static_cast<uint16_t>(PlainCheck::kNoError));
    return reg;
  }
  if (before != State::kOnce) {
    YieldRead(*read->expr, read->length, StepTarget(reg));
    return reg;
  }
  // What it begins with is not known behind code that is passed over.
  const KnownReads::Scope known(&g_.known_reads_);
  const uint16_t mark = g_.next();
  const uint32_t recalled = g_.builder_->Emit(Opcode::kIfKept, reg);
  YieldRead(*read->expr, read->length, {reg, read->length > 1 ? g_.Allocate() : reg});
  g_.builder_->PatchToHere(recalled);
  g_.FreeTo(mark);
  return reg;
}

uint16_t PlainGenerator::FindKnown(KnownReads::Read* read) {
  using State = KnownReads::State;
  const uint16_t reg = read->reg;
  if (read->state == State::kThere || read->state == State::kFound) return reg;
  const State before = read->state;
  g_.known_reads_.Set(read, State::kFound);
  if (before != State::kOnce) {
    SeekRead(*read->expr, read->length, StepTarget(reg));
    return reg;
  }
  // As in Take().
  const KnownReads::Scope known(&g_.known_reads_);
  const uint16_t mark = g_.next();
  const uint32_t recalled = g_.builder_->Emit(Opcode::kIfKept, reg);
  SeekRead(*read->expr, read->length, {reg, read->length > 1 ? g_.Allocate() : reg});
  g_.builder_->PatchToHere(recalled);
  g_.FreeTo(mark);
  return reg;
}

KnownReads::Read* PlainGenerator::BeginningOf(const BoundExpr& expr, size_t length) {
  return g_.known_reads_.BeginningOf(expr, static_cast<uint32_t>(length));
}

// What the read begins with is taken first, if others go on from there as well.
void PlainGenerator::YieldRead(const BoundExpr& expr, size_t length, StepTarget to) {
  const absl::Span<const BoundStep> steps = StepsOf(expr).first(length);
  if (KnownReads::Read* const beginning = BeginningOf(expr, length)) {
    const uint32_t taken = beginning->length;
    return TakeSteps(Take(beginning, /*leaves=*/true), steps.subspan(taken), to);
  }
  if (expr.kind == BoundKind::kLocal) return TakeSteps(As<BoundLocal>(expr).local->reg, steps, to);
  TakeNamed(As<BoundPath>(expr).slot);
  if (length == StepsOf(expr).size()) {
    g_.builder_->EmitX(Opcode::kPlainLoad, to.dest, As<BoundPath>(expr).path);
    return;
  }
  const uint16_t first = length == 1 ? to.dest : to.between;
  FirstStep({Opcode::kPlainVarAttr, Opcode::kPlainLoad}, As<BoundPath>(expr), first);
  TakeSteps(first, steps.subspan(1), to);
}

// By one of two instructions: the first one leaves the list of paths as it is, of which the general code reads more.
void PlainGenerator::FirstStep(StepOpcodes op, const BoundPath& path, uint16_t dest) {
  const Value& key = path.steps[0].key;
  if (const std::optional<uint16_t> name = g_.builder_->AddName(key)) {
    g_.builder_->Emit(op.attribute, dest, static_cast<uint16_t>(path.slot), *name);
  } else {
    g_.builder_->EmitX(op.index, dest, g_.builder_->AddPath(path.slot, {{key, /*is_attribute=*/true}}));
  }
}

// What it begins with need not be there either.
void PlainGenerator::SeekRead(const BoundExpr& expr, size_t length, StepTarget to) {
  const absl::Span<const BoundStep> steps = StepsOf(expr).first(length);
  if (KnownReads::Read* const beginning = BeginningOf(expr, length)) {
    const uint32_t taken = beginning->length;
    return SeekSteps(FindKnown(beginning), steps.subspan(taken), to);
  }
  if (expr.kind == BoundKind::kLocal) return SeekSteps(As<BoundLocal>(expr).local->reg, steps, to);
  TakeNamed(As<BoundPath>(expr).slot);
  if (length == StepsOf(expr).size()) {
    g_.builder_->EmitX(Opcode::kPlainFind, to.dest, As<BoundPath>(expr).path);
    return;
  }
  const uint16_t first = length == 1 ? to.dest : to.between;
  FirstStep({Opcode::kPlainSeekVarAttr, Opcode::kPlainFind}, As<BoundPath>(expr), first);
  SeekSteps(first, steps.subspan(1), to);
}

void PlainGenerator::MarkThere(const BoundExpr& expr) {
  KnownReads::Read* const read = KnownReadOf(Inner(expr));
  if (read != nullptr && read->state == KnownReads::State::kFound) {
    g_.known_reads_.Set(read, KnownReads::State::kThere);
  }
}

bool PlainGenerator::CanSeek(const BoundExpr& expr) const { return internal::CanSeek(expr, Parts{this}); }

// Errors of a branch that is not taken do not count, so that it need not be there.
uint16_t PlainGenerator::Find(const BoundExpr& expr) {
  const BoundExpr& inner = Inner(expr);
  if (const std::optional<uint16_t> ensured = EnsuredOperand(inner)) return *ensured;
  if (!CanSeek(inner) || KnownValueOf(inner) != nullptr || MadeRegister(inner)) return Operand(inner);
  if (KnownReads::Read* const read = KnownReadOf(inner)) return FindKnown(read);
  const uint16_t reg = g_.Allocate();
  Seek(inner, reg);
  return reg;
}

void PlainGenerator::SeekSteps(uint16_t source, absl::Span<const BoundStep> steps, StepTarget to) {
  FollowSteps({Opcode::kPlainSeekAttr, Opcode::kPlainSeek}, source, steps, to);
}

// What is tried may miss at each step, and goes on as nothing: no way out, since that would cost more than what is
// tried.
void PlainGenerator::Seek(const BoundExpr& expr, uint16_t dest) {
  const BoundExpr& inner = Inner(expr);
  switch (inner.kind) {
    case BoundKind::kPath:
    case BoundKind::kLocal:
      return SeekRead(inner, StepsOf(inner).size(), StepTarget(dest));
    case BoundKind::kSteps: {
      const auto& steps = As<BoundSteps>(inner);
      const BoundCall* const split = SplitFor(steps);
      if (split != nullptr && !IsKept(*split)) return SeekPiece(*split, steps.steps[0].key.AsInt(), dest);
      const uint16_t mark = g_.next();
      SeekSteps(SeekFrom(*steps.source, dest), steps.steps, StepTarget(dest));
      return g_.FreeTo(mark);
    }
    case BoundKind::kCall:
      if (As<BoundCall>(inner).is(Function::Special::kTry)) return SeekTry(As<BoundCall>(inner), dest);
      return SeekCall(As<BoundCall>(inner), Opcode::kPlainAttempt, dest);
    case BoundKind::kIndex: {
      const uint16_t mark = g_.next();
      const uint16_t source = SeekFrom(*As<BoundIndex>(inner).source, dest);
      g_.builder_->Emit(Opcode::kPlainSeek, dest, source, Find(*As<BoundIndex>(inner).key));
      g_.FreeTo(mark);
      return;
    }
    default:
      HCL_DCHECK(false);
  }
}

uint16_t PlainGenerator::SeekFrom(const BoundExpr& expr, uint16_t dest) {
  if (!CanSeek(expr)) return Operand(expr);
  if (KnownReads::Read* const read = KnownReadOf(Inner(expr))) return FindKnown(read);
  Seek(expr, dest);
  return dest;
}

// All arguments count for the type, which must be one. Fast code does not convert. Where one is a constant, the others
// are of its type, or untyped nulls; otherwise they are compared. Marks in any of them are the result's, and none may
// be nothing.
void PlainGenerator::YieldCoalesce(const BoundCall& call, uint16_t dest) {
  const auto constant = std::find_if(call.arguments.begin(), call.arguments.end(),
                                     [this](const BoundExpr* part) { return ScalarOf(Inner(*part)) != nullptr; });
  if (constant == call.arguments.end() && call.arguments.size() == 2 && session_ == nullptr) {
    return YieldEither(call, Opcode::kPlainAlike, dest);
  }
  const Type type = constant == call.arguments.end() ? Type::Dynamic() : Inner(**constant).type;
  ShortList<uint16_t> operands;
  for (const BoundExpr* argument : call.arguments) {
    const Value* const scalar = ScalarOf(Inner(*argument));
    if (scalar != nullptr && Inner(*argument).type == type) {
      operands.push_back(g_.RkConstant(*scalar));
    } else if (type.is_dynamic()) {
      operands.push_back(CheckedOperand(*argument, PlainCheck::kUnmarked));
    } else if (IsChoice(Inner(*argument))) {
      // Its null has the type of its other branch.
      operands.push_back(CheckedOperand(*argument, PlainCheck::kNoError));
      const uint16_t null = g_.RkConstant(Value::Null(type));
      g_.builder_->Emit(Opcode::kPlainMeet, g_.Allocate(), operands.back(), null);
    } else {
      // The second check lets pass what is not there, which a variable may be.
      operands.push_back(CheckedOperand(*argument, PlainCheck::kNoError));
      g_.builder_->Emit(Opcode::kPlainCheck, operands.back(), static_cast<uint16_t>(BranchCheckOf(type)));
    }
  }
  if (type.is_dynamic()) Meet(operands);
  PlainLabel done;
  const size_t last = static_cast<size_t>(std::min(constant, call.arguments.end() - 1) - call.arguments.begin());
  for (size_t n = 0; n < last; ++n) {
    const uint32_t is_null = g_.builder_->Emit(Opcode::kIfNull, operands[n]);
    Load(operands[n], dest);
    done.push_back(g_.builder_->Emit(Opcode::kSkip));
    g_.builder_->PatchToHere(is_null);
  }
  Load(operands[last], dest);
  if (constant == call.arguments.end()) {
    g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNotNull));
  }
  PatchToHere(done);
}

// Of two arguments, one instruction converts the one that is taken to the type that both unify to, as in a conditional.
void PlainGenerator::YieldEither(const BoundCall& call, Opcode op, uint16_t dest) {
  const auto operand_of = [this](const BoundExpr& argument) {
    return argument.is_constant() ? Operand(argument) : CheckedOperand(argument, PlainCheck::kUnmarked);
  };
  const uint16_t first = operand_of(*call.arguments[0]);
  const uint16_t second = operand_of(*call.arguments[1]);
  const SourceRange spans[] = {call.range, call.range, call.range, call.range};
  const uint32_t is_null = g_.builder_->Emit(Opcode::kIfNull, first);
  g_.builder_->Emit(op, dest, first, second, spans);
  const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
  g_.builder_->PatchToHere(is_null);
  g_.builder_->Emit(op, dest, second, first, spans);
  if (!IsConstantStructure(*call.arguments[1])) {
    g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNotNull));
  }
  g_.builder_->PatchToHere(done);
}

}  // namespace hcl::internal
