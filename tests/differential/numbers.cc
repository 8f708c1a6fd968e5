// Random numbers of all sizes, and arithmetic with them.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {

std::string Programs::Digits(size_t most) {
  std::string text;
  for (size_t n = 1 + random_.Below(most); n > 0; --n) text += static_cast<char>('0' + random_.Below(10));
  const size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? "0" : text.substr(first);
}

std::string Programs::NumberLiteral() {
  switch (random_.Below(8)) {
    case 0:
      return random_.Pick({"0", "1", "2", "9223372036854775807", "9223372036854775808", "18446744073709551616",
                           "4503599627370497", "0.5", "1e15", "99", "100", "1000000007"});
    case 1:
      return Digits(40);
    case 2:
      return absl::StrCat(Digits(4), ".", Digits(6));
    case 3:
      return absl::StrCat(Digits(3), random_.Pick({"e", "E", "e+", "e-"}), Digits(2));
    case 4:
      // Halves, quarters and so on are exact in binary, too.
      return absl::StrCat(Digits(18), random_.Pick({".5", ".25", ".125", ".0625", ".75"}));
    default:
      return Digits(1 + random_.Below(19));
  }
}

// Every operand is in parentheses, so that levels of operators do not decide what is asked.
std::string Programs::Arithmetic(int depth) {
  if (depth == 0 || random_.Chance(15))
    return random_.Chance(15) ? random_.Pick({"i", "j", "k", "d", "big", "num"}) : NumberLiteral();
  const std::string a = Arithmetic(depth - 1);
  switch (random_.Below(12)) {
    case 0:
      return absl::StrCat("-(", a, ")");
    case 1:
      return absl::StrCat(random_.Pick({"abs(", "ceil(", "floor(", "int(", "signum(", "tonumber(", "(", "0 - ("}), a,
                          ")");
    case 2:
      return absl::StrCat(random_.Pick({"max(", "min("}), a, ", ", Arithmetic(depth - 1), ")");
    case 3:
      return absl::StrCat("(", a, ") / ", random_.Pick({"2", "4", "1024", "0.5", "-8", "3", "7", "10"}));
    case 4:
      return absl::StrCat("(", a, ") % ", random_.Pick({"2", "3", "10", "7", "-3", "0.5", "1000003", "2.5"}));
    default:
      return absl::StrCat("(", a, ")", random_.Pick({" + ", " - ", " * ", " * ", " - "}), "(", Arithmetic(depth - 1),
                          ")");
  }
}

// What compares, prints and reads numbers.
std::string Programs::NumberProgram() {
  const std::string a = Arithmetic(3);
  switch (random_.Below(12)) {
    case 0:
      return absl::StrCat("(", a, ")", random_.Pick({" < ", " <= ", " == ", " != ", " > ", " >= "}), "(", Arithmetic(2),
                          ")");
    case 1:
      return absl::StrCat("\"${", a, "}\"");
    case 2:
      return absl::StrCat("format(\"%", random_.Pick({"", "+", "0", "-", " ", "#"}), random_.Pick({"", "5", "20"}),
                          random_.Pick({"", "", ".0", ".3", ".20"}),
                          random_.Pick({"d", "f", "e", "g", "v", "b", "o", "x", "X", "s", "G"}), "\", ", a, ")");
    case 3:
      return absl::StrCat("tonumber(\"", a, "\")");
    case 4:
      return absl::StrCat("tonumber(\"", random_.Pick({"", "-", "+", " "}), NumberLiteral(),
                          random_.Pick({"", "", "e3", ".", " ", "0", "_"}), "\")");
    case 5:
      return absl::StrCat("parseint(\"", random_.Pick({"", "-", "+"}), Digits(20),
                          random_.Pick({"", "a", "F", "z", "Z"}), "\", ",
                          random_.Pick({"10", "16", "36", "2", "62", "8"}), ")");
    case 6:
      return absl::StrCat("jsonencode([", a, "])");
    case 7:
      return absl::StrCat("jsondecode(\"[", NumberLiteral(), ", -", NumberLiteral(), "]\")");
    case 8:
      return absl::StrCat("toset([", a, ", ", Arithmetic(1), ", ", Arithmetic(1), "])");
    case 9:
      return absl::StrCat("[10, 11, 12][", Arithmetic(1), "]");
    default:
      return a;
  }
}

}  // namespace hcl::differential
