// A config that is kept while single variables change: docs/embedding.md.

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "hclvm/hclvm.h"

namespace {

void Print(const hcl::Evaluation& evaluation) {
  std::string json;
  std::string reason;
  if (evaluation.ok() && hcl::AppendJson(evaluation.value(), &json, &reason)) std::cout << json << "\n";
}

}  // namespace

int main() {
  auto source = std::make_shared<const hcl::Source>("proxy.hcl", R"(
    listen  = "0.0.0.0:${port}"
    workers = cores * 2
    backend "main" { weight = load > 0.8 ? 1 : 5 }
  )");
  hcl::Diagnostics diagnostics;
  std::shared_ptr<const hcl::Program> program = hcl::CompileConfig(source, {}, &diagnostics);
  if (program == nullptr) return std::cerr << hcl::ToText(diagnostics, source.get()), 1;

  hcl::Evaluator evaluator(program);
  evaluator.Bind("port", hcl::Value::Int(80));
  evaluator.Bind("cores", hcl::Value::Int(4));
  evaluator.Bind("load", hcl::Value::Int(0));
  Print(evaluator.Run());
  const uint32_t load = *program->FindSlot("load");
  evaluator.Bind(load, hcl::Value::Int(1));
  Print(evaluator.Rerun({load}));  // evaluates `weight` alone
  return 0;
}

// Prints:
//   {"backend":{"main":[{"weight":5}]},"listen":"0.0.0.0:80","workers":8}
//   {"backend":{"main":[{"weight":1}]},"listen":"0.0.0.0:80","workers":8}
