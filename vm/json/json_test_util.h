// JSON as values, in tests.

#ifndef HCLVM_VM_JSON_JSON_TEST_UTIL_H_
#define HCLVM_VM_JSON_JSON_TEST_UTIL_H_

#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// The value of the text, which lives in *heap. Expects that it is JSON.
inline Value ParsedJson(std::string_view json, Heap* heap) {
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(json, heap, &value, &error)) << json << ": " << error.detail;
  return value;
}

}  // namespace hcl

#endif  // HCLVM_VM_JSON_JSON_TEST_UTIL_H_
