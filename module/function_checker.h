// The functions that a module defines: what fails in each call of them, and what they give for what they get.
//
// Internal to modules. Tested by module/function_checker_test.cc and module/typed_names_test.cc.

#ifndef HCLVM_MODULE_FUNCTION_CHECKER_H_
#define HCLVM_MODULE_FUNCTION_CHECKER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/static_type.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// Not thread-safe. Bounded: calls of a thousand functions are looked at, as far as a million nodes go, and calls in
// these as deep as one expression may be nested (max_nesting_depth).
class FunctionChecker {
 public:
  // The functions that results may call are those of `options`, the module's own among them. Types are made in `types`.
  // Both must outlive it.
  FunctionChecker(const CompileOptions& options, StaticTypes* types);
  ~FunctionChecker();

  // The type of `result` where the parameters may be of any type. Errors go to `diagnostics`, with their source, which
  // must outlive this. Calls of `function` can be looked at from here on; those that it calls were added before.
  const StaticType* Add(const Function* function, const PlacedExpr& result, Diagnostics* diagnostics);

  // Whether `function` was added.
  bool Knows(const Function& function) const { return bodies_.contains(&function); }
  // The type of what a call gives whose arguments are of these types; of the last one, the elements are arguments where
  // `expand_last`. What fails there, or may fail, is added to `found`, first errors, then warnings, with their source.
  // kAny where too much was looked at. Requires that the function is known, and takes so many arguments.
  const StaticType* Call(const Function& function, const std::vector<const StaticType*>& arguments, bool expand_last,
                         Diagnostics* found);

 private:
  struct Body;

  const StaticType* ParameterType(const Function& function, const std::string& name,
                                  const std::vector<const StaticType*>& arguments, bool expand_last);

  const CompileOptions& options_;
  StaticTypes& types_;
  HashMap<const Function*, std::unique_ptr<const Body>> bodies_;
  size_t nodes_left_ = 1'000'000;
  uint32_t levels_left_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_FUNCTION_CHECKER_H_
