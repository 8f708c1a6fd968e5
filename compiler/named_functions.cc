// NamedFunctions. Tested by module/inlined_functions_test.cc.

#include "hclvm/compiler/named_functions.h"

#include <utility>

#include "hclvm/compiler/template_function.h"

namespace hcl::internal {

NamedFunctions::NamedFunctions(const CompileOptions& options, ProgramBuilder* builder, Folding* folding)
    : unheard_(0), binder_(options, builder, folding, &unheard_) {
  binder_.functions()->set_template_function(TemplateFunction);
}

void NamedFunctions::Add(const Function* function, const FunctionRegistry* functions, const Expr* result) {
  functions_[function] = {functions, result, nullptr};
}

const NamedTree* NamedFunctions::Find(const Function* function) {
  const auto found = functions_.find(function);
  if (found == functions_.end()) return nullptr;
  Named& named = found->second;
  if (named.tree != nullptr) return named.tree;
  Binder::Scope scope;
  scope.functions = named.functions;
  scope.has_variables = false;
  for (const Parameter& parameter : function->parameters) scope.locals.push_back({parameter.name, 0});
  if (function->variadic) scope.locals.push_back({function->variadic->name, 0});
  *binder_.scope() = std::move(scope);
  named.tree = binder_.trees()->Name(binder_.BindKept(*named.result), /*is_read_once=*/false);
  return named.tree;
}

}  // namespace hcl::internal
