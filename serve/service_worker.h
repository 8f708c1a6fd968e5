// ServiceWorker: what each path of the service answers, for one thread.
//
// Tested by serve/service_test.cc, serve/decide_api_test.cc and serve/forward_auth_test.cc.

#ifndef HCLVM_SERVE_SERVICE_WORKER_H_
#define HCLVM_SERVE_SERVICE_WORKER_H_

#include <functional>
#include <string>
#include <string_view>

#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

class ServiceWorker : public HttpWorker {
 public:
  // The service must outlive it.
  explicit ServiceWorker(Service* service) : service_(*service), runner_(service) {}

  bool Handle(const HttpRequest& request, HttpResponse* response, const std::function<HttpReply()>& later) override;
  void AfterResponse() override { runner_.Finish(); }
  void Refuse(const HttpRequest& request, Refusal refusal, HttpResponse* response) override;
  size_t BodyLimit(const HttpRequest& request) const override;

 private:
  bool IsAuthorized(const HttpRequest& request) const;
  bool HandleAdmin(const HttpRequest& request, UploadKind kind, HttpResponse* response,
                   const std::function<HttpReply()>& later);

  Service& service_;
  DecisionRunner runner_;
  std::string decoded_entry_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_SERVICE_WORKER_H_
