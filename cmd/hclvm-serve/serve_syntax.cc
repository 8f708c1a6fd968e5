// The table of the options of hclvm-serve. Tested by cmd/hclvm-serve/serve_options_test.cc.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/cmd/hclvm-serve/option_setters.h"
#include "hclvm/cmd/hclvm-serve/serve_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/unknown_input.h"

namespace hcl::serve {

namespace {

void AddBundleOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  options->insert(
      options->end(),
      {{"--bundle", "-b", "PATH", "the policies: a directory, or a tar.gz of one", Text(&o->loader.bundle)},
       {"--data", "-d", "FILE|DIR",
        "variables for all requests: an object in FILE.json, or each NAME.json in DIR; can be repeated",
        Texts(&o->loader.data)},
       {"--data-default", "", "NAME", "a variable of --data that a request may replace; can be repeated",
        Texts(&o->service.data.replaceable)},
       {"--reload-interval", "", "MS", "how often to look whether they have changed; 0: never (1000)",
        Duration<std::chrono::milliseconds>(&o->loader.interval, 86'400'000)},
       {"--require-signature", "", "KEY", "a file with an ed25519 public key that has to have signed the manifest",
        Text(&o->signature_key_file)},
       {"--check-all", "", "", "look at all variables of a module, and not only at what an entry reads",
        Switch(&o->service.scopes.check_all)},
       {"--unknown-input", "", "error|near|ignore",
        "names in scopes that a module does not declare; near: a warning, where they are nearly one that is missing "
        "(near)",
        [o](std::string_view v) {
          UnknownInput& unknown = o->service.scopes.unknown_input;
          unknown = v == "error" ? UnknownInput::kError : v == "ignore" ? UnknownInput::kIgnore : UnknownInput::kNear;
          return std::string(v == "error" || v == "near" || v == "ignore" ? "" : "must be error, near or ignore");
        }},
       {"--allow-older", "", "", "activate revisions older than the one in force", Switch(&o->service.allow_older)},
       {"--state", "", "FILE", "keeps the last revision in force, so that older ones are refused after a restart too",
        Text(&o->state_file)},
       {"--shadow", "", "PATH", "a second bundle, which is asked beside the first and only logged",
        Text(&o->loader.shadow)}});
}

void AddListenOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  options->insert(
      options->end(),
      {{"--listen", "-l", "[DIALECT@]ADDRESS",
        "HOST:PORT, unix:PATH[,mode=OCTAL][,group=NAME] or systemd:NAME; DIALECT nginx or forwarded: /auth/ is there; "
        "can be repeated (127.0.0.1:8181)",
        Texts(&o->listen)},
       {"--admin-listen", "", "ADDRESS", "where bundles are taken: PUT /v1/bundle", Texts(&o->admin_listen)},
       {"--admin-token-file", "", "FILE", "what the admin listener asks for: authorization: Bearer TOKEN",
        Text(&o->admin_token_file)},
       {"--tls-certificate", "", "FILE", "PEM; TCP listeners then have TLS", Text(&o->server.tls.certificate)},
       {"--tls-key", "", "FILE", "PEM", Text(&o->server.tls.key)},
       {"--tls-client-ca", "", "FILE", "clients need a certificate by one of these", Text(&o->server.tls.client_ca)},
       {"--threads", "-j", "N", "threads; 0: as many as there are cores (0)",
        WholeNumber(&o->server.threads, 0, 256)}});
}

void AddLimitOptions(ServeOptions* o, std::vector<cmd::Option>* options) {
  ServerLimits& server = o->server.limits;
  Limits& limits = o->service.limits;
  options->insert(
      options->end(),
      {{"--timeout", "", "MS", "of a decision, from the arrival of its request (100)",
        Duration<std::chrono::milliseconds>(&o->service.timeout, 600'000)},
       {"--max-fuel", "", "N", "units of work of a decision (1000000)", WholeNumber(&limits.max_fuel, 1, UINT64_MAX)},
       {"--max-memory", "", "BYTES", "of the values of a decision (16777216)",
        WholeNumber(&limits.max_result_bytes, 1, UINT64_MAX)},
       {"--max-body", "", "BYTES", "of a request (1048576)", WholeNumber(&o->service.max_body, 0, 1u << 30)},
       {"--max-batch", "", "N", "inputs of a request (1000)", WholeNumber(&o->service.max_batch, 1, 1'000'000)},
       {"--max-connections", "", "N", "open at a time (10000, at most the descriptors that there are)",
        WholeNumber(&server.max_connections, 1, 1'000'000)},
       {"--max-queue", "", "N", "requests that wait, for each thread (1000)",
        WholeNumber(&server.max_queue, 1, 1'000'000)},
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
       {"--log-buffer", "", "BYTES", "that wait to be written (16777216)", WholeNumber(&o->log_buffer, 1, 1u << 30)},
       {"--label", "", "NAME=VALUE", "written to each line of the log; can be repeated", Texts(&o->labels)}});
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

}  // namespace hcl::serve
