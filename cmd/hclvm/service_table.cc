// Tested by cmd/hclvm/command_table_test.cc.

#include "hclvm/cmd/hclvm/service_table.h"

#include <string_view>

namespace hcl::cmd {
namespace {

constexpr Option kBundle[] = {
    {"--bundle", "-b", "FILE|DIR", "the policies: a directory, or a tar.gz of one", ""},
    {"--data", "-d", "FILE.json|DIR", "variables for all requests: an object in FILE.json, or each NAME.json in DIR",
     "", true},
    {"--data-default", "", "NAME", "a variable of --data that a request may replace", "", true},
    {"--reload-interval", "", "MS", "how often to look whether they have changed; 0: never", "1000"},
    {"--require-signature", "", "FILE",
     "ed25519 public keys in PEM: one of them, or of those in further files, has to have signed the manifest", "",
     true},
    {"--check-all", "", "", "look at all variables of a module, and not only at what an entry reads", ""},
    {"--unknown-input", "", "error|near|ignore",
     "names in scopes that a module does not declare; near: a warning, where they are nearly one that is missing",
     "near"},
    {"--run-tests", "", "", "run the tests of bundles, and refuse a bundle that has one which fails", ""},
    {"--explain", "", "", "answer POST /v1/explain/ENTRY, which says why a decision is what it is", ""},
    {"--allow-older", "", "", "activate revisions older than the one in force", ""},
    {"--state", "", "FILE", "keeps the last revision in force, so that older ones are refused after a restart too", ""},
    {"--shadow", "", "FILE|DIR", "a second bundle, which is asked beside the first and only logged", ""},
};
constexpr Option kListen[] = {
    {"--listen", "-l", "[DIALECT@]ADDRESS",
     "HOST:PORT, unix:PATH[,mode=OCTAL][,group=NAME] or systemd:NAME; DIALECT nginx or forwarded: /auth/ is there",
     "127.0.0.1:8181", true},
    {"--admin-listen", "", "ADDRESS", "where bundles are taken: PUT /v1/bundle", "", true},
    {"--admin-token-file", "", "FILE", "what the admin listener asks for: authorization: Bearer TOKEN", ""},
    {"--tls-certificate", "", "FILE", "PEM; TCP listeners then have TLS", ""},
    {"--tls-key", "", "FILE", "PEM", ""},
    {"--tls-client-ca", "", "FILE", "clients need a certificate by one of these", ""},
    {"--public-url", "", "URL", "by which callers reach the service, for AuthZEN's metadata", ""},
    {"--threads", "-j", "N", "threads; 0: as many as there are cores", "0"},
};
constexpr Option kLimits[] = {
    {"--timeout", "", "MS", "of a decision, from the arrival of its request", "100"},
    {"--limit", "", "NAME=NUMBER", "a limit of a decision: its units of work, the bytes of its values, and others",
     "max_fuel=1000000, max_result_bytes=16777216", true},
    {"--max-body", "", "BYTES", "of a request", "1048576"},
    {"--max-batch", "", "N", "inputs of a request", "1000"},
    {"--max-connections", "", "N", "open at a time, at most the descriptors that there are", "10000"},
    {"--max-queue", "", "N", "requests that wait, for each thread", "1000"},
    {"--idle-timeout", "", "S", "seconds between requests of a connection", "75"},
    {"--request-timeout", "", "S", "seconds for a request to come, and for its answer to be taken", "10"},
    {"--fail-mode", "", "deny|allow", "what /auth/ answers where a limit is crossed", "deny"},
    {"--encoded-slash", "", "refuse|keep", "what becomes of %2f in paths", "refuse"},
    {"--shutdown-delay", "", "MS", "how long requests are taken after the signal to end", "0"},
    {"--drain-timeout", "", "MS", "how long requests may take to finish then", "10000"},
};
constexpr Option kLog[] = {
    {"--decision-log", "", "FILE", "a line of JSON for each decision; \"-\": standard output", ""},
    {"--log-sample", "", "FRACTION", "how many of the decisions are logged", "1"},
    {"--log-erase", "", "PATTERN", "what of the inputs is left out, such as user.email or **.password", "", true},
    {"--log-mask", "", "PATTERN", "what of the inputs is written as \"***\"", "", true},
    {"--log-buffer", "", "BYTES", "that wait to be written", "16777216"},
    {"--label", "", "NAME=VALUE", "written to each line of the log", "", true},
};
constexpr Option kEnvoy[] = {
    {"--grpc-listen", "-g", "ADDRESS", "as --listen, for Envoy", "127.0.0.1:9191", true},
    {"--input", "", "http|opa", "by whose names policies get what Envoy tells", "http"},
    {"--error-form", "", "response|status",
     "how Envoy hears of errors: error_response, or the call's status, for Envoys that do not know it", "response"},
};
constexpr Option kProgram[] = {
    {"--check-config", "", "", "only say whether options and bundle are right", ""},
    {"--config", "-c", "FILE.hcl", "a file of options: attributes named as these, with _ for -", ""},
    {"--version", "-v", "", "print the version", ""},
};
constexpr Option kReplay[] = {
    {"--bundle", "-b", "FILE|DIR", "a directory, or a tar.gz of one", ""},
    {"--data", "-d", "FILE.json|DIR", "the data below the inputs", "", true},
    {"--data-default", "", "NAME", "a variable of --data that an input may replace", "", true},
    {"--check-all", "", "", "look at all variables of a module, and not only at what an entry reads", ""},
    {"--partial", "", "", "also decisions of whose inputs parts were kept out of the log", ""},
    {"--fail-on-change", "", "", "exit with 1 if a decision changes, or there is none", ""},
};

constexpr Option kHealth[] = {
    {"--address", "-a", "ADDRESS", "HOST:PORT or unix:PATH of a listener without TLS", "127.0.0.1:8181"},
    {"--live", "", "", "ask whether it lives, and not whether it has a bundle", ""},
    {"--timeout", "", "MS", "how long the answer may take", "1000"},
};

constexpr std::string_view kServeStatus =
    "0: success. 1: the bundle is wrong or an address cannot be had. 2: wrong usage.";

}  // namespace

void AddServiceCommands(std::vector<Command>* commands) {
  commands->push_back(
      {"hclvm-serve",
       "",
       "--bundle PATH [options]",
       "",
       "answer whether requests may pass, by policies in HCL",
       "Answers whether requests may pass, by the policies of a bundle: POST /v1/decide/ENTRY for callers that bring a "
       "scope, /auth/ for proxies. Never ends for a bad policy. SIGHUP reads the bundle and the certificates again and "
       "opens the log anew; SIGTERM ends when all requests are answered.\n\n"
       "\"hclvm-serve replay LOG --bundle PATH\" says which decisions of a log a bundle changes.\n\n"
       "As a unit of systemd with Type=notify it says when it is ready, reloads and stops. Files of keys, certificates "
       "and "
       "the token can be named credential:NAME: that credential of the unit.",
       {kBundle, kListen, kLimits, kLog, kProgram},
       kServeStatus,
       "hclvm-serve --bundle policies --listen 127.0.0.1:8181\n"
       "hclvm-serve --config /etc/hclvm/serve.hcl --check-config\n"});
  commands->push_back({"hclvm-serve",
                       "replay",
                       "LOG --bundle PATH [options]",
                       "FILE",
                       "decide again what a decision log holds",
                       "Decides again what the decision log LOG holds, by the bundle at PATH, and prints which "
                       "decisions change, grouped "
                       "by the rule that has decided and the one that decides now. \"-\" is standard input.",
                       {kReplay},
                       "0: success. 1: a file is wrong, or, with --fail-on-change, a decision changes. 2: wrong usage.",
                       "hclvm-serve replay decisions.log --bundle new --fail-on-change\n"});
  commands->push_back(
      {"hclvm-serve",
       "health",
       "[options]",
       "",
       "ask a service whether it is ready",
       "Asks the service at an address whether it is ready to decide, for containers that have no other program.",
       {kHealth},
       "0: it is. 1: it is not, or does not answer. 2: wrong usage.",
       "hclvm-serve health --address 127.0.0.1:8181\n"});
  commands->push_back(
      {"hclvm-envoy",
       "",
       "--bundle PATH [options]",
       "",
       "answer Envoy's external authorization, by policies in HCL",
       "Answers Envoy's external authorization (gRPC, envoy.service.auth.v3) by the policies of a bundle, and all that "
       "hclvm-serve answers. SIGHUP reads the bundle again and opens the log anew; SIGTERM ends when all requests are "
       "answered.",
       {kBundle, kListen, kLimits, kLog, kEnvoy, kProgram},
       kServeStatus,
       "hclvm-envoy --bundle policies --grpc-listen 127.0.0.1:9191\n"});
}

}  // namespace hcl::cmd
