// Parts of an answer to a proxy, read from what a policy says of them.
//
// Each function takes a value that is not null, and returns what is wrong with it, for a message behind the attribute's
// name, or nothing. What a policy says in a wrong way is an error, never half an answer. Tested by
// serve/auth_parts_test.cc.

#ifndef HCLVM_SERVE_AUTH_PARTS_H_
#define HCLVM_SERVE_AUTH_PARTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// What becomes of a header that is there already. The names are those that policies use, and Envoy's.
enum class HeaderAction : uint8_t {
  kOverwrite,  // "overwrite": replaces it
  kAppend,     // "append": stands beside it
  kAddIfAbsent,
  kOverwriteIfExists,
};

struct AuthHeader {
  std::string name;  // in lower case
  std::string value;
  HeaderAction action = HeaderAction::kOverwrite;
};
using AuthHeaders = std::vector<AuthHeader>;
using AuthPairs = std::vector<std::pair<std::string, std::string>>;

// A status that `is_denial` takes.
std::string_view ReadStatus(const Value& given, bool (*is_denial)(int64_t status), int* status);
// A text of at most 1 MB.
std::string_view ReadBody(const Value& given, std::string* body);
// An object of headers: name to text, to a list of texts, or to { value = ..., action = ... } of one of these. The
// further texts of a list are appended, which two of the actions cannot have. Null is no header.
std::string_view ReadHeaders(const Value& given, AuthHeaders* headers);
// A list of names of headers that a policy may remove.
std::string_view ReadHeaderNames(const Value& given, std::vector<std::string>* names);
// A list of texts.
std::string_view ReadTexts(const Value& given, std::vector<std::string>* texts);
// An object of texts. Null is none.
std::string_view ReadTextMap(const Value& given, AuthPairs* pairs);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTH_PARTS_H_
