// CodeGenerator: tuples, objects and `for`. Tested by compiler/compiler_test.cc.

#include <algorithm>
#include <utility>

#include "hclvm/base/arena.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/builders.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// Collections of up to so many items are put together in one instruction, from as many registers.
constexpr size_t kMaxInline = 64;

}  // namespace

Result CodeGenerator::GenerateTuple(const TupleExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const size_t count = expr.elements.size();
  // Constants are kept back until something has to be computed.
  ScratchList<Value> constants(&constants_);
  size_t done = 0;
  Result first = Result::Constant(Value());
  const uint16_t scratch = Allocate();
  if (options_.optimize) {
    for (; done < count; ++done) {
      first = Generate(*expr.elements[done], scratch);
      if (!first.is_constant) break;
      constants.Add(first.value);
    }
    if (done == count) {
      FreeTo(mark);
      return Result::Constant(MakeTuple(constants.view(), builder_->heap()->arena()));
    }
    // The element at `done` is in the register `first.reg`.
  }
  const bool has_first = options_.optimize;
  if (count <= kMaxInline && count > 0) {
    // `scratch` may hold the element at `done`; the run begins behind it.
    const uint16_t run = Allocate();
    for (size_t n = 1; n < count; ++n) Allocate();
    for (size_t n = 0; n < count; ++n) {
      const uint16_t reg = static_cast<uint16_t>(run + n);
      if (n < done) {
        MoveTo(Result::Constant(constants[n]), reg);
      } else if (n == done && has_first) {
        MoveTo(first, reg);
      } else {
        GenerateTo(*expr.elements[n], reg);
      }
    }
    builder_->Emit(Opcode::kMakeTuple, dest, run, static_cast<uint16_t>(count));
  } else {
    const uint16_t builder = Allocate();
    builder_->Emit(Opcode::kTupleBegin, builder);
    for (size_t n = 0; n < count; ++n) {
      const uint16_t inner = next_;
      const Result item = n < done                 ? Result::Constant(constants[n])
                          : n == done && has_first ? first
                                                   : Generate(*expr.elements[n], Allocate());
      builder_->Emit(Opcode::kTuplePush, builder, Rk(item));
      FreeTo(inner);
    }
    builder_->Emit(Opcode::kTupleEnd, dest, builder);
  }
  FreeTo(mark);
  return Result::Register(dest);
}

std::optional<CodeGenerator::FixedKeys> CodeGenerator::KeysOf(const ObjectExpr& expr) {
  const size_t count = expr.items.size();
  if (count > kMaxInline || builder_->shape_count() > UINT16_MAX) return std::nullopt;
  ShortList<Value> keys;
  for (const ObjectItem& item : expr.items) {
    if (!item.key_name.empty()) {
      keys.push_back(StringConstant(item.key_name));
    } else if (item.key->kind == ExprKind::kTemplate) {
      const std::optional<Value> text = FoldTemplate(As<TemplateExpr>(*item.key));
      if (!text) return std::nullopt;
      keys.push_back(*text);
    } else {
      return std::nullopt;
    }
  }
  ShortList<uint32_t> order(count);
  for (uint32_t n = 0; n < count; ++n) order[n] = n;
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return keys[a].AsString() < keys[b].AsString(); });
  ShortList<Value> sorted;
  for (uint32_t n : order) {
    if (!sorted.empty() && sorted.back().AsString() == keys[n].AsString()) return std::nullopt;
    sorted.push_back(keys[n]);
  }
  FixedKeys result;
  result.positions.resize(count);
  for (uint32_t n = 0; n < count; ++n) result.positions[order[n]] = n;
  result.shape = MakeShape(sorted, builder_->heap()->arena());
  return result;
}

// Makes an object with such keys. False when nothing was generated.
bool CodeGenerator::GenerateFixedObject(const ObjectExpr& expr, uint16_t dest, Result* result) {
  const std::optional<FixedKeys> keys = KeysOf(expr);
  if (!keys) return false;
  const size_t count = expr.items.size();
  const Shape* shape = keys->shape;
  const ShortList<uint32_t>& position = keys->positions;
  const uint16_t mark = next_;
  Arena* arena = builder_->heap()->arena();
  if (count == 0) {
    *result = Result::Constant(MakeObject(shape, {}, arena));
    return true;
  }
  const uint16_t run = Allocate();
  for (size_t n = 1; n < count; ++n) Allocate();
  const uint32_t code_begin = builder_->here();
  ScratchList<Result> items(&results_);
  bool all_constant = options_.optimize;
  for (size_t n = 0; n < count; ++n) {
    const uint16_t reg = static_cast<uint16_t>(run + position[n]);
    const Result item = Generate(*expr.items[n].value, reg);
    items.Add(item);
    all_constant &= item.is_constant;
    if (!item.is_constant) MoveTo(item, reg);
  }
  if (all_constant && builder_->here() == code_begin) {
    ShortList<Value> values(count);
    for (size_t n = 0; n < count; ++n) values[position[n]] = items[n].value;
    FreeTo(mark);
    *result = Result::Constant(MakeObject(shape, values, arena));
    return true;
  }
  for (size_t n = 0; n < count; ++n) {
    if (items[n].is_constant) MoveTo(items[n], static_cast<uint16_t>(run + position[n]));
  }
  builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(builder_->AddShape(shape)));
  FreeTo(mark);
  *result = Result::Register(dest);
  return true;
}

Result CodeGenerator::GenerateKey(const ObjectItem& item, uint16_t dest) {
  if (!item.key_name.empty()) return Result::Constant(StringConstant(item.key_name));
  if (item.key->kind == ExprKind::kTraversal && As<TraversalExpr>(*item.key).source->kind == ExprKind::kVariable) {
    Diagnostic diagnostic;
    diagnostic.summary = "Ambiguous attribute key";
    diagnostic.detail =
        "A key cannot be a naked reference. If a reference is meant, put it in parentheses; if a name with periods in "
        "it is meant, put it in quotes.";
    diagnostic.subject = item.key->range;
    return Raise(std::move(diagnostic), dest);
  }
  return Generate(*item.key, dest);
}

Result CodeGenerator::GenerateObject(const ObjectExpr& expr, uint16_t dest) {
  Result result = Result::Register(dest);
  if (GenerateFixedObject(expr, dest, &result)) return result;
  const uint16_t mark = next_;
  const uint16_t builder = Allocate();
  const RepeatedKey repeated = expr.unique_keys ? RepeatedKey::kRefuse : RepeatedKey::kReplace;
  builder_->Emit(Opcode::kObjectBegin, builder, static_cast<uint16_t>(repeated));
  for (const ObjectItem& item : expr.items) {
    const uint16_t inner = next_;
    const SourceRange spans[] = {Cover(item.key->range, item.value->range), item.key->range, item.value->range};
    const uint16_t key_reg = Allocate();
    Result key = GenerateKey(item, key_reg);
    const uint16_t value_reg = Allocate();
    // The key's own check comes behind the value's evaluation, as in the reference; both errors are reported.
    if (!key.is_constant) MoveTo(key, key_reg);
    const Result value = Generate(*item.value, value_reg);
    if (!key.is_constant || !key.value.is_string()) {
      MoveTo(key, key_reg);
      key = Result::Register(key_reg);
      builder_->Emit(Opcode::kObjectKey, key_reg, builder, 0, spans);
    }
    const uint16_t b = Rk(key);
    const uint16_t c = Rk(value);
    builder_->Emit(Opcode::kObjectPut, builder, b, c, spans);
    FreeTo(inner);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, builder);
  FreeTo(mark);
  return result;
}

CodeGenerator::Loop CodeGenerator::BeginLoop(uint16_t run, std::string_view key, std::string_view value) {
  Loop loop;
  loop.run = run;
  loop.outer_locals = locals_.size();
  loop.entry = builder_->EmitJump(Opcode::kJump);
  loop.body = builder_->here();
  loop.names = builder_->BeginLoop(run, key, value);
  if (!key.empty()) locals_.push_back({key, static_cast<uint16_t>(run + 1), loop.names, true});
  if (!value.empty()) locals_.push_back({value, static_cast<uint16_t>(run + 2), loop.names, false});
  return loop;
}

void CodeGenerator::EndLoop(const Loop& loop, Opcode next, SourceRange range) {
  locals_.resize(loop.outer_locals);
  builder_->PatchToHere(loop.entry);
  for (uint32_t jump : loop.continues) builder_->PatchToHere(jump);
  builder_->EndLoop(loop.names);
  builder_->EmitX(next, loop.run, loop.body, {range});
}

// Goes on with elements that pass, and to the next one otherwise. Plain code comes last, so that elements which pass
// run into the code behind it.
void CodeGenerator::GenerateFilter(const ForExpr& expr, Loop* loop) {
  const uint16_t mark = next_;
  const size_t known_lookups = known_lookups_.size();
  PlainGenerator plain(this);
  const bool is_plain = options_.optimize && options_.plain_code && !general_only_ &&
                        plain.SuitsFilter(*expr.condition, expr.key_name, expr.value_name);
  const bool outer_general_only = std::exchange(general_only_, general_only_ || is_plain);
  const uint16_t condition = static_cast<uint16_t>(loop->run + 4);
  PlainRegion region;
  region.general = builder_->here();
  GenerateTo(*expr.condition, condition);
  general_only_ = outer_general_only;
  const SourceRange spans[] = {expr.range, expr.condition->range};
  loop->continues.push_back(builder_->EmitJump(Opcode::kForFilter, loop->run, spans));
  if (!is_plain) return;
  const uint32_t passed = builder_->EmitJump(Opcode::kJump);
  loop->body = region.begin = builder_->here();
  PlainLabel fails;
  plain.Test(*expr.condition, false, &fails);
  region.end = builder_->here();
  builder_->AddPlainRegion(region);
  builder_->PatchToHere(passed);
  loop->continues.insert(loop->continues.end(), fails.begin(), fails.end());
  known_lookups_.resize(known_lookups);
  FreeTo(mark);
}

Result CodeGenerator::GenerateFor(const ForExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 5);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  GenerateTo(*expr.collection, run);
  const SourceRange spans[] = {expr.range, expr.collection->range};
  const Opcode begin = expr.condition != nullptr ? Opcode::kForBeginFilter : Opcode::kForBegin;
  const uint32_t no_loop = builder_->EmitJump(begin, run, spans);
  if (expr.key == nullptr) {
    builder_->Emit(Opcode::kTupleBegin, builder);
  } else {
    const RepeatedKey repeated = expr.group ? RepeatedKey::kGroup : RepeatedKey::kRefuse;
    builder_->Emit(Opcode::kObjectBegin, builder, static_cast<uint16_t>(repeated));
  }
  Loop loop = BeginLoop(run, expr.key_name, expr.value_name);
  const uint16_t temp = static_cast<uint16_t>(run + 4);
  if (expr.condition != nullptr) GenerateFilter(expr, &loop);
  const uint16_t inner = next_;
  if (expr.key == nullptr) {
    const Result item = Generate(*expr.value, temp);
    builder_->EmitPush(builder, Rk(item));
  } else {
    const SourceRange item_spans[] = {expr.range, expr.key->range, expr.value->range};
    Result key = Generate(*expr.key, temp);
    if (!key.is_constant || !key.value.is_string()) {
      MoveTo(key, temp);
      key = Result::Register(temp);
      builder_->Emit(Opcode::kObjectKey, temp, builder, 0, item_spans);
      loop.continues.push_back(builder_->EmitJump(Opcode::kSkipIfFalse, temp));
    }
    const Result value = Generate(*expr.value, Allocate());
    const uint16_t b = Rk(key);
    const uint16_t c = Rk(value);
    builder_->Emit(Opcode::kObjectPut, builder, b, c, item_spans);
  }
  FreeTo(inner);
  EndLoop(loop, Opcode::kForNext, expr.range);
  builder_->Emit(expr.key == nullptr ? Opcode::kTupleEnd : Opcode::kObjectEnd, run, builder);
  builder_->PatchToHere(no_loop);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
