// ModuleShape: the declarations that files of modules may have, for hclvm/hcl/json/convert.h.
//
// Tested by tests/convert_property_test.cc.

#ifndef HCLVM_MODULE_MODULE_SHAPE_H_
#define HCLVM_MODULE_MODULE_SHAPE_H_

#include "hclvm/hcl/json/convert.h"

namespace hcl {

// The blocks `variable`, `locals` and `function`, with the types and parameters that are analyzed and not evaluated.
// All other names are attributes. Thread-safe.
BodyShape ModuleShape();

}  // namespace hcl

#endif  // HCLVM_MODULE_MODULE_SHAPE_H_
