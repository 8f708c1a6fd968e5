// Searching for texts. Tested by base/find_text_test.cc.

#include "hclvm/base/find_text.h"

namespace hcl::internal {
namespace {

// Texts up to here are looked at without the preparation that makes longer searches linear: at most a comparison for
// each byte.
constexpr size_t kShort = 64;

size_t FindShort(std::string_view text, std::string_view needle, size_t from) {
  for (size_t at = from; at + needle.size() <= text.size(); ++at) {
    at = FindByte(text.substr(0, text.size() - needle.size() + 1), needle[0], at);
    if (at == std::string_view::npos) break;
    if (std::memcmp(text.data() + at, needle.data(), needle.size()) == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

// memmem is linear in glibc and on macOS, whatever the needle; std::string_view::find may be quadratic on hostile
// texts.
size_t FindText(std::string_view text, std::string_view needle, size_t from) {
  if (needle.size() == 1) return FindByte(text, needle[0], from);
  if (from > text.size()) return std::string_view::npos;
  if (!needle.empty() && text.size() - from <= kShort) return FindShort(text, needle, from);
#if defined(__GLIBC__) || defined(__APPLE__)
  const void* found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
#else
  return text.find(needle, from);
#endif
}

}  // namespace hcl::internal
