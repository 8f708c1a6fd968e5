// KeyPaths: which keys followed each other in the objects read before, at each place of a document.
//
// Documents that come one after the other are mostly alike, keys in the same order. Their objects form a tree: from a
// place, by key after key, to where an object ended, with its shape and how the keys are sorted. A reader that follows
// it compares each key with the few that came here before, and sorts, hashes and looks up nothing.
//
// Internal to the JSON reader. Tested by vm/json/key_paths_test.cc.

#ifndef HCLVM_VM_JSON_KEY_PATHS_H_
#define HCLVM_VM_JSON_KEY_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {

// The beginning of an object at some place (without a key), or a key after the keys of `previous`. Lives in KeyPaths.
class KeyPath {
 public:
  // The path on by the key whose token the text at `at` begins with, or null. A token is a key with its quotes and
  // escapes as they stand in the text. Reads nothing at or past `end`.
  KeyPath* Find(const char* at, const char* end) const {
    const auto left = static_cast<size_t>(end - at);
    if (left < sizeof(words_)) return FindNearEnd(at, left);
    uint64_t words[2];
    std::memcpy(words, at, sizeof(words));
    for (KeyPath* path = first_next_; path != nullptr; path = path->sibling_) {
      const uint64_t low = (words[0] ^ path->words_[0]) & path->masks_[0];
      const uint64_t high = (words[1] ^ path->words_[1]) & path->masks_[1];
      if ((low | high) == 0 && (path->token_size_ <= sizeof(words) || path->MatchesLong(at, left))) return path;
    }
    return nullptr;
  }

  size_t token_size() const { return token_size_; }
  // The last key. Lives as long as the path.
  const Value& key() const { return key_; }
  // Keys from the beginning of the object; the path without the last of them.
  uint32_t size() const { return size_; }
  const KeyPath* previous() const { return previous_; }

  // What an object with exactly these keys is made of; null until it is known.
  const Shape* shape() const { return shape_; }
  // order()[i] says which of the keys, as given, is the i-th in the shape; null: they are given sorted.
  const uint32_t* order() const { return order_; }

 private:
  friend class KeyPaths;

  KeyPath* FindNearEnd(const char* at, size_t left) const;
  bool MatchesLong(const char* at, size_t left) const {
    return token_size_ <= left && std::memcmp(at, token_, token_size_) == 0;
  }

  uint64_t words_[2] = {0, 0};  // the first bytes of the token
  uint64_t masks_[2] = {0, 0};  // the bytes of words_ that there are
  uint32_t token_size_ = 0;
  uint32_t size_ = 0;
  uint32_t next_count_ = 0;
  const char* token_ = nullptr;
  KeyPath* first_next_ = nullptr;  // paths on from here, linked by sibling_
  KeyPath* sibling_ = nullptr;
  KeyPath* objects_ = nullptr;  // where objects in the value of the last key begin
  const Shape* shape_ = nullptr;
  const uint32_t* order_ = nullptr;
  const KeyPath* previous_ = nullptr;
  Value key_;
};

// Not thread-safe. Paths stay valid until the next Begin().
class KeyPaths {
 public:
  static constexpr uint32_t kMaxPaths = 2048;    // more places and keys than this are not remembered
  static constexpr uint32_t kMaxNext = 8;        // different keys that may follow a path
  static constexpr size_t kMaxTokenBytes = 256;  // of a key that is remembered
  static constexpr uint32_t kMaxKeys = 64;       // of an object that is remembered

  // Where a document begins whose shapes live in the table of types that has this generation(). Forgets paths with
  // other shapes, and all of them when there was no room for many new ones.
  KeyPath* Begin(uint64_t generation);

  // Where objects begin that stand in the value of `path`'s last key. Null when there is no room.
  KeyPath* ObjectsIn(KeyPath* path) {
    if (path->objects_ == nullptr) path->objects_ = New();
    return path->objects_;
  }

  // What stands for a key at the `n`-th of some places whose objects are not looked for from the document on. Null when
  // there is no room.
  KeyPath* Place(uint32_t n) {
    if (n >= places_.size()) places_.resize(n + 1);
    if (places_[n] == nullptr) places_[n] = New();
    return places_[n];
  }

  // `path` with one key more, of this token, which Find() has not found. Null when it cannot be remembered.
  KeyPath* Add(KeyPath* path, std::string_view token, const Value& key);

  // Remembers what Find() led to. `order` has an entry for each key.
  void SetShape(KeyPath* path, const Shape* shape, const uint32_t* order);

 private:
  KeyPath* New();

  Arena arena_;
  KeyPath* document_ = nullptr;
  std::vector<KeyPath*> places_;
  uint64_t generation_ = 0;
  uint32_t count_ = 0;
  uint32_t refused_ = 0;  // paths for which there was no room
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_JSON_KEY_PATHS_H_
