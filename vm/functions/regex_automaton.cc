// A pattern is read into positions, one for each character or class that stands in it, and into which position may
// follow which (the construction of Glushkov). A set of positions is a word, and a state of the automaton is such a
// set: those that the last character of the text may have been at.

#include "hclvm/vm/functions/regex_automaton.h"

#include <algorithm>
#include <bitset>
#include <utility>

#include "hclvm/base/hash_table.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/functions/pattern_cursor.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxPositions = 64;
constexpr size_t kMaxStates = 200;  // a state is a byte of the table
constexpr int kMaxDepth = 16;       // of groups
constexpr int kMaxCount = 1000;     // of repetitions, as in RE2

constexpr size_t kAscii = 128;
using CharSet = std::bitset<kAscii>;
using Positions = uint64_t;

CharSet Range(char first, char last) {
  CharSet set;
  for (auto c = static_cast<uint8_t>(first); c <= static_cast<uint8_t>(last); ++c) set.set(c);
  return set;
}

CharSet Folded(const CharSet& set) {
  CharSet folded = set;
  for (size_t lower = 'a'; lower <= 'z'; ++lower) {
    const size_t upper = lower - 'a' + 'A';
    if (set[lower] || set[upper]) folded.set(lower).set(upper);
  }
  return folded;
}

bool IsWordCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// What stands behind a backslash, in a class or outside of one; nothing where it is something else than characters.
std::optional<CharSet> EscapedSet(char c, bool folds) {
  CharSet set;
  switch (c) {
    case 'd':
      return Range('0', '9');
    case 'w':
      return Range('0', '9') | Range('A', 'Z') | Range('a', 'z') | Range('_', '_');
    case 's':
      return Range('\t', '\n') | Range('\f', '\r') | Range(' ', ' ');
    case 'D':
    case 'W':
    case 'S':
      if (folds) return std::nullopt;
      return ~*EscapedSet(static_cast<char>(c - 'A' + 'a'), folds);
    case 'n':
      return set.set('\n');
    case 't':
      return set.set('\t');
    case 'r':
      return set.set('\r');
    case 'f':
      return set.set('\f');
    default:
      return IsWordCharacter(c) ? std::nullopt : std::make_optional(set.set(static_cast<uint8_t>(c)));
  }
}

// Where a part of the pattern begins and ends.
struct Fragment {
  Positions first = 0;
  Positions last = 0;
  bool may_be_empty = true;
};

// The pattern as positions.
struct ParsedRegex {
  // What each position takes, by character: a bit for each.
  std::array<Positions, kAscii> taken = {};
  std::array<Positions, kMaxPositions> follow = {};
  // Where matches begin: at the begin of the text only, or anywhere.
  Positions first_once = 0;
  Positions first_always = 0;
  // Where they end: anywhere, or at the end of the text only.
  Positions last = 0;
  Positions last_at_end = 0;
  bool matches_empty = false;  // an empty text
  bool matches_all = false;    // each text, by an empty match
};

}  // namespace

// Reads the pattern. What it does not know makes it give up.
class RegexAutomaton::Parser : private PatternCursor {
 public:
  explicit Parser(std::string_view text) : PatternCursor(text) {}

  // False when it has given up.
  bool Parse() {
    const bool is_ascii =
        std::all_of(text_.begin(), text_.end(), [](char c) { return static_cast<uint8_t>(c) < kAscii; });
    if (!is_ascii) return false;
    folds_ = TakeText("(?i)");
    do {
      const bool from_begin = Take('^');
      const Fragment part = Sequence(0);
      const bool to_end = Take('$');
      (from_begin ? parsed_.first_once : parsed_.first_always) |= part.first;
      (to_end ? parsed_.last_at_end : parsed_.last) |= part.last;
      if (!part.may_be_empty) continue;
      (from_begin && to_end ? parsed_.matches_empty : parsed_.matches_all) = true;
    } while (Take('|'));
    return !gives_up_ && at_ == text_.size();
  }

  const ParsedRegex& parsed() const { return parsed_; }

  // A position that nothing else is beside is all that a match goes over.
  Run run() const {
    const bool is_alone = positions_ == 1 && parsed_.first_always != 0 && parsed_.last != 0 && !parsed_.matches_all;
    if (!is_alone) return Run::kNone;
    if (parsed_.follow[0] == 0) return Run::kOne;
    return is_lazy_ ? Run::kNone : Run::kLongest;
  }

 private:
  Fragment GiveUp() {
    gives_up_ = true;
    at_ = text_.size();
    return {};
  }

  void Follow(Positions from, Positions to) {
    for (; from != 0; from &= from - 1) parsed_.follow[static_cast<size_t>(__builtin_ctzll(from))] |= to;
  }

  Fragment Join(const Fragment& a, const Fragment& b) {
    Follow(a.last, b.first);
    return {a.first | (a.may_be_empty ? b.first : 0), b.last | (b.may_be_empty ? a.last : 0),
            a.may_be_empty && b.may_be_empty};
  }

  // Of a group; the alternatives of the whole pattern are those of Parse().
  Fragment Alternatives(int depth) {
    Fragment all = Sequence(depth);
    while (Take('|')) {
      const Fragment next = Sequence(depth);
      all = {all.first | next.first, all.last | next.last, all.may_be_empty || next.may_be_empty};
    }
    return all;
  }

  Fragment Sequence(int depth) {
    Fragment all;
    while (at_ < text_.size() && !At('|') && !At(')') && !At('$')) all = Join(all, Repeated(depth));
    return all;
  }

  Fragment Repeated(int depth) {
    const size_t begin = at_;
    const size_t positions = positions_;
    Fragment part = Atom(depth);
    const size_t end = at_;
    if (!At('*') && !At('+') && !At('?') && !At('{')) return part;
    // What takes no character would be repeated without an end in sight.
    if (positions_ == positions) return GiveUp();
    int least = 1;
    int most = 1;  // 0: any number
    if (Take('*')) {
      least = most = 0;
    } else if (Take('+')) {
      most = 0;
    } else if (Take('?')) {
      least = 0;
    } else if (!TakeCounts(&least, &most)) {
      return GiveUp();
    }
    is_lazy_ |= Take('?');
    if (At('*') || At('+') || At('?') || At('{')) return GiveUp();
    // Each repetition has positions of its own: the part is read again.
    const size_t behind = at_;
    Fragment all;
    for (int n = 1; !gives_up_ && (n <= least || n <= most || n == 1); ++n) {
      at_ = begin;
      if (n > 1) part = Atom(depth);
      HCL_DCHECK(gives_up_ || at_ == end || n == 1);
      if (most == 0 && n >= least) Follow(part.last, part.first);
      part.may_be_empty |= n > least;
      all = Join(all, part);
    }
    if (!gives_up_) at_ = behind;
    return all;
  }

  // `{n}`, `{n,}` or `{n,m}`. What may be none at all is given up.
  bool TakeCounts(int* least, int* most) {
    ++at_;
    const auto number = [this](int* result) {
      const size_t begin = at_;
      for (*result = 0; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && *result <= kMaxCount; ++at_) {
        *result = *result * 10 + (text_[at_] - '0');
      }
      return at_ > begin;
    };
    if (!number(least)) return false;
    *most = *least;
    bool is_open = false;
    if (Take(',')) is_open = !number(most);
    if (is_open) *most = 0;
    return Take('}') && *least <= kMaxCount && (is_open || *most > 0);
  }

  Fragment Atom(int depth) {
    const char c = text_[at_];
    switch (c) {
      case '(':
        return Group(depth);
      case '[':
        return Class();
      case '.':
        ++at_;
        return Characters(~Range('\n', '\n'));
      case '\\':
        if (at_ + 1 < text_.size()) {
          at_ += 2;
          const std::optional<CharSet> set = EscapedSet(text_[at_ - 1], folds_);
          if (set) return Characters(*set);
        }
        return GiveUp();
      case '^':
      case '*':
      case '+':
      case '?':
      case '{':
        return GiveUp();
      default:
        ++at_;
        return Characters(Range(c, c));
    }
  }

  Fragment Group(int depth) {
    ++at_;
    if (TakeText("?P<") || TakeText("?<")) {
      while (at_ < text_.size() && !At('>')) ++at_;
      Take('>');
    } else if (At('?') && !TakeText("?:")) {
      return GiveUp();
    }
    if (depth == kMaxDepth) return GiveUp();
    const Fragment part = Alternatives(depth + 1);
    return Take(')') ? part : GiveUp();
  }

  // `[...]`, without names of classes, and with `]` and `-` in plain places only.
  Fragment Class() {
    ++at_;
    const bool is_other = Take('^');
    CharSet set;
    if (At(']')) return GiveUp();
    for (bool is_first = true; !At(']'); is_first = false) {
      if (at_ + 1 >= text_.size() || At('[')) return GiveUp();
      const char low = text_[at_++];
      if (low == '-' && !is_first && !At(']')) return GiveUp();
      if (low == '\\') {
        const std::optional<CharSet> escaped = EscapedSet(text_[at_++], folds_);
        if (!escaped || (At('-') && text_.substr(at_, 2) != "-]")) return GiveUp();
        set |= *escaped;
        continue;
      }
      char high = low;
      if (At('-') && text_.substr(at_, 2) != "-]") {
        ++at_;
        if (at_ == text_.size() || At('\\') || At('[')) return GiveUp();
        high = text_[at_++];
      }
      set |= Range(low, high);
    }
    ++at_;
    if (folds_) set = Folded(set);
    return Characters(is_other ? ~set : set);
  }

  Fragment Characters(CharSet set) {
    if (positions_ == kMaxPositions) return GiveUp();
    if (folds_) set = Folded(set);
    const Positions position = Positions{1} << positions_++;
    for (size_t c = 0; c < kAscii; ++c) {
      if (set[c]) parsed_.taken[c] |= position;
    }
    return {position, position, false};
  }

  size_t positions_ = 0;
  bool folds_ = false;
  bool is_lazy_ = false;  // a repetition prefers to end
  bool gives_up_ = false;
  ParsedRegex parsed_;
};

// Makes the states.
class RegexAutomaton::Builder {
 public:
  Builder(const ParsedRegex& parsed, RegexAutomaton* automaton) : parsed_(parsed), automaton_(*automaton) {}

  // False where there would be too many.
  bool Build() {
    MakeClasses();
    // No text leads back to the start, where it is not a state like others.
    sets_ = {0, 0, 0};
    automaton_.ends_ = {0, 1, parsed_.matches_empty};
    automaton_.start_ = parsed_.matches_all ? kMatched : kStart;
    automaton_.next_.assign(kStart * class_count(), 0);
    for (size_t state = kStart; state < sets_.size(); ++state) {
      Positions follow = parsed_.first_always | (state == kStart ? parsed_.first_once : 0);
      for (Positions left = sets_[state]; left != 0; left &= left - 1) {
        follow |= parsed_.follow[static_cast<size_t>(__builtin_ctzll(left))];
      }
      for (const Positions taken : class_taken_) automaton_.next_.push_back(StateOf(follow & taken));
      if (sets_.size() > kMaxStates || automaton_.next_.size() > kMaxTable) return false;
    }
    return true;
  }

 private:
  static constexpr uint8_t kStart = 2;

  size_t class_count() const { return class_taken_.size(); }

  // Characters that the same positions take are one class.
  void MakeClasses() {
    HashMap<Positions, uint8_t> classes;
    for (size_t c = 0; c < kAscii; ++c) {
      const auto [it, is_new] = classes.emplace(parsed_.taken[c], static_cast<uint8_t>(class_count()));
      if (is_new) class_taken_.push_back(parsed_.taken[c]);
      automaton_.classes_[c] = it->second;
    }
    automaton_.class_count_ = static_cast<uint32_t>(class_count());
  }

  uint8_t StateOf(Positions set) {
    if ((set & parsed_.last) != 0) return kMatched;
    if (set == 0 && parsed_.first_always == 0) return kFailed;
    const auto [it, is_new] = states_.emplace(set, static_cast<uint8_t>(sets_.size()));
    if (is_new) {
      sets_.push_back(set);
      automaton_.ends_.push_back((set & parsed_.last_at_end) != 0 ? 1 : 0);
    }
    return it->second;
  }

  const ParsedRegex& parsed_;
  RegexAutomaton& automaton_;
  std::vector<Positions> sets_;         // by state
  std::vector<Positions> class_taken_;  // by class
  HashMap<Positions, uint8_t> states_;
};

std::optional<RegexAutomaton> RegexAutomaton::Make(std::string_view pattern, uint64_t* transitions) {
  Parser parser(pattern);
  RegexAutomaton automaton;
  const bool is_made = parser.Parse() && Builder(parser.parsed(), &automaton).Build();
  automaton.run_ = parser.run();
  *transitions = automaton.next_.size();
  return is_made ? std::make_optional(std::move(automaton)) : std::nullopt;
}

}  // namespace hcl::internal
