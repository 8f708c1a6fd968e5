// Random calls of the library's functions.

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {
namespace {

// A function, and a letter for the kind of each argument; the last one stands for any number where `...` follows.
struct Signature {
  const char* name;
  const char* arguments;
};

// s string, n number, i small whole number, b bool, q list of strings, l sequence, e list of one type, S set, m
// mapping, M mapping of lists, a anything, F format, P pattern, R replacement, D date format, T timestamp, d duration,
// J JSON, C comma-separated values, N text of a number.
constexpr Signature kSignatures[] = {
    {"abs", "n"},
    {"ceil", "n"},
    {"chomp", "s"},
    {"chunklist", "ei"},
    {"coalesce", "aa..."},
    {"coalescelist", "ll..."},
    {"compact", "q"},
    {"concat", "ll..."},
    {"contains", "la"},
    {"csvdecode", "C"},
    {"distinct", "e"},
    {"element", "li"},
    {"endswith", "ss"},
    {"flatten", "l"},
    {"floor", "n"},
    {"format", "Fa..."},
    {"formatdate", "DT"},
    {"formatlist", "Fla..."},
    {"hasindex", "li"},
    {"hasindex", "ms"},
    {"indent", "is"},
    {"index", "li"},
    {"index", "ms"},
    {"int", "n"},
    {"join", "sq..."},
    {"jsondecode", "J"},
    {"jsonencode", "a"},
    {"keys", "m"},
    {"length", "l"},
    {"length", "m"},
    {"log", "nn"},
    {"lookup", "ms"},
    {"lookup", "msa"},
    {"lower", "s"},
    {"max", "nn..."},
    {"merge", "mm..."},
    {"min", "nn..."},
    {"parseint", "Ni"},
    {"pow", "ni"},
    {"range", "i"},
    {"range", "ii"},
    {"range", "iii"},
    {"regex", "Ps"},
    {"regexall", "Ps"},
    {"regexreplace", "sPR"},
    {"replace", "sss"},
    {"reverse", "l"},
    {"setintersection", "SS..."},
    {"setproduct", "ll..."},
    {"setsubtract", "SS"},
    {"setsymmetricdifference", "SS..."},
    {"setunion", "SS..."},
    {"signum", "n"},
    {"slice", "lii"},
    {"sort", "q"},
    {"split", "ss"},
    {"startswith", "ss"},
    {"strcontains", "ss"},
    {"strlen", "s"},
    {"strrev", "s"},
    {"substr", "sii"},
    {"timeadd", "Td"},
    {"title", "s"},
    {"tobool", "a"},
    {"tolist", "l"},
    {"tomap", "m"},
    {"tonumber", "N"},
    {"toset", "l"},
    {"tostring", "a"},
    {"trim", "ss"},
    {"trimprefix", "ss"},
    {"trimspace", "s"},
    {"trimsuffix", "ss"},
    {"try", "aa..."},
    {"can", "a"},
    {"upper", "s"},
    {"values", "m"},
    {"zipmap", "ql"},
};

constexpr const char* kAny = "sniblqeSmaN";

}  // namespace

std::string Programs::Call(int depth) {
  const Signature& signature = kSignatures[random_.Below(std::size(kSignatures))];
  std::string text = absl::StrCat(signature.name, "(");
  const std::string_view kinds = signature.arguments;
  const size_t fixed = std::min(kinds.find('.'), kinds.size());
  const char* separator = "";
  for (size_t n = 0; n < fixed || (fixed < kinds.size() && random_.Chance(40)); ++n) {
    if (random_.Chance(1)) break;
    absl::StrAppend(&text, separator, Argument(kinds[std::min(n, fixed - 1)], depth));
    separator = ", ";
  }
  if (random_.Chance(1)) absl::StrAppend(&text, separator, Argument('a', depth));
  if (random_.Chance(2)) absl::StrAppend(&text, separator, Argument('l', depth), "...");
  return text + ")";
}

// Mostly of the kind that the parameter wants; some of any kind, nulls, and calls, so that errors are common but few
// programs are nothing else.
std::string Programs::Argument(char kind, int depth) {
  if (random_.Chance(4)) kind = kAny[random_.Below(11)];
  if (random_.Chance(2)) return random_.Pick({"null", "nul", "nulls", "nulln", "nulll", "nullo", "nosuch"});
  if (depth > 0 && random_.Chance(15)) return Call(depth - 1);
  switch (kind) {
    case 's':
      return random_.Pick({"\"\"",
                           "\"a\"",
                           "\"b\"",
                           "\",\"",
                           "\"hello world\"",
                           "\"ÉCOLE straße\"",
                           "\"e\\u0301\"",
                           "\"\\u0301\"",
                           "\"a,b,,c\"",
                           "\" \\t x\\n\\n\"",
                           "\"\\r\\n\"",
                           "\"👨‍👩‍👧é\"",
                           "s",
                           "t",
                           "uni",
                           "num",
                           "emp",
                           "\"aaa\"",
                           "\"ß ŉ ǆ ﬁ\"",
                           "\"İıſK\"",
                           "\"l1\\nl2\\n\"",
                           "12",
                           "true",
                           "\"a b-c d\"",
                           "\"\\u00a0x\\u2003\"",
                           "\"$\""});
    case 'n':
      return random_.Pick({"0",    "1",     "-1",     "2.5", "-2.5",    "0.5",     "-0.5",   "1e3",    "big", "-big",
                           "d",    "i",     "k",      "num", "\"0x1\"", "\"1e2\"", "1e20",   "10",     "100", "3.75",
                           "1e-3", "1 / k", "-1 / k", "2",   "16",      "\"+1\"",  "\" 1\"", "\"1_0\""});
    case 'i':
      return random_.Pick(
          {"0", "1", "2", "3", "-1", "-2", "4", "5", "10", "16", "36", "37", "62", "63", "1.5", "100", "-3", "64"});
    case 'b':
      return random_.Pick({"true", "false", "yes", "no", "\"true\"", "\"1\"", "tr"});
    case 'q':
      return random_.Pick({"ls", "le", "ss", "[\"b\", \"a\"]", "[\"\", \"x\", null]", "[]", "[1, \"x\"]", "u.tags",
                           "[\"a\", \"b\", \"a\"]", "tolist([])", "[\"a\", [1]]", "[\"é\", \"E\", \"e\"]", "tup"});
    case 'l':
      return random_.Pick({"ls",
                           "ln",
                           "le",
                           "ss",
                           "sn",
                           "us",
                           "tup",
                           "[]",
                           "[1, 2]",
                           "[\"a\", 1, null]",
                           "[[1, 2], [3]]",
                           "[[], [[1]], \"x\"]",
                           "[ls, ln]",
                           "[ss]",
                           "[true]",
                           "toset([1, \"a\"])",
                           "[{a = 1}, {b = 2}]",
                           "u.tags",
                           "[\"a\", \"b\"]",
                           "[o, u]"});
    case 'e':
      return random_.Pick({"ls", "ln", "le", "us", "[1, 2, 1]", "[\"a\", \"b\", \"a\"]", "[1, \"1\", true]", "[]",
                           "[[1], [1]]", "[[1], [1, 2]]", "[{a = 1}, {a = 1}]", "[null, null, 1]", "u.tags"});
    case 'S':
      return random_.Pick({"ss", "sn", "[]", "[1, 2]", "[\"x\", \"y\"]", "toset([\"x\"])", "toset([])", "[1, \"x\"]",
                           "[true]", "[null]", "[[1], [2]]", "[[\"a\"]]", "ls", "[{a = 1}]"});
    case 'm':
      return random_.Pick({"ms", "mn", "me", "o", "u", "{}", "{a = 1}", "{a = 1, b = \"x\"}", "{a = null}",
                           "{b = [1], a = {c = 1}}", "tomap({a = 1})", "tomap({})", "{a = \"y\", z = \"x\"}", "us[0]"});
    case 'F': {
      std::string format = "\"";
      for (size_t n = 1 + random_.Below(3); n > 0; --n) {
        absl::StrAppend(&format, random_.Pick({"", "", "x", "%%", "é"}), "%",
                        random_.Pick({"", "", "", "-", "+", " ", "0", "#", "+0", "-0"}),
                        random_.Pick({"", "", "", "1", "5", "12", "*"}),
                        random_.Pick({"", "", "", "", ".0", ".1", ".3", "."}),
                        random_.Pick({"", "", "", "", "[1]", "[2]", "[0]", "[9]"}),
                        random_.Pick({"v", "v", "s", "s", "d", "d", "f", "g", "e", "E", "G", "b", "o", "x", "X", "t",
                                      "q", "z", "#v"}));
      }
      return format + "\"";
    }
    case 'P':
      return random_.Pick({"\"[a-z]+\"",     "\"(a)(b)?\"", "\"(?P<x>l+)(?P<y>o)\"",
                           "\"\"",           "\"(\"",       "\".\"",
                           "\"^\"",          "\"$\"",       "\"\\\\d+\"",
                           "\"(?i)H\"",      "\"\\\\bw\"",  "\"a*\"",
                           "\"(a|b)+\"",     "\"\\\\pL\"",  "\"(?P<x>a)|(b)\"",
                           "\"[^ ]*$\"",     "\"(?s).+\"",  "\"\\\\C\"",
                           "\"a{2,}\"",      "\"(?=a)\"",   "\"x?\"",
                           "\"[[:upper:]]\""});
    case 'R':
      return random_.Pick({"\"-\"", "\"$1\"", "\"$${1}x\"", "\"$x\"", "\"$$\"", "\"$0\"", "\"\"", "\"$1x\"",
                           "\"\\\\1\"", "\"$${y}$${x}\""});
    case 'D': {
      std::string format = "\"";
      for (size_t n = 1 + random_.Below(4); n > 0; --n) {
        absl::StrAppend(
            &format, random_.Pick({"", " ", "-", "'x'", "''", "'it''s'", "é", "."}),
            random_.Pick({"YYYY", "YY", "M", "MM", "MMM", "MMMM", "D", "DD",  "EEE",  "EEEE",  "h", "hh",  "H", "HH",
                          "AA",   "aa", "m", "mm", "s",   "ss",   "Z", "ZZZ", "ZZZZ", "ZZZZZ", "x", "YYY", "'"}));
      }
      return format + "\"";
    }
    case 'T':
      return random_.Pick({"\"2018-01-02T23:12:01Z\"", "\"2020-02-29T00:00:00+01:00\"", "\"2018-12-31T23:59:59.999Z\"",
                           "\"2018-01-02T23:12:01-00:30\"", "\"2018-02-30T00:00:00Z\"", "\"x\"", "\"2018-01-02\"",
                           "\"0001-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59Z\"", "\"2018-01-02T12:00:00Z\"",
                           "\"2018-01-02T00:05:09Z\""});
    case 'd':
      return random_.Pick({"\"1h\"", "\"-1h30m\"", "\"1.5h\"", "\"10ms\"", "\"0\"", "\"1d\"", "\"\"", "\"1h1\"",
                           "\"+5s\"", "\".5s\"", "\"1us1ns\"", "\"999999h\"", "\"1e3s\"", "\"9999999999h\""});
    case 'J':
      return random_.Pick({"\"{}\"", "\"[1, 2.50, null]\"", "\"{\\\"a\\\": [true], \\\"b\\\": \\\"x\\\"}\"", "\"1e3\"",
                           "\"\\\"\\\\u00e9\\\"\"", "\"[1\"", "\"nul\"", "\"\"", "\" 1 \"", "\"01\"",
                           "\"123456789012345678901234567890\"", "\"[[], {}]\"", "\"1 2\"", "\"\\\"\\\\ud800\\\"\"",
                           "\"-0\"", "\"{\\\"a\\\":1,}\"", "jsonencode(o)", "jsonencode(us)"});
    case 'C':
      return random_.Pick({"\"a,b\\n1,2\"", "\"a\\n\\\"x\\\"\"", "\"a,a\\n1,2\"", "\"a,b\\n1\"", "\"\"",
                           "\"a\\r\\n1\\r\\n\"", "\"a\\n\\n1\"", "\"a\\n\\\"x\"", "\"a\\n\\\"x\\\"\\\"y\\\"\"",
                           "\"a b, c\\n1, 2\"", "\"a,b\""});
    case 'N':
      return random_.Pick({"\"12\"",  "\"-5\"",   "\"0x1F\"", "\"ff\"",    "\"FF\"",
                           "\"1.5\"", "\"\"",     "\" 1\"",   "\"zz\"",    "\"Zz\"",
                           "\"1e3\"", "\"+7\"",   "\"007\"",  "7",         "true",
                           "\".5\"",  "\"5.\"",   "\"_\"",    "\"1_000\"", "\"99999999999999999999999\"",
                           "\"inf\"", "\"0b11\"", "\"1e\"",   "\"0.1\"",   "\"-0\"",
                           "\"Inf\"", "\"1p3\"",  "\"nan\""});
    default:
      return random_.Chance(50) ? Argument(kAny[random_.Below(11)], depth) : generator_.Next();
  }
}

}  // namespace hcl::differential
