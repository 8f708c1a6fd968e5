// Random programs of many parts: long lists, texts, chains, deep nesting.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {
namespace {

// `open` and `close` so many times around `inner`.
std::string Nested(const char* open, const std::string& inner, const char* close, size_t levels) {
  std::string text;
  for (size_t n = 0; n < levels; ++n) text += open;
  text += inner;
  for (size_t n = 0; n < levels; ++n) text += close;
  return text;
}

}  // namespace

// `count` items made by a random choice of forms, between commas.
std::string Programs::ManyItems(size_t count) {
  const size_t form = random_.Below(6);
  std::string text;
  for (size_t n = 0; n < count; ++n) {
    if (n > 0) text += ", ";
    switch (form) {
      case 0:
        absl::StrAppend(&text, random_.Below(count));
        break;
      case 1:
        absl::StrAppend(&text, "\"k", random_.Below(count), "\"");
        break;
      case 2:
        text += Text();
        break;
      case 3:
        absl::StrAppend(&text, "{a = ", random_.Below(9), ", b = \"", random_.Below(9), "\"}");
        break;
      case 4:
        absl::StrAppend(&text, "[", random_.Below(9), ", ", Operand('n'), "]");
        break;
      default:
        text += random_.Chance(50) ? Operand('s') : NumberLiteral();
    }
  }
  return text;
}

// Sizes that the reference still answers in milliseconds, past what is inline, short or on a fast path here.
std::string Programs::LargeExpression() {
  const size_t count = 20 + random_.Below(random_.Chance(20) ? 1500 : 200);
  const size_t levels = 10 + random_.Below(150);
  switch (random_.Below(12)) {
    case 0:
      return absl::StrCat(random_.Pick({"toset([", "distinct([", "flatten([", "tolist([", "sort([", "reverse([",
                                        "jsonencode([", "length([", "coalesce(["}),
                          ManyItems(count), "])");
    case 1:
      return absl::StrCat("[for k, v in [", ManyItems(count), "] : v if k % 3 == 1]");
    case 2:
      return absl::StrCat("{for k, v in [", ManyItems(count), "] : k % 7 => v...}");
    case 3:
      return absl::StrCat("join(\"-\", [", ManyItems(count), "])");
    case 4:
      return absl::StrCat(random_.Pick({"max(", "min(", "setunion([", "concat(["}), ManyItems(count), ")");
    case 5: {
      std::string text = Condition("", 1);
      const char* const op = random_.Pick({" && ", " || "});
      for (size_t n = 0; n < count; ++n) absl::StrAppend(&text, op, Condition("", 0));
      return text;
    }
    case 6:
      return Nested("[", "i", "]", levels);
    case 7:
      return Nested("(", Policy(), ")", levels);
    case 8:
      return Nested("{a = ", "i", "}", levels) + (random_.Chance(50) ? ".a.a.a" : "");
    case 9:
      return Nested("\"${", "s", "}\"", levels / 4);
    case 10:
      return Nested("[for x in ", "[[[[[[1]]]]]]", " : x]", 1 + levels / 20);
    default:
      return Nested("yes ? (", Operand('s'), ") : t", levels);
  }
}

// Bodies, templates and JSON of many parts; mostly expressions.
Program Programs::Large() {
  const size_t levels = 10 + random_.Below(100);
  std::string text;
  switch (random_.Below(6)) {
    case 0:
      for (size_t n = 0; n < 3 * levels; ++n)
        absl::StrAppend(&text, "a", random_.Chance(99) ? n : 0, " = ", Policy(), "\n");
      return {ProgramKind::kBody, text};
    case 1:
      return {ProgramKind::kBody, Nested("b \"l\" {\n", "a = i\n", "}\n", levels)};
    case 2:
      for (size_t n = 0; n < levels; ++n)
        absl::StrAppend(&text, "${", Operand('s'), "} %{ if ", Condition("", 0), " ~}\n  x\n%{ else }y%{ endif ~}\n");
      return {ProgramKind::kTemplate, text};
    case 3:
      return {ProgramKind::kJsonAttributes,
              absl::StrCat("{\"a\":", Nested(random_.Chance(50) ? "[" : "{\"b\":", JsonString(), "", levels),
                           std::string(levels, random_.Chance(50) ? ']' : '}'), "}")};
    default:
      return {ProgramKind::kExpr, LargeExpression()};
  }
}

}  // namespace hcl::differential
