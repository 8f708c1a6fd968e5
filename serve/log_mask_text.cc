// Masks over texts. Tested by serve/log_mask_text_test.cc.
//
// The text is checked as strictly as a reader does, and copied in runs that end only where there are blanks or where
// something is left out. What is unusual is given up: names with escapes or beyond ASCII, which may mean what is looked
// for; numbers that could be too long; deep nesting; large objects, whose names would have to be compared one by one to
// find one that is there twice. Whoever gives up has the value read, which is right for all of these.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/unicode.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/serve/log_mask_walk.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ClassifyString;
using internal::StringBytes;
namespace {

constexpr uint32_t kMaxTextDepth = 64;
// Of which the names are compared where two could be the same.
constexpr size_t kMaxNames = 64;
// As many characters are less digits than any limit.
constexpr size_t kMaxNumberSize = 18;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Names that differ mostly have other bits.
uint64_t BitOf(std::string_view name) {
  if (name.empty()) return 1;
  const auto byte = [](char c) { return static_cast<uint32_t>(static_cast<uint8_t>(c)); };
  return uint64_t{1} << ((name.size() * 7 + byte(name.front()) * 3 + byte(name.back()) * 17) & 63);
}

// Places in a result begin with its name, and not with a slash: "result/token".
void DropSlashes(std::string* places) {
  std::string dropped;
  bool is_inside = false;
  for (size_t at = 0; at < places->size(); ++at) {
    const char c = (*places)[at];
    dropped.push_back(c);
    if (c == '"') {
      is_inside = !is_inside;
      if (is_inside) ++at;
    } else if (c == '\\') {
      dropped.push_back((*places)[++at]);
    }
  }
  *places = std::move(dropped);
}

}  // namespace

class LogMask::TextWriter {
 public:
  TextWriter(const LogMask& mask, std::string_view text, size_t max_bytes, Shown* shown)
      : walk_(mask, max_bytes, shown),
        max_bytes_(max_bytes),
        at_(text.data()),
        end_(at_ + text.size()),
        kept_(at_),
        out_(shown->json) {}

  Result Write() {
    SkipBlanks();
    const bool is_read = Next() == '{' && WriteObject(walk_.Begin(), 0);
    if (has_too_many_places_) return Result::kTooLarge;
    SkipBlanks();
    Flush();
    if (!is_read || at_ != end_) return Result::kNoForm;
    return out_.size() > max_bytes_ ? Result::kTooLarge : Result::kShown;
  }

 private:
  using Fate = Walk::Fate;
  using States = Walk::States;

  // What stands at the place; NUL at the end, which no token begins with.
  char Next() const { return at_ < end_ ? *at_ : '\0'; }

  // Copies what has been gone over and is kept.
  void Flush() {
    out_.append(kept_, static_cast<size_t>(at_ - kept_));
    kept_ = at_;
  }
  // Where the text ends that was copied, and that will be.
  size_t Position() const { return out_.size() + static_cast<size_t>(at_ - kept_); }
  // Takes back what is behind that position.
  void TakeBack(size_t position) {
    Flush();
    out_.resize(position);
  }

  // Mostly there are none.
  void SkipBlanks() {
    if (at_<end_&& * at_> ' ') return;
    Flush();
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    kept_ = at_;
  }

  bool WriteValue(States states, uint32_t depth) {
    switch (Next()) {
      case '"':
        return TakeString();
      case '{':
        return depth < kMaxTextDepth && WriteObject(states, depth + 1);
      case '[':
        return depth < kMaxTextDepth && WriteArray(states, depth + 1);
      case 't':
        return TakeWord("true");
      case 'f':
        return TakeWord("false");
      case 'n':
        return TakeWord("null");
      default:
        return TakeNumber();
    }
  }

  // Commas are copied with what stands behind them: one goes with what is left out, or with all that stood before it.
  bool WriteObject(States states, uint32_t depth) {
    ++at_;
    SkipBlanks();
    if (Next() == '}') return ++at_, true;
    const size_t names_begin = names_.size();
    uint64_t bits = 0;
    bool is_first = true;
    size_t position = Position();
    for (;;) {
      bool is_kept = false;
      if (!WriteProperty(states, depth, names_begin, &bits, &is_kept)) return false;
      if (!is_kept) TakeBack(position);
      is_first = is_first && !is_kept;
      SkipBlanks();
      if (Next() != ',') break;
      position = Position();
      ++at_;
      if (is_first) TakeBack(position);
      SkipBlanks();
    }
    names_.resize(names_begin);
    return Take('}');
  }

  bool WriteProperty(States states, uint32_t depth, size_t names_begin, uint64_t* bits, bool* is_kept) {
    std::string_view name;
    if (!TakeName(&name) || !AddName(name, names_begin, bits)) return false;
    SkipBlanks();
    if (!Take(':')) return false;
    SkipBlanks();
    if (is_silent_) return WriteValue(kNoStates, depth);
    States inner{};
    const Fate fate = walk_.Enter(name, states, &inner);
    *is_kept = fate != Fate::kErase;
    const bool done = fate == Fate::kKeep ? WriteValue(inner, depth) : Replace(fate, "", depth);
    walk_.Leave(inner);
    return done;
  }

  // An element that is left out leaves a null, so that those behind it keep their places.
  bool WriteArray(States states, uint32_t depth) {
    ++at_;
    SkipBlanks();
    if (Next() == ']') return ++at_, true;
    for (size_t n = 0;; ++n) {
      if (!WriteElement(n, states, depth)) return false;
      SkipBlanks();
      if (Next() != ',') return Take(']');
      ++at_;
      SkipBlanks();
    }
  }

  bool WriteElement(size_t index, States states, uint32_t depth) {
    if (is_silent_) return WriteValue(kNoStates, depth);
    States inner{};
    const Fate fate = walk_.EnterElement(index, states, &inner);
    const bool done = fate == Fate::kKeep ? WriteValue(inner, depth) : Replace(fate, "null", depth);
    walk_.Leave(inner);
    return done;
  }

  // Goes over a value that is not shown.
  bool Replace(Fate fate, std::string_view erased, uint32_t depth) {
    const size_t position = Position();
    if (!walk_.Note(fate)) return has_too_many_places_ = true, false;
    is_silent_ = true;
    const bool done = WriteValue(kNoStates, depth);
    is_silent_ = false;
    TakeBack(position);
    out_.append(fate == Fate::kErase ? erased : "\"***\"");
    return done;
  }

  bool AddName(std::string_view name, size_t names_begin, uint64_t* bits) {
    const uint64_t bit = BitOf(name);
    if ((*bits & bit) != 0) {
      if (names_.size() - names_begin > kMaxNames) return false;
      for (size_t n = names_begin; n < names_.size(); ++n) {
        if (names_[n] == name) return false;
      }
    }
    *bits |= bit;
    names_.push_back(name);
    return true;
  }

  bool Take(char c) {
    if (Next() != c) return false;
    ++at_;
    return true;
  }
  bool TakeWord(std::string_view word) {
    if (std::string_view(at_, static_cast<size_t>(end_ - at_)).substr(0, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool TakeNumber() {
    const char* const begin = at_;
    if (Next() == '-') ++at_;
    if (!IsDigit(Next())) return false;
    if (*at_ == '0') {
      ++at_;
    } else {
      SkipDigits();
    }
    if (Next() == '.') {
      ++at_;
      if (!IsDigit(Next())) return false;
      SkipDigits();
    }
    return Next() != 'e' && Next() != 'E' && static_cast<size_t>(at_ - begin) <= kMaxNumberSize;
  }
  void SkipDigits() {
    while (IsDigit(Next())) ++at_;
  }

  // Goes to the next byte of a string that is a quote, a backslash, a control character or beyond ASCII. The second
  // loop is for the last few bytes of the text.
  void SkipPlain() {
    constexpr ptrdiff_t kStep = 16;
    for (; end_ - at_ >= kStep; at_ += kStep) {
      const StringBytes bytes = ClassifyString(at_);
      const uint32_t marks = bytes.quotes | bytes.others | bytes.non_ascii;
      if (marks == 0) continue;
      at_ += __builtin_ctz(marks);
      return;
    }
    while (at_ < end_ && *at_ >= 0x20 && *at_ != '"' && *at_ != '\\') ++at_;
  }

  bool TakeName(std::string_view* name) {
    if (!Take('"')) return false;
    const char* const begin = at_;
    SkipPlain();
    *name = {begin, static_cast<size_t>(at_ - begin)};
    return Take('"');
  }

  bool TakeString() {
    const char* const begin = ++at_;
    bool has_non_ascii = false;
    for (;;) {
      SkipPlain();
      const char c = Next();
      if (c == '"') break;
      if (c == '\\') {
        if (!TakeEscape()) return false;
      } else if (static_cast<uint8_t>(c) >= 0x80) {
        has_non_ascii = true;
        ++at_;
      } else {
        return false;
      }
    }
    const std::string_view text(begin, static_cast<size_t>(at_ - begin));
    ++at_;
    return !has_non_ascii || IsPlain(text);
  }

  // What terminals take for commands is given up: a reader of the log sees escapes.
  static bool IsPlain(std::string_view text) {
    if (internal::FindInvalidUtf8(text) != std::string_view::npos) return false;
    for (size_t at = 0; at < text.size();) {
      const internal::CodePoint code_point = internal::DecodeUtf8(text, at);
      if (internal::IsTerminalControl(code_point.value)) return false;
      at += code_point.bytes;
    }
    return true;
  }

  // Halves of characters are given up: they have to fit.
  bool TakeEscape() {
    ++at_;
    const char c = Next();
    constexpr std::string_view kSingle = "\"\\/bfnrt";
    if (kSingle.find(c) != std::string_view::npos) return ++at_, true;
    if (c != 'u' || end_ - at_ < 5) return false;
    for (int n = 1; n <= 4; ++n) {
      if (!IsHexDigit(at_[n])) return false;
    }
    const bool is_half = (at_[1] == 'd' || at_[1] == 'D') && at_[2] != '0' && !(at_[2] >= '1' && at_[2] <= '7');
    at_ += 5;
    return !is_half;
  }

  static constexpr States kNoStates{0, 0};

  Walk walk_;
  const size_t max_bytes_;
  const char* at_;
  const char* const end_;
  const char* kept_;  // from here on, what has been gone over is to be copied
  std::string& out_;
  absl::InlinedVector<std::string_view, 64> names_;  // of the objects that are open
  bool is_silent_ = false;                           // what is gone over is left out
  bool has_too_many_places_ = false;
};

LogMask::Result LogMask::ShowText(std::string_view text, size_t max_bytes, Shown* shown) const {
  shown->Clear();
  return TextWriter(*this, text, max_bytes, shown).Write();
}

LogMask::Result LogMask::ShowResult(std::string_view json, size_t max_bytes, Shown* shown) const {
  constexpr std::string_view kBegin = "{\"result\":";
  const std::string text = absl::StrCat(internal::ToAbsl(kBegin), internal::ToAbsl(json), "}");
  Result result = ShowText(text, max_bytes, shown);
  if (result == Result::kNoForm) {
    Heap heap;
    JsonReader reader;
    Value value;
    JsonError error;
    if (!reader.Read(text, &heap, &value, &error)) return result;
    result = Show(value, max_bytes, shown);
  }
  if (result != Result::kShown) return result;
  shown->json = shown->json.size() < kBegin.size()
                    ? "null"
                    : shown->json.substr(kBegin.size(), shown->json.size() - kBegin.size() - 1);
  DropSlashes(&shown->erased);
  DropSlashes(&shown->masked);
  return result;
}

}  // namespace hcl::serve
