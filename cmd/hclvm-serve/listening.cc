// Acceptors. Tested by tests/serve/*_test.py and cmd/hclvm-serve/serve_options_test.cc.

#include "hclvm/cmd/hclvm-serve/listening.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
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
  if (rest.substr(0, kUnix.size()) == kUnix) {
    listener->unix_path = std::string(rest.substr(kUnix.size()));
    constexpr size_t kMaxUnixPath = 107;
    return listener->unix_path.empty() || listener->unix_path.size() > kMaxUnixPath
               ? "the path of a Unix socket has 1 to 107 bytes"
               : "";
  }
  const size_t colon = rest.rfind(':');
  uint32_t port = 0;
  if (colon == std::string_view::npos || !absl::SimpleAtoi(ToAbsl(rest.substr(colon + 1)), &port) || port > 65535) {
    return "expected [DIALECT@]HOST:PORT or [DIALECT@]unix:PATH";
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

absl::Status Listener::Open() {
  const std::string& path = options.unix_path;
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
