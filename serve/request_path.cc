// Paths of requests. Tested by serve/request_path_test.cc.

#include "hclvm/serve/request_path.h"

#include <algorithm>
#include <cstddef>

#include "hclvm/base/unicode.h"

namespace hcl::serve {
namespace {

constexpr size_t kMaxParameters = 1000;

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte of an escape at `at`, or -1.
int EscapedByte(std::string_view text, size_t at) {
  if (at + 2 >= text.size()) return -1;
  const int high = DigitOf(text[at + 1]);
  const int low = DigitOf(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// "..;x" is a part like any other here. A server that takes parameters off parts has ".." left.
bool HidesDots(std::string_view segment) {
  const std::string_view name = segment.substr(0, segment.find(';'));
  return name.size() < segment.size() && (name == "." || name == "..");
}

// Whether one of the code points U+0080 to U+009F, which are control characters too, is in the text, which is UTF-8.
bool HasC1Control(std::string_view text) {
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '\xc2' && static_cast<unsigned char>(text[at + 1]) < 0xa0) return true;
  }
  return false;
}

// Decoded once and not again: what was escaped twice is escaped still.
std::optional<std::string> DecodeSegment(std::string_view text, EncodedSlash encoded_slash) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); ++at) {
    int byte = static_cast<unsigned char>(text[at]);
    const bool is_escaped = text[at] == '%';
    if (is_escaped) {
      byte = EscapedByte(text, at);
      if (byte < 0) return std::nullopt;
      at += 2;
    }
    if (byte < 0x20 || byte == 0x7f) return std::nullopt;
    if (byte == '/' || byte == '\\') {
      if (!is_escaped || encoded_slash == EncodedSlash::kRefuse) return std::nullopt;
      decoded.append(byte == '/' ? "%2F" : "%5C");
      continue;
    }
    decoded.push_back(static_cast<char>(byte));
  }
  if (internal::FindInvalidUtf8(decoded) != std::string_view::npos || HasC1Control(decoded)) return std::nullopt;
  return internal::IsKnownNfc(decoded) ? decoded : internal::ToNfc(decoded);
}

std::string DecodeParameter(std::string_view text) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); ++at) {
    const int byte = text[at] == '%' ? EscapedByte(text, at) : -1;
    if (byte >= 0) at += 2;
    decoded.push_back(byte >= 0 ? static_cast<char>(byte) : text[at] == '+' ? ' ' : text[at]);
  }
  return internal::IsKnownNfc(decoded) ? decoded : internal::ToNfc(decoded);
}

}  // namespace

std::pair<std::string_view, std::string_view> SplitTarget(std::string_view target) {
  target = target.substr(0, target.find('#'));
  const size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

std::optional<std::vector<std::string>> PathSegments(std::string_view path, EncodedSlash encoded_slash) {
  if (path.empty() || path[0] != '/') return std::nullopt;
  std::vector<std::string> segments;
  for (size_t begin = 1; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    std::optional<std::string> segment = DecodeSegment(path.substr(begin, end - begin), encoded_slash);
    begin = end + 1;
    if (!segment || HidesDots(*segment)) return std::nullopt;
    if (segment->empty() || *segment == ".") continue;
    if (*segment != "..") {
      segments.push_back(*std::move(segment));
    } else if (segments.empty()) {
      return std::nullopt;
    } else {
      segments.pop_back();
    }
  }
  return segments;
}

std::optional<std::vector<std::pair<std::string, std::string>>> QueryParameters(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    if (parameters.size() == kMaxParameters) return std::nullopt;
    const size_t equals = std::min(part.find('='), part.size());
    parameters.emplace_back(DecodeParameter(part.substr(0, equals)),
                            DecodeParameter(part.substr(std::min(equals + 1, part.size()))));
  }
  return parameters;
}

bool HasTooManyParameters(std::string_view query) {
  size_t count = 0;
  for (size_t n = 0; n < query.size(); ++n) {
    if (query[n] != '&' && (n == 0 || query[n - 1] == '&')) ++count;
  }
  return count > kMaxParameters;
}

}  // namespace hcl::serve
