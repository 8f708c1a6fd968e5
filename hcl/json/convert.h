// Conversion between the native syntax and the JSON syntax: a config in one of them, written in the other.
//
// The result means what the given text means: its attributes evaluate to the same values, and its blocks are the same
// blocks for every schema. docs/converting.md shows both directions by example, and says what has no counterpart.
//
// JSON does not tell attributes from blocks. So the way from JSON takes a BodyShape, which says what is a block. The
// way to JSON needs it only for attributes that are analyzed and never evaluated, such as types.
//
// Specification: json-syntax.md. Tested by hcl/json/convert_test.cc, and on random configs and the files of examples/
// by tests/convert_property_test.cc.

#ifndef HCLVM_HCL_JSON_CONVERT_H_
#define HCLVM_HCL_JSON_CONVERT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

// What may stand in a body, and in the bodies of its blocks. Plain data, copyable; safe for concurrent reading. The
// default is a body without blocks, in which each name is an attribute.
struct BodyShape {
  // The attributes and block types that are known. Whether an attribute is required has no effect.
  BodySchema schema;
  // For each block type of `schema`, in its order: what stands in such blocks. A null pointer is a BodyShape{}.
  std::vector<std::shared_ptr<const BodyShape>> blocks;
  // Names of attributes that are analyzed and never evaluated, as the type of a variable is. In JSON, their strings are
  // expressions without "${" and "}" around them.
  std::vector<std::string> static_attributes;
  // Whether a name that `schema` does not have is an attribute. Otherwise it is an error.
  bool has_other_attributes = true;
};

// How a text is read, and which limits hold. Plain data.
struct ConvertOptions {
  Limits limits;
  // kReference: both syntaxes are read as the reference reads them (ParseOptions, JsonRules).
  JsonRules rules = JsonRules::kSpec;
  BodyShape shape;  // of the whole config
};

// The config `source`, in the native syntax, as a text in the JSON syntax, which ends in a newline. The bodies of
// blocks are in an array, but for one body of a block type that `options.shape` names.
//
// Nothing where the text has errors, or has no counterpart in JSON: HCL6201 names each place. Warnings (HCL8016) name
// what is left out and does not change values: the places of comments, and the order of blocks of one type with
// different labels. Comments become the property "//" of the root. All that is reported goes to `diagnostics`, with
// ranges in `source`.
//
// Thread-safe. Time: linear. Stack: as that of the parser, bounded by Limits::max_nesting_depth.
std::optional<std::string> ConvertToJson(const Source& source, const ConvertOptions& options, Diagnostics* diagnostics);

// The config `source`, in the JSON syntax, as a text in the native syntax, in the layout of hclvm/hcl/format.h.
//
// Nothing where the text has errors, is not as `options.shape` says, or has no counterpart (HCL6201), such as a name
// that is no identifier. Properties "//" of bodies become comments at the start. Reports as ConvertToJson() does.
//
// Thread-safe. Time: linear, and n log n in the items of a body. Stack: as for ConvertToJson().
std::optional<std::string> ConvertToNative(const Source& source, const ConvertOptions& options,
                                           Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_CONVERT_H_
