// BodyShape: what a spec looks for in a body, for hclvm/hcl/json/convert.h.
//
// Tested by decode/body_shape_test.cc.

#ifndef HCLVM_DECODE_BODY_SHAPE_H_
#define HCLVM_DECODE_BODY_SHAPE_H_

#include <string>

#include "hclvm/decode/spec.h"
#include "hclvm/hcl/json/convert.h"

namespace hcl {

// The attributes and blocks that `spec` looks for, and those inside of blocks. False and *error, a sentence, where a
// spec contradicts itself, as ImpliedSchema() says; *shape is unspecified then. Thread-safe. Stack: a frame for each
// block in a block of the spec.
bool ShapeOf(const DecodeSpec& spec, BodyShape* shape, std::string* error);

}  // namespace hcl

#endif  // HCLVM_DECODE_BODY_SHAPE_H_
