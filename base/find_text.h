// Searching for a text in another one.
//
// Tested by base/find_text_test.cc.

#ifndef HCLVM_BASE_FIND_TEXT_H_
#define HCLVM_BASE_FIND_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hcl::internal {

// Offset of the first `needle` in `text` at or after `from`, or npos. Time: linear, where the C library's memmem is.
size_t FindText(std::string_view text, std::string_view needle, size_t from = 0);

// The same for a needle of one byte.
inline size_t FindByte(std::string_view text, char needle, size_t from) {
  if (from >= text.size()) return std::string_view::npos;
  const void* found = std::memchr(text.data() + from, needle, text.size() - from);
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

// Units of fuel for a search that has read `bytes` of a text. A needle of several bytes that is nearly there everywhere
// takes up to 3 ns for a byte, and a needle of one byte hardly any.
inline uint64_t CostOfSearch(uint64_t bytes, std::string_view needle) { return bytes / (needle.size() == 1 ? 64 : 8); }

}  // namespace hcl::internal

#endif  // HCLVM_BASE_FIND_TEXT_H_
