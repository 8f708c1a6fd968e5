// PathBinder: the variables and locals of a module. Tested by module/module_test.cc.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/habits.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bind_paths.h"
#include "hclvm/compiler/module_names.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"

namespace hcl::internal {
namespace {

// The sentence that names the one that was meant, or nothing.
std::string Suggestion(const HashMap<std::string, ModuleName>& names, std::string_view name) {
  std::vector<std::string_view> all;
  for (const auto& [known, what] : names) all.push_back(known);
  std::sort(all.begin(), all.end());
  const std::string_view nearest = NearestName(name, all);
  return nearest.empty() ? "" : absl::StrCat(" Did you mean \"", ToAbsl(nearest), "\"?");
}

// What one step leads to where it cannot fail: attributes of objects and elements of tuples. Attributes may be null
// where they need not be there and have no default.
ModulePart TakeStep(const ModulePart& from, const TypeDefaults** defaults, const Value& key) {
  const TypeDefaults* const outer = std::exchange(*defaults, nullptr);
  if (!from.never_null) return {};
  std::string name;
  Type type;
  bool never_null = true;
  if (from.type.kind() == TypeKind::kObject && key.is_string()) {
    name = std::string(key.AsString());
    const TypeNode* const node = from.type.FindAttribute(name);
    if (node == nullptr) return {};
    type = Type(node);
    never_null = !MayBeNull(outer, name);
  } else if (from.type.kind() == TypeKind::kTuple && key.is_int() &&
             static_cast<uint64_t>(key.AsInt()) < from.type.size()) {
    name = absl::StrCat(key.AsInt());
    type = from.type.element(static_cast<size_t>(key.AsInt()));
  }
  *defaults = PartOf(outer, name);
  return {type, never_null && !type.is_dynamic()};
}

}  // namespace

// The name, and what the module knows of it; null with a diagnostic where it has no such name.
const ModuleName* PathBinder::FindInModule(const VariableExpr& variable, const Expr* step, Route* route) {
  const ModuleNames& module = *scope_.module;
  const bool is_local = variable.name == "local";
  std::string_view name = variable.name;
  if (is_local || variable.name == "var") {
    std::optional<Value> key;
    if (step != nullptr && step->kind == ExprKind::kTraversal) {
      const TraversalStep& first = As<TraversalExpr>(*step).steps[0];
      if (!TakeKey(first, &key.emplace())) key.reset();
      route->root = Cover(variable.range, first.range);
    } else if (step != nullptr) {
      key = LiteralKeyOf(*As<IndexExpr>(*step).key);
      route->root = step->range;
    }
    if (!key || !key->is_string()) {
      reports_.Report(variable.range, DiagnosticCode::kNameRequired,
                      absl::StrCat("The word ", ToAbsl(variable.name), " is no value by itself: write ",
                                   ToAbsl(variable.name), ".NAME", is_local ? "." : ", or NAME alone."));
      return nullptr;
    }
    route->has_prefix = true;
    route->whole = route->root;
    name = builder_->heap()->arena()->CopyString(key->AsString());
  }
  route->name = name;
  if (is_local && !module.allows_locals) {
    reports_.Report(route->root, DiagnosticCode::kLocalInValidation,
                    "A validation reads variables only: locals are made of variables that have been found valid.");
    return nullptr;
  }
  const auto& names = is_local ? module.locals : module.variables;
  const auto found = names.find(ToAbsl(name));
  if (found != names.end()) return &found->second;
  if (reports_.diagnostics()->full()) {
    reports_.diagnostics()->AddUnkept();  // among many names, many times, the search for the nearest one takes long
    return nullptr;
  }
  std::string detail;
  if (is_local) {
    detail =
        absl::StrCat("No locals block of the module gives \"", ToAbsl(Excerpt(name)), "\".", Suggestion(names, name));
  } else if (module.locals.find(ToAbsl(name)) != module.locals.end()) {
    detail = absl::StrCat("The module declares no variable \"", ToAbsl(Excerpt(name)),
                          "\". There is a local of this name: local.", ToAbsl(Excerpt(name)), ".");
  } else {
    const std::string_view hint = route->has_prefix ? std::string_view() : HintAtVariable(name);
    detail = absl::StrCat("The module declares no variable \"", ToAbsl(Excerpt(name)), "\".",
                          hint.empty() ? Suggestion(names, name) : std::string(hint));
  }
  reports_.Report(route->root, is_local ? DiagnosticCode::kUnknownLocal : DiagnosticCode::kUndeclaredVariable,
                  std::move(detail));
  return nullptr;
}

// The program is not used where there is no such name.
bool PathBinder::BeginInModule(const VariableExpr& variable, const Expr* step, Route* route) {
  const ModuleName* const name = FindInModule(variable, step, route);
  if (name == nullptr) {
    route->source = tree_.AddConstant(tree_.Here(), route->root, Value::Dynamic());
    return false;
  }
  if (name->constant && (!name->has_slot || (!options_.record && folding_.Repeat(*name->constant)))) {
    route->source = tree_.AddConstant(tree_.Here(), route->root, *name->constant);
  } else {
    route->slot = name->slot;
    route->declared = name;
  }
  return true;
}

// Fast code takes what is declared for known, and exits where it is not, or is marked. What may fail tells no type, as
// a branch that fails has none: an element of a list or a map, and what is in something that may be null.
void PathBinder::SetModuleFacts(const Route& route, BoundPath* node) {
  node->named = route.declared->named;
  ModulePart part = {route.declared->type, route.declared->never_null};
  const TypeDefaults* defaults = route.declared->defaults;
  for (const BoundStep& step : node->steps) {
    if (!route.declared->is_declared) return;
    part = TakeStep(part, &defaults, step.key);
  }
  node->sure_bool = route.declared->sure_bool && node->steps.empty();
  if (!part.type.is_primitive()) return;
  node->type = part.type;
  node->never_null = part.never_null;
  node->sure_bool = part.type == Type::Bool();
}

}  // namespace hcl::internal
