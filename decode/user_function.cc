// Functions that a config defines. Tested by decode/user_function_test.cc.
//
// Each becomes a program, so that a call costs an evaluation and no walk over a tree.

#include "hclvm/decode/user_function.h"

#include <optional>
#include <utility>
#include <vector>

#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_function.h"

namespace hcl {
namespace {

constexpr char kParameters[] = "params";
constexpr char kVariadic[] = "variadic_param";
constexpr char kResult[] = "result";

const BodySchema& FunctionSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    made->AddAttribute(kParameters, true).IgnoreError();
    made->AddAttribute(kVariadic).IgnoreError();
    made->AddAttribute(kResult, true).IgnoreError();
    return made;
  }();
  return *schema;
}

class FunctionReader {
 public:
  FunctionReader(const SourceList& sources, const CompileOptions& options, Diagnostics* diagnostics)
      : sources_(sources), options_(options), diagnostics_(diagnostics) {}

  // Parameters are names and no values, so they are read by static analysis. The body of the function is a program of
  // its own, whose variables the call binds to the arguments.
  std::optional<Function> Read(const BlockView& block) {
    const size_t errors = diagnostics_->error_count();
    const BodyContent content = block.body->Content(FunctionSchema(), diagnostics_);
    if (diagnostics_->error_count() > errors) return std::nullopt;
    const auto list = AsStaticList(content.attributes.Find(kParameters)->expr, diagnostics_);
    if (!list) return std::nullopt;
    std::vector<std::string> parameters;
    for (const ExprView& expr : *list) {
      parameters.emplace_back(AsKeyword(expr));
      if (parameters.back().empty()) return Fail(expr, DiagnosticCode::kInvalidParameter, "A parameter's name");
    }
    std::optional<std::string> variadic;
    if (const AttributeView* attribute = content.attributes.Find(kVariadic)) {
      variadic = std::string(AsKeyword(attribute->expr));
      if (variadic->empty())
        return Fail(attribute->expr, DiagnosticCode::kInvalidVariadicParameter, "The variadic parameter's name");
    }
    auto program = CompileResult(content.attributes.Find(kResult)->expr);
    if (program == nullptr) return std::nullopt;
    Function function =
        FunctionOf(std::string(block.labels[0].text), std::move(parameters), std::move(variadic), std::move(program));
    function.in_core = false;
    return function;
  }

 private:
  std::nullopt_t Fail(const ExprView& expr, DiagnosticCode code, const char* wanted) {
    Diagnostic diagnostic(code);
    diagnostic.detail = std::string(wanted) + " is required here, an identifier.";
    diagnostic.subject = expr.range();
    diagnostic.source = expr.source();
    diagnostics_->Add(std::move(diagnostic));
    return std::nullopt;
  }

  // The program keeps its source, so it has to be one of the shared ones: which of the files the block stands in, only
  // the expression tells.
  std::shared_ptr<const Program> CompileResult(const ExprView& expr) {
    Arena arena;
    const size_t errors = diagnostics_->error_count();
    const Expr* const native = ToNativeExpr(expr, EvaluationMode::kFull, &arena, diagnostics_);
    if (diagnostics_->error_count() > errors) return nullptr;
    std::shared_ptr<const Source> source;
    for (const std::shared_ptr<const Source>& candidate : sources_) {
      if (candidate.get() == expr.source()) source = candidate;
    }
    Diagnostics found(options_.limits.max_diagnostics);
    auto program = CompileExpr(*native, std::move(source), options_, &found);
    for (Diagnostic diagnostic : found.kept()) {
      diagnostic.source = expr.source();
      diagnostics_->Add(std::move(diagnostic));
    }
    return program;
  }

  const SourceList& sources_;
  const CompileOptions& options_;
  Diagnostics* diagnostics_;
};

}  // namespace

// A function in error is left out, and a call of it is then one of a function that does not exist.
BodyViewPtr TakeUserFunctions(const BodyView& body, const std::string& block_type, const SourceList& sources,
                              const CompileOptions& options, FunctionRegistryBuilder* functions,
                              Diagnostics* diagnostics) {
  BodySchema schema;
  schema.AddBlock(block_type, {"name"}).IgnoreError();
  PartialBodyContent partial = body.PartialContent(schema, diagnostics);
  FunctionReader reader(sources, options, diagnostics);
  for (const BlockView& block : partial.content.blocks) {
    if (std::optional<Function> function = reader.Read(block)) functions->Add(*std::move(function));
  }
  return std::move(partial.remaining);
}

std::optional<Function> ReadUserFunction(const BlockView& block, const SourceList& sources,
                                         const CompileOptions& options, Diagnostics* diagnostics) {
  return FunctionReader(sources, options, diagnostics).Read(block);
}

}  // namespace hcl
