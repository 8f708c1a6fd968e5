// Files and variables of hcldec. Tested by tests/hcldec_test.sh.

#include "hclvm/cmd/hcldec/decode_input.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/vm/evaluator.h"

namespace hcl::cmd {

using internal::IsIdentifier;
using internal::ToAbsl;
namespace {

// Variables speak the dialect that the decoder speaks: the reference's.
CompileOptions Options() {
  CompileOptions options;
  options.dialect = Dialect::kHashiCorp;
  return options;
}

// Moves `found`, which are about `source`, to `diagnostics`.
void Report(const Diagnostics& found, const Source* source, Diagnostics* diagnostics) {
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = source;
    diagnostics->Add(std::move(diagnostic));
  }
}

// The value of an expression without variables and functions; strings of the JSON syntax are what they say. The value
// is cloned into `heap`, which all variables share and which outlives the evaluator.
std::optional<Value> Evaluate(const ExprView& expr, const std::shared_ptr<const Source>& source, Heap* heap,
                              Diagnostics* diagnostics) {
  Arena arena;
  Diagnostics found;
  std::optional<Value> value;
  const Expr* const native = ToNativeExpr(expr, EvaluationMode::kLiteral, &arena, &found);
  const auto program = !found.has_errors() ? CompileExpr(*native, source, Options(), &found) : nullptr;
  if (program != nullptr) {
    Evaluator evaluator(program);
    const Evaluation& evaluation = evaluator.Run();
    Report(evaluation.diagnostics(), source.get(), &found);
    if (!found.has_errors()) value = Clone(evaluation.value(), heap->arena(), heap->types());
  }
  Report(found, source.get(), diagnostics);
  return value;
}

}  // namespace

// A file that cannot be read is a diagnostic like others, so that those of the remaining files are told in the same
// run.
std::unique_ptr<InputFile> ReadInput(std::string_view path, Dialect dialect, Diagnostics* diagnostics) {
  std::string text, error;
  const int status = ReadFile(path, Limits().max_source_bytes, &text, &error);
  if (status != kSuccess) {
    Diagnostic diagnostic(status == kLimitReached ? DiagnosticCode::kFileTooLarge : DiagnosticCode::kUnreadableFile);
    diagnostic.detail = absl::StrCat("The configuration file \"", ToAbsl(path), "\" could not be read: ", error, ".");
    diagnostics->Add(std::move(diagnostic));
    return std::make_unique<InputFile>();
  }
  return internal::ReadConfigFile(path == "-" ? "<stdin>" : std::string(path), std::move(text),
                                  absl::EndsWith(ToAbsl(path), ".json"), dialect, {}, diagnostics);
}

// What the argument is, it tells itself: a brace starts JSON, a name and `=` an attribute in the native syntax, and
// anything else is a path. All three are then read as attributes of a body.
void ReadVariables(std::string_view argument, size_t index, Heap* heap, Variables* variables,
                   std::vector<std::unique_ptr<InputFile>>* files, Diagnostics* diagnostics) {
  const std::string name = absl::StrCat("<vars argument ", index, ">");
  const size_t equals = argument.find('=');
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(ToAbsl(argument)), "{")) {
    files->push_back(
        internal::ReadConfigFile(name, std::string(argument), /*is_json=*/true, Dialect::kHashiCorp, {}, diagnostics));
  } else if (equals != std::string_view::npos && IsIdentifier(argument.substr(0, equals))) {
    files->push_back(
        internal::ReadConfigFile(name, std::string(argument), /*is_json=*/false, Dialect::kHashiCorp, {}, diagnostics));
  } else {
    files->push_back(ReadInput(argument, Dialect::kHashiCorp, diagnostics));
  }
  const InputFile& file = *files->back();
  if (file.body == nullptr) return;
  for (const AttributeView& attribute : file.body->JustAttributes(diagnostics)) {
    if (std::optional<Value> value = Evaluate(attribute.expr, file.source, heap, diagnostics)) {
      variables->emplace_back(attribute.name, *value);
    }
  }
}

}  // namespace hcl::cmd
