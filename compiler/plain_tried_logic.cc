// PlainGenerator: logical operators in what try and can are given. Tested by compiler/plain_attempts_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

namespace {

// Regions after whose failures nothing goes on but general code.
constexpr size_t kNowhere = 0;
// The place where the first operand, a read, is no bool: it may be null.
constexpr size_t kBehindFirst = SIZE_MAX;

// A read that may lead to any value; other operands are sure to be bools.
bool IsAnyRead(const BoundExpr& inner) {
  return (inner.kind == BoundKind::kPath || inner.kind == BoundKind::kLocal) && !inner.sure_bool;
}

}  // namespace

// Constants and nested operators are left to general code where something fails, as are many comparisons that are one
// search.
bool PlainGenerator::IsTriedLogic(const BoundExpr& attempt) const {
  if (session_ != nullptr || attempt.kind != BoundKind::kChain || IsGeneral(attempt)) return false;
  const auto& chain = As<BoundChain>(attempt);
  if (!IsLogical(chain.op) || chain.tested.size() != chain.operands.size()) return false;
  for (size_t n = 0; n < chain.tested.size(); ++n) {
    const BoundExpr& inner = Inner(*chain.tested[n]);
    if (CountAlternatives(chain.op, chain.tested.subspan(n)) > 1) return false;
    const bool is_operator = inner.sure_bool && inner.never_null && !inner.is_constant() && IsStrict(inner);
    if (!IsAnyRead(inner) && !is_operator) return false;
  }
  return true;
}

// An operand that fails does not matter where one behind it decides, so that these are tested once more then: behind
// the code where nothing fails. What is no bool fails with its operator, whatever is on the other side; only behind
// that an operand may still decide. A null decides `&&`, and fails in `||` unless the other
// side decides: where it is the second one, general code tells.
void PlainGenerator::YieldTriedLogic(const BoundChain& chain, uint16_t dest, const AttemptLabels& labels,
                                     FailedRegions* regions) {
  const uint16_t mark = g_.next();
  const bool decides = chain.op == BinaryOp::kOr;
  const absl::Span<const BoundExpr* const> operands = chain.tested;
  const size_t count = operands.size();
  const Opcode test = decides ? Opcode::kIfTrue : Opcode::kIfFalse;
  const Opcode checking_test = decides ? Opcode::kIfTrueChecking : Opcode::kIfFalseChecking;
  // What goes on behind the failure of its operand: with the test of operand `place`, or with what is tried next.
  struct Part {
    size_t region;
    size_t place;
  };
  ShortList<Part> parts;
  const auto end_part = [&](size_t place) {
    const size_t region = regions_.size();
    EndRegion();
    BeginRegion();
    if (place != kNowhere && regions_.size() > region) parts.push_back({region, place});
  };
  ShortList<uint16_t> loaded(count);
  PlainLabel decided;
  const auto test_operand = [&](size_t n) {
    if (IsAnyRead(Inner(*operands[n]))) {
      decided.push_back(g_.builder_->Emit(test, loaded[n]));
    } else {
      Test(*operands[n], decides, &decided);
    }
    if (n + 1 < count) end_part(n + 1);
  };
  end_part(kNowhere);
  for (size_t n = count; n-- > 1;) {
    if (IsAnyRead(Inner(*operands[n]))) loaded[n] = Find(*operands[n]);
  }
  const bool checks_one = count == 2 && IsAnyRead(Inner(*operands[1]));
  const bool begins_with_read = IsAnyRead(Inner(*operands[0]));
  for (size_t n = count; n-- > 1 && !checks_one;) {
    if (IsAnyRead(Inner(*operands[n]))) {
      g_.builder_->EmitBoolCheck(loaded[n], static_cast<uint16_t>(PlainCheck::kBoolOrNothing));
    }
  }
  end_part(kNowhere);
  if (checks_one && !begins_with_read) {
    g_.builder_->Emit(Opcode::kPlainCheck, loaded[1], static_cast<uint16_t>(PlainCheck::kSide));
    end_part(2);
  }
  {
    const Branch branch(this);
    if (begins_with_read) {
      loaded[0] = LeavingOperand(*operands[0]);
      end_part(1);
      if (checks_one) {
        decided.push_back(g_.builder_->Emit(checking_test, loaded[0], loaded[1]));
        end_part(2);
      } else {
        decided.push_back(g_.builder_->Emit(test, loaded[0]));
        end_part(kBehindFirst);
      }
    } else {
      test_operand(0);
    }
    for (size_t n = 1; n < count; ++n) test_operand(n);
  }
  // What comes behind the test of the last operand neither leaves nor fails, and needs no region of its own.
  Load(g_.RkConstant(Value::Bool(!decides)), dest);
  labels.done->push_back(g_.builder_->Emit(Opcode::kSkip));
  end_part(count);
  const auto begin_place = [&](size_t place) {
    for (const Part& part : parts) {
      if (part.place == place) regions_[part.region].failed = g_.builder_->here();
    }
  };
  PlainLabel unfit;
  if (begins_with_read && !checks_one) {
    begin_place(kBehindFirst);
    const uint32_t is_null = g_.builder_->Emit(Opcode::kIfNull, loaded[0]);
    unfit.push_back(g_.builder_->Emit(Opcode::kSkip));
    if (decides) {
      g_.builder_->PatchToHere(is_null);
    } else {
      decided.push_back(is_null);
    }
  }
  for (size_t n = 1; n < count; ++n) {
    begin_place(n);
    if (n == 2) PatchToHere(unfit);
    const Branch branch(this);
    test_operand(n);
  }
  if (count == 2) labels.failed->Append(unfit);
  labels.failed->push_back(g_.builder_->Emit(Opcode::kSkip));
  PatchToHere(decided);
  Load(g_.RkConstant(Value::Bool(decides)), dest);
  end_part(count);
  for (const Part& part : parts) {
    if (part.place == count) regions->push_back(part.region);
  }
  g_.FreeTo(mark);
}

}  // namespace hcl::internal
