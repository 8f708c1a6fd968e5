// May the request pass that a proxy asks about? What the bundle in force says, for all ways of asking: HTTP
// (serve/forward_auth.h) and Envoy (serve/envoy_worker.h).
//
// Tested by serve/forward_auth_test.cc and serve/envoy_worker_test.cc.

#ifndef HCLVM_SERVE_AUTH_DECISION_H_
#define HCLVM_SERVE_AUTH_DECISION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hclvm/serve/auth_parts.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

inline constexpr int kDeniedStatus = 403;

// What is asked. Values live in the runner's heap.
struct AuthQuestion {
  RequestValue http;
  // What only Envoy tells; null: it does not ask.
  RequestValue envoy;
  // Makes both as a whole; null: that has been done where it is recorded. Where a mapping makes the scope, they are
  // recorded only if that fails.
  std::function<void(Value* http, Value* envoy)> make_whole;
  // By the names of another engine, which the entry then gets instead, and by whose names results answer.
  Value input = Value::Null();
  bool is_opa = false;
  // Whether a denial can have that status.
  bool (*is_denial)(int64_t status) = nullptr;
  // Whether the one who asks can be told all of an answer; otherwise allow, status, headers and body.
  bool takes_all = false;
};

// What to answer. Several headers of a name stand side by side.
struct AuthAnswer {
  AuthOutcome outcome = AuthOutcome::kError;
  Reason limit = Reason::kOther;  // that was crossed, of the outcome kLimit
  int status = kDeniedStatus;     // of a denial
  AuthHeaders headers;            // for the client of a denied request, otherwise for the server behind the proxy
  std::string body;               // of a denial
  // Of a request that may pass, and only where all is taken:
  AuthHeaders response_headers;  // for the client
  std::vector<std::string> headers_to_remove;
  AuthPairs query_parameters_to_set;
  std::vector<std::string> query_parameters_to_remove;
  // An object for filters behind, or null; where all is taken. Lives in the runner's heap.
  Value dynamic_metadata;
  std::string message;  // of an error
  std::string decision_id;
  std::string revision;
  std::string data_revision;  // empty: no data
};

// Names what answers: the runner's revision.
void SetRevision(const DecisionRunner& runner, AuthAnswer* answer);
// The answer as an error, or another outcome without anything of the policy: only its names stay.
AuthAnswer Failed(AuthOutcome outcome, std::string message, AuthAnswer* answer);

// Answers by the runner, whose Begin() has returned true. Whatever goes wrong on the way is an outcome, and leaves an
// answer that has nothing of the policy in it.
void DecideAuth(const AuthQuestion& question, DecisionRunner* runner, AuthAnswer* answer);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTH_DECISION_H_
