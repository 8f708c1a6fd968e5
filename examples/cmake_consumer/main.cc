// Decides one request with a policy, in a project that finds hclvm by CMake or by pkg-config.

#include <iostream>
#include <memory>
#include <optional>

#include "hclvm/hclvm.h"

int main() {
  auto source = std::make_shared<hcl::Source>("policy.hcl", "allow = user.admin || contains(owners, user.name)\n");
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  hcl::Diagnostics diagnostics;
  const std::shared_ptr<const hcl::Program> program = hcl::CompileConfig(source, options, &diagnostics);
  if (program == nullptr) {
    std::cerr << hcl::ToText(diagnostics, source.get());
    return 1;
  }

  hcl::Heap heap;
  hcl::Value scope;
  hcl::JsonError error;
  const char request[] = R"({"user": {"name": "ann", "admin": false}, "owners": ["ann", "bob"]})";
  if (!hcl::JsonReader().Read(request, &heap, &scope, &error)) {
    std::cerr << error.summary << ": " << error.detail << "\n";
    return 1;
  }

  hcl::Evaluator evaluator(program);
  evaluator.BindAll(scope);
  const hcl::Evaluation& evaluation = evaluator.Run(*program->FindEntry("allow"));
  if (!evaluation.ok()) {
    std::cerr << hcl::ToText(evaluation.diagnostics(), source.get());
    return 1;
  }
  std::cout << (evaluation.value().AsBool() ? "allowed" : "denied") << "\n";
  return 0;
}
