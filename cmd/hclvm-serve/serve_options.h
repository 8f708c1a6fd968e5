// What hclvm-serve is told: on its command line, or in a file of the same options.
//
// Tested by cmd/hclvm-serve/serve_options_test.cc.

#ifndef HCLVM_CMD_HCLVM_SERVE_SERVE_OPTIONS_H_
#define HCLVM_CMD_HCLVM_SERVE_SERVE_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/serve/bundle_loader.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

struct ServeOptions {
  ServiceOptions service;
  ServerOptions server;
  LoaderOptions loader;
  std::vector<std::string> listen;  // as given; ListenerOptions are made of these
  std::vector<std::string> admin_listen;
  std::string admin_token_file;
  std::vector<std::string> signature_key_files;
  std::string state_file;
  std::string decision_log;  // empty: none
  size_t log_buffer = 16 << 20;
  std::chrono::milliseconds shutdown_delay{0};
  std::chrono::milliseconds drain_timeout{10'000};
  bool check_config = false;
  std::vector<std::string> labels;  // "NAME=VALUE"
  std::vector<std::string> erased;
  std::vector<std::string> masked;
};

// The setters of all options of hclvm-serve but --config and --version, which have no place in a file of options. They
// write to *options, which must outlive them.
std::vector<cmd::OptionSetter> ServeSetters(ServeOptions* options);

// Reads a file of options: an HCL config whose attributes are named as the options are, with "_" for "-", and have
// texts, numbers, bools or lists of these. `text` is the file's; `name` is what messages call it. `syntax` has the
// setters of options that may stand there. What is wrong, or nothing.
std::string ReadConfigText(const std::string& name, const std::string& text, const cmd::CommandSyntax& syntax);

// Reads the files that options name, and makes what depends on several of them. What is wrong, or nothing.
std::string FinishOptions(ServeOptions* options);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_SERVE_OPTIONS_H_
