// RegexTemplate. Tested by vm/functions/regex_functions_test.cc.

#include "hclvm/vm/functions/regex_template.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "hclvm/base/unicode.h"

namespace hcl::internal {
namespace {

// The end of the name that starts at `begin`: letters, digits and underscores.
size_t NameEnd(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    const CodePoint point = DecodeUtf8(text, begin);
    if (!IsIdContinue(point.value)) break;
    begin += point.bytes;
  }
  return begin;
}

// The number that `name` is, if it is one, without leading zeros.
std::optional<int> GroupNumber(std::string_view name) {
  constexpr size_t kMaxDigits = 8;
  if (name.size() > kMaxDigits || (name[0] == '0' && name.size() > 1)) return std::nullopt;
  int number = 0;
  for (char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

void RegexTemplate::AddText(std::string_view text) {
  if (!text.empty()) parts_.push_back({text});
}

// A group that does not exist stands for nothing, as in the reference.
void RegexTemplate::AddGroup(std::string_view name, const re2::RE2& pattern) {
  if (const std::optional<int> number = GroupNumber(name)) {
    if (*number > pattern.NumberOfCapturingGroups()) return;
    parts_.push_back({{}, *number});
  } else {
    const auto& names = pattern.NamedCapturingGroups();
    const auto found = names.find(std::string(name));
    if (found == names.end()) return;
    parts_.push_back({{}, found->second, true});
  }
  has_groups_ = true;
}

void RegexTemplate::LinkNames(const re2::RE2& pattern) {
  const std::map<int, std::string>& names = pattern.CapturingGroupNames();
  if (pattern.NamedCapturingGroups().size() == names.size()) return;
  next_of_name_.resize(static_cast<size_t>(pattern.NumberOfCapturingGroups()) + 1);
  std::map<std::string_view, int> next;
  for (auto at = names.rbegin(); at != names.rend(); ++at) {
    int& group = next[at->second];
    next_of_name_[static_cast<size_t>(at->first)] = group;
    group = at->first;
  }
}

// Taken apart once for all matches, by the pattern that knows the groups' names. What is no reference stays as text, so
// that no template is malformed.
RegexTemplate::RegexTemplate(std::string_view text, const re2::RE2& pattern) {
  LinkNames(pattern);
  size_t begin = 0;  // of the text that has not become a part yet
  for (size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at)) {
    if (at + 1 < text.size() && text[at + 1] == '$') {
      AddText(text.substr(begin, at + 1 - begin));
      at += 2;
      begin = at;
      continue;
    }
    const bool braced = at + 1 < text.size() && text[at + 1] == '{';
    const size_t name = at + (braced ? 2 : 1);
    const size_t end = NameEnd(text, name);
    if (end == name || (braced && (end == text.size() || text[end] != '}'))) {
      ++at;
      continue;
    }
    AddText(text.substr(begin, at - begin));
    AddGroup(text.substr(name, end - name), pattern);
    at = end + (braced ? 1 : 0);
    begin = at;
  }
  AddText(text.substr(begin));
}

}  // namespace hcl::internal
