// Names with their types, in the order of the text, whatever the order was in which they were compiled.
// Tested by module/typed_names_test.cc.

#include "hclvm/module/name_types.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

TypedName Make(TypedName::Kind kind, std::string name, const StaticType* type, const Place& place) {
  // Where nothing is known of a value, it goes without saying that it may be null.
  const bool nullable = type != nullptr && type->nullable && type->kind > StaticKind::kNull;
  return {kind, std::move(name), type == nullptr ? "any" : SyntaxOf(*type), nullable, place.range, place.source};
}

const StaticType* TypeIn(const HashMap<std::string, const StaticType*>& types, const std::string& name) {
  const auto found = types.find(name);
  return found == types.end() ? nullptr : found->second;
}

// A block's are by their names. Those of a file stand together.
std::vector<DeclaredLocal> InTextOrder(std::vector<DeclaredLocal> locals) {
  for (auto begin = locals.begin(); begin != locals.end();) {
    const auto end = std::find_if(
        begin, locals.end(), [&](const DeclaredLocal& local) { return local.place.source != begin->place.source; });
    std::sort(begin, end,
              [](const DeclaredLocal& a, const DeclaredLocal& b) { return a.place.range.begin < b.place.range.begin; });
    begin = end;
  }
  return locals;
}

// "within(n, more...)".
std::string CallOf(const Function& function) {
  std::string text = absl::StrCat(function.name, "(");
  const char* separator = "";
  for (const Parameter& parameter : function.parameters) {
    absl::StrAppend(&text, separator, parameter.name);
    separator = ", ";
  }
  if (function.variadic) absl::StrAppend(&text, separator, function.variadic->name, "...");
  return text + ")";
}

}  // namespace

std::vector<TypedName> NameTypes::List(const Declarations& declared, absl::Span<const Entry> entries,
                                       StaticTypes* types) const {
  std::vector<TypedName> names;
  for (const DeclaredVariable& variable : declared.variables()) {
    const StaticType* const type = types->FromType(variable.type, variable.defaults.get(), variable.nullable);
    names.push_back(Make(TypedName::Kind::kVariable, variable.name, type, variable.place));
  }
  for (const DeclaredLocal& local : InTextOrder(declared.locals())) {
    names.push_back(Make(TypedName::Kind::kLocal, local.name, TypeIn(locals_, local.name), local.place));
  }
  for (const auto& [name, place] : declared.defined_functions()) {
    const Function* const function = declared.functions() == nullptr ? nullptr : declared.functions()->Find(name);
    if (function == nullptr) continue;  // its block is in error
    names.push_back(Make(TypedName::Kind::kFunction, CallOf(*function), TypeIn(functions_, name), place));
  }
  for (const Entry& entry : entries) {
    const auto found = chunks_.find(entry.chunk);
    const bool is_known = found != chunks_.end();
    names.push_back(Make(TypedName::Kind::kAttribute, std::string(entry.path), is_known ? found->second.first : nullptr,
                         {entry.range, is_known ? found->second.second : nullptr}));
  }
  return names;
}

}  // namespace hcl::internal
