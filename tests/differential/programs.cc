// Random programs: which kinds there are, expressions, templates and bodies.

#include "hclvm/tests/differential/programs.h"

#include "absl/strings/str_cat.h"

namespace hcl::differential {
namespace {

testing_support::GeneratorOptions OptionsFor(bool errors, bool unknowns) {
  testing_support::GeneratorOptions options;
  options.unknowns = unknowns;
  options.max_depth = 4;
  options.errors = errors;
  return options;
}

}  // namespace

// The reference's answers about unknown values changed with each of its versions, so few programs have some.
Programs::Programs(uint64_t seed)
    : random_(seed),
      generator_(seed ^ 0x5bf03635u, OptionsFor(true, false)),
      correct_(seed ^ 0x1ce4e5b9u, OptionsFor(false, false)),
      unknown_(seed ^ 0x94d049bbu, OptionsFor(false, true)) {}

Program Programs::Next() {
  if (random_.Below(300) == 0) return Large();
  const size_t kind = random_.Below(100);
  if (kind < 8) return {ProgramKind::kExpr, generator_.Next()};
  if (kind < 13) return {ProgramKind::kExpr, correct_.Next()};
  if (kind < 16) return {ProgramKind::kExpr, unknown_.Next()};
  if (kind < 27) return {ProgramKind::kExpr, Mixture()};
  if (kind < 38) return {ProgramKind::kExpr, Call(2)};
  if (kind < 46) return {ProgramKind::kExpr, TextCall()};
  if (kind < 54) return {ProgramKind::kExpr, NumberProgram()};
  if (kind < 64) return {ProgramKind::kExpr, Policy()};
  if (kind < 69) return {ProgramKind::kTemplate, Template()};
  if (kind < 76) return {ProgramKind::kBody, Body(2)};
  if (kind < 82) return {ProgramKind::kJsonAttributes, JsonBody()};
  if (kind < 85) return {ProgramKind::kJsonLiteral, JsonBody()};
  return Soup();
}

std::string Programs::Expression() {
  switch (random_.Below(10)) {
    case 0:
    case 1:
      return Call(1);
    case 2:
      return Mixture();
    case 3:
      return random_.Chance(50) ? TextCall() : NumberProgram();
    case 4:
      return Policy();
    case 5:
      return generator_.Next();
    default:
      return correct_.Next();
  }
}

// Texts around the parts are those that scanners have trouble with.
std::string Programs::Template() {
  std::string text;
  for (size_t n = 0, count = 1 + random_.Below(4); n < count; ++n) {
    const char* const strip_before = random_.Chance(20) ? "~" : "";
    const char* const strip_behind = random_.Chance(20) ? "~" : "";
    switch (random_.Below(8)) {
      case 0:
      case 1:
        text +=
            random_.Pick({" ", "\n", "  x\n", "a", "\\n", "\"", "é", "$", "%", "$$", "$${", "%%{", "}", "\r\n", "\t"});
        break;
      case 2:
        absl::StrAppend(&text, "%{", strip_before, " if ", Expression(), " ", strip_behind, "}",
                        random_.Pick({"a", " b ", "\n"}), random_.Chance(50) ? "%{ else ~} c\n" : "", "%{ endif }");
        break;
      case 3:
        absl::StrAppend(&text, "%{", strip_before, " for v in ", Expression(), " ", strip_behind,
                        "} ${v} \n%{~ endfor }");
        break;
      default:
        absl::StrAppend(&text, "${", strip_before, Expression(), strip_behind, "}");
    }
  }
  return text;
}

std::string Programs::Heredoc() {
  const char* const name = random_.Pick({"EOT", "E", "é"});
  std::string text = absl::StrCat(random_.Chance(50) ? "<<-" : "<<", name, random_.Chance(5) ? "\r\n" : "\n");
  for (size_t n = random_.Below(5); n > 0; --n) {
    for (size_t blanks = random_.Below(4); blanks > 0; --blanks) text += random_.Chance(90) ? " " : "\t";
    if (random_.Chance(80))
      text += random_.Pick({"x", "\"", "\\n", "$${", "EO", "${s} y", "", "  ", "é", "%{ if yes ~}"});
    if (random_.Chance(30)) absl::StrAppend(&text, "${", random_.Chance(20) ? "~" : "", Expression(), "}");
    text += random_.Chance(5) ? "\r\n" : "\n";
    if (random_.Chance(10))
      text += random_.Pick({"  %{ endif }\n", "%{ endif ~}\n", "%{ for v in ls }\n", "%{ endfor }\n"});
  }
  for (size_t blanks = random_.Below(4); blanks > 0; --blanks) text += " ";
  return text + name;
}

std::string Programs::Attribute(int depth) {
  std::string text = random_.Pick({"a", "b", "c", "d", "e", "for", "null", "true", "x-y", "é", "in", "_a", "a1"});
  absl::StrAppend(&text, random_.Pick({" = ", "=", "  =\t"}));
  absl::StrAppend(&text, depth > 0 && random_.Chance(15) ? Heredoc() : Expression());
  absl::StrAppend(&text, random_.Chance(10) ? random_.Pick({" # c", " // c", " /* c */", " /* c\n */", "\r"}) : "",
                  "\n");
  return text;
}

std::string Programs::Block(int depth) {
  std::string text = random_.Pick({"b", "c", "block", "for", "é"});
  for (size_t n = random_.Below(3); n > 0; --n) {
    text += random_.Pick(
        {" \"l\"", " l", " \"a b\"", " \"é\\n\"", " \"\"", " null", " \"$${a}\"", "\"x\"", " \"a\\u0301\""});
  }
  if (random_.Chance(20))
    return text + random_.Pick({" {}\n", "{ }\n", " { a = 1 }\n", " { a = [1,\n 2] }\n", " { a = 1, b = 2 }\n"});
  return absl::StrCat(text, " {", random_.Chance(10) ? " # c" : "", "\n", Body(depth - 1), "}\n");
}

std::string Programs::Body(int depth) {
  std::string text;
  for (size_t n = random_.Below(4); n > 0; --n) {
    if (random_.Chance(10)) text += random_.Pick({"\n", "# c\n", "/* c */", "/* c\n\n*/\n", "// \n", "\r\n", "   "});
    text += depth > 0 && random_.Chance(35) ? Block(depth) : Attribute(depth);
  }
  return text;
}

}  // namespace hcl::differential
