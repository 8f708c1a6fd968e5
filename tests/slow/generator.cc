// Random expressions: leaves, operators, conditionals, calls with scalar results.

#include "hclvm/tests/slow/generator.h"

#include "absl/strings/str_cat.h"

namespace hcl::testing_support {

uint32_t Generator::Below(uint32_t n) {
  // SplitMix64.
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<uint32_t>((z >> 32) * n >> 32);
}

std::string Generator::Next() {
  locals_.clear();
  if (Chance(1)) return Wide();
  return Any(options_.max_depth - static_cast<int>(Below(static_cast<uint32_t>(options_.max_depth))));
}

// A collection, template or call of so many parts that compilers do something else about it.
std::string Generator::Wide() {
  const uint32_t count = 60 + Below(12);
  const uint32_t form = Below(5);
  static constexpr const char* kOpen[] = {"[", "{", "\"", "contains([", "max("};
  static constexpr const char* kClose[] = {"]", "}", "\"", "], i)", ")"};
  std::string text = kOpen[form];
  for (uint32_t n = 0; n < count; ++n) {
    const std::string item = Chance(5) ? Any(1) : Leaf({form == 2 ? Kind::kString : Kind::kNumber});
    const char* const separator = n == 0 || form == 2 ? "" : ", ";
    if (form == 1) {
      absl::StrAppend(&text, separator, "a", Chance(5) ? 0 : n, " = ", item);
    } else if (form == 2) {
      absl::StrAppend(&text, "-${", item, "}");
    } else {
      absl::StrAppend(&text, separator, item);
    }
  }
  return text + kClose[form];
}

Generator::Kind Generator::ElementKind() {
  static constexpr Kind kKinds[] = {Kind::kNumber, Kind::kString, Kind::kString, Kind::kBool, Kind::kAny};
  return kKinds[Below(5)];
}

std::string Generator::Any(int depth) {
  const Kind kind = static_cast<Kind>(Below(5));
  return Expr({kind, ElementKind()}, depth);
}

std::string Generator::LocalOf(Kind kind) {
  for (int attempt = 0; attempt < 2 && !locals_.empty(); ++attempt) {
    const Local& local = locals_[Below(static_cast<uint32_t>(locals_.size()))];
    if (local.kind == kind || local.kind == Kind::kAny || Chance(10)) return local.name;
  }
  return "";
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
      return Pick({"0",
                   "1",
                   "2",
                   "3",
                   "-1",
                   "0.5",
                   "10",
                   "i",
                   "j",
                   "k",
                   "d",
                   "n1",
                   "big",
                   "u.age",
                   "o.a",
                   "mn.one",
                   "ln[0]",
                   "tup[0]",
                   "num",
                   "o.c[0]",
                   "us[1].age",
                   "1e3",
                   "12345678901234567890"});
    case Kind::kString:
      if (unknown) return Pick({"ust", "um.x", "uo.b", "ut[1]"});
      return Pick({"\"\"",        "\"a\"",
                   "\"b\"",       "\"x\"",
                   "\"hello\"",   "\"true\"",
                   "\"1\"",       "\"e\\u0301\"",
                   "s",           "t",
                   "num",         "emp",
                   "uni",         "tr",
                   "u.name",      "o.b",
                   "ms.a",        "ls[1]",
                   "tup.1",       "us[2].name",
                   "us.0.name",   "\"a string over 14 bytes\"",
                   "ms[\"c-d\"]", "ou.b"});
    case Kind::kBool:
      if (unknown) return Pick({"ub", "un == 1", "ust == s"});
      return Pick({"true", "false", "yes", "no", "yes", "no", "u.admin", "o.c[1]", "tup[2]", "tr", "us[0].admin"});
    case Kind::kSequence:
      if (unknown) return Pick({"ul", "lu", "uset", "ut", "lu"});
      if (want.element == Kind::kNumber) return Pick({"ln", "sn", "[]", "[1, 2, 3]", "[i]", "[3, 1, 2, 1]"});
      if (want.element == Kind::kString)
        return Pick({"ls", "le", "ss", "u.tags", "[\"a\", \"b\"]", "[]", "us[1].tags"});
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
  return Leaf({static_cast<Kind>(Below(5)), ElementKind()});
}

std::string Generator::Term(Want want, int depth) {
  const std::string text = Expr(want, depth);
  return text.find(' ') == std::string::npos && text[0] != '-' && text[0] != '!' ? text : absl::StrCat("(", text, ")");
}

std::string Generator::Expr(Want want, int depth) {
  if (options_.errors) {
    if (Chance(2)) return Pick({"nosuch", "u.nosuch", "nosuch()", "ls[9]", "o[\"zz\"]", "nosuch.a", "ms.zz", "5[0]"});
    if (Chance(4)) want = {static_cast<Kind>(Below(5)), ElementKind()};
  }
  if (want.kind == Kind::kAny) return Any(depth);
  if (depth <= 0 || Chance(15)) return Leaf(want);
  if (Chance(20)) return Generic(want, depth - 1);
  switch (want.kind) {
    case Kind::kNumber:
      return Number(depth - 1);
    case Kind::kString:
      return String(depth - 1);
    case Kind::kBool:
      return Bool(depth - 1);
    case Kind::kSequence:
      return Sequence(want.element, depth - 1);
    default:
      return Mapping(want.element, depth - 1);
  }
}

// What can stand for any type.
std::string Generator::Generic(Want want, int depth) {
  if (options_.errors && Chance(10)) return AnyCall(depth);
  switch (Below(10)) {
    case 0:
    case 1:
    case 2:
      return Conditional(want, depth);
    case 3:
      return absl::StrCat("(", Expr(want, depth), ")");
    case 4:
      return absl::StrCat("\"${", Expr(want, depth), "}\"");
    case 5:
      return absl::StrCat("try(", Any(depth), ", ", Expr(want, depth), ")");
    case 6:
      return absl::StrCat("coalesce(", Expr(want, depth), ", ", Expr(want, depth), ")");
    case 7:
      return absl::StrCat("lookup(", Expr({Kind::kMapping, want.kind}, depth), ", ", Expr({Kind::kString}, depth), ", ",
                          Expr(want, depth), ")");
    case 8:
      return absl::StrCat("try(", Expr({Kind::kSequence, want.kind}, depth), "...)");
    default:
      return Element(want.kind, depth);
  }
}

// A call whose arguments may be too few, too many, of any type, and expanded.
std::string Generator::AnyCall(int depth) {
  std::string text = Pick({"upper", "max", "contains", "startswith", "replace", "try", "can", "coalesce", "concat"});
  text += "(";
  const uint32_t count = Below(4);
  for (uint32_t n = 0; n < count; ++n) absl::StrAppend(&text, n > 0 ? ", " : "", Any(depth));
  if (count > 0 && Chance(15)) absl::StrAppend(&text, ", ", Expr({Kind::kSequence, ElementKind()}, depth), "...");
  return text + ")";
}

std::string Generator::Conditional(Want want, int depth) {
  const std::string other = Chance(15) ? Any(depth) : Chance(8) ? "null" : Expr(want, depth);
  return absl::StrCat(Expr({Kind::kBool}, depth), " ? ", Term(want, depth), " : (", other, ")");
}

// An element or attribute of something.
std::string Generator::Element(Kind kind, int depth) {
  switch (Below(6)) {
    case 0:
      return absl::StrCat(Term({Kind::kSequence, kind}, depth), "[", Pick({"0", "1", "2", "null", "\"0\"", "0.5"}),
                          "]");
    case 1:
    case 2:
      return absl::StrCat("(", Expr({Kind::kSequence, kind}, depth), ")[", Expr({Kind::kNumber}, depth), "]");
    case 3:
      return absl::StrCat("(", Expr({Kind::kMapping, kind}, depth), ")[", Expr({Kind::kString}, depth), "]");
    case 4:
      return absl::StrCat("(", Expr({Kind::kMapping, kind}, depth), ").", Pick({"a", "b", "one", "name"}));
    default:
      return absl::StrCat("element(", Expr({Kind::kSequence, kind}, depth), ", ", Expr({Kind::kNumber}, depth), ")");
  }
}

std::string Generator::Number(int depth) {
  const Want number = {Kind::kNumber};
  switch (Below(9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return absl::StrCat(Term(number, depth), Pick({" + ", " - ", " * ", " / ", " % "}), Term(number, depth));
    case 4:
      return absl::StrCat("-", Term(number, depth));
    case 5:
      return absl::StrCat("length(", Expr({Chance(50) ? Kind::kSequence : Kind::kMapping, ElementKind()}, depth), ")");
    case 6:
      return absl::StrCat(Pick({"max(", "min("}), Expr(number, depth), ", ", Expr(number, depth), ")");
    case 7:
      return absl::StrCat(Pick({"abs(", "floor(", "ceil(", "tonumber(", "upper("}), Expr(number, depth), ")");
    default:
      return absl::StrCat(Pick({"max(", "min("}), Expr({Kind::kSequence, Kind::kNumber}, depth), "...)");
  }
}

std::string Generator::String(int depth) {
  const Want string = {Kind::kString};
  switch (Below(8)) {
    case 0:
    case 1:
    case 2:
      return Template(depth);
    case 3:
      return absl::StrCat(Pick({"upper(", "lower(", "trimspace(", "tostring("}), Expr(string, depth), ")");
    case 4:
      return absl::StrCat("join(", Pick({"\",\"", "s", "\"\""}), ", ", Expr({Kind::kSequence, Kind::kString}, depth),
                          ")");
    case 5:
      return absl::StrCat("replace(", Expr(string, depth), ", \"a\", ", Expr(string, depth), ")");
    case 6:
      return absl::StrCat("jsonencode(", Any(depth), ")");
    default:
      return absl::StrCat("format(\"%s-%v\", ", Expr(string, depth), ", ", Any(depth), ")");
  }
}

std::string Generator::Comparison(int depth) {
  if (Chance(50)) {
    return absl::StrCat(Term({Kind::kNumber}, depth), Pick({" < ", " <= ", " > ", " >= "}),
                        Term({Kind::kNumber}, depth));
  }
  const Want want = {static_cast<Kind>(Below(5)), ElementKind()};
  const std::string other = Chance(10) ? "null" : Chance(10) ? Any(depth) : Expr(want, depth);
  return absl::StrCat(Term(want, depth), Pick({" == ", " != "}), "(", other, ")");
}

std::string Generator::Bool(int depth) {
  const Want boolean = {Kind::kBool};
  switch (Below(12)) {
    case 0:
    case 1:
    case 2:
      return absl::StrCat(Term(boolean, depth), Pick({" && ", " || "}), Term(boolean, depth));
    case 3: {
      const std::string op = Pick({" && ", " || "});
      return absl::StrCat(Term(boolean, depth), op, Term(boolean, depth),
                          Chance(70) ? op : " == ", Term(boolean, depth));
    }
    case 4:
      return absl::StrCat("!", Term(boolean, depth));
    case 5:
      return absl::StrCat("can(", Any(depth), ")");
    case 6:
      return absl::StrCat("contains(", Pick({"[\"a\", \"hello\"]", "[1, 7, 3]", "[true]", "[\"a\", 1, null]", "[]"}),
                          ", ", Any(depth), ")");
    case 7:
      return absl::StrCat("contains(", Expr({Kind::kSequence, Kind::kString}, depth), ", ",
                          Expr({Kind::kString}, depth), ")");
    case 8:
      return absl::StrCat(Pick({"startswith(", "endswith(", "strcontains("}), Expr({Kind::kString}, depth), ", ",
                          Expr({Kind::kString}, depth), ")");
    default:
      return Comparison(depth);
  }
}

}  // namespace hcl::testing_support
