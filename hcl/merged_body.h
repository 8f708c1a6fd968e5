// Several bodies as one, as when a configuration is spread over the files of a folder.
//
// Specification: information-model.md, "Body Content" (attribute names are unique in a body). Tested by
// hcl/merged_body_test.cc.

#ifndef HCLVM_HCL_MERGED_BODY_H_
#define HCLVM_HCL_MERGED_BODY_H_

#include <vector>

#include "hclvm/hcl/body_content.h"

namespace hcl {

// A body with the attributes and blocks of all `bodies`, blocks in the order of the bodies. An attribute may be set in
// one of them only; the first one counts, another is an error that says where the first stands. A required attribute
// may stand in any. None of `bodies` may be null; without any, the result is an empty body. The bodies may be of
// different syntaxes, and merged ones themselves.
BodyViewPtr MergeBodies(std::vector<BodyViewPtr> bodies);

}  // namespace hcl

#endif  // HCLVM_HCL_MERGED_BODY_H_
