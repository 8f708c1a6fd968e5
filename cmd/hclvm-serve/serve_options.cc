// Options of hclvm-serve. Tested by cmd/hclvm-serve/serve_options_test.cc.

#include "hclvm/cmd/hclvm-serve/serve_options.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/service_manager.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/serve/revision_state.h"
#include "hclvm/serve/signature.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr uint64_t kMaxSmallFile = 1 << 20;
constexpr char kDefaultListener[] = "127.0.0.1:8181";

std::string ReadSmallFile(const std::string& path, std::string* text) {
  auto read = ReadWholeFile(path, kMaxSmallFile);
  if (!read.ok()) return std::string(read.status().message());
  *text = *std::move(read);
  return "";
}

// What the value of an attribute is on a command line. False for what no option takes.
bool AsText(const Value& value, std::string* text) {
  if (value.is_string()) {
    *text = std::string(value.AsString());
  } else if (value.is_bool()) {
    *text = value.is_true() ? "true" : "false";
  } else if (value.is_number()) {
    *text = value.AsNumber().ToString();
  } else {
    return false;
  }
  return true;
}

// `before` stands before each text.
std::string SetOption(const cmd::OptionSetter& setter, std::string_view before, const Value& value) {
  if (value.is_sequence()) {
    for (const Value& one : value.elements()) {
      if (one.is_sequence()) return "a list in a list";
      std::string fault = SetOption(setter, before, one);
      if (!fault.empty()) return fault;
    }
    return "";
  }
  std::string text;
  if (!AsText(value, &text)) return "expected a text, a number, a bool, or a list of these";
  return setter.set(absl::StrCat(ToAbsl(before), text));
}

std::string LabelsJson(const std::vector<std::string>& labels, std::string* json) {
  *json = "{";
  for (const std::string& label : labels) {
    const size_t equals = label.find('=');
    if (equals == std::string::npos || equals == 0) return "--label: expected NAME=VALUE";
    if (json->size() > 1) json->push_back(',');
    AppendJsonString(label.substr(0, equals), json);
    json->push_back(':');
    AppendJsonString(label.substr(equals + 1), json);
  }
  json->push_back('}');
  return "";
}

// What is a secret in most requests stays out of the log unless somebody takes care to have it there.
std::string MakeMask(const ServeOptions& options, LogMask* mask) {
  for (const char* pattern : {"**.authorization", "**.cookie", "**.proxy-authorization", "**.x-api-key"}) {
    mask->Add(pattern, /*erase=*/true);
  }
  for (const std::string& pattern : options.erased) {
    const std::string fault = mask->Add(pattern, /*erase=*/true);
    if (!fault.empty()) return absl::StrCat("--log-erase ", pattern, ": ", fault);
  }
  for (const std::string& pattern : options.masked) {
    const std::string fault = mask->Add(pattern, /*erase=*/false);
    if (!fault.empty()) return absl::StrCat("--log-mask ", pattern, ": ", fault);
  }
  return "";
}

// A bundle needs a signature by one of all keys in all files.
std::string ReadSignatureKeys(const ServeOptions& options, std::string* keys) {
  for (const std::string& path : options.signature_key_files) {
    std::string text;
    std::string fault = ReadSmallFile(path, &text);
    if (!fault.empty()) return fault;
    const absl::Status status = PublicKeyNames(text).status();
    if (!status.ok()) return absl::StrCat(path, ": ", std::string(status.message()));
    absl::StrAppend(keys, text, "\n");
  }
  const absl::Status status = keys->empty() ? absl::OkStatus() : PublicKeyNames(*keys).status();
  return status.ok() ? "" : absl::StrCat("--require-signature: ", std::string(status.message()));
}

std::string MakeListeners(ServeOptions* options) {
  options->server.listeners.clear();
  if (options->listen.empty()) options->listen.emplace_back(kDefaultListener);
  for (const bool is_admin : {false, true}) {
    for (const std::string& text : is_admin ? options->admin_listen : options->listen) {
      ListenerOptions listener;
      const std::string fault = ParseListener(text, &listener);
      if (!fault.empty()) return absl::StrCat(is_admin ? "--admin-listen " : "--listen ", text, ": ", fault);
      listener.info.is_admin = is_admin;
      options->server.listeners.push_back(std::move(listener));
    }
  }
  return "";
}

// Bundles, logs and libraries need some descriptors besides.
void FitConnections(ServerLimits* limits) {
  constexpr rlim_t kOthers = 64;
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return;
  const rlim_t most = files.rlim_cur > 2 * kOthers ? files.rlim_cur - kOthers : kOthers;
  limits->max_connections = std::min<size_t>(limits->max_connections, most);
}

// The option that was probably meant, as a config spells it.
std::string Suggestion(std::string_view flag, const cmd::CommandSyntax& syntax) {
  std::vector<std::string_view> names;
  for (const cmd::OptionSetter& setter : syntax.setters) names.push_back(setter.option);
  std::string name(NearestName(flag, names));
  if (name.empty()) return "";
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  return absl::StrCat("; did you mean ", name, "?");
}

}  // namespace

std::string ReadConfigText(const std::string& name, const std::string& text, const cmd::CommandSyntax& syntax) {
  const auto source = std::make_shared<const Source>(name, text);
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto program = CompileConfig(source, options, &diagnostics);
  if (program == nullptr) return ToText(diagnostics, source.get());
  Evaluator evaluator(program);
  for (const Entry& entry : program->entries()) {
    const Evaluation& evaluation = evaluator.Run(entry);
    if (!evaluation.ok()) return ToText(evaluation.diagnostics(), source.get());
    std::string flag = absl::StrCat("--", ToAbsl(entry.path));
    std::replace(flag.begin(), flag.end(), '_', '-');
    const cmd::OldOption* const old = cmd::FindOldOption(*syntax.command, flag);
    const auto setter = std::find_if(syntax.setters.begin(), syntax.setters.end(), [&](const cmd::OptionSetter& known) {
      return known.option == (old == nullptr ? std::string_view(flag) : old->name);
    });
    const std::string place = absl::StrCat(name, " line ", source->LineAt(entry.range.begin), ": ");
    if (setter == syntax.setters.end()) {
      return absl::StrCat(place, "there is no option ", ToAbsl(entry.path), Suggestion(flag, syntax));
    }
    const std::string fault = SetOption(*setter, old == nullptr ? "" : old->value, evaluation.value());
    if (!fault.empty()) return absl::StrCat(place, ToAbsl(entry.path), ": ", fault);
  }
  return "";
}

std::string FinishOptions(ServeOptions* options) {
  const char* const credentials = std::getenv("CREDENTIALS_DIRECTORY");
  TlsOptions& tls = options->server.tls;
  std::string fault;
  std::vector<std::string*> paths = {&options->admin_token_file, &tls.certificate, &tls.key, &tls.client_ca};
  for (std::string& path : options->signature_key_files) paths.push_back(&path);
  for (std::string* path : paths) {
    fault = ResolveCredential(credentials == nullptr ? "" : credentials, path);
    if (!fault.empty()) return fault;
  }
  fault = MakeListeners(options);
  if (!fault.empty()) return fault;
  if (options->loader.bundle.empty() && options->admin_listen.empty()) return "give --bundle PATH";
  if (!options->admin_listen.empty() && options->admin_token_file.empty()) {
    return "--admin-listen needs --admin-token-file";
  }
  if (options->server.tls.certificate.empty() != options->server.tls.key.empty()) {
    return "--tls-certificate and --tls-key belong together";
  }
  if (!options->server.tls.client_ca.empty() && options->server.tls.certificate.empty()) {
    return "--tls-client-ca needs --tls-certificate";
  }
  if (!options->admin_token_file.empty()) {
    std::string& token = options->service.admin_token;
    fault = ReadSmallFile(options->admin_token_file, &token);
    if (!fault.empty()) return fault;
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
    constexpr size_t kShortestToken = 16;
    if (token.size() < kShortestToken) {
      return absl::StrCat(options->admin_token_file, ": a token has at least ", kShortestToken, " characters");
    }
  }
  fault = ReadSignatureKeys(*options, &options->service.bundle.manifest.required_keys);
  if (!fault.empty()) return fault;
  if (!options->state_file.empty()) {
    auto state = RevisionState::Open(options->state_file);
    if (!state.ok()) return std::string(state.status().message());
    options->service.state = *std::move(state);
  }
  fault = LabelsJson(options->labels, &options->service.labels);
  if (!fault.empty()) return fault;
  fault = MakeMask(*options, &options->service.mask);
  if (!fault.empty()) return fault;
  options->service.bundle.compile.functions = StandardFunctions();
  options->service.needs_data = !options->loader.data.empty();
  if (options->server.threads == 0) options->server.threads = std::max(1u, std::thread::hardware_concurrency());
  FitConnections(&options->server.limits);
  return "";
}

}  // namespace hcl::serve
