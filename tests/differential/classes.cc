// The classes of differences.

#include "hclvm/tests/differential/classes.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/case_runner.h"
#include "hclvm/tests/compare_typed.h"
#include "hclvm/tests/differential/program_tree.h"
#include "hclvm/tests/json_tree.h"

namespace hcl::differential {
namespace {

template <typename Node, typename Test>
bool Any(const Answers& a, const Test& test) {
  const ProgramTree tree(a.program);
  for (const Expr* node : tree.Nodes()) {
    if (node->kind == Node::kKind && test(As<Node>(*node))) return true;
  }
  return false;
}

bool HasOperator(const Answers& a, bool (*test)(BinaryOp)) {
  return Any<BinaryExpr>(a, [&](const BinaryExpr& e) { return test(e.op); });
}

bool Calls(const Answers& a, std::string_view name) {
  return Any<CallExpr>(a, [&](const CallExpr& e) { return e.name == name; });
}

bool Says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool HasBinary(const Answers& a, BinaryOp op) {
  return Any<BinaryExpr>(a, [&](const BinaryExpr& e) { return e.op == op; });
}

bool IsPartOfNumber(char c) { return absl::ascii_isdigit(c) || c == '.'; }

// Whether `theirs` is `ours` with a minus before some zeros, where there may be a blank or plus.
bool DiffersInSignsOfZeros(std::string_view ours, std::string_view theirs) {
  size_t at = 0;
  for (size_t their_at = 0; their_at < theirs.size(); ++their_at) {
    const bool same = at < ours.size() && ours[at] == theirs[their_at];
    if (!same && theirs.substr(their_at, 2) != "-0") return false;
    const bool other_sign = at < ours.size() && (ours[at] == ' ' || ours[at] == '+');
    at += same || other_sign ? 1 : 0;
  }
  return at == ours.size();
}

// Numbers of very many digits, also those in a text, are rounded.
std::string WithRoundedNumbers(const std::string& json, int digits_kept = 60) {
  std::string result;
  for (size_t at = 0; at < json.size();) {
    size_t end = at;
    while (end < json.size() && IsPartOfNumber(json[end])) ++end;
    const std::string digits = json.substr(at, end - at);
    result += absl::ascii_isdigit(digits.empty() ? ' ' : digits[0]) ? RoundedDecimal(digits, digits_kept) : digits;
    if (end < json.size()) result += json[end];
    at = end + 1;
  }
  return result;
}

bool HasManyDigits(const std::string& json) {
  size_t digits = 0;
  for (const char c : json) {
    digits = IsPartOfNumber(c) ? digits + 1 : 0;
    if (digits > 100) return true;
  }
  return false;
}

bool Panics(const Answers& a, const AskOne&) {
  return a.difference == Difference::kPanic || Says(a.TheirMessage(), "panic in function implementation");
}

bool IsLimit(const Answers& a, const AskOne&) {
  return Says(a.ours.message, "(limit max_") || Says(a.ours.message, "too many digits for this base");
}

bool HasUnknown(const Answers& a) { return Says(a.theirs_text, "\"$unknown\""); }

bool IsMorePrecise(const Answers& a, const AskOne&) {
  JsonTree ours;
  CompareOptions options;
  options.accept_known = true;
  options.digits = kSameDigits;
  return HasUnknown(a) && ParseJsonTree(a.ours.json, &ours) && SameResultTree(ours, a.theirs, options);
}

bool IsEarlyError(const Answers& a, const AskOne&) {
  const std::string& message = a.ours.message;
  return HasUnknown(a) &&
         (absl::StartsWith(message, "Invalid index") || absl::StartsWith(message, "Unsupported attribute") ||
          absl::StartsWith(message, "Invalid 'for' condition") || absl::StartsWith(message, "Incorrect key type") ||
          absl::StartsWith(message, "Inconsistent conditional result types") ||
          Says(message, "Call to function \"flatten\" failed: a list") ||
          Says(message, "parameter: a map or object is required"));
}

// The condition of a loop is tried with unknown elements, before the loop runs: it fails here, and theirs is unknown.
bool IsEarlyCondition(const Answers& a, const AskOne& ask) {
  if (a.ours.error.empty() || !a.TheirError().empty()) return false;
  if (HasUnknown(a)) {
    const bool reads_unknown = absl::StartsWith(a.ours.message, "Unknown variable");
    return reads_unknown && Any<ForExpr>(a, [](const ForExpr& e) { return e.condition != nullptr; });
  }
  // No element decides whether it suits.
  const bool is_empty = Says(a.theirs_text, "\"value\":[]") || Says(a.theirs_text, "\"value\":{}");
  if (is_empty && absl::StartsWith(a.ours.message, "Invalid 'for' condition")) return true;
  const ProgramTree tree(a.program);
  for (const Expr* node : tree.Nodes()) {
    if (node->kind != ExprKind::kFor || As<ForExpr>(*node).condition == nullptr) continue;
    const Answers alone = ask({ProgramKind::kExpr, tree.Text(*As<ForExpr>(*node).condition)});
    if (!alone.ours.error.empty() && HasUnknown(alone)) return true;
  }
  return false;
}

// The reference does not look at the arguments before a list of unknown length, nor at the type of such a call.
bool IsOpenExpansion(const Answers& a, const AskOne& ask) {
  if (a.ours.error.empty() || !Any<CallExpr>(a, [](const CallExpr& e) { return e.expand_last; })) return false;
  if (HasUnknown(a)) return true;
  if (!absl::StartsWith(a.ours.message, "Inconsistent conditional result types")) return false;
  const ProgramTree tree(a.program);
  for (const Expr* node : tree.Nodes()) {
    if (node->kind != ExprKind::kCall || !As<CallExpr>(*node).expand_last) continue;
    if (HasUnknown(ask({ProgramKind::kExpr, tree.Text(*node)}))) return true;
  }
  return false;
}

// The element with which the condition of a loop is tried is unknown as well.
bool IsTryOfUnknown(const Answers& a, const AskOne&) {
  const bool reads_unknown = HasUnknown(a) || absl::StartsWith(a.ours.message, "Invalid 'for' condition");
  return reads_unknown && (Calls(a, "try") || Calls(a, "can"));
}

// One side decides, and the other one fails, or is a null or unknown.
bool IsLogic(const Answers& a, const AskOne& ask) {
  if (!a.ours.error.empty()) return false;
  const ProgramTree tree(a.program);
  for (const Expr* node : tree.Nodes()) {
    if (node->kind != ExprKind::kBinary || !IsLogical(As<BinaryExpr>(*node).op)) continue;
    for (const Expr* side : {As<BinaryExpr>(*node).lhs, As<BinaryExpr>(*node).rhs}) {
      const Answers alone = ask({ProgramKind::kExpr, tree.Text(*side)});
      const JsonTree* const value = alone.theirs.Find("value");
      if (value == nullptr || value->is_null() || HasUnknown(alone)) return true;
    }
  }
  return false;
}

bool IsModuloOfInfinity(const Answers& a, const AskOne&) {
  return Says(a.TheirMessage(), "can't use modulo with zero and infinity");
}

bool IsNamespace(const Answers& a, const AskOne&) { return a.TheirError() == "parse" && Says(a.program.source, "::"); }

bool IsDouble(const Answers& a, const AskOne&) {
  return a.difference == Difference::kValue && (Calls(a, "pow") || Calls(a, "log"));
}

// The sides agree about the program with this source instead.
bool GoneWith(const Answers& a, const AskOne& ask, const std::string& source) {
  return source != a.program.source && ask({a.program.kind, source}).difference == Difference::kNone;
}

bool IsNegativeZero(const Answers& a, const AskOne& ask) {
  if (a.difference != Difference::kValue) return false;
  if (DiffersInSignsOfZeros(a.ours.json, a.theirs_text)) return true;
  // Blanks fill up a width.
  const std::string ours = absl::StrReplaceAll(a.ours.json, {{" ", ""}});
  if (DiffersInSignsOfZeros(ours, absl::StrReplaceAll(a.theirs_text, {{" ", ""}}))) return true;
  // Its sign counts as a character.
  if (Calls(a, "strlen") && Says(a.program.source, "-0")) return true;
  // It may stand behind the zero.
  if (Calls(a, "strrev") && Says(a.theirs_text, "0-") && !Says(a.ours.json, "-")) return true;
  // Zeros fill it up, too.
  if (Calls(a, "format") && Says(a.theirs_text, "-0") && !Says(a.ours.json, "-")) return true;
  // Functions of texts see the sign of an argument, and quotients that of a divisor.
  const std::string& source = a.program.source;
  const std::string positive =
      absl::StrReplaceAll(source, {{"(-0", "(0"}, {", -0", ", 0"}, {",-0", ",0"}, {"/ -0", "/ 0"}, {"/-0", "/0"}});
  if (GoneWith(a, ask, positive)) return true;
  // In a set it stands beside the zero.
  if (absl::StrReplaceAll(a.theirs_text, {{"-0,0", "0"}}) == a.ours.json) return true;
  // As a key it also stands at another place.
  if (Says(a.theirs_text, "\"-0\"") && !Says(a.ours.json, "\"-0\"")) return true;
  return HasBinary(a, BinaryOp::kDivide) && Says(a.theirs_text, "\"-Inf\"") && Says(a.ours.json, "\"+Inf\"");
}

// Remainders show what is left of the digits that a binary number has not.
bool IsRemainder(const Answers& a, const AskOne&) {
  const std::string& source = a.program.source;
  const bool is_exact = source.find('.') == std::string::npos && !Says(source, "e") && !Says(source, "E");
  return a.difference == Difference::kValue && HasBinary(a, BinaryOp::kModulo) && !is_exact;
}

// The digits of `json` and nothing else.
std::string DigitsOf(const std::string& json) {
  std::string digits;
  for (const char c : json) {
    if (absl::ascii_isdigit(c)) digits += c;
  }
  return digits;
}

// Numbers that Go makes of integers have 64 bits, also when they are divided.
bool IsRounding(const Answers& a, const AskOne&) {
  if (a.difference != Difference::kValue || !(HasOperator(a, IsArithmetic) || Calls(a, "range"))) return false;
  if (WithRoundedNumbers(a.ours.json) == WithRoundedNumbers(a.theirs_text)) return true;
  // Also where `format` shows no more than the first digits.
  const bool is_near = WithRoundedNumbers(a.ours.json, 15) == WithRoundedNumbers(a.theirs_text, 15);
  if (Calls(a, "format") && is_near) return true;
  // Also where only the first digits are shown.
  if (Calls(a, "format") && Says(a.theirs_text, "99999999999")) return true;
  // In a text the next digits follow, or the number is taken apart.
  if (HasManyDigits(a.theirs_text)) return true;
  const std::string ours = DigitsOf(a.ours.json);
  if (ours.size() > 100 && DigitsOf(a.theirs_text).compare(0, 80, ours, 0, 80) == 0) return true;
  return HasBinary(a, BinaryOp::kDivide) &&
         Compare(a.program, a.ours, a.theirs_text, 18).difference == Difference::kNone;
}

// A half, which is a tie to us, is a bit more or less in binary: one digit differs by one.
bool IsTie(const Answers& a, const AskOne&) {
  const std::string& ours = a.ours.json;
  if (a.difference != Difference::kValue || !Calls(a, "format") || ours.size() != a.theirs_text.size()) return false;
  const auto [our_digit, their_digit] = std::mismatch(ours.begin(), ours.end(), a.theirs_text.begin());
  if (!absl::ascii_isdigit(*our_digit) || std::abs(*our_digit - *their_digit) != 1) return false;
  return std::equal(our_digit + 1, ours.end(), their_digit + 1);
}

bool IsLastDigits(const Answers& a, const AskOne&) {
  const std::string theirs = a.TheirMessage();
  const bool whole = Says(theirs, "an integer is required") || Says(theirs, "must be a whole number") ||
                     Says(a.ours.message, "whole number is required");
  if (whole && HasOperator(a, IsArithmetic)) return true;
  if (a.difference != Difference::kValue || !HasOperator(a, IsArithmetic)) return false;
  if (Calls(a, "ceil") || Calls(a, "floor") || Calls(a, "int")) return true;
  return HasBinary(a, BinaryOp::kDivide) && HasBinary(a, BinaryOp::kModulo);
}

bool IsMergeOfNull(const Answers& a, const AskOne&) {
  return Says(a.ours.message, "the arguments must be maps or objects") && a.TheirError().empty() &&
         Says(a.program.source, "nul");
}

// The condition of a loop is tried with an element of no type, of which tolist(v) has one here.
bool IsOfDynamicType(const Answers& a, const AskOne&) {
  if (!Any<CallExpr>(a, [](const CallExpr& e) { return e.name.substr(0, 2) == "to"; })) return false;
  return Says(a.theirs_text, "\"type\":\"dynamic\"") || Says(a.ours.message, "Invalid 'for' condition");
}

bool IsStreamSafe(const Answers& a, const AskOne&) {
  return a.difference == Difference::kValue && Says(a.theirs_text, "\u034f") && !Says(a.program.source, "\u034f");
}

bool IsNegativeIndex(const Answers& a, const AskOne&) {
  return Calls(a, "element") && Says(a.TheirMessage(), "with a negative index");
}

// Several zero width joiners, which no text has, and marks behind the replacement character.
bool IsGrapheme(const Answers& a, const AskOne& ask) {
  return GoneWith(a, ask, absl::StrReplaceAll(a.program.source, {{"\u200d\u200d", "\u200d"}, {"\ufffd", "a"}})) ||
         GoneWith(a, ask, absl::StrReplaceAll(a.program.source, {{"\u200d", ""}}));
}

bool IsJson(const Program& program) {
  return program.kind == ProgramKind::kJsonAttributes || program.kind == ProgramKind::kJsonLiteral;
}

bool AgreesInNormalForm(const Answers& a) {
  return Compare(a.program, a.ours, internal::ToNfc(a.theirs_text)).difference == Difference::kNone;
}
bool IsLabel(const Answers& a, const AskOne&) { return a.program.kind == ProgramKind::kBody && AgreesInNormalForm(a); }
bool IsProperty(const Answers& a, const AskOne&) { return IsJson(a.program) && AgreesInNormalForm(a); }

bool IsCarriageReturn(const Answers& a, const AskOne& ask) {
  return GoneWith(a, ask, absl::StrReplaceAll(a.program.source, {{"\r", ""}}));
}

// U+0600 makes one character with the quote behind it.
bool IsPrepended(const Answers& a, const AskOne& ask) {
  const std::string without = absl::StrReplaceAll(a.program.source, {{"\u0600", ""}});
  if (!IsJson(a.program) || without == a.program.source) return false;
  const Answers answers = ask({a.program.kind, without});
  return answers.difference == Difference::kNone || AgreesInNormalForm(answers);
}

bool IsTimestamp(const Answers& a, const AskOne&) {
  return Says(a.ours.message, "not a timestamp as in RFC 3339") && a.theirs_text.find("\"error\"") == std::string::npos;
}

bool IsReplacedPattern(const Answers& a, const AskOne&) {
  const size_t begin = a.program.source.find("\"/");
  if (begin == std::string::npos || !Calls(a, "replace")) return false;
  return a.program.source.find("/\"", begin + 3) != std::string::npos;
}

bool IsFarYear(const Answers& a, const AskOne&) { return Says(a.ours.message, "beyond the years 0 to 9999"); }

bool IsOpenQuote(const Answers& a, const AskOne&) {
  return Says(a.ours.message, "the quoted text in the format is not closed") && Says(a.program.source, "''");
}

bool IsNumberLiteral(const Answers& a, const AskOne&) {
  return Says(a.ours.message, "Invalid number literal") && a.TheirError() != "parse";
}

bool IsUnifiedElement(const Answers& a, const AskOne&) {
  return a.ours.error.empty() && Says(a.TheirMessage(), "types must all match for conversion to");
}

bool IsUnifiedNull(const Answers& a, const AskOne&) {
  return Says(a.ours.message, "all elements must have the same type") && a.TheirError().empty() &&
         (Calls(a, "setproduct") || Calls(a, "setunion"));
}

bool IsExpandedTry(const Answers& a, const AskOne&) {
  return (!a.ours.error.empty() || Says(a.ours.json, "\"$unknown\"")) &&
         Any<CallExpr>(a, [](const CallExpr& e) { return e.expand_last && (e.name == "try" || e.name == "can"); });
}

// A call of `lookup` or `contains` that the reference's library does not take, when it stands alone.
bool IsRefusedArgument(const Answers& a, const AskOne& ask) {
  const auto refuses = [](const CallExpr& call, const std::string& message) {
    const auto refuses_null = [&](const char* parameter) {
      return Says(message, "Invalid value for \"" + std::string(parameter) + "\" parameter: argument must not be null");
    };
    if (call.name == "contains") return refuses_null("value");
    if (call.name == "coalescelist") return Says(message, "coalescelist arguments must be lists or tuples");
    if (call.name != "lookup") return false;
    return Says(message, "Missing value for \"default\"") || refuses_null("default");
  };
  const ProgramTree tree(a.program);
  for (const Expr* node : tree.Nodes()) {
    if (node->kind != ExprKind::kCall) continue;
    const auto& call = As<CallExpr>(*node);
    if (refuses(call, a.TheirMessage())) return true;
    if (refuses(call, ask({ProgramKind::kExpr, tree.Text(call)}).TheirMessage())) return true;
  }
  return false;
}

// A branch that fails when it stands alone.
bool IsFailingBranch(const Answers& a, const AskOne& ask) {
  const ProgramTree tree(a.program);
  for (const Expr* node : tree.Nodes()) {
    if (node->kind != ExprKind::kConditional) continue;
    for (const Expr* branch : {As<ConditionalExpr>(*node).if_true, As<ConditionalExpr>(*node).if_false}) {
      if (!ask({ProgramKind::kExpr, tree.Text(*branch)}).TheirError().empty()) return true;
    }
  }
  return false;
}

constexpr DifferenceClass kClasses[] = {
    {"panic", "The reference panics, or does not end.", Panics},
    {"limits", "We have limits, and the reference has none.", IsLimit},
    {"more precise", "docs/language.md: we know more of unknown values.", IsMorePrecise},
    {"early errors", "docs/language.md: what is wrong with all values is an error for an unknown one.", IsEarlyError},
    {"early conditions", "docs/language.md: what no element can mend is an error before a loop runs.",
     IsEarlyCondition},
    {"open expansion",
     "Errors of arguments before a list of unknown length are reported here, and the call has its function's type.",
     IsOpenExpansion},
    {"logic", "The reference evaluates both sides of `&&` and `||`. Later versions do as we do.", IsLogic},
    {"remainder by infinity", "`x % (1 / 0)` is an error in the reference. Later versions answer it.",
     IsModuloOfInfinity},
    {"namespaces", "Names of functions such as a::b came with later versions.", IsNamespace},
    {"negative index", "`element` with a negative index came with later versions.", IsNegativeIndex},
    {"conversion to a type", "`tostring(x)` has no type in the reference where x has none. Later versions give it one.",
     IsOfDynamicType},
    {"carriage return",
     "What stands behind a lone carriage return on its line is text for the reference's scanner, and of `$` before a "
     "line end `~` leaves the carriage return.",
     IsCarriageReturn},
    {"properties",
     "docs/language.md: names are in normal form. The reference leaves those of attributes in JSON as they are.",
     IsProperty},
    {"labels", "Labels of blocks are names, in normal form. The reference leaves quoted ones as they are.", IsLabel},
    {"prepended characters", "The reference's JSON overlooks a quote that is part of a grapheme cluster.", IsPrepended},
    {"timestamps", "Ours are strictly those of RFC 3339.", IsTimestamp},
    {"replaced patterns", "docs/functions.md: `replace` takes a part in slashes as a pattern.", IsReplacedPattern},
    {"refused arguments",
     "docs/functions.md: `lookup` needs no default, and takes null for it, as `contains` does. `coalescelist` passes "
     "null.",
     IsRefusedArgument},
    {"far years", "Timestamps of RFC 3339 end with the year 9999.", IsFarYear},
    {"open quote", "`formatdate` of the reference overlooks that a quote is not closed behind ''.", IsOpenQuote},
    {"doubles", "The reference computes pow and log in doubles. Ours are exact powers, or the shortest decimal form.",
     IsDouble},
    {"negative zero", "Our numbers are decimals, in which -0 is 0.", IsNegativeZero},
    {"rounding", "The reference's numbers are binary with 512 bits. The last digits differ.", IsRounding},
    {"ties", "The same, where `format` rounds to even what ends with a 5.", IsTie},
    {"remainders", "The same, where the remainder is of a fraction or of a number beyond 512 bits.", IsRemainder},
    {"last digits", "The same, where the last digits decide.", IsLastDigits},
    {"number literals", "The specification wants digits behind a point. The reference takes 1.e3.", IsNumberLiteral},
    {"unified elements", "To a list of any type the reference converts elements of one type. We unify their types.",
     IsUnifiedElement},
    {"unified nulls", "docs/language.md: a null without a type does not unify with an object in `setproduct`.",
     IsUnifiedNull},
    {"merge of null", "`merge(null, 1)` looks at no type behind a null without a type.", IsMergeOfNull},
    {"grapheme clusters", "The reference's have a joiner behind a joiner or a letter, and none of U+FFFD with a mark.",
     IsGrapheme},
    {"stream-safe text", "Go's NFC puts U+034F behind 30 marks.", IsStreamSafe},
    {"ours: try with ...", "try(a, b...) evaluates all of a and b first, and what is unknown has no type.",
     IsExpandedTry},
    {"try of unknown", "docs/language.md: `try` looks at what an expression yields, not at its variables.",
     IsTryOfUnknown},
    {"ours: failing branch", "The type of a branch that fails and is not taken.", IsFailingBranch},
};

}  // namespace

absl::Span<const DifferenceClass> DifferenceClasses() { return kClasses; }

const DifferenceClass* ClassOf(const Answers& answers, const AskOne& ask) {
  for (const DifferenceClass& each : kClasses) {
    if (each.holds(answers, ask)) return &each;
  }
  return nullptr;
}

}  // namespace hcl::differential
