// ExplainValues. Tested by tests/explain_command_test.sh.

#include "hclvm/cmd/hclvm/explain_values.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/request_log.h"

namespace hcl::cmd {

using internal::Explanation;
using internal::LoggedRequest;
using internal::RequestLog;
using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "explain";

// Whether the text may be that of the decision: most lines need not be read as JSON.
bool MayBe(const std::string& line, const std::string& id) { return line.find(id) != std::string::npos; }

// The request that was asked for. What is wrong has been printed where that is no success.
int FindRequest(const ExplainValuesOptions& options, Heap* heap, LoggedRequest* request) {
  const std::string& path = options.log ? *options.log : *options.scopes;
  RequestLog log(path, options.common.compile.limits.max_source_bytes);
  JsonReader reader;
  std::string line, error;
  while (log.Next(&line)) {
    if (options.log ? !MayBe(line, *options.id) : log.line_number() != options.line) continue;
    heap->Reset();
    if (!internal::ReadRequest(line, &reader, heap, request, &error)) {
      return Complain(kName, absl::StrCat(path, ":", log.line_number(), ": ", error), kInputError);
    }
    if (!options.log || request->decision_id == *options.id) return kSuccess;
  }
  if (!log.status().ok()) {
    const bool is_limit = absl::IsResourceExhausted(log.status());
    return Complain(kName, std::string(log.status().message()), is_limit ? kLimitReached : kInputError);
  }
  return Complain(kName,
                  options.log ? absl::StrCat(path, " has no decision ", *options.id)
                              : absl::StrCat(path, " has no request in line ", options.line),
                  kInputError);
}

int FindEntries(const Program& program, const ExplainValuesOptions& options, const LoggedRequest& request,
                std::vector<const Entry*>* entries) {
  for (const std::string& path : options.entries) {
    std::string message;
    const Entry* const entry = internal::FindEntryOrSuggest(program, path, &message);
    if (entry == nullptr) return Complain(kName, message, kUsageError);
    entries->push_back(entry);
  }
  if (!entries->empty()) return kSuccess;
  if (request.is_decision) {
    const Entry* const entry = internal::EntryOfDecision(program, request.path);
    if (entry == nullptr) {
      return Complain(kName, absl::StrCat("the config has no entry ", request.path, ", which the decision asks for"),
                      kInputError);
    }
    entries->push_back(entry);
  } else {
    for (const Entry& entry : program.entries()) entries->push_back(&entry);
  }
  return entries->empty() ? Complain(kName, "the config has no attributes", kInputError) : kSuccess;
}

std::string InForm(const std::vector<Explanation>& explanations, const std::string& format) {
  std::string out;
  if (format == "html") return ToHtml(explanations, "Explanation");
  for (const Explanation& one : explanations) {
    if (format == "json") {
      absl::StrAppend(&out, ToJson(one), "\n");
    } else {
      absl::StrAppend(&out, out.empty() ? "" : "\n", ToText(one));
    }
  }
  return out;
}

}  // namespace

int ExplainValues(std::string_view path, const ExplainValuesOptions& options) {
  int status = kSuccess;
  const std::shared_ptr<const Program> program = LoadConfig(kName, path, options.common, &status);
  if (program == nullptr) return status;
  Heap heap(nullptr, program->dialect(), options.common.compile.limits);
  LoggedRequest request;
  status = FindRequest(options, &heap, &request);
  if (status != kSuccess) return status;
  std::vector<const Entry*> entries;
  status = FindEntries(*program, options, request, &entries);
  if (status != kSuccess) return status;
  if (request.is_partial) {
    Complain(kName, "parts of the request are not in the log, so that the answer may have been another one", status);
  }
  internal::ExplainOptions explain = options.explain;
  explain.limits = options.common.compile.limits;
  internal::Explainer explainer(program, explain);
  std::vector<Explanation> explanations;
  for (const Entry* entry : entries) {
    explanations.push_back(explainer.Explain(request.scope, *entry));
    if (explanations.back().is_limit) status = kLimitReached;
  }
  const std::string out = InForm(explanations, options.format);
  std::fwrite(out.data(), 1, out.size(), stdout);
  return status;
}

}  // namespace hcl::cmd
