// What a function that a module defines gives, and what fails in each call of it.
//
// Internal to modules. Tested by module/type_checker_test.cc and module/typed_names_test.cc.

#ifndef HCLVM_MODULE_FUNCTION_CHECKER_H_
#define HCLVM_MODULE_FUNCTION_CHECKER_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/static_type.h"

namespace hcl::internal {

// The type of `result`, whose parameters may be of any type; made in `types`. `options` has the functions that it may
// call. Errors go to `diagnostics`, with their source.
const StaticType* CheckFunctionResult(const PlacedExpr& result, const CompileOptions& options, StaticTypes* types,
                                      Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_FUNCTION_CHECKER_H_
