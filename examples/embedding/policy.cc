// The example of README.md, as a program; examples/embedding/readme_test.sh keeps the two alike.

#include <iostream>
#include <memory>

#include "hclvm/hclvm.h"

int main() {
  // clang-format off
  // [README]
  auto source = std::make_shared<hcl::Source>("policy.hcl", "allow = user.admin || contains(owners, user.name)");
  hcl::Diagnostics diagnostics;
  auto program = hcl::CompileConfig(source, {hcl::Dialect::kSpec, {}, hcl::StandardFunctions()}, &diagnostics);
  if (program == nullptr) return std::cerr << hcl::ToText(diagnostics, source.get()), 1;
  hcl::Heap heap; hcl::Value scope; hcl::JsonError error;
  const char* json = R"({"user": {"name": "ann", "admin": false}, "owners": ["ann"]})";
  if (!hcl::JsonReader().Read(json, &heap, &scope, &error)) return std::cerr << error.detail << "\n", 1;
  hcl::Evaluator evaluator(program);  // one for each thread; the program is shared
  evaluator.BindAll(scope);
  std::cout << evaluator.Run(*program->FindEntry("allow")).value().is_true() << "\n";
  // [/README]
  // clang-format on
  return 0;
}
