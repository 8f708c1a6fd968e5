// Decisions of requests. Tested by serve/decide_api_test.cc and serve/forward_auth_test.cc.
//
// What is logged and compared is noted while a request is answered, and done when its answer has gone out. Values of
// the scope live until the next request begins; results do not, and are kept as the JSON that was made of them anyway.

#include "hclvm/serve/decision_runner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/decision_text.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::serve {
namespace {

constexpr std::string_view kNoLabels = "{}";

}  // namespace

DecisionRunner::DecisionRunner(Service* service)
    : service_(service),
      revision_(service->current()),
      decider_(service->options().limits, service->options().scopes),
      shadow_decider_(service->options().limits, service->options().scopes),
      heap_(nullptr, service->options().bundle.compile.dialect, service->options().limits),
      late_heap_(nullptr, service->options().bundle.compile.dialect, service->options().limits),
      output_limits_(service->options().limits) {}

// The pointer is taken anew only when there is another revision, so that threads do not meet at its counter.
// The generation is noted at last: where memory is refused before, the next request takes up the revision anew.
bool DecisionRunner::Begin(const RequestContext& context) {
  if (const uint64_t generation = service_->generation(); generation_ != generation) {
    revision_ = service_->current();
    decider_.Use(revision_->bundle, revision_->layers);
    shadow_decider_.Use(revision_->shadow, revision_->shadow_layers);
    generation_ = generation;
  }
  pending_.clear();
  results_.clear();
  heap_.Reset();
  if (revision_->bundle == nullptr) return false;
  started_ = std::chrono::steady_clock::now();
  interrupt_.deadline = std::min(context.arrival + service_->options().timeout, context.deadline);
  interrupt_.cancel = context.cancel;
  heap_.set_interrupt(interrupt_);
  output_limits_.interrupt = interrupt_;
  keeps_results_ = service_->log() != nullptr || revision_->shadow != nullptr;
  trace_id_.clear();
  span_id_.clear();
  requested_by_.clear();
  request_id_.clear();
  if (service_->log() == nullptr) return true;
  requested_by_ = context.requested_by;
  request_id_ = context.request_id;
  if (const auto trace = ParseTraceParent(context.trace_parent)) {
    trace_id_ = trace->trace_id;
    span_id_ = trace->span_id;
  }
  return true;
}

bool DecisionRunner::Begin(const HttpRequest& request, std::string_view request_id) {
  RequestContext context;
  context.arrival = request.arrival;
  context.requested_by = request.principal;
  context.request_id = request_id;
  const std::string_view* const parent = service_->log() == nullptr ? nullptr : request.Find("traceparent");
  if (parent != nullptr) context.trace_parent = *parent;
  return Begin(context);
}

std::string_view DecisionRunner::data_revision() const {
  return revision_->data == nullptr ? std::string_view() : revision_->data->revision;
}

// They fit, as they do for the module's program.
std::shared_ptr<const BaseLayer> DecisionRunner::RecordingLayer(uint32_t module) const {
  if (revision_->layers == nullptr || revision_->layers->of_modules[module] == nullptr) return nullptr;
  const DataOptions& data = service_->options().data;
  BaseOptions base;
  base.limits = internal::RecordingLimits(data.limits);
  base.replaceable = data.replaceable;
  Diagnostics ignored;
  return BaseLayer::Make(bundle().modules()[module].recording, revision_->data->data, base, &ignored);
}

// A block with `variables` gives the entry nothing else, and says how it takes what it reads. What is not read by an
// entry could be no value of the type that it declares, so that modules get all.
const HttpNeeds& DecisionRunner::http_needs() {
  if (http_needs_generation_ == generation_) return http_needs_;
  http_needs_ = HttpNeeds();
  if (is_mapped()) {
    http_needs_.Add(bundle().authz()->reads->needed());
    http_needs_.set_is_declared(true);
  } else {
    if (bundle().authz() != nullptr) http_needs_.Add(*bundle().authz()->program);
    const BundleEntry* const entry = bundle().authz_entry();
    entry == nullptr ? http_needs_.AddAll() : http_needs_.Add(*bundle().modules()[entry->module].program);
  }
  http_needs_generation_ = generation_;
  return http_needs_;
}

std::string_view DecisionRunner::NewId() { return id_ = ids_.Next(); }

Decision DecisionRunner::Run(const BundleEntry& entry, const Value& scope, std::string_view text, std::string* out) {
  Decision decision = is_late() ? LateDecision() : decider_.Run(entry, scope, interrupt_);
  Answer(entry, scope, text, &decision, out);
  return decision;
}

bool DecisionRunner::RunText(const BundleEntry& entry, std::string_view text, std::string* out, Decision* decision) {
  if (!decider_.RunText(entry, text, &heap_, interrupt_, decision)) return false;
  Answer(entry, Value::Null(), text, decision, out);
  return true;
}

void DecisionRunner::CountWarnings(const Decision& decision) {
  if (decision.warnings == nullptr) return;
  const std::vector<Diagnostic>& all = decision.warnings->kept();
  const bool is_misspelled = std::any_of(all.begin(), all.end(), [](const Diagnostic& warning) {
    return warning.code == DiagnosticCode::kMisspelledInput;
  });
  if (is_misspelled) Count(&service_->metrics()->misspelled_inputs);
}

void DecisionRunner::Answer(const BundleEntry& entry, const Value& input, std::string_view text, Decision* decision,
                            std::string* out) {
  const size_t begin = out->size();
  CountWarnings(*decision);
  std::string log_result;
  JsonError error;
  if (decision->outcome != Outcome::kValue) {
    AppendDiagnostics(*decision->diagnostics, decision->source, out);
    if (keeps_results_) AppendErrorsForLog(*decision->diagnostics, decision->source, &log_result);
  } else if (!AppendJson(decision->value, output_limits_, out, &error)) {
    const Program& program = *bundle().modules()[entry.module].program;
    const Diagnostics failed = WritingFailed(error, &program, entry.entry->chunk);
    decision->outcome = error.is_limit ? Outcome::kLimit : Outcome::kError;
    decision->reason = ReasonOf(failed);
    AppendDiagnostics(failed, &program.source(), out);
    if (keeps_results_) AppendErrorsForLog(failed, &program.source(), &log_result);
  }
  const size_t result_begin = results_.size();
  if (keeps_results_) results_.append(log_result.empty() ? std::string_view(*out).substr(begin) : log_result);
  Note(&entry, entry.name, input, text, *decision, decision->outcome != Outcome::kValue, result_begin);
}

Decision DecisionRunner::RunForValue(const BundleEntry& entry, const Value& scope, const Value& recorded,
                                     const std::vector<bool>* changed) {
  const Decision decision = is_late() ? LateDecision() : decider_.Run(entry, scope, interrupt_, changed);
  CountWarnings(decision);
  const size_t result_begin = results_.size();
  const bool is_error = keeps_results_ && !AppendForLog(decision, output_limits_, &results_);
  Note(&entry, entry.name, recorded, {}, decision, is_error, result_begin);
  return decision;
}

void DecisionRunner::NoteFailure(std::string_view path, const Value& input, const Evaluation& evaluation,
                                 const Source* source) {
  Decision decision;
  decision.outcome = evaluation.diagnostics().has_limit() ? Outcome::kLimit : Outcome::kError;
  decision.reason = ReasonOf(evaluation.diagnostics());
  const size_t result_begin = results_.size();
  if (keeps_results_) AppendErrorsForLog(evaluation.diagnostics(), source, &results_);
  Note(nullptr, path, input, {}, decision, /*is_error=*/true, result_begin);
}

// What the log has of the result, if there is one, is in results_ from there on.
void DecisionRunner::Note(const BundleEntry* entry, std::string_view path, const Value& input, std::string_view text,
                          const Decision& decision, bool is_error, size_t result_begin) {
  Pending& pending = pending_.emplace_back();
  std::copy(id_.begin(), id_.end(), pending.id);
  pending.entry = entry;
  pending.path = path;
  pending.input = input;
  pending.text = text;
  pending.outcome = decision.outcome;
  pending.is_error = is_error;
  if (keeps_results_ && !is_error) pending.hidden = HideResult(decision, output_limits_, &heap_);
  pending.reason = decision.reason;
  pending.fuel = decision.fuel;
  const auto now = std::chrono::steady_clock::now();
  pending.nanoseconds = static_cast<uint64_t>(std::max<int64_t>(0, (now - started_).count()));
  started_ = now;
  const double sample = service_->options().log_sample;
  pending.is_logged = service_->log() != nullptr && (sample >= 1 || ids_.NextFraction() < sample);
  pending.result_begin = result_begin;
  pending.result_end = results_.size();
  if (service_->log() == nullptr) return;
  pending.unix_nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void DecisionRunner::SetOutcome(Outcome outcome) {
  if (!pending_.empty()) pending_.back().outcome = outcome;
}

// What nobody has read of it may be no JSON, or more than there is room for: then none of it is known.
bool DecisionRunner::ReadInput(Pending* pending) {
  if (pending->text.empty() || !pending->input.is_null()) return !pending->input.is_null();
  Interrupt interrupt;
  interrupt.deadline = std::chrono::steady_clock::now() + service_->options().timeout;
  late_heap_.Reset();
  late_heap_.set_interrupt(interrupt);
  JsonError error;
  if (!reader_.Read(pending->text, &late_heap_, &pending->input, &error)) pending->input = Value::Null();
  return !pending->input.is_null();
}

// It gets what it would get if it was in force: of a text, what it reads.
bool DecisionRunner::AskShadow(const Interrupt& interrupt, Pending* pending, ShadowRecord* shadow) {
  shadow->revision = revision_->shadow->revision();
  shadow_result_.clear();
  const BundleEntry* const entry = revision_->shadow->Find(pending->entry->name);
  if (entry == nullptr) {
    shadow->is_error = true;
    shadow->result = R"([{"severity":"error","summary":"No such entry"}])";
    return true;
  }
  late_heap_.Reset();
  late_heap_.set_interrupt(interrupt);
  Decision decision;
  if (interrupt.Reached()) {
    decision = LateDecision();
  } else if (pending->text.empty() ||
             !shadow_decider_.RunText(*entry, pending->text, &late_heap_, interrupt, &decision)) {
    if (!ReadInput(pending)) return false;
    decision = shadow_decider_.Run(*entry, pending->input, interrupt);
  }
  Limits limits = service_->options().limits;
  limits.interrupt = interrupt;
  shadow->is_error = !AppendForLog(decision, limits, &shadow_result_);
  shadow->is_same = shadow_result_ == ResultOf(*pending);
  shadow_hidden_ = shadow->is_error ? nullptr : HideResult(decision, limits, &late_heap_);
  shadow->result = shadow_hidden_ == nullptr ? shadow_result_ : shadow_hidden_->json;
  if (shadow_hidden_ != nullptr) shadow->erased = shadow_hidden_->erased;
  return true;
}

// The shadow has a time of its own, since the request's may have passed: one for all of the request's decisions, as
// that is, so that no batch holds the thread for longer.
void DecisionRunner::Finish() {
  Metrics* const metrics = service_->metrics();
  Interrupt for_shadow;
  if (revision_->shadow != nullptr && !pending_.empty()) {
    for_shadow.deadline = std::chrono::steady_clock::now() + service_->options().timeout;
  }
  for (Pending& pending : pending_) {
    if (pending.entry != nullptr) {
      Count(&revision_->counters[pending.entry->index]->outcomes[static_cast<size_t>(pending.outcome)]);
    }
    if (pending.outcome == Outcome::kLimit) Count(&metrics->limits[static_cast<size_t>(pending.reason)]);
    metrics->decision_seconds.Observe(pending.nanoseconds);
    ShadowRecord shadow;
    const bool has_shadow =
        revision_->shadow != nullptr && pending.entry != nullptr && AskShadow(for_shadow, &pending, &shadow);
    if (has_shadow) {
      Count(shadow.is_same    ? &metrics->shadow_same
            : shadow.is_error ? &metrics->shadow_failed
                              : &metrics->shadow_different);
    }
    if (service_->log() != nullptr && (pending.is_logged || (has_shadow && !shadow.is_same))) {
      Log(&pending, has_shadow ? &shadow : nullptr);
    }
  }
  pending_.clear();
}

// A text is copied, unless there is more to it.
LogMask::Result DecisionRunner::ShowInput(Pending* pending, const LogMask& mask) {
  const size_t max_bytes = service_->options().max_log_line;
  LogMask::Result result = LogMask::Result::kNoForm;
  if (!pending->text.empty()) result = mask.ShowText(pending->text, max_bytes, &shown_);
  if (result == LogMask::Result::kNoForm && ReadInput(pending)) result = mask.Show(pending->input, max_bytes, &shown_);
  if (result != LogMask::Result::kShown) shown_.Clear();
  return result;
}

// Of what has no form, nothing is shown.
bool DecisionRunner::ShowResult(std::string_view json, std::string_view erased, LogMask::Shown* shown) const {
  const ServiceOptions& options = service_->options();
  const LogMask::Result result = options.mask.ShowResult(json, options.max_log_line, shown);
  if (result == LogMask::Result::kTooLarge) return false;
  if (result == LogMask::Result::kNoForm) {
    shown->Clear();
    shown->json = "null";
    shown->erased = "\"result\"";
  }
  if (!erased.empty()) {
    if (!shown->erased.empty()) shown->erased.insert(0, ",");
    shown->erased.insert(0, erased);
  }
  return true;
}

void DecisionRunner::Log(Pending* pending, const ShadowRecord* shadow) {
  const ServiceOptions& options = service_->options();
  const LogMask& mask = pending->entry == nullptr ? options.mask : revision_->masks[pending->entry->module];
  bool is_too_large = ShowInput(pending, mask) == LogMask::Result::kTooLarge;
  DecisionRecord record;
  record.decision_id = {pending->id, sizeof(pending->id)};
  record.unix_nanoseconds = pending->unix_nanoseconds;
  record.revision = revision_->bundle->revision();
  record.data_revision = data_revision();
  record.path = pending->path;
  record.outcome = pending->outcome;
  record.input = shown_.json;
  record.erased = shown_.erased;
  record.masked = shown_.masked;
  record.is_error = pending->is_error;
  record.result = ResultOf(*pending);
  if (!pending->is_error) {
    const HiddenResult* const hidden = pending->hidden.get();
    const bool is_shown = hidden == nullptr ? ShowResult(record.result, "", &shown_result_)
                                            : ShowResult(hidden->json, hidden->erased, &shown_result_);
    is_too_large = is_too_large || !is_shown;
    record.result = shown_result_.json;
    record.result_erased = shown_result_.erased;
    record.result_masked = shown_result_.masked;
  }
  record.trace_id = trace_id_;
  record.span_id = span_id_;
  record.requested_by = requested_by_;
  record.request_id = request_id_;
  record.nanoseconds = pending->nanoseconds;
  record.fuel = pending->fuel;
  ShadowRecord shown_shadow;
  if (shadow != nullptr) {
    shown_shadow = *shadow;
    record.shadow = &shown_shadow;
  }
  if (shadow != nullptr && !shadow->is_error) {
    is_too_large = is_too_large || !ShowResult(shadow->result, shadow->erased, &shown_shadow_);
    shown_shadow.result = shown_shadow_.json;
    shown_shadow.erased = shown_shadow_.erased;
    shown_shadow.masked = shown_shadow_.masked;
  }
  line_.clear();
  const std::string_view labels = options.labels.empty() ? kNoLabels : std::string_view(options.labels);
  if (!is_too_large && AppendDecisionLine(record, labels, options.max_log_line, &line_)) {
    service_->log()->Add(line_);
  } else {
    Count(&service_->metrics()->log_drops[static_cast<size_t>(LogDrop::kTooLarge)]);
  }
}

}  // namespace hcl::serve
