// Print: an AST as source text in one canonical layout, without comments.
//
// Parsing the result gives the same tree again, but for the places of its nodes: heredocs become quoted strings, `:` in
// objects becomes `=`, labels get quotes. Numbers keep their spelling. An object is written over several lines when it
// is the value of an attribute, or of an item of such an object or tuple. So is a tuple in such a place that holds
// objects or tuples; everything else stands on one line. Parentheses are added only to trees that no parse gives. An
// ErrorExpr is written as something that does not parse.
//
// Pure and thread-safe. Stack: a frame for each nested block and each nested template directive
// (Limits::max_nesting_depth), none for other expressions.
//
// Specification: native-syntax.md. Tested by hcl/print_test.cc.

#ifndef HCLVM_HCL_PRINT_H_
#define HCLVM_HCL_PRINT_H_

#include <string>

#include "hclvm/hcl/ast.h"

namespace hcl {

// An expression, as ParseExpression takes it.
std::string PrintExpr(const Expr& expr);

// A TemplateExpr, TemplateWrapExpr or ErrorExpr as a standalone template, as ParseTemplate takes it.
std::string PrintTemplate(const Expr& expr);

// A body, as ParseConfig takes it: items in the order of their places, a blank line around blocks.
std::string PrintBody(const Body& body);

}  // namespace hcl

#endif  // HCLVM_HCL_PRINT_H_
