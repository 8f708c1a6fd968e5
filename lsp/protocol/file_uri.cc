// URIs of files. Tested by lsp/protocol/file_uri_test.cc.

#include "hclvm/lsp/protocol/file_uri.h"

#include <cstddef>

namespace hcl::lsp {
namespace {

constexpr std::string_view kScheme = "file://";
constexpr char kDigits[] = "0123456789ABCDEF";

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string PathOf(std::string_view uri) {
  if (uri.substr(0, kScheme.size()) != kScheme) return std::string(uri);
  const std::string_view rest = uri.substr(kScheme.size());
  const size_t slash = rest.find('/');  // behind a host, which is empty or this one
  std::string path;
  for (size_t at = slash == std::string_view::npos ? rest.size() : slash; at < rest.size(); ++at) {
    const int high = rest[at] == '%' && at + 2 < rest.size() ? DigitOf(rest[at + 1]) : -1;
    const int low = high >= 0 ? DigitOf(rest[at + 2]) : -1;
    path += low >= 0 ? static_cast<char>(high * 16 + low) : rest[at];
    at += low >= 0 ? 2 : 0;
  }
  return path;
}

std::string UriOf(std::string_view path) {
  if (path.empty() || path[0] != '/') return std::string(path);
  std::string uri(kScheme);
  for (const char c : path) {
    if (IsPlain(c)) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

}  // namespace hcl::lsp
