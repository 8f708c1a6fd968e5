// JSON of small values whose texts are ASCII, as the reference writes it: in memory of the arena, without a text in
// between. Nearly all that is encoded is such a value; json_text.h has what serves all others.
//
// Tested by vm/functions/short_ways_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_PLAIN_JSON_H_
#define HCLVM_VM_FUNCTIONS_PLAIN_JSON_H_

#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What a value's text takes.
struct PlainJsonSize {
  uint64_t bytes = 0;    // as JsonTextBytes()
  uint64_t escapes = 0;  // bytes that escapes add
};

// False when the value is not one that is written here: it has a text beyond ASCII that might not stand as it is, a
// number beyond the inline form or a part that JSON has no form for, or it is large or deep.
bool MeasurePlainJson(const Value& value, PlainJsonSize* size);

// The text of a value of that size.
Value MakePlainJson(const Value& value, const PlainJsonSize& size, Arena* arena);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_PLAIN_JSON_H_
