// The native syntax, and standalone templates: what is printed of a tree parses to the same tree.

#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/tests/fuzz/ways.h"

namespace hcl::fuzz {
namespace {

using Parse = std::unique_ptr<ParsedFile> (*)(const Source& source, const ParseOptions& options,
                                              Diagnostics* diagnostics);

std::string Dump(const ParsedFile& file) {
  internal::DumpOptions options;
  std::string with_ranges;
  options.ranges = true;
  // For the sake of looking at each node's range; what is compared has none.
  with_ranges =
      file.body != nullptr ? internal::DumpBody(*file.body, options) : internal::DumpExpr(*file.expr, options);
  return file.body != nullptr ? internal::DumpBody(*file.body) : internal::DumpExpr(*file.expr);
}

std::string Print(const ParsedFile& file, bool as_template) {
  if (file.body != nullptr) return PrintBody(*file.body);
  return as_template ? PrintTemplate(*file.expr) : PrintExpr(*file.expr);
}

// Trees with errors are dumped and printed as well, since tools do; only those without have a law. Printed numbers and
// escapes can be longer than what was written, but not deeper.
void RoundTrip(const char* what, Parse parse, std::string_view input) {
  const Source source("input", std::string(input));
  Diagnostics diagnostics;
  const bool as_template = parse == ParseTemplate;
  std::string dumped, printed;
  {
    const Watch watch(what, input.size());
    const std::unique_ptr<ParsedFile> file = parse(source, {}, &diagnostics);
    dumped = Dump(*file);
    printed = Print(*file, as_template);
  }
  CheckMessages(diagnostics, source);
  if (!diagnostics.empty()) return;
  const Watch watch(what, printed.size());
  const Source again("printed", printed);
  const std::unique_ptr<ParsedFile> file = parse(again, {}, &diagnostics);
  Require(diagnostics.empty(), "what is printed parses", printed);
  Require(Dump(*file) == dumped, "what is printed parses to the same tree", printed);
  Require(Print(*file, as_template) == printed, "printing what was printed gives the same text", printed);
}

}  // namespace

void FuzzSyntax(std::string_view input) {
  RoundTrip("parsing a config", ParseConfig, input);
  RoundTrip("parsing an expression", ParseExpression, input);
  RoundTrip("parsing a traversal", ParseTraversal, input);
}

void FuzzTemplate(std::string_view input) {
  const size_t line = input.find('\n');
  const std::string_view text = line == std::string_view::npos ? input : input.substr(line + 1);
  RoundTrip("parsing a template", ParseTemplate, text);
  RunInAllWays(Form::kTemplate, input.substr(0, input.size() - text.size()), text);
}

}  // namespace hcl::fuzz
