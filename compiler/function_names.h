// FunctionNames: the functions that calls name. Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_FUNCTION_NAMES_H_
#define HCLVM_COMPILER_FUNCTION_NAMES_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "absl/base/attributes.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Not thread-safe.
class FunctionNames {
 public:
  // `builder` must outlive this.
  explicit FunctionNames(ProgramBuilder* builder) : builder_(*builder) {}

  // Makes the function that is called in place of one with Function::Special::kTemplateString, of which `functions` are
  // those that its templates may call. Without it, the one that is declared is called.
  using MakeTemplateFunction = Function (*)(const Function& declared, const FunctionRegistry& functions);
  void set_template_function(MakeTemplateFunction make) { make_template_function_ = make; }

  // What a call of `name` calls; null where `functions` have none, or are null.
  const Function* Find(std::string_view name, const FunctionRegistry* functions);
  // The name that was meant in place of `name`, or nothing: also once so many names have been looked at that their
  // number is what a compilation would take its time for.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string_view Nearest(std::string_view name,
                                                                       const FunctionRegistry& functions);

 private:
  // The function that replaces a declared one, which the program keeps for all calls.
  ABSL_ATTRIBUTE_NOINLINE const Function* TemplateFunctionFor(const Function* declared,
                                                              const FunctionRegistry& functions);

  ProgramBuilder& builder_;
  // What was found last, by the length of the names, and where.
  std::array<const Function*, 4> found_ = {};
  const FunctionRegistry* found_in_ = nullptr;
  MakeTemplateFunction make_template_function_ = nullptr;
  const Function* declared_template_function_ = nullptr;  // that one was made of
  const Function* template_function_ = nullptr;
  size_t compared_names_ = 0;  // to find which function was meant
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_FUNCTION_NAMES_H_
