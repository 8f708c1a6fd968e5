// What hcldec prints: values, references and diagnostics as JSON, in the reference's shapes.
//
// Tested by cmd/hcldec/decode_output_test.cc.

#ifndef HCLVM_CMD_HCLDEC_DECODE_OUTPUT_H_
#define HCLVM_CMD_HCLDEC_DECODE_OUTPUT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {

struct DecodeFormat {
  bool with_type = false;   // {"type": T, "value": V}
  bool keep_nulls = false;  // otherwise properties that are null are left out, at every depth
};

// Appends the value and a line end. False and *reason when it holds what JSON cannot.
bool AppendDecoded(const Value& value, const DecodeFormat& format, Heap* heap, std::string* out, std::string* reason);

// {"diagnostics": [...]}, indented, with a line end; empty for none.
std::string DiagnosticsDocument(const Diagnostics& diagnostics);

// The references as an indented list, with a line end, each with the value that it has with `variables`, if it has one.
std::string ReferencesDocument(const std::vector<StaticTraversal>& references,
                               const std::vector<std::pair<std::string, Value>>& variables);

// `json`, which is valid, with line breaks and two blanks for each level.
std::string Indent(std::string_view json);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLDEC_DECODE_OUTPUT_H_
