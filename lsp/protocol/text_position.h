// Positions of the protocol: a line and a column in UTF-8, UTF-16 or UTF-32 code units, and byte offsets.
//
// Lines end with "\n", "\r\n" and "\r", as the protocol has it. Tested by lsp/protocol/text_position_test.cc.

#ifndef HCLVM_LSP_PROTOCOL_TEXT_POSITION_H_
#define HCLVM_LSP_PROTOCOL_TEXT_POSITION_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

enum class PositionEncoding : uint8_t { kUtf8, kUtf16, kUtf32 };

// Both count from 0.
struct TextPosition {
  uint32_t line = 0;
  uint32_t character = 0;  // in code units of the encoding

  friend bool operator==(TextPosition a, TextPosition b) { return a.line == b.line && a.character == b.character; }
};

// Where the lines of a text begin, and how many code units stand before its bytes. Immutable and thread-safe; the text
// must outlive it. A line of any length costs the same.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  // At least 1.
  uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }
  // The line of a byte, and the byte at which a line begins; both are cut to the text. Time: logarithmic.
  uint32_t LineAt(uint32_t offset) const;
  uint32_t LineStart(uint32_t line) const;
  // The end of a line, before its line end.
  uint32_t LineEnd(uint32_t line) const;

  // A position beyond the end of its line is the end of the line; one within a character is its beginning. Time:
  // logarithmic in the text.
  uint32_t OffsetAt(TextPosition position, PositionEncoding encoding) const;
  TextPosition PositionAt(uint32_t offset, PositionEncoding encoding) const;

  // The protocol's Range.
  Json RangeOf(SourceRange range, PositionEncoding encoding) const;
  // The bytes of a Range; empty at 0 where it is none. The end is never before the beginning.
  SourceRange BytesOf(const Json& range, PositionEncoding encoding) const;

  std::string_view text() const { return text_; }

 private:
  // A character of the text, by its first byte, and the code units before it.
  struct Mark {
    uint32_t offset = 0;
    uint32_t utf16 = 0;
    uint32_t utf32 = 0;

    uint32_t units(PositionEncoding encoding) const;
  };
  // Goes on to the next character, which must be there.
  void Step(Mark* mark) const;
  // The character that byte `offset` belongs to.
  Mark MarkAt(uint32_t offset) const;

  std::string_view text_;
  std::vector<uint32_t> starts_;
  std::vector<Mark> marks_;  // the first one of each so many bytes
};

// The Position of a message; negative numbers are 0.
TextPosition PositionIn(const Json& position);
Json ToJson(TextPosition position);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_PROTOCOL_TEXT_POSITION_H_
