// The JSON syntax.

#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_dump.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/scopes.h"
#include "hclvm/tests/fuzz/simdjson_peer.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/tests/fuzz/ways.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::fuzz {
namespace {

using internal::DumpJson;

// The tree as a native one, which is what tools and the compiler see.
void Convert(const JsonFile& file, std::string_view text) {
  for (const EvaluationMode mode : {EvaluationMode::kFull, EvaluationMode::kLiteral}) {
    const Watch watch("converting JSON to expressions", text.size());
    Arena arena;
    Diagnostics diagnostics;
    const Expr* expr = ToNativeExpr(file.root, file, mode, &arena, &diagnostics);
    internal::DumpExpr(*expr);
    CheckMessages(diagnostics, *file.source);
  }
}

// A dump is JSON for a tree without mistakes.
void RoundTrip(std::string_view input, JsonRules rules) {
  const Source source("input", std::string(input));
  JsonOptions options;
  options.rules = rules;
  Diagnostics diagnostics;
  std::string dumped;
  {
    const Watch watch("parsing JSON", input.size());
    const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, options, &diagnostics);
    dumped = DumpJson(file->root);
    DumpJson(file->root, /*ranges=*/true);
    Convert(*file, input);
  }
  CheckMessages(diagnostics, source);
  static SimdjsonPeer* const peer = new SimdjsonPeer();
  const SimdjsonPeer::Verdict verdict = peer->Judge(input);
  if (!diagnostics.has_limit() && verdict != SimdjsonPeer::Verdict::kNoOpinion) {
    Require(diagnostics.empty() == (verdict == SimdjsonPeer::Verdict::kValid),
            "simdjson and the parser accept the same texts", ToText(diagnostics, &source));
  }
  if (!diagnostics.empty()) return;
  const Source again("dumped", dumped);
  const std::unique_ptr<JsonFile> file = ParseJsonExpression(again, options, &diagnostics);
  Require(diagnostics.empty(), "what is dumped parses", dumped);
  Require(DumpJson(file->root) == dumped, "what is dumped parses to the same tree", dumped);
}

void RunConfig(std::string_view input, Dialect dialect) {
  const auto source = std::make_shared<const Source>("input", std::string(input));
  Heap heap(nullptr, dialect);
  RunCompiledWays(
      *source,
      [&](const CompileOptions& options, Diagnostics* diagnostics) {
        return CompileJsonConfig(source, options, diagnostics);
      },
      dialect, MakeScope("0123456789", &heap));
}

}  // namespace

void FuzzJsonSyntax(std::string_view input) {
  for (const JsonRules rules : {JsonRules::kSpec, JsonRules::kReference}) RoundTrip(input, rules);
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) RunConfig(input, dialect);
}

}  // namespace hcl::fuzz
