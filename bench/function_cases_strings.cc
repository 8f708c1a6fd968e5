// Functions of strings, beside C++ by hand.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "hclvm/bench/function_case.h"
#include "re2/re2.h"

namespace hcl::bench {
namespace {

using S = FunctionScope;
using Texts = std::vector<std::string>;

std::string Format(const std::string& text, int64_t number) {
  char buffer[64];
  const int size = std::snprintf(buffer, sizeof(buffer), "%s-%03d", text.c_str(), static_cast<int>(number));
  return std::string(buffer, static_cast<size_t>(size));
}

Texts Match(const S& s) {
  Texts groups(2);
  RE2::PartialMatch(s.name, s.pattern, &groups[0], &groups[1]);
  return groups;
}

// FindAndConsume() needs a group.
Texts AllWords(const S& s) {
  static const RE2 pattern("([a-z]+)");
  Texts found;
  re2::StringPiece rest(s.path);
  std::string word;
  while (RE2::FindAndConsume(&rest, pattern, &word)) found.push_back(word);
  return found;
}

std::string WithoutVowels(const S& s) {
  std::string text = s.path;
  RE2::GlobalReplace(&text, s.vowel, "-");
  return text;
}

std::string Trim(const std::string& text, std::string_view cutset) {
  const size_t begin = text.find_first_not_of(cutset);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(cutset) + 1 - begin);
}

std::string Indented(const std::string& text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

std::string Title(std::string text) {
  bool begins = true;
  for (char& c : text) {
    if (begins) c = absl::ascii_toupper(static_cast<unsigned char>(c));
    begins = c == ' ';
  }
  return text;
}

bool StartsWith(const std::string& text, std::string_view part) { return text.compare(0, part.size(), part) == 0; }
bool EndsWith(const std::string& text, std::string_view part) {
  return text.size() >= part.size() && text.compare(text.size() - part.size(), part.size(), part) == 0;
}

constexpr char kUnicode[] = "it knows Unicode: letters beyond ASCII, and characters of several code points";

}  // namespace

std::vector<FunctionCase> StringCases() {
  return {
      Beside("startswith", R"(startswith(arn, "arn:aws:s3:"))",
             [](const S& s) { return StartsWith(s.arn, "arn:aws:s3:"); }),
      Beside("endswith", R"(endswith(path, ".hcl"))", [](const S& s) { return EndsWith(s.path, ".hcl"); }),
      Beside("strcontains", R"(strcontains(path, "config"))",
             [](const S& s) { return s.path.find("config") != std::string::npos; }),
      Beside("lower", "lower(text)", [](const S& s) { return absl::AsciiStrToLower(s.text); }),
      Beside("upper", "upper(path)", [](const S& s) { return absl::AsciiStrToUpper(s.path); }),
      Beside("title", "title(text)", [](const S& s) { return Title(s.text); }),
      Beside("trimspace", "trimspace(text)",
             [](const S& s) { return std::string(absl::StripAsciiWhitespace(s.text)); }),
      Beside("trim", R"(trim(path, "/"))", [](const S& s) { return Trim(s.path, "/"); }),
      Beside("trimprefix", R"(trimprefix(path, "/srv/"))",
             [](const S& s) { return StartsWith(s.path, "/srv/") ? s.path.substr(5) : s.path; }),
      Beside("trimsuffix", R"(trimsuffix(path, ".hcl"))",
             [](const S& s) { return EndsWith(s.path, ".hcl") ? s.path.substr(0, s.path.size() - 4) : s.path; }),
      Beside("chomp", "chomp(lines)",
             [](const S& s) { return s.lines.substr(0, s.lines.find_last_not_of("\r\n") + 1); }),
      Beside("replace", R"(replace(path, "/", "."))",
             [](const S& s) {
               return absl::StrReplaceAll(s.path, {{"/", "."}});
             }),
      Beside("split", R"(split("/", path))",
             [](const S& s) { return std::vector<std::string>(absl::StrSplit(s.path, '/')); }),
      Beside("join", R"(join(",", list))", [](const S& s) { return absl::StrJoin(s.list, ","); }),
      Beside(
          "substr", "substr(path, 5, 10)", [](const S& s) { return s.path.substr(5, 10); }, kUnicode),
      Beside(
          "strlen", "strlen(path)", [](const S& s) { return static_cast<int64_t>(s.path.size()); }, kUnicode),
      Beside("strrev", "strrev(path)", [](const S& s) { return std::string(s.path.rbegin(), s.path.rend()); }),
      Beside("indent", "indent(2, lines)", [](const S& s) { return Indented(s.lines); }),
      Beside("format", R"(format("%s-%03d", role, count))", [](const S& s) { return Format(s.role, s.count); }),
      Beside("formatlist", R"(formatlist("%s-%03d", others, count))",
             [](const S& s) {
               Texts texts;
               texts.reserve(s.others.size());
               for (const std::string& text : s.others) texts.push_back(Format(text, s.count));
               return texts;
             }),
      Beside("template", R"("${role}:${arn}:${count}")",
             [](const S& s) { return absl::StrCat(s.role, ":", s.arn, ":", s.count); }),
      Beside("regex", R"r(regex("^([a-z]+)-0*([0-9]+)$", name))r", Match),
      Beside("regexall", R"r(regexall("[a-z]+", path))r", AllWords),
      Beside("regexreplace", R"r(regexreplace(path, "[aeiou]", "-"))r", WithoutVowels),
      Beside("basename", "basename(path)", [](const S& s) { return s.path.substr(s.path.rfind('/') + 1); }),
      Beside(
          "dirname", "dirname(path)", [](const S& s) { return s.path.substr(0, s.path.rfind('/')); },
          "it also takes away what . and .. make superfluous"),
  };
}

}  // namespace hcl::bench
