// Laws of what hclvm check finds by types, over random calls of all functions with arguments of all types, all
// operators and conditionals, in loops, locals, functions and attempts, and random scopes that fit the declarations:
//
//   - what has no findings does not fail for types (docs/modules.md, "Check");
//   - what has an error that no branch or loop is around fails in every scope.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/slow/declared.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 6'000;
constexpr uint32_t kScopes = 4;
constexpr size_t kMaxReports = 12;

struct Declared {
  const char* name;
  const char* type;
};

constexpr Declared kDeclared[] = {
    {"b", "bool"},
    {"n", "number"},
    {"s", "string"},
    {"lb", "list(bool)"},
    {"ln", "list(number)"},
    {"ls", "list(string)"},
    {"lls", "list(list(string))"},
    {"sn", "set(number)"},
    {"ss", "set(string)"},
    {"mb", "map(bool)"},
    {"mn", "map(number)"},
    {"ms", "map(string)"},
    {"mls", "map(list(string))"},
    {"o", "object({ a = string, n = number })"},
    {"p", "object({ a = number })"},
    {"e", "object({})"},
    {"lo", "list(object({ a = string, n = number }))"},
    {"t", "tuple([string, number])"},
    {"u", "tuple([bool])"},
};

constexpr const char* kLiterals[] = {
    "1",
    "0",
    "true",
    "\"a\"",
    "\"5\"",
    "[]",
    "{}",
    "[\"a\"]",
    "[1, \"a\"]",
    "[1]",
    "[true]",
    "{ a = 1 }",
    "{ a = [] }",
    "[[]]",
    "\"%s\"",
    "\"%d-%v\"",
    "\"^(a\"",
    "\"a+\"",
    "\"1h\"",
    "\"YYYY\"",
    "\"10.0.0.0/8\"",
    "[ls, ln]",
    "[n, s]",
    "{ a = n }",
    "[lo[*].a]",
    "range(2)",
    "\"UTF-8\"",
    "[for k, v in ms : v]",
    "-1",
    "lo[*].a",
    "lo[*]",
    "keys(o)",
    "values(o)",
    "split(s, s)",
    "{ for v in ls : v => 1 }",
    "[ls, t]",
    "{ a = ls }",
    "[for v in ln : v]",
    "[for v in lo : v if v.n > 1]",
};

bool IsOfTypes(const Diagnostic& diagnostic) {
  if (diagnostic.is_limit) return false;
  // Beside a collection without elements it makes nothing, and does not fail.
  if (absl::StrContains(diagnostic.detail, "\"formatlist\"")) return false;
  const std::string& detail = diagnostic.detail;
  const auto has = [&detail](const char* part) { return absl::StrContains(detail, part); };
  // What a text is hangs on the text.
  if (has("this text is none") || has("\"true\" or \"false\"") || has("; write \"")) return false;
  switch (diagnostic.code) {
    case DiagnosticCode::kInconsistentResults:
      return true;
    case DiagnosticCode::kInvalidArgument:
    case DiagnosticCode::kCallFailed:
      return has("is required, not ") || has("must have the same type") || has("compatible element types") ||
             has("elements must be of type") || has("no type fits them all") || has("must have the type of") ||
             has("all elements must have one type") || has("must be lists or tuples") ||
             has("must be maps or objects") || has("must not be null") || has("key of a map must be") ||
             has("the key must be a number");
    case DiagnosticCode::kInvalidOperand:
    case DiagnosticCode::kConditionType:
      return !MayFailFor(diagnostic, "");
    case DiagnosticCode::kNullOperand:
    case DiagnosticCode::kNullCondition:
    case DiagnosticCode::kInvalidInterpolation:
    case DiagnosticCode::kNullInterpolation:
      return true;
    default:
      return false;
  }
}

class CheckTypesLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  CheckTypesLawTest() : random_(TestSeed() + 53, GeneratorOptions()), heap_(nullptr, GetParam()) {
    options_.dialect = GetParam();
    options_.functions = StandardFunctions();
    std::string text;
    for (const Declared& declared : kDeclared) {
      absl::StrAppend(&text, "variable \"", declared.name, "\" { type = ", declared.type, " }\n");
    }
    declared_ = std::make_shared<const Source>("variables.hcl", text);
    for (const std::string_view name : options_.functions->Names()) {
      functions_.push_back(options_.functions->Find(name));
    }
    Diagnostics diagnostics;
    declarations_ = CompileModule({{declared_}}, options_, &diagnostics);
  }

  std::string Leaf() {
    if (random_.Chance(25)) return random_.Pick(kLiterals);
    return kDeclared[random_.Below(std::size(kDeclared))].name;
  }

  std::string Call(int depth) {
    const Function& function = *functions_[random_.Below(static_cast<uint32_t>(functions_.size()))];
    if (function.name == "convert") return absl::StrCat("convert(", Expression(depth - 1), ", list(string))");
    std::string text = absl::StrCat(function.name, "(");
    const uint32_t more = function.variadic ? random_.Below(3) : 0;
    const size_t count = function.parameters.size() + more;
    for (size_t n = 0; n < count; ++n) absl::StrAppend(&text, n > 0 ? ", " : "", Expression(depth - 1));
    if (function.variadic && count > 0 && random_.Chance(15)) text += "...";
    return text + ")";
  }

  // Without loops, branches and attempts, all of it is evaluated in every run.
  std::string Expression(int depth) {
    if (depth <= 0) return Leaf();
    const uint32_t form = random_.Below(is_strict_ ? 10 : 20);
    switch (form) {
      case 0:
      case 1:
        return Leaf();
      case 2:
        return absl::StrCat("(", Expression(depth - 1), " ", random_.Pick({"+", "-", "*", "==", "!=", "<", ">="}), " ",
                            Expression(depth - 1), ")");
      case 3:
        return absl::StrCat("[", Expression(depth - 1), ", ", Expression(depth - 1), "]");
      case 10:
      case 11:
      case 12:
        return absl::StrCat("(", random_.Pick({"b", "n > 1", "lb[0]"}), " ? ", Expression(depth - 1), " : ",
                            Expression(depth - 1), ")");
      case 13:
        return absl::StrCat("[for v in ", Expression(depth - 1), " : ", random_.Pick({"v", "[v]", "keys(v)"}), "]");
      case 14:
        return absl::StrCat("[for w in ls : ", Expression(depth - 1), random_.Chance(30) ? " if b]" : "]");
      case 15:
        return absl::StrCat("try(", Expression(depth - 1), ", ", Expression(depth - 1), ")");
      case 16:
        return absl::StrCat("\"-${", Expression(depth - 1), "}\"");
      case 17:
        return random_.Pick({"local.v", "f(n)", "f(ls)", "f(local.v)", "g(o, ms)", "g(ls, s)"});
      case 18:
        return absl::StrCat("{ a = ", Expression(depth - 1), ", k = ", Expression(depth - 1), " }");
      case 19:
        return absl::StrCat("{ for w in ls : w => ", Expression(depth - 1), "... }");
      default:
        return Call(depth);
    }
  }

  std::vector<ModuleFile> FilesOf(const std::string& expression, const std::string& local, const std::string& body) {
    std::string text = absl::StrCat("x = ", expression, "\n");
    absl::StrAppend(&text, "locals {\n  v = ", local, "\n}\nfunction \"f\" {\n  params = [n]\n  result = ", body,
                    "\n}\nfunction \"g\" {\n  params = [o, s]\n  result = merge({ a = o }, { b = s })\n}\n");
    return {{declared_}, {std::make_shared<const Source>("module.hcl", text)}};
  }

  // The finding that counts, or null; those about what nothing uses do not.
  static const Diagnostic* FirstFinding(const Diagnostics& findings) {
    for (const Diagnostic& finding : findings.kept()) {
      if (finding.code != DiagnosticCode::kUnused) return &finding;
    }
    return nullptr;
  }

  Value NextScope() {
    heap_.Reset();
    const std::string text = RandomScope(*declarations_, &random_);
    Value value;
    JsonError error;
    EXPECT_TRUE(JsonReader().Read(text, &heap_, &value, &error)) << text;
    return value;
  }

  std::string WhatFails(const std::shared_ptr<const Program>& program) {
    Evaluator evaluator(program);
    for (uint32_t n = 0; n < kScopes; ++n) {
      const Value scope = NextScope();
      evaluator.BindAll(scope);
      ++runs_;
      const Evaluation& evaluation = evaluator.Run();
      if (evaluation.ok()) continue;
      // A failed side of && and || lets the other one be looked at as well.
      const Diagnostic& first = evaluation.diagnostics().kept()[0];
      if (IsOfTypes(first)) return absl::StrCat("no finding, but ", CodeText(first.code), " ", first.detail);
    }
    return "";
  }

  // The values of a scope as they are declared, for a config without declarations.
  Value Typed(const Value& scope) {
    std::vector<KeyValue> values;
    for (const internal::ModuleVariable& variable : internal::TablesOf(*declarations_).module()->variables) {
      const int64_t at = scope.shape().Find(Value::StringView(variable.name));
      Value converted;
      ConversionError error;
      EXPECT_TRUE(Convert(scope.values()[static_cast<size_t>(at)], variable.type, &heap_, &converted, &error));
      values.push_back({Value::StringView(variable.name), converted});
    }
    return MakeObject(absl::MakeSpan(values), heap_.arena());
  }

  std::string WhatSucceeds(const std::string& expression, const Diagnostic& finding) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>("plain.hcl", absl::StrCat("x = ", expression, "\n"));
    const std::shared_ptr<const Program> program = CompileConfig(source, options_, &diagnostics);
    if (program == nullptr) return "";
    Evaluator evaluator(program);
    for (uint32_t n = 0; n < kScopes; ++n) {
      evaluator.BindAll(Typed(NextScope()));
      ++runs_;
      if (evaluator.Run().ok()) {
        return absl::StrCat("it succeeds, but is told as ", CodeText(finding.code), " ", finding.detail);
      }
    }
    return "";
  }

  Generator random_;
  Heap heap_;
  CompileOptions options_;
  std::shared_ptr<const Source> declared_;
  std::shared_ptr<const Program> declarations_;
  std::vector<const Function*> functions_;
  bool is_strict_ = false;
  uint64_t runs_ = 0;
};

TEST_P(CheckTypesLawTest, WhatHasNoFindingsDoesNotFailForTypes) {
  const uint64_t programs = TestPrograms(kPrograms);
  std::vector<std::string> failures;
  uint64_t clean = 0;
  for (uint64_t n = 0; n < programs; ++n) {
    const std::string expression = Expression(1 + static_cast<int>(random_.Below(3)));
    const std::string local = Expression(static_cast<int>(random_.Below(2)));
    const std::string body = random_.Pick({"n", "[n, 1]", "b_of(n)", "keys(n)", "length(n) > 0 ? n : []", "\"${n}\""});
    const std::string text = body == "b_of(n)" ? "try(n + 1, n)" : body;
    Diagnostics findings;
    const auto program = CheckModule(FilesOf(expression, local, text), options_, /*strict=*/false, &findings);
    if (program == nullptr || FirstFinding(findings) != nullptr) continue;
    ++clean;
    const std::string wrong = WhatFails(program);
    if (!wrong.empty()) failures.push_back(absl::StrCat(expression, "\n  v = ", local, ", f = ", text, "\n  ", wrong));
  }
  ReportShortest(std::move(failures), kMaxReports);
  EXPECT_GT(clean, programs / 50);
}

TEST_P(CheckTypesLawTest, WhatHasAnErrorFails) {
  const uint64_t programs = TestPrograms(kPrograms);
  std::vector<std::string> failures;
  uint64_t wrong_programs = 0;
  is_strict_ = true;
  for (uint64_t n = 0; n < programs; ++n) {
    std::string expression = Expression(1 + static_cast<int>(random_.Below(2)));
    if (random_.Chance(30)) expression = absl::StrCat("b ? ", expression, " : ", Expression(1));
    if (absl::StrContains(expression, "can(") || absl::StrContains(expression, "try(")) continue;
    Diagnostics findings;
    if (CheckModule(FilesOf(expression, "1", "n"), options_, /*strict=*/false, &findings) != nullptr) continue;
    const Diagnostic* first = nullptr;
    for (const Diagnostic& finding : findings.kept()) {
      if (finding.severity == Severity::kError && first == nullptr) first = &finding;
    }
    // What a branch that is not taken does is dropped.
    const bool is_of_branches = absl::StrContains(first->detail, "Both results of a conditional");
    if (absl::StrContains(expression, " ? ") && !is_of_branches) continue;
    // What is told of an element of a loop is told of loops that go over nothing, too; formatlist is such a loop.
    const auto has = [&](const char* part) { return absl::StrContains(expression, part); };
    if (has("for ") || has("[*]") || has("formatlist(")) continue;
    ++wrong_programs;
    const std::string wrong = WhatSucceeds(expression, *first);
    if (!wrong.empty()) failures.push_back(absl::StrCat(expression, "\n  ", wrong));
  }
  ReportShortest(std::move(failures), kMaxReports);
  EXPECT_GT(wrong_programs, programs / 10);
}

INSTANTIATE_TEST_SUITE_P(Dialects, CheckTypesLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
