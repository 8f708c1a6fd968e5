// RegexTraits. Tested by vm/functions/regex_traits_test.cc.
//
// RE2 tells nobody how far it has read, and what it reads decides what a search costs. So this looks for forms of which
// that can be said beforehand:
//
// - Without unbounded repetitions no match is longer than the pattern, and no thread of the automaton lives longer.
// - When every unbounded repetition can end the match (nothing behind it, or only what may be left out), a thread that
//   lives on has matched, or will within the rest of the pattern.
// - In a sequence without choices where the first character behind each repetition is none that the repetition takes, a
//   text leads each thread in one way only. Then no later start gets ahead of an earlier one.
//
// Everything else counts as a pattern that may read the whole text for each match, as `x.*y|x` does.

#include "hclvm/vm/functions/regex_traits.h"

#include <algorithm>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/pattern_cursor.h"

namespace hcl::internal {
namespace {

// Sequences of more items are not looked at closely.
constexpr size_t kMaxItems = 64;
// So many positions in the pattern give a few hundred states at most: subsets of them, and the phases of UTF-8.
constexpr uint64_t kMaxCalmSize = 6;
// Between literal texts the state is the longest part of one that has been read, and not a set.
constexpr uint64_t kMaxCalmLiterals = 500;
// A Unicode class is a program of about a thousand instructions, where others have one to ten; but only some dozens of
// them wait for one byte.
constexpr uint64_t kUnicodeClassSize = 30;

// A set of characters, or a larger one where it is not known exactly. All beyond ASCII count as one.
struct CharSet {
  uint64_t bits[2] = {0, 0};
  bool beyond = false;

  static CharSet All() { return {{~uint64_t{0}, ~uint64_t{0}}, true}; }
  void Add(char32_t c) { c < 128 ? void(bits[c / 64] |= uint64_t{1} << c % 64) : void(beyond = true); }
  void AddRange(char32_t first, char32_t last) {
    for (char32_t c = first; c <= last && c < 128; ++c) Add(c);
    beyond |= last >= 128;
  }
  void AddAll(const CharSet& other) {
    bits[0] |= other.bits[0];
    bits[1] |= other.bits[1];
    beyond |= other.beyond;
  }
  // What is not in it. Of the characters beyond ASCII some always are.
  CharSet Negated() const { return {{~bits[0], ~bits[1]}, true}; }
  bool Overlaps(const CharSet& other) const {
    return (bits[0] & other.bits[0]) != 0 || (bits[1] & other.bits[1]) != 0 || (beyond && other.beyond);
  }
  // With both cases of each letter. Some letters have a third one beyond ASCII.
  CharSet Folded() const {
    CharSet folded = *this;
    for (char32_t c = 'a'; c <= 'z'; ++c) {
      const char32_t upper = c - 'a' + 'A';
      CharSet both;
      both.Add(c);
      both.Add(upper);
      both.beyond = true;
      if (Overlaps({{both.bits[0], both.bits[1]}, false})) folded.AddAll(both);
    }
    if (beyond) folded.AddRange('A', 'z');
    return folded;
  }
};

CharSet Digits() {
  CharSet set;
  set.AddRange('0', '9');
  return set;
}

CharSet WordCharacters() {
  CharSet set = Digits();
  set.AddRange('A', 'Z');
  set.AddRange('a', 'z');
  set.Add('_');
  return set;
}

CharSet Spaces() {
  CharSet set;
  for (char32_t c : {U'\t', U'\n', U'\f', U'\r', U' '}) set.Add(c);
  return set;
}

// The classes that Perl writes with one letter.
std::optional<CharSet> PerlClass(char letter) {
  switch (letter) {
    case 'd':
      return Digits();
    case 'D':
      return Digits().Negated();
    case 'w':
      return WordCharacters();
    case 'W':
      return WordCharacters().Negated();
    case 's':
      return Spaces();
    case 'S':
      return Spaces().Negated();
    default:
      return std::nullopt;
  }
}

enum class ItemKind : uint8_t { kCharacters, kWordBoundary, kEnd, kOtherAssertion };

// A part of a sequence.
struct Item {
  ItemKind kind = ItemKind::kCharacters;
  CharSet set;
  bool may_be_absent = false;
  bool unbounded = false;
};

struct Count {
  uint64_t min = 1;
  uint64_t max = 1;
  bool unbounded = false;
};

uint64_t Bounded(uint64_t size) { return std::min(size, kMaxRegexSize); }

class Reader : private PatternCursor {
 public:
  explicit Reader(std::string_view text) : PatternCursor(text) {}

  RegexTraits Read() {
    while (at_ < text_.size()) ReadPart();
    traits_.size = Bounded(traits_.size + size_);
    for (uint64_t size : outer_sizes_) traits_.size = Bounded(traits_.size + size);
    traits_.is_local = !any_unbounded_ || (!gives_up_ && IsLocalSequence());
    const uint64_t positions = traits_.size - std::min(traits_.size, closed_groups_);
    traits_.is_calm = positions <= (only_literals_ ? kMaxCalmLiterals : kMaxCalmSize);
    return traits_;
  }

 private:
  void ReadPart() {
    const char c = text_[at_];
    switch (c) {
      case '\\':
        return ReadEscape();
      case '[':
        only_literals_ = false;
        return AddCharacters(ReadClass());
      case '(':
        return OpenGroup();
      case ')':
        return CloseGroup();
      case '|':
        ++at_;
        return AddAlternative();
      case '^':
      case '$':
        ++at_;
        return AddAssertion(c == '$' ? ItemKind::kEnd : ItemKind::kOtherAssertion);
      case '.':
        ++at_;
        only_literals_ = false;
        return AddCharacters(CharSet::All());
      default:
        return AddLiteral();
    }
  }

  void AddLiteral() {
    CharSet set;
    set.Add(TakeCharacter());
    AddCharacters(set);
  }

  char32_t TakeCharacter() {
    const CodePoint point = DecodeUtf8(text_, at_);
    at_ += std::max<size_t>(point.bytes, 1);
    return point.value;
  }

  // Behind a backslash: a class, an assertion, quoted text or a character.
  void ReadEscape() {
    ++at_;
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (c == 'C') traits_.has_any_byte = true;
    if (Take('Q')) {
      while (at_ < text_.size() && !TakeText("\\E")) AddLiteral();
    } else if (Take('b')) {
      AddAssertion(ItemKind::kWordBoundary);
    } else if (Take('z')) {
      AddAssertion(ItemKind::kEnd);
    } else if (Take('A') || Take('B')) {
      AddAssertion(ItemKind::kOtherAssertion);
    } else {
      AddCharacters(TakeEscapedSet());
    }
  }

  // What stands behind a backslash, in a class or outside.
  CharSet TakeEscapedSet() {
    const char c = text_[at_];
    if (const std::optional<CharSet> set = PerlClass(c)) {
      ++at_;
      only_literals_ = false;
      return *set;
    }
    if (c == 'p' || c == 'P') {
      ++at_;
      if (At('{')) at_ = std::min(text_.find('}', at_), text_.size() - 1);
      if (at_ < text_.size()) TakeCharacter();
      only_literals_ = false;
      size_ = Bounded(size_ + kUnicodeClassSize);
      return CharSet::All();
    }
    CharSet set;
    if (const std::optional<char32_t> point = TakeEscapedCharacter()) {
      set.Add(*point);
      return set;
    }
    return CharSet::All();
  }

  // Nothing when it is a code, which is gone over but not read.
  std::optional<char32_t> TakeEscapedCharacter() {
    const char32_t c = TakeCharacter();
    switch (c) {
      case 'n':
        return U'\n';
      case 't':
        return U'\t';
      case 'r':
        return U'\r';
      case 'f':
        return U'\f';
      case 'x':
        if (At('{')) at_ = std::min(text_.find('}', at_), text_.size() - 1) + 1;
        return std::nullopt;
      default:
        break;
    }
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter ? std::nullopt : std::make_optional(c);
  }

  // `[...]`. What is not known exactly makes it everything.
  CharSet ReadClass() {
    ++at_;
    const bool negated = Take('^');
    bool exact = true;
    uint64_t class_items = 0;
    CharSet set;
    for (bool first = true; at_ < text_.size() && (first || !At(']')); first = false) {
      if (TakeText("[:")) {
        const size_t end = text_.find(":]", at_);
        if (end != std::string_view::npos) at_ = end + 2;
        exact = false;
      } else if (Take('\\')) {
        if (at_ == text_.size()) break;
        const CharSet escaped = TakeEscapedSet();
        exact &= !(escaped.bits[0] == ~uint64_t{0} && escaped.bits[1] == ~uint64_t{0});
        // A range that begins or ends with a code.
        exact &= !At('-');
        set.AddAll(escaped);
      } else {
        const char32_t low = TakeCharacter();
        char32_t high = low;
        if (At('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
          ++at_;
          if (At('\\')) exact = false;
          if (!At('\\')) high = TakeCharacter();
        }
        set.AddRange(low, high);
      }
      ++class_items;
    }
    Take(']');
    size_ = Bounded(size_ + class_items / 4);  // a long class is a long program
    if (!exact) return CharSet::All();
    return negated ? set.Negated() : set;
  }

  // `(?flags)` is no group, but what follows it is read as if it were in one; its end is that of the group around it.
  void OpenGroup() {
    ++at_;
    if (Take('?')) {
      const size_t end = text_.find_first_of("<:)", at_);
      const std::string_view head = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
      const bool named = end != std::string_view::npos && text_[end] == '<';
      if (named) {
        ++traits_.groups;
        at_ = std::min(text_.find('>', end), text_.size() - 1) + 1;
      } else {
        folds_case_ |= head.find('i') != std::string_view::npos;
        gives_up_ |= head.find('m') != std::string_view::npos;
        at_ = std::min(end, text_.size());
        if (Take(')')) return;
        Take(':');
      }
    } else {
      ++traits_.groups;
    }
    outer_sizes_.push_back(size_);
    size_ = 0;
  }

  void CloseGroup() {
    ++at_;
    const bool counted = TakeCounts(&size_, nullptr);
    if (counted) {
      gives_up_ = true;
      only_literals_ = false;
    }
    if (outer_sizes_.empty()) return;
    ++closed_groups_;
    size_ = Bounded(size_ + outer_sizes_.back() + 1);
    outer_sizes_.pop_back();
  }

  // Alternatives are looked at one by one at the top, and not in groups.
  void AddAlternative() {
    traits_.has_choice = true;
    has_alternatives_ = true;
    if (!outer_sizes_.empty()) gives_up_ = true;
    all_end_ &= EndsWithLoopsOnly();
    items_.clear();
  }

  void AddAssertion(ItemKind kind) {
    only_literals_ = false;
    uint64_t size = 1;
    if (TakeCounts(&size, nullptr)) gives_up_ = true;
    size_ = Bounded(size_ + size);
    AddItem({kind, CharSet(), false, false});
  }

  void AddCharacters(const CharSet& set) {
    Item item;
    item.set = set;
    uint64_t size = 1;
    if (TakeCounts(&size, &item)) only_literals_ = false;
    size_ = Bounded(size_ + size);
    AddItem(item);
  }

  void AddItem(const Item& item) { items_.size() < kMaxItems ? items_.push_back(item) : void(gives_up_ = true); }

  // The repetitions behind something of `*size`, which grows by them; false when there is none. More than one is rare,
  // and its meaning as an item is not followed.
  bool TakeCounts(uint64_t* size, Item* item) {
    int taken = 0;
    for (; const std::optional<Count> count = TakeCount(); ++taken) {
      any_unbounded_ |= count->unbounded;
      traits_.has_choice |= count->unbounded || count->min != count->max;
      *size = Bounded(*size * std::max<uint64_t>(count->max, 1));
      if (item != nullptr) {
        item->may_be_absent = count->min == 0;
        item->unbounded = count->unbounded;
      }
    }
    if (taken > 1) gives_up_ = true;
    return taken > 0;
  }

  std::optional<Count> TakeCount() {
    Count count;
    if (Take('*')) {
      count = {0, 1, true};
    } else if (Take('+')) {
      count = {1, 1, true};
    } else if (Take('?')) {
      count = {0, 1, false};
    } else if (!TakeBraces(&count)) {
      return std::nullopt;
    }
    Take('?');
    return count;
  }

  // `{n}`, `{n,}` or `{n,m}`; braces around anything else are characters.
  bool TakeBraces(Count* count) {
    size_t at = at_;
    const auto number = [&](uint64_t* result) {
      const size_t begin = at;
      for (*result = 0; at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; ++at) {
        *result = Bounded(*result * 10 + static_cast<uint64_t>(text_[at] - '0'));
      }
      return at > begin;
    };
    const auto next = [&](char c) { return at < text_.size() && text_[at] == c && (++at, true); };
    if (!next('{') || !number(&count->min)) return false;
    count->max = count->min;
    if (next(',') && !number(&count->max)) {
      count->unbounded = true;
      count->max = count->min + 1;
    }
    if (!next('}')) return false;
    at_ = at;
    return true;
  }

  // Nothing behind an unbounded repetition has to be there.
  bool EndsWithLoopsOnly() const {
    bool seen = false;
    for (const Item& item : items_) {
      if (seen && (item.kind != ItemKind::kCharacters || !item.may_be_absent)) return false;
      seen |= item.unbounded;
    }
    return true;
  }

  bool IsLocalSequence() const {
    if (has_alternatives_) return all_end_ && EndsWithLoopsOnly();
    if (EndsWithLoopsOnly()) return true;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].unbounded && !LeavesInOneWay(i)) return false;
    }
    // What may be left out, and is no repetition that ends by its own characters, is a choice.
    return std::all_of(items_.begin(), items_.end(), [](const Item& i) { return i.unbounded || !i.may_be_absent; });
  }

  // Whether no character can both go on with the repetition and leave it.
  bool LeavesInOneWay(size_t loop) const {
    const CharSet set = folds_case_ ? items_[loop].set.Folded() : items_[loop].set;
    for (size_t i = loop + 1; i < items_.size(); ++i) {
      const Item& item = items_[i];
      switch (item.kind) {
        case ItemKind::kCharacters:
          if (set.Overlaps(item.set)) return false;
          if (!item.may_be_absent) return true;
          break;
        case ItemKind::kWordBoundary:
          // Between word characters there is none.
          return !set.Overlaps(WordCharacters().Negated());
        case ItemKind::kEnd:
          return i + 1 == items_.size();
        case ItemKind::kOtherAssertion:
          return false;
      }
    }
    return true;
  }

  RegexTraits traits_;
  uint64_t size_ = 0;                             // of the innermost group so far
  absl::InlinedVector<uint64_t, 8> outer_sizes_;  // of the groups around it
  absl::InlinedVector<Item, 16> items_;           // of the alternative so far; groups do not show
  bool gives_up_ = false;                         // is_local is not found out
  uint64_t closed_groups_ = 0;                    // each counts as one in a size, as it is an instruction or two
  bool any_unbounded_ = false;
  bool has_alternatives_ = false;
  bool all_end_ = true;  // EndsWithLoopsOnly() of all alternatives before
  bool folds_case_ = false;
  bool only_literals_ = true;
};

}  // namespace

RegexTraits ReadRegexTraits(std::string_view pattern) { return Reader(pattern).Read(); }

}  // namespace hcl::internal
