// The families' names. Tested by vm/functions/standard_test.cc.

#include "hclvm/vm/functions/function_family.h"

namespace hcl {

// The names by which `hclvm functions` groups them.
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

}  // namespace hcl
