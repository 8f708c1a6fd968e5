// Calls of gRPC, handed to what answers them, and back. Tested by tests/envoy/envoy_test.py.
//
// The callback API: gRPC's few threads read, write and hear of cancellations, and evaluate what takes a moment. No call
// has a thread of its own. A call hears that it was canceled only when Check() has returned.

#include "hclvm/cmd/hclvm-envoy/grpc_server.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "google/protobuf/arena.h"
#include "grpc/grpc.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/security/tls_certificate_provider.h"
#include "grpcpp/security/tls_credentials_options.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm-envoy/grpc_acceptor.h"
#include "hclvm/cmd/hclvm-envoy/health_service.h"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/envoy_text.h"
#include "hclvm/serve/envoy_value.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.grpc.pb.h"
#include "hclvm/serve/start_thread.h"

namespace hcl::serve {

using envoy::service::auth::v3::CheckRequest;
using envoy::service::auth::v3::CheckResponse;
namespace {

constexpr std::chrono::milliseconds kDrainStep{20};
// Without a further call for so long, clients have gone.
constexpr std::chrono::milliseconds kQuietTime{100};
constexpr int kCertificateSeconds = 1;  // between looks at the files

// The time until a deadline of the system's clock, on the one that does not jump.
std::chrono::steady_clock::time_point Steady(std::chrono::system_clock::time_point deadline) {
  constexpr std::chrono::hours kLong(1);
  const auto now = std::chrono::system_clock::now();
  if (deadline > now + kLong) return std::chrono::steady_clock::time_point::max();
  return std::chrono::steady_clock::now() + (deadline - now);
}

// A call from its arrival to the end of its answer. Deletes itself. The question is in one piece of memory with it, as
// far as it fits: most have some dozens of parts, each of which would otherwise be had from the heap and given back.
class CheckCall final : public grpc::ServerUnaryReactor, public EnvoyCall {
 public:
  CheckCall(const grpc::CallbackServerContext& context, grpc::ByteBuffer* response, ErrorForm error_form)
      : arena_(first_block_, sizeof(first_block_)),
        request_(*google::protobuf::Arena::CreateMessage<CheckRequest>(&arena_)),
        response_(*response),
        error_form_(error_form) {
    context_.arrival = std::chrono::steady_clock::now();
    context_.deadline = Steady(context.deadline());
    context_.cancel = &canceled_;
    bytes_.reserve(kUsualResponse);
  }

  // False where the bytes are no question; *wrong_text is where a text in it is not UTF-8, if that is why.
  bool Read(const grpc::ByteBuffer& bytes, bool is_traced, std::string* wrong_text) {
    grpc::Slice slice;
    if (!bytes.TrySingleSlice(&slice).ok() && !bytes.DumpToSingleSlice(&slice).ok()) return false;
    if (!request_.ParseFromArray(slice.begin(), static_cast<int>(slice.size()))) {
      *wrong_text = FindWrongText({reinterpret_cast<const char*>(slice.begin()), slice.size()});
      return false;
    }
    if (is_traced) context_.trace_parent = EnvoyHeader(request_, "traceparent");
    return true;
  }

  const CheckRequest& request() const override { return request_; }
  const RequestContext& context() const override { return context_; }
  std::string* response() override { return &bytes_; }
  void Done(AuthOutcome outcome) override { FinishWith(StatusOf(outcome)); }
  // gRPC is left half done by an exception that passes through it, and its call is never answered. So the process ends
  // instead, and says why (GuardMemory).
  void FinishWith(const grpc::Status& status) noexcept {
    if (status.ok()) {
      const grpc::Slice slice(bytes_);
      grpc::ByteBuffer(&slice, 1).Swap(&response_);
    }
    Finish(status);
  }
  // What a call ends with that gets no memory. No text: that may need some.
  static grpc::Status RefusedMemory() { return {grpc::StatusCode::UNAVAILABLE, ""}; }

  void OnCancel() override { canceled_.store(true, std::memory_order_relaxed); }
  void OnDone() override { delete this; }

 private:
  static constexpr size_t kUsualResponse = 500;

  // An exception leaves messages of protobuf broken, as it does gRPC.
  grpc::Status StatusOf(AuthOutcome outcome) const noexcept {
    if (outcome == AuthOutcome::kCanceled) return grpc::Status::CANCELLED;
    if (error_form_ == ErrorForm::kStatus) {
      CheckResponse told;
      const bool is_error = told.ParseFromString(bytes_) && told.has_error_response();
      if (is_error) return {static_cast<grpc::StatusCode>(told.status().code()), told.status().message()};
    }
    return grpc::Status::OK;
  }

  alignas(std::max_align_t) char first_block_[10 << 10];
  google::protobuf::Arena arena_;
  CheckRequest& request_;
  grpc::ByteBuffer& response_;
  std::string bytes_;  // of the response
  const ErrorForm error_form_;
  std::atomic<bool> canceled_{false};
  RequestContext context_;
};

// Messages come and go as bytes: to read them here takes less, and answers are written as such.
class CheckService final : public envoy::service::auth::v3::Authorization::WithRawCallbackMethod_Check<
                               envoy::service::auth::v3::Authorization::Service> {
 public:
  CheckService(EnvoyHandler* handler, ErrorForm error_form, bool is_traced)
      : handler_(*handler), error_form_(error_form), is_traced_(is_traced) {}

  // As FinishWith(): gRPC would catch what this throws, and answer that there is no such service.
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                  grpc::ByteBuffer* response) noexcept override {
    calls_.fetch_add(1, std::memory_order_relaxed);
    std::string wrong_text;
    bool is_question = false;
    // Reading may fail half way: what is made on the arena is dropped with it, and not looked at again.
    CheckCall* const call = internal::WithMemory(
        [&] {
          auto made = std::make_unique<CheckCall>(*context, response, error_form_);
          is_question = made->Read(*request, is_traced_, &wrong_text);
          return made.release();
        },
        [] { return static_cast<CheckCall*>(nullptr); });
    if (call == nullptr) {
      // Its memory came with the call. Each call of DefaultReactor() begins it anew.
      grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
      reactor->Finish(CheckCall::RefusedMemory());
      return reactor;
    }
    if (is_question) {
      handler_.Submit(call);
    } else if (!wrong_text.empty()) {
      handler_.Deny(call, absl::StrCat("the question has text that is not UTF-8, in ", wrong_text));
    } else {
      call->FinishWith(grpc::Status(grpc::StatusCode::INTERNAL, "the message is no CheckRequest"));
    }
    return call;
  }

  // How many calls have come.
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }

 private:
  EnvoyHandler& handler_;
  const ErrorForm error_form_;
  const bool is_traced_;
  std::atomic<uint64_t> calls_{0};
};

// Files are looked at again each second, so that certificates can be replaced.
absl::Status MakeCredentials(const TlsOptions& tls, std::shared_ptr<grpc::ServerCredentials>* credentials) {
  namespace experimental = grpc::experimental;
  for (const std::string& file : {tls.certificate, tls.key, tls.client_ca}) {
    if (file.empty()) continue;
    const auto text = ReadWholeFile(file, 1 << 20);
    if (!text.ok()) return text.status();
  }
  const auto provider = std::make_shared<experimental::FileWatcherCertificateProvider>(
      tls.key, tls.certificate, tls.client_ca, kCertificateSeconds);
  experimental::TlsServerCredentialsOptions options(provider);
  options.watch_identity_key_cert_pairs();
  if (tls.client_ca.empty()) {
    options.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  } else {
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  *credentials = experimental::TlsServerCredentials(options);
  return absl::OkStatus();
}

// What is for the whole process. Debian's Abseil looks for deadlocks at each lock of gRPC's, to find mistakes in it.
bool PrepareLibraries() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  return true;
}

}  // namespace

class GrpcServer::Impl {
 public:
  Impl(const GrpcServerOptions& options, EnvoyHandler* handler)
      : options_(options),
        checks_(handler, options.error_form, options.is_traced),
        acceptor_(options.limits.max_connections, options.metrics,
                  [this](bool is_tcp, int descriptor) { Take(is_tcp, descriptor); }) {}

  absl::Status Start() {
    std::shared_ptr<grpc::ServerCredentials> tls;
    if (!options_.tls.certificate.empty()) {
      absl::Status status = MakeCredentials(options_.tls, &tls);
      if (!status.ok()) return status;
    }
    static const bool is_prepared = PrepareLibraries();
    (void)is_prepared;
    for (const ListenerOptions& listener : options_.listeners) {
      absl::Status status = acceptor_.Listen(listener);
      if (!status.ok()) return status;
    }
    grpc::ServerBuilder builder;
    const auto type = grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD;
    plain_ = builder.experimental().AddExternalConnectionAcceptor(type, grpc::InsecureServerCredentials());
    if (tls != nullptr) tls_ = builder.experimental().AddExternalConnectionAcceptor(type, tls);
    SetLimits(&builder);
    builder.RegisterService(&checks_);
    builder.RegisterService(&health_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return absl::InternalError("gRPC does not start");
    return acceptor_.Start();
  }

  const std::vector<std::string>& addresses() const { return acceptor_.addresses(); }

  void SetServing(bool serving) { health_.SetServing(serving); }

  // gRPC waits for its calls in a thread of its own, so that whoever cannot wait has them canceled.
  void Stop(std::chrono::milliseconds time, const Server::IsUrgent& is_urgent) {
    if (server_ == nullptr) return;
    acceptor_.Stop();
    health_.SetServing(false);
    AwaitQuiet(time / 2, is_urgent);
    health_.Stop();
    std::atomic<bool> has_ended{false};
    const auto end = [this, &has_ended, deadline = std::chrono::system_clock::now() + time] {
      server_->Shutdown(deadline);
      has_ended = true;
    };
    std::thread waiting;
    if (!StartThread(end, &waiting).ok()) {
      end();
    } else {
      while (!has_ended && !is_urgent()) std::this_thread::sleep_for(kDrainStep);
      if (!has_ended) grpc_server_cancel_all_calls(server_->c_server());
      waiting.join();
    }
    server_->Wait();
    server_ = nullptr;
  }

 private:
  // A call that comes while gRPC shuts down is canceled, where its connection has not heard of that yet. Those who look
  // at health have gone before; who does not gets answers as long as there is time.
  void AwaitQuiet(std::chrono::milliseconds time, const Server::IsUrgent& is_urgent) const {
    const auto deadline = std::chrono::steady_clock::now() + time;
    auto quiet_since = std::chrono::steady_clock::now();
    for (uint64_t seen = checks_.calls(); !is_urgent();) {
      const auto now = std::chrono::steady_clock::now();
      const uint64_t calls = checks_.calls();
      if (calls != seen) quiet_since = now;
      seen = calls;
      if (now >= deadline || now - quiet_since >= kQuietTime) return;
      std::this_thread::sleep_for(kDrainStep);
    }
  }

  // As FinishWith(): the connection would be open for ever, and nobody would read from it.
  void Take(bool is_tcp, int descriptor) noexcept {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = descriptor;
    const bool is_plain = tls_ == nullptr || !is_tcp;
    (is_plain ? plain_ : tls_)->HandleNewConnection(&connection);
  }

  // gRPC unpacks a message as a whole before it looks at its size: a kilobyte becomes a megabyte. No Envoy packs them.
  // Reflection is the only service with threads of gRPC's own; one is enough for it.
  void SetLimits(grpc::ServerBuilder* builder) const {
    const ServerLimits& limits = options_.limits;
    const auto milliseconds = [](std::chrono::seconds seconds) { return static_cast<int>(1000 * seconds.count()); };
    builder->SetMaxReceiveMessageSize(static_cast<int>(options_.max_message));
    builder->SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
    builder->SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
    builder->AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    builder->AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, static_cast<int>(limits.max_head));
    builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, static_cast<int>(options_.max_streams));
    builder->AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, milliseconds(limits.request_timeout));
    builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, milliseconds(limits.idle_timeout));
    grpc::ResourceQuota quota("hclvm");
    quota.Resize(limits.max_body_bytes);
    quota.SetMaxThreads(16);
    builder->SetResourceQuota(quota);
    builder->SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
    builder->SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
    builder->SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
  }

  const GrpcServerOptions options_;
  CheckService checks_;
  HealthService health_;
  GrpcAcceptor acceptor_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> plain_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> tls_;  // null: none
  std::unique_ptr<grpc::Server> server_;
};

GrpcServer::GrpcServer(const GrpcServerOptions& options, EnvoyHandler* handler)
    : impl_(std::make_unique<Impl>(options, handler)) {}
GrpcServer::~GrpcServer() {
  Stop(std::chrono::milliseconds(0), [] { return true; });
}
absl::Status GrpcServer::Start() { return impl_->Start(); }
std::vector<std::string> GrpcServer::Addresses() const { return impl_->addresses(); }
void GrpcServer::SetServing(bool serving) { impl_->SetServing(serving); }
void GrpcServer::Stop(std::chrono::milliseconds time, const Server::IsUrgent& is_urgent) {
  impl_->Stop(time, is_urgent);
}

}  // namespace hcl::serve
