// The families and the standard registry. Tested by vm/functions/standard_test.cc.

#include "vm/functions/standard.h"

#include <utility>

#include "absl/types/span.h"
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
#include "vm/functions/yaml_functions.h"

namespace hcl {

std::string_view FamilyName(FunctionFamily family) {
  switch (family) {
    case FunctionFamily::kNumeric:
      return "numeric";
    case FunctionFamily::kString:
      return "string";
    case FunctionFamily::kCollection:
      return "collection";
    case FunctionFamily::kEncoding:
      return "encoding";
    case FunctionFamily::kDate:
      return "date";
    case FunctionFamily::kHash:
      return "hash";
    case FunctionFamily::kNetwork:
      return "network";
    case FunctionFamily::kType:
      return "type";
  }
  return "";
}

void RegisterFamily(FunctionFamily family, FunctionRegistryBuilder* builder) {
  switch (family) {
    case FunctionFamily::kNumeric:
      return RegisterNumericFunctions(builder);
    case FunctionFamily::kString:
      RegisterStringFunctions(builder);
      RegisterTrimFunctions(builder);
      RegisterFormatFunctions(builder);
      return RegisterRegexFunctions(builder);
    case FunctionFamily::kCollection:
      RegisterCollectionFunctions(builder);
      RegisterListFunctions(builder);
      RegisterMappingFunctions(builder);
      RegisterSearchFunctions(builder);
      RegisterSequenceFunctions(builder);
      return RegisterSetFunctions(builder);
    case FunctionFamily::kEncoding:
      RegisterEncodingFunctions(builder);
      return RegisterYamlFunctions(builder);
    case FunctionFamily::kDate:
      return RegisterDateFunctions(builder);
    case FunctionFamily::kHash:
      return RegisterHashFunctions(builder);
    case FunctionFamily::kNetwork:
      return RegisterNetworkFunctions(builder);
    case FunctionFamily::kType:
      return RegisterConversionFunctions(builder);
  }
}

namespace {

using Registry = std::shared_ptr<const FunctionRegistry>;

Registry Build(absl::Span<const FunctionFamily> families) {
  FunctionRegistryBuilder builder;
  for (FunctionFamily family : families) RegisterFamily(family, &builder);
  return std::move(builder).Build();
}

// Immutable, and never destroyed: programs of other statics may still hold functions of it at exit.
template <FunctionFamily kFamily>
Registry OneFamily() {
  static const auto* const registry = new Registry(Build({kFamily}));
  return *registry;
}

}  // namespace

Registry StandardFunctions() {
  static const auto* const registry = new Registry(Build(kFunctionFamilies));
  return *registry;
}

Registry NumericFunctions() { return OneFamily<FunctionFamily::kNumeric>(); }
Registry StringFunctions() { return OneFamily<FunctionFamily::kString>(); }
Registry CollectionFunctions() { return OneFamily<FunctionFamily::kCollection>(); }
Registry EncodingFunctions() { return OneFamily<FunctionFamily::kEncoding>(); }
Registry DateFunctions() { return OneFamily<FunctionFamily::kDate>(); }
Registry HashFunctions() { return OneFamily<FunctionFamily::kHash>(); }
Registry NetworkFunctions() { return OneFamily<FunctionFamily::kNetwork>(); }
Registry TypeFunctions() { return OneFamily<FunctionFamily::kType>(); }

}  // namespace hcl
