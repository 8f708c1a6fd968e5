// Config files in both syntaxes. Tested by tests/hcldec_test.sh and bindings/python/tests/test_tools.py.

#include "hclvm/decode/config_file.h"

#include <utility>

#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"

namespace hcl::internal {

std::unique_ptr<ConfigFile> ReadConfigFile(std::string name, std::string text, bool is_json, Dialect dialect,
                                           const Limits& limits, Diagnostics* diagnostics) {
  auto file = std::make_unique<ConfigFile>();
  file->source = std::make_shared<const Source>(std::move(name), std::move(text));
  Diagnostics found(limits.max_diagnostics);
  if (is_json) {
    JsonOptions options;
    options.limits = limits;
    options.rules = dialect == Dialect::kHashiCorp ? JsonRules::kReference : JsonRules::kSpec;
    file->json = ParseJson(*file->source, options, &found);
    if (!found.has_errors()) file->body = ViewOf(*file->json);
  } else {
    ParseOptions options;
    options.limits = limits;
    options.allow_byte_order_mark = dialect == Dialect::kHashiCorp;
    options.strip_one_line = dialect == Dialect::kHashiCorp;
    file->native = ParseConfig(*file->source, options, &found);
    if (!found.has_errors()) file->body = ViewOf(*file->native->body, *file->source);
  }
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = file->source.get();
    diagnostics->Add(std::move(diagnostic));
  }
  return file;
}

}  // namespace hcl::internal
