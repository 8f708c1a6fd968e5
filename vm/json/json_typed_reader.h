// Reading {"type": T, "value": V}.
//
// Internal to the JSON readers. Tested by vm/json/json_reader_test.cc.

#ifndef HCLVM_VM_JSON_JSON_TYPED_READER_H_
#define HCLVM_VM_JSON_JSON_TYPED_READER_H_

#include <string>
#include <string_view>

#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {

// As JsonReader::ReadTyped. `scratch` is overwritten.
bool ReadTypedJson(std::string_view text, Heap* heap, std::string* scratch, Value* value, JsonError* error);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_JSON_JSON_TYPED_READER_H_
