// ListenerOptions: where to listen, as it is given and as it is read.
//
// Tested by cmd/hclvm-serve/serve_options_test.cc.

#ifndef HCLVM_CMD_HCLVM_SERVE_LISTENER_OPTIONS_H_
#define HCLVM_CMD_HCLVM_SERVE_LISTENER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "hclvm/serve/http_message.h"

namespace hcl::serve {

// Where to listen.
struct ListenerOptions {
  std::string text;              // as it was given, for messages
  std::string host;              // an address, or empty for a Unix socket
  uint16_t port = 0;             // 0: one that the system chooses
  std::string unix_path;         // of a Unix socket
  std::optional<uint32_t> mode;  // of its file; otherwise what the umask leaves
  std::string group;             // of its file; empty: the process's
  std::string inherited;         // the name of a socket that systemd has opened (LISTEN_FDNAMES), in place of all these
  ListenerInfo info;
};

// Reads "[DIALECT@]HOST:PORT", "[DIALECT@][IPV6]:PORT", "[DIALECT@]unix:PATH[,mode=OCTAL][,group=NAME]" or
// "[DIALECT@]systemd:NAME". What is wrong, or nothing.
std::string ParseListener(const std::string& text, ListenerOptions* listener);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_LISTENER_OPTIONS_H_
