// CoreEmitter: conditions, which are jumps. Tested by compiler/core_emitter_test.cc.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

// So many comparisons of one value with constants are one search.
constexpr size_t kMinAlternatives = 4;

// An instruction, where the answer is no and where it is yes, and the same for a path.
struct TestOpcodes {
  Opcode op[2], path_op[2];
};

TestOpcodes OpcodesOf(CoreOp op) {
  switch (op) {
    case CoreOp::kPrefix:
      return {{Opcode::kIfNotPrefix, Opcode::kIfPrefix}, {Opcode::kIfPathNotPrefix, Opcode::kIfPathPrefix}};
    case CoreOp::kSuffix:
      return {{Opcode::kIfNotSuffix, Opcode::kIfSuffix}, {Opcode::kIfPathNotSuffix, Opcode::kIfPathSuffix}};
    case CoreOp::kWithin:
      return {{Opcode::kIfNotWithin, Opcode::kIfWithin}, {Opcode::kIfPathNotWithin, Opcode::kIfPathWithin}};
    case CoreOp::kIn:
      return {{Opcode::kIfNotIn, Opcode::kIfIn}, {Opcode::kIfPathNotIn, Opcode::kIfPathIn}};
    default:
      return {{Opcode::kIfNotEqual, Opcode::kIfEqual}, {Opcode::kIfPathNotEqual, Opcode::kIfPathEqual}};
  }
}

// `x ? true : false`, or the other way round.
bool IsTruth(const CoreNode& node) {
  return node.kind == CoreKind::kIf && node.args[1]->is_const() && node.args[2]->is_const() &&
         node.args[1]->value.is_bool() && node.args[2]->is_bool(!node.args[1]->value.is_true());
}

// What an operand of a chain compares with a string or number so that it decides the chain; null for others.
const CoreNode* SubjectOf(const CoreNode& operand, bool is_any) {
  const CoreNode* equal = &operand;
  if (!is_any) {
    if (!operand.is(CoreOp::kNot)) return nullptr;
    equal = operand.args[0];
  }
  if (!equal->is(CoreOp::kEqual) || !equal->args[1]->is_scalar() || equal->args[1]->value.is_bool()) return nullptr;
  return equal->args[0];
}

// How many of the first operands compare one value; 1 where they are few, or others.
size_t CountAlternatives(absl::Span<const CoreNode* const> operands, bool is_any) {
  if (operands.size() < kMinAlternatives) return 1;
  const CoreNode* const subject = SubjectOf(*operands[0], is_any);
  if (subject == nullptr) return 1;
  size_t end = 1;
  while (end < operands.size() && SubjectOf(*operands[end], is_any) == subject) ++end;
  return end >= kMinAlternatives ? end : 1;
}

}  // namespace

// Negation swaps the targets and costs nothing.
void CoreEmitter::Jump(const CoreNode& node, bool when, Label* target) {
  if (failure_ != nullptr && !FailsHere(node)) {
    const Attempt none(this, nullptr);
    return Jump(node, when, target);
  }
  const OriginScope origin(&nodes_, node.origin);
  const uint16_t mark = registers_.next();
  if (node.is_const() && node.value.is_bool()) {
    if (node.value.is_true() == when) target->push_back(Emit(Opcode::kSkip, 0));
  } else if (node.is(CoreOp::kNot)) {
    Jump(*node.args[0], !when, target);
  } else if (node.kind == CoreKind::kAll || node.kind == CoreKind::kAny) {
    failure_ == nullptr ? JumpOnLogic(node, when, target) : JumpOnTriedLogic(node, when, target);
  } else if (node.kind == CoreKind::kNeed) {
    MakeNeeds(node);
    Jump(*node.args[0], when, target);
  } else if (node.kind == CoreKind::kIf) {
    JumpOnIf(node, when, target);
  } else if (node.kind == CoreKind::kCan) {
    JumpOnCan(node, when, target);
  } else if (node.kind == CoreKind::kPrim && node.kinds == kBoolKind) {
    JumpOnPrim(node, when, target);
  } else {
    target->push_back(Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, ExitingOperand(node)));
    places_.MarkMade(node);
  }
  registers_.FreeTo(mark);
}

// A constant branch is a jump, or falls through.
void CoreEmitter::JumpOnIf(const CoreNode& node, bool when, Label* target) {
  const CoreNode& if_true = *node.args[1];
  const CoreNode& if_false = *node.args[2];
  if (IsTruth(node)) return Jump(*node.args[0], if_true.is_bool(when), target);
  if (if_true.is_bool(when)) {
    Jump(*node.args[0], true, target);
    const CorePlaces::Branch branch(&places_);
    return Jump(if_false, when, target);
  }
  if (if_false.is_bool(when)) {
    Jump(*node.args[0], false, target);
    const CorePlaces::Branch branch(&places_);
    places_.Learn(*node.args[0]);
    return Jump(if_true, when, target);
  }
  Label is_false;
  Jump(*node.args[0], false, &is_false);
  const CorePlaces::Branch branch(&places_);
  places_.Learn(*node.args[0]);
  Jump(if_true, when, target);
  const bool falls_through = if_false.is_bool(!when);
  const uint32_t done = falls_through ? 0 : Emit(Opcode::kSkip, 0);
  PatchToHere(is_false);
  if (falls_through) return;
  branch.Else();
  Jump(if_false, when, target);
  builder_->PatchToHere(done);
}

// Operands that might not be bools are loaded and checked before those on their left are tested, from the last on: the
// last operator is evaluated first, and asks for its right side before its left one. The last check and the first test
// are one instruction where the latter is of what is there.
void CoreEmitter::JumpOnLogic(const CoreNode& node, bool when, Label* target) {
  const bool is_any = node.kind == CoreKind::kAny;
  ShortList<const CoreNode*> operands;
  const CoreNode* rest = &node;
  for (; rest->kind == node.kind; rest = rest->args[1]) operands.push_back(rest->args[0]);
  operands.push_back(rest);
  ShortList<uint16_t> loaded(operands.size());
  size_t unchecked = 0;  // an operand; the first one is none of these
  const auto check = [&] {
    if (unchecked == 0) return;
    builder_->EmitBoolCheck(loaded[unchecked], static_cast<uint16_t>(Guard::kBoolOrAbsent));
    places_.SetPassed(*operands[unchecked], Guard::kBoolOrAbsent);
    unchecked = 0;
  };
  for (size_t n = operands.size(); n-- > 1;) {
    if (IsSureOfBool(*operands[n])) continue;
    check();
    loaded[n] = Find(*operands[n]);
    if (!places_.HasPassed(*operands[n], Guard::kBoolOrAbsent)) unchecked = n;
  }
  Label decided;
  Label* const on_decision = when == is_any ? target : &decided;
  const size_t last = operands.size() - 1;
  const auto from = [&](size_t n) { return absl::MakeConstSpan(operands).subspan(n); };
  const size_t first = CountAlternatives(from(0), is_any) > 1 ? 0 : 1;
  bool is_true = is_any;
  const CoreNode* tested = operands[0];
  while (tested->is(CoreOp::kNot) || IsTruth(*tested)) {
    if (!IsTruth(*tested) || tested->args[1]->is_bool(false)) is_true = !is_true;
    tested = tested->args[0];
  }
  const bool is_read = !(tested->kind == CoreKind::kPrim && tested->kinds == kBoolKind);
  if (unchecked > 0 && first == 1 && is_read && places_.IsLoaded(*tested)) {
    const Opcode op = is_true ? Opcode::kIfTrueChecking : Opcode::kIfFalseChecking;
    on_decision->push_back(Emit(op, ExitingOperand(*tested), loaded[unchecked]));
    places_.SetPassed(*operands[unchecked], Guard::kBoolOrAbsent);
    places_.MarkMade(*tested);
  } else {
    check();
    if (first == 1) Jump(*operands[0], is_any, on_decision);
  }
  const CorePlaces::Branch branch(&places_);
  for (size_t n = first; n <= last; ++n) {
    const size_t same = CountAlternatives(from(n), is_any);
    const size_t begin = n;
    n += same - 1;
    const bool test = n == last ? when : is_any;
    Label* const label = n == last ? target : on_decision;
    if (same > 1) {
      JumpOnSearch(from(begin).first(same), test, label);
    } else if (n == 0 || IsSureOfBool(*operands[n])) {
      Jump(*operands[n], test, label);
    } else {
      label->push_back(Emit(test ? Opcode::kIfTrue : Opcode::kIfFalse, loaded[n]));
    }
  }
  PatchToHere(decided);
}

void CoreEmitter::JumpOnSearch(absl::Span<const CoreNode* const> alternatives, bool when, Label* target) {
  const bool is_any = alternatives[0]->is(CoreOp::kEqual);
  ShortList<hcl::Value> constants;
  const CoreNode& subject = *SubjectOf(*alternatives[0], is_any);
  for (const CoreNode* alternative : alternatives) {
    const CoreNode& equal = is_any ? *alternative : *alternative->args[0];
    constants.push_back(equal.args[1]->value);
  }
  const uint32_t lookup = builder_->AddLookup(MakeTuple(constants, builder_->heap()->arena()));
  const TestOpcodes in = OpcodesOf(CoreOp::kIn);
  const int yes = is_any == when ? 1 : 0;
  Test(in.op[yes], in.path_op[yes], subject, static_cast<uint16_t>(lookup), target);
  runs_.NoteJump({nullptr, lookup, false}, is_any == when, builder_->here() - 1);
}

// Nothing is reported in fast code, so that the order of looking does not matter.
void CoreEmitter::JumpOnPrim(const CoreNode& node, bool when, Label* target) {
  const int yes = when ? 1 : 0;
  const CoreNode& first = *node.args[0];
  switch (node.op) {
    case CoreOp::kLess: {
      // Not a < b is b <= a.
      uint16_t a = ExitingOperand(first);
      uint16_t b = ExitingOperand(*node.args[1]);
      if (!when) std::swap(a, b);
      target->push_back(Emit(when ? Opcode::kIfLess : Opcode::kIfLessEqual, a, b));
      return;
    }
    case CoreOp::kExiting:
      return Jump(first, when, target);
    case CoreOp::kIsNull:
      target->push_back(Emit(when ? Opcode::kIfNull : Opcode::kIfNotNull, ExitingOperand(first)));
      return places_.MarkMade(first);
    case CoreOp::kHas:
    case CoreOp::kSearch:
    case CoreOp::kHasKey: {
      const bool is_key = node.op == CoreOp::kHasKey;
      const uint16_t collection = ExitingOperand(first);
      const Opcode op = is_key ? (when ? Opcode::kIfKey : Opcode::kIfNotKey)
                        : when ? Opcode::kIfHas
                               : Opcode::kIfNotHas;
      target->push_back(Emit(op, collection, ExitingOperand(*node.args[1])));
      return;
    }
    case CoreOp::kHasPiece: {
      const uint16_t separator = ExitingOperand(first);
      const uint16_t piece = ExitingOperand(*node.args[2]);
      const uint16_t text = registers_.Allocate();
      Value(*node.args[1], text);
      Emit(Opcode::kFastHasPiece, text, separator, piece);
      target->push_back(Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, text));
      return;
    }
    case CoreOp::kIn: {
      const TestOpcodes test = OpcodesOf(node.op);
      Test(test.op[yes], test.path_op[yes], first, static_cast<uint16_t>(node.index), target);
      return runs_.NoteJump({nullptr, node.index, false}, when, builder_->here() - 1);
    }
    default: {
      const TestOpcodes test = OpcodesOf(node.op);
      const uint32_t begin = builder_->here();
      const uint16_t second = ExitingOperand(*node.args[1]);
      const bool is_loaded = builder_->here() != begin;
      Test(test.op[yes], test.path_op[yes], first, second, target);
      // A constant that is loaded belongs to the test, unless the subject is loaded behind it.
      const uint32_t jump = builder_->here() - 1;
      const bool has_constant = node.args[1]->is_scalar() && (!is_loaded || jump == begin + 1);
      if (has_constant && (node.is(CoreOp::kEqual) || node.is(CoreOp::kPrefix))) {
        runs_.NoteJump({&node.args[1]->value, 0, node.is(CoreOp::kPrefix)}, when, is_loaded ? begin : jump);
      }
      return;
    }
  }
}

// A variable alone is an operand, and so is what is in a register already.
void CoreEmitter::Test(Opcode op, Opcode path_op, const CoreNode& node, uint16_t b, Label* target) {
  const bool is_kept =
      failure_ != nullptr || (places_.At(node).has_reg && places_.At(node).state != CorePlaces::State::kUnmade);
  const uint32_t path = is_kept ? kNoIndex : places_.PathOf(node);
  if (path <= UINT16_MAX) {
    target->push_back(Emit(path_op, static_cast<uint16_t>(path), b));
    return;
  }
  target->push_back(Emit(op, ExitingOperand(node), b));
  places_.MarkMade(node);
}

}  // namespace hcl::internal
