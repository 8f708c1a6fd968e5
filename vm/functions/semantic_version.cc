// Versions and conditions on them. Tested by vm/functions/version_functions_test.cc.

#include "hclvm/vm/functions/semantic_version.h"

#include <algorithm>

namespace hcl::internal {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsOfIdentifier(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return IsDigit(c) || (lower >= 'a' && lower <= 'z') || c == '-' || c == '~';
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Takes the part up to the next dot.
std::string_view TakePart(std::string_view* text) {
  const std::string_view part = text->substr(0, text->find('.'));
  text->remove_prefix(std::min(text->size(), part.size() + 1));
  return part;
}

// Identifiers between dots, none of which is empty.
bool AreIdentifiers(std::string_view text) {
  char before = '.';
  for (const char c : text) {
    if (c == '.' ? before == '.' : !IsOfIdentifier(c)) return false;
    before = c;
  }
  return before != '.';
}

std::string_view WithoutZeros(std::string_view digits) {
  while (!digits.empty() && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

bool AreDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit); }

int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

// Digits without leading zeros.
int CompareNumbers(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return Sign(a.compare(b));
}

// Numbers come before other identifiers, which are ordered by their bytes.
int CompareIdentifiers(std::string_view a, std::string_view b) {
  const bool a_is_number = AreDigits(a);
  const bool b_is_number = AreDigits(b);
  if (a_is_number && b_is_number) return CompareNumbers(WithoutZeros(a), WithoutZeros(b));
  if (a_is_number != b_is_number) return a_is_number ? -1 : 1;
  return Sign(a.compare(b));
}

int ComparePrereleases(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return static_cast<int>(a.empty()) - static_cast<int>(b.empty());
  while (!a.empty() && !b.empty()) {
    if (const int order = CompareIdentifiers(TakePart(&a), TakePart(&b)); order != 0) return order;
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

std::string_view NumberAt(const SemanticVersion& version, size_t n) {
  return n < version.numbers.size() ? version.numbers[n] : std::string_view();
}

int CompareBases(const SemanticVersion& a, const SemanticVersion& b) {
  const size_t count = std::max(a.numbers.size(), b.numbers.size());
  for (size_t n = 0; n < count; ++n) {
    if (const int order = CompareNumbers(NumberAt(a, n), NumberAt(b, n)); order != 0) return order;
  }
  return 0;
}

// At least the version of the condition, and equal in all numbers that it gives but the last one.
bool MeetsPessimistic(const SemanticVersion& version, const SemanticVersion& wanted) {
  for (size_t n = 0; n + 1 < wanted.numbers.size(); ++n) {
    if (NumberAt(version, n) != wanted.numbers[n]) return false;
  }
  return CompareVersions(version, wanted) >= 0;
}

VersionOperator TakeOperator(std::string_view* text) {
  struct Spelling {
    std::string_view text;
    VersionOperator op;
  };
  // Longer ones first.
  static constexpr Spelling kSpellings[] = {
      {"!=", VersionOperator::kNotEqual},       {"<=", VersionOperator::kLessOrEqual},
      {">=", VersionOperator::kGreaterOrEqual}, {"~>", VersionOperator::kPessimistic},
      {"=", VersionOperator::kEqual},           {"<", VersionOperator::kLess},
      {">", VersionOperator::kGreater},
  };
  for (const Spelling& spelling : kSpellings) {
    if (text->substr(0, spelling.text.size()) != spelling.text) continue;
    text->remove_prefix(spelling.text.size());
    return spelling.op;
  }
  return VersionOperator::kEqual;
}

void Trim(std::string_view* text) {
  while (!text->empty() && IsBlank(text->front())) text->remove_prefix(1);
  while (!text->empty() && IsBlank(text->back())) text->remove_suffix(1);
}

}  // namespace

// The build has no plus in it, but perhaps minuses, as the prerelease may.
bool ReadVersion(std::string_view text, SemanticVersion* version) {
  version->numbers.clear();
  version->prerelease = {};
  size_t at = !text.empty() && text.front() == 'v' ? 1 : 0;
  for (;; ++at) {
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    if (at == begin) return false;
    version->numbers.push_back(WithoutZeros(text.substr(begin, at - begin)));
    if (at == text.size()) return true;
    if (text[at] != '.') break;
  }
  const std::string_view rest = text.substr(at + 1);
  if (text[at] == '+') return AreIdentifiers(rest);
  if (text[at] != '-') return false;
  const size_t plus = rest.find('+');
  version->prerelease = rest.substr(0, plus);
  return AreIdentifiers(version->prerelease) &&
         (plus == std::string_view::npos || AreIdentifiers(rest.substr(plus + 1)));
}

int CompareVersions(const SemanticVersion& a, const SemanticVersion& b) {
  const int order = CompareBases(a, b);
  return order != 0 ? order : ComparePrereleases(a.prerelease, b.prerelease);
}

bool TakeCondition(std::string_view* text, VersionCondition* condition) {
  std::string_view part = text->substr(0, text->find(','));
  const bool is_last = part.size() == text->size();
  text->remove_prefix(is_last ? part.size() : part.size() + 1);
  Trim(&part);
  condition->op = TakeOperator(&part);
  Trim(&part);
  // A comma at the end has nothing after it.
  return ReadVersion(part, &condition->version) && (is_last || !text->empty());
}

bool Meets(const SemanticVersion& version, const VersionCondition& condition) {
  const SemanticVersion& wanted = condition.version;
  const int order = CompareVersions(version, wanted);
  if (condition.op == VersionOperator::kEqual) return order == 0;
  if (condition.op == VersionOperator::kNotEqual) return order != 0;
  if (!version.prerelease.empty() && (wanted.prerelease.empty() || CompareBases(version, wanted) != 0)) return false;
  switch (condition.op) {
    case VersionOperator::kLess:
      return order < 0;
    case VersionOperator::kLessOrEqual:
      return order <= 0;
    case VersionOperator::kGreater:
      return order > 0;
    case VersionOperator::kGreaterOrEqual:
      return order >= 0;
    default:
      return (wanted.prerelease.empty() || !version.prerelease.empty()) && MeetsPessimistic(version, wanted);
  }
}

}  // namespace hcl::internal
