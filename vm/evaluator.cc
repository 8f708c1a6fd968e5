// Evaluator: scopes and runs; the loop itself is vm/interpreter.cc. Tested by vm/evaluator_test.cc.

#include "hclvm/vm/evaluator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/base_tables.h"
#include "hclvm/vm/declared_variables.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/json/form_reader.h"
#include "hclvm/vm/kept_run.h"
#include "hclvm/vm/lazy_variables.h"
#include "hclvm/vm/local_values.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/read_types.h"
#include "hclvm/vm/row_memory.h"
#include "hclvm/vm/run_parts.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/scope_variables.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::InternalValue;
using internal::IsAbsent;
using BaseVariable = internal::BaseTables::Variable;
using Mode = internal::Failures::Mode;

// All that a run needs is made here, in sizes that the program states, so that a run allocates from the arena only. An
// internal value in a slot says that the variable is not bound; null would be a value that a host may bind. Failures
// are only counted at first where the program is pure, since only then a second run for their texts gives the same.
Evaluator::Evaluator(std::shared_ptr<const Program> program, const Limits& limits)
    : evaluation_(limits.max_diagnostics),
      program_(std::move(program)),
      heap_(program_->types(), program_->dialect(), limits),
      frame_(internal::TablesOf(*program_).frame_size()),
      paths_(internal::TablesOf(*program_).paths().size()),
      hints_(internal::TablesOf(*program_).path_step_count()),
      attributes_(internal::TablesOf(*program_).names().size()) {
  const internal::ProgramTables& tables = internal::TablesOf(*program_);
  slots_ = frame_.data() + tables.layout().slots_begin();
  tables.BeginFrame(frame_.data());
  heap_.set_watch(&state_.is_touched);
  interpreter_ =
      std::make_unique<internal::Interpreter>(tables, &heap_, frame_.data(), paths_.data(), hints_.data(),
                                              attributes_.data(), &conversions_, &evaluation_.diagnostics_, &state_);
  if (program_->is_pure()) interpreter_->failures()->Begin(Mode::kCount);
  if (tables.module() == nullptr) return;
  declared_ = std::make_unique<internal::DeclaredVariables>(tables, slots_, heap_, &state_);
  state_.is_layered = true;
  if (tables.module()->locals.empty()) return;
  locals_ = std::make_unique<internal::LocalValues>(tables, slots_);
  interpreter_->set_locals(locals_.get());
}

// The interpreter stands in front of what it points to.
Evaluator::~Evaluator() { interpreter_.reset(); }

bool Evaluator::Bind(std::string_view name, const Value& value) {
  const std::optional<uint32_t> slot = program_->FindSlot(name);
  if (slot) Bind(*slot, value);
  return slot.has_value();
}

// Goes over the program's variables and not over the object's keys, since a host may have many names that the program
// does not read. Every slot is written, so that nothing of an earlier scope is left.
void Evaluator::BindAll(const Value& object) {
  const Shape& shape = object.shape();
  interpreter_->set_scope(&shape);
  const absl::Span<const std::string_view> names = program_->variables();
  size_t given = 0;
  for (uint32_t slot = 0; slot < names.size(); ++slot) {
    const int64_t at = shape.Find(names[slot]);
    given += at < 0 ? 0 : 1;
    Bind(slot, at < 0 ? InternalValue(nullptr) : object.values()[static_cast<size_t>(at)]);
  }
  if (declared_ != nullptr) declared_->set_scope(given < shape.size ? &shape : nullptr, given == 0);
}

void Evaluator::BindAll(const ScopeReader& scope) {
  using internal::FormReader;
  const ScopeReader::Impl& read = *scope.impl_;
  HCL_DCHECK(read.reads->types().program == program_);
  if (declared_ != nullptr) declared_->set_scope(nullptr, false);
  interpreter_->set_scope(nullptr);
  const FormReader::Given* const all = read.reader.given().data();
  const std::vector<uint32_t>& properties = read.properties;
  // Each slot has a property of its own where there are as many.
  const bool has_each = properties.size() + 1 == read.reader.given().size();
  const bool is_simple = state_.is_layered && base_ == nullptr && has_each && read.reader.are_all_declared() &&
                         declared_->are_all_direct();
  if (!state_.is_layered || is_simple) {
    Value* to = slots_;
    for (const uint32_t property : properties) *to++ = all[property].value;
    return;
  }
  for (uint32_t slot = 0; slot < properties.size(); ++slot) {
    const FormReader::Given& given = all[properties[slot]];
    const bool is_declared = given.state == FormReader::State::kDeclared;
    if (base_ != nullptr) {
      GiveAbove(slot, given.value, is_declared);
    } else if (is_declared) {
      declared_->GivePrepared(slot, given.value, /*is_valid=*/false);
    } else {
      declared_->Give(slot, given.value);
    }
  }
}

void Evaluator::UnbindAll() {
  if (declared_ != nullptr) declared_->set_scope(nullptr, false);
  for (uint32_t slot = 0; slot < program_->variables().size(); ++slot) {
    Bind(slot, InternalValue(nullptr));
  }
  last_chunk_ = kNoChunk;
  interpreter_->set_scope(nullptr);
  if (lazy_ != nullptr) lazy_->Clear();
}

// What is kept of a lazy variable stays where it is while the slot stands for it; another value in the slot hides it.
void Evaluator::BindLazy(uint32_t slot, LazyCallback callback) {
  HCL_DCHECK(slot < program_->variables().size() && callback != nullptr);
  if (lazy_ == nullptr) {
    lazy_ = std::make_unique<internal::LazyVariables>(slots_, internal::TablesOf(*program_).slot_names().size(), heap_);
    interpreter_->set_lazy(lazy_.get());
  }
  lazy_->Bind(slot, std::move(callback));
  if (state_.is_layered) Bind(slot, Value(slots_[slot]));
}

bool Evaluator::BindLazy(std::string_view name, LazyCallback callback) {
  const std::optional<uint32_t> slot = program_->FindSlot(name);
  if (slot) BindLazy(*slot, std::move(callback));
  return slot.has_value();
}

void Evaluator::set_interrupt(const Interrupt& interrupt) {
  heap_.set_interrupt(interrupt);
  if (lazy_ != nullptr) lazy_->set_interrupt(interrupt);
  if (declared_ != nullptr) declared_->set_interrupt(interrupt);
  interpreter_->UpdateInterrupt();
  state_.is_touched = true;
}

const Evaluation& Evaluator::RunChunk(uint32_t chunk) {
  last_chunk_ = chunk;
  internal::WithMemory([this] { RunLast(); }, [this] { GiveUp(); });
  return evaluation_;
}

// An entry that is a path of some steps is nearly as short as one that is a variable.
ABSL_ATTRIBUTE_NOINLINE void Evaluator::RunReading() {
  const internal::Instruction* const code = interpreter_->BeginOf(last_chunk_);
  if (!interpreter_->ReadAtOnce(code, &evaluation_.value_)) return RunCode(code);
  evaluation_.fuel_left_ = interpreter_->max_fuel() - internal::Interpreter::kReadFuel;
}

bool Evaluator::IsTouched() const {
  return interpreter_->MustBeginAnew() || !evaluation_.diagnostics_.empty() || !evaluation_.warnings_.empty() ||
         evaluation_.has_declared_marks_ || !heap_.CanResetAtOnce();
}

ABSL_ATTRIBUTE_NOINLINE void Evaluator::RunWithCare() {
  Forget();
  if (!state_.is_layered) {
    RunBound(last_chunk_);
  } else if (IsReady(last_chunk_)) {
    const bool may_warn = declared_->may_warn();
    if (!may_warn && !declared_->ReadsSensitive(last_chunk_)) state_.ready_chunk = last_chunk_;
    RunLayered(last_chunk_);
    if (may_warn) AddWarnings(last_chunk_);
  } else if (PrepareVariables(last_chunk_)) {
    RunLayered(last_chunk_);
    AddWarnings(last_chunk_);
  }
  TakeDeclaredMarks(last_chunk_);
  state_.is_touched = IsTouched();
  evaluation_.fuel_left_ = interpreter_->fuel_left();
}

// Nothing is shown that a run has made of what is sensitive, and yet hosts get the values that they ask for.
void Evaluator::TakeDeclaredMarks(uint32_t chunk) {
  if (declared_ == nullptr || !declared_->ReadsSensitive(chunk)) return;
  if ((MarksIn(evaluation_.value_) & internal::kDeclaredMark) == 0) return;
  evaluation_.has_declared_marks_ = true;
  evaluation_.marked_value_ = evaluation_.value_;
  evaluation_.value_ = internal::WithoutDeclaredMarks(evaluation_.value_, heap_.arena());
}

// A run that fails stays touched, so that the next one begins anew.
ABSL_ATTRIBUTE_NOINLINE void Evaluator::Conclude() {
  if (interpreter_->Conclude(&evaluation_.value_)) {
    if (interpreter_->failures()->counted()) WriteDiagnostics(last_chunk_);
    if (locals_ != nullptr) evaluation_.diagnostics_.DropRepeated();
    return;
  }
  state_.is_touched = IsTouched();
}

// Whether there is nothing to do but to run.
bool Evaluator::IsReady(uint32_t chunk) const { return base_ == nullptr && declared_->IsReady(chunk); }

void Evaluator::RunLayered(uint32_t chunk) {
  if (locals_ != nullptr) locals_->ForgetMade();
  RunBound(chunk);
  if (locals_ != nullptr && !evaluation_.diagnostics_.empty()) evaluation_.diagnostics_.DropRepeated();
}

void Evaluator::Give(uint32_t slot, const Value& value) {
  base_ == nullptr ? declared_->Give(slot, value) : GiveAbove(slot, value, /*is_declared=*/false);
}

// Above a base. What must not be given has no effect but that runs fail.
void Evaluator::GiveAbove(uint32_t slot, const Value& value, bool is_declared) {
  refused_.erase(slot);
  const BaseVariable& below = base_->tables().variables[slot];
  if (below.is_given && (IsAbsent(value) || !below.is_replaceable)) {
    if (!IsAbsent(value)) refused_.insert(slot);
    return GiveBelow(slot);
  }
  if (declared_ == nullptr) {
    slots_[slot] = value;
  } else {
    is_declared ? declared_->GivePrepared(slot, value, /*is_valid=*/false) : declared_->Give(slot, value);
  }
}

void Evaluator::GiveBelow(uint32_t slot) {
  const BaseVariable& below = base_->tables().variables[slot];
  declared_ == nullptr ? void(slots_[slot] = below.value) : declared_->GivePrepared(slot, below.value, below.is_valid);
}

void Evaluator::BindBase(std::shared_ptr<const BaseLayer> base) {
  HCL_DCHECK(base == nullptr || &base->program() == program_.get());
  if (base == base_) return;
  base_ = std::move(base);
  state_.is_layered = declared_ != nullptr || base_ != nullptr;
  state_.ready_chunk = kNoChunk;
  if (locals_ != nullptr) locals_->BindBase(base_ == nullptr ? nullptr : &base_->tables());
  refused_.clear();
  UnbindAll();
}

bool Evaluator::ReportRefused() {
  evaluation_.value_ = Value();
  interpreter_->RefillFuel();
  for (const uint32_t slot : refused_) {
    Diagnostic diagnostic(DiagnosticCode::kVariableInBase);
    diagnostic.detail =
        absl::StrCat("The variable \"", internal::ToAbsl(internal::Excerpt(program_->variables()[slot])),
                     "\" is given by the base, so that a request must not give it.");
    evaluation_.diagnostics_.Add(std::move(diagnostic));
  }
  return false;
}

void Evaluator::set_check_all(bool check_all) {
  if (declared_ != nullptr) declared_->set_check_all(check_all);
}

void Evaluator::set_unknown_input(UnknownInput unknown) {
  if (declared_ != nullptr) declared_->set_unknown_input(unknown);
}

bool Evaluator::LacksAny(uint32_t chunk) const { return declared_ != nullptr && declared_->LacksAny(chunk); }

void Evaluator::AddWarnings(uint32_t chunk) {
  if (declared_ != nullptr && declared_->may_warn()) declared_->AddWarnings(chunk, &evaluation_.warnings_);
}

size_t Evaluator::PreparedBytes() const { return declared_ == nullptr ? 0 : declared_->bytes(); }

// Nothing runs where a variable is not what it has to be. Conditions of validations read variables, so that these are
// all there first.
bool Evaluator::PrepareVariables(uint32_t chunk) {
  if (!refused_.empty()) return ReportRefused();
  if (declared_ == nullptr || declared_->IsReady(chunk)) return true;
  const bool fits =
      declared_->CheckNames(&evaluation_.diagnostics_) &&
      declared_->Convert(chunk, keeps_heap_, lazy_.get(), &evaluation_.diagnostics_) &&
      declared_->Validate(chunk, [this](const auto& variable, const auto& rule) { return Meets(variable, rule); });
  if (lazy_ != nullptr) interpreter_->EndRun();
  if (!fits) {
    evaluation_.value_ = Value();
    interpreter_->RefillFuel();
  }
  return fits;
}

// Each has the fuel of a run, which is not the run's own. A condition that is not known may be met. Texts are written
// in a second run, as those of a run are; the message is asked for then only.
bool Evaluator::Meets(const internal::ModuleVariable& variable, const internal::ModuleValidation& validation) {
  const size_t before = evaluation_.diagnostics_.count();
  const auto run = [this](uint32_t chunk) {
    if (!keeps_heap_) heap_.Reset();
    interpreter_->Evaluate(chunk, &evaluation_.value_);
  };
  const auto report = [&](DiagnosticCode code, std::string detail) {
    Diagnostic diagnostic(code);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = validation.range;
    diagnostic.source = variable.source;
    evaluation_.diagnostics_.Add(std::move(diagnostic));
  };
  Value& value = evaluation_.value_;
  run(validation.condition);
  const bool failed = interpreter_->failures()->counted() || evaluation_.diagnostics_.count() > before;
  if (!failed && (value.unmarked().is_true() || value.unmarked().is_unknown())) return true;
  interpreter_->failures()->Begin(Mode::kWriteAll);
  if (failed) {
    if (program_->is_pure()) run(validation.condition);
  } else if (value.unmarked().is_false()) {
    if (!validation.sensitive) run(validation.message);
    const bool is_text = value.unmarked().is_string() && !value.is_marked();
    report(DiagnosticCode::kValidationFailed,
           is_text ? std::string(value.AsString())
                   : absl::StrCat("The condition for the variable \"", variable.name, "\" does not hold."));
  } else {
    report(DiagnosticCode::kInvalidValidation,
           "The condition of a validation must be true or false, and this one is neither.");
  }
  interpreter_->failures()->Begin(program_->is_pure() ? Mode::kCount : Mode::kWriteAll);
  return false;
}

// The run was left in the middle: what it has made is given back first, so that there is memory for the diagnostic, and
// what it has remembered of types and failures is forgotten. The program and the scope are as before.
void Evaluator::GiveUp() {
  state_.is_touched = true;
  heap_.Release();
  interpreter_->EndRun();
  if (lazy_ != nullptr) lazy_->Release();
  if (declared_ != nullptr) declared_->Release();
  conversions_ = ConversionCache();
  last_chunk_ = kNoChunk;
  keeps_heap_ = false;
  if (locals_ != nullptr) locals_->set_recalls(false);
  evaluation_.value_ = Value();
  evaluation_.has_declared_marks_ = false;
  evaluation_.fuel_left_ = interpreter_->fuel_left();
  evaluation_.diagnostics_.Clear();
  interpreter_->failures()->Begin(program_->is_pure() ? Mode::kCount : Mode::kWriteAll);
  internal::ReportOutOfMemory(&evaluation_.diagnostics_);
}

// A run that only counts has found that something fails; a second run over the same slots makes the texts (Failures).
// It costs a whole run, but only where one fails. The fuel that is left is the same after both. There is no second run
// where a limit is all that has been met: its diagnostic is there.
void Evaluator::WriteDiagnostics(uint32_t chunk) {
  if (!program_->is_pure()) return;  // they are there already
  internal::Failures* const failures = interpreter_->failures();
  const bool limit_alone = failures->count() == 1 && !evaluation_.diagnostics_.empty();
  const auto run_again = [&](Mode mode) {
    if (internal::TablesOf(*program_).records() != nullptr) internal::RestartRecorder(&heap_);
    heap_.Reset();
    evaluation_.diagnostics_.Clear();
    failures->Begin(mode);
    interpreter_->Evaluate(chunk, &evaluation_.value_);
  };
  if (!limit_alone) run_again(Mode::kWriteCounted);
  // The first run of an evaluator takes somewhat more memory than those behind it, whose values lie in one block. Where
  // it has reached the limit and the second one has not, the failures may be others than those that were counted, and
  // none of them has a text.
  const Diagnostics& written = evaluation_.diagnostics_;
  if (!written.empty() && written.kept().empty() && !written.full()) run_again(Mode::kWriteAll);
  failures->Begin(Mode::kCount);
  interpreter_->EndRun();
}

}  // namespace hcl
