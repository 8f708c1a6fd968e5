// The function templatestring: a template as text, evaluated with variables of its own.

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/slow/tree_evaluator.h"

namespace hcl::testing_support {

// Of a call whose arguments are known and not null. What fails in the template fails as the argument that it is.
Outcome TreeEvaluator::TemplateString(const CallExpr& expr, const Value& text, const Value& variables) {
  constexpr char kInvalid[] = "Invalid function argument";
  const SourceRange head = Cover(expr.name_range, expr.open);
  if (in_template_) return Problem{"Error in function call", head};
  if (!variables.is_mapping()) return Problem{kInvalid, ArgumentRange(expr, 1)};
  const Source source("template", std::string(text.AsString()));
  ParseOptions options;
  options.limits.max_nesting_depth = 32;
  options.allow_byte_order_mark = heap_->dialect() == Dialect::kHashiCorp;
  options.strip_one_line = heap_->dialect() == Dialect::kHashiCorp;
  Diagnostics diagnostics;
  const auto file = ParseTemplate(source, options, &diagnostics);
  const Problem limit = {"Limit reached in function call", head, /*is_limit=*/true};
  if (diagnostics.has_limit()) return limit;
  if (diagnostics.has_errors()) return Problem{kInvalid, ArgumentRange(expr, 0)};
  TreeEvaluator inner(functions_, heap_);
  inner.in_template_ = true;
  const Outcome outcome = inner.Evaluate(*file->expr, variables);
  doubts_.Add(inner.doubts_);
  unknown_reads_ += inner.unknown_reads_;
  for (const Problem& problem : outcome.problems) {
    if (problem.is_limit) return limit;
  }
  if (!outcome.ok() || outcome.value->is_null()) return Problem{kInvalid, ArgumentRange(expr, 0)};
  const std::optional<Value> string = Converted(*outcome.value, hcl::Type::String());
  return string ? Outcome(*string) : Outcome(Problem{kInvalid, ArgumentRange(expr, 0)});
}

}  // namespace hcl::testing_support
