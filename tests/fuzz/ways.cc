// Ways to evaluate a program.

#include "hclvm/tests/fuzz/ways.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hclvm/base/limits.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/scopes.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"

namespace hcl::fuzz {
namespace {

using testing_support::Outcome;
using testing_support::TreeEvaluator;

// Longer results are compared, but neither printed nor read again.
constexpr uint64_t kMaxPrintedBytes = 4 << 20;
// The slow evaluator recurses over everything and evaluates everything, without fuel.
constexpr size_t kMaxSlowBytes = 2000;
constexpr size_t kMaxSlowLoops = 4;
constexpr uint64_t kSlowResultBytes = 1 << 20;

void AppendMarks(const Value& value, std::string* out) {
  if (value.is_marked()) *out += "^" + std::to_string(value.marks());
  const Value& inner = value.unmarked();
  if (!inner.has_marks()) return;
  *out += "(";
  for (const Value& part : inner.is_sequence() ? inner.elements() : inner.values()) {
    AppendMarks(part, out);
    *out += ",";
  }
  *out += ")";
}

std::string PrintValue(const Value& value) {
  std::string out;
  Limits limits;
  limits.max_output_bytes = kMaxPrintedBytes;
  TypeTable types;
  JsonError error;
  if (!AppendTypedJson(value, limits, &types, &out, &error)) return "(too long)";
  AppendMarks(value, &out);
  return out;
}

bool SameValue(const Value& a, const Value& b) {
  if (!Identical(a, b)) return false;
  return a.is_wholly_known() || PrintValue(a) == PrintValue(b);
}

size_t Count(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// docs/language.md, "Answers about unknown values that may turn out otherwise", has the reason: a right side of `&&` or
// `||` that the left side makes unnecessary is skipped in an optimized program if it is sure to be a bool, and its
// marks with it; a program that is not optimized takes them.
bool MaySkipMarks(std::string_view text) { return Count(text, "&&") + Count(text, "||") > 0; }

bool SameValueButMarks(const Value& a, const Value& b) {
  MarkSet marks = 0;
  Heap heap;
  return SameValue(UnmarkDeep(a, &marks, heap.arena()), UnmarkDeep(b, &marks, heap.arena()));
}

// Fast code changes nothing at all.
void RequireSame(const Run& run, const Run& without_fast_code) {
  if (run.stopped() || without_fast_code.stopped()) return;
  const bool same =
      run.ok() && without_fast_code.ok()
          ? SameValue(run.value, without_fast_code.value)
          : run.ok() == without_fast_code.ok() && run.diagnostics.kept() == without_fast_code.diagnostics.kept();
  if (!same) Violation("fast code gives the same", Print(run) + "\n" + Print(without_fast_code));
}

// The message of `try` has those of its attempts, each in a line: the first of them.
std::string_view FirstDetail(const Diagnostic& diagnostic) {
  const std::string_view detail = diagnostic.detail;
  const size_t first = detail.find("\n- ");
  return first == std::string_view::npos ? detail : detail.substr(0, detail.find('\n', first + 1));
}

// Only the first message is compared, for the same reason: a program that is not optimized also reports what failed in
// branches and sides that need not run.
bool SameFirstMessage(std::string_view text, const Run& run, const Run& other) {
  const Diagnostic& a = run.diagnostics.kept().front();
  const Diagnostic& b = other.diagnostics.kept().front();
  const bool same_place = a.summary == b.summary && a.subject == b.subject;
  // What is said depends on marks.
  return a == b || (same_place && (FirstDetail(a) == FirstDetail(b) || MaySkipMarks(text)));
}

void RequireSameUnoptimized(std::string_view text, const Run& run, const Run& unoptimized) {
  if (run.stopped() || unoptimized.stopped()) return;
  bool same = run.ok() == unoptimized.ok();
  if (same && run.ok()) {
    same = SameValue(run.value, unoptimized.value) ||
           (MaySkipMarks(text) && SameValueButMarks(run.value, unoptimized.value));
  } else if (same) {
    same = SameFirstMessage(text, run, unoptimized);
  }
  if (!same) Violation("optimized gives the same", Print(run) + "\n" + Print(unoptimized));
}

// A list, set or map can have an element of which nothing is known, not even its type (`[dyn]` as a list; so it is in
// the reference), and the reader of typed JSON does not take it in that place.
bool HoldsDynamic(std::string_view typed) { return Count(typed, "{\"$unknown\":\"dynamic\"}") > 0; }

// What is written of a value reads as the same value. Marks are not written, and a capsule cannot be read.
void CheckWritten(const Value& value, size_t bytes) {
  if (value.has_marks()) return;
  const Watch watch("writing and reading a result", bytes + value.weight() * 16);
  const std::string text = PrintValue(value);
  // Typed JSON takes an object whose first attribute is called "$unknown" and holds an array for an unknown value.
  const bool looks_unknown = value.is_wholly_known() && text.find("{\"$unknown\":[") != std::string::npos;
  if (text == "(too long)" || looks_unknown || HoldsDynamic(text)) return;
  Heap heap;
  Value again;
  JsonError error;
  const bool read = JsonReader().ReadTyped(text, &heap, &again, &error);
  if (!read && error.is_limit) return;
  Require(read, "a result that was written can be read", error.detail + "\n" + text);
  Require(SameValue(value, again), "a result reads as it was written", text + "\n" + PrintValue(again));
}

bool SlowHasTime(std::string_view text) {
  const size_t loops = Count(text, "for") + Count(text, "*");
  return text.size() <= kMaxSlowBytes && loops <= kMaxSlowLoops && (loops < 2 || Count(text, "(") == 0);
}

std::string PrintOutcome(const Outcome& outcome) {
  if (outcome.ok()) return PrintValue(*outcome.value);
  std::string out;
  for (const testing_support::Problem& problem : outcome.problems) {
    out += std::to_string(problem.range.begin) + "-" + std::to_string(problem.range.end) + " " + problem.summary + "; ";
  }
  return out;
}

// The same value, or the same first message about the same place, as in tests/slow/agreement_test.cc. What is found
// when a program is compiled, as a number that cannot be represented, comes before what evaluating it meets first.
void CompareWithSlow(const Expr& expr, const Run& run, Dialect dialect, const Value& variables) {
  Limits limits = StoppedLimits(0);
  limits.max_result_bytes = kSlowResultBytes;
  Heap heap(nullptr, dialect, limits);
  TreeEvaluator slow(*StandardFunctions(), &heap);
  const Outcome outcome = slow.Evaluate(expr, variables);
  for (const auto& problem : outcome.problems) {
    if (problem.is_limit) return;
  }
  bool same = run.ok() == outcome.ok();
  if (same && run.ok()) {
    same = SameValue(run.value, *outcome.value);
  } else if (same && run.evaluator != nullptr) {
    const Diagnostic& first = run.diagnostics.kept().front();
    same = outcome.problems[0].summary == first.summary && outcome.problems[0].range == first.subject;
  }
  if (!same) Violation("the slow evaluator says the same", Print(run) + "\nslow: " + PrintOutcome(outcome));
}

// Marks change no value. What a call of issensitive() says is a value as well; and an error's text hides marked values.
void CompareWithoutMarks(const Run& run, const Run& without) {
  if (run.stopped() || without.stopped()) return;
  MarkSet marks = 0;
  Heap heap;
  const bool same =
      run.ok() == without.ok() && (!run.ok() || SameValue(UnmarkDeep(run.value, &marks, heap.arena()), without.value));
  if (!same) Violation("marks change no value", Print(run) + "\nwithout: " + Print(without));
}

std::unique_ptr<ParsedFile> Parse(Form form, const Source& source, Diagnostics* diagnostics) {
  if (form == Form::kConfig) return ParseConfig(source, {}, diagnostics);
  return form == Form::kTemplate ? ParseTemplate(source, {}, diagnostics) : ParseExpression(source, {}, diagnostics);
}

}  // namespace

std::string Print(const Run& run) {
  if (run.ok()) return PrintValue(run.value);
  std::string out;
  for (const Diagnostic& diagnostic : run.diagnostics.kept()) {
    const SourceRange range = diagnostic.subject.value_or(SourceRange{});
    out += std::to_string(range.begin) + "-" + std::to_string(range.end) + " " + ToJson(diagnostic, nullptr) + "\n";
  }
  return out;
}

// The deadline is one for both phases. What is taken beyond it is time in which nobody looked at it.
Run RunOnce(const char* way, const Source& source, const Compile& compile, const CompileOptions& options,
            const Value& variables) {
  const size_t bytes = source.text().size();
  Watch watch(way, bytes);
  watch.AllowSeconds(StopSeconds(bytes));
  watch.AllowBytes(3 * options.limits.max_result_bytes);
  CompileOptions stopped = options;
  stopped.limits = StoppedLimits(bytes);
  Run run;
  std::shared_ptr<const Program> program = compile(stopped, &run.diagnostics);
  CheckMessages(run.diagnostics, source);
  if (program == nullptr) {
    Require(run.diagnostics.has_errors(), "nothing is compiled only because of errors");
    return run;
  }
  run.diagnostics.Clear();
  run.evaluator = std::make_unique<Evaluator>(std::move(program), stopped.limits);
  run.evaluator->BindAll(variables);
  const double begin = watch.seconds();
  const Evaluation& evaluation = run.evaluator->Run();
  CheckFuel(way, watch.seconds() - begin, stopped.limits.max_fuel - evaluation.fuel_left());
  run.diagnostics = evaluation.diagnostics();
  CheckMessages(run.diagnostics, source);
  Require(evaluation.ok() == !evaluation.value().is_error(), "a value or messages, never both or none");
  if (evaluation.ok()) run.value = evaluation.value();
  return run;
}

Run RunCompiledWays(const Source& source, const Compile& compile, Dialect dialect, const Value& variables) {
  CompileOptions options;
  options.dialect = dialect;
  options.functions = StandardFunctions();
  Run optimized = RunOnce("optimized", source, compile, options, variables);
  if (optimized.stopped()) return optimized;
  options.fast_code = false;
  RequireSame(optimized, RunOnce("without fast code", source, compile, options, variables));
  options.optimize = false;
  RequireSameUnoptimized(source.text(), optimized, RunOnce("not optimized", source, compile, options, variables));
  if (optimized.ok()) CheckWritten(optimized.value, source.text().size());
  return optimized;
}

// Parsed once, compiled often: a tree belongs to no dialect. Marked values are what the slow evaluator does not know,
// so there the same program over the values without marks is the judge. Programs that make marks have none.
void RunInAllWays(Form form, std::string_view scope, std::string_view text) {
  const auto source = std::make_shared<const Source>("input", std::string(text));
  Diagnostics errors;
  const std::unique_ptr<ParsedFile> file = Parse(form, *source, &errors);
  if (!errors.empty()) return;
  const Compile compile = [&](const CompileOptions& options, Diagnostics* diagnostics) {
    return form == Form::kConfig ? CompileBody(*file->body, source, options, diagnostics)
                                 : CompileExpr(*file->expr, source, options, diagnostics);
  };
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Heap heap(nullptr, dialect);
    const Value variables = MakeScope(scope, &heap);
    const Run run = RunCompiledWays(*source, compile, dialect, variables);
    if (run.stopped()) continue;
    const bool makes_marks = Count(text, "sensitive") > 0;
    if (variables.has_marks()) {
      MarkSet marks = 0;
      const Value unmarked = UnmarkDeep(variables, &marks, heap.arena());
      if (!makes_marks) CompareWithoutMarks(run, RunCompiledWays(*source, compile, dialect, unmarked));
    } else if (form != Form::kConfig && !makes_marks && SlowHasTime(text)) {
      CompareWithSlow(*file->expr, run, dialect, variables);
    }
  }
}

}  // namespace hcl::fuzz
