// RepeatedKeys: the keys of the large object that came last at one place of texts.
//
// A large map, as of limits by user, mostly comes with the keys that it had last time, in the same order. A reader that
// compares each key with the one of last time sorts, hashes and looks up nothing, and all such maps share one shape.
// Objects of up to KeyPaths::kMaxKeys keys are remembered by paths (vm/json/key_paths.h), which can tell many forms.
//
// Internal to the readers. Tested by vm/json/repeated_keys_test.cc.

#ifndef HCLVM_VM_JSON_REPEATED_KEYS_H_
#define HCLVM_VM_JSON_REPEATED_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/json/token_head.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe.
class RepeatedKeys {
 public:
  // Objects of more keys, or with more text in them, are not remembered: a shape is shared by all texts, and the table
  // of shapes is small (kMaxInternedBytes).
  static constexpr uint32_t kMaxKeys = 8192;
  static constexpr size_t kMaxTextBytes = 256 << 10;

  // How many keys there are; 0 where none are remembered.
  uint32_t size() const { return static_cast<uint32_t>(keys_.size()); }

  // Whether the text at `at` begins with the token of the `n`-th key: the key with its quotes and escapes, as it stood
  // in the text. False for the last bytes of a text, which ends at `end`.
  bool IsAt(uint32_t n, const char* at, const char* end) const {
    HCL_DCHECK(n < tokens_.size());
    const Token& token = tokens_[n];
    if (end - at < static_cast<std::ptrdiff_t>(TokenHead::kBytes)) return false;
    return token.head.IsAt(at) && (token.size <= TokenHead::kBytes || MatchesLong(token, at, end));
  }
  size_t token_size(uint32_t n) const { return tokens_[n].size; }
  // The token, behind which as many bytes as KeyPath::Find() looks at can be read, up to text_end().
  const char* token(uint32_t n) const { return text_.data() + tokens_[n].begin; }
  const char* text_end() const { return text_.data() + text_.size(); }
  // The key. Lives until others are remembered.
  const Value& key(uint32_t n) const { return keys_[n]; }

  // The shape of an object of these keys, for a value in `heap`. It lives in the types of the heap, or in its values
  // where there are very many types already.
  const Shape* ShapeIn(Heap* heap);
  // order()[i] says which of the keys, as given, is the i-th in the shape; null: they are given sorted.
  const uint32_t* order() const { return order_.empty() ? nullptr : order_.data(); }

  // An object with other keys has come: whether it is to be remembered in place of these. Where each object has keys of
  // its own, that is nearly never so, as it takes time.
  bool WantsOther() { return ++misses_ <= kFewMisses || misses_ % kRareMisses == 0; }
  // Forgets the keys; Add() of each, in the order of the text, and End() remember others. Add() is false where there
  // are too many, and then nothing is remembered.
  void Begin();
  bool Add(std::string_view token, const Value& key);
  // `order` has an entry for each key.
  void End(const uint32_t* order);

 private:
  static constexpr uint32_t kFewMisses = 4;
  static constexpr uint32_t kRareMisses = 16;
  static constexpr uint32_t kFewHits = 2;  // so often an object comes again before its shape is shared

  struct Token {
    TokenHead head;
    uint32_t begin = 0;  // in text_
    uint32_t size = 0;
  };

  bool MatchesLong(const Token& token, const char* at, const char* end) const {
    return token.size <= static_cast<size_t>(end - at) && std::memcmp(at, text_.data() + token.begin, token.size) == 0;
  }

  Arena arena_;                // of the keys' texts
  std::string text_;           // of the tokens, one behind the other
  std::vector<Value> keys_;    // in the order of the text
  std::vector<Token> tokens_;  // of them
  std::vector<uint32_t> order_;
  const Shape* shape_ = nullptr;  // where it is shared
  uint64_t generation_ = 0;       // of the types that it lives in
  uint32_t hits_ = 0;             // since these were remembered
  uint32_t misses_ = 0;           // since the last hit
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_REPEATED_KEYS_H_
