// TokenHead: the first bytes of a token that is expected in a text, compared by two words.
//
// Internal to the readers. Tested by vm/json/form_reader_test.cc and vm/json/repeated_keys_test.cc.

#ifndef HCLVM_VM_JSON_TOKEN_HEAD_H_
#define HCLVM_VM_JSON_TOKEN_HEAD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hcl::internal {

// Plain data.
struct TokenHead {
  // So many bytes of a token are compared, and so many of the text must be there for it.
  static constexpr size_t kBytes = 16;

  TokenHead() = default;
  explicit TokenHead(std::string_view token) {
    const size_t size = std::min(token.size(), kBytes);
    std::memcpy(words, token.data(), size);
    std::memset(masks, 0xff, size);
  }
  // Of a token that never stands where a quote is.
  static TokenHead Never() {
    TokenHead never;
    never.masks[0] = UINT64_MAX;
    return never;
  }

  // Whether the text at `at`, of at least kBytes, begins as the token does.
  bool IsAt(const char* at) const {
    uint64_t text[2];
    std::memcpy(text, at, sizeof(text));
    const uint64_t low = (text[0] ^ words[0]) & masks[0];
    const uint64_t high = (text[1] ^ words[1]) & masks[1];
    return (low | high) == 0;
  }

  uint64_t words[2] = {0, 0};
  uint64_t masks[2] = {0, 0};  // the bytes of words that there are
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_TOKEN_HEAD_H_
