// Registers. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/registers.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::internal {

uint16_t Registers::ReportTooComplex() {
  if (!reported_too_complex_) {
    reported_too_complex_ = true;
    diagnostics_.AddLimit(
        std::nullopt, DiagnosticCode::kExpressionTooComplex,
        absl::StrCat("An expression needs more than ", kMaxRegisters, " values at the same time, which is the limit."));
  }
  return next_;
}

uint16_t Registers::AllocateRun(uint16_t dest, uint32_t count) {
  const uint16_t run = next_ == dest + 1 ? dest : Allocate();
  for (uint32_t n = 1; n < count; ++n) Allocate();
  return run;
}

void Registers::MoveTo(Result result, uint16_t dest) {
  if (result.is_constant()) {
    builder_.EmitX(Opcode::kLoadConst, dest, builder_.AddConstant(*result.constant));
  } else if (result.reg != dest) {
    builder_.Emit(Opcode::kMove, dest, result.reg);
  }
}

uint16_t Registers::RkConstant(const Value& value) {
  const uint32_t index = builder_.AddConstant(value);
  if (index < kMaxFrameConstants) return static_cast<uint16_t>(index | kConstantBit);
  const uint16_t reg = Allocate();
  builder_.EmitX(Opcode::kLoadConst, reg, index);
  return reg;
}

Result Registers::FromRun(uint16_t run, uint16_t dest) {
  if (run != dest) builder_.Emit(Opcode::kMove, dest, run);
  FreeTo(run == dest ? static_cast<uint16_t>(dest + 1) : run);
  return Result::Register(dest);
}

}  // namespace hcl::internal
