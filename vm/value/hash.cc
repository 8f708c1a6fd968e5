// Hashes and equality of string values. Tested by vm/value/value_test.cc.

#include "hclvm/vm/value/hash.h"

#include "absl/hash/hash.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

uint64_t HashKey(const Value& key) {
  if (TagOf(key) == Tag::kShortString) return MixHash(HeadBits(key), PayloadBits(key));
  return absl::Hash<std::string_view>()(key.AsString());
}

uint64_t HashString(std::string_view text) { return HashKey(Value::StringView(text)); }

uint64_t HashKeys(absl::Span<const Value> keys) {
  uint64_t hash = keys.size();
  for (const Value& key : keys) hash = MixHash(hash, HashKey(key));
  return hash;
}

bool SameString(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  return TagOf(a) == Tag::kString && TagOf(b) == Tag::kString && a.AsString() == b.AsString();
}

bool SameStrings(const Value* a, const Value* b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!SameString(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace hcl::internal
