// PlainGenerator: questions that one instruction answers in place of a loop or a list. Tested by
// compiler/plain_searches_test.cc.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/compiler/text_pattern.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Whether it is the loop's element, as it is.
bool IsElement(const BoundExpr& expr, const BoundFor& loop) {
  return expr.kind == BoundKind::kLocal && As<BoundLocal>(expr).local == loop.variables.value &&
         As<BoundLocal>(expr).steps.empty();
}

// What `test` compares the loop's element with by `op`, the same in all passes; null for other tests.
const BoundExpr* ComparedWith(const BoundExpr& test, BinaryOp op, const BoundFor& loop, const BoundTree& tree) {
  if (test.kind != BoundKind::kChain) return nullptr;
  const auto& chain = As<BoundChain>(test);
  if (chain.op != op || chain.operands.size() != 2) return nullptr;
  for (size_t n = 0; n < 2; ++n) {
    const BoundExpr& other = *chain.operands[1 - n];
    if (!IsElement(*chain.operands[n], loop)) continue;
    const bool reads_key = loop.variables.key != nullptr && tree.Reads(other, loop.variables.key);
    return reads_key || tree.Reads(other, loop.variables.value) ? nullptr : &other;
  }
  return nullptr;
}

// Others make their list for the loop, which need not be made, or have code of their own.
bool IsSearched(const BoundFor& loop) {
  const BoundExpr& list = *loop.collection;
  const bool makes_list = list.kind == BoundKind::kFor || list.is_constant() || MayBeListed(list) || IsListCall(list) ||
                          ListedMapping(loop) != nullptr;
  return loop.variables.value != nullptr && loop.splat == nullptr && !makes_list;
}

bool IsListInText(const BoundExpr& expr) { return expr.is_constant() || TupleLiteral(expr) != nullptr; }

// Whether the collection may well be a mapping, which such a search leaves to general code.
bool NamesKeys(const BoundFor& loop) { return !loop.variables.key_name.empty(); }

}  // namespace

// A loop asks whether an element is equal to one value, as in `anytrue([for v in list : v == x])`, `alltrue([for v in
// list : v != x])` and `contains([for v in list : v], x)`.
PlainGenerator::Search PlainGenerator::SearchOf(const Reduction& reduction, const BoundTree& tree) {
  const BoundFor& loop = *reduction.loop;
  if (loop.condition != nullptr || !IsSearched(loop)) return {};
  switch (reduction.kind) {
    case Reduction::Kind::kAnyTrue:
      return {loop.collection, ComparedWith(*loop.value, BinaryOp::kEqual, loop, tree), true};
    case Reduction::Kind::kAllTrue:
      return {loop.collection, ComparedWith(*loop.value, BinaryOp::kNotEqual, loop, tree), false};
    case Reduction::Kind::kContains:
      if (NamesKeys(loop) || !IsElement(*loop.value, loop)) return {};
      return {loop.collection, reduction.needle, true};
    default:
      return {};
  }
}

// The same where elements that are equal to a value are counted, and it is asked whether there are some: `length([for v
// in list : v if v == x]) > 0`. What the loop makes of them cannot fail.
PlainGenerator::Search PlainGenerator::CountedSearchOf(const Reduction& reduction, const BoundTree& tree) {
  const BoundFor& loop = *reduction.loop;
  const bool counts = reduction.kind == Reduction::Kind::kLength && loop.condition != nullptr;
  if (!counts || !IsSearched(loop) || NamesKeys(loop)) return {};
  if (!IsElement(*loop.value, loop) && ScalarOf(*loop.value) == nullptr) return {};
  return {loop.collection, ComparedWith(*loop.condition, BinaryOp::kEqual, loop, tree), true};
}

// One instruction looks for the element. It fails for certain where the collection is a mapping, as the function
// contains does, which the loop does not: not where what fails is tried.
PlainGenerator::Search PlainGenerator::SearchIn(const BoundExpr& inner) const {
  if (session_ != nullptr || is_tried_ || !MayTakeLoop(inner) || IsJoint(inner)) return {};
  const Reduction reduction = ReductionOf(inner);
  return reduction ? SearchOf(reduction, *g_.tree_) : Search();
}

void PlainGenerator::TestSearch(const Search& search, bool when, PlainLabel* target) {
  const uint16_t list = LeavingOperand(*search.list);
  const uint16_t needle = LeavingOperand(*search.needle);
  target->push_back(g_.builder_->Emit(search.if_found == when ? Opcode::kIfHas : Opcode::kIfNotHas, list, needle));
}

// `length(list) > 0` and what comes to the same, where it need not be known how many elements there are. Not where what
// fails is tried, as in SearchIn().
bool PlainGenerator::TestElements(const BoundChain& chain, bool when, PlainLabel* target) {
  if (session_ != nullptr || is_tried_) return false;
  const AskedElements asked = AskedElementsOf(chain);
  if (asked.length == nullptr || IsGeneral(*asked.length) || IsJoint(*asked.length)) return false;
  const bool if_some = asked.if_some == when;
  if (MayTakeLoop(*asked.length)) {
    const Reduction reduction = ReductionOf(*asked.length);
    const Search search = reduction ? CountedSearchOf(reduction, *g_.tree_) : Search();
    if (search) TestSearch(search, if_some, target);
    if (search || reduction) return bool{search};
  }
  const BoundExpr& list = Inner(*asked.length->arguments[0]);
  if (list.kind != BoundKind::kCall || IsKept(As<BoundCall>(list))) return false;
  if (const TextPattern pattern = TextPatternOf(list, Function::Special::kRegexAll)) {
    TestPattern(pattern, *As<BoundCall>(list).arguments[1], if_some, target);
    return true;
  }
  const BoundCall* const set = CountedSet(*asked.length);
  if (set == nullptr || !set->is(Function::Special::kSetIntersection)) return false;
  // The elements of the first are compared among each other as well. A list in the text is short.
  const bool swaps = IsListInText(*set->arguments[1]) && !IsListInText(*set->arguments[0]);
  const uint16_t shared = g_.Allocate();
  EmitSetCount(Opcode::kPlainShared, *set->arguments[swaps ? 1 : 0], *set->arguments[swaps ? 0 : 1], shared);
  target->push_back(
      g_.builder_->Emit(if_some ? Opcode::kIfNotEqual : Opcode::kIfEqual, shared, g_.RkConstant(Value::Int(0))));
  return true;
}

const BoundExpr* PlainGenerator::ListOfSet(const BoundExpr& expr) {
  if (session_ != nullptr || expr.kind != BoundKind::kCall) return nullptr;
  const auto& call = As<BoundCall>(expr);
  const bool is_made = call.is(Function::Special::kToSet) && call.arguments.size() == 1 && !IsKept(call);
  return is_made ? call.arguments[0] : nullptr;
}

// Elements are counted where all are of one type: what makes a set of them does not change them then.
void PlainGenerator::EmitSetCount(Opcode op, const BoundExpr& list, const BoundExpr& other, uint16_t dest) {
  const auto elements_of = [this](const BoundExpr& argument) {
    const BoundExpr* const made_of = ListOfSet(argument);
    return LeavingOperand(made_of != nullptr && IsOperand(*made_of) ? *made_of : argument);
  };
  const uint16_t elements = elements_of(list);
  g_.builder_->Emit(op, dest, elements, elements_of(other));
}

// A pattern that names nothing but texts asks what an instruction asks of the text. What is no string, the functions
// convert.
void PlainGenerator::TestPattern(const TextPattern& pattern, const BoundExpr& text, bool when, PlainLabel* target) {
  const auto test = [&](Opcode op, Opcode negated, Opcode path_op, Opcode negated_path_op) {
    EmitTest(when ? op : negated, when ? path_op : negated_path_op, text,
             g_.RkConstant(g_.StringConstant(pattern.texts[0])), target);
  };
  switch (pattern.place) {
    case TextPattern::Place::kBeginning:
      return test(Opcode::kIfPrefix, Opcode::kIfNotPrefix, Opcode::kIfPathPrefix, Opcode::kIfPathNotPrefix);
    case TextPattern::Place::kEnd:
      return test(Opcode::kIfSuffix, Opcode::kIfNotSuffix, Opcode::kIfPathSuffix, Opcode::kIfPathNotSuffix);
    case TextPattern::Place::kAnywhere:
      return test(Opcode::kIfWithin, Opcode::kIfNotWithin, Opcode::kIfPathWithin, Opcode::kIfPathNotWithin);
    default:
      break;
  }
  const uint16_t whole = CheckedOperand(text, PlainCheck::kString);
  if (pattern.texts.size() == 1) {
    const uint16_t wanted = g_.RkConstant(g_.StringConstant(pattern.texts[0]));
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfEqual : Opcode::kIfNotEqual, whole, wanted));
    return;
  }
  ShortList<Value> texts;
  for (const std::string& each : pattern.texts) texts.push_back(g_.StringConstant(each));
  const uint32_t lookup = g_.builder_->AddLookup(MakeTuple(texts, g_.builder_->heap()->arena()));
  target->push_back(g_.builder_->Emit(when ? Opcode::kIfIn : Opcode::kIfNotIn, whole, static_cast<uint16_t>(lookup)));
}

// The pattern of a call of `special` with two arguments, if it names nothing but texts, and there is room for these.
TextPattern PlainGenerator::TextPatternOf(const BoundExpr& expr, Function::Special special) const {
  if (session_ != nullptr || is_tried_ || expr.kind != BoundKind::kCall || !As<BoundCall>(expr).is(special)) return {};
  const auto& call = As<BoundCall>(expr);
  const Value* const text = call.arguments.size() == 2 ? ScalarOf(*call.arguments[0]) : nullptr;
  if (text == nullptr || !text->is_string() || call.arguments[1]->is_constant()) return {};
  const Type type = call.arguments[1]->type;
  if (type.is_primitive() && type != Type::String()) return {};
  if (g_.builder_->lookup_count() > UINT16_MAX) return {};
  return ReadTextPattern(text->AsString());
}

// Where its text is not there, the call fails.
bool PlainGenerator::TestCanMatch(const BoundExpr& inner, bool when, PlainLabel* target) {
  const TextPattern pattern = TextPatternOf(inner, Function::Special::kRegex);
  if (!pattern) return false;
  const BoundExpr& text = *As<BoundCall>(inner).arguments[1];
  const Ensured ensured(this);
  const Branch branch(this);
  PlainLabel failed;
  EnsureReads(text, &failed);
  TestPattern(pattern, text, when, target);
  if (when) {
    PatchToHere(failed);
  } else {
    target->Append(failed);
  }
  return true;
}

// A loop over the values of a mapping, the list of which is not made. `body` emits code for the value in a register.
void PlainGenerator::YieldValues(const BoundExpr& mapping, absl::FunctionRef<void(uint16_t, PlainLabel*)> body) {
  const uint16_t run = g_.Allocate();
  for (int n = 1; n < kLoopRegisters; ++n) g_.Allocate();
  Yield(mapping, run, /*returns=*/false);
  g_.builder_->Emit(Opcode::kPlainCheck, run, static_cast<uint16_t>(PlainCheck::kMapping));
  const uint32_t empty = g_.builder_->EmitJump(Opcode::kPlainFor, run);
  const uint32_t first = g_.builder_->here();
  PlainLabel next;
  body(static_cast<uint16_t>(run + 2), &next);
  PatchToHere(next);
  g_.builder_->EmitX(Opcode::kPlainForEach, run, first);
  g_.builder_->PatchToHere(empty);
}

// `sum(values(mapping))` and the like, as a reduction of a loop.
void PlainGenerator::YieldGathered(const BoundCall& call, uint16_t dest) {
  const uint16_t mark = g_.next();
  const Function::Special special = call.function->special;
  const bool is_all = special == Function::Special::kAllTrue;
  const bool asks = is_all || special == Function::Special::kAnyTrue;
  g_.MoveTo(Result::Constant(asks ? Value::Bool(is_all) : Value::Null()), dest);
  YieldValues(*MappingOfValues(*call.arguments[0]), [&](uint16_t value, PlainLabel* next) {
    if (asks) {
      next->push_back(g_.builder_->Emit(is_all ? Opcode::kIfTrue : Opcode::kIfFalse, value));
      return g_.MoveTo(Result::Constant(Value::Bool(!is_all)), dest);
    }
    const Opcode op = special == Function::Special::kSum   ? Opcode::kPlainSum
                      : special == Function::Special::kMin ? Opcode::kPlainLeast
                                                           : Opcode::kPlainGreatest;
    g_.builder_->Emit(op, dest, value);
  });
  if (!asks) g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNumber));
  g_.FreeTo(mark);
}

// `contains(values(mapping), x)`.
bool PlainGenerator::TestValue(const BoundCall& contains, bool when, PlainLabel* target) {
  const BoundExpr& list = Inner(*contains.arguments[0]);
  const BoundExpr* const mapping = session_ == nullptr && !is_tried_ ? MappingOfValues(list) : nullptr;
  if (mapping == nullptr || IsKept(As<BoundCall>(list))) return false;
  const uint16_t needle = LeavingOperand(*contains.arguments[1]);
  if (ScalarOf(*contains.arguments[1]) == nullptr) CheckNeedle(needle);
  const uint16_t found = g_.Allocate();
  g_.MoveTo(Result::Constant(Value::Bool(false)), found);
  YieldValues(*mapping, [&](uint16_t value, PlainLabel* next) {
    next->push_back(g_.builder_->Emit(Opcode::kIfNotEqual, value, needle));
    g_.MoveTo(Result::Constant(Value::Bool(true)), found);
  });
  target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, found));
  return true;
}

// `contains(toset(list), x)`: whether the list of `x` alone has something in common with the list, both of elements of
// one type, since the set converts its own to one.
bool PlainGenerator::TestSetElement(const BoundCall& contains, bool when, PlainLabel* target) {
  const BoundExpr* const list = is_tried_ ? nullptr : ListOfSet(Inner(*contains.arguments[0]));
  if (list == nullptr) return false;
  const uint16_t found = g_.Allocate();
  uint16_t only = found;
  if (const Value* const constant = ScalarOf(*contains.arguments[1])) {
    only = g_.RkConstant(MakeTuple({constant, 1}, g_.builder_->heap()->arena()));
  } else {
    const uint16_t element = g_.Allocate();
    Load(CheckedOperand(*contains.arguments[1], PlainCheck::kScalar), element);
    g_.builder_->Emit(Opcode::kMakeTuple, found, element, 1);
  }
  g_.builder_->Emit(Opcode::kPlainShared, found, only, LeavingOperand(*list));
  target->push_back(
      g_.builder_->Emit(when ? Opcode::kIfNotEqual : Opcode::kIfEqual, found, g_.RkConstant(Value::Int(0))));
  return true;
}

}  // namespace hcl::internal
