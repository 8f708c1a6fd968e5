// Random values of all types, put together by what unifies and converts them.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {

std::string Programs::Leaf() {
  return random_.Pick({"1",          "2.5",       "\"a\"",     "\"1\"", "\"true\"", "true",    "false", "null",
                       "nulls",      "nulln",     "nullb",     "nulll", "nullo",    "\"\"",    "i",     "s",
                       "num",        "yes",       "tr",        "ls",    "ln",       "le",      "ss",    "sn",
                       "ms",         "mn",        "me",        "o",     "u",        "us",      "tup",   "[]",
                       "{}",         "u.tags",    "us[0]",     "1e30",  "\"é\"",    "\"1.0\"", "-1",    "0",
                       "tolist([])", "tomap({})", "toset([])", "nul",   "big",      "\"0x1\""});
}

// With structure: a tuple, an object, or a collection made of one.
std::string Programs::Value(int depth) {
  const size_t form = depth > 0 ? random_.Below(10) : 0;
  if (form < 3) return Leaf();
  // Elements that are alike unify more often.
  const std::string like = random_.Chance(50) ? Value(depth - 1) : "";
  const auto element = [&] { return like.empty() || random_.Chance(30) ? Value(depth - 1) : like; };
  const size_t count = random_.Below(4);
  std::string text;
  if (form < 7) {
    for (size_t n = 0; n < count; ++n) absl::StrAppend(&text, n > 0 ? ", " : "", element());
    static constexpr const char* kOpen[] = {"[", "[", "tolist([", "toset(["};
    return absl::StrCat(kOpen[form - 3], text, form < 5 ? "]" : "])");
  }
  for (size_t n = 0; n < count; ++n) {
    absl::StrAppend(&text, n > 0 ? ", " : "", random_.Pick({"a", "b", "c", "name", "one"}), " = ", element());
  }
  return form < 9 ? absl::StrCat("{", text, "}") : absl::StrCat("tomap({", text, "})");
}

// Two values, and one form that has to bring their types together.
std::string Programs::Mixture() {
  const std::string a = Value(2);
  const std::string b = random_.Chance(15) ? a : Value(2);
  switch (random_.Below(20)) {
    case 0:
    case 1:
    case 2:
      return absl::StrCat(random_.Pick({"yes", "no", "\"true\"", "i == 7"}), " ? ", a, " : ", b);
    case 3:
      return absl::StrCat("tolist([", a, ", ", b, "])");
    case 4:
      return absl::StrCat("toset([", a, ", ", b, ", ", Value(1), "])");
    case 5:
      return absl::StrCat("tomap({a = ", a, ", b = ", b, "})");
    case 6:
      return absl::StrCat("coalesce(", a, ", ", b, ")");
    case 7:
    case 8:
      return absl::StrCat(a, random_.Pick({" == ", " != "}), b);
    case 9:
      return absl::StrCat("contains([", a, ", ", b, "], ", random_.Chance(50) ? a : Value(1), ")");
    case 10:
      return absl::StrCat(random_.Pick({"setunion(", "setintersection(", "setsubtract(", "concat(", "merge(", "zipmap(",
                                        "setproduct("}),
                          a, ", ", b, ")");
    case 11:
      return absl::StrCat(random_.Pick({"distinct(", "flatten(", "keys(", "values(", "length(", "jsonencode(", "sort(",
                                        "reverse(", "compact("}),
                          a, ")");
    case 12:
      return absl::StrCat("[for k, v in ", a, " : {(k) = v}]");
    case 13:
      return absl::StrCat("{for k, v in ", a, " : k => v", random_.Chance(30) ? "..." : "", "}");
    case 14:
      return absl::StrCat("(", a, ")",
                          random_.Pick({"[*]", ".*.a", "[*].a", "[0]", "[\"a\"]", ".a", "[*][0]", "[1].b", "[\"0\"]",
                                        "[true]", "[null]", ".0", "[*].name.x", "[0.5]", "[-1]"}));
    case 15:
      return absl::StrCat("\"${", a, "}-%{ for v in ", b, " }${v},%{ endfor }\"");
    case 16:
      return absl::StrCat(random_.Pick({"tostring(", "tonumber(", "tobool(", "tolist(", "toset(", "tomap("}), a, ")");
    case 17:
      return absl::StrCat("lookup(", a, ", ", random_.Pick({"\"a\"", "\"b\"", "\"zz\"", "1", "null"}), ", ", b, ")");
    case 18:
      return absl::StrCat("[for v in toset([", a, ", ", b, "]) : v]");
    default:
      return absl::StrCat("element([", a, ", ", b, "], ", random_.Pick({"0", "1", "2", "-1"}), ")");
  }
}

}  // namespace hcl::differential
