// Registers: where the values of a chunk are while its code is made.
//
// Registers are a stack. Placement is delayed: what an expression yields is described (a constant, or a register), and
// moved only when it has to be. Tested by compiler/compiler_test.cc.

#ifndef HCLVM_COMPILER_REGISTERS_H_
#define HCLVM_COMPILER_REGISTERS_H_

#include <algorithm>
#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A list of what belongs to one expression. Most expressions are small, so up to eight items take no allocation.
template <typename T>
using ShortList = absl::InlinedVector<T, 8>;

// What an expression yields: two words, as results go through all functions that make code.
struct Result {
  // The value must outlive the result.
  static Result Constant(const Value& v) { return {&v, 0}; }
  static Result Register(uint16_t r) { return {nullptr, r}; }
  bool is_constant() const { return constant != nullptr; }

  const Value* constant;  // null: what the register holds
  uint16_t reg;
};

// Serves one chunk after the other. Not thread-safe.
class Registers {
 public:
  // Both must outlive this.
  Registers(ProgramBuilder* builder, Diagnostics* diagnostics) : builder_(*builder), diagnostics_(*diagnostics) {}

  // A chunk begins: all are free.
  void Reset() { next_ = 0, used_ = 0; }
  // How many the chunk needs.
  uint32_t used() const { return used_; }

  // Takes the next one. Where there is none left, which is reported once, any: the program is not used.
  uint16_t Allocate() {
    if (next_ >= kMaxRegisters) return ReportTooComplex();
    const uint16_t reg = next_++;
    if (next_ > used_) used_ = next_;
    return reg;
  }
  // `count` side by side: from `dest` on, if that is the last one taken, otherwise new ones.
  uint16_t AllocateRun(uint16_t dest, uint32_t count);
  uint16_t next() const { return next_; }
  void FreeTo(uint16_t reg) { next_ = std::max(reg, held_); }
  // Registers up to `reg` are not free before Release(), with what held() was before.
  void Hold(uint16_t reg) { held_ = std::max(held_, static_cast<uint16_t>(reg + 1)); }
  void Release(uint16_t held) { held_ = held; }
  uint16_t held() const { return held_; }

  // Each emits instructions as far as they are needed. Rk() may take a register for a constant.
  void MoveTo(Result result, uint16_t dest);
  uint16_t Rk(Result result) { return result.is_constant() ? RkConstant(*result.constant) : result.reg; }
  uint16_t RkConstant(const Value& value);
  // Moves the result of a run of registers to `dest`, and frees the run.
  Result FromRun(uint16_t run, uint16_t dest);

 private:
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE uint16_t ReportTooComplex();

  ProgramBuilder& builder_;
  Diagnostics& diagnostics_;
  uint16_t next_ = 0;
  uint16_t held_ = 0;
  uint32_t used_ = 0;
  bool reported_too_complex_ = false;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_REGISTERS_H_
