// Parser of the JSON syntax: text in, JSON tree and diagnostics out.
//
// Always returns a usable tree: the parser goes on after each mistake, at the next comma or bracket, and leaves values
// of the kind kInvalid where one is missing. A tree that came with errors is for tools. Pure and thread-safe. `source`
// must outlive the result.
//
// Errors: what RFC 8259 forbids, invalid UTF-8, a byte order mark, and crossed limits (source bytes, nesting depth).
// Each points at the token that does not fit, and where a bracket is never closed, at the bracket. Duplicate properties
// are no errors here, as their meaning hangs on the schema. At most Limits::max_diagnostics are handed over, and one
// that says how many were left out.
//
// What the values mean is the affair of hcl/json/json_expr.h (expressions) and hcl/json/json_body.h (bodies).
//
// Specification: json-syntax.md; RFC 8259. Tested by hcl/json/json_parser_test.cc, hcl/json/json_fuzz_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_PARSER_H_
#define HCLVM_HCL_JSON_JSON_PARSER_H_

#include <memory>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_file.h"

namespace hcl {

struct JsonOptions {
  Limits limits;
  // Whose rules count, also for what is later made of the tree.
  JsonRules rules = JsonRules::kSpec;
};

// A config file: its root is an object, or, under the reference's rules, an array of objects, which together are one
// body. Other roots are errors.
std::unique_ptr<JsonFile> ParseJson(const Source& source, const JsonOptions& options, Diagnostics* diagnostics);

// Any value, as an expression of its own.
std::unique_ptr<JsonFile> ParseJsonExpression(const Source& source, const JsonOptions& options,
                                              Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_PARSER_H_
