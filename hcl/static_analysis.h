// Static analysis: what an expression is as it is written, without a value; and which variables it reads.
//
// Each As... function asks for one kind of expression and reports to `diagnostics` (may be null) when there is another.
// They take an expression of any syntax (hcl/expr_view.h). Functions are pure and thread-safe; results point into the
// expression's tree.
//
// Specification: information-model.md, "Static Analysis"; native-syntax.md, "Static Analysis".
// Tested by hcl/static_analysis_test.cc.

#ifndef HCLVM_HCL_STATIC_ANALYSIS_H_
#define HCLVM_HCL_STATIC_ANALYSIS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

// The elements of a tuple that is written out in brackets.
std::optional<std::vector<ExprView>> AsStaticList(const ExprView& expr, Diagnostics* diagnostics);

// The keys and values of an object that is written out in braces. Keys may be any expressions; a naked one is a
// reference to a variable of its name, which AsKeyword() gives.
std::optional<std::vector<StaticPair>> AsStaticMap(const ExprView& expr, Diagnostics* diagnostics);

// Name and arguments of a function call.
std::optional<StaticCall> AsStaticCall(const ExprView& expr, Diagnostics* diagnostics);

// The path of a reference: a variable with attributes and constant indices. `true`, `false` and `null` count as
// variables of these names.
std::optional<StaticTraversal> AsStaticTraversal(const ExprView& expr, Diagnostics* diagnostics);

// The same as steps from some value: what looks like a variable is the first attribute.
std::optional<StaticTraversal> AsRelativeTraversal(const ExprView& expr, Diagnostics* diagnostics);

// The name when the expression is a single identifier, keywords included; empty otherwise, without a message.
std::string_view AsKeyword(const ExprView& expr);

// References to variables that the expression reads from its scope, one for each place, in the order of the text.
// Variables that a 'for' in the expression defines are not among them. A path ends before the first step that is
// calculated; what that step reads follows it.
std::vector<StaticTraversal> Variables(const ExprView& expr);

// A schema with the schemas of what stands in its blocks.
struct SchemaTree {
  BodySchema schema;
  std::vector<SchemaTree> blocks;  // one for each of schema.blocks(), in that order; missing ones are empty schemas
};

// References in all that `schema` finds in the body: those of its attributes in the order of their names, then those of
// its blocks. What it does not find, or finds in error, is left out.
std::vector<StaticTraversal> Variables(const BodyView& body, const SchemaTree& schema);

// References in all attributes of a native body and the blocks in it, without a schema, in the order of the text for
// each body: its attributes, then its blocks.
std::vector<StaticTraversal> Variables(const Body& body, const Source& source);

}  // namespace hcl

#endif  // HCLVM_HCL_STATIC_ANALYSIS_H_
