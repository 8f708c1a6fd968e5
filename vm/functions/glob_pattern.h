// GlobPattern: patterns with wildcards, as in names of files.
//
// Tested by vm/functions/glob_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_GLOB_PATTERN_H_
#define HCLVM_VM_FUNCTIONS_GLOB_PATTERN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// A pattern matches whole texts. `*` matches any run of characters, `?` one character, `[a-z]` one of a set, `[!a-z]`
// and `[^a-z]` one that is not of the set. A backslash takes the meaning from the next character. `]` is a member of a
// set where it comes first, and so is `-` at either end. No character is special in the text: wildcards match `/`, too.
// A character is a code point. Immutable and thread-safe once parsed.
class GlobPattern {
 public:
  GlobPattern() = default;
  GlobPattern(const GlobPattern&) = delete;
  GlobPattern& operator=(const GlobPattern&) = delete;

  // Reads `pattern`, which is UTF-8. Null, or the reason why it is no pattern, a phrase. Call it once. Time: linear.
  const char* Parse(std::string_view pattern);
  // Whether `text`, which is UTF-8, matches. Meaningless when the call has failed for want of fuel. Takes fuel for what
  // goes beyond one look at the text. Time: linear in the text where each piece between stars is a literal text;
  // otherwise at most the size of the text times that of the longest piece.
  bool Matches(FunctionCall* call, std::string_view text) const;
  // What Matches() would say, where `pattern` is no more than texts with stars between them: then there is nothing to
  // read first. False where it is more. Time: linear.
  static bool MatchTexts(std::string_view pattern, std::string_view text, bool* matches);
  // That this holds beyond its own size.
  size_t HeldBytes() const;

  // Bytes that Parse() takes at most for each byte of a pattern.
  static constexpr size_t kBytesForEach = 16;

 private:
  // Members of a set: code points from first to last.
  struct Range {
    char32_t first;
    char32_t last;
  };
  // What matches a text, or one character. Texts are in texts_, and ranges of sets in ranges_, from begin to end.
  struct Part {
    enum class Kind : uint8_t { kText, kAny, kSet, kOtherSet };
    Kind kind;
    uint32_t begin;
    uint32_t end;
  };
  // Parts that stand side by side, between two stars.
  struct Piece {
    uint32_t begin;
    uint32_t end;
  };
  // Pays for the steps of searches.
  class Steps;

  void AddText(std::string_view text);
  // Reads the set whose bracket is before `*at`, and sets `*at` behind it. Null, or what is wrong.
  const char* ParseSet(std::string_view pattern, size_t* at);

  std::string_view TextOf(const Part& part) const {
    return std::string_view(texts_).substr(part.begin, part.end - part.begin);
  }
  bool Has(const Part& part, char32_t character) const;
  // Whether the piece matches at `at`; if so, `*end` is behind it.
  bool MatchesAt(const Piece& piece, std::string_view text, size_t at, size_t* end, Steps* steps) const;
  // Whether it matches at the end of `text`, and from where.
  bool MatchesEnd(const Piece& piece, std::string_view text, size_t* begin, Steps* steps) const;
  // The first match at or after `at`.
  bool FindPiece(const Piece& piece, std::string_view text, size_t at, size_t* end, Steps* steps) const;

  std::string texts_;
  absl::InlinedVector<Range, 4> ranges_;
  absl::InlinedVector<Part, 8> parts_;
  absl::InlinedVector<Piece, 4> pieces_;  // at least one; one more than there are runs of stars
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_GLOB_PATTERN_H_
