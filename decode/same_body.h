// ForSameBody: the parts of a spec that look at one body. Internal to decode/. Tested by decode/decoder_test.cc.

#ifndef HCLVM_DECODE_SAME_BODY_H_
#define HCLVM_DECODE_SAME_BODY_H_

#include "hclvm/decode/spec.h"

namespace hcl::internal {

// Calls `visit` for `spec` and for all that is decoded with the same body.
template <typename Visit>
void ForSameBody(const DecodeSpec& spec, const Visit& visit) {
  visit(spec);
  if (spec.is_block()) return;
  for (const DecodeSpecPtr& child : spec.children()) ForSameBody(*child, visit);
}

}  // namespace hcl::internal

#endif  // HCLVM_DECODE_SAME_BODY_H_
