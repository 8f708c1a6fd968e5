// ScopeReader: requests as JSON texts, for the evaluator of a program.
//
//   const hcl::Reads reads(program, program->main_chunk());
//   hcl::ScopeReader scope(reads);
//   if (scope.Read(text, &heap)) {
//     evaluator.BindAll(scope);
//     const hcl::Evaluation& evaluation = evaluator.Run();
//     if (evaluation.ok()) return Use(evaluation.value());
//   }
//   // Something is wrong: JsonReader::Read, BindAll of the object, and Run() say what.
//
// What the program does not read is skipped, and the variables of a module are read straight to what they are declared
// to be, so that nothing is converted afterwards. Tested by tests/scope_reader_test.cc,
// tests/slow/projection_law_test.cc and tests/slow/reading_law_test.cc.

#ifndef HCLVM_VM_SCOPE_READER_H_
#define HCLVM_VM_SCOPE_READER_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/base/attributes.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {

class BaseLayer;
class Evaluator;

// Keeps its buffers between texts, and learns from each how the next one will be. Not thread-safe.
class ScopeReader {
 public:
  // `reads` has to outlive the reader. Of variables that `base` gives as well (it may be null), it is seen that a text
  // gives them (Evaluator::BindBase).
  explicit ScopeReader(const Reads& reads ABSL_ATTRIBUTE_LIFETIME_BOUND, const BaseLayer* base = nullptr);
  ~ScopeReader();

  // Reads `text`, a JSON object of variables, for BindAll(), to values in `heap`, which is of the program's dialect:
  // they live as long as the heap and the reader. What it says in place of what was read before. False where something
  // is wrong with it, or takes more than a limit allows, or memory was refused; then there are no variables, and
  // JsonReader::Read over all of the text says what it is. Of what is skipped, as much is checked as JsonReader does.
  //
  // What is read gives the result that all of the text gives, or a result where all of it gives an error: what is wrong
  // in what is not read, and limits, also that of the fuel of conversions, where nothing has to be converted. The texts
  // of errors can be others, as they name what else there is: a run that fails has to be done again over all of it.
  bool Read(std::string_view text, Heap* heap);

  // Whether the text that was read gives variable `slot`, an index of Program::variables(), which the program reads or
  // the base gives.
  bool Gives(uint32_t slot) const;

  // For the program of a module: whether the text that was read lacks something that may be missing, and has something
  // else that was skipped, so that a name may be misspelled. All of the text has to be bound for that to be told
  // (UnknownInput::kNear).
  bool MayBeMisspelled() const;

 private:
  friend class Evaluator;
  struct Impl;

  std::unique_ptr<Impl> impl_;
};

}  // namespace hcl

#endif  // HCLVM_VM_SCOPE_READER_H_
