// Where a question of Envoy has text that is not UTF-8, so that protobuf does not read it.
//
// Tested by serve/envoy_text_test.cc.

#ifndef HCLVM_SERVE_ENVOY_TEXT_H_
#define HCLVM_SERVE_ENVOY_TEXT_H_

#include <string>
#include <string_view>

namespace hcl::serve {

// The path of the first field of a CheckRequest in `bytes` whose text is not UTF-8: "attributes.request.http.path".
// Empty where there is none, or where the bytes are no CheckRequest for another reason. Recursion is bounded by the
// levels that protobuf reads, 100.
std::string FindWrongText(std::string_view bytes);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_TEXT_H_
