// Listeners and threads. Tested by tests/serve/*_test.py.

#include "hclvm/cmd/hclvm-serve/server.h"

#include <atomic>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/post.hpp"
#include "boost/asio/ssl/context.hpp"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm-serve/connection.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/listening.h"
#include "hclvm/serve/start_thread.h"
#include "openssl/ssl.h"

namespace hcl::serve {

using boost::system::error_code;
using internal::ToAbsl;
using TlsContext = std::shared_ptr<boost::asio::ssl::context>;
namespace {

constexpr std::string_view kNoRoom =
    "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
constexpr size_t kAdminConnections = 64;
constexpr std::chrono::milliseconds kDrainStep{20};

absl::Status Failed(std::string_view what, const error_code& error) {
  return absl::UnavailableError(absl::StrCat(ToAbsl(what), ": ", error.message()));
}

// TLS 1.2 and later, the server's order of ciphers, no renegotiation.
absl::Status MakeTls(const TlsOptions& options, TlsContext* tls) {
  namespace ssl = boost::asio::ssl;
  std::shared_ptr<ssl::context> context;
  try {
    context = std::make_shared<ssl::context>(ssl::context::tls_server);
  } catch (const boost::system::system_error& error) {
    // OpenSSL does not start where it is refused memory, and never tries again.
    return absl::UnavailableError(absl::StrCat("TLS does not start: ", error.what()));
  }
  error_code error;
  context->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                           ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 | ssl::context::no_compression,
                       error);
  SSL_CTX_set_options(context->native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  context->use_certificate_chain_file(options.certificate, error);
  if (error) return Failed(options.certificate, error);
  context->use_private_key_file(options.key, ssl::context::pem, error);
  if (error) return Failed(options.key, error);
  if (SSL_CTX_check_private_key(context->native_handle()) != 1) {
    return absl::InvalidArgumentError(absl::StrCat(options.key, " is not the key of ", options.certificate));
  }
  if (!options.client_ca.empty()) {
    context->load_verify_file(options.client_ca, error);
    if (error) return Failed(options.client_ca, error);
    context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
    // What a session has resumed was verified by the certificates of then.
    SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context->native_handle(), SSL_OP_NO_TICKET);
  }
  *tls = std::move(context);
  return absl::OkStatus();
}

}  // namespace

class Server::Impl {
 public:
  Impl(ServerOptions options, Metrics* metrics) : options_(std::move(options)) {
    state_.limits = options_.limits;
    state_.metrics = metrics;
  }

  ~Impl() {
    Stop(std::chrono::milliseconds(0), [] { return true; });
  }

  absl::Status Open(const MakeWorker& make_worker) {
    absl::Status status = ReloadCertificates();
    if (!status.ok()) return status;
    for (unsigned n = 0; n < options_.threads; ++n) {
      threads_.push_back(std::make_unique<IoThread>(&state_, make_worker()));
    }
    for (const ListenerOptions& listener : options_.listeners) {
      status = Listen(listener);
      if (!status.ok()) return status;
    }
    return status;
  }

  absl::Status Start() {
    for (const auto& thread : threads_) {
      absl::Status status = thread->Start();
      if (!status.ok()) return status;
    }
    return StartThread([this] { AcceptAll(); }, &accept_thread_);
  }

  std::vector<std::string> Addresses() const {
    std::vector<std::string> addresses;
    for (const auto& listener : listeners_) addresses.push_back(listener->address);
    return addresses;
  }

  absl::Status ReloadCertificates() {
    if (options_.tls.certificate.empty()) return absl::OkStatus();
    TlsContext made;
    absl::Status status = MakeTls(options_.tls, &made);
    if (!status.ok()) return status;
    const std::lock_guard<std::mutex> lock(mutex_);
    tls_ = std::move(made);
    return absl::OkStatus();
  }

  void Stop(std::chrono::milliseconds time, const IsUrgent& is_urgent) {
    if (threads_.empty()) return;
    state_.draining = true;
    if (accept_thread_.joinable()) {
      boost::asio::post(accept_context_, [listeners = listeners_] {
        for (const auto& listener : listeners) listener->Close();
      });
      accept_thread_.join();
    }
    const auto end = std::chrono::steady_clock::now() + time;
    while (state_.connections > 0 && std::chrono::steady_clock::now() < end && !is_urgent()) {
      std::this_thread::sleep_for(kDrainStep);
    }
    for (const auto& thread : threads_) thread->Stop();
    // Where the start has failed, no thread has closed them.
    for (const auto& listener : listeners_) listener->Close();
    listeners_.clear();
    threads_.clear();
  }

 private:
  absl::Status Listen(const ListenerOptions& options) {
    auto listener = std::make_shared<Listener>(&accept_context_, options);
    absl::Status status = listener->Open();
    if (status.ok()) listeners_.push_back(std::move(listener));
    return status;
  }

  // Where memory is refused, what is not accepted is tried again a moment later. A context that had nothing left to do
  // when that happened has stopped, and has to be started again.
  void AcceptAll() {
    const auto accept = [this] {
      for (const auto& listener : listeners_) {
        if (listener->acceptor.is_open() && !listener->is_waiting) Accept(listener);
      }
      accept_context_.restart();
      accept_context_.run();
      return true;
    };
    while (!internal::WithMemory(accept, [] { return false; })) {
      Count(&state_.metrics->overloads);
      std::this_thread::sleep_for(kDrainStep);
    }
  }

  // Connections go to the threads in turn. A thread of its own accepts them: one that answers requests would let those
  // of the others wait for its own.
  void Accept(const std::shared_ptr<Listener>& listener) {
    IoThread* const thread = threads_[next_++ % threads_.size()].get();
    listener->acceptor.async_accept(*thread->context(), [this, listener, thread, waiting = listener->Wait()](
                                                            const error_code& error, Socket socket) mutable {
      waiting.reset();
      if (error == boost::asio::error::operation_aborted) return;
      if (!listener->acceptor.is_open()) return;
      if (error) return Pause(listener);
      Take(*listener, thread, std::move(socket));
      Accept(listener);
    });
  }

  // Without descriptors there is nothing to accept with, and to try at once would only burn time.
  void Pause(const std::shared_ptr<Listener>& listener) {
    Count(&state_.metrics->overloads);
    listener->pause.expires_after(kAcceptPause);
    listener->pause.async_wait([this, listener, waiting = listener->Wait()](const error_code& error) mutable {
      waiting.reset();
      if (!error && listener->acceptor.is_open()) Accept(listener);
    });
  }

  void Take(const Listener& listener, IoThread* thread, Socket socket) {
    error_code ignored;
    if (listener.is_tcp()) socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    socket.non_blocking(true, ignored);
    TlsContext tls;
    if (listener.is_tcp()) {
      const std::lock_guard<std::mutex> lock(mutex_);
      tls = tls_;
    }
    ListenerInfo info = listener.options.info;
    info.is_tls = tls != nullptr;
    // Who operates the service gets in when clients have taken all there is.
    const size_t reserve = listener.options.info.is_admin ? kAdminConnections : 0;
    if (state_.connections >= state_.limits.max_connections + reserve) {
      Count(&state_.metrics->overloads);
      if (tls == nullptr) socket.send(boost::asio::buffer(kNoRoom.data(), kNoRoom.size()), 0, ignored);
      return;
    }
    state_.connections.fetch_add(1, std::memory_order_relaxed);
    std::shared_ptr<IoConnection> connection =
        internal::WithMemory([&] { return MakeConnection(thread, std::move(socket), info, std::move(tls)); },
                             []() -> std::shared_ptr<IoConnection> { return nullptr; });
    if (connection == nullptr) {
      state_.connections.fetch_sub(1, std::memory_order_relaxed);
      Count(&state_.metrics->overloads);
      return;
    }
    boost::asio::post(*thread->context(), [connection = std::move(connection)] { connection->Start(); });
  }

  const ServerOptions options_;
  ServerState state_;
  std::mutex mutex_;
  TlsContext tls_;  // under the mutex; null: none
  std::vector<std::unique_ptr<IoThread>> threads_;
  boost::asio::io_context accept_context_{1};
  std::thread accept_thread_;
  std::vector<std::shared_ptr<Listener>> listeners_;
  size_t next_ = 0;  // of the accepting thread
};

Server::Server(ServerOptions options, Metrics* metrics) : impl_(std::make_unique<Impl>(std::move(options), metrics)) {}
Server::~Server() = default;
absl::Status Server::Open(const MakeWorker& make_worker) { return impl_->Open(make_worker); }
absl::Status Server::Start() { return impl_->Start(); }
std::vector<std::string> Server::Addresses() const { return impl_->Addresses(); }
absl::Status Server::ReloadCertificates() { return impl_->ReloadCertificates(); }
void Server::Stop(std::chrono::milliseconds time, const IsUrgent& is_urgent) { impl_->Stop(time, is_urgent); }

}  // namespace hcl::serve
