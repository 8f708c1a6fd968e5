// Parts of HTTP messages. Tested by serve/http_message_test.cc.

#include "hclvm/serve/http_message.h"

#include <algorithm>

namespace hcl::serve {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerCase(c);
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

std::string_view HttpRequest::MediaType() const {
  const std::string_view* const type = Find("content-type");
  if (type == nullptr) return {};
  std::string_view name = type->substr(0, type->find(';'));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

bool HttpRequest::has_plain_body() const {
  const std::string_view* const encoding = Find("content-encoding");
  return encoding == nullptr ? Count("content-encoding") == 0 : EqualsLower(*encoding, "identity");
}

bool IsHeaderName(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && name.size() <= 256 && std::all_of(name.begin(), name.end(), [&](char c) {
    return (LowerCase(c) >= 'a' && LowerCase(c) <= 'z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool IsHeaderValue(std::string_view value) {
  return value.size() <= 8192 && std::all_of(value.begin(), value.end(), [](char c) {
           return static_cast<unsigned char>(c) >= 0x80 || c == '\t' || (c >= 0x20 && c != 0x7f);
         });
}

}  // namespace hcl::serve
