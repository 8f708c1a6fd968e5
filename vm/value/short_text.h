// StoreShortAscii, StoreShortAsciiView: the text that fields of structs nearly always have, as a value.
//
// Internal to vm/value/fields.h. Tested by vm/value/fields_test.cc and tests/run_many_test.cc.

#ifndef HCLVM_VM_VALUE_SHORT_TEXT_H_
#define HCLVM_VM_VALUE_SHORT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What makes a value of a short text of so many bytes: which of 16 bytes are the text's, and what stands in front of
// it.
struct ShortForms {
  struct Form {
    uint8_t mask[16];
    uint8_t head[16];
  };
  alignas(32) Form of[kMaxInlineString + 1];
};
constexpr ShortForms MakeShortForms() {
  ShortForms forms{};
  for (size_t size = 0; size <= kMaxInlineString; ++size) {
    for (size_t n = 0; n < size; ++n) forms.of[size].mask[n] = 0xff;
    forms.of[size].head[0] = static_cast<uint8_t>(Tag::kShortString);
    forms.of[size].head[1] = static_cast<uint8_t>(size);
  }
  return forms;
}
inline constexpr ShortForms kShortForms = MakeShortForms();

// Whether the `text` of at most kMaxInlineString bytes, of whose memory 16 bytes can be read, is ASCII; then *value is
// it. It is stored whole where that can be done: a load of any part of it then need not wait for the store.
inline bool StoreShortAscii(const char* text, size_t size, Value* value) {
#if defined(__SSE2__)
  HCL_DCHECK(size <= kMaxInlineString);
  const ShortForms::Form& form = kShortForms.of[size];
  const __m128i mask = _mm_load_si128(reinterpret_cast<const __m128i*>(form.mask));
  const __m128i bytes = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text)), mask);
  if (_mm_movemask_epi8(bytes) != 0) return false;
  const __m128i head = _mm_load_si128(reinterpret_cast<const __m128i*>(form.head));
  const __m128i made = _mm_or_si128(_mm_slli_si128(bytes, 2), head);
  std::memcpy(static_cast<void*>(value), &made, sizeof(made));
#else
  for (size_t n = 0; n < size; ++n) {
    if (static_cast<unsigned char>(text[n]) >= 0x80) return false;
  }
  *value = Value::StringView({text, size});
#endif
  return true;
}

// Whether a std::string has memory for 16 bytes, whatever its size is. In each library it has: short ones are inside.
inline bool HasShortRoom(const std::string& text) {
#if defined(__GLIBCXX__) || defined(_LIBCPP_VERSION)
  HCL_DCHECK(text.capacity() >= 15);
  static_cast<void>(text);
  return true;
#else
  return text.capacity() >= 15;
#endif
}

// The same for a text that may end where its memory ends. Eight bytes are read at once where there are as many, and
// fewer as two halves that overlap: what both have is the same.
inline bool StoreShortAsciiView(std::string_view text, Value* value) {
  HCL_DCHECK(text.size() <= kMaxInlineString);
#if defined(__SSE2__)
  const auto load = [](const char* from, auto bytes) {
    decltype(bytes) word;
    std::memcpy(&word, from, sizeof(word));
    return uint64_t{word};
  };
  const char* const begin = text.data();
  const size_t size = text.size();
  uint64_t low = 0, high = 0;
  if (size > 8) {
    low = load(begin, uint64_t{});
    high = load(begin + size - 8, uint64_t{}) >> (8 * (16 - size));
  } else if (size >= 4) {
    low = load(begin, uint32_t{}) | load(begin + size - 4, uint32_t{}) << (8 * (size - 4));
  } else if (size > 0) {
    low = load(begin, uint8_t{}) | load(begin + size / 2, uint8_t{}) << (8 * (size / 2)) |
          load(begin + size - 1, uint8_t{}) << (8 * (size - 1));
  }
  if (((low | high) & 0x8080808080808080) != 0) return false;
  const uint64_t head = static_cast<uint64_t>(Tag::kShortString) | size << 8 | low << 16;
  const __m128i made = _mm_set_epi64x(static_cast<int64_t>(low >> 48 | high << 16), static_cast<int64_t>(head));
  std::memcpy(static_cast<void*>(value), &made, sizeof(made));
#else
  for (const char byte : text) {
    if (static_cast<unsigned char>(byte) >= 0x80) return false;
  }
  *value = Value::StringView(text);
#endif
  return true;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SHORT_TEXT_H_
