// PlainGenerator: calls of functions that fast code has no instruction for. Tested by compiler/plain_generator_test.cc.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/joined_texts.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

// A session, which has one element of a literal at a time, takes calls its own way.
bool PlainGenerator::IsPlainCall(const BoundExpr& expr) const { return session_ == nullptr && IsOrdinaryCall(expr); }

bool PlainGenerator::IsKeptList(const BoundExpr& expr) const {
  if (expr.kind != BoundKind::kCall) return false;
  const auto& call = As<BoundCall>(expr);
  const bool is_made = IsListCall(expr) || PieceOf(call) || !JoinedParts(call).empty();
  return is_made && session_ == nullptr && !IsGeneral(expr) && g_.SharedRegister(expr).has_value();
}

// No error is kept, so that such a value is there.
std::optional<uint16_t> PlainGenerator::MadeRegister(const BoundExpr& expr) const {
  if (made_.empty() || !(IsPlainCall(expr) || IsKeptList(expr) || IsJoint(expr))) return std::nullopt;
  const std::optional<uint16_t> shared = g_.SharedRegister(expr);
  return shared && std::find(made_.begin(), made_.end(), *shared) != made_.end() ? shared : std::nullopt;
}

// What general code has kept may be anything else, so that the check is for both.
void PlainGenerator::YieldCall(const BoundCall& call, uint16_t dest, PlainCheck check) {
  const uint16_t mark = g_.next();
  const std::optional<uint16_t> shared = g_.SharedRegister(call);
  const auto check_it = [&] {
    if (check != PlainCheck::kNoError) {
      g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
    }
  };
  if (const std::optional<uint16_t> made = MadeRegister(call)) {
    Load(*made, dest);
    return check_it();
  }
  const bool may_be_kept = shared && g_.shared_values_.BeginMaking(call);
  // What an argument reads is not known behind a call that is passed over.
  const KnownReads::Scope known(&g_.known_reads_);
  const NoPass no_pass(this, shared.has_value());
  const uint32_t recalled = may_be_kept ? g_.builder_->Emit(Opcode::kRecall, dest, *shared) : 0;
  uint16_t run = dest;
  // Where all around it fails with it, no text is made, and no general code runs.
  const bool is_tried = strict_failed_ != nullptr && IsGeneral(call) && !call.expand_last;
  const BoundCall* const gathered = session_ == nullptr && !is_tried_ ? GatheredValues(call) : nullptr;
  if (gathered != nullptr && IsGeneral(call) && !IsKept(*gathered)) {
    YieldGathered(call, dest);
  } else if (IsGeneral(call)) {
    const auto count = static_cast<uint32_t>(call.arguments.size());
    run = g_.AllocateRun(dest, std::max<uint32_t>(count, 1));
    for (uint32_t n = 0; n < count; ++n) {
      Yield(*call.arguments[n], static_cast<uint16_t>(run + n), /*returns=*/false);
    }
    g_.builder_->EmitX(is_tried ? Opcode::kPlainAttempt : Opcode::kPlainCall, run, call.site, call.spans);
  } else if (const AskedPiece piece = PieceOf(call)) {
    YieldPiece(*piece.split, piece.place, dest);
  } else if (!JoinedParts(call).empty()) {
    YieldJoined(call, dest);
  } else {
    YieldList(call, dest);
  }
  if (shared) g_.builder_->Emit(Opcode::kKeep, *shared, run);
  Load(run, dest);
  if (may_be_kept) g_.builder_->PatchToHere(recalled);
  if (is_tried) strict_failed_->push_back(g_.builder_->Emit(Opcode::kIfNotThere, dest));
  check_it();
  if (shared) made_.push_back(*shared);
  g_.FreeTo(mark);
}

// For each element it is another call, whose arguments may be constants then: what is prepared of these is made for it.
void PlainGenerator::YieldElementCall(const BoundCall& call, uint16_t dest) {
  const uint16_t mark = g_.next();
  const auto count = static_cast<uint32_t>(call.arguments.size());
  const uint16_t run = g_.AllocateRun(dest, std::max<uint32_t>(count, 1));
  std::vector<std::optional<Value>> constants(count);
  for (uint32_t n = 0; n < count; ++n) {
    const BoundExpr& argument = Inner(*call.arguments[n]);
    if (argument.is_constant()) constants[n] = As<BoundConstant>(argument).value;
    Yield(argument, static_cast<uint16_t>(run + n), /*returns=*/false);
  }
  const void* const prepared =
      call.function->prepare != nullptr ? g_.folding_.Prepare(*call.function, constants) : nullptr;
  const uint32_t site =
      prepared != nullptr ? g_.builder_->AddSite(call.function, prepared, count, /*expand_last=*/false) : call.site;
  g_.builder_->EmitX(Opcode::kPlainCall, run, site, call.spans);
  Load(run, dest);
  g_.FreeTo(mark);
}

}  // namespace hcl::internal
