// Random texts that are mostly wrong, for the parsers' verdicts.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {
namespace {

constexpr const char* kTokens[] = {"i",
                                   "s",
                                   "o",
                                   "ls",
                                   "us",
                                   "for",
                                   "in",
                                   "if",
                                   "true",
                                   "null",
                                   "1",
                                   "2.5",
                                   "0.1.2",
                                   "\"",
                                   "\"x\"",
                                   "${",
                                   "%{",
                                   "${~",
                                   "~}",
                                   "}",
                                   "{",
                                   "(",
                                   ")",
                                   "[",
                                   "]",
                                   ".",
                                   "*",
                                   ".*",
                                   "[*]",
                                   ",",
                                   "...",
                                   "=",
                                   "=>",
                                   ":",
                                   "::",
                                   "?",
                                   "+",
                                   "-",
                                   "!",
                                   "==",
                                   "!=",
                                   "&&",
                                   "||",
                                   "<",
                                   ">=",
                                   "/",
                                   "%",
                                   "\n",
                                   "\r\n",
                                   "\r",
                                   "# c\n",
                                   "/*",
                                   "/* c */",
                                   "<<E\n",
                                   "<<-E\n",
                                   "E\n",
                                   "  ",
                                   "\t",
                                   "\\n",
                                   "\\x",
                                   "\\u12",
                                   "\\u00e9",
                                   "upper(",
                                   "o.b",
                                   "ls[0]",
                                   "ms[\"a\"]",
                                   "\xc3\xa9",
                                   "'",
                                   "`",
                                   "@",
                                   "&",
                                   "|",
                                   ";",
                                   "~",
                                   "^",
                                   "a = 1\n",
                                   "b {\n",
                                   "}\n",
                                   "b \"l\" {",
                                   "$${",
                                   "%%{",
                                   "%{ if yes }",
                                   "%{ else }",
                                   "%{ endif }",
                                   "%{ for v in ls }",
                                   "%{ endfor }",
                                   "\xef\xbb\xbf",
                                   "\xe2\x80\x9c",
                                   "a = ",
                                   "[for v in ls : v]",
                                   "{for k, v in ms : k => v...}",
                                   "0",
                                   ".0",
                                   "1e3",
                                   "1e",
                                   "1.",
                                   "_",
                                   "-a",
                                   "a-b",
                                   "a.0.b",
                                   ".1",
                                   "if yes",
                                   "else",
                                   "endif",
                                   "\xc2\xa0",
                                   "\xe2\x80\xa8",
                                   "1 2",
                                   "null.a",
                                   "(i)",
                                   "each.*",
                                   "f::g(",
                                   "01",
                                   "1_0"};

constexpr const char* kValid[] = {
    "a = 1\nb \"x\" y {\n  c = [1, 2]\n  d { e = 3 }\n}\n",
    "a = <<-E\n    x ${s}\n      %{ if yes ~}\n y\n  %{ endif }\n  E\nb = 2\n",
    "a = { b = 1, (s) : 2\n \"d\" = max(i, ln...) }\n",
    "a = [for k, v in ms : \"${k}=${v}\" if v != null]\nb = {for v in ls : v => v...}\n",
    "a = o.c[0].d[i][*].f.*.g + j ? -i : !yes\n",
    "/* c */ a = 1 # d\n// e\nb = \"\\\"\\u00e9$${x}\"\n",
};

}  // namespace

// A few changes only: after many the first error hides what else would differ.
std::string Programs::Damaged(std::string text) {
  for (size_t n = 1 + random_.Below(3); n > 0; --n) {
    // Not within a character: texts that are no UTF-8 cannot be handed over.
    size_t at = random_.Below(text.size() + 1);
    const auto inside = [&](size_t i) { return i < text.size() && (static_cast<uint8_t>(text[i]) & 0xc0) == 0x80; };
    while (inside(at)) ++at;
    size_t end = at + 1 + random_.Below(3);
    while (inside(end)) ++end;
    switch (random_.Below(5)) {
      case 0:
      case 1:
        text.erase(at, end - at);
        break;
      case 2:
        if (random_.Chance(30)) text.resize(at);
        break;
      default:
        text.insert(at, random_.Pick(kTokens));
    }
  }
  return text;
}

// A third is tokens in any order; the rest is valid but for a few places.
Program Programs::Soup() {
  static constexpr ProgramKind kKinds[] = {ProgramKind::kExpr, ProgramKind::kExpr, ProgramKind::kTemplate,
                                           ProgramKind::kBody, ProgramKind::kTraversal};
  const ProgramKind kind = kKinds[random_.Below(5)];
  if (random_.Chance(35)) {
    std::string text;
    for (size_t n = 1 + random_.Below(10); n > 0; --n)
      absl::StrAppend(&text, random_.Pick(kTokens), random_.Chance(50) ? " " : "");
    return {kind, text};
  }
  switch (kind) {
    case ProgramKind::kBody:
      return {kind, Damaged(random_.Chance(50) ? random_.Pick(kValid) : Body(2))};
    case ProgramKind::kTemplate:
      return {kind, Damaged(Template())};
    case ProgramKind::kTraversal: {
      std::string text = random_.Pick({"a", "o", "us", "\xc3\xa9", "null", "for"});
      for (size_t n = random_.Below(5); n > 0; --n) {
        text += random_.Pick({".a",
                              ".b",
                              "[0]",
                              "[\"k\"]",
                              ".0",
                              "[1.5]",
                              "[-1]",
                              "[*]",
                              ".*",
                              " .c",
                              "[ 2 ]",
                              "[\"$${a}\"]",
                              "[\"\\n\"]",
                              "[a]",
                              "[1e3]",
                              "[null]",
                              ".null",
                              "[true]",
                              "[\"a\\u0301\"]",
                              "\n.a"});
      }
      return {kind, random_.Chance(30) ? Damaged(text) : text};
    }
    default:
      return {kind, Damaged(Expression())};
  }
}

}  // namespace hcl::differential
