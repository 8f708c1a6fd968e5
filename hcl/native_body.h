// Native bodies as BodyView.
//
// Specification: information-model.md, "Body Content"; native-syntax.md, "Structural Elements".
// Tested by hcl/body_content_test.cc.

#ifndef HCLVM_HCL_NATIVE_BODY_H_
#define HCLVM_HCL_NATIVE_BODY_H_

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"

namespace hcl {

// The body as a view. `body` and `source` must outlive it and all that is taken from it. The body may come from a parse
// with errors.
BodyViewPtr ViewOf(const Body& body, const Source& source);

}  // namespace hcl

#endif  // HCLVM_HCL_NATIVE_BODY_H_
