// KeyPaths. Tested by vm/json/key_paths_test.cc.

#include "hclvm/vm/json/key_paths.h"

#include <algorithm>

#include "absl/types/span.h"

namespace hcl {
namespace internal {
namespace {

// So many paths are refused before those that are remembered give way. Makes forgetting cheap for texts that never
// repeat a key.
constexpr uint32_t kMaxRefused = 16 * KeyPaths::kMaxPaths;

}  // namespace

// Near the end of the text the 16 bytes that Find() loads would lie beyond it.
KeyPath* KeyPath::FindNearEnd(const char* at, size_t left) const {
  for (KeyPath* path = first_next_; path != nullptr; path = path->sibling_) {
    if (path->MatchesLong(at, left)) return path;
  }
  return nullptr;
}

// Paths hold shapes of one table of types; another generation() means that these may be gone. Forgetting everything is
// simpler than finding out what is stale, and documents of one form fill the paths again at once.
KeyPath* KeyPaths::Begin(uint64_t generation) {
  if (document_ != nullptr && generation == generation_ && refused_ <= kMaxRefused) return document_;
  arena_.Reset();
  places_.clear();
  count_ = 0;
  refused_ = 0;
  generation_ = generation;
  document_ = New();
  return document_;
}

// A bound on all paths, so that hostile documents (random keys) cost a few megabytes and no more: vm/json/json.h.
KeyPath* KeyPaths::New() {
  if (count_ == kMaxPaths) {
    ++refused_;
    return nullptr;
  }
  ++count_;
  return new (arena_.Allocate(sizeof(KeyPath), alignof(KeyPath))) KeyPath();
}

// Bounds on the length of a key, the keys of an object and the keys that may follow: each keeps Find() cheap, which
// goes through all that may follow. The masks let a short token be compared as two words without reading behind it.
KeyPath* KeyPaths::Add(KeyPath* path, std::string_view token, const Value& key) {
  if (token.size() > kMaxTokenBytes || path->size_ == kMaxKeys) return nullptr;
  if (path->next_count_ == kMaxNext) ++refused_;
  KeyPath* next = path->next_count_ < kMaxNext ? New() : nullptr;
  if (next == nullptr) return nullptr;
  token = arena_.CopyString(token);
  const size_t begin = std::min(token.size(), sizeof(next->words_));
  std::memcpy(next->words_, token.data(), begin);
  std::memset(next->masks_, 0xff, begin);
  next->token_ = token.data();
  next->token_size_ = static_cast<uint32_t>(token.size());
  next->key_ = Value::String(key.AsString(), &arena_);
  next->size_ = path->size_ + 1;
  next->previous_ = path;
  next->sibling_ = path->first_next_;
  path->first_next_ = next;
  ++path->next_count_;
  return next;
}

// The shape lives in the table of types; only the order is kept here, and none for keys that come sorted.
void KeyPaths::SetShape(KeyPath* path, const Shape* shape, const uint32_t* order) {
  path->shape_ = shape;
  bool sorted = true;
  for (uint32_t i = 0; i < path->size_; ++i) sorted = sorted && order[i] == i;
  path->order_ = sorted ? nullptr : arena_.CopySpan(absl::MakeConstSpan(order, path->size_)).data();
}

}  // namespace internal
}  // namespace hcl
