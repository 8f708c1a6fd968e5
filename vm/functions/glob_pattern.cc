// GlobPattern. Tested by vm/functions/glob_functions_test.cc.

#include "hclvm/vm/functions/glob_pattern.h"

#include <algorithm>
#include <cstring>

#include "hclvm/base/find_text.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::internal {
namespace {

constexpr char kEndsInSet[] = "the pattern ends within a set: [ has no ]";
constexpr char kEndsInEscape[] = "the pattern ends with a backslash";
constexpr char kWrongOrder[] = "the pattern has a range whose ends are in the wrong order, as in [z-a]";

// Comparing so many bytes takes about as long as a step.
constexpr size_t kLongText = 16;

bool IsInsideCharacter(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) == 0x80; }

bool IsSpecial(char byte) { return byte == '*' || byte == '?' || byte == '[' || byte == '\\'; }

// Offset of the character before `at`, which is not 0.
size_t CharacterBefore(std::string_view text, size_t at) {
  --at;
  while (at > 0 && IsInsideCharacter(text[at])) --at;
  return at;
}

}  // namespace

// Steps are paid for in large pieces: what a short match takes, the text's size pays for.
class GlobPattern::Steps {
 public:
  explicit Steps(FunctionCall* call) : call_(call) {}
  // So many, and one. False when the call has failed.
  bool Take(uint64_t more) {
    count_ += 1 + more;
    if (count_ < kPiece) return true;
    const uint64_t units = count_ / kStepsOfUnit;
    count_ = 0;
    return call_->Charge(units);
  }
  bool failed() const { return call_->failed(); }

 private:
  static constexpr uint64_t kPiece = 256;
  static constexpr uint64_t kStepsOfUnit = 4;

  FunctionCall* call_;
  uint64_t count_ = 0;
};

// Of each text between two stars, the first place is as good as any other, as in Matches().
bool GlobPattern::MatchTexts(std::string_view pattern, std::string_view text, bool* matches) {
  const auto has = [pattern](char c) { return FindByte(pattern, c, 0) != std::string_view::npos; };
  if (has('?') || has('[') || has('\\')) return false;
  size_t star = FindByte(pattern, '*', 0);
  if (star == std::string_view::npos) return *matches = pattern == text, true;
  *matches = false;
  if (text.size() < star || std::memcmp(text.data(), pattern.data(), star) != 0) return true;
  text.remove_prefix(star);
  for (;;) {
    pattern.remove_prefix(star + 1);
    star = FindByte(pattern, '*', 0);
    if (star == std::string_view::npos) break;
    const size_t found = FindText(text, pattern.substr(0, star));
    if (found == std::string_view::npos) return true;
    text.remove_prefix(found + star);
  }
  *matches = text.size() >= pattern.size() && text.substr(text.size() - pattern.size()) == pattern;
  return true;
}

void GlobPattern::AddText(std::string_view text) {
  if (text.empty()) return;
  const auto begin = static_cast<uint32_t>(texts_.size());
  texts_.append(text.data(), text.size());
  const auto end = static_cast<uint32_t>(texts_.size());
  if (parts_.size() > pieces_.back().begin && parts_.back().kind == Part::Kind::kText) {
    parts_.back().end = end;
  } else {
    parts_.push_back({Part::Kind::kText, begin, end});
  }
}

const char* GlobPattern::ParseSet(std::string_view pattern, size_t* at) {
  const bool is_other = *at < pattern.size() && (pattern[*at] == '!' || pattern[*at] == '^');
  if (is_other) ++*at;
  const auto begin = static_cast<uint32_t>(ranges_.size());
  // The next member, or one end of a range.
  const auto read = [&](char32_t* character) -> const char* {
    if (*at < pattern.size() && pattern[*at] == '\\' && ++*at == pattern.size()) return kEndsInEscape;
    if (*at >= pattern.size()) return kEndsInSet;
    const CodePoint read_now = DecodeUtf8(pattern, *at);
    *at += read_now.bytes;
    *character = read_now.value;
    return nullptr;
  };
  do {
    Range range;
    if (const char* error = read(&range.first)) return error;
    range.last = range.first;
    if (*at + 1 < pattern.size() && pattern[*at] == '-' && pattern[*at + 1] != ']') {
      ++*at;
      if (const char* error = read(&range.last)) return error;
    }
    if (range.last < range.first) return kWrongOrder;
    ranges_.push_back(range);
    if (*at >= pattern.size()) return kEndsInSet;
  } while (pattern[*at] != ']');
  ++*at;
  parts_.push_back({is_other ? Part::Kind::kOtherSet : Part::Kind::kSet, begin, static_cast<uint32_t>(ranges_.size())});
  return nullptr;
}

const char* GlobPattern::Parse(std::string_view pattern) {
  HCL_DCHECK(pieces_.empty());
  pieces_.push_back({0, 0});
  texts_.reserve(pattern.size());
  for (size_t at = 0; at < pattern.size();) {
    size_t next = at;
    while (next < pattern.size() && !IsSpecial(pattern[next])) ++next;
    AddText(pattern.substr(at, next - at));
    if (next == pattern.size()) break;
    at = next + 1;
    switch (pattern[next]) {
      case '*':
        while (at < pattern.size() && pattern[at] == '*') ++at;
        pieces_.back().end = static_cast<uint32_t>(parts_.size());
        pieces_.push_back({pieces_.back().end, pieces_.back().end});
        break;
      case '?':
        parts_.push_back({Part::Kind::kAny, 0, 0});
        break;
      case '[':
        if (const char* error = ParseSet(pattern, &at)) return error;
        break;
      default: {
        if (at == pattern.size()) return kEndsInEscape;
        const size_t bytes = DecodeUtf8(pattern, at).bytes;
        AddText(pattern.substr(at, bytes));
        at += bytes;
      }
    }
  }
  pieces_.back().end = static_cast<uint32_t>(parts_.size());
  return nullptr;
}

size_t GlobPattern::HeldBytes() const {
  return texts_.capacity() + ranges_.capacity() * sizeof(Range) + parts_.capacity() * sizeof(Part) +
         pieces_.capacity() * sizeof(Piece);
}

bool GlobPattern::Has(const Part& part, char32_t character) const {
  if (part.kind == Part::Kind::kAny) return true;
  const auto* const begin = ranges_.data() + part.begin;
  const auto* const end = ranges_.data() + part.end;
  const bool is_member = std::any_of(
      begin, end, [character](const Range& range) { return range.first <= character && character <= range.last; });
  return is_member == (part.kind == Part::Kind::kSet);
}

bool GlobPattern::MatchesAt(const Piece& piece, std::string_view text, size_t at, size_t* end, Steps* steps) const {
  for (uint32_t n = piece.begin; n < piece.end; ++n) {
    const Part& part = parts_[n];
    if (part.kind == Part::Kind::kText) {
      const std::string_view wanted = TextOf(part);
      if (wanted.size() >= kLongText && !steps->Take(wanted.size() / kLongText)) return false;
      if (text.substr(at, wanted.size()) != wanted) return false;
      at += wanted.size();
    } else {
      if (at == text.size()) return false;
      const CodePoint next = DecodeUtf8(text, at);
      if (!steps->Take(part.end - part.begin) || !Has(part, next.value)) return false;
      at += next.bytes;
    }
  }
  *end = at;
  return true;
}

bool GlobPattern::MatchesEnd(const Piece& piece, std::string_view text, size_t* begin, Steps* steps) const {
  size_t at = text.size();
  for (uint32_t n = piece.end; n-- > piece.begin;) {
    const Part& part = parts_[n];
    if (part.kind == Part::Kind::kText) {
      const std::string_view wanted = TextOf(part);
      if (at < wanted.size() || text.substr(at - wanted.size(), wanted.size()) != wanted) return false;
      at -= wanted.size();
    } else {
      if (at == 0) return false;
      at = CharacterBefore(text, at);
      if (!steps->Take(part.end - part.begin) || !Has(part, DecodeUtf8(text, at).value)) return false;
    }
  }
  *begin = at;
  return true;
}

bool GlobPattern::FindPiece(const Piece& piece, std::string_view text, size_t at, size_t* end, Steps* steps) const {
  const Part& first = parts_[piece.begin];
  if (first.kind != Part::Kind::kText) {
    for (; at < text.size(); at += DecodeUtf8(text, at).bytes) {
      if (MatchesAt(piece, text, at, end, steps)) return true;
      if (steps->failed()) return false;
    }
    return false;
  }
  // UTF-8 of one character is never within that of others.
  for (;; ++at) {
    at = FindText(text, TextOf(first), at);
    if (at == std::string_view::npos) return false;
    if (MatchesAt(piece, text, at, end, steps)) return true;
    if (!steps->Take(1 + TextOf(first).size() / 4) || steps->failed()) return false;
  }
}

// Of each piece between two stars, the first match is as good as any other: what is behind it leaves the most room for
// the pieces after it. So nothing is ever tried again.
bool GlobPattern::Matches(FunctionCall* call, std::string_view text) const {
  Steps steps(call);
  size_t at = 0;
  if (!MatchesAt(pieces_.front(), text, 0, &at, &steps)) return false;
  if (pieces_.size() == 1) return at == text.size();
  size_t end = 0;
  if (!MatchesEnd(pieces_.back(), text.substr(at), &end, &steps)) return false;
  const std::string_view middle = text.substr(0, at + end);
  for (size_t n = 1; n + 1 < pieces_.size(); ++n) {
    if (!FindPiece(pieces_[n], middle, at, &at, &steps)) return false;
  }
  return true;
}

}  // namespace hcl::internal
