// The variable `http`: the request that a proxy asks about, as policies get it, however the proxy asks.
//
// Tested by serve/http_value_test.cc.

#ifndef HCLVM_SERVE_HTTP_VALUE_H_
#define HCLVM_SERVE_HTTP_VALUE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// What every way of asking tells. Views live as long as the value is being made.
struct HttpParts {
  std::string_view method;
  std::string_view target;  // the path with its query, as it was sent
  std::string_view host;
  std::string_view scheme;  // empty: not told
  std::string_view endpoint;
  std::vector<HttpHeader> headers;
  std::string_view proxy;        // who asks, by its certificate; empty: not told
  Value address;                 // of the client; null: not told
  std::vector<Value> forwarded;  // the addresses that the request says it has come by
};

// What of the variable `http` anybody may look at. To make the rest of it costs more than most policies do.
class HttpNeeds {
 public:
  // Everything.
  static HttpNeeds All();
  // Adds what the program may read: of that of a module, all.
  void Add(const Program& program);
  // Adds what is read of a scope that has `http`.
  void Add(const JsonProjection& scope);
  // The value is for the mapping alone, and is to be as that declares it (serve/authz.cc): then nothing is converted.
  void set_is_declared(bool is_declared) { is_declared_ = is_declared; }
  bool is_declared() const { return is_declared_; }
  void AddAll() { all_headers_ = query_ = true; }

  bool needs_all() const { return all_headers_ && query_; }
  bool query() const { return query_; }
  // `name` in any case.
  bool HasHeader(std::string_view name) const;

 private:
  bool query_ = false;
  bool all_headers_ = false;
  bool is_declared_ = false;
  std::vector<std::string> headers_;  // in lower case, where not all
};

// What is told of a request as a policy gets it, and as it is recorded. A policy must not get what it does not look at:
// that could be no value of the type that it declares, and nothing may depend on whether requests are recorded.
struct RequestValue {
  Value needed = Value::Null();  // without what nobody needs
  Value whole = Value::Null();   // unless it was not asked for
};

// A list of texts, or a tuple, which is what becomes of one wherever it is not declared.
Value HttpTexts(absl::Span<const Value> texts, bool is_declared, Heap* heap);

// Objects with the attributes method, path, path_segments, query, host, scheme, headers, endpoint and source. Their
// memory is in `heap`, apart from what `address` and `forwarded` refer to. Fails with kInvalidArgument where the path
// is one that nobody should decide about, or the query has too many parts. `makes_whole` is for what is not declared.
absl::StatusOr<RequestValue> AssembleHttpValue(const HttpParts& parts, EncodedSlash encoded_slash,
                                               const HttpNeeds& needs, bool makes_whole, Heap* heap);

// A text in `heap`, in NFC; what is no UTF-8 in it is replaced.
Value HttpText(std::string_view text, Heap* heap);
// The addresses of a list with commas, as X-Forwarded-For has it.
std::vector<Value> ForwardedAddresses(std::string_view addresses, Heap* heap);

// That object, from the headers that the dialect of the request's listener names and from no others. Its memory is in
// `heap` and in the request. Fails with kInvalidArgument where one of these headers is missing or there twice, or the
// path is one that nobody should decide about. Requires a listener with a dialect.
absl::StatusOr<RequestValue> MakeHttpValue(const HttpRequest& request, EncodedSlash encoded_slash,
                                           const HttpNeeds& needs, bool makes_whole, Heap* heap);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_HTTP_VALUE_H_
