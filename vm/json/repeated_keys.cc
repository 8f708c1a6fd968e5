// RepeatedKeys. Tested by vm/json/repeated_keys_test.cc.

#include "hclvm/vm/json/repeated_keys.h"

#include <algorithm>

#include "hclvm/vm/json/reader_state.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

// Behind the last token, KeyPath::Find() looks at so many bytes at most.
constexpr size_t kPadding = 16;

}  // namespace

void RepeatedKeys::Begin() {
  arena_.Reset();
  text_.clear();
  keys_.clear();
  tokens_.clear();
  order_.clear();
  shape_ = nullptr;
  hits_ = 0;
}

bool RepeatedKeys::Add(std::string_view token, const Value& key) {
  if (keys_.size() == kMaxKeys || token.size() > kMaxTextBytes - std::min(kMaxTextBytes, text_.size())) {
    Begin();
    return false;
  }
  tokens_.push_back({TokenHead(token), static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(token.size())});
  text_.append(token);
  keys_.push_back(Value::String(key.AsString(), &arena_));
  return true;
}

void RepeatedKeys::End(const uint32_t* order) {
  text_.append(kPadding, '\0');
  if (!std::is_sorted(order, order + keys_.size())) order_.assign(order, order + keys_.size());
}

// Sharing a shape is worth while once it is needed again and again: the table of types holds a few of this size. What
// no longer fits into it is made for each object, which takes no sorting either.
const Shape* RepeatedKeys::ShapeIn(Heap* heap) {
  misses_ = 0;
  TypeTable* const types = heap->types();
  if (shape_ != nullptr && generation_ == types->generation()) return shape_;
  shape_ = nullptr;
  std::vector<Value> sorted(keys_.size());
  for (size_t i = 0; i < keys_.size(); ++i) sorted[i] = keys_[order_.empty() ? i : order_[i]];
  const size_t bytes = text_.size() + keys_.size() * (sizeof(Value) + 4 * sizeof(uint32_t));  // about
  if (hits_++ >= kFewHits && types->bytes_used() + bytes <= kMaxInternedBytes) {
    shape_ = types->InternShape(sorted);
    generation_ = types->generation();
    return shape_;
  }
  for (Value& key : sorted) key = Value::String(key.AsString(), heap->arena());
  return MakeShape(sorted, heap->arena());
}

}  // namespace hcl::internal
