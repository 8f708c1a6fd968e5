// The standard registry. Tested by vm/functions/standard_test.cc.

#include "vm/functions/standard.h"

#include <utility>

#include "vm/functions/collection_functions.h"
#include "vm/functions/conversion_functions.h"
#include "vm/functions/date_functions.h"
#include "vm/functions/encoding_functions.h"
#include "vm/functions/format_functions.h"
#include "vm/functions/hash_functions.h"
#include "vm/functions/list_functions.h"
#include "vm/functions/mapping_functions.h"
#include "vm/functions/network_functions.h"
#include "vm/functions/numeric_functions.h"
#include "vm/functions/regex_functions.h"
#include "vm/functions/search_functions.h"
#include "vm/functions/sequence_functions.h"
#include "vm/functions/set_functions.h"
#include "vm/functions/string_functions.h"
#include "vm/functions/trim_functions.h"

namespace hcl {
namespace {

std::shared_ptr<const FunctionRegistry> BuildStandard() {
  FunctionRegistryBuilder builder;
  RegisterCollectionFunctions(&builder);
  RegisterConversionFunctions(&builder);
  RegisterDateFunctions(&builder);
  RegisterEncodingFunctions(&builder);
  RegisterFormatFunctions(&builder);
  RegisterHashFunctions(&builder);
  RegisterListFunctions(&builder);
  RegisterMappingFunctions(&builder);
  RegisterNetworkFunctions(&builder);
  RegisterNumericFunctions(&builder);
  RegisterRegexFunctions(&builder);
  RegisterSearchFunctions(&builder);
  RegisterSequenceFunctions(&builder);
  RegisterSetFunctions(&builder);
  RegisterStringFunctions(&builder);
  RegisterTrimFunctions(&builder);
  return std::move(builder).Build();
}

}  // namespace

std::shared_ptr<const FunctionRegistry> StandardFunctions() {
  // Immutable, and never destroyed: programs of other statics may still hold functions of it at exit.
  static const auto* const registry = new std::shared_ptr<const FunctionRegistry>(BuildStandard());
  return *registry;
}

}  // namespace hcl
