// Dump: a printed form of the AST, for tests and tools.
//
// Tested by hcl/dump_test.cc.

#ifndef HCLVM_HCL_DUMP_H_
#define HCLVM_HCL_DUMP_H_

#include <string>

#include "hclvm/hcl/ast.h"

namespace hcl::internal {

struct DumpOptions {
  bool ranges = false;  // append @begin-end (bytes) to every node
};

// S-expressions, e.g. `(+ 1 (* (var a) 2))`, `(traverse (var a) .b [0])`, `(template "x-" (var i))`.
std::string DumpExpr(const Expr& expr, const DumpOptions& options = {});

// One line per attribute, blocks indented.
std::string DumpBody(const Body& body, const DumpOptions& options = {});

}  // namespace hcl::internal

#endif  // HCLVM_HCL_DUMP_H_
