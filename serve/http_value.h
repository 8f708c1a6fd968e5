// The variable `http`: the request that a proxy asks about, as policies get it.
//
// Tested by serve/http_value_test.cc.

#ifndef HCLVM_SERVE_HTTP_VALUE_H_
#define HCLVM_SERVE_HTTP_VALUE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// An object with the attributes method, path, path_segments, query, host, scheme, headers, endpoint and source, from
// the headers that the dialect of the request's listener names and from no others. Its memory is in `heap` and in the
// request. Fails with kInvalidArgument where one of these headers is missing or there twice, or the path is one that
// nobody should decide about. Requires a listener with a dialect.
absl::StatusOr<Value> MakeHttpValue(const HttpRequest& request, EncodedSlash encoded_slash, Heap* heap);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_HTTP_VALUE_H_
