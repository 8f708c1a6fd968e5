// Paths and queries of requests, as policies get them (docs/service.md, "What policies get").
//
// Pure functions, thread-safe. Tested by serve/request_path_test.cc.

#ifndef HCLVM_SERVE_REQUEST_PATH_H_
#define HCLVM_SERVE_REQUEST_PATH_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hcl::serve {

// What becomes of "%2f" and "%5c" in a path, which some servers behind take for separators and others do not.
enum class EncodedSlash {
  kRefuse,
  kKeep,  // it stays as it is, as "%2F" or "%5C"
};

// The target of a request in two parts: "/a/b" and "x=1" of "/a/b?x=1". Without a fragment, which no client sends.
std::pair<std::string_view, std::string_view> SplitTarget(std::string_view target);

// The parts of a path between slashes, decoded, in NFC: empty ones and "." are left out, ".." takes the one before
// away, also where these are written with escapes. None for what means different things to different servers, so that
// nobody should decide about it: what does not begin with a slash, ".." at the top, "." and ".." with parameters
// ("..;x"), an escape that is none, what is not UTF-8 when it is decoded, NUL and other control characters, a
// backslash, and, unless kept, an encoded slash or backslash.
std::optional<std::vector<std::string>> PathSegments(std::string_view path, EncodedSlash encoded_slash);

// Name and value of each part of a query, decoded, "+" for a blank, in NFC, in their order. An escape that is none
// stays as it is. None for more than 1,000.
std::optional<std::vector<std::pair<std::string, std::string>>> QueryParameters(std::string_view query);
// Whether that is none, without more.
bool HasTooManyParameters(std::string_view query);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_REQUEST_PATH_H_
