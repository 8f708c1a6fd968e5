// TestService.

#include "hclvm/serve/service_test_util.h"

#include <chrono>
#include <future>
#include <regex>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::serve {

TestService::TestService(const BundleFiles& files, ServiceOptions options, const std::string& log_path)
    : log_path_(log_path) {
  options.bundle.compile.functions = StandardFunctions();
  // Sanitizers are slow, and none of the tests is about time.
  if (options.timeout == ServiceOptions().timeout) options.timeout = std::chrono::seconds(60);
  if (!log_path.empty()) log_ = *DecisionLog::Open(log_path, 1 << 20, &metrics_);
  service_ = std::make_unique<Service>(std::move(options), &metrics_, log_.get());
  worker_ = service_->NewWorker();
  if (files.empty()) return;
  const Activation activation = service_->Activate(files);
  EXPECT_TRUE(activation.activated) << activation.failure.message << "\n" << activation.failure.text;
}

HttpResponse TestService::Ask(std::string_view method, std::string_view target, std::string_view body,
                              const Headers& headers, ListenerInfo listener) {
  HttpRequest request;
  request.method = method;
  request.target = target;
  request.body = body;
  for (const auto& [name, value] : headers) request.headers.push_back({name, value});
  request.listener = listener;
  request.arrival = std::chrono::steady_clock::now();
  HttpResponse response;
  std::promise<HttpResponse> promise;
  const auto later = [&]() -> HttpReply {
    return [&promise](HttpResponse late) { promise.set_value(std::move(late)); };
  };
  if (!worker_->Handle(request, &response, later)) response = promise.get_future().get();
  worker_->AfterResponse();
  return response;
}

std::string TestService::Answer(std::string_view method, std::string_view target, std::string_view body,
                                const Headers& headers, ListenerInfo listener) {
  const HttpResponse response = Ask(method, target, body, headers, listener);
  return WithoutIds(absl::StrCat(response.status, " ", response.body));
}

std::string TestService::Log() {
  log_.reset();
  const auto text = ReadWholeFile(log_path_, 1 << 20);
  return text.ok() ? WithoutIds(*text) : std::string(text.status().message());
}

std::string WithoutIds(std::string text) {
  text =
      std::regex_replace(text, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"), "ID");
  text = std::regex_replace(text, std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"), "TIME");
  return std::regex_replace(text, std::regex("\"decision_ns\":[0-9]+"), "\"decision_ns\":N");
}

}  // namespace hcl::serve
