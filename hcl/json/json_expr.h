// Expressions of the JSON syntax as trees of the native one, which the compiler takes.
//
// An array becomes a TupleExpr, an object an ObjectExpr with unique keys, a number, bool or null a LiteralExpr (in a
// UnaryExpr when it is negative). A string becomes a TemplateExpr of literal text or, in full expression mode, what the
// native parser makes of it as a standalone template. Ranges are those of the JSON text, through its escapes.
//
// Specification: json-syntax.md, "Expressions"; information-model.md, "Expression Evaluation".
// Tested by hcl/json/json_expr_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_EXPR_H_
#define HCLVM_HCL_JSON_JSON_EXPR_H_

#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_file.h"

namespace hcl {

enum class EvaluationMode : uint8_t {
  kFull,     // strings are templates, which may use variables and functions
  kLiteral,  // strings are what they say; there are no variables and functions
};

// `value` of `file` as a tree in `arena`. Views in it point into `arena`, the file and its source.
//
// Errors: templates that cannot be parsed, names that are given twice, nesting of JSON and template together over
// Limits::max_nesting_depth. A broken template then stands as literal text, a repeated property is left out, so that
// errors of the rest can still be looked for; the value of such a tree means nothing. kInvalid becomes an ErrorExpr.
// Thread-safe as long as `arena` and `diagnostics` are not shared. Time: linear.
const Expr* ToNativeExpr(const JsonValue& value, const JsonFile& file, EvaluationMode mode, Arena* arena,
                         Diagnostics* diagnostics);

// The same for an expression of either syntax, which must come from the native one or from a JsonFile. A native one is
// itself. Diagnostics have their source set.
const Expr* ToNativeExpr(const ExprView& expr, EvaluationMode mode, Arena* arena, Diagnostics* diagnostics);

// The file in dynamic attributes mode: a body whose attributes are the properties of the root, in the order of the
// text, without those named "//". Errors: those of the expressions; a name that is given twice (the first counts); a
// root that is no object.
const Body* JsonAttributes(const JsonFile& file, EvaluationMode mode, Arena* arena, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_EXPR_H_
