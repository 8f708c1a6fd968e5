#include "hclvm/tests/differential/classes.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "hclvm/tests/case_runner.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {
namespace {

constexpr char kNumber[] = R"({"type":"number","value":1})";
constexpr char kText[] = R"({"type":"string","value":"1"})";
constexpr char kUnknown[] = R"({"type":"dynamic","value":{"$unknown":"dynamic"}})";
constexpr char kFails[] = R"({"error":"eval","message":"Unknown variable"})";

// Our answer: JSON, or "PHASE: MESSAGE".
CaseOutcome Ours(const std::string& text) {
  CaseOutcome outcome;
  if (text[0] == '{') {
    outcome.json = text;
  } else {
    outcome.error = text.substr(0, text.find(':'));
    outcome.message = text;
  }
  return outcome;
}

struct Row {
  const char* name;  // of the class; "" for none
  Program program;
  std::string ours;
  std::string theirs;
  // What both sides say to whatever the class asks.
  std::string asked = kNumber;
};

std::string ClassName(const Row& row) {
  const Answers answers = Compare(row.program, Ours(row.ours), row.theirs);
  const AskOne ask = [&](const Program& program) {
    const bool fails = absl::StartsWith(row.asked, "{\"error\"");
    return Compare(program, Ours(fails ? "eval: fails" : row.asked), row.asked);
  };
  const DifferenceClass* found = ClassOf(answers, ask);
  return found == nullptr ? "" : found->name;
}

Program Expr(const char* source) { return {ProgramKind::kExpr, source}; }
Program Template(const char* source) { return {ProgramKind::kTemplate, source}; }

Program Body(const char* source) { return {ProgramKind::kBody, source}; }

std::string Text(const std::string& text) { return R"({"type":"string","value":")" + text + "\"}"; }
std::string Number(const std::string& digits) { return R"({"type":"number","value":)" + digits + "}"; }
std::string Error(const std::string& message) { return R"({"error":"eval","message":")" + message + "\"}"; }

const std::string& Thirds() {
  static const auto* const kThirds = new std::string("0." + std::string(153, '3'));
  return *kThirds;
}

std::vector<Row> Rows() {
  return {
      {"panic", Expr("us[*][*]"), kNumber, R"({"error":"panic"})"},
      {"panic", Expr("f(x)"), kNumber, Error("panic in function implementation: x")},
      {"limits", Expr("1e999999"), "eval: Number too long (limit max_number_digits)", kNumber},
      {"more precise", Expr("un + 1 < 5"), R"({"type":"bool","value":true})",
       R"({"type":"bool","value":{"$unknown":"bool"}})"},
      {"", Expr("un + 1 < 5"), R"({"type":"bool","value":{"$unknown":"bool"}})", R"({"type":"bool","value":true})"},
      {"early errors", Expr("ul[-1]"), "Invalid index: x", kUnknown},
      {"", Expr("ul[-1]"), "Invalid operand: x", kUnknown},
      {"early errors", Expr("flatten({a = ul})"),
       "Error in function call: Call to function \"flatten\" failed: a list, set or tuple is required", kUnknown},
      {"early errors", Expr("dyn ? contains(dyn, 1) : 1"), "Inconsistent conditional result types: x", kUnknown},
      {"early errors", Expr("lookup(1, 1, dyn)"),
       "Invalid function argument: Invalid value for \"inputMap\" parameter: a map or object is required, not a "
       "number.",
       kUnknown},
      {"early errors", Expr("{for s in [ust, o] : s => 1}"), "Incorrect key type: x", kUnknown},
      {"early conditions", Expr("[for s in ut : s if x]"), "Unknown variable: x", kUnknown},
      {"", Expr("[for s in ut : x]"), "Unknown variable: x", kUnknown},
      {"early conditions", Expr("[for x in [] : x if x ? s : 1]"), "Invalid 'for' condition: x",
       R"({"type":["tuple",[]],"value":[]})"},
      {"", Expr("[for s in [] : s if uo.b]"), "Unsupported attribute: x", kNumber},
      {"open expansion", Expr("min(h, dyn...)"), "Unknown variable: h", kUnknown},
      {"", Expr("min(h, dyn...)"), "Unknown variable: h", kNumber},
      {"open expansion", Expr("yes ? o : min(ul...)"), "Inconsistent conditional result types: x", kNumber, kUnknown},
      {"", Expr("yes ? o : min(ul...)"), "Inconsistent conditional result types: x", kNumber},
      {"", Expr("yes ? o : min(ul...)"), "Unknown variable: x", kNumber, kUnknown},
      {"try of unknown", Expr("[for v in [] : 1 if try([v])]"), "Invalid 'for' condition: x", kNumber},
      {"try of unknown", Expr("try(un ? o : 1)"), "Error in function call: x", kUnknown},
      {"ours: try with ...", Expr("try([un]...)"), kUnknown, R"({"type":"number","value":{"$unknown":"number"}})"},
      {"refused arguments", Expr("lookup(o, \"a\")"), kNumber,
       Error("Not enough function arguments: Missing value for \\\"default\\\".")},
      {"refused arguments", Expr("try(lookup(o, \"b\", null), 1)"), kText, kNumber,
       Error("Invalid value for \\\"default\\\" parameter: argument must not be null.")},
      {"", Expr("lookup(o, \"a\", 1)"), kNumber, kFails},
      {"refused arguments", Expr("contains([], null)"), kNumber,
       Error("Invalid value for \\\"value\\\" parameter: argument must not be null.")},
      {"refused arguments", Expr("coalescelist(ls, null)"), kText,
       Error("Call to function \\\"coalescelist\\\" failed: coalescelist arguments must be lists or tuples.")},
      {"", Expr("upper()"), kText, Error("Missing value for \\\"default\\\".")},
      {"logic", Expr("no && x"), kNumber, kFails, kFails},
      {"logic", {ProgramKind::kBody, "a = !(x || yes)\n"}, kNumber, kFails, kFails},
      {"logic", Expr("no && x"), kNumber, kFails, R"({"type":"bool","value":null})"},
      {"logic", Expr("no && x"), kNumber, kFails, kUnknown},
      {"", Expr("no && x"), kNumber, kFails},
      {"", Expr("no == x"), kNumber, kFails, kFails},
      {"", Expr("no && x"), "eval: x", kNumber, kFails},
      {"remainders", Expr("4.31 % 1 == 0.31"), R"({"type":"bool","value":true})", R"({"type":"bool","value":false})"},
      {"", Expr("4 % 3 == 1"), R"({"type":"bool","value":true})", R"({"type":"bool","value":false})"},
      {"", Expr("1 / 0"), "eval: Operation failed: The divisor is zero.", kNumber},
      {"remainder by infinity", Expr("7 % (1 / 0)"), kNumber, Error("can't use modulo with zero and infinity.")},
      {"namespaces", Expr("a::b()"), "eval: Call to unknown function", R"({"error":"parse"})"},
      {"negative index", Expr("element(ls, -1)"), kNumber, Error("cannot use element function with a negative index")},
      {"conversion to a type", Expr("tostring(null)"), R"({"type":"string","value":null})",
       R"({"type":"dynamic","value":null})"},
      {"conversion to a type", Expr("[for v in {} : v if tolist(v)]"), "eval: Invalid 'for' condition: x", kNumber},
      {"stream-safe text", Expr("s"), Text("x"), Text("x\u034f")},
      {"rounding", Expr("split(1, 1 / 7)"), Text("0." + std::string(99, '8') + " 42857"),
       Text("0." + std::string(99, '8') + " 429")},
      {"", Expr("upper(null)"), R"({"type":"string","value":null})", R"({"type":"dynamic","value":null})"},
      {"labels", Body("l \"a\u0301\" {}"), Text("\u00e1"), Text("a\u0301")},
      {"", Body("l \"\u00e1\" {}"), Text("\u00e1"), Text("a")},
      {"properties", {ProgramKind::kJsonAttributes, "{\"a\u0301\": 1}"}, Text("\u00e1"), Text("a\u0301")},
      {"", {ProgramKind::kJsonLiteral, "{\"\u00e1\": 1}"}, Text("\u00e1"), Text("a")},
      {"carriage return", Template("\r${1"), "parse: Missing brace", kText},
      {"", Template("\r${1"), "parse: Missing brace", kText, R"({"error":"parse"})"},
      {"", Template("\n${1"), "parse: Missing brace", kText},
      {"timestamps", Expr("timeadd(\"x\", \"1h\")"), "eval: not a timestamp as in RFC 3339", kText},
      {"replaced patterns", Expr("replace(s, \"/[/\", t)"), "eval: the pattern is invalid", kText},
      {"", Expr("replace(s, \"/\", t)"), "eval: the pattern is invalid", kText},
      {"", Expr("trim(s, \"/[/\")"), "eval: the pattern is invalid", kText},
      {"far years", Expr("timeadd(\"x\", \"1h\")"), "eval: the result is beyond the years 0 to 9999.", kText},
      {"open quote", Expr("formatdate(\"'s''\", \"x\")"), "eval: the quoted text in the format is not closed", kText},
      {"", Expr("formatdate(\"'s\", \"x\")"), "eval: the quoted text in the format is not closed", kText},
      {"doubles", Expr("pow(10, 36)"), Number("1000"), Number("1001")},
      {"", Expr("10 * 36"), Number("1000"), Number("1001")},
      {"negative zero", Expr("\"${-0}\""), Text("0"), Text("-0")},
      {"negative zero", Expr("startswith(0, -0)"), R"({"type":"bool","value":true})",
       R"({"type":"bool","value":false})"},
      {"", Expr("startswith(0, 0)"), R"({"type":"bool","value":true})", R"({"type":"bool","value":false})"},
      {"negative zero", Expr("strrev(0 * -d)"), Text("0"), Text("0-")},
      {"negative zero", Expr("1 / -0"), R"({"type":"number","value":{"$number":"+Inf"}})",
       R"({"type":"number","value":{"$number":"-Inf"}})"},
      {"negative zero", Expr("j/-0"), R"({"type":"number","value":{"$number":"-Inf"}})",
       R"({"type":"number","value":{"$number":"+Inf"}})"},
      {"", Expr("j/0"), R"({"type":"number","value":{"$number":"-Inf"}})",
       R"({"type":"number","value":{"$number":"+Inf"}})"},
      {"", Expr("\"${-1}\""), Text("1"), Text("-1")},
      {"rounding", Expr("\"${1 / 3}\""), Text(Thirds() + "333"), Text(Thirds() + "52")},
      {"rounding", Expr("\"${0.1 * 3}\""), Text("0.3"), Text("0.3" + std::string(150, '0') + "1")},
      {"rounding", Expr("format(\"%.20s\", 16.7 * d)"), Text("41.75"), Text("41.74999999999999999")},
      {"negative zero", Expr("setunion([x * 0])"), R"({"type":["set","number"],"value":[0]})",
       R"({"type":["set","number"],"value":[-0,0]})"},
      {"", Expr("\"0.3\""), Text("0.3"), Text("0.3" + std::string(150, '0') + "1")},
      {"rounding", Expr("length(a) / length(b)"), Number(Thirds()), Number("0.33333333333333333334")},
      {"", Expr("1 / 3"), Number(Thirds()), Number("0.3333333334")},
      {"ties", Expr("format(\"%f\", 7.4510625)"), Text("7.451062"), Text("7.451063")},
      {"", Expr("format(\"%f\", 7.4510625)"), Text("7.451062"), Text("7.451065")},
      {"", Expr("format(\"%f\", 7.4510625)"), Text("7.451062"), Text("7.552063")},
      {"limits", Expr("format(\"%x\", 1e367)"), "eval: the number has too many digits for this base", kText},
      {"last digits", Expr("1 % (1 / 3)"), Number("1"), Number("0")},
      {"", Expr("1 % 3"), Number("1"), Number("0")},
      {"last digits", Expr("floor(34.1 * 90)"), Number("3069"), Number("3068")},
      {"last digits", Expr("signum(15 * 4.2)"), kNumber, Error("value must be a whole number, between")},
      {"number literals", Expr("1.e3"), "parse: Invalid number literal: x", kNumber},
      {"unified elements", Expr("tolist(x)"), kNumber, Error("element types must all match for conversion to list.")},
      {"unified nulls", Expr("setproduct([o, null], [])"), "eval: all elements must have the same type.", kNumber},
      {"", Expr("tolist([o, null])"), "eval: all elements must have the same type.", kNumber},
      {"merge of null", Expr("merge(nul, [])"), "eval: the arguments must be maps or objects, not a tuple", kNumber},
      {"", Expr("merge({}, [])"), "eval: the arguments must be maps or objects, not a tuple", kNumber},
      {"prepended characters", {ProgramKind::kJsonLiteral, "{\"\u0600\": 1}"}, kNumber, R"({"error":"parse"})"},
      {"", {ProgramKind::kJsonLiteral, "{\"a\": 1}"}, kNumber, R"({"error":"parse"})"},
      {"grapheme clusters", Expr("strlen(\"\u200d\u200d\")"), Number("1"), Number("2")},
      {"grapheme clusters", Expr("strlen(\"a\u200d\")"), Number("1"), Number("2")},
      {"grapheme clusters", Expr("strlen(\"\ufffd\u0301\")"), Number("1"), Number("2")},
      {"", Expr("strlen(\"\ufffd\u0301\")"), Number("1"), Number("2"), R"({"error":"panic"})"},
      {"ours: try with ...", Expr("try(1, x, []...)"), "eval: Unknown variable", kNumber},
      {"", Expr("try(1, x)"), "eval: Unknown variable", kNumber},
      {"ours: failing branch", Expr("yes ? 1 : upper([])"), kText, kNumber, kFails},
      {"", Expr("yes ? 1 : upper(s)"), kText, kNumber},
      {"", Expr("upper([])"), kText, kNumber, kFails},
      {"", Expr("1"), Number("1"), Number("2")},
      {"", {ProgramKind::kJsonAttributes, "{}"}, kText, kNumber},
  };
}

TEST(ClassesTest, Rows) {
  std::set<std::string> seen;
  for (const Row& row : Rows()) {
    EXPECT_EQ(ClassName(row), row.name) << row.program.source;
    seen.insert(row.name);
  }
  for (const DifferenceClass& each : DifferenceClasses()) EXPECT_EQ(seen.count(each.name), 1) << each.name;
}

}  // namespace
}  // namespace hcl::differential
