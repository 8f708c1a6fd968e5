// FunctionNames. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/function_names.h"

#include <memory>
#include <utility>
#include <vector>

#include "hclvm/base/habits.h"

namespace hcl::internal {

// Policies call few functions often.
const Function* FunctionNames::Find(std::string_view name, const FunctionRegistry* functions) {
  if (functions == nullptr) return nullptr;
  if (found_in_ != functions) found_.fill(nullptr);
  found_in_ = functions;
  const Function*& found = found_[name.size() % found_.size()];
  if (found == nullptr || found->name != name) found = functions->Find(name);
  const bool is_template = found != nullptr && found->special == Function::Special::kTemplateString;
  return is_template && make_template_function_ != nullptr ? TemplateFunctionFor(found, *functions) : found;
}

const Function* FunctionNames::TemplateFunctionFor(const Function* declared, const FunctionRegistry& functions) {
  if (declared != declared_template_function_) {
    auto made = std::make_shared<const Function>(make_template_function_(*declared, functions));
    declared_template_function_ = declared;
    template_function_ = made.get();
    builder_.Keep(std::move(made), sizeof(Function));
  }
  return template_function_;
}

std::string_view FunctionNames::Nearest(std::string_view name, const FunctionRegistry& functions) {
  constexpr size_t kMaxCompared = 1'000'000;
  if (compared_names_ > kMaxCompared) return "";
  const std::vector<std::string_view> names = functions.Names();
  compared_names_ += names.size();
  return NearestName(WithoutCore(name), names);
}

}  // namespace hcl::internal
