// Random texts of many scripts, and what looks at characters: cases, grapheme clusters, normalization, patterns.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {
namespace {

// Characters that combine, fold, or take several code points. Of Unicode 13 at most, which the reference knows.
constexpr const char* kCharacters[] = {"a",
                                       "b",
                                       "A",
                                       "Z",
                                       "1",
                                       " ",
                                       "-",
                                       "_",
                                       ".",
                                       "e\u0301",
                                       "\u00e9",
                                       "\u0301",
                                       "\u00df",
                                       "\u0130",
                                       "\u0131",
                                       "\u017f",
                                       "\u01c5",
                                       "\u01c6",
                                       "\ufb01",
                                       "\u03a3",
                                       "\u03c2",
                                       "\u0345",
                                       "\u1e9e",
                                       "\uac00",
                                       "\u1100",
                                       "\u1161",
                                       "\u11a8",
                                       "\u212b",
                                       "\u2126",
                                       "\u0958",
                                       "\u0928\u093c",
                                       "\u0e33",
                                       "\u200d",
                                       "\u200b",
                                       "\u00a0",
                                       "\u2003",
                                       "\u2028",
                                       "\u0085",
                                       "\u3000",
                                       "\U0001F468\u200d\U0001F469",
                                       "\U0001F1E9\U0001F1EA",
                                       "\U0001F1E9",
                                       "\U0001F44D\U0001F3FD",
                                       "\u2764\ufe0f",
                                       "\u4e16",
                                       "\u05d0",
                                       "\u0627\u064b",
                                       "\U00010428",
                                       "\U0001D400",
                                       "\u1fb3",
                                       "\u0390",
                                       "\u0323\u0307",
                                       "\u0307\u0323",
                                       "\\n",
                                       "\\r\\n",
                                       "\\t",
                                       "\\\"",
                                       "\\\\",
                                       "$${",
                                       "%%{",
                                       "\\u00e9",
                                       "\\u0301",
                                       "\\U0001F600",
                                       "\u0600",
                                       "\u0a03",
                                       "\ufffd",
                                       "\u00ad",
                                       "\ufeff",
                                       "\u0000"};

constexpr const char* kAtoms[] = {
    "a",      "b",         "[a-z]",    "[^a]",     ".",     "\\\\d",  "\\\\w",    "\\\\W",  "\\\\s",
    "\\\\b",  "^",         "$",        "(a)",      "(b|c)", "(?:ab)", "(?P<x>a)", "\u00e9", "[[:alpha:]]",
    "\\\\pL", "\\\\p{Lu}", "[\\\\d_]", "x",        "()",    "\\\\.",  "\\\\x41",  "[a-",    "(",
    ")",      "[]a]",      "\\\\A",    "\\\\z",    "(?i)",  "(?s)",   "(?U)",     "(?m)",   "\\\\Q.\\\\E",
    "1",      " ",         "\\\\B",    "[^\\\\w]", "\\\\S"};

}  // namespace

std::string Programs::Text() {
  std::string text = "\"";
  for (size_t n = random_.Below(6); n > 0; --n) text += random_.Pick(kCharacters);
  return text + "\"";
}

std::string Programs::Pattern() {
  std::string text = "\"";
  for (size_t n = 1 + random_.Below(4); n > 0; --n) {
    absl::StrAppend(&text, random_.Pick(kAtoms),
                    random_.Pick({"", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}", "|", "??", "{,2}"}));
  }
  return text + "\"";
}

// Each function that looks into characters, with two random texts at most, so that what differs is easily seen.
std::string Programs::TextCall() {
  switch (random_.Below(14)) {
    case 0:
      return absl::StrCat(random_.Pick({"upper(", "lower(", "title(", "strlen(", "strrev(", "trimspace(", "chomp(",
                                        "jsonencode(", "tonumber("}),
                          Text(), ")");
    case 1:
      return absl::StrCat("substr(", Text(), ", ", random_.Pick({"0", "1", "2", "-1", "-2", "5"}), ", ",
                          random_.Pick({"1", "2", "-1", "0", "9"}), ")");
    case 2:
      return absl::StrCat(
          random_.Pick({"split(", "trim(", "trimprefix(", "trimsuffix(", "startswith(", "endswith(", "strcontains("}),
          Text(), ", ", Text(), ")");
    case 3:
      return absl::StrCat("replace(", Text(), ", ", Text(), ", ", Text(), ")");
    case 4:
      return absl::StrCat(Text(), random_.Pick({" == ", " != "}), Text());
    case 5:
      return absl::StrCat("\"${", Text(), "}${", Text(), "}\"");
    case 6:
      return absl::StrCat("[for k, v in {(", Text(), ") = 1, (", Text(), ") = 2} : k]");
    case 7:
      return absl::StrCat(random_.Pick({"sort([", "toset([", "distinct(["}), Text(), ", ", Text(), ", ", Text(), "])");
    case 8:
      return absl::StrCat("format(\"%", random_.Pick({"5s", "-5s", "q", ".2s", "s", "v", "#v", "5q"}), "\", ", Text(),
                          ")");
    case 9:
      return absl::StrCat("formatlist(\"%s:%s\", [", Text(), ", ", Text(), "], ", Text(), ")");
    case 10:
      return absl::StrCat("regexreplace(", Text(), ", ", Pattern(), ", ",
                          random_.Pick({"\"-\"", "\"$1\"", "\"<$0>\"", "\"$${x}\"", "\"\""}), ")");
    case 11:
      return absl::StrCat("regex(", Pattern(), ", ",
                          random_.Pick({"s", "\"abcab1 x\"", "\"aab\"", "\"\"", "\"B.\\nc\""}), ")");
    case 12:
      return absl::StrCat("regexall(", Pattern(), ", ",
                          random_.Pick({"s", "\"abcab1 x\"", "\"aab\"", "\"\"", "\"B.\\nc\""}), ")");
    default:
      return absl::StrCat("join(", Text(), ", [", Text(), ", ", Text(), "])");
  }
}

}  // namespace hcl::differential
