// Acceptors: listening at an address, as the options say it.
//
// Tested by tests/serve/*_test.py and tests/envoy/*_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_LISTENING_H_
#define HCLVM_CMD_HCLVM_SERVE_LISTENING_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "boost/asio/basic_socket_acceptor.hpp"
#include "boost/asio/generic/stream_protocol.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/steady_timer.hpp"
#include "hclvm/cmd/hclvm-serve/listener_options.h"

namespace hcl::serve {

using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

// An address that is listened at. Belongs to the thread of its context.
struct Listener {
  Listener(boost::asio::io_context* context, const ListenerOptions& o)
      : options(o), acceptor(*context), pause(*context) {}
  // Listens there. A socket that a process has left which was killed is replaced.
  absl::Status Open();
  // Accepts no further connections; whoever waits for one, or for the pause to end, is told. The file of a Unix socket
  // goes away, unless another process has one of its own there by now.
  void Close();

  // Held by what is to be called. Where the system refuses memory, that may go without being called.
  struct NotWaiting {
    void operator()(bool* is_waiting) const { *is_waiting = false; }
  };
  using Waiting = std::unique_ptr<bool, NotWaiting>;
  Waiting Wait() { return is_waiting = true, Waiting(&is_waiting); }

  const ListenerOptions options;
  Acceptor acceptor;
  boost::asio::steady_timer pause;  // until the next one is accepted
  bool is_waiting = false;          // for a connection, or for the end of the pause: while there is a Waiting
  std::string address;  // "127.0.0.1:8181", with the port that the system has chosen, "unix:PATH" or "systemd:NAME"

  // Whether its connections come over a network. After Open().
  bool is_tcp() const { return is_tcp_; }

 private:
  absl::Status SetFileAccess();
  absl::Status TakeInherited();

  bool is_tcp_ = true;
  uint64_t device_ = 0;  // of the file of a Unix socket, as the next
  uint64_t inode_ = 0;   // 0: none
};

// How long to wait when nothing can be accepted. Without descriptors, to try at once would only burn time.
inline constexpr std::chrono::milliseconds kAcceptPause{100};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_LISTENING_H_
