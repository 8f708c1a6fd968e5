// RunRecorder: what a program that records (CompileOptions::record) reports its evaluation to.
//
//   MyRecorder recorder;
//   AttachRecorder(evaluator.heap(), &recorder);
//   evaluator.Run(entry);
//
// Programs compiled without that option report nothing. The programs of functions that a run calls report to the same
// recorder, each with its own table. Internal to the machine. Tested by compiler/record_points_test.cc.

#ifndef HCLVM_VM_RUN_RECORDER_H_
#define HCLVM_VM_RUN_RECORDER_H_

#include <cstdint>

#include "hclvm/vm/record_table.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Called by the thread of the run, in the midst of it: it must not use the evaluator.
class RunRecorder {
 public:
  virtual ~RunRecorder() = default;

  // The run begins anew, over the same scope: what it has reported so far does not count.
  virtual void Restart() = 0;
  // The evaluation of a node begins. Calls of Enter() and Leave() nest, unless a limit ends the run.
  virtual void Enter(const RecordTable& table, uint32_t point) = 0;
  // It ends with a value, which may be an error, unknown or marked, and lives until the next run.
  virtual void Leave(const RecordTable& table, uint32_t point, const Value& value) = 0;
};

// Runs whose values live in `heap` report to `recorder` from now on; null: to none. It must outlive these runs. A run
// that the system refuses memory ends this.
void AttachRecorder(Heap* heap, RunRecorder* recorder);
// That recorder, or null; and RunRecorder::Restart() of it, if there is one.
RunRecorder* RecorderOf(Heap* heap);
void RestartRecorder(Heap* heap);

}  // namespace hcl::internal

#endif  // HCLVM_VM_RUN_RECORDER_H_
