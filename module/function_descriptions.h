// What functions a host offers, as a file: `hclvm check --functions` looks at calls by it, without the host's program.
//
//   {"complete": true,
//    "functions": {
//      "country": {"parameters": [{"name": "ip", "type": "string"}], "result": "string", "result_nullable": true}}}
//
// The format is docs/modules.md, "Functions of the host". Tested by module/function_descriptions_test.cc.

#ifndef HCLVM_MODULE_FUNCTION_DESCRIPTIONS_H_
#define HCLVM_MODULE_FUNCTION_DESCRIPTIONS_H_

#include <memory>
#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/functions/function.h"

namespace hcl {

// The file for all functions of a host, one a line, by name; it is complete. Capsule types are written as `any`, and so
// is the result of a function whose type depends on its arguments. Names that no call can have are left out.
// Thread-safe.
std::string DescribeFunctions(const FunctionRegistry& functions);

// The functions that are described in `source`, for checks: programs with calls of them compile, and a call gives an
// unknown value of its type. Those of `base` (may be null) are there as well, unless the file says that it is complete.
// One that is described exactly as one of `base` is that function, with all that is known of it; otherwise the file's
// replaces it. The result keeps what it needs.
//
// Null on errors, which are reported to `diagnostics`, each with its source: what is no JSON, properties that are
// missing, of another type or unknown, names that are no identifiers or are given twice, what is no type. The limits
// are those for sources. Thread-safe as far as `diagnostics` is not shared.
std::shared_ptr<const FunctionRegistry> ReadFunctionDescriptions(const std::shared_ptr<const Source>& source,
                                                                 const std::shared_ptr<const FunctionRegistry>& base,
                                                                 const Limits& limits, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_MODULE_FUNCTION_DESCRIPTIONS_H_
