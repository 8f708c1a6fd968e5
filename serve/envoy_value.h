// Envoy's questions as values for policies (docs/envoy.md, "What policies get").
//
// Pure functions over messages: no gRPC here. Tested by serve/envoy_value_test.cc.

#ifndef HCLVM_SERVE_ENVOY_VALUE_H_
#define HCLVM_SERVE_ENVOY_VALUE_H_

#include <bitset>
#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// The variable `http`, as serve/http_value.h makes it of every way of asking. All of it is in `heap`, nothing in the
// message. Fails as AssembleHttpValue() does. Takes time and memory that are linear in the message, as the others do.
absl::StatusOr<RequestValue> MakeEnvoyHttpValue(const envoy::service::auth::v3::CheckRequest& request,
                                                EncodedSlash encoded_slash, const HttpNeeds& needs, bool makes_whole,
                                                Heap* heap);

// Attributes of the variable `envoy`, in the order of their names.
inline constexpr size_t kEnvoyParts = 11;
using EnvoyParts = std::bitset<kEnvoyParts>;
inline constexpr EnvoyParts kAllEnvoyParts((1 << kEnvoyParts) - 1);
// Those of which the program may read something: of a module, all.
EnvoyParts EnvoyPartsReadBy(const Program& program);
// Those of which something is read of a scope that has `envoy`.
EnvoyParts EnvoyPartsReadBy(const JsonProjection& scope);

// The variable `envoy`, of which only some parts are needed: objects with the attributes source, destination, id,
// protocol, time, size, tls, body, context_extensions, metadata and route_metadata; null is what Envoy has not told.
// All of them is in `heap`.
RequestValue MakeEnvoyValue(const envoy::service::auth::v3::CheckRequest& request, const EnvoyParts& parts,
                            bool makes_whole, JsonReader* reader, Heap* heap);
// The same as the mapping declares it (serve/authz.cc), for the mapping alone: what is not needed is as if Envoy had
// not told it, and nothing has to be converted.
Value MakeDeclaredEnvoyValue(const envoy::service::auth::v3::CheckRequest& request, const EnvoyParts& parts,
                             JsonReader* reader, Heap* heap);

// The variable `input` by OPA's names: `attributes` as JSON has the message, version, parsed_path, parsed_query,
// parsed_body, truncated_body and source_principal. `http` and `envoy` are those of the same request. Fails with
// kInvalidArgument where the message has no JSON form.
absl::StatusOr<Value> MakeOpaInput(const envoy::service::auth::v3::CheckRequest& request, const Value& http,
                                   const Value& envoy, JsonReader* reader, Heap* heap);

// The request's header of that name, which is in lower case, or nothing. Lives as long as the message.
std::string_view EnvoyHeader(const envoy::service::auth::v3::CheckRequest& request, std::string_view name);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_VALUE_H_
