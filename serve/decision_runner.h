// DecisionRunner: the decisions of one request after the other, in one thread: run, counted, logged, and compared with
// a shadow bundle.
//
// Tested by serve/decide_api_test.cc and serve/forward_auth_test.cc.

#ifndef HCLVM_SERVE_DECISION_RUNNER_H_
#define HCLVM_SERVE_DECISION_RUNNER_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/decision_record.h"
#include "hclvm/serve/decision_text.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/trace_context.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// What bounds a request, however it came.
struct RequestContext {
  std::chrono::steady_clock::time_point arrival;
  // When nobody waits for the answer any more; the service's own time ends it as well.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Set to true from any thread when nobody waits any more. Outlives the request; null: never.
  const std::atomic<bool>* cancel = nullptr;
  std::string_view trace_parent;  // W3C; empty: none
  std::string_view requested_by;  // who asks, by a certificate; empty: not known
  std::string_view request_id;    // what the one who asks calls it; empty: nothing
};

// Belongs to one thread. The service must outlive it.
class DecisionRunner {
 public:
  explicit DecisionRunner(Service* service);

  // Begins a request by the revision that is in force, which is that of all its decisions. Values of the last one are
  // gone. False where there is none.
  bool Begin(const RequestContext& context);
  bool Begin(const HttpRequest& request, std::string_view request_id = {});

  // Valid after Begin() has returned true, until the next.
  const Bundle& bundle() const { return *revision_->bundle; }
  // Of the data, as much as of the bundle; empty where there are none.
  std::string_view data_revision() const;
  // What the data are to BundleModule::recording of the module, by its index. Null where it reads nothing of them.
  std::shared_ptr<const BaseLayer> RecordingLayer(uint32_t module) const;
  // Another one whenever bundle() is.
  uint64_t generation() const { return generation_; }
  // What of `http` is needed where a proxy asks: what the mapping and the entry read.
  const HttpNeeds& http_needs();
  // Whether the mapping makes the scope of what proxies ask, so that nobody else gets `http`.
  bool is_mapped() const { return bundle().authz() != nullptr && bundle().authz()->variables; }
  // Scopes and results are logged, or shown to a shadow bundle.
  bool is_recorded() const { return keeps_results_; }
  // Whether Finish() runs entries of a shadow bundle.
  bool asks_shadow() const { return revision_->shadow != nullptr && !pending_.empty(); }
  const ServiceOptions& options() const { return service_->options(); }
  Metrics* metrics() const { return service_->metrics(); }
  // For values of the request.
  Heap* heap() { return &heap_; }
  JsonReader* reader() { return &reader_; }
  const Interrupt& interrupt() const { return interrupt_; }
  // Whether the time was up when the request, or the next decision of it, was begun.
  bool is_late() const { return started_ >= interrupt_.deadline; }
  Decider* decider() { return &decider_; }

  // A new identifier for a decision: valid until the next call.
  std::string_view NewId();

  // Runs the entry over the scope, an object that lives as long as the request. Appends to *out the JSON of the value,
  // or, unless the outcome is kValue, that of a list of diagnostics. It is the decision that NewId() has named last.
  // `text`: what the scope was read from, which has to live until Finish(); empty: something else.
  Decision Run(const BundleEntry& entry, const Value& scope, std::string_view text, std::string* out);
  // The same for a scope that is the text of a JSON object, which has to live until Finish(). False, and nothing has
  // happened, where Run() has to be asked with its value; `out` may have got more text (Decider::RunText).
  bool RunText(const BundleEntry& entry, std::string_view text, std::string* out, Decision* decision);
  // The same for who takes the value as it is: its JSON is written only where the log or the shadow needs it. A value
  // that has none is as good as any; the log then has the reason in its place. `recorded` is what they get for the
  // scope, of which the entry may need less. `changed` as for Decider::Run().
  Decision RunForValue(const BundleEntry& entry, const Value& scope, const Value& recorded,
                       const std::vector<bool>* changed = nullptr);
  // What the last decision means, where that is more than a value.
  void SetOutcome(Outcome outcome);

  // Notes a decision that came to nothing before its entry was run: because of `path`, over `input`.
  void NoteFailure(std::string_view path, const Value& input, const Evaluation& evaluation, const Source* source);

  // The request's decisions are as if they had not been made.
  void Forget() { pending_.clear(); }

  // Counts the request's decisions, writes them to the log and asks the shadow bundle. Called after the answer was
  // given.
  void Finish();

 private:
  struct Pending {
    char id[36];
    const BundleEntry* entry;  // null: none was run
    std::string_view path;
    Value input;            // null: it has not been read as a whole
    std::string_view text;  // of the input; empty: it has none
    Outcome outcome;
    bool is_error;                         // the result is a list of diagnostics
    std::unique_ptr<HiddenResult> hidden;  // what the log has in place of the result; null: the result
    Reason reason;
    size_t result_begin;  // in results_
    size_t result_end;
    uint64_t nanoseconds;
    uint64_t fuel;
    int64_t unix_nanoseconds;
    bool is_logged;
  };

  // Counts the decision where a warning tells a name that is probably misspelled.
  void CountWarnings(const Decision& decision);
  // Writes the JSON of the value or the errors, and notes the decision.
  void Answer(const BundleEntry& entry, const Value& input, std::string_view text, Decision* decision,
              std::string* out);
  void Note(const BundleEntry* entry, std::string_view path, const Value& input, std::string_view text,
            const Decision& decision, bool is_error, size_t result_begin);
  // The whole result.
  std::string_view ResultOf(const Pending& pending) const {
    return std::string_view(results_).substr(pending.result_begin, pending.result_end - pending.result_begin);
  }
  // Reads the input as a whole, if it has not been. False where it cannot be.
  bool ReadInput(Pending* pending);
  // Runs the entry in the shadow bundle, and compares. False where it cannot be asked.
  bool AskShadow(const Interrupt& interrupt, Pending* pending, ShadowRecord* shadow);
  // Makes shown_.
  LogMask::Result ShowInput(Pending* pending, const LogMask& mask);
  // Makes *shown of a result, of which `erased` is left out already. False where it is too large.
  bool ShowResult(std::string_view json, std::string_view erased, LogMask::Shown* shown) const;
  void Log(Pending* pending, const ShadowRecord* shadow);

  Service* const service_;
  uint64_t generation_ = 0;
  std::shared_ptr<const Revision> revision_;
  Decider decider_;
  Decider shadow_decider_;
  Heap heap_;
  Heap late_heap_;  // for inputs that are read when the answer has gone out
  JsonReader reader_;
  IdSource ids_;
  std::string_view id_;
  HttpNeeds http_needs_;
  uint64_t http_needs_generation_ = 0;  // that they are of; 0: none
  Interrupt interrupt_;
  Limits output_limits_;
  std::chrono::steady_clock::time_point started_;
  std::string trace_id_;
  std::string span_id_;
  std::string requested_by_;
  std::string request_id_;
  bool keeps_results_ = false;  // for the log or the shadow
  std::vector<Pending> pending_;
  std::string results_;
  std::string shadow_result_;
  std::unique_ptr<HiddenResult> shadow_hidden_;
  LogMask::Shown shown_;
  LogMask::Shown shown_result_;
  LogMask::Shown shown_shadow_;
  std::string line_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECISION_RUNNER_H_
