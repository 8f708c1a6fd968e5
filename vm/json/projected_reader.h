// ReadProjected: JSON of which a part is needed.
//
// Internal to the JSON reader. Tested by vm/json/json_projection_test.cc.

#ifndef HCLVM_VM_JSON_PROJECTED_READER_H_
#define HCLVM_VM_JSON_PROJECTED_READER_H_

#include <string_view>

#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/json/reader_state.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// As JsonReader::Read() with a projection, but that *error means nothing after false: the text, or something in it that
// is needed, is not as it should be. What was made in the heap then stays there.
bool ReadProjected(std::string_view text, const JsonProjection& needed, Heap* heap, ReaderState* state, Value* value,
                   JsonError* error);

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_PROJECTED_READER_H_
