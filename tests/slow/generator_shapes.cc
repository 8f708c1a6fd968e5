// Random expressions: those of many parts.

#include <cstdint>
#include <string>

#include "hclvm/tests/slow/generator.h"

namespace hcl::testing_support {

// A collection, template or call of so many parts that compilers do something else about it.
std::string Generator::Wide() {
  const uint32_t count = 60 + Below(12);
  const uint32_t form = Below(5);
  static constexpr const char* kOpen[] = {"[", "{", "\"", "contains([", "max("};
  static constexpr const char* kClose[] = {"]", "}", "\"", "], i)", ")"};
  std::string text = kOpen[form];
  for (uint32_t n = 0; n < count; ++n) {
    const std::string item = Chance(5) ? Any(1) : Leaf({form == 2 ? Kind::kString : Kind::kNumber});
    if (n > 0 && form != 2) text += ", ";
    if (form == 1) {
      text += "a" + std::to_string(Chance(5) ? 0 : n) + " = " + item;
    } else if (form == 2) {
      text += "-${" + item + "}";
    } else {
      text += item;
    }
  }
  return text + kClose[form];
}

// One operator, or some of a level, over up to 200 operands.
std::string Generator::Chain() {
  const bool logic = Chance(60);
  const bool mixed = Chance(20);
  const std::string op = logic ? Pick({" && ", " || "}) : Pick({" + ", " * ", " - "});
  // Few of them are false in a conjunction, and few are true in a disjunction: the others do not matter.
  const std::string dull = op == " && " ? "@N >= 0 || yes" : "@S == \"z\"";
  std::string text;
  for (uint32_t n = 0, count = 5 + Below(Chance(30) ? 200 : 20); n < count; ++n) {
    if (n > 0) text += mixed ? (logic ? Pick({" && ", " || "}) : Pick({" + ", " - "})) : op;
    std::string operand = Chance(4) ? Any(1) : Leaf({logic ? Kind::kBool : Kind::kNumber});
    if (logic && Chance(60)) operand = Fill(Chance(90) ? dull : "@b", 1);
    text += Bracketed(operand);
  }
  return text;
}

// `c ? v : c ? v : ... v`, each v of one form.
std::string Generator::Decisions(Want want, int depth) {
  static constexpr const char* kValues[] = {"@w", "@w", "{allow = @b, reason = @g}", "{a = @w}", "[@w, @b]", "@g"};
  const std::string value = Pick(kValues);
  const std::string other = Chance(15) ? Pick(kValues) : value;
  std::string text;
  for (uint32_t n = 0, count = 2 + Below(6); n < count; ++n) {
    text += Fill("@B ? ", want, depth);
    text += Fill(value, want, 1) + " : ";
  }
  return text + Fill(other, want, 1);
}

namespace {

// `text` in place of each dollar sign.
std::string Replace(const std::string& form, const std::string& text) {
  std::string result;
  for (const char c : form) {
    if (c == '$') {
      result += text;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

// `[for r in [{when = c, then = v}, ...] : r.then if r.when][0]`, in its spellings. Some elements lack what is asked
// for, or have more.
std::string Generator::RuleTable(Want want, int depth) {
  const std::string row =
      Pick({"{when = @b, then = @w}", "{when = @b, then = @w}", "{\"when\" = @b, \"then\" = @w}",
            "{when = @v != null, then = @w}", "{then = @w, when = @b, more = @a}", "{when = @S == @g, then = {a = @w}}",
            "{when = @B && @B, then = [@w]}", "{when = contains([\"a\", \"hello\"], @s), then = @w}",
            "{(@g) = 1, when = @b, then = @w}", "{when = @b, then = r}", "{when = r, then = @w}"});
  std::string rows;
  for (uint32_t n = 0, count = 1 + Below(Chance(5) ? 40 : 4); n < count; ++n) {
    const bool odd = errors_ && Chance(4);
    if (n > 0) rows += ", ";
    rows += Fill(
        odd ? Pick({"{then = @w}", "{when = @b}", "@a", "{when = @n, then = @w}", "{when = null, then = @w}"}) : row,
        want, depth);
  }
  std::string text = "[for " + Pick({"r", "r", "i, r", "r, r"}) + " in ";
  text += Replace(Pick({"[$]", "[$]", "[$]", "[$]", "concat([$], [])", "concat([], [$], [$])", "flatten([[$], [[$]]])",
                        "slice([$], 0, 1)", "slice([$, $], 1, 2)", "(true ? [$] : [])", "(false ? [] : [$, $])"}),
                  rows);
  locals_.push_back({"r", Kind::kAny});
  text += " : " + Pick({"r.then", "r.then", "r.then", "r[\"then\"]", "r", "{a = r.then}", "\"${r.then}\"", "r.nosuch"});
  text += " if " + Fill(Pick({"r.when", "r.when", "r.when", "r[\"when\"]", "!r.when", "r.when && @b", "r.when == true",
                              "@b", "try(r.when, false)", "try(r.then.a, r.when)", "can(r.then.a)", "r.when && true"}),
                        want, depth);
  locals_.pop_back();
  text += "]";
  if (Chance(60)) text += Pick({"[0]", "[0]", "[0]", "[1]", "[0].a", "[0].then", "[0].then.a", "[\"0\"]", "[*]"});
  if (Chance(15)) {
    text =
        Replace(Pick({"element($, 0)", "slice($, 0, 1)[0]", "concat($, [])[0]", "concat($, [$])", "one(slice($, 0, 1))",
                      "concat($, [1])[0]", "element(concat($, [\"d\"]), 0)", "concat($, [{a = 1}])[0].a"}),
                text);
  }
  if (Chance(30)) text = "try(" + text + Fill(", @w)", want, 1);
  return text;
}

std::string Generator::TupleLiteral(Want want, int depth) {
  std::string text = "[";
  for (uint32_t n = 0, count = Below(4); n < count; ++n) {
    if (n > 0) text += ", ";
    text += Fill("@e", want, depth);
  }
  return text + "]";
}

std::string Generator::ObjectLiteral(Want want, int depth) {
  std::string text = "{";
  for (uint32_t n = 0, count = Below(4); n < count; ++n) {
    if (n > 0) text += ", ";
    if (Chance(60)) {
      text += Pick({"a", "b", "c", "one", "name", "null", "true", "1", "\"a\"", "\"c-d\""});
    } else if (Chance(5) && errors_) {
      text += Pick({"u.name", "[1]", "null"});
    } else {
      text += Fill("(@s)", want, depth);
    }
    text += " = " + Fill("@e", want, depth);
  }
  return text + "}";
}

std::string Generator::Template(int depth) {
  std::string text = "\"";
  for (uint32_t n = 0, count = 1 + Below(3); n < count; ++n) text += TemplatePart(depth);
  return text + "\"";
}

std::string Generator::TemplatePart(int depth) {
  const Want string = {Kind::kString};
  switch (Below(8)) {
    case 0:
    case 1:
      return Pick({"a", " ", "x-", "\\u0301", "$${", "%%{", "\\n"});
    case 2: {
      std::string text = Fill("%{ if @b }", string, depth);
      text += TemplatePart(depth - 1);
      if (Chance(50)) text += "%{ else }" + TemplatePart(depth - 1);
      return text + "%{ endif }";
    }
    case 3: {
      std::string intro = ForIntro(depth);
      intro.resize(intro.size() - 3);  // without " : "
      const std::string body = TemplatePart(depth - 1);
      locals_.resize(locals_.size() - 2);
      return "%{ " + intro + " }" + body + "%{ endfor }";
    }
    case 4:
      return Fill("${~ @a ~}", string, depth);
    default:
      return Fill(Chance(70) ? "${@s}" : "${@n}", string, depth);
  }
}

}  // namespace hcl::testing_support
