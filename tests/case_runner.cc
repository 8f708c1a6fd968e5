// Runs one conformance case.

#include "hclvm/tests/case_runner.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/compare_typed.h"
#include "hclvm/tests/value_sampler.h"
#include "hclvm/tests/well_typed.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/conversion.h"

namespace hcl {

using internal::ToAbsl;
namespace {

Dialect DialectOf(const JsonTree& test) {
  return test.Text("dialect") == "spec" ? Dialect::kSpec : Dialect::kHashiCorp;
}

ParseOptions OptionsOf(const JsonTree& test) {
  CompileOptions options;
  options.dialect = DialectOf(test);
  return ParseOptionsFor(options);
}

std::shared_ptr<const Source> SourceOf(const JsonTree& test) {
  return std::make_shared<const Source>("<case>", std::string(test.Text("source")));
}

CaseOutcome Failed(std::string phase, const std::vector<Diagnostic>& diagnostics, const Source* source) {
  CaseOutcome outcome;
  outcome.error = std::move(phase);
  if (diagnostics.empty()) return outcome;
  const Diagnostic& first = diagnostics.front();
  outcome.message = absl::StrCat(first.summary, ": ", first.detail);
  if (source != nullptr && first.subject) {
    const SourcePosition begin = source->PositionAt(first.subject->begin);
    const SourcePosition end = source->PositionAt(first.subject->end);
    outcome.at = CasePlace{begin.line, begin.column, end.line, end.column};
  }
  return outcome;
}

CaseOutcome Gave(std::string json) {
  CaseOutcome outcome;
  outcome.json = std::move(json);
  return outcome;
}

CaseOutcome FailedWith(std::string phase, std::string message) {
  CaseOutcome outcome;
  outcome.error = std::move(phase);
  outcome.message = std::move(message);
  return outcome;
}

// The raw text of a member of the case.
std::string_view RawOf(const JsonTree& test, std::string_view name) {
  const JsonTree* member = test.Find(name);
  return member == nullptr ? std::string_view() : member->raw;
}

std::string StepJson(const TraversalStep& step) {
  std::string json;
  switch (step.kind) {
    case TraversalStep::Kind::kAttribute:
      json = "{\"attr\":";
      AppendJsonString(step.text, &json);
      break;
    case TraversalStep::Kind::kIndexString:
      json = "{\"index\":";
      AppendJsonString(internal::ToNfc(std::string_view(step.text)), &json);
      break;
    default:
      absl::StrAppend(&json, "{\"index\":", ToAbsl(step.text));
  }
  return json + "}";
}

}  // namespace

std::string CaseOutcome::ToString() const {
  if (error.empty()) return json;
  std::string text = absl::StrCat("{\"error\":\"", error, "\"");
  if (at) absl::StrAppend(&text, ",\"at\":[", (*at)[0], ",", (*at)[1], ",", (*at)[2], ",", (*at)[3], "]");
  return absl::StrCat(text, "} ", message);
}

bool CaseRunner::ReadVariables(std::string_view json) {
  JsonTree tree;
  if (!ParseJsonTree(json, &tree) || !tree.is_object()) return false;
  for (const auto& [name, typed] : tree.members) {
    Value value;
    JsonError error;
    if (!reader_.ReadTyped(typed.raw, &heap_, &value, &error)) return false;
    variables_.emplace_back(name, value);
  }
  return true;
}

bool CaseRunner::HoldsForSamples(const JsonTree& test, const CaseOutcome& got) {
  constexpr uint32_t kSamples = 64;
  CompareOptions compare;
  compare.accept_known = true;
  JsonTree wanted;
  if (!got.error.empty() || !ParseJsonTree(got.json, &wanted)) return false;
  const Variables given = variables_;
  bool holds = true;
  for (uint32_t seed = 0; holds && seed < kSamples; ++seed) {
    Heap heap;
    ValueSampler sampler(seed, &heap);
    for (size_t i = 0; i < given.size(); ++i) variables_[i].second = sampler.Known(given[i].second);
    const CaseOutcome outcome = Run(test);
    JsonTree sampled;
    if (!outcome.error.empty()) continue;
    holds = ParseJsonTree(outcome.json, &sampled) && SameTypedTree(sampled, wanted, compare);
  }
  variables_ = given;
  return holds;
}

CaseOutcome CaseRunner::Run(const JsonTree& test) {
  const std::string_view kind = test.Text("kind");
  if (kind == "expr" || kind == "template") return RunExpression(test, kind == "template");
  if (kind == "body") return RunBody(test);
  if (kind == "json_attributes") return RunJson(test, EvaluationMode::kFull);
  if (kind == "json_literal") return RunJson(test, EvaluationMode::kLiteral);
  if (kind == "convert") return RunConvert(test);
  if (kind == "unify") return RunUnify(test);
  if (kind == "traversal") return RunTraversal(test);
  return FailedWith("not supported", absl::StrCat("cases of kind \"", ToAbsl(kind), "\""));
}

CaseOutcome CaseRunner::RunExpression(const JsonTree& test, bool is_template) {
  const std::shared_ptr<const Source> source = SourceOf(test);
  Diagnostics parsing;
  const std::unique_ptr<ParsedFile> file = is_template ? ParseTemplate(*source, OptionsOf(test), &parsing)
                                                       : ParseExpression(*source, OptionsOf(test), &parsing);
  if (parsing.has_errors()) return Failed("parse", parsing.kept(), source.get());
  std::string json;
  std::vector<Diagnostic> diagnostics;
  if (!Evaluate(*file->expr, source, DialectOf(test), &json, &diagnostics)) {
    return Failed("eval", diagnostics, source.get());
  }
  return Gave(std::move(json));
}

bool CaseRunner::Evaluate(const Expr& expr, const std::shared_ptr<const Source>& source, Dialect dialect,
                          std::string* json, std::vector<Diagnostic>* diagnostics) {
  CompileOptions options;
  options.dialect = dialect;
  options.functions = StandardFunctions();
  Diagnostics compiling;
  const std::shared_ptr<const Program> program = CompileExpr(expr, source, options, &compiling);
  if (program == nullptr) {
    diagnostics->insert(diagnostics->end(), compiling.kept().begin(), compiling.kept().end());
    return false;
  }
  Evaluator evaluator(program);
  for (const auto& [name, value] : variables_) evaluator.Bind(name, value);
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) {
    const std::vector<Diagnostic>& kept = evaluation.diagnostics().kept();
    diagnostics->insert(diagnostics->end(), kept.begin(), kept.end());
    return false;
  }
  // No value that is not of its own type passes, whatever its JSON looks like.
  if (std::string wrong = WhatIsWrong(evaluation.value(), evaluator.heap()->types()); !wrong.empty()) {
    Diagnostic diagnostic(DiagnosticCode::kNoJsonForm);
    diagnostic.summary = "Ill-typed value";
    diagnostic.detail = std::move(wrong);
    diagnostics->push_back(std::move(diagnostic));
    return false;
  }
  AppendTypedJson(evaluation.value(), evaluator.heap()->types(), json);
  return true;
}

CaseOutcome CaseRunner::RunBody(const JsonTree& test) {
  const std::shared_ptr<const Source> source = SourceOf(test);
  Diagnostics parsing;
  const std::unique_ptr<ParsedFile> file = ParseConfig(*source, OptionsOf(test), &parsing);
  if (parsing.has_errors()) return Failed("parse", parsing.kept(), source.get());
  std::vector<Diagnostic> diagnostics;
  std::string json = EvaluateBody(*file->body, source, DialectOf(test), &diagnostics);
  return diagnostics.empty() ? Gave(std::move(json)) : Failed("eval", diagnostics, source.get());
}

std::string CaseRunner::EvaluateBody(const Body& body, const std::shared_ptr<const Source>& source, Dialect dialect,
                                     std::vector<Diagnostic>* diagnostics) {
  std::string attributes;
  std::string blocks;
  size_t next_block = 0;
  auto walk_block = [&](const Block& block) {
    absl::StrAppend(&blocks, blocks.empty() ? "" : ",", "{\"type\":");
    AppendJsonString(block.type, &blocks);
    blocks += ",\"labels\":[";
    for (size_t i = 0; i < block.labels.size(); ++i) {
      if (i > 0) blocks += ",";
      AppendJsonString(block.labels[i].text, &blocks);
    }
    absl::StrAppend(&blocks, "],\"body\":", EvaluateBody(*block.body, source, dialect, diagnostics), "}");
  };
  for (const Attribute& attribute : body.attributes) {
    // Diagnostics in source order: blocks that stand before the attribute go first.
    while (next_block < body.blocks.size() && body.blocks[next_block].range.begin < attribute.range.begin) {
      walk_block(body.blocks[next_block++]);
    }
    absl::StrAppend(&attributes, attributes.empty() ? "" : ",");
    AppendJsonString(attribute.name, &attributes);
    attributes += ":";
    Evaluate(*attribute.expr, source, dialect, &attributes, diagnostics);
  }
  while (next_block < body.blocks.size()) walk_block(body.blocks[next_block++]);
  return absl::StrCat("{\"attributes\":{", attributes, "},\"blocks\":[", blocks, "]}");
}

// The cases evaluate the attributes in the order of their names and end with the first one that has errors. What is
// wrong with its templates is found before anything is evaluated, and wanted among the errors of the evaluation.
CaseOutcome CaseRunner::RunJson(const JsonTree& test, EvaluationMode mode) {
  const std::shared_ptr<const Source> source = SourceOf(test);
  CompileOptions options;
  options.dialect = DialectOf(test);
  Diagnostics parsing;
  const std::unique_ptr<JsonFile> file = ParseJson(*source, JsonOptionsFor(options), &parsing);
  if (parsing.has_errors()) return Failed("parse", parsing.kept(), source.get());
  Diagnostics reading;
  Arena arena;
  const Body* body = JsonAttributes(*file, mode, &arena, &reading);
  std::vector<Attribute> attributes(body->attributes.begin(), body->attributes.end());
  std::sort(attributes.begin(), attributes.end(),
            [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
  std::string json;
  for (const Attribute& attribute : attributes) {
    std::vector<Diagnostic> diagnostics;
    for (const Diagnostic& diagnostic : reading.kept()) {
      if (diagnostic.subject && Cover(*diagnostic.subject, attribute.range) == attribute.range)
        diagnostics.push_back(diagnostic);
    }
    absl::StrAppend(&json, json.empty() ? "" : ",");
    AppendJsonString(attribute.name, &json);
    json += ":";
    Evaluate(*attribute.expr, source, options.dialect, &json, &diagnostics);
    std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return a.subject.value_or(SourceRange()).begin < b.subject.value_or(SourceRange()).begin;
    });
    if (!diagnostics.empty()) return Failed("eval", diagnostics, source.get());
  }
  if (reading.has_errors()) return Failed("eval", reading.kept(), source.get());
  return Gave(absl::StrCat("{\"attributes\":{", json, "}}"));
}

CaseOutcome CaseRunner::RunConvert(const JsonTree& test) {
  Heap heap(nullptr, DialectOf(test));
  Value value;
  Type type;
  JsonError json_error;
  if (!reader_.ReadTyped(RawOf(test, "value"), &heap, &value, &json_error) ||
      !ParseTypeJson(RawOf(test, "type"), &heap, &type, &json_error)) {
    return FailedWith("case", absl::StrCat(json_error.summary, ": ", json_error.detail));
  }
  Value converted;
  ConversionError error;
  if (!Convert(value, type, &heap, &converted, &error)) return FailedWith("convert", error.ToString());
  std::string json;
  AppendTypedJson(converted, heap.types(), &json);
  return Gave(std::move(json));
}

CaseOutcome CaseRunner::RunUnify(const JsonTree& test) {
  Heap heap(nullptr, DialectOf(test));
  std::vector<Type> types;
  const JsonTree* listed = test.Find("types");
  if (listed == nullptr) return FailedWith("case", "no types");
  for (const JsonTree& tree : listed->items) {
    JsonError error;
    types.emplace_back();
    if (!ParseTypeJson(tree.raw, &heap, &types.back(), &error)) return FailedWith("case", error.detail);
  }
  Type unified;
  if (!Unify(types, &heap, &unified)) return FailedWith("unify", "no common type");
  std::string json = "{\"type\":";
  AppendTypeJson(unified, &json);
  return Gave(json + "}");
}

CaseOutcome CaseRunner::RunTraversal(const JsonTree& test) {
  const std::shared_ptr<const Source> source = SourceOf(test);
  Diagnostics parsing;
  const std::unique_ptr<ParsedFile> file = ParseTraversal(*source, OptionsOf(test), &parsing);
  if (parsing.has_errors()) return Failed("parse", parsing.kept(), source.get());
  const Expr* root = file->expr;
  absl::Span<const TraversalStep> steps;
  if (root->kind == ExprKind::kTraversal) {
    steps = As<TraversalExpr>(*root).steps;
    root = As<TraversalExpr>(*root).source;
  }
  std::string json = "{\"traversal\":[{\"root\":";
  AppendJsonString(As<VariableExpr>(*root).name, &json);
  json += "}";
  for (const TraversalStep& step : steps) absl::StrAppend(&json, ",", StepJson(step));
  return Gave(json + "]}");
}

}  // namespace hcl
