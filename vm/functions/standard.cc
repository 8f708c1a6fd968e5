// The standard registry. Tested by vm/functions/standard_test.cc.

#include "vm/functions/standard.h"

#include <utility>

#include "vm/functions/collection_functions.h"
#include "vm/functions/conversion_functions.h"
#include "vm/functions/mapping_functions.h"
#include "vm/functions/numeric_functions.h"
#include "vm/functions/sequence_functions.h"
#include "vm/functions/string_functions.h"

namespace hcl {
namespace {

std::shared_ptr<const FunctionRegistry> BuildStandard() {
  FunctionRegistryBuilder builder;
  RegisterCollectionFunctions(&builder);
  RegisterConversionFunctions(&builder);
  RegisterMappingFunctions(&builder);
  RegisterNumericFunctions(&builder);
  RegisterSequenceFunctions(&builder);
  RegisterStringFunctions(&builder);
  return std::move(builder).Build();
}

}  // namespace

std::shared_ptr<const FunctionRegistry> StandardFunctions() {
  // Immutable, and never destroyed: programs of other statics may still hold functions of it at exit.
  static const auto* const registry = new std::shared_ptr<const FunctionRegistry>(BuildStandard());
  return *registry;
}

}  // namespace hcl
