// Laws of hclvm check, over random modules (attributes with names of variables, locals of several files, functions
// whose parameters hide variables, validations, blocks, conditions that narrow what they test, both syntaxes) and
// random scopes that fit their declarations:
//
//   - what has no findings does not fail for names, types, nulls or arity;
//   - what is found does not hang on how attributes are called;
//   - an attribute that reads the variable of its own name is not said to read another attribute.
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
#include "hclvm/module/module.h"
#include "hclvm/tests/slow/declared.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/narrowing_forms.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kModules = 5'000;
constexpr uint32_t kScopes = 4;
constexpr uint32_t kRenamedPercent = 20;  // of modules: it takes most of the time
constexpr size_t kMaxReports = 10;

// Parameters hide the variables of the same names.
constexpr const char* kFunctions =
    "function \"plus\" {\n  params = [i, s]\n  result = i + s\n}\n"
    "function \"named\" {\n  params = [u]\n  result = \"${u.name}!\"\n}\n"
    "function \"first\" {\n  params = [ls]\n  result = ls[0]\n}\n"
    "function \"all\" {\n  params = [i]\n  variadic_param = ls\n  result = [for s in ls : s > i]\n}\n"
    "function \"same\" {\n  params = [o]\n  result = o\n}\n"
    "function \"pick\" {\n  params = [yes, i, s]\n  result = yes ? i : s\n}\n"
    "function \"guarded\" {\n  params = [u]\n  result = try(u.admin, u == \"a\") ? 1 : 2\n}\n"
    "function \"twice\" {\n  params = [i]\n  result = plus(same(i), same(i))\n}\n"
    "function \"any\" {\n  params = [i, ls]\n  result = anytrue([for l in all(i, ls...) : pick(l, l, false)])\n}\n"
    "function \"kept\" {\n  params = [u]\n  result = try(named(u), same(first(u)), guarded(u))\n}\n";

constexpr const char* kCalls[] = {"plus(@n, @n)",
                                  "plus(@a, @n)",
                                  "named(u)",
                                  "named(@a)",
                                  "first(@l) + 1",
                                  "upper(first(@t))",
                                  "first(@a)",
                                  "all(@n, @n, @n)",
                                  "all(@n, @l...)",
                                  "all(@n, @s)[0] && @b",
                                  "same(@n) + same(@n)",
                                  "[for e in same(@q) : same(e)]",
                                  "[for e in @t : e if @b ? @n : e]",
                                  "[for k, e in @m : k if coalesce(e, @n)]",
                                  "pick(@b, @n, @n) + 1",
                                  "pick(@b, @n, @s)",
                                  "pick(@a, @a, @a)",
                                  "guarded(@a)",
                                  "guarded(u) + guarded(@s)",
                                  "twice(@n) + 1",
                                  "twice(@a)",
                                  "any(@n, @q)",
                                  "any(@n, @a) && @b",
                                  "kept(u)",
                                  "kept(@a) == @s"};

constexpr const char* kOfLocals[] = {"local.v",        "[local.v, @n]",        "try(local.v, @n)",
                                     "\"${local.v}\"", "local.v == null",      "same(local.v)",
                                     "local.w.a",      "[local.v] == local.v", "can(local.v) && @b"};

struct RandomAttribute {
  std::string name;
  std::string value;
};

struct RandomModule {
  std::vector<RandomAttribute> attributes;
  std::string local;
  bool is_json = false;
};

class CheckLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  CheckLawTest() : generator_(TestSeed() + 77, Options()), heap_(nullptr, GetParam()) {
    options_.dialect = GetParam();
    options_.functions = StandardFunctions();
    const Harness harness(options_);
    declared_ = std::make_shared<const Source>("variables.hcl", DeclarationsOf(harness.variables(), heap_.types()));
    functions_ = std::make_shared<const Source>("functions.hcl", kFunctions);
    narrowed_ = std::make_shared<const Source>("narrowed.hcl", NarrowedVariables());
    narrowed_in_json_ = std::make_shared<const Source>("narrowed.hcl.json", NarrowedVariablesInJson());
  }

  static GeneratorOptions Options() {
    GeneratorOptions options;
    options.max_depth = 3;
    return options;
  }

  std::string NextValue() {
    const uint32_t form = generator_.Below(6);
    if (form == 0) return generator_.FillAlone(generator_.Pick(kCalls), 1);
    if (form == 1) return generator_.FillAlone(generator_.Pick(kOfLocals), 1);
    if (form < 4) return NarrowingForm(&generator_);
    return generator_.Next();
  }

  RandomModule Next() {
    static constexpr const char* kNames[] = {"i", "s", "u", "ls", "o", "yes", "ms", "x"};
    RandomModule module;
    const uint32_t first = generator_.Below(8);
    const uint32_t count = 1 + generator_.Below(2);
    for (uint32_t n = 0; n < count; ++n) module.attributes.push_back({kNames[(first + n) % 8], NextValue()});
    module.local = generator_.Chance(50) ? generator_.Next() : generator_.Pick({"u", "ls", "i", "us", "s", "nulls"});
    module.is_json = generator_.Chance(30);
    return module;
  }

  // The last attribute stands in a block, or in an object of JSON.
  static std::string TextOf(const RandomModule& module) {
    std::string text = module.is_json ? "{\n" : "";
    for (const RandomAttribute& attribute : module.attributes) {
      if (&attribute == &module.attributes.back() && module.attributes.size() > 1) {
        text += module.is_json ? "\"rule\": {\n" : "rule \"a\" {\n";
      }
      if (module.is_json) {
        absl::StrAppend(&text, "\"", attribute.name, "\": ");
        AppendJsonString(absl::StrCat("${", attribute.value, "}"), &text);
        text += &attribute == &module.attributes.back() ? "\n" : ",\n";
      } else {
        absl::StrAppend(&text, attribute.name, " = ", attribute.value, "\n");
      }
    }
    if (module.attributes.size() > 1) text += "}\n";
    return text + (module.is_json ? "}\n" : "");
  }

  std::vector<ModuleFile> FilesOf(const RandomModule& module) const {
    const std::string locals = absl::StrCat("locals {\n  v = ", module.local, "\n  w = { a = local.v }\n}\n");
    return {{declared_},
            {functions_},
            {narrowed_},
            {narrowed_in_json_, /*is_json=*/true},
            {std::make_shared<const Source>("locals.hcl", locals)},
            {std::make_shared<const Source>("module", TextOf(module)), module.is_json}};
  }

  // Codes and details, without places, and without what nothing uses.
  static std::string TextOf(const Diagnostics& findings) {
    std::string text;
    for (const Diagnostic& finding : findings.kept()) {
      if (finding.code != DiagnosticCode::kUnused)
        absl::StrAppend(&text, CodeText(finding.code), " ", finding.detail, "\n");
    }
    return text;
  }

  std::string FindingsOf(const RandomModule& module, std::shared_ptr<const Program>* program) const {
    Diagnostics findings;
    *program = CheckModule(FilesOf(module), options_, /*strict=*/false, &findings);
    return TextOf(findings);
  }

  std::string PlainFindingsOf(const RandomModule& module, bool with_variables) const {
    const std::vector<ModuleFile> files = {{std::make_shared<const Source>("plain", TextOf(module)), module.is_json}};
    Diagnostics findings;
    CheckPlainConfig(files, with_variables ? std::vector<ModuleFile>{{declared_}} : std::vector<ModuleFile>(), options_,
                     /*strict=*/false, &findings);
    return TextOf(findings);
  }

  // Runs a module without findings in random scopes.
  std::string WhatFails(const std::shared_ptr<const Program>& program, const std::string& text) {
    Evaluator evaluator(program);
    for (uint32_t n = 0; n < kScopes; ++n) {
      heap_.Reset();
      const std::string scope = RandomScope(*program, &generator_);
      Value value;
      JsonError error;
      if (!JsonReader().Read(scope, &heap_, &value, &error)) return absl::StrCat("no scope: ", scope);
      evaluator.BindAll(value);
      ++runs_;
      const Evaluation& evaluation = evaluator.Run();
      if (evaluation.ok()) continue;
      for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
        const uint32_t code = static_cast<uint32_t>(diagnostic.code);
        if (code >= 6000 && code < 7000) {
          return absl::StrCat("the scope does not fit: ", diagnostic.detail, "\n", scope);
        }
      }
      const Diagnostic* const wrong = WrongFailure(evaluation.diagnostics(), text);
      if (wrong != nullptr) {
        return absl::StrCat("no finding, but ", CodeText(wrong->code), " ", wrong->detail, "\n  in ", scope);
      }
    }
    return "";
  }

  std::string WhatHangsOnNames(const RandomModule& module, const std::string& found) const {
    RandomModule renamed = module;
    for (size_t n = 0; n < renamed.attributes.size(); ++n) renamed.attributes[n].name = absl::StrCat("attribute", n);
    std::shared_ptr<const Program> other;
    const std::string of_others = FindingsOf(renamed, &other);
    if (found != of_others) return absl::StrCat("found: ", found, "  renamed: ", of_others);
    if (PlainFindingsOf(module, true) != PlainFindingsOf(renamed, true))
      return "findings of a plain config hang on names";
    return "";
  }

  std::string WhatIsWrongWith(const RandomModule& module) {
    std::shared_ptr<const Program> program;
    const std::string found = FindingsOf(module, &program);
    if (generator_.Chance(kRenamedPercent)) {
      std::string wrong = WhatHangsOnNames(module, found);
      if (!wrong.empty()) return wrong;
    }
    if (!found.empty() || program == nullptr) return "";
    ++clean_;
    return WhatFails(program, absl::StrCat(TextOf(module), module.local));
  }

  Generator generator_;
  Heap heap_;
  CompileOptions options_;
  std::shared_ptr<const Source> declared_;
  std::shared_ptr<const Source> functions_;
  std::shared_ptr<const Source> narrowed_;
  std::shared_ptr<const Source> narrowed_in_json_;
  uint64_t clean_ = 0;
  uint64_t runs_ = 0;
};

TEST_P(CheckLawTest, FindingsAreTrueOfAllScopes) {
  const uint64_t modules = TestPrograms(kModules);
  std::vector<std::string> failures;
  for (uint64_t n = 0; n < modules; ++n) {
    const RandomModule module = Next();
    std::string wrong = WhatIsWrongWith(module);
    if (!wrong.empty()) failures.push_back(absl::StrCat(TextOf(module), "v = ", module.local, "\n  ", wrong));
  }
  ReportShortest(std::move(failures), kMaxReports);
  RecordProperty("clean", std::to_string(clean_));
  EXPECT_GT(clean_, modules / 50);
}

// The attribute's own variable is what its neighbors read.
TEST_P(CheckLawTest, AVariableWithAnAttributeOfItsNameIsNoMistake) {
  const uint64_t modules = TestPrograms(kModules);
  std::vector<std::string> failures;
  for (uint64_t n = 0; n < modules; ++n) {
    std::string text;
    for (const char* name : {"i", "s", "u", "ls", "o", "yes", "us", "ms"}) {
      if (generator_.Chance(40)) absl::StrAppend(&text, name, " = ", generator_.Chance(50) ? "" : "!", name, "\n");
    }
    absl::StrAppend(&text, "other = ", generator_.Next(), "\n");
    const std::vector<ModuleFile> files = {{std::make_shared<const Source>("plain", text)}};
    Diagnostics findings;
    CheckPlainConfig(files, {}, options_, /*strict=*/false, &findings);
    if (absl::StrContains(TextOf(findings), "HCL8007")) failures.push_back(text + TextOf(findings));
  }
  ReportShortest(std::move(failures), kMaxReports);
}

INSTANTIATE_TEST_SUITE_P(Dialects, CheckLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
