// Lines of JSON in, lines out: docs/embedding.md.

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include "absl/status/status.h"
#include "hclvm/hclvm.h"
#include "hclvm/ndjson.h"

int main() {
  auto source = std::make_shared<const hcl::Source>("rule.hcl", "a * a");
  hcl::Diagnostics diagnostics;
  std::shared_ptr<const hcl::Program> program = hcl::CompileExpression(source, {}, &diagnostics);
  if (program == nullptr) return std::cerr << hcl::ToText(diagnostics, source.get()), 1;

  hcl::NdjsonOptions options;
  options.threads = 2;
  options.name = "<stdin>";
  hcl::NdjsonCounts counts;
  absl::Status status =
      hcl::RunNdjson(program, options, hcl::ReadFrom(STDIN_FILENO, options.name), hcl::WriteTo(stdout), &counts);
  if (!status.ok()) return std::cerr << status.message() << "\n", 1;
  std::cout << counts.lines << " lines, " << counts.errors << " with errors\n";
  return 0;
}

// Reads:
//   {"a": 3}
//   {"a": 1.5}

// Prints:
//   {"value":9}
//   {"value":2.25}
//   2 lines, 0 with errors
