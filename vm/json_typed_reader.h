// Reading {"type": T, "value": V}.
//
// Internal to the JSON readers. Tested by vm/json_reader_test.cc.

#ifndef HCLVM_VM_JSON_TYPED_READER_H_
#define HCLVM_VM_JSON_TYPED_READER_H_

#include <string>
#include <string_view>

#include "vm/heap.h"
#include "vm/json.h"
#include "vm/value.h"

namespace hcl {
namespace internal {

// As JsonReader::ReadTyped. `scratch` is overwritten.
bool ReadTypedJson(std::string_view text, Heap* heap, std::string* scratch, Value* value, JsonError* error);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_JSON_TYPED_READER_H_
