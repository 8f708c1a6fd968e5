// Bodies of the JSON syntax, to be opened with a schema (hcl/body_content.h).
//
// A property whose name the schema has as an attribute is one. Where the schema has a block type of that name, the
// value is, for each label, an object whose property names are the labels, and then an object, the body of one block,
// or an array of such. null stands for no block. Under the reference's rules an array of objects may stand for one
// object wherever labels or a body are looked for. Properties named "//" are comments; under the reference's rules,
// unless the schema asks for them.
//
// Specification: json-syntax.md, "Structural Elements"; information-model.md, "Body Content".
// Tested by hcl/json/json_body_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_BODY_H_
#define HCLVM_HCL_JSON_JSON_BODY_H_

#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_file.h"

namespace hcl {

// The body that is the root of a file from ParseJson(). The file must outlive the result and all that comes of it. What
// the parser has reported is not reported again: a root that is no body is like an empty one.
BodyViewPtr ViewOf(const JsonFile& file);

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_BODY_H_
