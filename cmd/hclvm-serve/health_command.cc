// Tested by tests/serve/loopback_test.py.

#include "hclvm/cmd/hclvm-serve/health_command.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm-serve/usage.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr char kCommand[] = "hclvm-serve health";
constexpr std::string_view kUnix = "unix:";

// A descriptor that is closed.
class Socket {
 public:
  explicit Socket(int family) : file_(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (file_ >= 0) close(file_);
  }
  int file() const { return file_; }

 private:
  const int file_;
};

// The address of a socket. False for a text that is none: names are not looked up.
bool ParseAddress(std::string_view text, sockaddr_storage* address, socklen_t* size) {
  *address = {};
  if (text.substr(0, kUnix.size()) == kUnix) {
    text.remove_prefix(kUnix.size());
    auto* const path = reinterpret_cast<sockaddr_un*>(address);
    if (text.empty() || text.size() >= sizeof(path->sun_path)) return false;
    path->sun_family = AF_UNIX;
    std::memcpy(path->sun_path, text.data(), text.size());
    *size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size() + 1);
    return true;
  }
  const size_t colon = text.rfind(':');
  uint32_t port = 0;
  if (colon == std::string_view::npos || !absl::SimpleAtoi(ToAbsl(text.substr(colon + 1)), &port) ||
      port > UINT16_MAX) {
    return false;
  }
  std::string host(text.substr(0, colon));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    auto* const to = reinterpret_cast<sockaddr_in6*>(address);
    to->sin6_family = AF_INET6;
    to->sin6_port = htons(static_cast<uint16_t>(port));
    *size = sizeof(*to);
    return inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &to->sin6_addr) == 1;
  }
  auto* const to = reinterpret_cast<sockaddr_in*>(address);
  to->sin_family = AF_INET;
  to->sin_port = htons(static_cast<uint16_t>(port));
  *size = sizeof(*to);
  return inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &to->sin_addr) == 1;
}

// The status of the answer to GET `path`; 0: there was none, and *error says why.
int Ask(const sockaddr_storage& address, socklen_t size, std::string_view path, uint32_t milliseconds,
        std::string* error) {
  const Socket socket(address.ss_family);
  const timeval time = {milliseconds / 1000, static_cast<suseconds_t>(milliseconds % 1000 * 1000)};
  setsockopt(socket.file(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
  setsockopt(socket.file(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
  const std::string request =
      absl::StrCat("GET ", ToAbsl(path), " HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
  char head[13] = {};  // "HTTP/1.1 200 "
  size_t got = 0;
  if (connect(socket.file(), reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
      send(socket.file(), request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    while (got < sizeof(head)) {
      const ssize_t more = recv(socket.file(), head + got, sizeof(head) - got, 0);
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) break;
      got += static_cast<size_t>(more);
    }
  }
  int status = 0;
  if (got == sizeof(head) && absl::SimpleAtoi(std::string(head + 9, 3), &status)) return status;
  *error = got > 0 ? "the answer is no HTTP" : std::strerror(errno);
  return 0;
}

}  // namespace

// For a listener of plain HTTP: a container's own is on loopback.
int HealthCommand(const std::vector<std::string_view>& arguments) {
  std::string address_text = "127.0.0.1:8181";
  std::string path = "/readyz";
  uint32_t milliseconds = 1000;
  cmd::CommandSyntax syntax;
  syntax.command = &cmd::FindCommand("hclvm-serve", "health");
  syntax.setters = {
      {"--address", [&](std::string_view v) { return address_text = std::string(v), ""; }},
      {"--live", [&](std::string_view) { return path = "/livez", ""; }},
      {"--timeout",
       [&](std::string_view v) {
         return absl::SimpleAtoi(ToAbsl(v), &milliseconds) && milliseconds > 0 ? ""
                                                                               : "expected a number of milliseconds";
       }},
  };
  std::vector<std::string_view> positional;
  const std::optional<int> status = ReadArguments(kCommand, syntax, arguments, &positional);
  if (status) return *status;
  if (!positional.empty()) {
    return Complain(kCommand, absl::StrCat("unexpected argument ", ToAbsl(positional[0])), cmd::kUsageError);
  }
  sockaddr_storage address;
  socklen_t size = 0;
  if (!ParseAddress(address_text, &address, &size)) {
    return Complain(kCommand, absl::StrCat(address_text, ": expected HOST:PORT or unix:PATH, with a number for HOST"),
                    cmd::kUsageError);
  }
  std::string error;
  const int answer = Ask(address, size, path, milliseconds, &error);
  if (answer == 200) return cmd::kSuccess;
  return Complain(kCommand, answer == 0 ? error : absl::StrCat(path, " says ", answer), cmd::kInputError);
}

}  // namespace hcl::serve
