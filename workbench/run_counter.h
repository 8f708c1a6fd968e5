// RunCounter: what each instruction of a program costs over many runs, and where fast code is left.
//
//   RunCounter counter(*program);
//   ObserveRuns(&evaluator, &counter);
//   counter.BeginRun();
//   const Evaluation& evaluation = evaluator.Run(entry);
//   counter.EndRun(evaluation.fuel_left());
//
// Internal to the workbench. Tested by workbench/run_counter_test.cc.

#ifndef HCLVM_WORKBENCH_RUN_COUNTER_H_
#define HCLVM_WORKBENCH_RUN_COUNTER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_observer.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Belongs to one thread.
class RunCounter : public RunObserver {
 public:
  struct Count {
    uint64_t runs = 0;
    uint64_t fuel = 0;  // with that of what it calls, and of instructions that it skips
  };
  // Why fast code was left at an instruction, as people read it ("user.age is null"), and how often.
  using Causes = std::map<std::string, uint64_t>;

  // The program must outlive it.
  explicit RunCounter(const Program& program);

  void BeginRun();
  void EndRun(uint64_t fuel_left);
  void Next(uint32_t pc, uint64_t fuel_left, uint64_t unpaid, const void* activation, const Value* frame) override;

  // By code offset.
  const std::vector<Count>& counts() const { return counts_; }
  // By the code offset of the instruction that has left, for each side exit.
  const std::map<uint32_t, Causes>& exits() const { return exits_; }
  uint64_t exit_count() const { return exit_count_; }

 private:
  // Code that runs, and code in the midst of which it does: that of a local that is made when it is read.
  struct Activation {
    const void* id;
    uint32_t pc;      // of its last instruction
    uint64_t unpaid;  // before that
  };

  void Charge(uint32_t pc, uint64_t fuel) { counts_[pc].fuel += fuel; }
  void NoteExit(uint32_t pc, const Value* frame);
  std::string CauseOf(uint32_t pc, const Value* frame) const;

  const ProgramTables& tables_;
  std::vector<Count> counts_;
  std::vector<uint32_t> slow_paths_;  // of each instruction of fast code; 0 for others
  std::map<uint32_t, Causes> exits_;
  uint64_t exit_count_ = 0;
  std::vector<Activation> activations_;
  uint64_t fuel_left_ = 0;    // at the last instruction
  bool is_repeated_ = false;  // the run is made again
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_RUN_COUNTER_H_
