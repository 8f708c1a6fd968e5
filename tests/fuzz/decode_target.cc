// Spec files and bodies.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/scopes.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/tests/fuzz/ways.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {
namespace {

constexpr std::string_view kSeparator = "\n---";

// An input's three parts.
struct Parts {
  std::string_view spec;
  std::string_view scope;  // the rest of the line that separates the others
  std::string_view body;
};

Parts Split(std::string_view input) {
  Parts parts;
  const size_t separator = input.find(kSeparator);
  parts.spec = input.substr(0, separator);
  if (separator == std::string_view::npos) return parts;
  const std::string_view rest = input.substr(separator + kSeparator.size());
  const size_t line = rest.find('\n');
  parts.scope = rest.substr(0, line);
  if (line != std::string_view::npos) parts.body = rest.substr(line + 1);
  return parts;
}

// A body, and what it lives in.
struct Input {
  std::shared_ptr<const Source> source;
  std::unique_ptr<ParsedFile> native;
  std::unique_ptr<JsonFile> json;
  BodyViewPtr body;  // null: not parsed
};

Input ReadBody(std::string_view text) {
  Input input;
  input.source = std::make_shared<const Source>("body", std::string(text));
  Diagnostics diagnostics;
  if (!text.empty() && (text[0] == '{' || text[0] == '[')) {
    JsonOptions options;
    options.rules = JsonRules::kReference;
    input.json = ParseJson(*input.source, options, &diagnostics);
    if (!diagnostics.has_errors()) input.body = ViewOf(*input.json);
  } else {
    input.native = ParseConfig(*input.source, {}, &diagnostics);
    if (!diagnostics.has_errors()) input.body = ViewOf(*input.native->body, *input.source);
  }
  return input;
}

// The fallback of a Default stands in as it is, as in the reference, although the type that the spec implies is that of
// the first.
bool HasDefault(const DecodeSpec& spec) {
  if (spec.kind() == DecodeSpec::Kind::kDefault) return true;
  return std::any_of(spec.children().begin(), spec.children().end(),
                     [](const DecodeSpecPtr& child) { return HasDefault(*child); });
}

void Decode(const SpecFile& spec, const Input& input, bool dynamic_blocks, Dialect dialect, const Value& variables) {
  const Run run = RunCompiledWays(
      *input.source,
      [&](const CompileOptions& compile, Diagnostics* diagnostics) {
        DecoderOptions options;
        options.compile = compile;
        options.compile.functions = spec.functions;
        options.expand_dynamic_blocks = dynamic_blocks;
        return CompileDecoder(*spec.spec, *input.body, {input.source}, options, diagnostics);
      },
      dialect, variables);
  if (!run.ok() || HasDefault(*spec.spec)) return;
  Heap heap;
  const hcl::Type implied = ImpliedType(*spec.spec, &heap);
  const hcl::Type type = TypeOf(run.value.unmarked(), heap.types());
  if (run.value.has_marks() || run.value.is_null() || type.is_dynamic()) return;
  Require(Matches(type, implied), "a value has the type that its spec implies",
          ToTypeSyntax(type) + "\nimplied: " + ToTypeSyntax(implied));
}

}  // namespace

void FuzzDecode(std::string_view input) {
  const Parts parts = Split(input);
  const auto source = std::make_shared<const Source>("spec", std::string(parts.spec));
  Diagnostics diagnostics;
  std::unique_ptr<SpecFile> spec;
  {
    Watch watch("reading a spec", parts.spec.size());
    watch.AllowBytes(2 * Limits().max_result_bytes);
    watch.AllowSeconds(StopSeconds(parts.spec.size()));
    spec = ReadSpecFile(source, StoppedLimits(parts.spec.size()), &diagnostics);
  }
  CheckMessages(diagnostics, *source);
  Require((spec == nullptr) == diagnostics.has_errors(), "a spec or errors, never both or none");
  if (spec == nullptr) return;
  const Input body = ReadBody(parts.body);
  if (body.body == nullptr) return;
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Heap heap(nullptr, dialect);
    const Value variables = MakeScope(parts.scope, &heap);
    for (const bool dynamic_blocks : {false, true}) Decode(*spec, body, dynamic_blocks, dialect, variables);
  }
  DecoderVariables(*spec->spec, *body.body);
}

}  // namespace hcl::fuzz
