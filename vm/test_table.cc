// TestTable. Tested by vm/test_table_test.cc.
//
// Texts are hashed with the process's seed, although they are the program's: what is looked up is a request's.

#include "hclvm/vm/test_table.h"

#include <algorithm>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/hash.h"

namespace hcl::internal {

void TestTexts::Finish() {
  std::sort(added_.begin(), added_.end());
  added_.erase(std::unique(added_.begin(), added_.end()), added_.end());
  for (size_t n = 0; n < added_.size(); ++n) {
    const auto& [text, test] = added_[n];
    if (n == 0 || added_[n - 1].first != text) {
      keys_.push_back({HashString(text), static_cast<uint32_t>(texts_.size()), static_cast<uint32_t>(text.size()),
                       static_cast<uint32_t>(n), 0});
      texts_ += text;
    }
    ++keys_.back().count;
    tests_.push_back(test);
  }
  added_ = {};
  if (keys_.empty()) return;
  size_t slots = 2;
  while (slots < 2 * keys_.size()) slots *= 2;
  slots_.resize(slots);
  for (size_t n = 0; n < keys_.size(); ++n) {
    size_t at = keys_[n].hash & (slots - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots - 1);
    slots_[at] = static_cast<uint32_t>(n) + 1;
  }
}

uint32_t TestTexts::Find(std::string_view text, uint32_t from) const {
  if (slots_.empty()) return kNone;
  const uint64_t hash = HashString(text);
  for (size_t at = hash & (slots_.size() - 1); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    const Key& key = keys_[slots_[at] - 1];
    if (key.hash != hash || std::string_view(texts_.data() + key.begin, key.size) != text) continue;
    const uint32_t* const begin = tests_.data() + key.first;
    const uint32_t* const end = begin + key.count;
    const uint32_t* const found = *begin >= from ? begin : std::lower_bound(begin, end, from);
    return found == end ? kNone : *found;
  }
  return kNone;
}

size_t TestTexts::bytes() const {
  return texts_.capacity() + keys_.capacity() * sizeof(Key) +
         (tests_.capacity() + slots_.capacity()) * sizeof(uint32_t);
}

void TestTable::AddPrefix(std::string_view prefix) {
  const auto size = static_cast<uint32_t>(prefix.size());
  const auto at = std::lower_bound(prefix_sizes_.begin(), prefix_sizes_.end(), size);
  if (at == prefix_sizes_.end() || *at != size) prefix_sizes_.insert(at, size);
  prefixes_.Add(prefix, last());
}

bool TestTable::TakesPrefixes(absl::Span<const std::string_view> prefixes) const {
  std::vector<uint32_t> sizes = prefix_sizes_;
  for (const std::string_view prefix : prefixes) {
    const auto size = static_cast<uint32_t>(prefix.size());
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    if (sizes.size() > kMaxPrefixSizes) return false;
  }
  return true;
}

void TestTable::Finish(uint32_t end) {
  end_ = end;
  equal_.Finish();
  prefixes_.Finish();
}

// kNone is above all tests.
uint32_t TestTable::Target(std::string_view text, uint32_t from) const {
  HCL_DCHECK(from < targets_.size());
  uint32_t first = equal_.Find(text, from);
  for (const uint32_t size : prefix_sizes_) {
    if (size > text.size()) break;
    first = std::min(first, prefixes_.Find(text.substr(0, size), from));
  }
  return first == TestTexts::kNone ? end_ : targets_[first];
}

size_t TestTable::bytes() const {
  return (targets_.capacity() + prefix_sizes_.capacity()) * sizeof(uint32_t) + equal_.bytes() + prefixes_.bytes();
}

}  // namespace hcl::internal
