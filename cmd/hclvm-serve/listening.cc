// Acceptors. Tested by tests/serve/*_test.py and cmd/hclvm-serve/serve_options_test.cc.

#include "hclvm/cmd/hclvm-serve/listening.h"

#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/address.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/local/stream_protocol.hpp"
#include "hclvm/base/absl_string.h"
#include "hclvm/serve/http_message.h"

namespace hcl::serve {

using boost::system::error_code;
using internal::ToAbsl;
using Endpoint = boost::asio::generic::stream_protocol::endpoint;
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kInherited = "systemd:";

// Takes ",mode=0660" and ",group=NAME" from the end of `rest`. What is wrong, or nothing.
std::string TakeFileOptions(std::string_view* rest, ListenerOptions* listener) {
  while (true) {
    const size_t comma = rest->rfind(',');
    const std::string_view option = comma == std::string_view::npos ? "" : rest->substr(comma + 1);
    const size_t equals = option.find('=');
    if (equals == std::string_view::npos) return "";
    const std::string_view name = option.substr(0, equals);
    const std::string_view value = option.substr(equals + 1);
    if (name == "mode") {
      uint32_t mode = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), mode, 8);
      if (error != std::errc() || end != value.data() + value.size() || mode > 0777) {
        return "the mode is octal digits up to 0777";
      }
      listener->mode = mode;
    } else if (name == "group" && !value.empty()) {
      listener->group = std::string(value);
    } else {
      return "behind the path may stand ,mode=OCTAL and ,group=NAME";
    }
    rest->remove_suffix(rest->size() - comma);
  }
}

// The group's number, or nothing. A number may stand for a group without a name.
std::optional<gid_t> FindGroup(const std::string& name) {
  gid_t number = 0;
  if (absl::SimpleAtoi(name, &number)) return number;
  struct group entry = {};
  struct group* found = nullptr;
  std::vector<char> buffer(16 * 1024);
  if (getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return found->gr_gid;
}

// The socket of that name among those that systemd has opened: sd_listen_fds(3). -1: there is none.
int FindInherited(const std::string& name) {
  constexpr int kFirst = 3;
  const auto text_of = [](const char* variable) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? std::string_view() : std::string_view(text);
  };
  int64_t process = 0;
  int count = 0;
  if (!absl::SimpleAtoi(ToAbsl(text_of("LISTEN_PID")), &process) || process != getpid()) return -1;
  if (!absl::SimpleAtoi(ToAbsl(text_of("LISTEN_FDS")), &count) || count < 1) return -1;
  const std::string_view list = text_of("LISTEN_FDNAMES");
  const std::vector<std::string> names = absl::StrSplit(ToAbsl(list), ':');
  for (int n = 0; n < count && n < static_cast<int>(names.size()); ++n) {
    if (names[static_cast<size_t>(n)] == name) return kFirst + n;
  }
  return -1;
}

// A socket that a process has left that was killed is in the way of the next one. One on which somebody listens is not.
void RemoveStaleSocket(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return;
  boost::asio::io_context context;
  boost::asio::local::stream_protocol::socket probe(context);
  error_code error;
  probe.connect(boost::asio::local::stream_protocol::endpoint(path), error);
  if (error == boost::asio::error::connection_refused) unlink(path.c_str());
}

std::string AddressOf(const ListenerOptions& options, const Acceptor& acceptor) {
  if (!options.unix_path.empty()) return absl::StrCat("unix:", options.unix_path);
  error_code error;
  const Endpoint bound = acceptor.local_endpoint(error);
  boost::asio::ip::tcp::endpoint tcp;
  if (error || bound.size() > tcp.capacity()) return options.text;
  std::copy_n(reinterpret_cast<const char*>(bound.data()), bound.size(), reinterpret_cast<char*>(tcp.data()));
  tcp.resize(bound.size());
  return absl::StrCat(tcp.address().is_v6() ? "[" : "", tcp.address().to_string(), tcp.address().is_v6() ? "]:" : ":",
                      tcp.port());
}

}  // namespace

std::string ParseListener(const std::string& text, ListenerOptions* listener) {
  listener->text = text;
  std::string_view rest = text;
  const size_t at = rest.find('@');
  if (at != std::string_view::npos) {
    const std::string_view dialect = rest.substr(0, at);
    if (dialect != "nginx" && dialect != "forwarded") return "the dialect before @ is nginx or forwarded";
    listener->info.dialect = dialect == "nginx" ? AuthDialect::kNginx : AuthDialect::kForwarded;
    rest.remove_prefix(at + 1);
  }
  if (rest.substr(0, kInherited.size()) == kInherited) {
    listener->inherited = std::string(rest.substr(kInherited.size()));
    return listener->inherited.empty() ? "the name of a socket of systemd is missing" : "";
  }
  if (rest.substr(0, kUnix.size()) == kUnix) {
    std::string fault = TakeFileOptions(&rest, listener);
    if (!fault.empty()) return fault;
    listener->unix_path = std::string(rest.substr(kUnix.size()));
    constexpr size_t kMaxUnixPath = 107;
    return listener->unix_path.empty() || listener->unix_path.size() > kMaxUnixPath
               ? "the path of a Unix socket has 1 to 107 bytes"
               : "";
  }
  const size_t colon = rest.rfind(':');
  uint32_t port = 0;
  if (colon == std::string_view::npos || !absl::SimpleAtoi(ToAbsl(rest.substr(colon + 1)), &port) || port > 65535) {
    return "expected [DIALECT@]HOST:PORT, [DIALECT@]unix:PATH or [DIALECT@]systemd:NAME";
  }
  std::string_view host = rest.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  error_code error;
  boost::asio::ip::make_address(std::string(host), error);
  if (host == "localhost") {
    host = "127.0.0.1";
  } else if (error) {
    return "the host is an address, such as 127.0.0.1, [::1] or 0.0.0.0, or localhost";
  }
  listener->host = std::string(host);
  listener->port = static_cast<uint16_t>(port);
  return "";
}

// The file gets its group and mode before the socket listens, so that nobody connects by the wrong ones.
absl::Status Listener::SetFileAccess() {
  const std::string& path = options.unix_path;
  if (!options.group.empty()) {
    const std::optional<gid_t> group = FindGroup(options.group);
    if (!group) return absl::NotFoundError(absl::StrCat("there is no group \"", options.group, "\""));
    if (chown(path.c_str(), static_cast<uid_t>(-1), *group) != 0) return absl::ErrnoToStatus(errno, "its group");
  }
  if (options.mode && chmod(path.c_str(), *options.mode) != 0) return absl::ErrnoToStatus(errno, "its mode");
  return absl::OkStatus();
}

// Systemd keeps the socket while a process ends and the next one begins, so that no connection is refused.
absl::Status Listener::TakeInherited() {
  const int descriptor = FindInherited(options.inherited);
  struct sockaddr_storage name = {};
  socklen_t size = sizeof(name);
  int listens = 0;
  socklen_t length = sizeof(listens);
  const bool is_there = descriptor >= 0 && getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
                        getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens != 0;
  if (!is_there) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen at ", options.text,
                     ": systemd has passed no such socket; its .socket unit has to be active first"));
  }
  error_code error;
  acceptor.assign(boost::asio::generic::stream_protocol(name.ss_family, 0), descriptor, error);
  if (error) return absl::UnavailableError(absl::StrCat("cannot listen at ", options.text, ": ", error.message()));
  is_tcp_ = name.ss_family != AF_UNIX;
  address = is_tcp_ ? AddressOf(options, acceptor) : options.text;
  return absl::OkStatus();
}

absl::Status Listener::Open() {
  if (!options.inherited.empty()) return TakeInherited();
  const std::string& path = options.unix_path;
  is_tcp_ = path.empty();
  Endpoint endpoint;
  error_code error;
  if (path.empty()) {
    endpoint = boost::asio::ip::tcp::endpoint(boost::asio::ip::make_address(options.host), options.port);
  } else {
    RemoveStaleSocket(path);
    endpoint = boost::asio::local::stream_protocol::endpoint(path);
  }
  acceptor.open(endpoint.protocol(), error);
  if (!error && path.empty()) acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  struct stat status = {};
  if (!error && !path.empty() && lstat(path.c_str(), &status) == 0) {
    device_ = status.st_dev;
    inode_ = status.st_ino;
    const absl::Status access = SetFileAccess();
    if (!access.ok()) {
      Close();
      return absl::UnavailableError(absl::StrCat("cannot listen at ", options.text, ": ", access.message()));
    }
  }
  if (!error) acceptor.listen(SOMAXCONN, error);
  if (error) return absl::UnavailableError(absl::StrCat("cannot listen at ", options.text, ": ", error.message()));
  address = AddressOf(options, acceptor);
  return absl::OkStatus();
}

// While the socket is open, nobody takes its file for one that was left.
void Listener::Close() {
  struct stat status = {};
  const bool is_own = inode_ != 0 && lstat(options.unix_path.c_str(), &status) == 0 && status.st_dev == device_ &&
                      status.st_ino == inode_;
  if (is_own) unlink(options.unix_path.c_str());
  inode_ = 0;
  error_code ignored;
  acceptor.close(ignored);
  pause.cancel();
}

}  // namespace hcl::serve
