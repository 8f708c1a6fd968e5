// LazyVariables: the variables of an evaluator whose values are made when they are read.
//
// A slot of such a variable holds an internal value that is not nothing. Whatever is fast takes it for something odd:
// the slow path goes to LoadPathSlow and fast code to its exit, which ask here. Programs without lazy variables pay
// nothing for that. The value then
// stands in the slot until the pass over the program ends, so that all further readings are fast again.
//
// Internal to the machine. Tested by tests/lazy_variable_test.cc.

#ifndef HCLVM_VM_LAZY_VARIABLES_H_
#define HCLVM_VM_LAZY_VARIABLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe. Belongs to one evaluator.
class LazyVariables {
 public:
  struct Variable {
    LazyCallback callback;
    // Of the current run.
    bool is_read = false;
    bool has_value = false;  // else it has failed
    Value value;
    std::string failure;
    uint64_t cost = 0;  // fuel that the reading has taken, and takes again in a second pass
  };

  // `slots` are those of the evaluator, whose heap is `heap`.
  LazyVariables(Value* slots, size_t count, const Heap& heap)
      : slots_(slots), variables_(count), heap_(nullptr, heap.dialect(), heap.limits()) {}

  void Bind(uint32_t slot, LazyCallback callback);
  // Drops all callbacks.
  void Clear();
  void set_interrupt(const Interrupt& interrupt) { heap_.set_interrupt(interrupt); }

  // The variable in the slot, called unless it was in this run. Requires that the slot stands for it.
  Variable* Read(uint32_t slot, std::string_view name, Fuel* fuel);
  // Its value comes into its slot until PutBack().
  void Show(uint32_t slot);

  // Bytes of the values of this run.
  size_t bytes_used() { return heap_.arena()->bytes_used(); }

  // The slots stand for their variables again, which keep their values for a second pass.
  void PutBack();
  // The run is over: the next one calls anew. Values live until it does.
  void Forget();
  // The same, and memory is given back.
  void Release();

 private:
  Value* slots_;
  std::vector<std::unique_ptr<Variable>> variables_;  // by slot; null for those that never were lazy
  std::vector<uint32_t> shown_;                       // slots
  std::vector<uint32_t> read_;                        // in this run
  Heap heap_;
  bool is_new_run_ = true;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_LAZY_VARIABLES_H_
