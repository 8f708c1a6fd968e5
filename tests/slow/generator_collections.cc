// Random expressions: sequences, mappings, loops, templates.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/slow/generator.h"

namespace hcl::testing_support {

std::string Generator::TupleLiteral(Kind element, int depth) {
  std::string text = "[";
  for (uint32_t n = 0, count = Below(4); n < count; ++n) {
    absl::StrAppend(&text, n > 0 ? ", " : "", Expr({element, ElementKind()}, depth));
  }
  return text + "]";
}

std::string Generator::ObjectLiteral(Kind element, int depth) {
  std::string text = "{";
  for (uint32_t n = 0, count = Below(4); n < count; ++n) {
    if (n > 0) text += ", ";
    if (Chance(60)) {
      text += Pick({"a", "b", "c", "one", "name", "null", "true", "1", "\"a\"", "\"c-d\""});
    } else if (Chance(5) && options_.errors) {
      text += Pick({"u.name", "[1]", "null"});
    } else {
      absl::StrAppend(&text, "(", Expr({Kind::kString}, depth), ")");
    }
    absl::StrAppend(&text, " = ", Expr({element, ElementKind()}, depth));
  }
  return text + "}";
}

// "for k, v in c : ", and the names in scope; the caller removes them.
std::string Generator::ForIntro(int depth) {
  const Kind element = ElementKind();
  const bool mapping = Chance(35);
  const bool with_key = Chance(50);
  const std::string collection = Expr({mapping ? Kind::kMapping : Kind::kSequence, element}, depth);
  const std::string key = Pick({"k", "key", "x", "i"});
  const std::string value = Pick({"v", "v", "x", "s"});
  locals_.push_back({with_key ? key : value, with_key ? (mapping ? Kind::kString : Kind::kNumber) : element});
  locals_.push_back({value, element});
  return absl::StrCat("for ", with_key ? absl::StrCat(key, ", ") : "", value, " in ", collection, " : ");
}

std::string Generator::ForFilter(int depth) {
  return Chance(40) ? absl::StrCat(" if ", Expr({Kind::kBool}, depth)) : "";
}

std::string Generator::ForTuple(Kind element, int depth) {
  std::string text = absl::StrCat("[", ForIntro(depth));
  absl::StrAppend(&text, Expr({element, ElementKind()}, depth));
  absl::StrAppend(&text, ForFilter(depth), "]");
  locals_.resize(locals_.size() - 2);
  return text;
}

std::string Generator::ForObject(Kind element, int depth) {
  std::string text = absl::StrCat("{", ForIntro(depth));
  const std::string key = Chance(50) ? LocalOf(Kind::kString) : "";
  absl::StrAppend(&text, key.empty() ? Expr({Kind::kString}, depth) : key, " => ",
                  Expr({element, ElementKind()}, depth));
  absl::StrAppend(&text, Chance(50) ? "..." : "");
  absl::StrAppend(&text, ForFilter(depth), "}");
  locals_.resize(locals_.size() - 2);
  return text;
}

std::string Generator::Splat(Kind element, int depth) {
  if (options_.unknowns && Chance(10)) {
    return Pick({"uo[*].a", "ust[*]", "dyn[*]", "ut[*]", "ul[*]", "uset[*]", "lu[*]", "[ou][*].a"});
  }
  if (Chance(60)) {
    switch (element) {
      case Kind::kNumber:
        return Pick({"us[*].age", "us.*.age", "u[*].age", "[o, o][*].c[0]", "ln[*]", "i[*]"});
      case Kind::kString:
        return Pick({"us[*].name", "us.*.name", "u.*.name", "ls[*]", "s[*]", "us[0].tags[*]", "nulls[*]"});
      case Kind::kBool:
        return Pick({"us[*].admin", "us.*.admin", "[o][*].c[1]", "yes[*]", "[u, us[1]].*.admin"});
      default:
        return Pick({"us[*]", "us[*].tags", "us.*.tags[0]", "nul[*]", "us[*].tags[*]", "le[*]"});
    }
  }
  std::string source = Term({Chance(70) ? Kind::kSequence : Kind::kMapping, element}, depth);
  if (source.find(".*") != std::string::npos) source = absl::StrCat("(", source, ")");  // these do not nest
  std::string steps = Pick({"[*]", ".*", "[*].a", ".*.a", "[*].name", "[*][0]", "[*][*]", ".*.a[0]", "[*].a.b"});
  if (Chance(10)) steps = absl::StrCat("[*][", Expr({Kind::kString}, depth), "]");
  return absl::StrCat(source, steps);
}

std::string Generator::Sequence(Kind element, int depth) {
  switch (Below(8)) {
    case 0:
    case 1:
      return TupleLiteral(element, depth);
    case 2:
    case 3:
      return ForTuple(element, depth);
    case 4:
    case 5:
      return Splat(element, depth);
    default:
      return SequenceCall(element, depth);
  }
}

std::string Generator::SequenceCall(Kind element, int depth) {
  const Want sequence = {Kind::kSequence, element};
  switch (Below(9)) {
    case 0:
      return absl::StrCat("concat(", Expr(sequence, depth), ", ", Expr(sequence, depth), ")");
    case 1:
      return absl::StrCat("reverse(", Expr(sequence, depth), ")");
    case 2:
      return absl::StrCat("distinct(", Expr(sequence, depth), ")");
    case 3:
      return absl::StrCat("toset(", Expr(sequence, depth), ")");
    case 4:
      return absl::StrCat("tolist(", Expr(sequence, depth), ")");
    case 5:
      return absl::StrCat("values(", Expr({Kind::kMapping, element}, depth), ")");
    case 6:
      return absl::StrCat("keys(", Expr({Kind::kMapping, element}, depth), ")");
    case 7:
      return absl::StrCat("flatten([", Expr(sequence, depth), ", ", Expr(sequence, depth), "])");
    default:
      return absl::StrCat("split(\",\", ", Expr({Kind::kString}, depth), ")");
  }
}

std::string Generator::Mapping(Kind element, int depth) {
  switch (Below(8)) {
    case 0:
    case 1:
    case 2:
      return ObjectLiteral(element, depth);
    case 3:
    case 4:
    case 5:
      return ForObject(element, depth);
    default:
      return MappingCall(element, depth);
  }
}

std::string Generator::MappingCall(Kind element, int depth) {
  const Want mapping = {Kind::kMapping, element};
  switch (Below(4)) {
    case 0:
    case 1:
      return absl::StrCat("merge(", Expr(mapping, depth), ", ", Expr(mapping, depth), ")");
    case 2:
      return absl::StrCat("tomap(", Expr(mapping, depth), ")");
    default:
      return absl::StrCat("zipmap(", Expr({Kind::kSequence, Kind::kString}, depth), ", ",
                          Expr({Kind::kSequence, element}, depth), ")");
  }
}

std::string Generator::Template(int depth) {
  std::string text = "\"";
  for (uint32_t n = 0, count = 1 + Below(3); n < count; ++n) text += TemplatePart(depth);
  return text + "\"";
}

std::string Generator::TemplatePart(int depth) {
  switch (Below(8)) {
    case 0:
    case 1:
      return Pick({"a", " ", "x-", "\\u0301", "$${", "%%{", "\\n"});
    case 2: {
      const std::string condition = Expr({Kind::kBool}, depth);
      const std::string otherwise = Chance(50) ? absl::StrCat("%{ else }", TemplatePart(depth - 1)) : "";
      return absl::StrCat("%{ if ", condition, " }", TemplatePart(depth - 1), otherwise, "%{ endif }");
    }
    case 3: {
      std::string intro = ForIntro(depth);
      intro.resize(intro.size() - 3);  // without " : "
      const std::string body = TemplatePart(depth - 1);
      locals_.resize(locals_.size() - 2);
      return absl::StrCat("%{ ", intro, " }", body, "%{ endfor }");
    }
    case 4:
      return absl::StrCat("${~ ", Any(depth), " ~}");
    default:
      return absl::StrCat("${", Expr({Chance(70) ? Kind::kString : Kind::kNumber}, depth), "}");
  }
}

}  // namespace hcl::testing_support
