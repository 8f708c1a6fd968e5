// Evaluator: scopes and runs; the loop itself is vm/interpreter.cc. Tested by vm/evaluator_test.cc.

#include "hclvm/vm/evaluator.h"

#include <optional>
#include <utility>

#include "hclvm/vm/interpreter.h"

namespace hcl {

Evaluator::Evaluator(std::shared_ptr<const Program> program, const Limits& limits)
    : program_(std::move(program)),
      heap_(program_->types(), program_->dialect(), limits),
      slots_(program_->variables().size(), Value::Internal(nullptr)),
      registers_(2 * static_cast<size_t>(program_->max_registers())),
      paths_(program_->paths().size()),
      hints_(program_->path_step_count()),
      attribute_hints_(program_->code().size()),
      evaluation_(limits.max_diagnostics),
      interpreter_(std::make_unique<internal::Interpreter>(*program_, &heap_, slots_.data(), paths_.data(),
                                                           hints_.data(), attribute_hints_.data(), &conversions_,
                                                           &evaluation_.diagnostics_)) {
  interpreter_->set_sketch(program_->is_pure());
}

Evaluator::~Evaluator() = default;

bool Evaluator::Bind(std::string_view name, const Value& value) {
  const std::optional<uint32_t> slot = program_->FindSlot(name);
  if (slot) slots_[*slot] = value;
  return slot.has_value();
}

void Evaluator::BindAll(const Value& object) {
  const Shape& shape = object.shape();
  interpreter_->set_scope(&shape);
  const absl::Span<const std::string_view> names = program_->variables();
  for (uint32_t slot = 0; slot < names.size(); ++slot) {
    const int64_t at = shape.Find(names[slot]);
    slots_[slot] = at < 0 ? Value::Internal(nullptr) : object.values()[static_cast<size_t>(at)];
  }
}

void Evaluator::UnbindAll() {
  for (Value& slot : slots_) slot = Value::Internal(nullptr);
  interpreter_->set_scope(nullptr);
}

const Evaluation& Evaluator::RunChunk(uint32_t chunk) {
  heap_.Reset();
  if (!evaluation_.diagnostics_.empty()) evaluation_.diagnostics_.Clear();
  interpreter_->Evaluate(chunk, registers_.data(), &evaluation_.value_);
  if (!evaluation_.diagnostics_.empty()) RunForDiagnostics(chunk);
  evaluation_.fuel_left_ = interpreter_->fuel_left();
  return evaluation_;
}

void Evaluator::RunForDiagnostics(uint32_t chunk) {
  if (!program_->is_pure()) return;  // they are there already
  heap_.Reset();
  evaluation_.diagnostics_.Clear();
  interpreter_->set_sketch(false);
  interpreter_->Evaluate(chunk, registers_.data(), &evaluation_.value_);
  interpreter_->set_sketch(true);
}

}  // namespace hcl
