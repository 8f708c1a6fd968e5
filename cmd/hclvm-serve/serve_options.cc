// Options of hclvm-serve. Tested by cmd/hclvm-serve/serve_options_test.cc.

#include "hclvm/cmd/hclvm-serve/serve_options.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

using Setter = std::function<std::string(std::string_view)>;

constexpr uint64_t kMaxSmallFile = 1 << 20;
constexpr char kDefaultListener[] = "127.0.0.1:8181";

Setter Text(std::string* to) {
  return [to](std::string_view value) { return *to = std::string(value), ""; };
}

Setter Texts(std::vector<std::string>* to) {
  return [to](std::string_view value) { return to->emplace_back(value), ""; };
}

template <typename T>
Setter Number(T* to, uint64_t least, uint64_t most) {
  return [=](std::string_view value) -> std::string {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(ToAbsl(value), &number) || number < least || number > most) {
      return absl::StrCat("expected a whole number from ", least, " to ", most);
    }
    *to = static_cast<T>(number);
    return "";
  };
}

// Whole numbers of the unit T.
template <typename T, typename D>
Setter Duration(D* to, uint64_t most) {
  return [=](std::string_view value) -> std::string {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(ToAbsl(value), &number) || number > most) {
      return absl::StrCat("expected a whole number from 0 to ", most);
    }
    *to = T(number);
    return "";
  };
}

template <typename T>
Setter Choice(T* to, std::string_view first, T first_value, std::string_view second, T second_value) {
  return [=](std::string_view value) -> std::string {
    if (value != first && value != second) return absl::StrCat("expected ", ToAbsl(first), " or ", ToAbsl(second));
    *to = value == first ? first_value : second_value;
    return "";
  };
}

Setter Fraction(double* to) {
  return [to](std::string_view value) -> std::string {
    if (!absl::SimpleAtod(ToAbsl(value), to) || !(*to >= 0 && *to <= 1)) return "expected a number from 0 to 1";
    return "";
  };
}

// Bools come without a value on the command line.
Setter Switch(bool* to) {
  return [to](std::string_view value) -> std::string {
    if (value != "" && value != "true" && value != "false") return "expected true or false";
    *to = value != "false";
    return "";
  };
}

std::string ReadSmallFile(const std::string& path, std::string* text) {
  auto read = ReadWholeFile(path, kMaxSmallFile);
  if (!read.ok()) return std::string(read.status().message());
  *text = *std::move(read);
  return "";
}

void AddBundleOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  options->insert(
      options->end(),
      {{"--bundle", "-b", "PATH", "the policies: a directory, or a tar.gz of one", Text(&o->loader.bundle)},
       {"--reload-interval", "", "MS", "how often to look whether it has changed; 0: never (1000)",
        Duration<std::chrono::milliseconds>(&o->loader.interval, 86'400'000)},
       {"--require-signature", "", "KEY", "a file with an ed25519 public key that has to have signed the manifest",
        Text(&o->signature_key_file)},
       {"--allow-older", "", "", "activate revisions older than the one in force", Switch(&o->service.allow_older)},
       {"--shadow", "", "PATH", "a second bundle, which is asked beside the first and only logged",
        Text(&o->loader.shadow)}});
}

void AddListenOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  options->insert(
      options->end(),
      {{"--listen", "-l", "[DIALECT@]ADDRESS",
        "HOST:PORT or unix:PATH; DIALECT nginx or forwarded: /auth/ is there; can be repeated (127.0.0.1:8181)",
        Texts(&o->listen)},
       {"--admin-listen", "", "ADDRESS", "where bundles are taken: PUT /v1/bundle", Texts(&o->admin_listen)},
       {"--admin-token-file", "", "FILE", "what the admin listener asks for: authorization: Bearer TOKEN",
        Text(&o->admin_token_file)},
       {"--tls-certificate", "", "FILE", "PEM; TCP listeners then have TLS", Text(&o->server.tls.certificate)},
       {"--tls-key", "", "FILE", "PEM", Text(&o->server.tls.key)},
       {"--tls-client-ca", "", "FILE", "clients need a certificate by one of these", Text(&o->server.tls.client_ca)},
       {"--threads", "-j", "N", "threads; 0: as many as there are cores (0)", Number(&o->server.threads, 0, 256)}});
}

void AddLimitOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  ServerLimits& server = o->server.limits;
  Limits& limits = o->service.limits;
  options->insert(
      options->end(),
      {{"--timeout", "", "MS", "of a decision, from the arrival of its request (100)",
        Duration<std::chrono::milliseconds>(&o->service.timeout, 600'000)},
       {"--max-fuel", "", "N", "units of work of a decision (1000000)", Number(&limits.max_fuel, 1, UINT64_MAX)},
       {"--max-memory", "", "BYTES", "of the values of a decision (16777216)",
        Number(&limits.max_result_bytes, 1, UINT64_MAX)},
       {"--max-body", "", "BYTES", "of a request (1048576)", Number(&o->service.max_body, 0, 1u << 30)},
       {"--max-batch", "", "N", "inputs of a request (1000)", Number(&o->service.max_batch, 1, 1'000'000)},
       {"--max-connections", "", "N", "open at a time (10000, at most the descriptors that there are)",
        Number(&server.max_connections, 1, 1'000'000)},
       {"--max-queue", "", "N", "requests that wait, for each thread (1000)", Number(&server.max_queue, 1, 1'000'000)},
       {"--idle-timeout", "", "S", "seconds between requests of a connection (75)",
        Duration<std::chrono::seconds>(&server.idle_timeout, 86'400)},
       {"--request-timeout", "", "S", "seconds for a request to come, and for its answer to be taken (10)",
        Duration<std::chrono::seconds>(&server.request_timeout, 86'400)},
       {"--fail-mode", "", "deny|allow", "what /auth/ answers where a limit is crossed (deny)",
        Choice(&o->service.fail_mode, "deny", FailMode::kDeny, "allow", FailMode::kAllow)},
       {"--encoded-slash", "", "refuse|keep", "what becomes of %2f in paths (refuse)",
        Choice(&o->service.encoded_slash, "refuse", EncodedSlash::kRefuse, "keep", EncodedSlash::kKeep)},
       {"--shutdown-delay", "", "MS", "how long requests are taken after the signal to end (0)",
        Duration<std::chrono::milliseconds>(&o->shutdown_delay, 600'000)},
       {"--drain-timeout", "", "MS", "how long requests may take to finish then (10000)",
        Duration<std::chrono::milliseconds>(&o->drain_timeout, 600'000)}});
}

void AddLogOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  options->insert(
      options->end(),
      {{"--decision-log", "", "FILE", "a line of JSON for each decision; \"-\": standard output",
        Text(&o->decision_log)},
       {"--log-sample", "", "FRACTION", "how many of the decisions are logged (1)", Fraction(&o->service.log_sample)},
       {"--log-erase", "", "PATTERN", "what of the inputs is left out, such as user.email or **.password; repeated",
        Texts(&o->erased)},
       {"--log-mask", "", "PATTERN", "what of the inputs is written as \"***\"; can be repeated", Texts(&o->masked)},
       {"--log-buffer", "", "BYTES", "that wait to be written (16777216)", Number(&o->log_buffer, 1, 1u << 30)},
       {"--label", "", "NAME=VALUE", "written to each line of the log; can be repeated", Texts(&o->labels)}});
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

std::string SetOption(const cmd::Option& option, const Value& value) {
  if (value.is_sequence()) {
    for (const Value& one : value.elements()) {
      if (one.is_sequence()) return "a list in a list";
      const std::string fault = SetOption(option, one);
      if (!fault.empty()) return fault;
    }
    return "";
  }
  std::string text;
  if (!AsText(value, &text)) return "expected a text, a number, a bool, or a list of these";
  return option.set(text);
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

}  // namespace

cmd::CommandSyntax ServeSyntax(ServeOptions* options) {
  cmd::CommandSyntax syntax;
  syntax.usage = "hclvm-serve --bundle PATH [options]";
  syntax.summary =
      "Answers whether requests may pass, by the policies of a bundle: POST /v1/decide/ENTRY for callers that bring a\n"
      "scope, /auth/ for proxies. Never ends for a bad policy. SIGHUP reads the bundle and the certificates again and\n"
      "opens the log anew; SIGTERM ends when all requests are answered.";
  AddBundleOptions(options, &syntax.options);
  AddListenOptions(options, &syntax.options);
  AddLimitOptions(options, &syntax.options);
  AddLogOptions(options, &syntax.options);
  syntax.options.push_back(
      {"--check-config", "", "", "only say whether options and bundle are right", Switch(&options->check_config)});
  syntax.notes =
      "\"hclvm-serve replay LOG --bundle PATH\" says which decisions of a log a bundle changes. Exit status: 0 "
      "success, 1\n"
      "the bundle is wrong or an address cannot be had, 2 wrong usage.";
  return syntax;
}

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
    const auto option = std::find_if(syntax.options.begin(), syntax.options.end(),
                                     [&](const cmd::Option& known) { return known.name == flag; });
    const std::string place = absl::StrCat(name, " line ", source->LineAt(entry.range.begin), ": ");
    if (option == syntax.options.end() || flag == "--config") {
      return absl::StrCat(place, "there is no option ", ToAbsl(entry.path));
    }
    const std::string fault = SetOption(*option, evaluation.value());
    if (!fault.empty()) return absl::StrCat(place, ToAbsl(entry.path), ": ", fault);
  }
  return "";
}

std::string FinishOptions(ServeOptions* options) {
  std::string fault = MakeListeners(options);
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
  if (!options->signature_key_file.empty()) {
    std::string& key = options->service.bundle.manifest.required_key;
    fault = ReadSmallFile(options->signature_key_file, &key);
    if (!fault.empty()) return fault;
    absl::Status status = CheckPublicKey(key);
    if (!status.ok()) return absl::StrCat(options->signature_key_file, ": ", std::string(status.message()));
  }
  fault = LabelsJson(options->labels, &options->service.labels);
  if (!fault.empty()) return fault;
  fault = MakeMask(*options, &options->service.mask);
  if (!fault.empty()) return fault;
  options->service.bundle.compile.functions = StandardFunctions();
  if (options->server.threads == 0) options->server.threads = std::max(1u, std::thread::hardware_concurrency());
  FitConnections(&options->server.limits);
  return "";
}

}  // namespace hcl::serve
