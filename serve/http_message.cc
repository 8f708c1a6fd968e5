// Parts of HTTP messages. Tested by serve/http_message_test.cc.

#include "hclvm/serve/http_message.h"

#include <algorithm>

namespace hcl::serve {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

bool EqualsLower(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) { return Lower(a) == b; });
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  return lower;
}

const std::string_view* HttpRequest::Find(std::string_view name) const {
  const std::string_view* found = nullptr;
  for (const HttpHeader& header : headers) {
    if (!EqualsLower(header.name, name)) continue;
    if (found != nullptr) return nullptr;
    found = &header.value;
  }
  return found;
}

size_t HttpRequest::Count(std::string_view name) const {
  return static_cast<size_t>(std::count_if(headers.begin(), headers.end(),
                                           [&](const HttpHeader& header) { return EqualsLower(header.name, name); }));
}

bool IsHeaderName(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && name.size() <= 256 && std::all_of(name.begin(), name.end(), [&](char c) {
    return (Lower(c) >= 'a' && Lower(c) <= 'z') || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  });
}

bool IsHeaderValue(std::string_view value) {
  return value.size() <= 8192 && std::all_of(value.begin(), value.end(), [](char c) {
           return static_cast<unsigned char>(c) >= 0x80 || c == '\t' || (c >= 0x20 && c != 0x7f);
         });
}

}  // namespace hcl::serve
