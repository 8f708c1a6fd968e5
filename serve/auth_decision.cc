// Decisions for proxies. Tested by serve/forward_auth_test.cc and serve/envoy_worker_test.cc.
//
// Only one thing allows: a policy that says so. An attribute of the authz block is taken at once when it has been
// evaluated, since the next run of the evaluator takes its memory.

#include "hclvm/serve/auth_decision.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/auth_parts.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::serve {
namespace {

// A denial with this status has no body: where there is one, clients and proxies take it for the next answer.
constexpr int kNotModified = 304;

// A part of an answer: an attribute of the authz block, or of the result.
struct Part {
  std::string_view name;
  std::string_view opa_name;
  std::optional<uint32_t> Authz::*chunk;
};

constexpr Part kAllow = {"allow", "allowed", &Authz::allow};
constexpr Part kStatus = {"status", "http_status", &Authz::status};
constexpr Part kHeaders = {"headers", "headers", &Authz::headers};
constexpr Part kBody = {"body", "body", &Authz::body};
constexpr Part kResponseHeaders = {"response_headers", "response_headers_to_add", &Authz::response_headers};
constexpr Part kHeadersToRemove = {"headers_to_remove", "request_headers_to_remove", &Authz::headers_to_remove};
constexpr Part kQueryToSet = {"query_parameters_to_set", "query_parameters_to_set", &Authz::query_parameters_to_set};
constexpr Part kQueryToRemove = {"query_parameters_to_remove", "query_parameters_to_remove",
                                 &Authz::query_parameters_to_remove};
constexpr Part kMetadata = {"dynamic_metadata", "dynamic_metadata", &Authz::dynamic_metadata};

class Authorization {
 public:
  Authorization(const AuthQuestion& question, DecisionRunner* runner, AuthAnswer* answer)
      : question_(question), runner_(*runner), authz_(runner->bundle().authz()), answer_(*answer) {}

  void Answer() {
    Value scope;
    Value recorded;
    const BundleEntry* entry = nullptr;
    if (FindScope(&scope, &recorded) && FindEntry(&entry)) Decide(*entry, scope, recorded);
  }

 private:
  // What was taken before is no part of the answer.
  void Fail(AuthOutcome outcome, std::string message) {
    answer_ = Failed(outcome, std::move(message), &answer_);
    runner_.SetOutcome(outcome == AuthOutcome::kLimit ? Outcome::kLimit : Outcome::kError);
  }
  void FailLimit(Reason limit) {
    Fail(AuthOutcome::kLimit, std::string("a limit was crossed: ").append(NameOf(limit)));
    answer_.limit = limit;
  }
  bool Wrong(const Part& part, std::string_view what) {
    const std::string_view name = question_.is_opa && !IsOfBlock(part) ? part.opa_name : part.name;
    Fail(AuthOutcome::kError, std::string("the attribute \"").append(name).append("\" ").append(what));
    return false;
  }

  // What is needed of all that is told, as a scope; and all of it, where that is recorded.
  Value Question() const { return QuestionOf(question_.http.needed, question_.envoy.needed); }
  Value WholeQuestion() const {
    if (!runner_.is_recorded()) return Value::Null();
    Value http = question_.http.whole;
    Value envoy = question_.envoy.whole;
    if (question_.make_whole) question_.make_whole(&http, &envoy);
    return QuestionOf(http, envoy);
  }
  Value QuestionOf(const Value& http, const Value& envoy) const {
    const auto name = [](std::string_view text) { return Value::StringView(text); };
    std::vector<KeyValue> pairs;
    if (!envoy.is_null()) pairs.push_back({name("envoy"), envoy});
    pairs.push_back({name("http"), http});
    if (question_.is_opa) pairs.push_back({name("input"), question_.input});
    return MakeObject(pairs, runner_.heap()->arena());
  }

  void Bind(Evaluator* evaluator) const {
    evaluator->UnbindAll();
    evaluator->Bind("http", question_.http.needed);
    if (!question_.envoy.needed.is_null()) evaluator->Bind("envoy", question_.envoy.needed);
    if (question_.is_opa) evaluator->Bind("input", question_.input);
  }

  // An attribute of the authz block. Null unless it has a value; what to answer is then said.
  const Value* Evaluate(Evaluator* evaluator, uint32_t chunk, bool has_run) {
    evaluator->set_interrupt(runner_.interrupt());
    const Evaluation& evaluation = evaluator->RunChunk(chunk);
    if (evaluation.ok()) return &evaluation.value();
    if (!has_run) runner_.NoteFailure(kServiceFileName, WholeQuestion(), evaluation, &evaluator->program().source());
    if (evaluation.diagnostics().has_limit()) return FailLimit(ReasonOf(evaluation.diagnostics())), nullptr;
    Fail(AuthOutcome::kError, "the authz block has failed: " + evaluation.diagnostics().kept()[0].summary);
    return nullptr;
  }

  // What the mapping makes of the question it makes of what it needs of that.
  bool FindScope(Value* scope, Value* recorded) {
    if (authz_ == nullptr || !authz_->variables) {
      const std::array<KeyValue, 1> input = {{{Value::StringView("input"), question_.input}}};
      *scope = question_.is_opa ? MakeObject(input, runner_.heap()->arena()) : Question();
      *recorded = question_.is_opa ? *scope : WholeQuestion();
      return true;
    }
    Bind(runner_.decider()->before());
    const Value* const variables = Evaluate(runner_.decider()->before(), *authz_->variables, false);
    if (variables == nullptr) return false;
    Arena* const arena = runner_.heap()->arena();
    if (!ReadVariables(*variables, arena, scope)) {
      return Fail(AuthOutcome::kError, "the attribute \"variables\" is no object"), false;
    }
    // The next run of the evaluator takes its memory.
    if (!authz_->constant_entry) *scope = Clone(*scope, arena, runner_.heap()->types());
    *recorded = *scope;
    return true;
  }

  bool FindEntry(const BundleEntry** entry) {
    *entry = runner_.bundle().authz_entry();
    if (*entry != nullptr) return true;
    if (authz_ == nullptr) {
      return Fail(AuthOutcome::kError, "the bundle has neither an authz block nor the entry authz/allow"), false;
    }
    Evaluator* const evaluator = runner_.decider()->before();
    Bind(evaluator);
    const Value* const name = Evaluate(evaluator, *authz_->entry, false);
    if (name == nullptr) return false;
    const Value& text = name->unmarked();
    if (text.is_string()) *entry = runner_.bundle().Find(text.AsString());
    return *entry != nullptr ? true : (Fail(AuthOutcome::kError, "the bundle has no such entry"), false);
  }

  void Decide(const BundleEntry& entry, const Value& scope, const Value& recorded) {
    const Decision decision = runner_.RunForValue(entry, scope, recorded);
    if (decision.outcome == Outcome::kLimit) return FailLimit(decision.reason);
    if (decision.outcome != Outcome::kValue) return Fail(AuthOutcome::kError, "the policy has failed");
    result_ = decision.value.unmarked();
    if (authz_ != nullptr && authz_->answers) {
      Bind(runner_.decider()->behind());
      runner_.decider()->behind()->Bind("result", result_);
    }
    const Value* allow = nullptr;
    if (!Find(kAllow, &allow)) return;
    const bool allows = allow == nullptr ? !ResultAnswers() && result_.is_true() : allow->is_true();
    if (!TakeHeaders(kHeaders, &answer_.headers)) return;
    if (!(allows ? TakeOfPass() : TakeStatus() && TakeBody()) || !TakeMetadata()) return;
    answer_.outcome = allows ? AuthOutcome::kAllow : AuthOutcome::kDeny;
    runner_.SetOutcome(allows ? Outcome::kAllow : Outcome::kDeny);
  }

  bool TakeOfPass() {
    if (!question_.takes_all) return true;
    return TakeHeaders(kResponseHeaders, &answer_.response_headers) &&
           Take(kHeadersToRemove,
                [this](const Value& given) { return ReadHeaderNames(given, &answer_.headers_to_remove); }) &&
           Take(kQueryToSet,
                [this](const Value& given) { return ReadTextMap(given, &answer_.query_parameters_to_set); }) &&
           Take(kQueryToRemove,
                [this](const Value& given) { return ReadTexts(given, &answer_.query_parameters_to_remove); });
  }

  bool IsOfBlock(const Part& part) const { return authz_ != nullptr && authz_->*part.chunk; }
  // A result that is an object answers by itself, unless the block says what allows.
  bool ResultAnswers() const { return (authz_ == nullptr || !authz_->allow) && result_.is_mapping(); }

  // The part's value, or null where there is none. False where it has failed.
  bool Find(const Part& part, const Value** value) {
    *value = nullptr;
    if (IsOfBlock(part)) {
      const Value* const found = Evaluate(runner_.decider()->behind(), *(authz_->*part.chunk), true);
      if (found == nullptr) return false;
      *value = &found->unmarked();
      return true;
    }
    if (!ResultAnswers()) return true;
    const std::string_view name = question_.is_opa ? part.opa_name : part.name;
    for (size_t n = 0; n < result_.size(); ++n) {
      if (result_.shape().keys[n].AsString() == name) *value = &result_.values()[n].unmarked();
    }
    return true;
  }
  // The same, where null is as good as none.
  bool FindGiven(const Part& part, const Value** value) {
    if (!Find(part, value)) return false;
    if (*value != nullptr && (*value)->is_null()) *value = nullptr;
    return true;
  }

  // Reads the part, where it is given. `read` says what is wrong with it, or nothing.
  template <typename Read>
  bool Take(const Part& part, Read read) {
    const Value* given = nullptr;
    if (!FindGiven(part, &given)) return false;
    if (given == nullptr) return true;
    const std::string_view fault = read(*given);
    return fault.empty() || Wrong(part, fault);
  }
  bool TakeStatus() {
    return Take(kStatus,
                [this](const Value& given) { return ReadStatus(given, question_.is_denial, &answer_.status); });
  }
  bool TakeBody() {
    const bool is_read = Take(kBody, [this](const Value& given) { return ReadBody(given, &answer_.body); });
    if (answer_.status == kNotModified) answer_.body.clear();
    return is_read;
  }
  bool TakeHeaders(const Part& part, AuthHeaders* headers) {
    return Take(part, [headers](const Value& given) { return ReadHeaders(given, headers); });
  }

  bool TakeMetadata() {
    if (!question_.takes_all) return true;
    return Take(kMetadata, [this](const Value& given) -> std::string_view {
      if (!given.is_mapping()) return "is no object";
      answer_.dynamic_metadata = Clone(given, runner_.heap()->arena(), runner_.heap()->types());
      return "";
    });
  }

  const AuthQuestion& question_;
  DecisionRunner& runner_;
  const Authz* const authz_;
  AuthAnswer& answer_;
  Value result_;
};

}  // namespace

void SetRevision(const DecisionRunner& runner, AuthAnswer* answer) {
  answer->revision = runner.bundle().revision();
  answer->data_revision = std::string(runner.data_revision());
}

AuthAnswer Failed(AuthOutcome outcome, std::string message, AuthAnswer* answer) {
  AuthAnswer failed;
  failed.outcome = outcome;
  failed.message = std::move(message);
  failed.decision_id = std::move(answer->decision_id);
  failed.revision = std::move(answer->revision);
  failed.data_revision = std::move(answer->data_revision);
  return failed;
}

void DecideAuth(const AuthQuestion& question, DecisionRunner* runner, AuthAnswer* answer) {
  answer->decision_id = std::string(runner->NewId());
  SetRevision(*runner, answer);
  answer->dynamic_metadata = Value::Null();
  Authorization(question, runner, answer).Answer();
}

}  // namespace hcl::serve
