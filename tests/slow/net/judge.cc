#include "hclvm/tests/slow/net/judge.h"

#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/slow/declared.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

// The slow evaluator has no bound, so programs that take long are left out.
constexpr uint64_t kMostFuel = 20'000;
// Which errors are left out where there are too many is not what is compared.
constexpr uint32_t kMostDiagnostics = 10'000;
// One in so many scopes has an evaluator of its own, which takes longer to make than most programs to run.
constexpr size_t kFreshEvery = 8;
constexpr size_t kLongestReport = 500;

Limits FewSteps() {
  Limits limits;
  limits.max_fuel = kMostFuel;
  limits.max_diagnostics = kMostDiagnostics;
  return limits;
}

// All that was reported, with places and texts.
bool SameReports(const Outcome& a, const Outcome& b) {
  return a.ok() || b.ok() ? a.ok() == b.ok() : a.problems == b.problems;
}

std::string Shown(const Outcome& outcome) {
  std::string text = Print(outcome);
  if (text.size() > kLongestReport) text = text.substr(0, kLongestReport) + "...";
  return text;
}

std::string Differ(const Outcome& got, const Outcome& want) {
  return absl::StrCat(Shown(got), "\n    optimized: ", Shown(want));
}

}  // namespace

Judge::Judge(Dialect dialect)
    : dialect_(dialect),
      options_(OptionsFor(dialect)),
      heap_(nullptr, dialect),
      slow_(dialect),
      optimized_(dialect, Code::kOptimized),
      general_(dialect, Code::kGeneral),
      unoptimized_(dialect, Code::kUnoptimized),
      lazy_(dialect, Code::kOptimized),
      fresh_(dialect, Code::kOptimized) {
  options_.limits = FewSteps();
  options_.functions = StandardFunctions();
  for (FastSide* side : {&optimized_, &general_, &unoptimized_, &lazy_, &fresh_}) side->set_limits(FewSteps());
}

bool Judge::Load(const std::string& text) {
  text_ = text;
  parsed_ = std::make_unique<Parsed>(text, ParseOptionsFor(options_));
  if (!parsed_->ok()) return false;
  for (FastSide* side : {&optimized_, &general_, &unoptimized_}) side->Compile(*parsed_);
  lazy_.Share(optimized_);
  return true;
}

bool Judge::Agree(const Outcome& a, const Outcome& b) {
  ++comparisons_;
  if (b.ok()) ++values_;
  return Same(a, b);
}

Finding Judge::Compare(const std::vector<OddScope>& scopes, size_t* at) {
  std::vector<Value> all;
  for (const OddScope& scope : scopes) all.push_back(scope.marked);
  optimized_.RunMany(all, &rows_);
  for (*at = 0; *at < scopes.size(); ++*at) {
    heap_.Reset();
    Finding finding = CompareOne(scopes[*at], *at);
    if (!finding.way.empty()) return finding;
  }
  return {};
}

Outcome Judge::Bare(const Outcome& outcome) {
  if (!outcome.ok() || !outcome.value->has_marks()) return outcome;
  MarkSet marks = 0;
  return UnmarkDeep(*outcome.value, &marks, heap_.arena());
}

// Known: optimized code leaves out the right side of `&&` and `||` when the left one decides, and so the marks of the
// right side, which do not matter then. Code that is not optimized evaluates it.
bool Judge::SkipsMarks(const Outcome& optimized, const Outcome& other) {
  const bool has_logic = absl::StrContains(text_, "&&") || absl::StrContains(text_, "||");
  if (!has_logic || !optimized.ok() || !other.ok()) return false;
  MarkSet some = 0, all = 0;
  const Outcome bare = UnmarkDeep(*optimized.value, &some, heap_.arena());
  const Outcome other_bare = UnmarkDeep(*other.value, &all, heap_.arena());
  return Same(bare, other_bare) && (some & ~all) == 0;
}

Finding Judge::CompareOne(const OddScope& scope, size_t row) {
  const Outcome got = optimized_.Run(scope.marked);
  if (HasLimit(got)) return ++limits_, Finding();
  const Outcome general = general_.Run(scope.marked);
  if (!HasLimit(general) && !Agree(general, got)) return {"general", Differ(general, got)};
  const Outcome unoptimized = unoptimized_.Run(scope.marked);
  if (!HasLimit(unoptimized) && !Agree(unoptimized, got) && !(scope.has_marks && SkipsMarks(got, unoptimized))) {
    return {"not optimized", Differ(unoptimized, got)};
  }
  const Outcome slow = slow_.Evaluate(*parsed_, scope.bare);
  if (const Outcome bare = Bare(got); !Agree(slow, bare)) return {"slow", Differ(slow, bare)};
  if (const std::optional<Outcome> of_row = optimized_.OutcomeOfRow(rows_, row)) {
    if (!HasLimit(*of_row) && !(Agree(*of_row, got) && SameReports(*of_row, got))) return {"row", Differ(*of_row, got)};
  }
  uint32_t calls = 0;
  const Outcome lazy = lazy_.RunLazily(scope.marked, &calls);
  if (!HasLimit(lazy) && !Agree(lazy, got)) return {"lazy", Differ(lazy, got)};
  if (row % kFreshEvery != 0) return {};
  fresh_.Share(optimized_);
  const Outcome fresh = fresh_.Run(scope.marked);
  if (!HasLimit(fresh) && !(Agree(fresh, got) && SameReports(fresh, got))) return {"new", Differ(fresh, got)};
  return {};
}

Finding Judge::CompareDeclared(const OddScope& scope) {
  if (scope.has_marks || !scope.bare.is_wholly_known()) return {};
  heap_.Reset();
  const auto declarations = std::make_shared<const Source>("v.hcl", DeclarationsOf(scope.bare, heap_.types()));
  const auto body = std::make_shared<const Source>(
      "m.hcl", absl::StrCat("x = ", text_, "\ny = local.v\nlocals {\n  v = ", text_, "\n}\n"));
  Diagnostics diagnostics;
  const auto module = CompileModule(std::vector<ModuleFile>{{declarations}, {body}}, options_, &diagnostics);
  if (module == nullptr) return {};
  const Outcome want = optimized_.Run(scope.bare);
  if (HasLimit(want)) return ++limits_, Finding();
  Evaluator evaluator(module, FewSteps());
  evaluator.BindAll(scope.bare);
  for (const char* entry : {"x", "y"}) {
    const Outcome got = OutcomeOf(evaluator.Run(*module->FindEntry(entry)));
    if (HasLimit(got)) return ++limits_, Finding();
    // A null has no type that a declaration says.
    if (!got.ok() && got.problems.front().summary == "Unsuitable value for variable") return {};
    ++comparisons_;
    // Errors of modules may say more.
    if (got.ok() == want.ok() && (!got.ok() || Same(got, want))) continue;
    return {absl::StrCat("declared, ", entry), Differ(got, want)};
  }
  return {};
}

Finding Judge::CompareSet(const std::vector<std::string>& texts, const std::vector<OddScope>& scopes) {
  const auto set = std::make_shared<ProgramSet>(options_);
  struct Member {
    std::string text;
    ProgramSet::Id id;
    std::unique_ptr<FastSide> alone;
  };
  std::vector<Member> members;
  for (size_t n = 0; n < texts.size(); ++n) {
    const std::string name = absl::StrCat("p", n);
    Diagnostics diagnostics;
    if (!set->Put(name, texts[n], &diagnostics)) continue;
    members.push_back({texts[n], *set->Find(name), std::make_unique<FastSide>(dialect_, Code::kOptimized)});
    members.back().alone->set_limits(FewSteps());
    members.back().alone->Compile(Parsed(texts[n], ParseOptionsFor(options_)));
  }
  SetEvaluator together(set, FewSteps());
  for (const OddScope& scope : scopes) {
    together.BindAll(scope.marked);
    std::optional<ProgramSet::Id> first;
    bool is_open = false;  // whether the first is true cannot be told
    bool is_limited = false;
    for (const Member& member : members) {
      const Outcome alone = member.alone->Run(scope.marked);
      const Outcome got = OutcomeOf(together.Run(member.id));
      is_limited = is_limited || HasLimit(alone) || HasLimit(got);
      if (is_limited) continue;
      if (!(Agree(got, alone) && SameReports(got, alone))) {
        return {"set", absl::StrCat(member.text, "\n    ", Differ(got, alone))};
      }
      if (first) continue;
      const bool is_unknown = alone.ok() && alone.value->unmarked().is_unknown();
      if (is_unknown && KindOf(*alone.value) != Kind::kAny && KindOf(*alone.value) != Kind::kBool) is_limited = true;
      is_open = !alone.ok() || is_unknown;
      if (is_open || alone.value->unmarked().is_true()) first = member.id;
    }
    if (is_limited) continue;
    const SetEvaluator::Match match = together.FindTrue();
    ++comparisons_;
    if (match.id != first || (first && match.is_true == is_open)) {
      const auto name = [&](const std::optional<ProgramSet::Id>& id) {
        return id ? std::string(together.SourceOf(*id)->text()) : std::string("none");
      };
      return {"first of a set",
              absl::StrCat(name(match.id), match.is_true ? " is true" : " is open", "\n    alone: ", name(first))};
    }
  }
  return {};
}

}  // namespace hcl::testing_support
