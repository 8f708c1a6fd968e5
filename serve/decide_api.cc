// Decisions for callers that bring their scopes. Tested by serve/decide_api_test.cc.

#include "hclvm/serve/decide_api.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/decision_text.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr std::string_view kNdjson = "application/x-ndjson";

// A wrong body, as a source of which a part is the text, so that the message has a place in it.
void AppendBodyError(std::string_view body, uint32_t line, const JsonError& error, std::string* out) {
  constexpr size_t kExcerpt = 200;
  const size_t at = std::min(error.offset, body.size());
  const size_t begin = at > kExcerpt ? at - kExcerpt : 0;
  // What stands before the excerpt keeps its length, so that positions are those in the body.
  std::string text(begin, ' ');
  text.append(body.substr(begin, 2 * kExcerpt));
  const Source source("<body>", std::move(text), line);
  Diagnostic diagnostic(error.code);
  diagnostic.detail = error.detail;
  const auto place = static_cast<uint32_t>(at);
  diagnostic.subject = SourceRange{place, at < body.size() ? place + 1 : place};
  absl::StrAppend(out, "[", ToJson(diagnostic, &source), "]");
}

// One answer to a request: of a scope, or of several.
class Answer {
 public:
  Answer(std::string_view body, const BundleEntry& entry, DecisionRunner* runner, HttpResponse* response)
      : body_(body), entry_(entry), runner_(*runner), response_(*response), out_(&response->body) {}

  void OfBody() {
    out_->append("{");
    const std::optional<Outcome> outcome = MayBeBatch() ? std::nullopt : TryText(body_);
    if (outcome) {
      AppendTail();
      response_.status = StatusOf(*outcome);
      return;
    }
    out_->clear();
    Value value;
    JsonError error;
    if (!runner_.reader()->Read(body_, runner_.heap(), &value, &error)) return Refuse(1, body_, error);
    if (!value.is_object()) return RefuseScope("The body must be a JSON object: variable name to value.");
    if (IsBatch(value)) return OfBatch(value);
    out_->append("{");
    const Outcome decided = AppendDecision(value, body_);
    AppendTail();
    response_.status = StatusOf(decided);
  }

  // A line that is wrong is answered in its place.
  void OfLines() {
    const auto lines = static_cast<size_t>(std::count(body_.begin(), body_.end(), '\n')) + 1;
    if (!HasRoomFor(lines - (body_.empty() || body_.back() == '\n' ? 1 : 0))) return;
    response_.content_type = kNdjson;
    uint32_t number = 0;
    for (size_t begin = 0; begin < body_.size();) {
      const size_t end = std::min(body_.find('\n', begin), body_.size());
      OfLine(body_.substr(begin, end - begin), ++number);
      begin = end + 1;
    }
  }

 private:
  void Refuse(uint32_t line, std::string_view text, const JsonError& error) {
    response_.status = StatusOfUnread(error, runner_.metrics());
    out_->append("{\"diagnostics\":");
    AppendBodyError(text, line, error, out_);
    AppendTail();
  }

  void RefuseScope(std::string_view detail) {
    Refuse(1, body_.substr(0, 1), JsonError(DiagnosticCode::kInvalidScope, std::string(detail)));
  }

  void OfLine(std::string_view line, uint32_t number) {
    Value value;
    JsonError error;
    out_->push_back('{');
    if (TryText(line)) return AppendTail();
    if (!runner_.reader()->Read(line, runner_.heap(), &value, &error)) {
      out_->append("\"diagnostics\":");
      AppendBodyError(line, number, error, out_);
    } else if (!value.is_object()) {
      out_->append("\"diagnostics\":");
      AppendBodyError(line.substr(0, 1), number,
                      JsonError(DiagnosticCode::kInvalidScope, "Each line must be a JSON object."), out_);
    } else {
      AppendDecision(value, line);
    }
    AppendTail();
  }

  static int StatusOf(Outcome outcome) {
    return outcome == Outcome::kValue ? 200 : outcome == Outcome::kBadScope ? 400 : 500;
  }

  // Whether the first property can be one of a batch's, which has no others.
  bool MayBeBatch() const {
    size_t at = 0;
    const auto skip_spaces = [&] { at = std::min(body_.find_first_not_of(" \t\r\n", at), body_.size()); };
    skip_spaces();
    if (at < body_.size() && body_[at] == '{') ++at;
    skip_spaces();
    const std::string_view rest = body_.substr(at);
    const std::string_view name = rest.substr(0, rest.find('"', 1));
    return name == "\"inputs" || name == "\"common" || name.find('\\') != std::string_view::npos;
  }

  // A module that has such a variable is asked with the two forms that have other names for nothing: one scope, or
  // lines.
  bool IsBatch(const Value& value) const {
    const int64_t inputs = value.shape().Find("inputs");
    if (inputs < 0 || !value.values()[static_cast<size_t>(inputs)].is_tuple()) return false;
    if (value.size() > (value.shape().Find("common") >= 0 ? 2u : 1u)) return false;
    return !runner_.bundle().modules()[entry_.module].program->FindSlot("inputs");
  }

  void OfBatch(const Value& value) {
    const Value& inputs = value.values()[static_cast<size_t>(value.shape().Find("inputs"))];
    const int64_t common_at = value.shape().Find("common");
    const Value common = common_at < 0 ? MakeObject(absl::Span<const KeyValue>(), runner_.heap()->arena())
                                       : value.values()[static_cast<size_t>(common_at)];
    if (!common.is_object()) return RefuseScope("The property \"common\" must be an object of variables.");
    if (!HasRoomFor(inputs.size())) return;
    out_->append("{\"results\":[");
    bool first = true;
    for (const Value& input : inputs.elements()) {
      if (!first) out_->push_back(',');
      first = false;
      out_->push_back('{');
      if (input.is_object()) {
        AppendDecision(Merged(common, input), {});
      } else {
        out_->append("\"diagnostics\":");
        AppendBodyError("", 1, JsonError(DiagnosticCode::kInvalidScope, "Each input must be a JSON object."), out_);
      }
      AppendId();
      out_->push_back('}');
    }
    out_->push_back(']');
    AppendRevision();
    out_->append("}\n");
  }

  // What an input has wins over what is common.
  Value Merged(const Value& common, const Value& input) {
    if (common.size() == 0) return input;
    pairs_.clear();
    for (const Value& part : {common, input}) {
      for (size_t n = 0; n < part.size(); ++n) pairs_.push_back({part.shape().keys[n], part.values()[n]});
    }
    return MakeObject(pairs_, runner_.heap()->arena());
  }

  bool HasRoomFor(size_t inputs) {
    if (inputs <= runner_.options().max_batch) return true;
    AnswerError(413, "Too many inputs",
                absl::StrCat("One request may have at most ", runner_.options().max_batch, " inputs."), &response_);
    return false;
  }

  // "value": ..., or "diagnostics": [...]. The name of the member is known only afterwards.
  Outcome AppendDecision(const Value& scope, std::string_view text) {
    return *Append([&](Decision* decision) { return *decision = runner_.Run(entry_, scope, text, out_), true; });
  }
  // The same for the text of a scope. Nothing, and nothing appended, where it has to be read as a whole first.
  std::optional<Outcome> TryText(std::string_view text) {
    if (runner_.is_late()) return std::nullopt;
    return Append([&](Decision* decision) { return runner_.RunText(entry_, text, out_, decision); });
  }
  template <typename Decide>
  std::optional<Outcome> Append(Decide decide) {
    id_ = runner_.NewId();
    const size_t begin = out_->size();
    if (begin > runner_.options().limits.max_output_bytes) {
      AppendTooLarge();
      return Outcome::kLimit;
    }
    out_->append("\"value\":");
    const size_t value = out_->size();
    Decision decision;
    if (!decide(&decision)) {
      out_->resize(begin);
      id_ = {};
      return std::nullopt;
    }
    if (decision.outcome != Outcome::kValue) out_->replace(begin, value - begin, "\"diagnostics\":");
    if (decision.warnings != nullptr) {
      out_->append(",\"warnings\":");
      AppendDiagnostics(*decision.warnings, decision.source, out_);
    }
    return decision.outcome;
  }

  // Answers before it have used up the room for the response.
  void AppendTooLarge() {
    Diagnostic diagnostic(DiagnosticCode::kOutputTooLarge);
    diagnostic.detail =
        absl::StrCat("The response has more than ", runner_.options().limits.max_output_bytes, " bytes.");
    absl::StrAppend(out_, "\"diagnostics\":[", ToJson(diagnostic, nullptr), "]");
  }

  void AppendId() {
    if (id_.empty()) return;
    out_->append(",\"decision_id\":\"").append(id_).append("\"");
    id_ = {};
  }

  // Neither has characters that JSON escapes.
  void AppendRevision() {
    out_->append(",\"revision\":\"").append(runner_.bundle().revision()).append("\"");
    const std::string_view data = runner_.data_revision();
    if (!data.empty()) out_->append(",\"data_revision\":\"").append(data).append("\"");
  }

  void AppendTail() {
    AppendRevision();
    AppendId();
    out_->append("}\n");
  }

  const std::string_view body_;
  const BundleEntry& entry_;
  DecisionRunner& runner_;
  HttpResponse& response_;
  std::string* const out_;
  std::string_view id_;
  std::vector<KeyValue> pairs_;
};

bool IsLines(const HttpRequest& request) {
  const std::string_view type = request.MediaType();
  return EqualsLower(type, kNdjson) || EqualsLower(type, "application/ndjson") ||
         EqualsLower(type, "application/jsonlines");
}

}  // namespace

// A deadline that has passed while a scope is read has passed in a queue.
int StatusOfUnread(const JsonError& error, Metrics* metrics) {
  if (!error.is_limit) return 400;
  Diagnostics failed;
  failed.Add(Diagnostic(error.code));
  const Reason reason = ReasonOf(failed);
  Count(&metrics->limits[static_cast<size_t>(reason)]);
  return reason == Reason::kDeadline ? 503 : 413;
}

void AnswerError(int status, std::string_view summary, std::string_view detail, HttpResponse* response) {
  response->status = status;
  response->content_type = "application/json";
  response->body = R"({"diagnostics":[{"severity":"error","summary":)";
  AppendJsonString(summary, &response->body);
  response->body.append(",\"detail\":");
  AppendJsonString(detail, &response->body);
  response->body.append("}]}\n");
}

void AnswerDecide(const HttpRequest& request, std::string_view entry, DecisionRunner* runner, HttpResponse* response) {
  if (!runner->Begin(request)) {
    return AnswerError(503, "Not ready", "There is no bundle yet; /readyz says why.", response);
  }
  const BundleEntry* const found = runner->bundle().Find(entry);
  if (found == nullptr) {
    return AnswerError(404, "No such entry",
                       absl::StrCat("The bundle has no entry \"", ToAbsl(entry.substr(0, 256)), "\".",
                                    runner->bundle().AdviceFor(entry)),
                       response);
  }
  Answer answer(request.body, *found, runner, response);
  if (IsLines(request)) return answer.OfLines();
  answer.OfBody();
}

}  // namespace hcl::serve
