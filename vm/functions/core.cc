// The core of the function library. Tested by vm/functions/core_test.cc.

#include "hclvm/vm/functions/core.h"

#include <utility>

#include "hclvm/vm/functions/assumption_functions.h"
#include "hclvm/vm/functions/charset_functions.h"
#include "hclvm/vm/functions/collection_functions.h"
#include "hclvm/vm/functions/conversion_functions.h"
#include "hclvm/vm/functions/date_functions.h"
#include "hclvm/vm/functions/encoding_functions.h"
#include "hclvm/vm/functions/format_functions.h"
#include "hclvm/vm/functions/glob_functions.h"
#include "hclvm/vm/functions/list_functions.h"
#include "hclvm/vm/functions/mapping_functions.h"
#include "hclvm/vm/functions/network_functions.h"
#include "hclvm/vm/functions/numeric_functions.h"
#include "hclvm/vm/functions/path_functions.h"
#include "hclvm/vm/functions/search_functions.h"
#include "hclvm/vm/functions/sequence_functions.h"
#include "hclvm/vm/functions/set_functions.h"
#include "hclvm/vm/functions/string_functions.h"
#include "hclvm/vm/functions/trim_functions.h"
#include "hclvm/vm/functions/version_functions.h"

namespace hcl {

using internal::RegisterAssumptionFunctions;
using internal::RegisterCharsetFunctions;
using internal::RegisterCollectionFunctions;
using internal::RegisterConversionFunctions;
using internal::RegisterDateFunctions;
using internal::RegisterEncodingFunctions;
using internal::RegisterFormatFunctions;
using internal::RegisterGlobFunctions;
using internal::RegisterListFunctions;
using internal::RegisterMappingFunctions;
using internal::RegisterNetworkFunctions;
using internal::RegisterNumericFunctions;
using internal::RegisterPathFunctions;
using internal::RegisterSearchFunctions;
using internal::RegisterSequenceFunctions;
using internal::RegisterSetFunctions;
using internal::RegisterStringFunctions;
using internal::RegisterTrimFunctions;
using internal::RegisterVersionFunctions;

// A switch without a default, so that the compiler warns of a family that has no case. Functions that need a library of
// their own (digests, YAML, regular expressions, compression) are added by vm/functions/standard.cc: whoever links only
// the core does not link those.
void RegisterCoreFamily(FunctionFamily family, FunctionRegistryBuilder* builder) {
  switch (family) {
    case FunctionFamily::kNumeric:
      return RegisterNumericFunctions(builder);
    case FunctionFamily::kString:
      RegisterStringFunctions(builder);
      RegisterTrimFunctions(builder);
      RegisterPathFunctions(builder);
      RegisterGlobFunctions(builder);
      RegisterVersionFunctions(builder);
      return RegisterFormatFunctions(builder);
    case FunctionFamily::kCollection:
      RegisterCollectionFunctions(builder);
      RegisterListFunctions(builder);
      RegisterMappingFunctions(builder);
      RegisterSearchFunctions(builder);
      RegisterSequenceFunctions(builder);
      return RegisterSetFunctions(builder);
    case FunctionFamily::kEncoding:
      RegisterCharsetFunctions(builder);
      return RegisterEncodingFunctions(builder);
    case FunctionFamily::kDate:
      return RegisterDateFunctions(builder);
    case FunctionFamily::kHash:
      return;
    case FunctionFamily::kNetwork:
      return RegisterNetworkFunctions(builder);
    case FunctionFamily::kType:
      RegisterAssumptionFunctions(builder);
      return RegisterConversionFunctions(builder);
  }
}

std::shared_ptr<const FunctionRegistry> CoreFunctions() {
  // Immutable, and never destroyed: programs of other statics may still hold functions of it at exit.
  static const auto* const registry = [] {
    FunctionRegistryBuilder builder;
    for (FunctionFamily family : kFunctionFamilies) RegisterCoreFamily(family, &builder);
    return new std::shared_ptr<const FunctionRegistry>(std::move(builder).Build());
  }();
  return *registry;
}

}  // namespace hcl
