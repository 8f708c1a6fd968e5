// Random expressions: variables and literals.

#include "hclvm/tests/slow/generator.h"

namespace hcl::testing_support {

// Numbers where representations end: 18 digits, 63 and 64 bits, and decimals that no binary number is.
std::string Generator::NumberLeaf() {
  if (Chance(12)) {
    return Pick({"9223372036854775807",
                 "9223372036854775807.5",
                 "-9223372036854775808",
                 "9223372036854775808",
                 "18446744073709551615",
                 "18446744073709551616",
                 "1e19",
                 "999999999999999999",
                 "1000000000000000000",
                 "-999999999999999999",
                 "0.1",
                 "0.2",
                 "0.3",
                 "0.30000000000000000000001",
                 "1e-18",
                 "1e-19",
                 "1.5e2",
                 "4611686018427387904",
                 "3037000500",
                 "123456789012345678.9",
                 "12345678901234567890",
                 "-0",
                 "0.0"});
  }
  return Pick({"0", "1",  "2",      "3",     "-1",    "0.5",    "10",     "i",        "j",          "k",
               "d", "n1", "big",    "u.age", "o.a",   "mn.one", "num",    "o[\"a\"]", "1e3",        "us[1].age",
               "i", "1",  "tup[0]", "ln[0]", "o.c.0", "ln[i]",  "o.c[0]", "2",        "mn[\"two\"]"});
}

std::string Generator::Leaf(Want want) {
  if (Chance(35)) {
    std::string local = LocalOf(want.kind);
    if (!local.empty()) return local;
  }
  if (Chance(3)) return Pick({"null", "nul", "nulls", "nulln", "nullb", "nulll", "nullo"});
  if (options_.unknowns && Chance(4)) return Pick({"dyn", "dyn", "un", "ust", "ub", "ul", "um", "uo", "uset", "ut"});
  const bool unknown = options_.unknowns && Chance(12);
  switch (want.kind) {
    case Kind::kNumber:
      if (unknown) return Pick({"un", "lu[1]", "uo.a", "ul[0]", "ut[0]", "ou.a"});
      return NumberLeaf();
    case Kind::kString:
      if (unknown) return Pick({"ust", "um.x", "uo.b", "ut[1]"});
      return Pick({"\"\"",
                   "\"a\"",
                   "\"b\"",
                   "\"x\"",
                   "\"hello\"",
                   "\"true\"",
                   "\"1\"",
                   "\"e\\u0301\"",
                   "s",
                   "t",
                   "num",
                   "emp",
                   "uni",
                   "tr",
                   "u.name",
                   "o.b",
                   "ms.a",
                   "ls[1]",
                   "tup.1",
                   "us[2].name",
                   "us.0.name",
                   "\"a string over 14 bytes\"",
                   "ms[\"c-d\"]",
                   "u[\"name\"]",
                   "\"two words\\n\"",
                   "\"14 bytes here.\"",
                   "\"15 bytes here.?\""});
    case Kind::kBool:
      if (unknown) return Pick({"ub", "un == 1", "ust == s"});
      return Pick({"true", "false", "yes", "no", "yes", "no", "u.admin", "o.c[1]", "tup[2]", "tr", "us[0].admin"});
    case Kind::kSequence:
      if (unknown) return Pick({"ul", "lu", "uset", "ut", "lu"});
      if (want.element == Kind::kNumber) return Pick({"ln", "sn", "[]", "[1, 2, 3]", "[i]", "[3, 1, 2, 1]"});
      if (want.element == Kind::kString) {
        return Pick({"ls", "le", "ss", "u.tags", "[\"a\", \"b\"]", "[]", "us[1].tags"});
      }
      if (want.element == Kind::kBool) return Pick({"[true, false]", "[yes]", "[]", "us[*].admin", "[u.admin, no]"});
      return Pick({"us", "tup", "ln", "ls", "o.c", "[]", "[true, false]", "[1, \"a\", null]", "[[1], [2, 3]]"});
    case Kind::kMapping:
      if (unknown) return Pick({"um", "uo", "ou"});
      if (want.element == Kind::kNumber) return Pick({"mn", "me", "{}", "{a = 1, b = 2}"});
      if (want.element == Kind::kString) return Pick({"ms", "{a = s}", "{}", "{b = \"x\", a = \"y\"}"});
      return Pick(
          {"o", "u", "ms", "mn", "me", "{}", "{a = 1, b = \"x\", c = true}", "us[0]", "{a = [1], b = {c = 2}}"});
    case Kind::kAny:
      break;
  }
  const Kind kind = static_cast<Kind>(Below(5));
  const Kind element = ElementKind();
  return Leaf({kind, element});
}

}  // namespace hcl::testing_support
