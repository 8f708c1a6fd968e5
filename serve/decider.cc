// Decider. Tested by serve/decide_api_test.cc.

#include "hclvm/serve/decider.h"

#include <algorithm>

#include "hclvm/base/diagnostic_code.h"

namespace hcl::serve {

// A scope is to blame where binding it has failed, which is before anything ran; what a run says comes of the policy.
Outcome OutcomeOf(const Diagnostics& diagnostics) {
  if (diagnostics.has_limit()) return Outcome::kLimit;
  const bool is_scope = std::all_of(diagnostics.kept().begin(), diagnostics.kept().end(), [](const Diagnostic& found) {
    return found.code == DiagnosticCode::kMissingVariable || found.code == DiagnosticCode::kUnsuitableValue ||
           found.code == DiagnosticCode::kValidationFailed;
  });
  return is_scope ? Outcome::kBadScope : Outcome::kError;
}

Reason ReasonOf(const Diagnostics& diagnostics) {
  for (const Diagnostic& found : diagnostics.kept()) {
    switch (found.code) {
      case DiagnosticCode::kTooManySteps:
        return Reason::kFuel;
      case DiagnosticCode::kResultTooLarge:
      case DiagnosticCode::kValueTooLarge:
      case DiagnosticCode::kOutOfMemory:
      case DiagnosticCode::kOutputTooLarge:
        return Reason::kMemory;
      case DiagnosticCode::kEvaluationInterrupted:
      case DiagnosticCode::kReadingInterrupted:
      case DiagnosticCode::kWritingInterrupted:
        return Reason::kDeadline;
      default:
        break;
    }
  }
  return Reason::kOther;
}

void Decider::Use(const std::shared_ptr<const Bundle>& bundle) {
  if (bundle == bundle_) return;
  evaluators_.clear();
  evaluator_count_ = 0;
  before_.reset();
  behind_.reset();
  bundle_ = bundle;
  if (bundle_ != nullptr) evaluators_.resize(bundle_->modules().size());
}

// An evaluator that has worked holds some kilobytes, up to megabytes. Where there are more modules than evaluators may
// be kept, all are dropped when there are too many: that is rare, and costs as little on average as choosing would.
Evaluator* Decider::EvaluatorFor(uint32_t module) {
  std::unique_ptr<Evaluator>& evaluator = evaluators_[module];
  if (evaluator == nullptr) {
    if (evaluator_count_ >= max_evaluators_) {
      for (auto& other : evaluators_) other.reset();
      evaluator_count_ = 0;
    }
    evaluator = std::make_unique<Evaluator>(bundle_->modules()[module].program, limits_);
    ++evaluator_count_;
  }
  return evaluator.get();
}

Decision Decider::Run(const BundleEntry& entry, const Value& scope, const Interrupt& interrupt) {
  Evaluator* const evaluator = EvaluatorFor(entry.module);
  evaluator->set_interrupt(interrupt);
  evaluator->BindAll(scope);
  const Evaluation& evaluation = evaluator->Run(*entry.entry);
  Decision decision;
  decision.fuel = limits_.max_fuel - std::min(limits_.max_fuel, evaluation.fuel_left());
  if (evaluation.ok()) {
    decision.outcome = Outcome::kValue;
    decision.value = evaluation.value();
    return decision;
  }
  decision.diagnostics = &evaluation.diagnostics();
  decision.source = &evaluator->program().source();
  decision.outcome = OutcomeOf(evaluation.diagnostics());
  decision.reason = ReasonOf(evaluation.diagnostics());
  return decision;
}

Evaluator* Decider::before() {
  if (before_ == nullptr) before_ = std::make_unique<Evaluator>(bundle_->authz()->program, limits_);
  return before_.get();
}

Evaluator* Decider::behind() {
  if (behind_ == nullptr) behind_ = std::make_unique<Evaluator>(bundle_->authz()->program, limits_);
  return behind_.get();
}

}  // namespace hcl::serve
