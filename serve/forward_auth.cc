// Forward authorization. Tested by serve/forward_auth_test.cc.
//
// Only one thing allows: a policy that says so. Whatever goes wrong on the way denies, but for limits, where the
// operator may have chosen otherwise.

#include "hclvm/serve/forward_auth.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

constexpr int kAllowed = 200;
constexpr int kDenied = 403;
constexpr size_t kMaxAnswerHeaders = 64;
constexpr size_t kMaxAnswerBody = 1 << 20;

// Headers that say where a message ends, or whose it is, are the server's.
constexpr std::string_view kReserved[] = {"connection",        "content-length", "date",    "keep-alive",
                                          "transfer-encoding", "trailer",        "upgrade", "server"};

bool IsReserved(std::string_view lower) {
  for (const std::string_view name : kReserved) {
    if (name == lower) return true;
  }
  return lower.substr(0, 8) == "x-hclvm-";
}

void Outcomes(std::string_view outcome, HttpResponse* response) {
  response->headers.emplace_back("x-hclvm-outcome", std::string(outcome));
}

class Authorization {
 public:
  Authorization(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response)
      : request_(request), runner_(*runner), authz_(runner->bundle().authz()), response_(*response) {}

  void Answer() {
    id_ = std::string(runner_.NewId());
    response_.content_type = "text/plain; charset=utf-8";
    response_.headers.emplace_back("x-hclvm-revision", runner_.bundle().revision());
    response_.headers.emplace_back("x-hclvm-decision-id", id_);
    const auto http = MakeHttpValue(request_, runner_.options().encoded_slash, runner_.heap());
    if (!http.ok()) {
      Count(&runner_.metrics()->refused_paths);
      return Fail(std::string(http.status().message()));
    }
    http_ = *http;
    Value scope;
    const BundleEntry* entry = nullptr;
    if (!FindScope(&scope) || !FindEntry(&entry)) return;
    Decide(*entry, scope);
  }

 private:
  void Fail(std::string_view reason) {
    runner_.SetOutcome(Outcome::kError);
    response_.status = kDenied;
    Outcomes("error", &response_);
    response_.body.assign(reason).push_back('\n');
  }

  void FailByLimit() {
    runner_.SetOutcome(Outcome::kLimit);
    AnswerForwardAuthLimit(runner_.options().fail_mode, "limit", &response_);
  }

  // An attribute of the authz block. Null unless it has a value; what to answer is then said.
  const Value* Evaluate(Evaluator* evaluator, uint32_t chunk, bool has_run) {
    evaluator->set_interrupt(runner_.interrupt());
    const Evaluation& evaluation = evaluator->RunChunk(chunk);
    if (evaluation.ok()) return &evaluation.value().unmarked();
    std::string unused;
    if (!has_run) {
      const std::array<KeyValue, 1> pairs = {{{Value::StringView("http"), http_}}};
      runner_.NoteFailure(kAuthzFileName, MakeObject(pairs, runner_.heap()->arena()), evaluation,
                          &evaluator->program().source(), &unused);
    }
    if (evaluation.diagnostics().has_limit()) return FailByLimit(), nullptr;
    return Fail("the authz block has failed: " + evaluation.diagnostics().kept()[0].summary), nullptr;
  }

  bool FindScope(Value* scope) {
    if (authz_ != nullptr && authz_->variables) {
      runner_.decider()->before()->UnbindAll();
      runner_.decider()->before()->Bind("http", http_);
      const Value* const variables = Evaluate(runner_.decider()->before(), *authz_->variables, false);
      if (variables == nullptr) return false;
      if (!variables->is_mapping()) return Fail("the attribute \"variables\" is no object"), false;
      // The next run of the evaluator takes its memory.
      *scope =
          authz_->constant_entry ? *variables : Clone(*variables, runner_.heap()->arena(), runner_.heap()->types());
      return true;
    }
    const std::array<KeyValue, 1> pairs = {{{Value::StringView("http"), http_}}};
    *scope = MakeObject(pairs, runner_.heap()->arena());
    return true;
  }

  bool FindEntry(const BundleEntry** entry) {
    *entry = runner_.bundle().authz_entry();
    if (*entry != nullptr) return true;
    if (authz_ == nullptr) return Fail("the bundle has neither an authz block nor the entry authz/allow"), false;
    Evaluator* const evaluator = runner_.decider()->before();
    evaluator->UnbindAll();
    evaluator->Bind("http", http_);
    const Value* const name = Evaluate(evaluator, *authz_->entry, false);
    if (name == nullptr) return false;
    if (name->is_string()) *entry = runner_.bundle().Find(name->AsString());
    return *entry != nullptr ? true : (Fail("the bundle has no such entry"), false);
  }

  void Decide(const BundleEntry& entry, const Value& scope) {
    std::string json;
    const Decision decision = runner_.Run(entry, scope, &json);
    if (decision.outcome == Outcome::kLimit) return FailByLimit();
    if (decision.outcome != Outcome::kValue) return Fail("the policy has failed");
    const Value result = decision.value.unmarked();
    if (authz_ == nullptr) return Finish(result.is_true());
    Evaluator* const evaluator = runner_.decider()->behind();
    evaluator->UnbindAll();
    evaluator->Bind("http", http_);
    evaluator->Bind("result", result);
    bool allows = result.is_true();
    if (authz_->allow) {
      const Value* const allow = Evaluate(evaluator, *authz_->allow, true);
      if (allow == nullptr) return;
      allows = allow->is_true();
    }
    if (!TakeStatus(evaluator, allows) || !TakeHeaders(evaluator) || !TakeBody(evaluator, allows)) {
      // What was taken before the failure is no part of the answer.
      return KeepOwnHeaders();
    }
    Finish(allows);
  }

  void Finish(bool allows) {
    runner_.SetOutcome(allows ? Outcome::kAllow : Outcome::kDeny);
    if (allows) response_.status = kAllowed;
    if (!allows && response_.status == kAllowed) response_.status = kDenied;
    Outcomes(allows ? "allow" : "deny", &response_);
  }

  bool TakeStatus(Evaluator* evaluator, bool allows) {
    if (!authz_->status || allows) return true;
    const Value* const status = Evaluate(evaluator, *authz_->status, true);
    if (status == nullptr) return false;
    if (status->is_null()) return true;
    const int64_t number = status->is_int() ? status->AsInt() : 0;
    const bool is_nginx = request_.listener.dialect == AuthDialect::kNginx;
    if (is_nginx ? number != 401 && number != 403 : number < 300 || number > 599) {
      return Fail("the attribute \"status\" is none that this dialect has for a denial"), false;
    }
    response_.status = static_cast<int>(number);
    return true;
  }

  bool TakeHeader(std::string_view name, const Value& value) {
    const Value& text = value.unmarked();
    if (!text.is_string() || !IsHeaderValue(text.AsString()) || response_.headers.size() > kMaxAnswerHeaders) {
      return Fail("the attribute \"headers\" has what can be no value of a header"), false;
    }
    if (name == "content-type") return true;
    response_.headers.emplace_back(name, text.AsString());
    return true;
  }

  bool TakeHeaders(Evaluator* evaluator) {
    if (!authz_->headers) return true;
    const Value* const headers = Evaluate(evaluator, *authz_->headers, true);
    if (headers == nullptr) return false;
    if (headers->is_null()) return true;
    if (!headers->is_mapping()) return Fail("the attribute \"headers\" is no object"), false;
    for (size_t n = 0; n < headers->size(); ++n) {
      const std::string name = LowerCase(headers->shape().keys[n].AsString());
      if (!IsHeaderName(name) || IsReserved(name)) {
        return Fail("the attribute \"headers\" has a name that a policy cannot set"), false;
      }
      const Value& value = headers->values()[n].unmarked();
      if (value.is_null()) continue;
      if (!value.is_sequence()) {
        if (!TakeHeader(name, value)) return false;
        continue;
      }
      for (const Value& one : value.elements()) {
        if (!TakeHeader(name, one)) return false;
      }
    }
    return true;
  }

  bool TakeBody(Evaluator* evaluator, bool allows) {
    if (!authz_->body || allows) return true;
    const Value* const body = Evaluate(evaluator, *authz_->body, true);
    if (body == nullptr) return false;
    if (body->is_null()) return true;
    if (!body->is_string() || body->AsString().size() > kMaxAnswerBody) {
      return Fail("the attribute \"body\" is no text, or too long"), false;
    }
    response_.body = std::string(body->AsString());
    return true;
  }

  void KeepOwnHeaders() {
    auto& headers = response_.headers;
    for (size_t n = 0; n < headers.size();) {
      if (headers[n].first.rfind("x-hclvm-", 0) == 0) {
        ++n;
      } else {
        headers.erase(headers.begin() + static_cast<std::ptrdiff_t>(n));
      }
    }
  }

  const HttpRequest& request_;
  DecisionRunner& runner_;
  const Authz* const authz_;
  HttpResponse& response_;
  std::string id_;
  Value http_;
};

}  // namespace

void AnswerForwardAuthLimit(FailMode fail_mode, std::string_view reason, HttpResponse* response) {
  response->status = fail_mode == FailMode::kAllow ? kAllowed : kDenied;
  response->content_type = "text/plain; charset=utf-8";
  Outcomes(reason, response);
}

void AnswerForwardAuth(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response) {
  if (!runner->Begin(request)) {
    response->status = kDenied;
    Outcomes("not_ready", response);
    return;
  }
  Authorization(request, runner, response).Answer();
}

}  // namespace hcl::serve
