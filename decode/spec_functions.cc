// The functions of spec files: some of the library, under the reference's names. Tested by
// decode/spec_file_test.cc.

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "hclvm/decode/spec_file.h"
#include "hclvm/vm/functions/core.h"
#include "hclvm/vm/functions/function.h"

namespace hcl {
namespace {

constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"abs", "abs"},
    {"coalesce", "coalesce"},
    {"concat", "concat"},
    {"hasindex", "hasindex"},
    {"int", "int"},
    {"jsondecode", "jsondecode"},
    {"jsonencode", "jsonencode"},
    {"length", "length"},
    {"lower", "lower"},
    {"max", "max"},
    {"min", "min"},
    {"reverse", "strrev"},
    {"strlen", "strlen"},
    {"substr", "substr"},
    {"upper", "upper"},
};

std::shared_ptr<const FunctionRegistry> Build() {
  FunctionRegistryBuilder builder;
  for (const auto& [name, standard] : kNames) {
    Function function = *CoreFunctions()->Find(standard);
    function.name = std::string(name);
    builder.Add(std::move(function));
  }
  return std::move(builder).Build();
}

}  // namespace

std::shared_ptr<const FunctionRegistry> SpecFunctions() {
  // Immutable, and never destroyed, as the standard one.
  static const auto* const registry = new std::shared_ptr<const FunctionRegistry>(Build());
  return *registry;
}

}  // namespace hcl
