// FunctionInfo. Tested by lsp/features/hover_test.cc.

#include "hclvm/lsp/features/function_info.h"

#include <algorithm>
#include <memory>
#include <set>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/type_text.h"

namespace hcl::lsp {
namespace {

using internal::ToAbsl;

FunctionInfo OfRecord(const FunctionRecord& record) {
  FunctionInfo info;
  info.name = std::string(record.name);
  for (std::string_view rest = record.parameters; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find("; "));
    const size_t colon = one.find(": ");
    info.parameters.push_back(
        {std::string(one.substr(0, colon)), colon == std::string_view::npos ? "" : std::string(one.substr(colon + 2))});
    rest.remove_prefix(std::min(rest.size(), one.size() + 2));
  }
  info.result = std::string(record.result);
  info.documentation =
      absl::StrCat(ToAbsl(record.summary), "\n\n`", ToAbsl(record.example), "` = `", ToAbsl(record.example_value), "`");
  return info;
}

FunctionInfo OfFunction(const Function& function) {
  FunctionInfo info;
  info.name = function.name;
  for (const Parameter& parameter : function.parameters) {
    info.parameters.push_back({parameter.name, ToTypeSyntax(parameter.type)});
  }
  if (function.variadic) {
    info.parameters.push_back({function.variadic->name + "...", ToTypeSyntax(function.variadic->type)});
  }
  info.result = ToTypeSyntax(function.result_type);
  info.documentation = "A function of the host.";
  return info;
}

// A `function` block of the module.
FunctionInfo OfBlock(const Block& block, const TextFile& file) {
  FunctionInfo info;
  info.name = std::string(block.labels[0].text);
  const auto add = [&](const Expr& name, const char* behind) {
    if (name.kind != ExprKind::kVariable) return;
    info.parameters.push_back({absl::StrCat(ToAbsl(As<VariableExpr>(name).name.view()), behind), ""});
  };
  for (const Attribute& attribute : block.body->attributes) {
    if (attribute.name == "params" && attribute.expr->kind == ExprKind::kTuple) {
      for (const Expr* parameter : As<TupleExpr>(*attribute.expr).elements) add(*parameter, "");
    }
  }
  for (const Attribute& attribute : block.body->attributes) {
    if (attribute.name == "variadic_param") add(*attribute.expr, "...");
    if (attribute.name == "result") {
      info.documentation = absl::StrCat("```hcl\n", ToAbsl(file.source()->Slice(attribute.range)), "\n```");
    }
  }
  absl::StrAppend(&info.documentation, info.documentation.empty() ? "" : "\n\n", "Defined in ", file.source()->name(),
                  ".");
  return info;
}

template <typename Take>
void ForEachFunctionBlock(const Project& project, Take take) {
  const auto look = [&](const TextFile& file) {
    for (const Block& block : file.body().blocks) {
      if (block.type == "function" && block.labels.size() == 1) take(block, file);
    }
  };
  if (project.kind == ProjectKind::kTests) look(*project.file);
  if (!project.has_module()) return;
  for (const TextFilePtr& file : project.files) look(*file);
}

}  // namespace

std::string FunctionInfo::Form() const {
  std::string form = name + "(";
  for (const Parameter& parameter : parameters) {
    absl::StrAppend(&form, form.back() == '(' ? "" : ", ", parameter.name, parameter.type.empty() ? "" : ": ",
                    parameter.type);
  }
  return form + ")";
}

KnownFunctions::KnownFunctions(Workspace* workspace, const Project& project)
    : project_(project), offered_(workspace->OptionsFor(kMaxCheckTime).functions) {}

std::optional<FunctionInfo> KnownFunctions::Find(std::string_view name) const {
  std::optional<FunctionInfo> found;
  ForEachFunctionBlock(project_, [&](const Block& block, const TextFile& file) {
    if (!found && block.labels[0].text == name) found = OfBlock(block, file);
  });
  if (found) return found;
  const Function* const function = offered_->Find(name);
  if (function == nullptr) return std::nullopt;
  FunctionFamily family;
  const FunctionRecord* const record = function->is_library ? FindRecord(function->name, &family) : nullptr;
  return record != nullptr ? OfRecord(*record) : OfFunction(*function);
}

std::vector<std::string> KnownFunctions::Names() const {
  std::set<std::string> names;
  ForEachFunctionBlock(project_,
                       [&](const Block& block, const TextFile&) { names.insert(std::string(block.labels[0].text)); });
  for (const std::string_view name : offered_->Names()) names.insert(std::string(name));
  return {names.begin(), names.end()};
}

}  // namespace hcl::lsp
