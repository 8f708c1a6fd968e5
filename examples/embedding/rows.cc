// Structs as scopes, many in one call: docs/embedding.md.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/hclvm.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/scope_layout.h"

struct Request {
  std::string path;
  int64_t size = 0;
  std::string user;
};

int main() {
  auto source = std::make_shared<const hcl::Source>(
      "rule.hcl", "startswith(path, \"/files/\") && size < 100 || user.name == \"ann\"");
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  hcl::Diagnostics diagnostics;
  std::shared_ptr<const hcl::Program> program = hcl::CompileExpression(source, options, &diagnostics);
  if (program == nullptr) return std::cerr << hcl::ToText(diagnostics, source.get()), 1;

  // Once. A name that the program does not read, or a type that does not fit, is an error here.
  absl::StatusOr<hcl::ScopeLayout> layout = hcl::ScopeLayout::Bind<Request>(program)
                                                .Field("path", &Request::path)
                                                .Field("size", &Request::size)
                                                .Field("user.name", &Request::user)  // of the object `user`
                                                .Make();
  if (!layout.ok()) return std::cerr << layout.status() << "\n", 1;

  const std::vector<Request> requests = {{"/files/a", 7, "bob"}, {"/files/\xff", 1, "bob"}, {"/etc", 1, "ann"}};
  hcl::Evaluator evaluator(program);
  hcl::RunResults results;  // is used again
  evaluator.RunMany(layout->Rows(requests), &results);
  for (size_t row = 0; row < results.size(); ++row) {
    std::cout << (results.ok(row) ? results.value(row).is_true() ? "allow" : "deny"
                                  : results.diagnostics(row).kept()[0].detail)
              << "\n";
  }
  return 0;
}

// Prints:
//   allow
//   Row 1, field .path: the text is not valid UTF-8.
//   allow
