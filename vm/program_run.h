// ProgramRun: what the calls of a function whose body is a program evaluate it with.
//
// A function is shared by threads, and so can keep no registers and no caches of its own. They stay with the heap of
// those who call, from one call to the next: a call then writes its arguments where the program reads them, and runs.
//
// Internal to the machine. Tested by vm/program_function_test.cc.

#ifndef HCLVM_VM_PROGRAM_RUN_H_
#define HCLVM_VM_PROGRAM_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/silence.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Function::state where Function::is_program. Immutable.
struct ProgramFunction {
  const ProgramTables& tables() const { return TablesOf(*program); }

  std::shared_ptr<const Program> program;
  // Of the parameters, as indexes into the frame: one behind its end where the program does not read one.
  std::vector<uint32_t> places;
  // Whether there is a variadic parameter, and the place of its value where the program reads it.
  bool has_more = false;
  std::optional<uint32_t> variadic;
};

// Not thread-safe. Belongs to one heap, and calls nobody but by the program.
class ProgramRun {
 public:
  // That of `function`, a program, in the heap. Null where there is none to be had: it is in the midst of a call, which
  // calls the function again, or the heap has no room for more of them, or was moved.
  static ProgramRun* Find(const Function& function, Heap* heap);
  static ProgramRun* FindAtOnce(const Function& function, Heap* heap);  // inlined

  ProgramRun(std::shared_ptr<const void> state, Heap* heap);
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  const ProgramFunction& function() const { return function_; }
  Value* frame() { return frame_.data(); }
  // ProgramFunction::places.
  const uint32_t* places() const { return places_; }
  uint32_t place_count() const { return place_count_; }

  // Puts what is given for the variadic parameter in the frame.
  void SetRest(absl::Span<const Value> rest);

  // Evaluates the program into *result with the fuel, which is taken from `fuel`; arguments stand in the frame.
  // `silence` must outlive the call. Whether all has gone well; otherwise Conclude() has to follow.
  bool RunAtOnce(Fuel* fuel, const Silence* silence, Value* result);
  // The same for a body, where somebody may interrupt: Conclude() has to follow.
  void Run(FunctionCall* call, Value* result);
  // What the call returns, or reports, for what the program has given.
  Value Conclude(FunctionCall* call, Value result);

 private:
  std::shared_ptr<const void> state_;  // keeps the function
  const ProgramFunction& function_;
  Heap* const heap_;
  const uint32_t* const places_;
  const uint32_t place_count_;
  bool is_running_ = false;
  std::vector<Value> frame_;
  std::vector<CachedPath> paths_;
  std::vector<uint32_t> hints_;
  std::vector<CachedAttribute> attributes_;
  ConversionCache conversions_;
  Diagnostics diagnostics_;
  RunState run_state_;
  Interpreter interpreter_;
  const Instruction* const code_;
};

// Reports the first of the diagnostics, if there are any, or the limit among them, as what the call has failed with.
// `program` has their source where they name none.
void ReportFirst(const Diagnostics& diagnostics, const Program& program, FunctionCall* call);

}  // namespace hcl::internal

#endif  // HCLVM_VM_PROGRAM_RUN_H_
