// Excerpts. Tested by base/excerpt_test.cc.

#include "hclvm/base/excerpt.h"

#include <cstdint>

namespace hcl::internal {
namespace {

// The last offset up to `at` where a code point of `text` begins. Malformed text is cut anywhere.
size_t CharacterStart(std::string_view text, size_t at) {
  for (size_t back = 0; back < 4 && back <= at; ++back) {
    if ((static_cast<uint8_t>(text[at - back]) & 0xC0) != 0x80) return at - back;
  }
  return at;
}

}  // namespace

std::string Excerpt(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::string cut(text.substr(0, CharacterStart(text, max_bytes)));
  return cut.append("... (").append(std::to_string(text.size())).append(" bytes)");
}

void CutText(size_t max_bytes, std::string* text) {
  if (text->size() <= max_bytes) return;
  text->resize(CharacterStart(*text, max_bytes));
  text->append("...");
}

}  // namespace hcl::internal
