// DumpJson: a printed form of JSON trees, for tests and tools.
//
// Tested by hcl/json/json_parser_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_DUMP_H_
#define HCLVM_HCL_JSON_JSON_DUMP_H_

#include <string>

#include "hclvm/hcl/json/json_ast.h"

namespace hcl::internal {

// JSON without white space, numbers as they are spelled, `!` for what could not be parsed. With `ranges`, @begin-end
// (bytes) stands behind every value and name.
std::string DumpJson(const JsonValue& value, bool ranges = false);

}  // namespace hcl::internal

#endif  // HCLVM_HCL_JSON_JSON_DUMP_H_
