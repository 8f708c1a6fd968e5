// Laws of modules, over random programs as attributes of a module that declares all variables by what they are:
//
//   - a module gives what a plain config gives, also where the expression is a local's;
//   - what is checked without a finding does not fail for names, types, nulls or arity.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 10'000;
constexpr size_t kMaxReports = 20;

// The type that `value` can be declared with so that it stays as it is, in type syntax; "any" where there is none,
// since elements may not be null in a declared type.
std::string SyntaxOf(const Value& value, TypeTable* types);

// "optional(T)" for an attribute that is null.
std::string AttributeSyntax(const Value& value, TypeTable* types) {
  if (!value.is_null()) return SyntaxOf(value, types);
  const Type type = value.null_or_unknown_type();
  return type.is_dynamic() ? "any" : absl::StrCat("optional(", ToTypeSyntax(type), ")");
}

std::string SyntaxOf(const Value& value, TypeTable* types) {
  if (value.is_marked() || value.has_marks() || !value.is_wholly_known() || value.is_null()) return "any";
  if (value.is_object()) {
    std::string text = "object({";
    for (uint32_t n = 0; n < value.shape().size; ++n) {
      absl::StrAppend(&text, n > 0 ? ", " : "", "\"", std::string(value.shape().keys[n].AsString()),
                      "\" = ", AttributeSyntax(value.values()[n], types));
    }
    return text + "})";
  }
  if (value.is_tuple()) {
    std::string text = "tuple([";
    for (size_t n = 0; n < value.size(); ++n) {
      if (value.elements()[n].is_null()) return "any";
      absl::StrAppend(&text, n > 0 ? ", " : "", SyntaxOf(value.elements()[n], types));
    }
    return text + "])";
  }
  if (value.is_sequence() || value.is_mapping()) {
    for (const Value& item : value.is_sequence() ? value.elements() : value.values()) {
      if (item.is_null() || SyntaxOf(item, types) == "any") return "any";
      // Parts of elements may be null only where their type says so, which is not told by one value.
      if (!(item.is_bool() || item.is_number() || item.is_string() || item.is_capsule()) &&
          absl::StrContains(SyntaxOf(item, types), "optional")) {
        return "any";
      }
    }
  }
  if (value.is_capsule()) return "any";
  return ToTypeSyntax(TypeOf(value, types));
}

// What depends on values and not on types may fail: docs/modules.md, "Check".
bool MayFailFor(const Diagnostic& diagnostic) {
  if (diagnostic.is_limit) return true;
  // A text that is no number or no bool.
  const bool is_of_text =
      absl::StrContains(diagnostic.detail, "text") || absl::StrContains(diagnostic.detail, "\"true\" or \"false\"") ||
      absl::StrContains(diagnostic.detail, "; write \"") || absl::StrContains(diagnostic.detail, "but this is string");
  switch (diagnostic.code) {
    case DiagnosticCode::kInvalidOperand:
    case DiagnosticCode::kConditionType:
    case DiagnosticCode::kInvalidForCondition:
    case DiagnosticCode::kIndexType:
      return is_of_text;
    case DiagnosticCode::kNullOperand:
    case DiagnosticCode::kNullCondition:
    case DiagnosticCode::kInvalidInterpolation:
    case DiagnosticCode::kNullInterpolation:
    case DiagnosticCode::kUnsupportedAttribute:
    case DiagnosticCode::kNoAttributes:
    case DiagnosticCode::kAttributeOfNull:
    case DiagnosticCode::kNoIndices:
    case DiagnosticCode::kIndexOfNull:
    case DiagnosticCode::kNullIteration:
    case DiagnosticCode::kNotIterable:
    case DiagnosticCode::kNullKey:
    case DiagnosticCode::kKeyType:
    case DiagnosticCode::kUnknownVariable:
      return false;
    case DiagnosticCode::kInvalidArgument:
      return !absl::StrContains(diagnostic.detail, "must not be null");
    default:
      return true;
  }
}

class ModuleLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  ModuleLawTest() : heap_(nullptr, GetParam()), harness_(OptionsWith(GetParam())) {
    options_ = OptionsWith(GetParam());
    options_.functions = StandardFunctions();
    const Value& variables = harness_.variables();
    for (uint32_t n = 0; n < variables.shape().size; ++n) {
      const Value& value = variables.values()[n];
      const std::string syntax = SyntaxOf(value, heap_.types());
      absl::StrAppend(&declarations_, "variable \"", std::string(variables.shape().keys[n].AsString()),
                      "\" {\n  type = ", syntax, "\n", value.is_null() ? "  nullable = true\n" : "", "}\n");
    }
    declared_ = std::make_shared<const Source>("variables.hcl", declarations_);
  }

  static CompileOptions OptionsWith(Dialect dialect) {
    CompileOptions options;
    options.dialect = dialect;
    return options;
  }

  // The value as typed JSON, or what has failed.
  std::string Run(const std::shared_ptr<const Program>& program, const char* entry, const Diagnostic** failure) {
    Evaluator evaluator(program);
    evaluator.BindAll(harness_.variables());
    const Evaluation& evaluation = entry == nullptr ? evaluator.Run() : evaluator.Run(*program->FindEntry(entry));
    std::string text;
    if (evaluation.ok()) {
      AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &text);
      return text;
    }
    for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
      if (!MayFailFor(diagnostic)) found_.push_back(diagnostic);
    }
    *failure = found_.empty() ? nullptr : &found_.back();
    return "error";
  }

  std::string WhatIsWrongWith(const std::string& text) {
    found_.clear();
    const auto source = std::make_shared<const Source>("plain.hcl", text);
    Diagnostics plain_diagnostics;
    const auto plain = CompileExpression(source, options_, &plain_diagnostics);
    if (plain == nullptr) return "";
    const std::string module_text =
        absl::StrCat("x = ", text, "\ny = local.v\nz = [local.v, local.v]\nlocals {\n  v = ", text, "\n}\n");
    const std::vector<ModuleFile> files = {{declared_}, {std::make_shared<const Source>("module.hcl", module_text)}};
    Diagnostics diagnostics;
    const auto module = CompileModule(files, options_, &diagnostics);
    if (module == nullptr) return "";  // it has mistakes
    const Diagnostic* failure = nullptr;
    const std::string want = Run(plain, nullptr, &failure);
    for (const char* entry : {"x", "y"}) {
      const std::string got = Run(module, entry, &failure);
      // Of what is not known, more may be known where types are, and its range where they are not.
      const bool is_unknown = absl::StrContains(want, "$unknown") || absl::StrContains(got, "$unknown");
      if (got != want && !is_unknown) return absl::StrCat(entry, ": ", got, "\n  plain: ", want);
    }
    if ((Run(module, "z", &failure) == "error") != (want == "error")) return "z differs";
    Diagnostics findings;
    CheckModule(files, options_, /*strict=*/false, &findings);
    for (const Diagnostic& finding : findings.kept()) {
      if (finding.code != DiagnosticCode::kUnused) return "";
    }
    ++clean_;
    // An object that a loop makes has the keys that it has.
    const bool is_missing_key = failure != nullptr && failure->code == DiagnosticCode::kUnsupportedAttribute &&
                                absl::StrContains(text, "for ") && absl::StrContains(text, "=>");
    if (failure == nullptr || is_missing_key) return "";
    return absl::StrCat("no finding, but ", CodeText(failure->code), " ", failure->summary, ": ", failure->detail);
  }

  Heap heap_;
  Harness harness_;
  CompileOptions options_;
  std::string declarations_;
  std::shared_ptr<const Source> declared_;
  std::vector<Diagnostic> found_;
  uint64_t clean_ = 0;
};

TEST_P(ModuleLawTest, AModuleIsAConfigThatIsChecked) {
  const uint64_t programs = TestPrograms(kPrograms);
  const auto check = [this](const std::string& text, uint64_t) { return WhatIsWrongWith(text); };
  CheckPrograms(programs, &heap_, check, kMaxReports);
  EXPECT_GT(clean_, programs / 100);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ModuleLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
