// Static analysis: asks the expression's syntax, and says what was wrong with the answer.

#include "hclvm/hcl/static_analysis.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/variable_walk.h"

namespace hcl {

using internal::ToAbsl;
namespace {

// Passes `result` on. When there is none, reports what is wanted and what is there.
template <typename Result>
Result OrReport(Result result, const ExprView& expr, std::string_view wanted, Diagnostics* diagnostics) {
  if (result.has_value() || diagnostics == nullptr) return result;
  Diagnostic diagnostic(DiagnosticCode::kStaticExpressionRequired);
  diagnostic.detail =
      absl::StrCat(ToAbsl(wanted), " is required here, but this is ", ToAbsl(expr.syntax()->Describe(expr)), ".");
  diagnostic.subject = expr.range();
  diagnostic.source = expr.source();
  diagnostics->Add(std::move(diagnostic));
  return result;
}

// Recursion: one level for each nested block, which the schema bounds. PartialContent() and not Content(): what the
// schema does not name is no concern of the one who asks for variables, and messages go nowhere.
void AppendVariables(const BodyView& body, const SchemaTree& schema, std::vector<StaticTraversal>* variables) {
  Diagnostics ignored(0);
  const BodyContent content = body.PartialContent(schema.schema, &ignored).content;
  for (const AttributeView& attribute : content.attributes) {
    attribute.expr.syntax()->AppendVariables(attribute.expr, variables);
  }
  for (const BlockView& block : content.blocks) {
    const size_t index = static_cast<size_t>(schema.schema.FindBlock(block.type) - schema.schema.blocks().data());
    if (index < schema.blocks.size()) AppendVariables(*block.body, schema.blocks[index], variables);
  }
}

// Recursion: one level for each nested block (Limits::max_nesting_depth).
void AppendBodyVariables(const Body& body, const Source* source, std::vector<StaticTraversal>* variables) {
  for (const Attribute& attribute : body.attributes) internal::AppendVariables(*attribute.expr, source, variables);
  for (const Block& block : body.blocks) AppendBodyVariables(*block.body, source, variables);
}

}  // namespace

std::optional<std::vector<ExprView>> AsStaticList(const ExprView& expr, Diagnostics* diagnostics) {
  return OrReport(expr.syntax()->List(expr), expr, "A static list expression, written out in brackets,", diagnostics);
}

std::optional<std::vector<StaticPair>> AsStaticMap(const ExprView& expr, Diagnostics* diagnostics) {
  return OrReport(expr.syntax()->Map(expr), expr, "A static map expression, written out in braces,", diagnostics);
}

std::optional<StaticCall> AsStaticCall(const ExprView& expr, Diagnostics* diagnostics) {
  return OrReport(expr.syntax()->Call(expr), expr, "A static function call", diagnostics);
}

std::optional<StaticTraversal> AsStaticTraversal(const ExprView& expr, Diagnostics* diagnostics) {
  return OrReport(expr.syntax()->Traversal(expr), expr,
                  "A single static variable reference, with only attributes and constant indices,", diagnostics);
}

// A relative traversal starts with a name as an absolute one does; only what the name means differs.
std::optional<StaticTraversal> AsRelativeTraversal(const ExprView& expr, Diagnostics* diagnostics) {
  std::optional<StaticTraversal> traversal = AsStaticTraversal(expr, diagnostics);
  if (!traversal.has_value()) return traversal;
  const TraversalStep first{TraversalStep::Kind::kAttribute, false, traversal->root, traversal->root_range};
  traversal->steps.insert(traversal->steps.begin(), first);
  traversal->root = {};
  return traversal;
}

std::string_view AsKeyword(const ExprView& expr) {
  const std::optional<StaticTraversal> traversal = expr.syntax()->Traversal(expr);
  return traversal.has_value() && traversal->steps.empty() ? traversal->root : std::string_view();
}

std::vector<StaticTraversal> Variables(const ExprView& expr) {
  std::vector<StaticTraversal> variables;
  expr.syntax()->AppendVariables(expr, &variables);
  return variables;
}

std::vector<StaticTraversal> Variables(const BodyView& body, const SchemaTree& schema) {
  std::vector<StaticTraversal> variables;
  AppendVariables(body, schema, &variables);
  return variables;
}

std::vector<StaticTraversal> Variables(const Body& body, const Source& source) {
  std::vector<StaticTraversal> variables;
  AppendBodyVariables(body, &source, &variables);
  return variables;
}

}  // namespace hcl
