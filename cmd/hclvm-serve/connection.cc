// Connections. Tested by tests/serve/*_test.py.
//
// One thing is under way at a time: reading a request, waiting for its answer, writing that. So there is no more memory
// than for one request and one answer, and a client that sends requests without reading answers is not read any more.
//
// Most requests come whole, are answered at once, and their answers fit into the socket. For these, everything happens
// in the one handler that has read them: one system call to read, one to write, and none in between. Functions that
// return a bool say so: true means that the caller goes on, false that something else will, or that there is an end.

#include "hclvm/cmd/hclvm-serve/connection.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "boost/asio/buffer.hpp"
#include "boost/asio/post.hpp"
#include "boost/asio/ssl/stream.hpp"
#include "boost/asio/write.hpp"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm-serve/http_parser.h"
#include "hclvm/cmd/hclvm-serve/http_writer.h"
#include "hclvm/cmd/hclvm-serve/input_buffer.h"
#include "hclvm/cmd/hclvm-serve/peer_principal.h"

namespace hcl::serve {

using boost::system::error_code;
namespace {

// What each buffer of a connection keeps that waits for its next request.
constexpr size_t kKeptRoom = 4 << 10;
constexpr std::chrono::seconds kLinger{2};
constexpr std::string_view kNoMemory =
    "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// A stream is a socket, or TLS over one.
Socket& SocketOf(Socket& socket) { return socket; }
Socket& SocketOf(boost::asio::ssl::stream<Socket>& stream) { return stream.next_layer(); }

template <typename Stream>
class Connection final : public IoConnection, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  template <typename... Arguments>
  Connection(IoThread* thread, const ListenerInfo& listener, std::shared_ptr<boost::asio::ssl::context> tls,
             Arguments&&... arguments)
      : thread_(*thread),
        state_(*thread->state()),
        tls_(std::move(tls)),
        stream_(std::forward<Arguments>(arguments)...),
        parser_(state_.limits.max_head) {
    parser_.mutable_request()->listener = listener;
    Count(&state_.metrics->accepted);
    Count(&state_.metrics->connections);
    Touch(state_.limits.request_timeout);
  }

  ~Connection() override {
    Hold(0);
    state_.connections.fetch_sub(1, std::memory_order_relaxed);
    state_.metrics->connections.fetch_sub(1, std::memory_order_relaxed);
  }

  void Start() override {
    Guard([this] { Begin(); });
  }

  void Process() override {
    if (phase_ != Phase::kWaiting) return;
    Guard([this] {
      if (IsTooMuch() ? Refuse(Refusal::kOverload) : Handle()) GoOn();
    });
  }

  void Tick(std::chrono::steady_clock::time_point now) override {
    const bool is_idle = phase_ == Phase::kIdle;
    if (is_idle && state_.draining) return Close();
    // The worker sees to its own time.
    if (now < deadline_ || phase_ == Phase::kWaiting) return;
    if (!is_idle && phase_ != Phase::kLingering) Count(&state_.metrics->timeouts);
    Close();
  }

  void Close() override {
    if (phase_ == Phase::kClosed) return;
    phase_ = Phase::kClosed;
    error_code ignored;
    SocketOf(stream_).close(ignored);
    thread_.Remove(this->shared_from_this());
  }

 private:
  enum class Phase {
    kIdle,       // between requests
    kReading,    // within one
    kWaiting,    // for the worker
    kWriting,    // the answer
    kLingering,  // what the client still sends is thrown away, so that it can read the answer
    kClosed,
  };

  // Does a step, in which the system may refuse memory.
  template <typename Step>
  void Guard(Step step) {
    internal::WithMemory([&] { return step(), true; }, [this] { return GiveUp(), false; });
  }

  // Ends the connection for want of memory, with an answer that needs none, unless one has begun. What the request
  // holds is given back.
  void GiveUp() {
    if (phase_ == Phase::kClosed) return;
    Count(&state_.metrics->overloads);
    const bool is_answered = phase_ == Phase::kWriting || phase_ == Phase::kLingering;
    if (is_answered || !std::is_same_v<Stream, Socket>) return Close();
    error_code ignored;
    SocketOf(stream_).send(boost::asio::buffer(kNoMemory.data(), kNoMemory.size()), 0, ignored);
    phase_ = Phase::kLingering;
    internal::WithMemory(
        [this] {
          parser_.Reset();
          input_ = InputBuffer();
          Hold(parser_.body_bytes());
          Linger();
          return true;
        },
        [this] { return Close(), false; });
  }

  void Begin() {
    thread_.Add(this->shared_from_this());
    if constexpr (std::is_same_v<Stream, Socket>) {
      ReadMore();
    } else {
      phase_ = Phase::kReading;
      stream_.async_handshake(boost::asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](const error_code& error) {
                                if (error) return self->CloseBroken(error);
                                self->Guard([&] {
                                  self->principal_ = PeerPrincipal(self->stream_.native_handle());
                                  self->parser_.mutable_request()->principal = self->principal_;
                                  self->ReadMore();
                                });
                              });
    }
  }

  // From when something last happened here.
  void Touch(std::chrono::seconds timeout) { deadline_ = now_ + timeout; }
  void TakeTime() { now_ = std::chrono::steady_clock::now(); }

  // Counts what bodies hold, the request's and the answer's, among that of all connections.
  void Hold(size_t bytes) {
    if (bytes == held_) return;
    state_.body_bytes.fetch_add(bytes - held_, std::memory_order_relaxed);
    held_ = bytes;
  }
  bool HasRoom() const { return state_.body_bytes <= state_.limits.max_body_bytes; }
  // Large answers that are not taken hold memory: no more are made then. What asks for health has no body.
  bool IsTooMuch() const { return !HasRoom() && !parser_.request().body.empty(); }

  void ReadMore() {
    const bool begins = !parser_.has_begun() && input_.empty();
    if (begins && phase_ != Phase::kIdle) {
      phase_ = Phase::kIdle;
      Touch(state_.limits.idle_timeout);
    }
    if (!input_.MakeRoom()) {
      if (Refuse(Refusal::kHeaderTooLarge)) GoOn();
      return;
    }
    stream_.async_read_some(boost::asio::buffer(input_.room(), input_.room_size()),
                            [self = this->shared_from_this()](const error_code& error, size_t size) {
                              self->Guard([&] { self->OnRead(error, size); });
                            });
  }

  // Who just leaves has broken nothing.
  void CloseBroken(const error_code& error) {
    if (phase_ != Phase::kClosed && error.category() == boost::asio::error::get_ssl_category()) {
      Count(&state_.metrics->tls_failures);
    }
    Close();
  }

  void OnRead(const error_code& error, size_t size) {
    if (phase_ == Phase::kClosed) return;
    if (error) return CloseBroken(error);
    TakeTime();
    if (phase_ == Phase::kLingering) return ThrowAway();
    if (phase_ == Phase::kIdle) {
      phase_ = Phase::kReading;
      Touch(state_.limits.request_timeout);
    }
    input_.Add(size);
    Parse();
  }

  // Reads, answers and writes until something has to come first.
  void Parse() {
    for (;;) {
      size_t taken = 0;
      const HttpParser::State state = parser_.Read(input_.text(), &taken);
      input_.Take(taken);
      Hold(parser_.body_bytes());
      switch (state) {
        case HttpParser::State::kMore:
          if (HasRoom()) return ReadMore();
          if (!Refuse(Refusal::kOverload)) return;
          break;
        case HttpParser::State::kWrong:
          if (!Refuse(parser_.refusal())) return;
          break;
        case HttpParser::State::kHead:
          if (!TakeHead()) return;
          break;
        case HttpParser::State::kDone:
          if (!Serve()) return;
          if (input_.empty()) return ReadMore();
          break;
      }
    }
  }

  // Behind an answer.
  void GoOn() { input_.empty() ? ReadMore() : Parse(); }

  // What a body may have depends on who sends it.
  bool TakeHead() {
    const size_t limit = thread_.worker()->BodyLimit(parser_.request());
    parser_.set_body_limit(limit);
    const auto length = parser_.content_length();
    if (length && *length > limit) return Refuse(Refusal::kBodyTooLarge);
    if (!parser_.expects_continue() || !input_.empty()) return true;
    boost::asio::async_write(stream_, boost::asio::buffer(kContinue.data(), kContinue.size()),
                             [self = this->shared_from_this()](const error_code& error, size_t /*size*/) {
                               if (self->phase_ == Phase::kClosed) return;
                               if (error) return self->Close();
                               self->TakeTime();
                               self->Guard([&] { self->Parse(); });
                             });
    return false;
  }

  // A request is there as a whole.
  bool Serve() {
    phase_ = Phase::kWaiting;
    parser_.mutable_request()->arrival = now_;
    keep_alive_ = parser_.keep_alive();
    if (IsTooMuch()) return Refuse(Refusal::kOverload);
    if (thread_.MayAnswer()) return Handle();
    return !thread_.Enqueue(this->shared_from_this()) && Refuse(Refusal::kOverload);
  }

  bool Handle() {
    const auto begin = std::chrono::steady_clock::now();
    response_.Clear();
    const auto later = [this]() -> HttpReply {
      return [self = this->shared_from_this(), context = thread_.context()](HttpResponse response) {
        boost::asio::post(*context, [self, response = std::move(response)]() mutable {
          if (self->phase_ != Phase::kWaiting) return;
          self->response_ = std::move(response);
          self->TakeTime();
          self->Guard([&] {
            if (self->Answer()) self->GoOn();
          });
        });
      };
    };
    if (!thread_.worker()->Handle(parser_.request(), &response_, later)) return false;
    const bool is_sent = Send();
    // Looks at the request once more.
    thread_.worker()->AfterResponse();
    TakeTime();
    thread_.Spend(now_ - begin);
    return is_sent && EndAnswer();
  }

  // After overload a request was read as a whole, and the connection can go on.
  bool Refuse(Refusal refusal) {
    keep_alive_ = refusal == Refusal::kOverload && phase_ == Phase::kWaiting && keep_alive_;
    phase_ = Phase::kWaiting;
    response_.Clear();
    thread_.worker()->Refuse(parser_.request(), refusal, &response_);
    return Answer();
  }

  bool Answer() { return Send() && EndAnswer(); }

  // True: the answer has gone out.
  bool Send() {
    phase_ = Phase::kWriting;
    const bool is_head = parser_.request().method == "HEAD";
    if (state_.draining) keep_alive_ = false;
    out_.clear();
    WriteHttp(response_, {thread_.date(), is_head, keep_alive_, parser_.is_old()}, &out_);
    const auto digit = static_cast<size_t>(response_.status / 100);
    if (digit < state_.metrics->responses.size()) Count(&state_.metrics->responses[digit]);
    size_t written = 0;
    if (!WriteAtOnce(&written)) return Close(), false;
    if (written == out_.size()) return true;
    response_.body = std::string();
    Hold(parser_.body_bytes() + out_.capacity());
    TakeTime();
    Touch(state_.limits.request_timeout);
    boost::asio::async_write(stream_, boost::asio::buffer(out_) + written,
                             [self = this->shared_from_this()](const error_code& error, size_t /*size*/) {
                               if (self->phase_ == Phase::kClosed) return;
                               if (error) return self->Close();
                               self->TakeTime();
                               self->Guard([&] {
                                 if (self->EndAnswer()) self->GoOn();
                               });
                             });
    return false;
  }

  // What the socket takes without waiting; it does not block. TLS has a state that goes on behind each write, and takes
  // nothing here. False: the connection is broken.
  bool WriteAtOnce(size_t* written) {
    if constexpr (std::is_same_v<Stream, Socket>) {
      error_code error;
      *written = stream_.write_some(boost::asio::buffer(out_), error);
      return !error || error == boost::asio::error::would_block;
    }
    return true;
  }

  // Readies for the next request, of which some may have come already.
  bool EndAnswer() {
    if (out_.capacity() > kKeptRoom) out_ = std::string();
    if (response_.body.capacity() > kKeptRoom) response_.body = std::string();
    parser_.Reset();
    Hold(parser_.body_bytes());
    if (!keep_alive_) return Linger(), false;
    input_.Shrink(kKeptRoom);
    phase_ = Phase::kReading;
    Touch(state_.limits.request_timeout);
    return true;
  }

  // To close a socket that has bytes to read resets the connection, and the client may lose the answer. TLS says at its
  // end that it is one, so that nobody has cut it.
  void Linger() {
    phase_ = Phase::kLingering;
    Touch(kLinger);
    if constexpr (std::is_same_v<Stream, Socket>) {
      LingerAfterEnd();
    } else {
      stream_.async_shutdown([self = this->shared_from_this()](const error_code& /*error*/) {
        if (self->phase_ == Phase::kLingering) self->Guard([&] { self->LingerAfterEnd(); });
      });
    }
  }

  void LingerAfterEnd() {
    error_code ignored;
    SocketOf(stream_).shutdown(Socket::shutdown_send, ignored);
    left_to_throw_away_ = 1 << 20;
    ReadAway();
  }

  void ThrowAway() {
    if (left_to_throw_away_ <= 0) return Close();
    ReadAway();
  }

  void ReadAway() {
    SocketOf(stream_).async_read_some(boost::asio::buffer(thread_.room(), IoThread::kRoom),
                                      [self = this->shared_from_this()](const error_code& error, size_t size) {
                                        self->left_to_throw_away_ -= static_cast<std::ptrdiff_t>(size);
                                        self->Guard([&] { self->OnRead(error, size); });
                                      });
  }

  IoThread& thread_;
  ServerState& state_;
  const std::shared_ptr<boost::asio::ssl::context> tls_;  // that the stream was made of
  Stream stream_;
  std::string principal_;  // of the client
  HttpParser parser_;
  HttpResponse response_;
  Phase phase_ = Phase::kReading;
  bool keep_alive_ = false;
  InputBuffer input_;
  std::string out_;
  size_t held_ = 0;
  std::ptrdiff_t left_to_throw_away_ = 0;
  std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace

std::shared_ptr<IoConnection> MakeConnection(IoThread* thread, Socket socket, const ListenerInfo& listener,
                                             std::shared_ptr<boost::asio::ssl::context> tls) {
  if (tls == nullptr) {
    return std::make_shared<Connection<Socket>>(thread, listener, nullptr, std::move(socket));
  }
  boost::asio::ssl::context& context = *tls;
  try {
    return std::make_shared<Connection<boost::asio::ssl::stream<Socket>>>(thread, listener, std::move(tls),
                                                                          std::move(socket), context);
  } catch (const boost::system::system_error&) {  // OpenSSL was refused memory
    return nullptr;
  }
}

}  // namespace hcl::serve
