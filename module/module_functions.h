// The functions that the files of a module define.
//
// Internal to modules. Tested by module/module_test.cc.

#ifndef HCLVM_MODULE_MODULE_FUNCTIONS_H_
#define HCLVM_MODULE_MODULE_FUNCTIONS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/module/declarations.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// A block that defines one.
struct FunctionBlock {
  std::string name;
  Place place;  // of the name
  const BlockView* block = nullptr;
  std::shared_ptr<const Source> source;
};

struct ModuleFunctions {
  // Those of the blocks, and what was there already. A function that could not be made always fails.
  std::shared_ptr<const FunctionRegistry> registry;
  // What each of the blocks gives. Those that are not in `order` may have none.
  std::vector<PlacedExpr> results;
  // Positions of blocks, each behind those whose functions it calls. Those that cannot be made are left out.
  std::vector<size_t> order;
};

// Makes the functions of blocks with different names. A result reads its parameters, and calls the functions of
// `options` and those of other blocks, but never itself, by way of others perhaps, and at the end of no chain of more
// than an eighth of `max_nesting_depth`: each call takes some of the stack. What is wrong goes to `diagnostics`, in the
// order of the blocks, but for circles and chains, which stand first. Expressions live in `arena`, and as long as the
// blocks. Time: linear, but for the functions of `options`, which are copied for each level of calls.
ModuleFunctions MakeFunctions(const std::vector<FunctionBlock>& blocks, const CompileOptions& options, Arena* arena,
                              Diagnostics* diagnostics);

// Whether it stands for a function that could not be made.
bool IsInPlace(const Function& function);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_MODULE_FUNCTIONS_H_
