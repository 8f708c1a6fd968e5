// Many programs over one scope: docs/embedding.md.

#include "hclvm/compiler/program_set.h"

#include <iostream>
#include <memory>
#include <string>

#include "hclvm/hclvm.h"

int main() {
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  auto set = std::make_shared<hcl::ProgramSet>(options);
  hcl::Diagnostics diagnostics;
  const bool is_put = set->Put("guests", "startswith(path, \"/public/\")", &diagnostics) &&
                      set->Put("owners", "user == \"ann\" && level > 1", &diagnostics);
  if (!is_put) return std::cerr << hcl::ToText(diagnostics, nullptr), 1;

  hcl::SetEvaluator evaluator(set);  // one for each thread; the set is shared
  evaluator.Bind("path", hcl::Value::StringView("/private/a"));
  evaluator.Bind("user", hcl::Value::StringView("ann"));
  evaluator.Bind("level", hcl::Value::Int(2));
  std::cout << evaluator.Run(*evaluator.Find("guests")).value().is_true() << "\n";
  const hcl::SetEvaluator::Match match = evaluator.FindTrue();
  if (match.id && match.is_true) std::cout << evaluator.SourceOf(*match.id)->name() << "\n";

  // From any thread; evaluators go on with what they have until they are told.
  if (!set->Put("guests", "level > 0", &diagnostics)) return 1;
  evaluator.Update();
  std::cout << evaluator.Run(*evaluator.Find("guests")).value().is_true() << "\n";
  return 0;
}

// Prints:
//   0
//   owners
//   1
