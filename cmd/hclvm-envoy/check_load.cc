// check_load ADDRESS REQUEST SECONDS RATE CALLS: asks a server of Envoy's external authorization the question in the
// file REQUEST, in text format, and prints how that went, as one line of JSON.
//
// RATE 0: a closed loop, in which CALLS calls are under way all the time. Otherwise so many calls a second, begun at
// equal distances whether or not others have ended; a call's time is counted from when it was to begin, so that waiting
// shows.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <ratio>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "google/protobuf/text_format.h"
#include "grpcpp/grpcpp.h"
#include "hclvm/serve/proto/envoy_auth.grpc.pb.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::Authorization;
using envoy::service::auth::v3::CheckRequest;
using envoy::service::auth::v3::CheckResponse;
using Clock = std::chrono::steady_clock;

constexpr int kChannels = 4;
constexpr size_t kMaxUnderWay = 100'000;

struct Call {
  Clock::time_point begin;
  grpc::ClientContext context;
  CheckResponse response;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<CheckResponse>> reader;
};

class Load {
 public:
  Load(const std::string& address, const CheckRequest& request) : request_(request) {
    for (int n = 0; n < kChannels; ++n) {
      grpc::ChannelArguments arguments;
      // Otherwise all channels to an address share a connection.
      arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
      stubs_.push_back(
          Authorization::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments)));
    }
  }

  void Run(double seconds, double rate, size_t calls) {
    const auto length = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    begin_ = Clock::now();
    end_ = begin_ + length;
    if (rate > 0) {
      Paced(rate);
    } else {
      for (size_t n = 0; n < calls; ++n) Begin(Clock::now());
      while (under_way_ > 0) TakeOne(/*again=*/true, Clock::time_point::max());
    }
  }

  void Print() {
    std::sort(microseconds_.begin(), microseconds_.end());
    const auto at = [&](double part) {
      return microseconds_.empty()
                 ? 0.0
                 : microseconds_[std::min(microseconds_.size() - 1,
                                          static_cast<size_t>(part * static_cast<double>(microseconds_.size())))];
    };
    const double seconds = std::chrono::duration<double>(last_ - begin_).count();
    std::printf("{\"rate\": %.1f, \"answers\": %zu, \"bad\": %zu, \"p50\": %.1f, \"p99\": %.1f, \"p999\": %.1f}\n",
                static_cast<double>(microseconds_.size()) / seconds, microseconds_.size(), bad_, at(0.5), at(0.99),
                at(0.999));
  }

 private:
  void Begin(Clock::time_point begin) {
    auto* const call = new Call;
    call->begin = begin;
    call->reader = stubs_[next_++ % stubs_.size()]->AsyncCheck(&call->context, request_, &queue_);
    call->reader->Finish(&call->response, &call->status, call);
    ++under_way_;
  }

  // Takes one answer, if one comes until then.
  bool TakeOne(bool again, Clock::time_point until) {
    void* tag = nullptr;
    bool ok = false;
    if (until == Clock::time_point::max()) {
      queue_.Next(&tag, &ok);
    } else {
      const auto time = std::chrono::system_clock::now() + (until - Clock::now());
      if (queue_.AsyncNext(&tag, &ok, time) != grpc::CompletionQueue::GOT_EVENT) return false;
    }
    const std::unique_ptr<Call> call(static_cast<Call*>(tag));
    --under_way_;
    last_ = Clock::now();
    microseconds_.push_back(std::chrono::duration<double, std::micro>(last_ - call->begin).count());
    if (!call->status.ok() || !call->response.has_ok_response()) ++bad_;
    if (again && last_ < end_) Begin(last_);
    return true;
  }

  void Paced(double rate) {
    const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate));
    for (Clock::time_point next = begin_; next < end_; next += step) {
      while (Clock::now() < next) TakeOne(/*again=*/false, next);
      if (under_way_ < kMaxUnderWay) Begin(next);
    }
    while (under_way_ > 0) TakeOne(/*again=*/false, Clock::time_point::max());
  }

  const CheckRequest request_;
  std::vector<std::unique_ptr<Authorization::Stub>> stubs_;
  grpc::CompletionQueue queue_;
  Clock::time_point begin_;
  Clock::time_point end_;
  Clock::time_point last_;
  size_t next_ = 0;
  size_t under_way_ = 0;
  size_t bad_ = 0;
  std::vector<double> microseconds_;
};

int Main(int argc, char** argv) {
  if (argc != 6) return std::fputs("check_load ADDRESS REQUEST SECONDS RATE CALLS\n", stderr), 2;
  std::ifstream file(argv[2]);
  std::stringstream text;
  text << file.rdbuf();
  CheckRequest request;
  if (!google::protobuf::TextFormat::ParseFromString(text.str(), &request)) return 2;
  Load load(argv[1], request);
  load.Run(std::atof(argv[3]), std::atof(argv[4]), static_cast<size_t>(std::atoi(argv[5])));
  load.Print();
  return 0;
}

}  // namespace
}  // namespace hcl::serve

int main(int argc, char** argv) { return hcl::serve::Main(argc, argv); }
