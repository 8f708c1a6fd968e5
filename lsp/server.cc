// Server: the life of a session, and documents. Tested by lsp/server_test.cc.

#include "hclvm/lsp/server.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/lsp/capabilities.h"
#include "hclvm/lsp/documents/file_store.h"
#include "hclvm/lsp/features/diagnostics.h"
#include "hclvm/lsp/features/request_values.h"
#include "hclvm/lsp/protocol/file_uri.h"
#include "hclvm/lsp/routes.h"

namespace hcl::lsp {
namespace {

// The protocol's numbers of errors.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNotInitialized = -32002;
constexpr int kRequestFailed = -32803;
constexpr int kRequestCanceled = -32800;

constexpr char kSettingsId[] = "hclvm/settings";

Json Failed(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

Json Notification(const char* method, Json params) {
  Json json = {{"jsonrpc", "2.0"}, {"method", method}};
  json["params"] = std::move(params);
  return json;
}

// A line in the log of the client.
Json LogMessage(const std::string& message) {
  constexpr int kWarning = 2;
  return Notification("window/logMessage", {{"type", kWarning}, {"message", "hclvm: " + message}});
}

// The client shows it to its user.
Json ShownMessage(const std::string& message) {
  constexpr int kWarning = 2;
  return Notification("window/showMessage", {{"type", kWarning}, {"message", "hclvm: " + message}});
}

std::string UriIn(const Json& params) {
  const Json* const document = Member(params, {"textDocument"});
  return document == nullptr ? "" : TextAt(*document, "uri");
}

std::string FolderPath(const std::string& uri) {
  std::string path = PathOf(uri);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// The paths of WorkspaceFolders; `json` may be null.
std::vector<std::string> FoldersIn(const Json* json) {
  std::vector<std::string> paths;
  if (json == nullptr || !json->is_array()) return paths;
  for (const Json& folder : *json) {
    const std::string uri = TextAt(folder, "uri");
    if (!uri.empty()) paths.push_back(FolderPath(uri));
  }
  return paths;
}

bool IsId(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

Json Server::Answer(const Json& id, Json result) {
  Json json = {{"jsonrpc", "2.0"}, {"id", id}};
  json["result"] = std::move(result);
  return json;
}

Json Server::ParseError(const std::string& error) { return Failed(nullptr, kParseError, error); }

Json Server::Canceled(const Json& id) { return Failed(id, kRequestCanceled, "The request was canceled."); }

void Server::Take(const Json& message, std::vector<Json>* out) {
  static const Json& none = *new Json();
  const Json* const id = Member(message, {"id"});
  const Json* const params = Member(message, {"params"});
  const std::string method = TextAt(message, "method");
  if (method.empty()) {
    const bool is_answer = id != nullptr && (message.contains("result") || message.contains("error"));
    if (is_answer) return TakeAnswer(message, out);
    return out->push_back(Failed(nullptr, kInvalidRequest, "A message must have a method."));
  }
  if (id == nullptr) return TakeNotification(method, params == nullptr ? none : *params, out);
  if (!IsId(*id)) return out->push_back(Failed(nullptr, kInvalidRequest, "An id must be a text or a whole number."));
  TakeRequest(method, *id, params == nullptr ? none : *params, out);
}

void Server::TakeRequest(const std::string& method, const Json& id, Params params, std::vector<Json>* out) {
  if (is_shut_down_) return out->push_back(Failed(id, kInvalidRequest, "The server is shut down."));
  if (method == "initialize") {
    if (is_initialized_) return out->push_back(Failed(id, kInvalidRequest, "The server is initialized already."));
    return out->push_back(Answer(id, Initialize(params, out)));
  }
  if (!is_initialized_) return out->push_back(Failed(id, kNotInitialized, "The first request must be initialize."));
  if (method == "shutdown") {
    is_shut_down_ = true;
    return out->push_back(Answer(id, nullptr));
  }
  const Feature feature = FindFeature(method);
  if (feature == nullptr) return out->push_back(Failed(id, kMethodNotFound, absl::StrCat("There is no ", method, ".")));
  FeatureContext context;
  context.workspace = &workspace_;
  context.encoding = encoding_;
  context.params = &params;
  std::string failure;
  context.failure = &failure;
  Job job;
  context.job = &job;
  context.uri = UriIn(params);
  const OpenDocument* const document = workspace_.files()->FindOpen(PathOf(context.uri));
  if (document != nullptr) {
    context.file = document->file;
    const Json* const position = Member(params, {"position"});
    if (position != nullptr) context.offset = context.file->lines().OffsetAt(PositionIn(*position), encoding_);
  } else if (NeedsDocument(method)) {
    return out->push_back(Failed(id, kInvalidParams, absl::StrCat("The document ", context.uri, " is not open.")));
  }
  Json result = feature(context);
  if (job) return jobs_.push_back({id, std::move(job)});
  out->push_back(failure.empty() ? Answer(id, std::move(result)) : Failed(id, kRequestFailed, failure));
}

Json Server::Initialize(Params params, std::vector<Json>* out) {
  is_initialized_ = true;
  if (const Json* const offered = Member(params, {"capabilities", "general", "positionEncodings"})) {
    const auto offers = [&](const char* name) {
      return offered->is_array() && std::find(offered->begin(), offered->end(), name) != offered->end();
    };
    encoding_ = offers("utf-8")    ? PositionEncoding::kUtf8
                : offers("utf-16") ? PositionEncoding::kUtf16
                : offers("utf-32") ? PositionEncoding::kUtf32
                                   : PositionEncoding::kUtf16;
  }
  std::vector<std::string> folders = FoldersIn(Member(params, {"workspaceFolders"}));
  if (folders.empty()) folders = {FolderPath(TextAt(params, "rootUri"))};
  workspace_.files()->set_root(folders[0]);
  workspace_.files()->set_folders(std::move(folders));
  if (const Json* const options = Member(params, {"initializationOptions"})) ApplySettings(*options, out);
  const Json* const configuration = Member(params, {"capabilities", "workspace", "configuration"});
  asks_for_settings_ = configuration != nullptr && *configuration == true;
  return Capabilities(encoding_);
}

void Server::ApplySettings(Params settings, std::vector<Json>* out) {
  if (settings.is_null()) return;
  const Json* const own = Member(settings, {"hclvm"});
  std::vector<std::string> complaints;
  workspace_.set_settings(ReadSettings(own == nullptr ? settings : *own, &complaints));
  for (const std::string& complaint : complaints) out->push_back(LogMessage(complaint));
  for (const std::string& fault : UnreadSettings(&workspace_)) out->push_back(ShownMessage(fault));
  TouchAll();
}

void Server::TakeNotification(const std::string& method, Params params, std::vector<Json>* out) {
  if (method == "exit") {
    has_exited_ = true;
  } else if (!is_initialized_ || is_shut_down_) {
    return;  // the protocol has these dropped
  } else if (method == "initialized") {
    if (!asks_for_settings_) return;
    out->push_back({{"jsonrpc", "2.0"},
                    {"id", kSettingsId},
                    {"method", "workspace/configuration"},
                    {"params", {{"items", Json::array({{{"section", "hclvm"}}})}}}});
  } else if (method == "textDocument/didOpen") {
    Opened(params, out);
  } else if (method == "textDocument/didChange") {
    Changed(params, out);
  } else if (method == "textDocument/didClose") {
    Closed(params, out);
  } else if (method == "workspace/didChangeConfiguration") {
    if (const Json* const settings = Member(params, {"settings"})) ApplySettings(*settings, out);
  } else if (method == "workspace/didChangeWorkspaceFolders") {
    std::vector<std::string> folders = workspace_.files()->folders();
    const std::vector<std::string> removed = FoldersIn(Member(params, {"event", "removed"}));
    const auto is_removed = [&](const std::string& one) {
      return std::find(removed.begin(), removed.end(), one) != removed.end();
    };
    folders.erase(std::remove_if(folders.begin(), folders.end(), is_removed), folders.end());
    for (std::string& added : FoldersIn(Member(params, {"event", "added"}))) folders.push_back(std::move(added));
    workspace_.files()->set_folders(std::move(folders));
  } else if (method == "workspace/didChangeWatchedFiles") {
    const Json* const changes = Member(params, {"changes"});
    if (changes == nullptr || !changes->is_array()) return;
    for (const Json& change : *changes) Touch(PathOf(TextAt(change, "uri")));
  }
}

void Server::TakeAnswer(const Json& message, std::vector<Json>* out) {
  const Json* const result = Member(message, {"result"});
  if (TextAt(message, "id") != kSettingsId || result == nullptr || !result->is_array() || result->empty()) return;
  ApplySettings((*result)[0], out);
}

void Server::Opened(Params params, std::vector<Json>* out) {
  const Json* const document = Member(params, {"textDocument"});
  if (document == nullptr || TextAt(*document, "uri").empty()) return;
  const std::string uri = TextAt(*document, "uri");
  const absl::Status status = workspace_.files()->Open(uri, NumberAt(*document, "version"), TextAt(*document, "text"));
  if (!status.ok()) return out->push_back(LogMessage(absl::StrCat(uri, ": ", status.message())));
  Touch(PathOf(uri));
}

// After a change that cannot be applied, the text here would not be the client's any more, so that it is closed.
void Server::Changed(Params params, std::vector<Json>* out) {
  const Json* const document = Member(params, {"textDocument"});
  const Json* const changes = Member(params, {"contentChanges"});
  if (document == nullptr || changes == nullptr) return;
  const std::string uri = TextAt(*document, "uri");
  const absl::Status status = workspace_.files()->Change(uri, NumberAt(*document, "version"), *changes, encoding_);
  if (!status.ok()) {
    out->push_back(LogMessage(absl::StrCat(uri, ": ", status.message())));
    workspace_.files()->Close(uri);
  }
  Touch(PathOf(uri));
}

void Server::Closed(Params params, std::vector<Json>* out) {
  const std::string uri = UriIn(params);
  const std::string path = PathOf(uri);
  workspace_.files()->Close(uri);
  Touch(path);
  changed_.erase(path);
  // A module still tells of the file as long as another one of its files is open.
  Withdraw(path, out);
  Withdraw(FolderOf(path), out);
}

void Server::Withdraw(const std::string& project, std::vector<Json>* out) {
  const auto found = published_.find(project);
  if (found == published_.end()) return;
  for (const std::string& uri : found->second) {
    if (workspace_.files()->FindOpen(PathOf(uri)) != nullptr) continue;
    out->push_back(Notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}}));
  }
  published_.erase(found);
}

void Server::Touch(const std::string& path) {
  if (absl::EndsWith(path, ".hcldec") || absl::EndsWith(path, ".json")) return TouchAll();
  for (const auto& [open, document] : workspace_.files()->open()) {
    if (open == path || FolderOf(open) == FolderOf(path)) changed_.insert(open);
  }
}

void Server::TouchAll() {
  for (const auto& [open, document] : workspace_.files()->open()) changed_.insert(open);
}

// A stopped check has found nothing that counts, and is done again.
bool Server::Settle(std::vector<Json>* out) {
  if (changed_.empty()) return false;
  const std::string path = *changed_.begin();
  const OpenDocument* const document = workspace_.files()->FindOpen(path);
  if (document == nullptr) {
    changed_.erase(path);
    return true;
  }
  const Project project = workspace_.ProjectOf(document->file);
  const CheckOutcome outcome = workspace_.Check(project);
  if (outcome.is_stopped && *workspace_.stop()) return true;
  changed_.erase(path);
  if (project.kind == ProjectKind::kModule) {
    for (const TextFilePtr& file : project.files) changed_.erase(file->path());
  }
  if (outcome.is_stopped) return true;
  // A module may have become configs by themselves.
  if (project.kind == ProjectKind::kPlain) Withdraw(FolderOf(path), out);
  Publish(project, outcome, out);
  return true;
}

// Each open file of the project is told of, and others only where something is or was found in them.
void Server::Publish(const Project& project, const CheckOutcome& outcome, std::vector<Json>* out) {
  std::map<std::string, Json> by_uri;
  std::set<std::string>& published = published_[project.path];
  for (const std::string& uri : published) by_uri[uri] = Json::array();
  published.clear();
  const bool is_module = project.kind == ProjectKind::kModule;
  for (const TextFilePtr& file : is_module ? project.files : std::vector<TextFilePtr>{project.file}) {
    const OpenDocument* const open = workspace_.files()->FindOpen(file->path());
    if (open != nullptr) by_uri[open->uri] = Json::array();
  }
  for (const Diagnostic& diagnostic : outcome.found) {
    const TextFilePtr file = project.FileOf(diagnostic.source);
    // What is wrong with a module or a spec file is told with these.
    if (file == nullptr || (!is_module && file != project.file)) continue;
    const OpenDocument* const open = workspace_.files()->FindOpen(file->path());
    const std::string uri = open != nullptr ? open->uri : UriOf(file->path());
    Json& list = by_uri.try_emplace(uri, Json::array()).first->second;
    list.push_back(ToProtocol(diagnostic, *file, encoding_));
    published.insert(uri);
  }
  for (auto& [uri, list] : by_uri) {
    Json params = {{"uri", uri}, {"diagnostics", std::move(list)}};
    const OpenDocument* const open = workspace_.files()->FindOpen(PathOf(uri));
    if (open != nullptr) params["version"] = open->version;
    out->push_back(Notification("textDocument/publishDiagnostics", std::move(params)));
  }
}

}  // namespace hcl::lsp
