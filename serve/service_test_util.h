// A service without sockets, for tests.

#ifndef HCLVM_SERVE_SERVICE_TEST_UTIL_H_
#define HCLVM_SERVE_SERVICE_TEST_UTIL_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/decision_log.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

// A service with one worker. Belongs to one thread.
class TestService {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  // With the functions of the library. The bundle, if any, must be right. With `log_path`, decisions are logged there.
  explicit TestService(const BundleFiles& files, ServiceOptions options = {}, const std::string& log_path = "");

  Service* operator->() { return service_.get(); }
  Metrics& metrics() { return metrics_; }

  // The answer to a request. Unmade answers are waited for.
  HttpResponse Ask(std::string_view method, std::string_view target, std::string_view body = "",
                   const Headers& headers = {}, ListenerInfo listener = {});
  // The same as one text: "200 {...}".
  std::string Answer(std::string_view method, std::string_view target, std::string_view body = "",
                     const Headers& headers = {}, ListenerInfo listener = {});
  // What was logged, when everything has been written. Ends the log.
  std::string Log();

 private:
  Metrics metrics_;
  std::string log_path_;
  std::unique_ptr<DecisionLog> log_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<HttpWorker> worker_;
};

// The text without decision identifiers and timestamps, in whose places "ID" and "TIME" stand, and without numbers of
// nanoseconds.
std::string WithoutIds(std::string text);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_SERVICE_TEST_UTIL_H_
