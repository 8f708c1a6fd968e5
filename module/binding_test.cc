// Binding: what is given for the variables of a module, and what they are when it runs.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Declared(const std::string& declaration) {
  return absl::StrCat("variable \"v\" {\n  ", declaration, "\n}\nx = v\n");
}

constexpr char kUnsuitable[] = "m.hcl:1:10 HCL3122 The value of the variable \"v\" does not fit its declaration: ";

TEST(BindingTest, ConvertsToDeclaredTypes) {
  struct Case {
    const char* declaration;
    const char* given;
    std::string value;
  };
  const std::string wrong = kUnsuitable;
  for (const auto& [declaration, given, value] : std::vector<Case>{
           {"type = number", "5", "5"},
           {"type = number", "\"5\"", "5"},
           {"type = number", "\"x\"", wrong + "v: a number is required, and this text is none.\n"},
           {"type = string", "5", "\"5\""},
           {"type = string", "true", "\"true\""},
           {"type = bool", "\"true\"", "true"},
           {"type = bool", "1", wrong + "v: a bool is required, not a number.\n"},
           {"type = list(string)", "[1, \"b\"]", R"(["1","b"])"},
           {"type = list(string)", "[1, null]", wrong + "v[1] must not be null.\n"},
           {"type = set(string)", "[\"b\", \"a\", \"b\"]", R"(["a","b"])"},
           {"type = map(number)", R"({"a": 1, "b": "2"})", R"({"a":1,"b":2})"},
           {"type = map(number)", R"({"a": 1, "b": null})", wrong + "v[\"b\"] must not be null.\n"},
           {"type = object({a = number})", R"({"a": "1", "b": 2})", R"({"a":1})"},
           {"type = object({a = number})", R"({"b": 2})", wrong + "v.a is missing.\n"},
           {"type = object({a = number})", R"({"a": null})", wrong + "v.a must not be null.\n"},
           {"type = object({a = optional(number)})", "{}", R"({"a":null})"},
           {"type = object({a = optional(number)})", R"({"a": null})", R"({"a":null})"},
           {"type = object({a = optional(number, 3)})", R"({"a": null})", R"({"a":3})"},
           {"type = object({a = optional(number, 3)})", "{}", R"({"a":3})"},
           {"type = object({a = optional(list(string))})", R"({"a": [null]})", wrong + "v.a[0] must not be null.\n"},
           {"type = list(object({a = string, b = optional(string)}))", R"([{"a": 1}, {"a": "x", "b": 2}])",
            R"([{"a":"1","b":null},{"a":"x","b":"2"}])"},
           {"type = list(object({a = string}))", R"([{"a": 1}, {"a": null}])", wrong + "v[1].a must not be null.\n"},
           {"type = tuple([string, number])", "[1, 2]", R"(["1",2])"},
           {"type = tuple([string, number])", "[1]", wrong + "v: a tuple of 2 elements is required, not of 1.\n"},
           {"type = any", R"({"a": null})", R"({"a":null})"},
           {"", "[1, null]", "[1,null]"},
           {"", "null", wrong + "v must not be null.\n"},
           {"sensitive = true", "null",
            wrong + "a value that is not null is required. It is sensitive, so that no more is said.\n"},
           {"nullable = true", "null", "null"},
           {"type = string\n  nullable = true", "null", "null"},
           {"type = string\n  default = \"d\"", "null", "\"d\""},
           {"type = string\n  default = \"d\"\n  nullable = true", "null", "null"},
           {"type = number\n  default = null", "null", "null"},
           {"type = number\n  default = null", "\"5\"", "5"},
           {"type = list(string)\n  default = null", "[null]", wrong + "v[0] must not be null.\n"},
           {"default = null", "null", "null"},
       }) {
    EXPECT_EQ(ValueOf(OneFile(Declared(declaration)), "x", absl::StrCat("{\"v\": ", given, "}")), value)
        << declaration << " of " << given;
  }
}

TEST(BindingTest, AsksForWhatAnEntryReads) {
  const std::string text =
      "variable \"a\" {\n  type = number\n}\nvariable \"b\" {\n  type = number\n}\nvariable \"c\" {\n  default = 7\n}\n"
      "locals {\n  l = b\n}\nx = a\ny = true ? 1 : local.l\nz = c\n";
  EXPECT_EQ(ValueOf(OneFile(text), "x", R"({"a": 1})"), "1");
  EXPECT_EQ(ValueOf(OneFile(text), "z", "{}"), "7");
  EXPECT_EQ(ValueOf(OneFile(text), "x", "{}"),
            "m.hcl:1:10 HCL3121 The module needs a value for the variable \"a\" (number), and none is given.\n");
  EXPECT_EQ(ValueOf(OneFile(text), "", R"({"a": []})"),
            "m.hcl:1:10 HCL3122 The value of the variable \"a\" does not fit its declaration: a: a number is required, "
            "not a tuple.\n"
            "m.hcl:4:10 HCL3121 The module needs a value for the variable \"b\" (number), and none is given.\n");
}

// A default of null makes the variable nullable, also in JSON.
TEST(BindingTest, TakesADefaultOfNull) {
  EXPECT_EQ(ValueOf(OneFile(Declared("default = null")), "x", "{}"), "null");
  EXPECT_EQ(ValueOf(OneFile(Declared("type = object({ n = number })\n  default = null")), "x", "{}"), "null");
  EXPECT_EQ(
      ValueOf({{"m.hcl.json", R"({"variable": {"v": {"type": "number", "default": null}}, "x": "${v}"})"}}, "x", "{}"),
      "null");
  EXPECT_EQ(ValueOf(OneFile(Declared("type = number\n  default = null\n  nullable = true")), "x", "{}"), "null");
}

TEST(BindingTest, Validates) {
  const std::string text =
      "variable \"port\" {\n  type = number\n  validation {\n    condition = port > 0 && port <= highest\n"
      "    error_message = \"Ports are from 1 to ${highest}, and not ${port}.\"\n  }\n  validation {\n"
      "    condition = port != 22\n    error_message = \"Not the port of ssh.\"\n  }\n}\n"
      "variable \"highest\" {\n  default = 9000\n  validation {\n    condition = highest < 65536 || 1 / none > 1\n"
      "    error_message = \"Too high.\"\n  }\n}\nvariable \"none\" {\n  default = []\n}\nx = port\n";
  EXPECT_EQ(ValueOf(OneFile(text), "x", R"({"port": 80})"), "80");
  EXPECT_EQ(ValueOf(OneFile(text), "x", R"({"port": 22})"), "m.hcl:8:17 HCL3123 Not the port of ssh.\n");
  EXPECT_EQ(ValueOf(OneFile(text), "x", R"({"port": 22, "highest": 20})"),
            "m.hcl:4:17 HCL3123 Ports are from 1 to 20, and not 22.\nm.hcl:8:17 HCL3123 Not the port of ssh.\n");
  EXPECT_EQ(ValueOf(OneFile(text), "x", R"({"port": 1, "highest": 70000})"),
            "m.hcl:15:40 HCL4101 Unsuitable value for right operand: a number is required, not a tuple.\n");
}

// Nothing of what is sensitive is in a message, whatever it is about.
TEST(BindingTest, HidesWhatIsSensitive) {
  const std::string text =
      "variable \"secret\" {\n  sensitive = true\n  type = map(string)\n  validation {\n"
      "    condition = !contains(keys(secret), \"hunter1\")\n    error_message = \"Not ${keys(secret)[0]}.\"\n  }\n}\n"
      "variable \"open\" {\n  default = \"seen\"\n}\n"
      "locals {\n  part = secret.a\n  again = upper(local.part)\n}\n"
      "function \"f\" {\n  params = [a]\n  result = 1 + a\n}\n"
      "v1 = 1 + secret.a\nv2 = 1 + local.part\nv3 = [for k, v in secret : 1 + v]\nv4 = {x = 1}[local.again]\n"
      "v5 = secret.none\nv6 = f(secret.a)\nv7 = [for x in [local.part] : {y = 1}[x]]\nv8 = regex(secret.a, open)\n"
      "v9 = jsondecode(local.part)\nv10 = 1 + open\n";
  for (int n = 1; n <= 9; ++n) {
    const std::string told = ValueOf(OneFile(text), absl::StrCat("v", n), R"({"secret": {"a": "hunter2["}})");
    EXPECT_NE(told.find(" HCL4"), std::string::npos) << told;
    EXPECT_EQ(told.find("unter2"), std::string::npos) << told;
  }
  EXPECT_NE(ValueOf(OneFile(text), "v10", "{}").find("HCL4101"), std::string::npos);
  for (const char* given : {R"({"hunter1": "x"})", R"({"hunter2": null})", R"({"hunter3": []})", R"(["hunter3"])"}) {
    const std::string told = ValueOf(OneFile(text), "v1", absl::StrCat(R"({"secret": )", given, "}"));
    EXPECT_NE(told.find(" HCL312"), std::string::npos) << told;
    EXPECT_EQ(told.find("unter"), std::string::npos) << told;
  }
  // A result is what it is.
  EXPECT_EQ(ValueOf(OneFile(text + "w = secret.a\n"), "w", R"({"secret": {"a": "hunter2"}})"), "\"hunter2\"");
}

class Bound {
 public:
  explicit Bound(const std::string& text) : program_(CompileFiles(OneFile(text), &errors_)), evaluator_(program_) {}

  Evaluator& evaluator() { return evaluator_; }
  const Evaluation& Run(const char* entry = "x") { return evaluator_.Run(*program_->FindEntry(entry)); }

 private:
  std::string errors_;
  std::shared_ptr<const Program> program_;
  Evaluator evaluator_;
};

// What was bound for one run does not hold for the next; what was not bound anew does.
TEST(BindingTest, WarnsOfDeprecatedVariables) {
  std::string errors;
  const auto program =
      CompileFiles(OneFile("variable \"old\" {\n  type = string\n  default = \"d\"\n  deprecated = \"Use new.\"\n}\n"
                           "variable \"new\" {\n  type = string\n  default = \"n\"\n}\n"
                           "a = old\nb = new\nc = false && old == \"x\"\n"),
                   &errors);
  ASSERT_NE(program, nullptr) << errors;
  const std::string told = "HCL8017 The variable old is deprecated: Use new.\n";
  Evaluator evaluator(program);
  const auto warnings = [&](const char* entry) {
    std::string all;
    for (const Diagnostic& warning : evaluator.Run(*program->FindEntry(entry)).warnings().kept()) {
      EXPECT_EQ(warning.severity, Severity::kWarning);
      absl::StrAppend(&all, CodeText(warning.code), " ", warning.detail, "\n");
    }
    return all;
  };
  for (const UnknownInput unknown : {UnknownInput::kNear, UnknownInput::kIgnore, UnknownInput::kError}) {
    evaluator.UnbindAll();
    evaluator.set_unknown_input(unknown);
    EXPECT_EQ(warnings("a"), "");
    evaluator.Bind("new", Value::StringView("x"));
    EXPECT_EQ(warnings("a"), "");
    for (const char* given : {"x", "y"}) {
      evaluator.Bind("old", Value::StringView(given));
      for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(warnings("a"), told);
        EXPECT_EQ(warnings("b"), "");
        EXPECT_EQ(warnings("c"), told);
      }
    }
    evaluator.Bind("old", Value::Int(5));  // is converted
    EXPECT_EQ(warnings("a"), told);
    evaluator.UnbindAll();
    EXPECT_EQ(warnings("a"), "");
  }
}

TEST(BindingTest, FollowsTheScope) {
  Bound bound(
      "variable \"a\" {\n  type = list(string)\n}\nvariable \"b\" {\n  default = 3\n}\nlocals {\n  n = length(a)\n}\n"
      "x = local.n + b\n");
  Heap heap;
  EXPECT_FALSE(bound.Run().ok());
  bound.evaluator().Bind("a", MakeTuple({Value::Int(1)}, heap.arena()));
  EXPECT_EQ(bound.Run().value().AsInt(), 4);
  EXPECT_EQ(bound.Run().value().AsInt(), 4);
  bound.evaluator().Bind("b", Value::Int(10));
  EXPECT_EQ(bound.Run().value().AsInt(), 11);
  bound.evaluator().Bind("a", MakeTuple({Value::Int(1), Value::Int(2)}, heap.arena()));
  EXPECT_EQ(bound.Run().value().AsInt(), 12);
  bound.evaluator().Bind("a", MakeTuple({Value::Null()}, heap.arena()));
  EXPECT_FALSE(bound.Run().ok());
  bound.evaluator().UnbindAll();
  EXPECT_FALSE(bound.Run().ok());
  bound.evaluator().Bind("a", MakeTuple({}, heap.arena()));
  EXPECT_EQ(bound.Run().value().AsInt(), 3);
}

// A host that changes one variable for each run, and keeps the others, needs no more memory after a million runs.
TEST(BindingTest, KeepsMemoryBounded) {
  Bound bound(
      "variable \"a\" {\n  type = list(string)\n}\nvariable \"b\" {\n  type = list(string)\n}\n"
      "x = length(a) + length(b)\n");
  Heap heap;
  std::vector<Value> numbers;
  for (int n = 0; n < 1000; ++n) numbers.push_back(Value::Int(n));
  const Value list = MakeTuple(numbers, heap.arena());
  bound.evaluator().Bind("a", list);
  for (int n = 0; n < 2'000; ++n) {
    bound.evaluator().Bind("b", list);
    ASSERT_EQ(bound.Run().value().AsInt(), 2000);
  }
  EXPECT_LT(bound.evaluator().PreparedBytes(), 4u << 20);
}

TEST(BindingTest, TakesUnknownAndMarkedValues) {
  Bound bound("variable \"a\" {\n  type = list(string)\n}\nx = length(a)\ny = [for e in a : upper(e)]\n");
  Heap heap;
  bound.evaluator().Bind("a", Value::Dynamic());
  EXPECT_TRUE(bound.Run().value().is_unknown());
  bound.evaluator().Bind("a", Mark(MakeTuple({Value::Int(1)}, heap.arena()), kSensitiveMark, heap.arena()));
  ASSERT_TRUE(bound.Run().ok()) << ToText(bound.Run().diagnostics(), nullptr);
  EXPECT_TRUE(bound.Run().value().is_marked());
  bound.evaluator().Bind("a", MakeTuple({Value::Unknown(Type::String())}, heap.arena()));
  EXPECT_EQ(bound.Run().value().AsInt(), 1);
}

// A validation that reads other variables is looked at again when one of these is another one, also where it is not the
// variable itself that was bound, or where only the validation of what it reads does so: each run says what a fresh
// evaluator says.
TEST(BindingTest, ValidatesByOtherVariables) {
  const auto module = [](const std::vector<const char*>& order) {
    std::string text;
    for (const std::string name : order) {
      const std::string condition = name == "a" ? "a < b" : name == "b" ? "b <= c.max" : "true";
      const std::string type = name == "c" ? "object({ max = number })" : "number";
      absl::StrAppend(&text, "variable \"", name, "\" {\n  type = ", type, "\n");
      if (name != "c") {
        absl::StrAppend(&text, "  validation {\n    condition = ", condition, "\n    error_message = \"", name,
                        " is too large.\"\n  }\n");
      }
      absl::StrAppend(&text, "}\n");
    }
    return text + "x = a\n";
  };
  Heap heap;
  const auto max = [&](int n) { return MakeObject({{Value::StringView("max"), Value::Int(n)}}, heap.arena()); };
  using Given = std::pair<const char*, Value>;
  const std::vector<Given> changes = {{"a", Value::Int(1)},  {"a", Value::Int(7)}, {"b", Value::Int(5)},
                                      {"b", Value::Int(10)}, {"c", max(6)},        {"c", max(20)}};
  for (const std::vector<const char*>& order : std::vector<std::vector<const char*>>{
           {"a", "b", "c"}, {"a", "c", "b"}, {"b", "a", "c"}, {"b", "c", "a"}, {"c", "a", "b"}, {"c", "b", "a"}}) {
    const std::string text = module(order);
    for (size_t n = 0; n < changes.size() * changes.size() * changes.size(); ++n) {
      Bound bound(text);
      std::map<std::string, Value> scope = {{"a", Value::Int(3)}, {"b", Value::Int(5)}, {"c", max(20)}};
      for (const auto& [name, value] : scope) bound.evaluator().Bind(name, value);
      ASSERT_TRUE(bound.Run().ok());
      for (const size_t change :
           {n % changes.size(), n / changes.size() % changes.size(), n / changes.size() / changes.size()}) {
        const auto& [name, value] = changes[change];
        scope[name] = value;
        bound.evaluator().Bind(name, value);
        Bound fresh(text);
        for (const auto& [given, what] : scope) fresh.evaluator().Bind(given, what);
        const Evaluation& want = fresh.Run();
        const Evaluation& got = bound.Run();
        ASSERT_EQ(ToText(got.diagnostics(), nullptr), ToText(want.diagnostics(), nullptr)) << text << name;
      }
    }
  }
}

// Lazy variables are read by runs that may need them, once in each.
TEST(BindingTest, ReadsLazyVariables) {
  Bound bound("variable \"a\" {\n  type = number\n}\nvariable \"b\" {\n  default = 1\n}\nx = a + a\ny = b\n");
  int calls = 0;
  bound.evaluator().BindLazy("a", [&](LazyCall*) -> absl::StatusOr<Value> {
    if (++calls == 3) return absl::UnavailableError("gone");
    return Value::StringView("5");
  });
  EXPECT_EQ(bound.Run("y").value().AsInt(), 1);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(bound.Run().value().AsInt(), 10);
  EXPECT_EQ(bound.Run().value().AsInt(), 10);
  EXPECT_EQ(calls, 2);
  EXPECT_FALSE(bound.Run().ok());
  EXPECT_EQ(bound.Run().value().AsInt(), 10);
}

TEST(BindingTest, LooksAtAllOnRequest) {
  Bound bound("variable \"a\" {\n  type = number\n}\nvariable \"b\" {\n  type = number\n}\nx = a\n");
  bound.evaluator().Bind("a", Value::Int(1));
  EXPECT_TRUE(bound.Run().ok());
  bound.evaluator().set_check_all(true);
  EXPECT_FALSE(bound.Run().ok());
  bound.evaluator().Bind("b", Value::Int(1));
  EXPECT_TRUE(bound.Run().ok());
}

TEST(BindingTest, PaysForConversions) {
  std::string errors;
  const auto program =
      CompileFiles(OneFile("variable \"a\" {\n  type = list(string)\n}\nx = 1 + length(a)\n"), &errors);
  Heap heap;
  std::vector<Value> numbers(10'000, Value::Int(1));
  Limits limits;
  limits.max_fuel = 1'000;
  Evaluator evaluator(program, limits);
  evaluator.Bind("a", MakeTuple(numbers, heap.arena()));
  const Evaluation& evaluation = evaluator.Run(*program->FindEntry("x"));
  EXPECT_FALSE(evaluation.ok());
  EXPECT_TRUE(evaluation.diagnostics().has_limit());
}

// Whether or not a run came before, and also where a validation has run.
TEST(BindingTest, TakesNoFuelWhereNothingRuns) {
  std::string errors;
  const std::shared_ptr<const Program> program = CompileFiles(
      OneFile(
          "variable \"v\" {\n  type = number\n  validation {\n    condition = v > 0\n    error_message = \"no\"\n  }\n}"
          "\nx = v + 1\n"),
      &errors);
  ASSERT_NE(program, nullptr) << errors;
  Heap heap;
  Evaluator evaluator(program);
  EXPECT_EQ(evaluator.Run().fuel_left(), Limits().max_fuel);
  evaluator.Bind("v", Value::Int(1));
  const Evaluation& good = evaluator.Run();
  EXPECT_TRUE(good.ok());
  EXPECT_LT(good.fuel_left(), Limits().max_fuel);
  for (const Value& wrong : {Value::String("x", heap.arena()), Value::Int(-1)}) {
    evaluator.Bind("v", wrong);
    const Evaluation& evaluation = evaluator.Run();
    EXPECT_FALSE(evaluation.ok());
    EXPECT_EQ(evaluation.fuel_left(), Limits().max_fuel);
  }
}

}  // namespace
}  // namespace hcl
