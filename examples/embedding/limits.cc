// Limits that are crossed, work that is cancelled, and diagnostics as text and JSON: docs/embedding.md.

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hclvm.h"

std::shared_ptr<const hcl::Program> Compile(const std::string& text) {
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  hcl::Diagnostics diagnostics;
  return hcl::CompileExpression(std::make_shared<const hcl::Source>("<rule>", text), options, &diagnostics);
}

void ShowLimits() {
  std::shared_ptr<const hcl::Program> program = Compile("[for a in range(n) : [for b in range(n) : a * b]]");
  hcl::Limits limits;
  limits.max_fuel = 10'000;           // units of work, about one for an instruction
  limits.max_result_bytes = 1 << 20;  // of results and all values on the way
  hcl::Evaluator evaluator(program, limits);
  for (int n : {10, 1000}) {
    evaluator.Bind("n", hcl::Value::Int(n));
    const hcl::Evaluation& evaluation = evaluator.Run();
    // A limit is a diagnostic like others; has_limit() tells it from a mistake of the user's.
    if (evaluation.ok()) std::cout << n << ": ok\n";
    if (evaluation.diagnostics().has_limit()) std::cout << n << ": limit\n";
  }
}

void ShowInterrupt() {
  std::shared_ptr<const hcl::Program> program = Compile("[for a in range(1000) : [for b in range(1000) : [a][*]]]");
  std::atomic<bool> cancel{true};  // set by another thread, when a client has gone, say
  hcl::Evaluator evaluator(program);
  hcl::Interrupt interrupt;
  interrupt.cancel = &cancel;
  interrupt.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  evaluator.set_interrupt(interrupt);
  const hcl::Diagnostics& diagnostics = evaluator.Run().diagnostics();
  for (const hcl::Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.code == hcl::DiagnosticCode::kEvaluationInterrupted) std::cout << "stopped\n";
  }
}

void ShowDiagnostics() {
  std::shared_ptr<const hcl::Program> program = Compile("user.age >= 18");
  hcl::Heap heap;
  hcl::Value scope;
  hcl::JsonError error;
  if (!hcl::JsonReader().Read(R"({"user": {"age": "unknown"}})", &heap, &scope, &error)) return;
  hcl::Evaluator evaluator(program);
  evaluator.BindAll(scope);
  const hcl::Diagnostics& diagnostics = evaluator.Run().diagnostics();
  std::cout << hcl::ToText(diagnostics, &program->source());
  for (const hcl::Diagnostic& diagnostic : diagnostics.kept()) {
    std::cout << hcl::ToJson(diagnostic, &program->source()).substr(0, 64) << "\n";
  }
}

int main() {
  ShowLimits();
  ShowInterrupt();
  ShowDiagnostics();
  return 0;
}

// Prints:
//   10: ok
//   1000: limit
//   stopped
//   Error[HCL4101]: Invalid operand
//
//     on <rule> line 1, column 1:
//     1 | user.age >= 18
//       | ^^^^^^^^
//
//     where user.age is "unknown"
//
//     Unsuitable value for left operand: a number is required, and this text is none.
//   {"severity":"error","code":"HCL4101","summary":"Invalid operand"
