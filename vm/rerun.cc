// Evaluator::Rerun and RunAnother. What is kept stays where the whole run has put it, in the evaluator's heap, and what
// is made anew is added there: nothing is copied. So the heap grows until a whole run begins it anew, which is due when
// as much was replaced as a whole run makes: at most twice the work, and mostly far less.
//
// Only a run that succeeds is kept, and one in which something fails is done again as a whole: the texts and the order
// of diagnostics, what they suggest and what they leave out are then those of Run() by construction. The exception are
// programs that call functions which are not pure, since these must not be called twice: all that was kept has
// succeeded, so that what fails now, in order, is all there is to report.
//
// Fuel is counted so that a run which Run() would end is ended: what the whole run has used, and what was evaluated
// again in place of what it had used when it was evaluated again before. That is at least what Run() would use: the
// fuel of single attributes is not known of a whole run, and a local is paid for although nobody may read it any more.
//
// Tested by tests/rerun_test.cc and tests/slow/rerun_law_test.cc.

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/declared_variables.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/kept_run.h"
#include "hclvm/vm/lazy_variables.h"
#include "hclvm/vm/local_values.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using Mode = internal::Failures::Mode;

const Evaluation& Evaluator::Rerun(absl::Span<const uint32_t> changed) {
  state_.is_touched = true;
  PutDeclaredMarksBack();
  const bool is_done = internal::WithMemory([&] { return RunChanged(changed); }, [&] { return GiveUp(), true; });
  keeps_heap_ = false;
  if (locals_ != nullptr) locals_->set_recalls(false);
  if (is_done) return evaluation_;
  if (interpreter_->failures()->counted() || !evaluation_.diagnostics_.empty()) {
    evaluation_.diagnostics_.Clear();
    interpreter_->failures()->Begin(program_->is_pure() ? Mode::kCount : Mode::kWriteAll);
  }
  return Run();
}

// What locals were made to is in the heap, so that it is not reset. A local that has failed is no longer there.
const Evaluation& Evaluator::RunAnother(uint32_t chunk) {
  const bool can = locals_ != nullptr && lazy_ == nullptr && last_chunk_ < kKeptChunk && evaluation_.ok();
  last_chunk_ = kNoChunk;
  state_.is_touched = true;
  if (!can) return RunChunk(chunk);
  PutDeclaredMarksBack();
  const bool is_done = internal::WithMemory([&] { return TryAnother(chunk); }, [&] { return GiveUp(), true; });
  keeps_heap_ = false;
  locals_->set_recalls(false);
  if (!is_done) {
    evaluation_.diagnostics_.Clear();
    interpreter_->failures()->Begin(program_->is_pure() ? Mode::kCount : Mode::kWriteAll);
    return RunChunk(chunk);
  }
  evaluation_.fuel_left_ = interpreter_->fuel_left();
  if (evaluation_.ok()) last_chunk_ = chunk;
  return evaluation_;
}

// Functions that are not pure are not called once more for the sake of better texts.
bool Evaluator::TryAnother(uint32_t chunk) {
  keeps_heap_ = true;
  const uint64_t releases = declared_ == nullptr ? 0 : declared_->releases();
  evaluation_.warnings_.Clear();
  if (!PrepareVariables(chunk)) return !program_->is_pure();
  AddWarnings(chunk);
  if (declared_ != nullptr && declared_->releases() != releases) return false;
  locals_->set_recalls(true);
  interpreter_->Evaluate(chunk, &evaluation_.value_);
  TakeDeclaredMarks(chunk);
  const bool fails = interpreter_->failures()->counted() || !evaluation_.diagnostics_.empty();
  evaluation_.diagnostics_.DropRepeated();
  return !fails || !program_->is_pure();
}

bool Evaluator::TakeUpKept(absl::Span<const uint32_t> changed) {
  if (!evaluation_.ok() || (last_chunk_ != program_->main_chunk() && last_chunk_ != kKeptChunk)) return false;
  const absl::Span<const Value> given = absl::MakeConstSpan(slots_, program_->variables().size());
  if (lazy_ != nullptr && std::any_of(given.begin(), given.end(), [](const Value& value) {
        return internal::IsInternal(value) && !internal::IsAbsent(value);
      })) {
    return false;
  }
  // What a module makes of a lazy variable stands in its slot.
  if (lazy_ != nullptr && declared_ != nullptr) return false;
  if (kept_ == nullptr) kept_ = std::make_unique<internal::KeptRun>(internal::TablesOf(*program_));
  if (!kept_->plan().is_usable()) return false;
  const uint64_t releases = declared_ == nullptr ? 0 : declared_->releases();
  if (last_chunk_ == kKeptChunk) {
    HCL_DCHECK(kept_->IsUnchanged(given, changed));
  } else {
    kept_->Begin(evaluation_.value_, heap_.limits().max_fuel - evaluation_.fuel_left_, &heap_, releases);
  }
  return !kept_->IsFull(&heap_);
}

// Variables that are converted anew as a whole, to have their memory back, are no longer where kept values point.
bool Evaluator::RunChanged(absl::Span<const uint32_t> changed) {
  if (!TakeUpKept(changed)) return false;
  last_chunk_ = kNoChunk;
  for (const uint32_t slot : changed) {
    HCL_DCHECK(slot < program_->variables().size());
    if (locals_ == nullptr) continue;
    for (const uint32_t local : kept_->plan().LocalsOf(slot)) locals_->SetStale(local);
  }
  if (state_.is_layered) {
    keeps_heap_ = true;
    evaluation_.warnings_.Clear();
    if (!PrepareVariables(program_->main_chunk())) {
      evaluation_.fuel_left_ = interpreter_->fuel_left();
      return true;
    }
    if (declared_ != nullptr && declared_->releases() != kept_->releases()) return false;
    AddWarnings(program_->main_chunk());
  }
  if (locals_ != nullptr) locals_->BeginCount(), locals_->set_recalls(true);
  const uint64_t max_fuel = heap_.limits().max_fuel;
  const uint64_t max_weight = heap_.limits().max_result_bytes / sizeof(Value);
  uint64_t left = max_fuel;
  uint64_t failed_fuel = 0;  // at most so much more than what the parts that fail now have used before
  bool fits = true;
  for (const uint32_t part : kept_->Changed(changed)) {
    const uint64_t paid = locals_ == nullptr ? 0 : locals_->paid();
    Value value;
    interpreter_->Evaluate(kept_->plan().parts()[part].chunk, left, &value);
    const uint64_t used = left - interpreter_->fuel_left();
    left -= used;
    if (evaluation_.diagnostics_.has_limit()) return false;
    if (value.is_error() || interpreter_->failures()->counted()) {
      if (program_->is_pure()) return false;
      fits = false;
      failed_fuel += used;
      continue;
    }
    const uint64_t for_locals = locals_ == nullptr ? 0 : locals_->paid() - paid;
    if (!kept_->Put(part, value, used - for_locals, max_weight)) return false;
  }
  if (locals_ != nullptr) kept_->AddFuel(locals_->grown());
  if (kept_->fuel() + failed_fuel > max_fuel) return false;
  evaluation_.fuel_left_ = max_fuel - kept_->fuel() - failed_fuel;
  evaluation_.value_ = fits ? kept_->value() : Value();
  if (!fits) return true;
  TakeDeclaredMarks(program_->main_chunk());
  last_chunk_ = kKeptChunk;
#if HCL_DCHECK_IS_ON
  kept_->Remember(absl::MakeConstSpan(slots_, program_->variables().size()));
#endif
  return true;
}

}  // namespace hcl
