// ExplainValues. Tested by tests/explain_command_test.sh.

#include "hclvm/cmd/hclvm/explain_values.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/request_file.h"
#include "hclvm/ndjson/batch_reader.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/request_reader.h"
#include "hclvm/workbench/request_stream.h"

namespace hcl::cmd {

using internal::Explanation;
using internal::RecordedRequest;
using internal::RequestForm;
using internal::RequestReader;
using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "explain";

// Finds the request that the options name. Lines that cannot be that request are not read as JSON.
class RequestFinder {
 public:
  RequestFinder(const ExplainValuesOptions& options, RequestReader* reader)
      : options_(options),
        path_(options.log ? *options.log : *options.scopes),
        max_line_bytes_(options.common.compile.limits.max_source_bytes),
        reader_(*reader) {}

  // An exit status; what is wrong has been printed unless it is kSuccess. The request is valid as the reader says.
  int Find(RecordedRequest* request) {
    RequestFile file;
    const int status = file.Open(kName, path_);
    if (status != kSuccess) return status;
    internal::RequestStream stream(file.input(), max_line_bytes_);
    internal::Batch batch;
    while (!is_done_ && stream.Next(&batch)) {
      internal::ForEachLine(batch, [&](std::string_view line, uint64_t number, bool is_cut) {
        if (!is_done_) Look(line, number, is_cut, request);
      });
    }
    if (is_done_) return fault_.empty() ? kSuccess : Complain(kName, fault_, kInputError);
    if (!stream.status().ok()) return file.Complain(kName, stream.status());
    if (long_line_ > 0) {
      return Complain(kName,
                      absl::StrCat(path_, ":", long_line_, ": the line is longer than ", max_line_bytes_,
                                   " bytes, which is the limit"),
                      kLimitReached);
    }
    return Complain(kName,
                    options_.log ? absl::StrCat(path_, " has no decision ", *options_.id)
                                 : absl::StrCat(path_, " has no request in line ", options_.line),
                    kInputError);
  }

 private:
  void Look(std::string_view line, uint64_t number, bool is_cut, RecordedRequest* request) {
    if (!options_.log && number != options_.line) return;
    if (is_cut || line.size() > max_line_bytes_) {
      if (long_line_ == 0) long_line_ = number;
      return;
    }
    if (options_.log && line.find(*options_.id) == std::string_view::npos) return;
    std::string fault;
    const bool is_read = reader_.Read(line, request, &fault);
    if (is_read && options_.log && request->id != *options_.id) return;
    if (is_read && !request->scope.is_object()) {
      fault = absl::StrCat("the log has no input of the decision ", ToAbsl(request->id));
    }
    is_done_ = true;
    if (!fault.empty()) fault_ = absl::StrCat(path_, ":", number, ": ", fault);
  }

  const ExplainValuesOptions& options_;
  const std::string& path_;
  const uint64_t max_line_bytes_;
  RequestReader& reader_;
  bool is_done_ = false;    // found, or something is wrong with it
  std::string fault_;       // what is wrong
  uint64_t long_line_ = 0;  // the first line over the limit that may be the request
};

// The entries of the options, or that of the decision, or all.
int FindExplained(const Program& program, const ExplainValuesOptions& options, const RecordedRequest& request,
                  std::vector<const Entry*>* entries) {
  if (!options.entries.empty() || request.path.empty()) return FindEntries(kName, program, options.entries, entries);
  const Entry* const entry =
      internal::FindLoggedEntry(program, request.path, options.common.bundle_module.value_or(""));
  if (entry == nullptr) {
    return Complain(kName,
                    absl::StrCat("the config has no entry ", ToAbsl(request.path), ", which the decision asks for"),
                    kInputError);
  }
  entries->push_back(entry);
  return kSuccess;
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
  JsonProjection all;
  all.NeedAll();
  RequestReader reader(RequestForm::kEither, all, options.common.compile.dialect, options.common.compile.limits);
  RecordedRequest request;
  status = RequestFinder(options, &reader).Find(&request);
  if (status != kSuccess) return status;
  options.common.logged_entry = std::string(request.path);
  const std::shared_ptr<const Program> program = LoadConfig(kName, path, options.common, &status);
  if (program == nullptr) return status;
  std::vector<const Entry*> entries;
  status = FindExplained(*program, options, request, &entries);
  if (status != kSuccess) return status;
  if (request.lack != RecordedRequest::Lack::kNothing) {
    Complain(kName, "parts of the request are not in the log, so that the answer may have been another one", status);
  }
  internal::ExplainOptions explain = options.explain;
  explain.limits = options.common.compile.limits;
  status = options.data.Make(program, options.common, &explain.base);
  if (status != kSuccess) return status;
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
