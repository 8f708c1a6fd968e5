// LiteralLoop. Tested by compiler/literal_loop_test.cc.

#include "hclvm/compiler/literal_loop.h"

#include <algorithm>
#include <vector>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/known_reads.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

FirstElement LiteralLoop::Find(const BoundExpr& expr) {
  FirstElement found;
  if (expr.kind == BoundKind::kFor) {
    found.loop = &As<BoundFor>(expr);
  } else {
    if (!MayTakeLoop(expr)) return {};
    found = FirstOf(expr);
  }
  if (found.loop == nullptr) return {};
  const BoundFor& loop = *found.loop;
  const bool suits = loop.condition != nullptr && loop.key == nullptr && loop.variables.key == nullptr &&
                     MayBeListed(*loop.collection) && HasPlainKeys(found.steps);
  return suits ? found : FirstElement();
}

// General code tries a condition also where no element is left.
bool LiteralLoop::Fits() const {
  const auto is_left = [](const ListedElement& element) { return !element.is_cut_off; };
  if (std::none_of(elements_.begin(), elements_.end(), is_left)) return false;
  const uint64_t each = NodesOfPass(*loop_);
  if (loop_->height > kMaxFastHeight) return false;
  if (each > kFewNodes && each * elements_.size() > kMaxRepeatedNodes) return false;
  uint64_t longest = 0;
  for (const ListedElement& element : elements_) longest = std::max(longest, element.expr->size() + each);
  const uint64_t registers = g_.next() + PlainSession::kMaxKnownValues + KnownReads::kMaxReads + 2 * longest;
  return longest <= kMaxFastNodes && registers < kMaxPlainRegisters;
}

// A key that nothing reads is not there, and so all that the loop's variables are for is the element.
bool LiteralLoop::Suits(const BoundExpr& expr) {
  const FirstElement found = Find(expr);
  if (found.loop == nullptr) return false;
  loop_ = found.loop;
  steps_ = found.steps;
  otherwise_ = found.otherwise;
  first_only_ = expr.kind != BoundKind::kFor;
  // A function's result has the marks of all parts of its arguments.
  if (loop_->collection->kind == BoundKind::kCall) item_check_ = PlainCheck::kUnmarked;
  if (found.is_by_call) value_check_ = PlainCheck::kUnmarked;
  takes_part_ = !steps_.empty() && steps_[0].key.is_string();
  if (!ListElements(*loop_->collection, &elements_) || !Fits()) return false;
  session_.emplace(tree_, *loop_);
  plain_.emplace(&g_, &*session_);
  for (const ListedElement& element : elements_) {
    session_->Bind(*element.expr);
    if (!CanVerifyParts()) return false;
    if (element.is_cut_off) continue;
    if (!session_->CanTest(*loop_->condition) || !session_->CanVerify(*loop_->value)) return false;
    const BoundExpr* const part = takes_part_ ? PartOfValue() : nullptr;
    takes_part_ = part != nullptr && session_->CanYield(*part);
  }
  return true;
}

const BoundExpr* LiteralLoop::PartOfValue() const {
  const BoundObject* const object = ObjectLiteral(session_->Inner(*loop_->value));
  if (object == nullptr || object->shape == nullptr) return nullptr;
  const int64_t at = object->shape->Find(steps_[0].key);
  const auto item = std::find_if(object->items.begin(), object->items.end(),
                                 [at](const BoundItem& part) { return at == static_cast<int64_t>(part.position); });
  return item == object->items.end() ? nullptr : item->value;
}

// A list of one element is a name for it, which has code of its own.
bool LiteralLoop::Suits(const Reduction& reduction) {
  using Kind = Reduction::Kind;
  loop_ = reduction.loop;
  reduction_ = reduction;
  if (!IsUnrolled(reduction) || IsLet(*loop_) || !FindElements()) return false;
  if (loop_->collection->kind == BoundKind::kCall) item_check_ = PlainCheck::kUnmarked;
  if (!Fits()) return false;
  if (elements_.size() * NodesOfPass(*loop_) > kMaxUnrolledNodes) return false;
  session_.emplace(tree_, *loop_);
  plain_.emplace(&g_, &*session_);
  return std::all_of(elements_.begin(), elements_.end(), [&](const ListedElement& element) {
    session_->Bind(*element.expr);
    if (!CanVerifyParts()) return false;
    if (element.is_cut_off) return true;
    if (loop_->condition != nullptr && !session_->CanTest(*loop_->condition)) return false;
    if (reduction_.kind == Kind::kLength) return session_->CanVerify(*loop_->value);
    const bool tests = reduction_.kind == Kind::kAllTrue || reduction_.kind == Kind::kAnyTrue;
    return tests ? session_->CanTest(*loop_->value) : session_->CanYield(*loop_->value);
  });
}

// A list of constants has no nodes for its elements: these stand in their place, and are known as the list is.
bool LiteralLoop::FindElements() {
  const BoundExpr& list = *loop_->collection;
  // To a splat, an object is one element.
  const bool is_sequence = list.is_constant() ? As<BoundConstant>(list).value.is_tuple()
                                              : list.kind == BoundKind::kCall || TupleLiteral(list) != nullptr;
  if (loop_->splat != nullptr && !is_sequence) return false;
  if (MayBeListed(list)) return ListElements(list, &elements_);
  if (!list.is_constant() || !As<BoundConstant>(list).value.is_tuple()) return false;
  const absl::Span<const Value> values = As<BoundConstant>(list).value.elements();
  if (values.size() > kMaxUnrolledNodes) return false;
  for (const Value& value : values) {
    BoundConstant& element = constants_.emplace_back(list.range, value);
    if (!element.is_scalar()) return false;
    SetConstantFacts(&element);
    element.id = element.first = list.id;
    elements_.push_back({&element, /*is_cut_off=*/false});
  }
  return true;
}

namespace {

// Whether it costs next to nothing to make it again.
bool IsRepeatable(const BoundExpr& part) {
  if (part.is_constant() || part.kind == BoundKind::kPath || part.kind == BoundKind::kLocal) return true;
  if (!IsChoice(part)) return false;
  const auto& choice = As<BoundConditional>(part);
  return choice.height <= 3 && choice.if_true->is_constant() && choice.if_false->is_constant();
}

}  // namespace

// Of the element at hand. One that is no object stands wherever its name does.
bool LiteralLoop::CanVerifyParts() {
  const absl::Span<const BoundExpr* const> parts = session_->parts();
  if (session_->object() != nullptr) {
    if (!session_->object()->is_short()) return false;
  } else if (CountUses() > 1 &&
             !std::all_of(parts.begin(), parts.end(), [](const BoundExpr* part) { return IsRepeatable(*part); })) {
    return false;
  }
  return std::all_of(parts.begin(), parts.end(), [&](const BoundExpr* part) { return session_->CanVerify(*part); });
}

// How often a pass reads the variable.
int64_t LiteralLoop::CountUses() const {
  const auto reads = tree_.local_reads();
  int64_t uses = 0;
  for (const BoundExpr* expr : {loop_->condition, loop_->value}) {
    if (expr == nullptr) continue;
    uses += std::count_if(reads.begin() + expr->locals_begin, reads.begin() + expr->locals_end,
                          [&](const BoundLocal* read) { return session_->IsVariable(read->local); });
  }
  return uses;
}

void LiteralLoop::CountReads() {
  const auto allocate = [&] { return g_.Allocate(); };
  const BoundExpr* const always = loop_->condition != nullptr ? loop_->condition : loop_->value;
  for (const ListedElement& element : elements_) {
    session_->Bind(*element.expr);
    if (!element.is_cut_off) session_->CountReads(*always, allocate);
    for (const BoundExpr* part : session_->parts()) session_->CountReads(*part, allocate);
  }
}

// The body is emitted for each element, with the element's own nodes in place of the variable: conditions of a table
// then are tests of paths against constants, and no element is made. Elements behind a slice are verified, since the
// list would report them.
void LiteralLoop::Yield(uint16_t dest) {
  const uint16_t state = g_.Allocate();  // not null when the first element was found; or a builder
  CountReads();
  const KnownReads::Scope known(&g_.known_reads_);
  g_.known_reads_.AddBeginnings(tree_, *loop_, [&] { return g_.Allocate(); });
  plain_->BeginRegion();
  TableReads reads(tree_, &*session_);
  if (first_only_ && otherwise_ == nullptr && FindReads(&reads)) {
    YieldFirst(reads, dest);
    plain_->TakeSteps(dest, steps_.subspan(takes_part_ ? 1 : 0), PlainGenerator::StepTarget(dest));
    return plain_->EndRegion();
  }
  if (first_only_) {
    plain_->BeginFirst(state, otherwise_, dest);
  } else {
    g_.builder_->Emit(Opcode::kTupleBegin, state);
  }
  for (const ListedElement& element : elements_) {
    session_->Bind(*element.expr);
    if (element.is_cut_off) {
      VerifyItems(nullptr);
    } else {
      YieldElement(dest, state);
    }
  }
  if (first_only_) {
    plain_->EndFirst(state, steps_.subspan(takes_part_ ? 1 : 0), otherwise_, dest);
  } else {
    g_.builder_->Emit(Opcode::kTupleEnd, dest, state);
  }
  plain_->EndRegion();
}

void LiteralLoop::VerifyItems(const BoundExpr* tested) {
  const uint16_t mark = g_.next();
  for (const BoundExpr* part : session_->parts()) {
    if (part != tested) plain_->Verify(*part, item_check_);
  }
  g_.FreeTo(mark);
}

// The item that the condition tests in any case, or the value of a loop without, so that it need not be verified
// before.
const BoundExpr* LiteralLoop::TestedItem() const {
  const BoundExpr* first = loop_->condition != nullptr ? loop_->condition : loop_->value;
  while (true) {
    const BoundExpr* const inner = &session_->Inner(*first);
    if (inner != first) return inner;
    if (first->kind == BoundKind::kUnary && As<BoundUnary>(*first).op == UnaryOp::kNot) {
      first = As<BoundUnary>(*first).operand;
    } else if (first->kind == BoundKind::kChain && IsLogical(As<BoundChain>(*first).op)) {
      first = As<BoundChain>(*first).operands[0];
    } else if (first->kind == BoundKind::kChain && As<BoundChain>(*first).op == BinaryOp::kEqual) {
      // `rule.when == true` asks for the item whatever it is.
      const auto& operands = As<BoundChain>(*first).operands;
      if (ScalarOf(*operands[1]) == nullptr || session_->Inner(*operands[0]).is_constant()) return nullptr;
      first = operands[0];
    } else {
      return nullptr;
    }
  }
}

void LiteralLoop::YieldElement(uint16_t dest, uint16_t state) {
  const uint16_t mark = g_.next();
  VerifyItems(TestedItem());
  PlainLabel next;
  plain_->Test(*loop_->condition, false, &next);
  const PlainGenerator::Branch chosen(&*plain_);
  if (first_only_) {
    plain_->Verify(*loop_->value, value_check_);
    next.push_back(g_.builder_->Emit(Opcode::kIfNotNull, state));
    plain_->Yield(Taken(), dest, /*returns=*/false);
    g_.MoveTo(Result::Constant(Value::Bool(true)), state);
  } else {
    g_.builder_->Emit(Opcode::kTuplePush, state, plain_->InRegister(plain_->Operand(*loop_->value)));
  }
  plain_->PatchToHere(next);
  g_.FreeTo(mark);
}

// Elements that stand in the text are tested, or put together, one after the other where they stand.
void LiteralLoop::YieldReduction(uint16_t dest) {
  CountReads();
  const KnownReads::Scope known(&g_.known_reads_);
  g_.known_reads_.AddBeginnings(tree_, *loop_, [&] { return g_.Allocate(); });
  plain_->BeginRegion();
  plain_->BeginReduction(reduction_, dest);
  for (const ListedElement& element : elements_) {
    session_->Bind(*element.expr);
    if (element.is_cut_off) {
      VerifyItems(nullptr);
    } else {
      ReduceElement(dest);
    }
  }
  plain_->EndReduction(reduction_, dest);
  plain_->EndRegion();
}

void LiteralLoop::ReduceElement(uint16_t dest) {
  const uint16_t mark = g_.next();
  VerifyItems(TestedItem());
  PlainLabel next;
  std::optional<PlainGenerator::Branch> chosen;
  if (loop_->condition != nullptr) {
    plain_->Test(*loop_->condition, false, &next);
    chosen.emplace(&*plain_);
  }
  if (reduction_.kind == Reduction::Kind::kLength) {
    plain_->Verify(*loop_->value, PlainCheck::kUnmarked);
    g_.builder_->Emit(Opcode::kPlainAdd, dest, dest, g_.RkConstant(Value::Int(1)));
  } else {
    plain_->ReduceElement(reduction_, dest, &next);
  }
  plain_->PatchToHere(next);
  g_.FreeTo(mark);
}

bool LiteralLoop::FindReads(TableReads* reads) {
  const auto size = static_cast<uint32_t>(elements_.size());
  for (uint32_t n = 0; n < size; ++n) {
    session_->Bind(*elements_[n].expr);
    // Marks of all elements count, whichever is chosen.
    for (const BoundExpr* part : session_->parts()) {
      if (!reads->AddValue(*part, item_check_ == PlainCheck::kUnmarked, size)) return false;
    }
    if (elements_[n].is_cut_off) continue;
    if (!reads->AddTest(*loop_->condition, n)) return false;
    if (!reads->AddValue(*loop_->value, value_check_ == PlainCheck::kUnmarked, n)) return false;
  }
  return true;
}

// Elements are tested up to the first that is chosen. What those behind it would have read is looked at from there on,
// in code of its own: the reads that are owed longest stand last, so that each element that is chosen enters it at its
// place, and each read is looked at once.
void LiteralLoop::YieldFirst(const TableReads& reads, uint16_t dest) {
  struct Chosen {
    uint32_t element;
    uint32_t jump;
  };
  std::vector<Chosen> chosen;
  {
    const KnownReads::Scope known(&g_.known_reads_);
    for (uint32_t n = 0; n < elements_.size(); ++n) {
      if (elements_[n].is_cut_off) continue;
      session_->Bind(*elements_[n].expr);
      const uint16_t mark = g_.next();
      PlainLabel next;
      plain_->Test(*loop_->condition, false, &next);
      const PlainGenerator::Branch branch(&*plain_);
      plain_->Yield(Taken(), dest, /*returns=*/false);
      chosen.push_back({n, g_.builder_->EmitJump(Opcode::kJump)});
      plain_->PatchToHere(next);
      g_.FreeTo(mark);
    }
  }
  // None was: general code says so.
  plain_->Leave();
  session_->Forget();
  size_t entered = 0;
  for (const TableReads::Owed& owed : reads.Owing()) {
    for (; entered < chosen.size() && chosen[entered].element < owed.until; ++entered) {
      g_.builder_->PatchToHere(chosen[entered].jump);
    }
    plain_->Ask(*owed.read, PlainCheck::kScalar);
  }
  for (; entered < chosen.size(); ++entered) g_.builder_->PatchToHere(chosen[entered].jump);
}

void LiteralLoop::AddRegions(uint32_t general) { plain_->AddRegions(general); }

}  // namespace hcl::internal
