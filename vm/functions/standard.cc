// The families and the standard registry. Tested by vm/functions/standard_test.cc.

#include "hclvm/vm/functions/standard.h"

#include <utility>

#include "absl/types/span.h"
#include "hclvm/vm/functions/core.h"
#include "hclvm/vm/functions/gzip_functions.h"
#include "hclvm/vm/functions/hash_functions.h"
#include "hclvm/vm/functions/regex_functions.h"
#include "hclvm/vm/functions/yaml_functions.h"

namespace hcl {

// Adds to the core's functions those that need RE2, libyaml, zlib or OpenSSL.
void RegisterFamily(FunctionFamily family, FunctionRegistryBuilder* builder) {
  RegisterCoreFamily(family, builder);
  if (family == FunctionFamily::kString) RegisterRegexFunctions(builder);
  if (family == FunctionFamily::kEncoding) {
    RegisterGzipFunctions(builder);
    RegisterYamlFunctions(builder);
  }
  if (family == FunctionFamily::kHash) RegisterHashFunctions(builder);
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
