// Server: listeners and threads. The service behind it knows nothing of sockets.
//
// Tested by tests/serve/*_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_SERVER_H_
#define HCLVM_CMD_HCLVM_SERVE_SERVER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// Files for TLS; none without a certificate. TCP listeners have it then, Unix sockets never.
struct TlsOptions {
  std::string certificate;  // PEM, with the chain
  std::string key;          // PEM
  std::string client_ca;    // PEM; clients must have a certificate by one of these. Empty: they need none
};

struct ServerOptions {
  std::vector<ListenerOptions> listeners;
  TlsOptions tls;
  ServerLimits limits;
  unsigned threads = 1;
};

class Server {
 public:
  // Makes the worker of a thread.
  using MakeWorker = std::function<std::unique_ptr<HttpWorker>()>;
  using IsUrgent = std::function<bool()>;

  // `metrics` must outlive it.
  Server(ServerOptions options, Metrics* metrics);
  ~Server();

  // Reads the certificates and listens: connections wait until Start(). Fails where an address cannot be had or a file
  // cannot be read.
  absl::Status Open(const MakeWorker& make_worker);
  // Starts the threads; once, after Open(). Fails, with nothing started, where the system gives no thread.
  absl::Status Start();
  // Where it listens, after Open(), one line for each: "127.0.0.1:8181", with the port that the system has chosen.
  std::vector<std::string> Addresses() const;
  // Reads the certificates anew, for connections to come; the old ones stay where that fails. From any thread.
  absl::Status ReloadCertificates();

  // Takes no further connections, closes idle ones, lets the others finish, for at most `time`, and ends the threads.
  // Asks now and then, and waits no longer where that is true.
  void Stop(std::chrono::milliseconds time, const IsUrgent& is_urgent);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_SERVER_H_
