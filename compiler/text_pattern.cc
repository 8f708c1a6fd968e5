// Texts as patterns. Tested by compiler/text_pattern_test.cc.

#include "hclvm/compiler/text_pattern.h"

#include <cstddef>
#include <utility>

namespace hcl::internal {
namespace {

// Longer patterns may be too costly to compile, which is an error.
constexpr size_t kMaxPattern = 256;

constexpr std::string_view kMeta = "\\.+*?()|[]{}^$";
constexpr std::string_view kEscaped = "\\.+*?()|[]{}^$-/";

bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// The text that `pattern` begins with, up to a character that does not stand for itself.
std::string TakeText(std::string_view* pattern) {
  std::string text;
  for (; !pattern->empty(); pattern->remove_prefix(1)) {
    const bool is_escaped =
        pattern->size() > 1 && (*pattern)[0] == '\\' && kEscaped.find((*pattern)[1]) != kEscaped.npos;
    if (is_escaped) pattern->remove_prefix(1);
    const char next = (*pattern)[0];
    if (next < ' ' || next > '~' || (!is_escaped && kMeta.find(next) != kMeta.npos)) break;
    text.push_back(next);
  }
  return text;
}

// What stands between `(` or `(?:` and `)`, at the end of `pattern`; nothing if anything else does.
std::vector<std::string> TakeAlternatives(std::string_view pattern) {
  std::vector<std::string> texts;
  if (!TakePrefix("(?:", &pattern) && !TakePrefix("(", &pattern)) return {};
  do {
    texts.push_back(TakeText(&pattern));
    if (texts.back().empty()) return {};
  } while (TakePrefix("|", &pattern));
  return pattern == ")" ? texts : std::vector<std::string>();
}

}  // namespace

// A quantifier, a class or a flag anywhere is a character that is not taken, so that the pattern is left to RE2.
TextPattern ReadTextPattern(std::string_view pattern) {
  if (pattern.size() > kMaxPattern) return {};
  const bool begins = TakePrefix("^", &pattern);
  std::string_view rest = pattern;
  const std::string text = TakeText(&rest);
  const bool ends = rest == "$";
  using Place = TextPattern::Place;
  if (!text.empty() && (rest.empty() || ends)) {
    const Place place = begins && ends ? Place::kWhole
                        : begins       ? Place::kBeginning
                        : ends         ? Place::kEnd
                                       : Place::kAnywhere;
    return {place, {text}};
  }
  if (!begins || pattern.empty() || pattern.back() != '$') return {};
  std::vector<std::string> texts = TakeAlternatives(pattern.substr(0, pattern.size() - 1));
  return texts.empty() ? TextPattern() : TextPattern{Place::kWhole, std::move(texts)};
}

}  // namespace hcl::internal
