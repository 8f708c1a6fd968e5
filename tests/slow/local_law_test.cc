// The law of locals and functions, over random modules of locals that read each other, of functions that call each
// other, of several files, and attributes that read and call them: a module gives the same with fast code that stands
// on their texts and without any fast code, values as well as diagnostics, for each attribute alone, for one behind the
// other, and for all of them; so it does for each of several scopes.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/slow/declared.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
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

constexpr uint64_t kModules = 3'000;
constexpr int kScopes = 4;  // for each module
constexpr size_t kMaxReports = 10;

// What locals mostly are. %b, %n, %s, %l and %a stand for one before it: a bool, number, string, list, or any.
struct LocalForm {
  char kind;
  const char* text;
};
constexpr LocalForm kValues[] = {{'b', "@b"},
                                 {'b', "@n == @n"},
                                 {'b', "@s != @s"},
                                 {'b', "@n > @n && @b"},
                                 {'b', "@v == null"},
                                 {'b', "!%b"},
                                 {'b', "%b || @b"},
                                 {'b', "%n > @n"},
                                 {'b', "contains(@t, @s)"},
                                 {'b', "contains([\"a\", \"b\", \"hello\"], %s)"},
                                 {'b', "startswith(@s, \"h\")"},
                                 {'b', "anytrue([for e in @l : e == %n])"},
                                 {'b', "can(@v)"},
                                 {'b', "max(@l...) > @n"},
                                 {'b', "@l[0] == @n"},
                                 {'b', "[for e in @p : e][0] && %b"},
                                 {'n', "@n"},
                                 {'n', "length(@q)"},
                                 {'n', "@n + %n"},
                                 {'n', "%n + @n * 2"},
                                 {'n', "%b ? @n : %n"},
                                 {'n', "coalesce(@n, 1)"},
                                 {'n', "@l[0] - 1"},
                                 {'n', "sum(@l)"},
                                 {'s', "@s"},
                                 {'s', "%s == @s ? @s : %s"},
                                 {'s', "upper(@s)"},
                                 {'s', "\"${@s}-${%s}\""},
                                 {'s', "upper(@t[0])"},
                                 {'s', "substr(%s, 0, 2)"},
                                 {'l', "[for e in @l : e if e > @n]"},
                                 {'l', "@l"},
                                 {'l', "[@n, %n]"},
                                 {'a', "@a"},
                                 {'a', "@v"},
                                 {'a', "@m"},
                                 {'a', "@e"},
                                 {'a', "{a = %b, b = %n}"},
                                 {'a', "try(@v, %a)"},
                                 {'a', "%b ? %a : null"}};

// What reads them.
constexpr const char* kReaders[] = {
    "%b && %b",
    "%b || !%b && @b",
    "@b && (%b || %b && @b)",
    "%n == @n ? %n : @n",
    "%b ? @n : %n",
    "%b ? %s : @s",
    "@b ? %n : %s",
    "@b ? %b : 1",
    "@b ? \"x\" : %n",
    "%a != null && %s == @s",
    "%a == null || %b",
    "\"${%s}:${@s}:${%n}\"",
    "[for e in @p : %n if e]",
    "[for e in @l : e if %n == e]",
    "[for e in @l : e if e > %n && %b]",
    "[for e in @l : e + %n if %b]",
    "[for r in [{c = %b, t = 1}, {c = %n == @n, t = 2}, {c = @b, t = %s}] : r.t if r.c][0]",
    "[for r in [{c = @b, t = %n}, {c = %b && %b, t = 2}] : r.t if r.c]",
    "[for r in [{c = @b, t = %a}, {c = %b, t = \"${%s}-\"}] : r.t if r.c]",
    "try([for r in [{c = %b, t = 1}, {c = !%b, t = %n}] : r.t if r.c][0], %s)",
    "try(%a.a, %n)",
    "try(%n + 1, @n)",
    "try(%b && @b, 7)",
    "can(%b && @b)",
    "can(%a.a.b) || %b",
    "can(%n > 1) ? %n : 1",
    "%n + %n * 2 - %n",
    "%n > @n || %n <= @n",
    "alltrue([%b, @b, %b])",
    "anytrue([for e in @l : e == %n])",
    "length([for e in @l : e if e == %n]) > 0",
    "contains(@l, %n)",
    "contains(%l, @n) || contains(%l, %n)",
    "contains([1, 2, 7], %n) && %b",
    "coalesce(%n, @n)",
    "{a = %b ? 1 : 2, b = %a, c = [%n]}",
    "@b ? {a = %n} : {a = @n}",
    "sum([for e in @l : %b ? e : %n])",
    "%a",
    "[%a, %a]",
    "%l[0] == %n",
    "lookup(@m, \"a\", %n)",
    "upper(%s) == %s || %b",
    "[for k, e in %l : e if %b]",
    "length(%l) > %n",
    "max(%n, @n, %n)",
    "join(\"-\", [%s, @s])",
    "startswith(%s, \"h\") || %s == \"b\"",
    "anytrue([for a in @l : alltrue([for b in @l : a == b || %b])])",
    "[for e in @l : try(%n + e, e)]"};

class LocalLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  LocalLawTest() : generator_(TestSeed() + 4711, Options()), heap_(nullptr, GetParam()) {
    options_.dialect = GetParam();
    options_.functions = StandardFunctions();
    const Harness harness(options_);
    declared_ = std::make_shared<const Source>("variables.hcl", DeclarationsOf(harness.variables(), heap_.types()));
  }

  static GeneratorOptions Options() {
    GeneratorOptions options;
    options.max_depth = 2;
    options.errors = false;
    return options;
  }

  // `form` with one of `locals`, by their kinds, for each that it stands for.
  std::string WithLocals(const std::string& form, const std::string& locals) {
    std::string text;
    for (size_t n = 0; n < form.size(); ++n) {
      if (form[n] != '%' || n + 1 == form.size() || std::string_view("bnsla").find(form[n + 1]) == std::string::npos) {
        text += form[n];
        continue;
      }
      const char kind = form[++n];
      if (functions_ > 0 && generator_.Below(5) == 0) {
        const uint32_t called = generator_.Below(functions_);
        --functions_;  // no call in a call's arguments but of others, so that texts end
        absl::StrAppend(&text, "f", called, "(", WithLocals("%b, %n, %s, %l, %a", locals), ")");
        ++functions_;
        continue;
      }
      const auto first = generator_.Below(static_cast<uint32_t>(locals.size() + 1));
      const size_t found = kind == 'a' ? first : locals.find(kind, first);
      if (found < locals.size()) {
        absl::StrAppend(&text, "local.v", found);
      } else {
        text += kind == 'b' ? "yes" : kind == 'n' ? "i" : kind == 's' ? "s" : kind == 'l' ? "ln" : "u";
      }
    }
    return text;
  }

  // `form`, which reads parameters alone, with calls of the functions so far.
  std::string BodyOf(const std::string& form) {
    std::string text;
    for (size_t n = 0; n < form.size(); ++n) {
      if ((form[n] != '%' && form[n] != '@') || n + 1 == form.size()) {
        text += form[n];
        continue;
      }
      const char kind = form[++n];
      const bool is_told = std::string_view("bnsl").find(kind) != std::string_view::npos;
      if (functions_ > 0 && generator_.Below(6) == 0) {
        absl::StrAppend(&text, "f", generator_.Below(functions_), "(pb, pn, ps, pl, pa)");
      } else {
        absl::StrAppend(&text, "p", std::string(1, is_told ? kind : 'a'));
      }
    }
    return text;
  }

  void AddFunctions(std::string* text) {
    functions_ = 0;
    const uint32_t count = generator_.Below(3);
    for (uint32_t n = 0; n < count; ++n) {
      const bool is_value = generator_.Below(2) == 0;
      const std::string form =
          is_value ? kValues[generator_.Below(sizeof(kValues) / sizeof(kValues[0]))].text : generator_.Pick(kReaders);
      absl::StrAppend(text, "function \"f", n, "\" {\n  params = [pb, pn, ps, pl, pa]\n  result = ", BodyOf(form),
                      "\n}\n");
      functions_ = n + 1;
    }
  }

  struct Module {
    std::string locals;
    std::string attributes;
  };

  Module Next() {
    Module module;
    std::string kinds;
    const uint32_t count = 1 + generator_.Below(5);
    AddFunctions(&module.locals);
    module.locals += "locals {\n";
    for (uint32_t n = 0; n < count; ++n) {
      const LocalForm& form = kValues[generator_.Below(sizeof(kValues) / sizeof(kValues[0]))];
      absl::StrAppend(&module.locals, "  v", n, " = ", WithLocals(generator_.FillAlone(form.text, 1), kinds), "\n");
      kinds += form.kind;
    }
    module.locals += "}\n";
    for (const char* name : {"x", "y", "z"}) {
      const std::string form = generator_.FillAlone(generator_.Pick(kReaders), 1);
      absl::StrAppend(&module.attributes, name, " = ", WithLocals(form, kinds), "\n");
    }
    return module;
  }

  std::shared_ptr<const Program> Compile(const Module& module, bool has_fast_code) {
    CompileOptions options = options_;
    options.fast_code = has_fast_code;
    Diagnostics diagnostics;
    return CompileModule({{declared_},
                          {std::make_shared<const Source>("locals.hcl", module.locals)},
                          {std::make_shared<const Source>("module.hcl", module.attributes)}},
                         options, &diagnostics);
  }

  static std::string TextOf(const Evaluation& evaluation, Evaluator* evaluator) {
    if (!evaluation.ok()) {
      std::string text;
      for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
        absl::StrAppend(&text, CodeText(diagnostic.code), " ", diagnostic.detail);
        if (diagnostic.subject) absl::StrAppend(&text, " at ", diagnostic.subject->begin);
        if (diagnostic.source != nullptr) absl::StrAppend(&text, " of ", std::string(diagnostic.source->name()));
        text += "\n";
      }
      return text;
    }
    std::string text;
    AppendTypedJson(evaluation.value(), evaluator->heap()->types(), &text);
    return text;
  }

  // Of all ways to run it, over a scope.
  static std::string RunAll(Evaluator* evaluator, const Value& scope) {
    evaluator->BindAll(scope);
    std::string text;
    const auto add = [&](const char* name, const Evaluation& evaluation) {
      absl::StrAppend(&text, name, ": ", TextOf(evaluation, evaluator), "\n");
    };
    const Program& program = evaluator->program();
    for (const char* name : {"x", "y", "z", "x"}) add(name, evaluator->Run(*program.FindEntry(name)));
    for (const char* name : {"y", "z"}) add(name, evaluator->RunAnother(program.FindEntry(name)->chunk));
    add("all", evaluator->Run());
    return text;
  }

  std::string WhatIsWrongWith(const Module& module) {
    const auto fast = Compile(module, true);
    if (fast == nullptr) return "";  // it has mistakes
    const auto slow = Compile(module, false);
    Evaluator first(fast), second(slow);
    for (int n = 0; n < kScopes; ++n) {
      heap_.Reset();
      const std::string scope = RandomScope(*fast, &generator_);
      Value value;
      JsonError error;
      if (!JsonReader().Read(scope, &heap_, &value, &error)) return "no scope: " + scope;
      const std::string got = RunAll(&first, value);
      const std::string want = RunAll(&second, value);
      ++runs_;
      if (got.find(": HCL") == std::string::npos) ++clean_;
      if (got != want) return absl::StrCat("over ", scope, "\nfast: ", got, "slow: ", want);
    }
    return "";
  }

  Generator generator_;
  uint32_t functions_ = 0;  // that the module at hand has so far
  Heap heap_;
  CompileOptions options_;
  std::shared_ptr<const Source> declared_;
  uint64_t runs_ = 0;
  uint64_t clean_ = 0;
};

TEST_P(LocalLawTest, FastCodeOfLocalsChangesNothing) {
  const uint64_t modules = TestPrograms(kModules);
  std::vector<std::string> failures;
  for (uint64_t n = 0; n < modules; ++n) {
    const Module module = Next();
    std::string wrong = WhatIsWrongWith(module);
    if (!wrong.empty()) failures.push_back(absl::StrCat(module.locals, module.attributes, wrong));
  }
  ReportShortest(std::move(failures), kMaxReports);
  EXPECT_GT(runs_, modules);
  EXPECT_GT(clean_, modules / 10);
}

INSTANTIATE_TEST_SUITE_P(Dialects, LocalLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
