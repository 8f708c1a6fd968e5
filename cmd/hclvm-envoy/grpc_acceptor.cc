// Accepting for gRPC. Tested by tests/envoy/envoy_test.py.

#include "hclvm/cmd/hclvm-envoy/grpc_acceptor.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "boost/asio/generic/stream_protocol.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/post.hpp"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm-serve/listening.h"
#include "hclvm/serve/start_thread.h"

namespace hcl::serve {

using boost::system::error_code;
using Socket = boost::asio::generic::stream_protocol::socket;
namespace {

// Who is refused for want of room costs hardly anything: all connections are looked at no more often.
constexpr std::chrono::milliseconds kBetweenLooks{100};

// What was given away, and whether it is open: nobody says when it is closed, and another socket may have its
// descriptor by then.
class GivenAway {
 public:
  size_t size() const { return all_.size(); }
  // So that Add() takes no memory.
  void MakeRoom() {
    if (all_.size() == all_.capacity()) all_.reserve(2 * all_.size() + 16);
  }
  void Add(int descriptor) {
    struct stat status = {};
    if (fstat(descriptor, &status) == 0) all_.push_back({descriptor, status.st_ino});
  }
  void Look() {
    const auto is_closed = [](const Entry& entry) {
      struct stat status = {};
      return fstat(entry.descriptor, &status) != 0 || status.st_ino != entry.inode;
    };
    all_.erase(std::remove_if(all_.begin(), all_.end(), is_closed), all_.end());
  }

 private:
  struct Entry {
    int descriptor;
    ino_t inode;
  };
  std::vector<Entry> all_;
};

}  // namespace

class GrpcAcceptor::Impl {
 public:
  Impl(size_t max_connections, Metrics* metrics, Take take)
      : max_connections_(max_connections), metrics_(metrics), take_(std::move(take)) {}
  ~Impl() { Stop(); }

  absl::Status Listen(const ListenerOptions& options) {
    auto listener = std::make_unique<Listener>(&context_, options);
    absl::Status status = listener->Open();
    if (!status.ok()) return status;
    addresses_.push_back(listener->address);
    listeners_.push_back(std::move(listener));
    return absl::OkStatus();
  }

  const std::vector<std::string>& addresses() const { return addresses_; }

  absl::Status Start() {
    return StartThread([this] { AcceptAll(); }, &thread_);
  }

  void Stop() {
    const auto close_all = [this] {
      for (const auto& listener : listeners_) listener->Close();
    };
    if (thread_.joinable()) {
      boost::asio::post(context_, close_all);
      thread_.join();
    } else {
      close_all();
    }
    listeners_.clear();
  }

 private:
  // Where memory is refused, what is not accepted is tried again a moment later. A context that had nothing left to do
  // when that happened has stopped, and has to be started again.
  void AcceptAll() {
    const auto accept = [this] {
      for (const auto& listener : listeners_) {
        if (listener->acceptor.is_open() && !listener->is_waiting) Accept(listener.get());
      }
      context_.restart();
      context_.run();
      return true;
    };
    while (!internal::WithMemory(accept, [] { return false; })) {
      CountOverload();
      std::this_thread::sleep_for(kAcceptPause);
    }
  }

  void Accept(Listener* listener) {
    listener->acceptor.async_accept(
        [this, listener, waiting = listener->Wait()](const error_code& error, Socket socket) mutable {
          waiting.reset();
          if (!listener->acceptor.is_open()) return;
          if (error) return Pause(listener);
          GiveAway(*listener, std::move(socket));
          Accept(listener);
        });
  }

  void Pause(Listener* listener) {
    CountOverload();
    listener->pause.expires_after(kAcceptPause);
    listener->pause.async_wait([this, listener, waiting = listener->Wait()](const error_code& error) mutable {
      waiting.reset();
      if (!error && listener->acceptor.is_open()) Accept(listener);
    });
  }

  void GiveAway(const Listener& listener, Socket socket) {
    if (!HasRoom()) return CountOverload();
    error_code error;
    socket.native_non_blocking(true, error);
    if (listener.is_tcp()) socket.set_option(boost::asio::ip::tcp::no_delay(true), error);
    given_away_.MakeRoom();
    const int descriptor = socket.release(error);
    if (error) return;
    given_away_.Add(descriptor);
    take_(listener.is_tcp(), descriptor);
  }

  bool HasRoom() {
    if (given_away_.size() < max_connections_) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return false;
    next_look_ = now + kBetweenLooks;
    given_away_.Look();
    return given_away_.size() < max_connections_;
  }

  void CountOverload() const {
    if (metrics_ != nullptr) Count(&metrics_->overloads);
  }

  const size_t max_connections_;
  Metrics* const metrics_;
  const Take take_;
  boost::asio::io_context context_{1};
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::string> addresses_;
  std::thread thread_;
  GivenAway given_away_;
  std::chrono::steady_clock::time_point next_look_;
};

GrpcAcceptor::GrpcAcceptor(size_t max_connections, Metrics* metrics, Take take)
    : impl_(std::make_unique<Impl>(max_connections, metrics, std::move(take))) {}
GrpcAcceptor::~GrpcAcceptor() = default;
absl::Status GrpcAcceptor::Listen(const ListenerOptions& options) { return impl_->Listen(options); }
const std::vector<std::string>& GrpcAcceptor::addresses() const { return impl_->addresses(); }
absl::Status GrpcAcceptor::Start() { return impl_->Start(); }
void GrpcAcceptor::Stop() { impl_->Stop(); }

}  // namespace hcl::serve
