// StoreShortAscii: the text that fields of structs nearly always have, as a value.
//
// Internal to vm/value/fields.h. Tested by vm/value/fields_test.cc and tests/run_many_test.cc.

#ifndef HCLVM_VM_VALUE_SHORT_TEXT_H_
#define HCLVM_VM_VALUE_SHORT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Whether the `text` of at most kMaxInlineString bytes, of whose memory 16 bytes can be read, is ASCII; then *value is
// it. It is stored whole where that can be done: a load of any part of it then need not wait for the store.
inline bool StoreShortAscii(const char* text, size_t size, Value* value) {
#if defined(__SSE2__)
  HCL_DCHECK(size <= kMaxInlineString);
  static constexpr uint8_t kWindow[kMaxInlineString + 16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                             0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const __m128i mask = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kWindow + kMaxInlineString - size));
  const __m128i bytes = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text)), mask);
  if (_mm_movemask_epi8(bytes) != 0) return false;
  const __m128i head = _mm_cvtsi32_si128(static_cast<int>(Tag::kShortString) | static_cast<int>(size) << 8);
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

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SHORT_TEXT_H_
