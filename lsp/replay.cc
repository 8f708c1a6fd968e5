// Replay.

#include "hclvm/lsp/replay.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/source.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {

Replay::Replay(Json settings) {
  Json params = {{"rootUri", "file:///no/such"}, {"capabilities", Json::object()}};
  params["initializationOptions"] = std::move(settings);
  Request("initialize", std::move(params));
  Notify("initialized", Json::object());
}

void Replay::Open(const std::string& name, std::string text) {
  const size_t mark = text.find('|');
  if (mark != std::string::npos) {
    text.erase(mark, 1);
    marks_[name] = ToJson(LineIndex(text).PositionAt(static_cast<uint32_t>(mark), PositionEncoding::kUtf16));
  }
  texts_[name] = text;
  Notify("textDocument/didOpen",
         {{"textDocument", {{"uri", UriOf(name)}, {"languageId", "hcl"}, {"version", version_++}, {"text", text}}}});
}

void Replay::Edit(const std::string& name, std::string text) {
  texts_[name] = text;
  Notify("textDocument/didChange", {{"textDocument", {{"uri", UriOf(name)}, {"version", version_++}}},
                                    {"contentChanges", Json::array({{{"text", text}}})}});
}

void Replay::Notify(const std::string& method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"method", method}};
  message["params"] = std::move(params);
  Send(message);
  std::vector<Json> out;
  while (server_.Settle(&out)) {
  }
  for (Json& one : out) {
    if (TextAt(one, "method") == "textDocument/publishDiagnostics") {
      published_[TextAt(one["params"], "uri")] = one["params"]["diagnostics"];
    } else {
      others_.push_back(std::move(one));
    }
  }
}

void Replay::Send(const Json& message) {
  std::vector<Json> out;
  server_.Take(message, &out);
  const std::atomic<bool> stop{false};
  for (PendingJob& job : server_.TakeJobs()) out.push_back(Server::Answer(job.id, job.job(&stop)));
  for (Json& one : out) {
    const bool is_answer = one.contains("id") && !one.contains("method");
    if (is_answer) {
      answer_ = one.contains("result") ? one["result"] : one["error"];
    } else if (TextAt(one, "method") == "textDocument/publishDiagnostics") {
      published_[TextAt(one["params"], "uri")] = one["params"]["diagnostics"];
    } else {
      others_.push_back(std::move(one));
    }
  }
}

Json Replay::Request(const std::string& method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"id", next_id_++}, {"method", method}};
  message["params"] = std::move(params);
  answer_ = "no answer";
  Send(message);
  return answer_;
}

Json Replay::Ask(const std::string& method, const std::string& name, Json more) {
  more["textDocument"] = {{"uri", UriOf(name)}};
  const auto mark = marks_.find(name);
  if (mark != marks_.end()) more["position"] = mark->second;
  return Request(method, std::move(more));
}

const Json& Replay::PublishedFor(const std::string& name) const {
  static const Json& none = *new Json(Json::array());
  const auto found = published_.find(UriOf(name));
  return found == published_.end() ? none : found->second;
}

std::string Replay::DiagnosticsOfUri(const std::string& uri) const {
  std::string text;
  const auto found = published_.find(uri);
  if (found == published_.end()) return text;
  for (const Json& one : found->second) {
    absl::StrAppend(&text, text.empty() ? "" : " ", TextAt(one, "code"), " ", TextOfRange(one["range"]));
  }
  return text;
}

std::string Replay::Edited(const std::string& name, const Json& edits) const {
  std::string text = texts_.at(name);
  const LineIndex lines(texts_.at(name));
  std::vector<std::pair<SourceRange, std::string>> all;
  for (const Json& edit : edits) {
    all.emplace_back(lines.BytesOf(edit["range"], PositionEncoding::kUtf16), TextAt(edit, "newText"));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  for (const auto& [range, with] : all) text.replace(range.begin, range.end - range.begin, with);
  return text;
}

std::string TextOfRange(const Json& range) {
  const auto place = [&](const char* name) {
    const TextPosition position = PositionIn(range.value(name, Json()));
    return absl::StrCat(position.line, ":", position.character);
  };
  return absl::StrCat(place("start"), "-", place("end"));
}

}  // namespace hcl::lsp
