// What the options of hclvm-serve do. Tested by cmd/hclvm-serve/serve_options_test.cc.

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
#include "hclvm/cmd/hclvm/limit_option.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/unknown_input.h"

namespace hcl::serve {

namespace {

void AddBundleOptions(ServeOptions* o, std::vector<cmd::OptionSetter>* options) {
  options->insert(
      options->end(),
      {{"--bundle", Text(&o->loader.bundle)},
       {"--data", Texts(&o->loader.data)},
       {"--data-default", Texts(&o->service.data.replaceable)},
       {"--reload-interval", Duration<std::chrono::milliseconds>(&o->loader.interval, 86'400'000)},
       {"--require-signature", Texts(&o->signature_key_files)},
       {"--check-all", Switch(&o->service.scopes.check_all)},
       {"--run-tests", Switch(&o->service.bundle.runs_tests)},
       {"--explain", Switch(&o->service.bundle.explains)},
       {"--unknown-input",
        [o](std::string_view v) {
          UnknownInput& unknown = o->service.scopes.unknown_input;
          unknown = v == "error" ? UnknownInput::kError : v == "ignore" ? UnknownInput::kIgnore : UnknownInput::kNear;
          return std::string(v == "error" || v == "near" || v == "ignore" ? "" : "must be error, near or ignore");
        }},
       {"--allow-older", Switch(&o->service.allow_older)},
       {"--state", Text(&o->state_file)},
       {"--shadow", Text(&o->loader.shadow)}});
}

void AddListenOptions(ServeOptions* o, std::vector<cmd::OptionSetter>* options) {
  options->insert(options->end(), {{"--listen", Texts(&o->listen)},
                                   {"--admin-listen", Texts(&o->admin_listen)},
                                   {"--admin-token-file", Text(&o->admin_token_file)},
                                   {"--tls-certificate", Text(&o->server.tls.certificate)},
                                   {"--tls-key", Text(&o->server.tls.key)},
                                   {"--tls-client-ca", Text(&o->server.tls.client_ca)},
                                   {"--public-url", Url(&o->service.public_url)},
                                   {"--threads", WholeNumber(&o->server.threads, 0, 256)}});
}

void AddLimitOptions(ServeOptions* o, std::vector<cmd::OptionSetter>* options) {
  ServerLimits& server = o->server.limits;
  Limits& limits = o->service.limits;
  options->insert(
      options->end(),
      {{"--timeout", Duration<std::chrono::milliseconds>(&o->service.timeout, 600'000)},
       {"--limit",
        [&limits](std::string_view value) { return cmd::SetLimit(value, cmd::LimitSet::kEvaluations, &limits); }},
       {"--max-body", WholeNumber(&o->service.max_body, 0, 1u << 30)},
       {"--max-batch", WholeNumber(&o->service.max_batch, 1, 1'000'000)},
       {"--max-connections", WholeNumber(&server.max_connections, 1, 1'000'000)},
       {"--max-queue", WholeNumber(&server.max_queue, 1, 1'000'000)},
       {"--idle-timeout", Duration<std::chrono::seconds>(&server.idle_timeout, 86'400)},
       {"--request-timeout", Duration<std::chrono::seconds>(&server.request_timeout, 86'400)},
       {"--fail-mode", Choice(&o->service.fail_mode, "deny", FailMode::kDeny, "allow", FailMode::kAllow)},
       {"--encoded-slash",
        Choice(&o->service.encoded_slash, "refuse", EncodedSlash::kRefuse, "keep", EncodedSlash::kKeep)},
       {"--shutdown-delay", Duration<std::chrono::milliseconds>(&o->shutdown_delay, 600'000)},
       {"--drain-timeout", Duration<std::chrono::milliseconds>(&o->drain_timeout, 600'000)}});
}

void AddLogOptions(ServeOptions* o, std::vector<cmd::OptionSetter>* options) {
  options->insert(options->end(), {{"--decision-log", Text(&o->decision_log)},
                                   {"--log-sample", Fraction(&o->service.log_sample)},
                                   {"--log-erase", Texts(&o->erased)},
                                   {"--log-mask", Texts(&o->masked)},
                                   {"--log-buffer", WholeNumber(&o->log_buffer, 1, 1u << 30)},
                                   {"--label", Texts(&o->labels)}});
}

}  // namespace

std::vector<cmd::OptionSetter> ServeSetters(ServeOptions* options) {
  std::vector<cmd::OptionSetter> setters = {{"--check-config", Switch(&options->check_config)}};
  AddBundleOptions(options, &setters);
  AddListenOptions(options, &setters);
  AddLimitOptions(options, &setters);
  AddLogOptions(options, &setters);
  return setters;
}

}  // namespace hcl::serve
