// Positions of the protocol. Tested by lsp/protocol/text_position_test.cc.

#include "hclvm/lsp/protocol/text_position.h"

#include <algorithm>
#include <cstddef>

namespace hcl::lsp {
namespace {

// Bytes of the character that begins with this byte. A byte that begins none is a character of its own, so that text
// that is no UTF-8 has positions as well.
uint32_t BytesOfCharacter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const uint32_t wanted = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (wanted > text.size()) return 1;
  for (uint32_t n = 1; n < wanted; ++n) {
    if ((static_cast<unsigned char>(text[n]) & 0xC0) != 0x80) return 1;
  }
  return wanted;
}

// Bytes from one mark to the next, at least: a search looks at so many.
constexpr uint32_t kMarkBytes = 256;

uint32_t Number(const Json& json, const char* name) {
  return static_cast<uint32_t>(std::clamp<int64_t>(NumberAt(json, name), 0, UINT32_MAX));
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (size_t at = text.find_first_of("\r\n"); at != std::string_view::npos; at = text.find_first_of("\r\n", at)) {
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
    starts_.push_back(static_cast<uint32_t>(at));
  }
  Mark mark;
  marks_.push_back(mark);
  while (mark.offset < text.size()) {
    Step(&mark);
    if (mark.offset - marks_.back().offset >= kMarkBytes) marks_.push_back(mark);
  }
}

uint32_t LineIndex::Mark::units(PositionEncoding encoding) const {
  return encoding == PositionEncoding::kUtf8 ? offset : encoding == PositionEncoding::kUtf16 ? utf16 : utf32;
}

void LineIndex::Step(Mark* mark) const {
  const uint32_t bytes = BytesOfCharacter(text_.substr(mark->offset));
  mark->offset += bytes;
  mark->utf16 += bytes == 4 ? 2 : 1;
  ++mark->utf32;
}

LineIndex::Mark LineIndex::MarkAt(uint32_t offset) const {
  const auto is_before = [](uint32_t wanted, const Mark& mark) { return wanted < mark.offset; };
  Mark mark = *(std::upper_bound(marks_.begin(), marks_.end(), offset, is_before) - 1);
  for (Mark next = mark; next.offset < offset;) {
    Step(&next);
    if (next.offset <= offset) mark = next;
  }
  return mark;
}

uint32_t LineIndex::LineAt(uint32_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<uint32_t>(next - starts_.begin()) - 1;
}

uint32_t LineIndex::LineStart(uint32_t line) const {
  return line < starts_.size() ? starts_[line] : static_cast<uint32_t>(text_.size());
}

uint32_t LineIndex::LineEnd(uint32_t line) const {
  uint32_t end = LineStart(line + 1);
  if (line + 1 >= starts_.size()) return end;
  if (end > LineStart(line) && text_[end - 1] == '\n') --end;
  if (end > LineStart(line) && text_[end - 1] == '\r') --end;
  return end;
}

uint32_t LineIndex::OffsetAt(TextPosition position, PositionEncoding encoding) const {
  if (position.line >= starts_.size()) return static_cast<uint32_t>(text_.size());
  const Mark start = MarkAt(LineStart(position.line));
  const uint32_t end = LineEnd(position.line);
  const uint64_t wanted = uint64_t{start.units(encoding)} + position.character;
  const auto is_before = [&](uint64_t units, const Mark& mark) { return units < mark.units(encoding); };
  Mark mark = *(std::upper_bound(marks_.begin(), marks_.end(), wanted, is_before) - 1);
  if (mark.offset < start.offset) mark = start;
  if (mark.offset >= end) return end;
  while (mark.offset < end) {
    Mark next = mark;
    Step(&next);
    if (next.units(encoding) > wanted) break;
    mark = next;
  }
  return mark.offset;
}

TextPosition LineIndex::PositionAt(uint32_t offset, PositionEncoding encoding) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const uint32_t line = LineAt(offset);
  return {line, MarkAt(offset).units(encoding) - MarkAt(LineStart(line)).units(encoding)};
}

Json LineIndex::RangeOf(SourceRange range, PositionEncoding encoding) const {
  return {{"start", ToJson(PositionAt(range.begin, encoding))}, {"end", ToJson(PositionAt(range.end, encoding))}};
}

SourceRange LineIndex::BytesOf(const Json& range, PositionEncoding encoding) const {
  const Json* const start = Member(range, {"start"});
  const Json* const end = Member(range, {"end"});
  if (start == nullptr || end == nullptr) return {};
  SourceRange bytes;
  bytes.begin = OffsetAt(PositionIn(*start), encoding);
  bytes.end = std::max(bytes.begin, OffsetAt(PositionIn(*end), encoding));
  return bytes;
}

TextPosition PositionIn(const Json& position) { return {Number(position, "line"), Number(position, "character")}; }

Json ToJson(TextPosition position) { return {{"line", position.line}, {"character", position.character}}; }

}  // namespace hcl::lsp
