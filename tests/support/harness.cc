// Harness.

#include "hclvm/tests/support/harness.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"

namespace hcl::testing_support {

std::string ReadTestFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

// Typed JSON without the refinements of unknown values.
std::string WithoutRefinements(std::string text) {
  const std::string kStart = ",\"refinement\":{";
  for (size_t at = text.find(kStart); at != std::string::npos; at = text.find(kStart, at)) {
    size_t end = at + kStart.size();
    for (int depth = 1; depth > 0 && end < text.size(); ++end) {
      if (text[end] == '{') ++depth;
      if (text[end] == '}') --depth;
    }
    text.erase(at, end - at);
  }
  return text;
}

}  // namespace

std::string PrintDiagnostics(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.kept()) {
    absl::StrAppend(&out, out.empty() ? "" : "; ", d.is_limit ? "limit " : "error ");
    if (d.subject) absl::StrAppend(&out, d.subject->begin, "-", d.subject->end, " ");
    absl::StrAppend(&out, d.summary);
  }
  return out;
}

Harness::Harness(const CompileOptions& options) : options_(options), heap_(nullptr, options.dialect) {
  if (options_.functions == nullptr) options_.functions = StandardFunctions();
  // {"name": typed value} in, an object of values out.
  JsonReader reader;
  JsonError error;
  Value all;
  const std::string text = ReadTestFile("tests/conformance/variables.json");
  EXPECT_TRUE(reader.Read(text, &heap_, &all, &error)) << error.summary;
  std::vector<KeyValue> pairs;
  for (uint32_t i = 0; all.is_object() && i < all.shape().size; ++i) {
    std::string typed, reason;
    EXPECT_TRUE(AppendJson(all.values()[i], &typed, &reason)) << reason;
    Value value;
    EXPECT_TRUE(reader.ReadTyped(typed, &heap_, &value, &error)) << typed << ": " << error.summary;
    pairs.push_back({all.shape().keys[i], value});
  }
  variables_ = MakeObject(pairs, heap_.arena());
}

std::string Harness::Run(Compile compile, std::string_view text, bool typed) {
  auto source = std::make_shared<const Source>("<test>", std::string(text));
  Diagnostics diagnostics(options_.limits.max_diagnostics);
  std::shared_ptr<const Program> program = compile(source, options_, &diagnostics);
  EXPECT_EQ(program == nullptr, diagnostics.has_errors());
  if (program == nullptr) return PrintDiagnostics(diagnostics);
  Evaluator evaluator(program, options_.limits);
  evaluator.BindAll(variables_);
  const Evaluation& evaluation = evaluator.Run();
  fuel_used_ = options_.limits.max_fuel - evaluation.fuel_left();
  // Errors and values exclude each other: an error value never leaves, a value never comes with diagnostics.
  EXPECT_EQ(evaluation.ok(), !evaluation.value().is_error()) << text;
  if (!evaluation.ok()) return PrintDiagnostics(evaluation.diagnostics());
  std::string out;
  if (typed) {
    AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &out);
  } else {
    AppendTypedValueJson(evaluation.value(), evaluator.heap()->types(), &out);
  }
  return refinements_ ? out : WithoutRefinements(out);
}

}  // namespace hcl::testing_support
