// Laws of modules, over random programs as attributes of a module that declares all variables by what they are:
//
//   - a module gives what a plain config gives, also where the expression is a local's;
//   - it gives the same where its variables are sensitive;
//   - what is checked without a finding does not fail for names, types, nulls or arity;
//   - what the checker calls an error is one each time that a run comes by it, and a comparison whose answer it tells
//   has
//     this answer.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/slow/declared.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/tree_evaluator.h"
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

constexpr uint64_t kPrograms = 10'000;
constexpr size_t kMaxReports = 20;

// An error of the checker: the operation that it is about, and the operand that it points to, which has to have a
// value: one that fails may not be asked for.
struct ToldError {
  const Expr* operation = nullptr;
  SourceRange subject;
  bool needs_operand = true;  // the operation need not come by the operand, as a loop without elements
  const Diagnostic* diagnostic = nullptr;
};

// The node that has an operand with the range `subject` as one of its parts, or, where that is no expression's, the
// innermost one around it. Parts can have the range of the whole, as those of templates.
const Expr* OperationAround(const Expr& root, SourceRange subject) {
  const Expr* around = nullptr;
  const Expr* with_operand = nullptr;
  std::vector<const Expr*> waiting = {&root};
  while (!waiting.empty()) {
    const Expr* const next = waiting.back();
    waiting.pop_back();
    if (next->range.begin > subject.begin || next->range.end < subject.end) continue;
    if (next->range != subject) around = next;
    const size_t first = waiting.size();
    internal::AppendChildren(*next, &waiting);
    for (size_t n = first; n < waiting.size(); ++n) {
      if (waiting[n]->range == subject) with_operand = next;
    }
  }
  return with_operand != nullptr ? with_operand : around;
}

// A comparison that is said to have one answer.
struct ToldAnswer {
  const Expr* comparison = nullptr;
  bool answer = false;
  const Diagnostic* diagnostic = nullptr;
};

// The comparison with the range `subject`, or null.
const Expr* ComparisonAt(const Expr& root, SourceRange subject) {
  std::vector<const Expr*> waiting = {&root};
  while (!waiting.empty()) {
    const Expr* const next = waiting.back();
    waiting.pop_back();
    if (next->range.begin > subject.begin || next->range.end < subject.end) continue;
    if (next->range == subject && next->kind == ExprKind::kBinary) return next;
    internal::AppendChildren(*next, &waiting);
  }
  return nullptr;
}

// Follows an evaluation, and notes the first error that was told and is none. The slow evaluator goes through branches
// that are not taken; of what holds in them only where they are, nothing is to be noted.
class ErrorWatcher final : public TreeEvaluator::Observer {
 public:
  ErrorWatcher(std::vector<ToldError> told, std::vector<ToldAnswer> answers)
      : told_(std::move(told)), answers_(std::move(answers)), open_(told_.size()) {}

  void Enter(const Expr& expr) override {
    if (expr.kind == ExprKind::kConditional || expr.kind == ExprKind::kBinary) begins_.push_back(wrong_.size());
    for (size_t n = 0; n < told_.size(); ++n) {
      if (&expr == told_[n].operation) open_[n].push_back(!told_[n].needs_operand);
    }
  }
  // What is not known may be an error once it is.
  void Leave(const Expr& expr, const Outcome& outcome) override {
    const bool has_value = outcome.ok() && outcome.value->is_known();
    const bool is_bool = has_value && outcome.value->unmarked().is_bool();
    if (is_bool) {
      truths_[&expr] = outcome.value->unmarked().AsBool();
    } else {
      truths_.erase(&expr);
    }
    if (expr.kind == ExprKind::kConditional || expr.kind == ExprKind::kBinary) {
      ForgetUntaken(expr, begins_.back());
      begins_.pop_back();
    }
    const bool is_operand = outcome.ok() && outcome.value->is_wholly_known();
    for (size_t n = 0; n < told_.size(); ++n) {
      if (!open_[n].empty() && expr.range == told_[n].subject && is_operand) open_[n].back() = true;
      if (&expr != told_[n].operation) continue;
      const bool reached = open_[n].back();
      open_[n].pop_back();
      met_ += reached ? 1 : 0;
      if (reached && has_value) wrong_.push_back({expr.range, told_[n].diagnostic});
    }
    for (const ToldAnswer& told : answers_) {
      if (&expr != told.comparison || !is_bool) continue;
      ++answered_;
      if (outcome.value->unmarked().AsBool() != told.answer) wrong_.push_back({expr.range, told.diagnostic});
    }
  }

  const Diagnostic* wrong() const { return wrong_.empty() ? nullptr : wrong_.front().diagnostic; }
  uint64_t met() const { return met_; }
  uint64_t answered() const { return answered_; }

 private:
  struct Wrong {
    SourceRange range;
    const Diagnostic* diagnostic;
  };

  // Forgets what was noted, from `begin` on, in a part of `expr` that its condition or its left side decides against.
  void ForgetUntaken(const Expr& expr, size_t begin) {
    const bool is_choice = expr.kind == ExprKind::kConditional;
    const auto decided = truths_.find(is_choice ? As<ConditionalExpr>(expr).condition : As<BinaryExpr>(expr).lhs);
    if (decided == truths_.end()) return;
    const Expr* untaken = nullptr;
    if (is_choice) {
      untaken = decided->second ? As<ConditionalExpr>(expr).if_false : As<ConditionalExpr>(expr).if_true;
    } else if (As<BinaryExpr>(expr).op == (decided->second ? BinaryOp::kOr : BinaryOp::kAnd)) {
      untaken = As<BinaryExpr>(expr).rhs;
    }
    if (untaken == nullptr) return;
    const auto is_in = [untaken](const Wrong& wrong) {
      return wrong.range.begin >= untaken->range.begin && wrong.range.end <= untaken->range.end;
    };
    wrong_.erase(std::remove_if(wrong_.begin() + static_cast<ptrdiff_t>(begin), wrong_.end(), is_in), wrong_.end());
  }

  std::vector<ToldError> told_;
  std::vector<ToldAnswer> answers_;
  std::vector<std::vector<bool>> open_;           // for each, whether the evaluations of its operation have come by it
  std::unordered_map<const Expr*, bool> truths_;  // of what was left last, where that was a known bool
  std::vector<size_t> begins_;                    // of the choices around the node at hand, in wrong_
  std::vector<Wrong> wrong_;
  uint64_t met_ = 0;
  uint64_t answered_ = 0;
};

class ModuleLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  ModuleLawTest() : heap_(nullptr, GetParam()), harness_(OptionsWith(GetParam())) {
    options_ = OptionsWith(GetParam());
    options_.functions = StandardFunctions();
    const std::string declarations = DeclarationsOf(harness_.variables(), heap_.types());
    declared_ = std::make_shared<const Source>("variables.hcl", declarations);
    sensitive_ = std::make_shared<const Source>(
        "variables.hcl", absl::StrReplaceAll(declarations, {{"\n}\n", "\n  sensitive = true\n}\n"}}));
  }

  static CompileOptions OptionsWith(Dialect dialect) {
    CompileOptions options;
    options.dialect = dialect;
    return options;
  }

  // The value as typed JSON, or what has failed.
  std::string Run(const std::shared_ptr<const Program>& program, const std::string& text, const char* entry,
                  const Diagnostic** failure) {
    Evaluator evaluator(program);
    evaluator.BindAll(harness_.variables());
    const Evaluation& evaluation = entry == nullptr ? evaluator.Run() : evaluator.Run(*program->FindEntry(entry));
    std::string value;
    if (evaluation.ok()) {
      AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &value);
      return value;
    }
    const Diagnostic* const wrong = WrongFailure(evaluation.diagnostics(), text);
    if (wrong != nullptr) found_.push_back(*wrong);
    *failure = found_.empty() ? nullptr : &found_.back();
    return "error";
  }

  // Some programs are enough, since each takes as long as all else.
  std::string WhatSensitivityChanges(const std::shared_ptr<const Program>& module, const std::string& text,
                                     std::vector<ModuleFile> files) {
    if (text.size() % 4 != 0 || absl::StrContains(text, "issensitive")) return "";
    files[0].source = sensitive_;
    Diagnostics diagnostics;
    const auto sensitive = CompileModule(files, options_, &diagnostics);
    if (sensitive == nullptr) return "no module of sensitive variables";
    const Diagnostic* failure = nullptr;
    for (const char* entry : {"x", "y", "z"}) {
      const std::string want = Run(module, text, entry, &failure);
      const std::string got = Run(sensitive, text, entry, &failure);
      if (got != want) return absl::StrCat(entry, ", sensitive: ", got, "\n  otherwise: ", want);
    }
    return "";
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
    const std::string want = Run(plain, text, nullptr, &failure);
    for (const char* entry : {"x", "y"}) {
      const std::string got = Run(module, text, entry, &failure);
      // Of what is not known, more may be known where types are, and its range where they are not.
      const bool is_unknown = absl::StrContains(want, "$unknown") || absl::StrContains(got, "$unknown");
      if (got != want && !is_unknown) return absl::StrCat(entry, ": ", got, "\n  plain: ", want);
    }
    const bool fails = Run(module, text, "y", &failure) == "error";
    if ((Run(module, text, "z", &failure) == "error") != fails) return "z differs";
    std::string differs = WhatSensitivityChanges(module, text, files);
    if (!differs.empty()) return differs;
    Diagnostics findings;
    CheckModule(files, options_, /*strict=*/false, &findings);
    for (const Diagnostic& finding : findings.kept()) {
      if (finding.code != DiagnosticCode::kUnused) return "";
    }
    ++clean_;
    if (failure == nullptr) return "";
    return absl::StrCat("no finding, but ", CodeText(failure->code), " ", failure->summary, ": ", failure->detail);
  }

  std::string WhatIsToldWrongly(const std::string& text) {
    const auto source = std::make_shared<const Source>("plain.hcl", text);
    Diagnostics syntax;
    const auto parsed = ParseExpression(*source, ParseOptionsFor(options_), &syntax);
    if (syntax.has_errors()) return "";
    constexpr std::string_view kBefore = "x = ";
    const std::vector<ModuleFile> files = {
        {declared_}, {std::make_shared<const Source>("module.hcl", absl::StrCat(std::string(kBefore), text, "\n"))}};
    Diagnostics findings;
    CheckModule(files, options_, /*strict=*/false, &findings);
    std::vector<ToldError> told;
    std::vector<ToldAnswer> answers;
    for (const Diagnostic& finding : findings.kept()) {
      const auto code = static_cast<uint32_t>(finding.code);
      const bool is_of_call = code >= 3002 && code <= 3005;
      if (finding.code == DiagnosticCode::kConstantComparison || finding.code == DiagnosticCode::kNeverNull) {
        const SourceRange range = {finding.subject->begin - static_cast<uint32_t>(kBefore.size()),
                                   finding.subject->end - static_cast<uint32_t>(kBefore.size())};
        const Expr* const comparison = ComparisonAt(*parsed->expr, range);
        if (comparison != nullptr) {
          answers.push_back({comparison, absl::StrContains(finding.detail, "always true"), &finding});
        }
      }
      if (finding.severity != Severity::kError || !finding.subject) continue;
      if (!is_of_call && (code < 3201 || code > 3299)) continue;
      // What is divided by zero is an infinity: a value, but none that is of use.
      if (finding.code == DiagnosticCode::kNeverRight && absl::StrContains(finding.detail, "divisor")) continue;
      ToldError error;
      error.subject = {finding.subject->begin - static_cast<uint32_t>(kBefore.size()),
                       finding.subject->end - static_cast<uint32_t>(kBefore.size())};
      error.operation = OperationAround(*parsed->expr, error.subject);
      if (error.operation == nullptr) continue;
      // A step has no node of its own.
      error.needs_operand = !is_of_call && finding.code != DiagnosticCode::kNeverAttribute;
      error.diagnostic = &finding;
      told.push_back(error);
    }
    if (told.empty() && answers.empty()) return "";
    ErrorWatcher watcher(std::move(told), std::move(answers));
    TreeEvaluator evaluator(*options_.functions, &heap_);
    evaluator.set_observer(&watcher);
    evaluator.Evaluate(*parsed->expr, harness_.variables());
    met_ += watcher.met();
    answered_ += watcher.answered();
    const Diagnostic* const wrong = watcher.wrong();
    if (wrong == nullptr) return "";
    return absl::StrCat("told, but none: ", CodeText(wrong->code), " at ",
                        wrong->subject->begin - static_cast<uint32_t>(kBefore.size()), ": ", wrong->detail);
  }

  Heap heap_;
  Harness harness_;
  CompileOptions options_;
  std::shared_ptr<const Source> declared_;
  std::shared_ptr<const Source> sensitive_;  // the same variables
  std::vector<Diagnostic> found_;
  uint64_t clean_ = 0;
  uint64_t met_ = 0;
  uint64_t answered_ = 0;
};

TEST_P(ModuleLawTest, AModuleIsAConfigThatIsChecked) {
  const uint64_t programs = TestPrograms(kPrograms);
  const auto check = [this](const std::string& text, uint64_t) { return WhatIsWrongWith(text); };
  CheckPrograms(programs, &heap_, check, kMaxReports);
  EXPECT_GT(clean_, programs / 100);
}

TEST_P(ModuleLawTest, AnErrorIsOneWhereverItIsReached) {
  const uint64_t programs = TestPrograms(kPrograms);
  const auto check = [this](const std::string& text, uint64_t) { return WhatIsToldWrongly(text); };
  CheckPrograms(programs, &heap_, check, kMaxReports);
  EXPECT_GT(met_, programs / 10);
  EXPECT_GT(answered_, programs / 100);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ModuleLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
