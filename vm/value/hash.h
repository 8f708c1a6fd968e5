// Hashing of strings, shapes and types.
//
// Seeded by the process's address layout: the same within a process only. Tested by vm/value/value_test.cc.

#ifndef HCLVM_VM_VALUE_HASH_H_
#define HCLVM_VM_VALUE_HASH_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/types/span.h"

namespace hcl {
class Value;
}  // namespace hcl

namespace hcl::internal {

// Depends on where the process was loaded, so that keys which collide cannot be prepared in advance.
inline uint64_t HashSeed() {
  static const char anchor = 0;
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(&anchor)) * 0xa0761d6478bd642fu;
}

// Mixes `value` into `state`; every bit of the result depends on every bit of both.
inline uint64_t MixHash(uint64_t state, uint64_t value) {
  uint64_t seed = HashSeed();
  unsigned __int128 product =
      static_cast<unsigned __int128>(state ^ seed) * (value ^ (seed >> 32) ^ 0xe7037ed1a0b428dbu);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The hash of a string value, and of its text: equal strings have equal hashes.
uint64_t HashKey(const Value& key);
uint64_t HashString(std::string_view text);

// The hash of the shape that these string values, in order, make.
uint64_t HashKeys(absl::Span<const Value> keys);

// Whether two string values are equal.
bool SameString(const Value& a, const Value& b);

// Whether `count` string values are pairwise equal.
bool SameStrings(const Value* a, const Value* b, size_t count);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_HASH_H_
