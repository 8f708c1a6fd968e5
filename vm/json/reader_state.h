// ReaderState: the stacks and tables that a JSON reader keeps between texts.
//
// Internal to the JSON readers. Tested by vm/json/json_reader_test.cc.

#ifndef HCLVM_VM_JSON_READER_STATE_H_
#define HCLVM_VM_JSON_READER_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/vm/json/json_skip.h"
#include "hclvm/vm/json/key_paths.h"
#include "hclvm/vm/json/repeated_keys.h"
#include "hclvm/vm/value/string_sort.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Bytes of types and shapes up to which shapes are shared.
constexpr size_t kMaxInternedBytes = 1 << 20;

// How many properties in a row that nobody needs are skipped one by one, before it is worth while to look for the next
// one that is needed.
constexpr uint32_t kFewSkipped = 4;

// A stack of values. Those on top are read in place. Growing is out of line, so that a push is a comparison and a
// store, and memory is kept between reads.
class ValueStack {
 public:
  size_t size() const { return static_cast<size_t>(top_ - values_.data()); }
  const Value* from(size_t begin) const { return values_.data() + begin; }
  Value* at(size_t position) { return values_.data() + position; }
  void Push(const Value& value) {
    if (top_ == limit_) Grow();
    *top_++ = value;
  }
  void Shrink(size_t size) { top_ = values_.data() + size; }

 private:
  ABSL_ATTRIBUTE_NOINLINE void Grow() {
    const size_t size = values_.size();
    values_.resize(2 * size + 64);
    top_ = values_.data() + size;
    limit_ = values_.data() + values_.size();
  }

  std::vector<Value> values_;  // from top_ on it is room
  Value* top_ = nullptr;
  Value* limit_ = nullptr;
};

// What a reader keeps between reads.
struct ReaderState {
  std::string scratch;                // of the cursor
  ValueStack values;                  // elements of the open arrays, values of the open objects
  Value name;                         // of the property that is looked for
  std::vector<Value> keys;            // of the open objects that paths do not know, and of one that they do
  std::vector<StringSortEntry> sort;  // of the keys of one object
  std::vector<uint32_t> order;        // of these
  std::vector<Value> sorted_keys;
  KeyPaths paths;
  std::vector<std::unique_ptr<RepeatedKeys>> repeated;  // by place (KeyPaths::Place), where a large object was read
  JsonSkipper skipper;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_READER_STATE_H_
