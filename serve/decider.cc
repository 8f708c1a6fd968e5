// Decider. Tested by serve/decide_api_test.cc.

#include "hclvm/serve/decider.h"

#include <algorithm>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/unknown_input.h"

namespace hcl::serve {
namespace {

constexpr uint8_t kUsesBeforeReader = 2;

}  // namespace

// A scope is to blame where binding it has failed, which is before anything ran; what a run says comes of the policy.
Outcome OutcomeOf(const Diagnostics& diagnostics) {
  if (diagnostics.has_limit()) return Outcome::kLimit;
  const bool is_scope = std::all_of(diagnostics.kept().begin(), diagnostics.kept().end(), [](const Diagnostic& found) {
    return found.code == DiagnosticCode::kMissingVariable || found.code == DiagnosticCode::kUnsuitableValue ||
           found.code == DiagnosticCode::kValidationFailed || found.code == DiagnosticCode::kVariableInBase ||
           found.code == DiagnosticCode::kUndeclaredInput;
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

// What an entry reads of a scope, and the reader that reads no more.
struct Decider::TextReader {
  TextReader(std::shared_ptr<const Program> program, uint32_t chunk, const BaseLayer* base)
      : reads(std::move(program), chunk), scope(reads, base) {}

  const Reads reads;
  ScopeReader scope;
};

Decider::Decider(const Limits& limits, const ScopeChecks& scopes, size_t max_evaluators)
    : limits_(limits), scopes_(scopes), max_evaluators_(max_evaluators) {}

Decider::~Decider() = default;

// Where memory is refused on the way, there is no bundle, and the next call begins anew.
void Decider::Use(const std::shared_ptr<const Bundle>& bundle, const std::shared_ptr<const DataLayers>& layers) {
  if (bundle == bundle_ && layers == layers_) return;
  evaluators_.clear();
  evaluator_count_ = 0;
  text_readers_.clear();
  uses_.clear();
  before_.reset();
  behind_.reset();
  made_.clear();
  bundle_ = nullptr;
  layers_ = nullptr;
  if (bundle != nullptr) {
    evaluators_.resize(bundle->modules().size());
    uses_.resize(bundle->entries().size());
  }
  bundle_ = bundle;
  layers_ = layers;
}

const BaseLayer* Decider::LayerOf(uint32_t module) const {
  return layers_ == nullptr ? nullptr : layers_->of_modules[module].get();
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
    // Kept when it is complete: it must never run without its data.
    auto made = std::make_unique<Evaluator>(bundle_->modules()[module].program, limits_);
    made->set_check_all(scopes_.check_all);
    made->set_unknown_input(scopes_.unknown_input);
    if (layers_ != nullptr) made->BindBase(layers_->of_modules[module]);
    evaluator = std::move(made);
    ++evaluator_count_;
  }
  return evaluator.get();
}

Decision Decider::Run(const BundleEntry& entry, const Value& scope, const Interrupt& interrupt,
                      const std::vector<bool>* changed) {
  Evaluator* const evaluator = EvaluatorFor(entry.module);
  evaluator->set_interrupt(interrupt);
  if (changed == nullptr) evaluator->BindAll(scope);
  for (size_t n = 0; changed != nullptr && n < changed->size(); ++n) {
    if ((*changed)[n]) evaluator->Bind(scope.shape().keys[n].AsString(), scope.values()[n]);
  }
  return Conclude(*evaluator, evaluator->Run(*entry.entry));
}

Decision Decider::Conclude(const Evaluator& evaluator, const Evaluation& evaluation) const {
  Decision decision;
  decision.fuel = limits_.max_fuel - std::min(limits_.max_fuel, evaluation.fuel_left());
  decision.source = &evaluator.program().source();
  if (!evaluation.warnings().empty()) decision.warnings = &evaluation.warnings();
  if (evaluation.ok()) {
    decision.outcome = Outcome::kValue;
    decision.value = evaluation.value();
    decision.marked_value = evaluation.marked_value();
    return decision;
  }
  decision.diagnostics = &evaluation.diagnostics();
  decision.outcome = OutcomeOf(evaluation.diagnostics());
  decision.reason = ReasonOf(evaluation.diagnostics());
  return decision;
}

// To find out what an entry reads costs as much as some hundred runs, and takes some kilobytes: that is for entries
// that are asked for again and again. Where there are many, those that came first have it.
Decider::TextReader* Decider::TextReaderFor(const BundleEntry& entry) {
  if (scopes_.check_all || scopes_.unknown_input == UnknownInput::kError) return nullptr;
  uint8_t& uses = uses_[entry.index];
  if (uses < kUsesBeforeReader) return ++uses, nullptr;
  const auto found = text_readers_.find(entry.index);
  if (found != text_readers_.end()) return found->second.get();
  if (text_readers_.size() >= max_evaluators_) return nullptr;
  auto reader =
      std::make_unique<TextReader>(bundle_->modules()[entry.module].program, entry.entry->chunk, LayerOf(entry.module));
  return text_readers_.emplace(entry.index, std::move(reader)).first->second.get();
}

// What could not be done for want of time is not tried again.
bool Decider::RunText(const BundleEntry& entry, std::string_view text, Heap* heap, const Interrupt& interrupt,
                      Decision* decision) {
  TextReader* const reader = TextReaderFor(entry);
  if (reader == nullptr || !reader->scope.Read(text, heap)) return false;
  if (scopes_.unknown_input == UnknownInput::kNear && reader->scope.MayBeMisspelled()) return false;
  Evaluator* const evaluator = EvaluatorFor(entry.module);
  evaluator->set_interrupt(interrupt);
  evaluator->BindAll(reader->scope);
  *decision = Conclude(*evaluator, evaluator->Run(*entry.entry));
  return decision->outcome == Outcome::kValue || interrupt.Reached();
}

Evaluator* Decider::before() {
  if (before_ == nullptr) before_ = std::make_unique<Evaluator>(bundle_->service_program(), limits_);
  return before_.get();
}

Evaluator* Decider::behind() {
  if (behind_ == nullptr) behind_ = std::make_unique<Evaluator>(bundle_->service_program(), limits_);
  return behind_.get();
}

Evaluator* Decider::variable(size_t n) {
  if (made_.empty()) made_.resize(bundle_->authzen()->made.size());
  if (made_[n] == nullptr) made_[n] = std::make_unique<Evaluator>(bundle_->service_program(), limits_);
  return made_[n].get();
}

}  // namespace hcl::serve
