// SetIndex. Tested as compiler/set_index.h says.
//
// A program has a place in the index by one of its tests: the one whose path tells the programs of the page apart best.
// Of `role == "editor" && path == "/a"` in many programs that is the path, and the role has to be a string.

#include "hclvm/compiler/set_index.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/first_tests.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/guard_tags.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

ScopeValue::ScopeValue(const Value& variable, const SetPath& path) {
  const Value* at = &variable;
  for (size_t n = 1; n < path.size(); ++n) {
    if (!at->is_mapping()) return;
    const int64_t found = at->shape().Find(path[n]);
    if (found < 0) {
      found_ = Found::kAbsent;
      return;
    }
    at = MappingOf(*at).items() + found;
  }
  if (TagOf(*at) == Tag::kInternal) return;
  value_ = *at;
  found_ = Found::kValue;
}

bool ScopeValue::is_scalar() const { return found_ == Found::kValue && HasTag(value_, kScalarTags); }

uint32_t ScopeValue::Hash() {
  if (!has_hash_) hash_ = ShortHash(value_);
  has_hash_ = true;
  return hash_;
}

void SetIndex::Hashes::Finish() {
  std::sort(added_.begin(), added_.end());
  added_.erase(std::unique(added_.begin(), added_.end()), added_.end());
  hashes_.reserve(added_.size()), ids_.reserve(added_.size());
  for (const auto& [hash, id] : added_) hashes_.push_back(hash), ids_.push_back(id);
  added_ = {};
}

void SetIndex::Hashes::Find(uint32_t hash, PageIds* ids) const {
  for (auto at = std::lower_bound(hashes_.begin(), hashes_.end(), hash); at != hashes_.end() && *at == hash; ++at) {
    ids->Add(ids_[static_cast<size_t>(at - hashes_.begin())]);
  }
}

void SetIndex::Group::Find(ScopeValue* value, PageIds* ids) const {
  values.Find(value->Hash(), ids);
  if (!value->is_text()) return ids->Add(with_prefixes);
  for (const size_t size : prefix_sizes) {
    if (size > value->text().size()) return;
    prefixes.Find(ShortHash(value->text().substr(0, size)), ids);
  }
}

// A program goes to the group of one of its first tests, the one that tells most programs apart; small groups are
// not worth a look-up, and their programs are run always.
SetIndex::SetIndex(absl::Span<const SetPlace> places) {
  HCL_DCHECK(places.size() <= kSetPageSize);
  std::vector<Entry> entries;
  for (size_t id = 0; id < places.size(); ++id) {
    const SetPlace& place = places[id];
    if (place.segment == nullptr) continue;
    Entry entry{static_cast<uint8_t>(id), UnpackFirstTests(place.segment->texts().FirstTestsOf(place.chunk)), 0};
    entry.first.tests.empty() ? always_.Add(id) : entries.push_back(std::move(entry));
  }
  Choose(&entries);
  std::map<uint32_t, std::vector<const Entry*>> groups;
  for (const Entry& entry : entries) groups[PathOf(entry.first.tests[entry.test].subject)].push_back(&entry);
  for (const auto& [path, members] : groups) {
    if (members.size() >= kMinPrograms) {
      AddGroup(path, members);
    } else {
      for (const Entry* entry : members) always_.Add(entry->id);
    }
  }
  path_index_ = {};
}

uint32_t SetIndex::PathOf(const FirstTests::Path& path) {
  SetPath names(path.begin(), path.end());
  const auto [found, is_new] = path_index_.try_emplace(std::move(names), static_cast<uint32_t>(paths_.size()));
  if (is_new) paths_.push_back(found->first);
  return found->second;
}

// By how many different values are asked for at a path. Hashes stand for them here as well.
void SetIndex::Choose(std::vector<Entry>* entries) {
  HashMap<uint32_t, HashSet<uint32_t>> asked;
  const auto values_at = [&](const FirstTests::Test& test) { return &asked[PathOf(test.subject)]; };
  for (const Entry& entry : *entries) {
    for (const FirstTests::Test& test : entry.first.tests) {
      auto* const values = values_at(test);
      values->insert(test.hashes.begin(), test.hashes.end());
      for (const std::string_view prefix : test.prefixes) values->insert(ShortHash(prefix));
    }
  }
  for (Entry& entry : *entries) {
    size_t most = 0;
    for (size_t n = 0; n < entry.first.tests.size(); ++n) {
      const size_t count = values_at(entry.first.tests[n])->size();
      if (count > most) most = count, entry.test = n;
    }
  }
}

// A prefix of a length that is not among those of the group stands there with what it begins with.
void SetIndex::AddGroup(uint32_t path, const std::vector<const Entry*>& entries) {
  Group group;
  group.path = path;
  std::map<size_t, size_t> counts;  // of prefixes, by their length
  for (const Entry* entry : entries) {
    for (const std::string_view prefix : entry->first.tests[entry->test].prefixes) {
      ++counts[std::min(prefix.size(), kMaxPrefixSize)];
    }
  }
  std::vector<std::pair<size_t, size_t>> sizes(counts.begin(), counts.end());
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [size, count] : sizes) {
    if (group.prefix_sizes.size() < kMaxPrefixSizes) group.prefix_sizes.push_back(size);
  }
  std::sort(group.prefix_sizes.begin(), group.prefix_sizes.end());
  for (const Entry* entry : entries) {
    const FirstTests::Test& test = entry->first.tests[entry->test];
    bool is_found = true;
    for (const std::string_view prefix : test.prefixes) {
      const auto next = std::upper_bound(group.prefix_sizes.begin(), group.prefix_sizes.end(), prefix.size());
      if (next == group.prefix_sizes.begin()) {
        is_found = false;
      } else {
        group.prefixes.Add(ShortHash(prefix.substr(0, next[-1])), entry->id);
      }
    }
    for (const uint32_t hash : test.hashes) group.values.Add(hash, entry->id);
    if (!test.prefixes.empty()) group.with_prefixes.Add(entry->id);
    is_found ? group.programs.Add(entry->id) : always_.Add(entry->id);
    AddDemands(*entry);
  }
  group.values.Finish(), group.prefixes.Finish();
  groups_.push_back(std::move(group));
}

void SetIndex::AddDemands(const Entry& entry) {
  for (size_t n = 0; n < entry.first.tests[entry.test].demands; ++n) {
    const FirstTests::Demand& asked = entry.first.demands[n];
    const uint32_t path = PathOf(asked.path);
    auto found = std::find_if(demands_.begin(), demands_.end(), [&](const Demand& demand) {
      return demand.path == path && demand.tags == asked.tags && demand.or_absent == asked.or_absent;
    });
    if (found == demands_.end()) {
      demands_.push_back({path, asked.tags, asked.or_absent, {}});
      found = demands_.end() - 1;
    }
    found->programs.Add(entry.id);
  }
}

size_t SetIndex::bytes() const {
  size_t bytes = sizeof(SetIndex) + demands_.capacity() * sizeof(Demand) + groups_.capacity() * sizeof(Group) +
                 paths_.capacity() * sizeof(SetPath);
  for (const SetPath& path : paths_) {
    bytes += path.capacity() * sizeof(std::string);
    for (const std::string& name : path) bytes += name.capacity();
  }
  for (const Group& group : groups_) {
    bytes += group.values.bytes() + group.prefixes.bytes() + group.prefix_sizes.capacity() * sizeof(size_t);
  }
  return bytes;
}

SetPage::~SetPage() { delete index_.load(std::memory_order_relaxed); }

// What needs memory comes first.
void SetPage::Set(uint32_t n, const SetRecord& record) {
  HCL_DCHECK(n < kSetPageSize);
  if (record.segment != nullptr && record.segment->is_single()) singles_.push_back(record.segment);
  const SetSegment* const before = std::exchange(places_[n], SetPlace{record.segment.get(), record.chunk}).segment;
  if (before == nullptr || !before->is_single()) return;
  const auto single =
      std::find_if(singles_.begin(), singles_.end(), [&](const auto& one) { return one.get() == before; });
  HCL_DCHECK(single != singles_.end());
  std::swap(*single, singles_.back());
  singles_.pop_back();
}

// Who is late lets go of what it has made.
const SetIndex& SetPage::Index() const {
  const SetIndex* index = index_.load(std::memory_order_acquire);
  if (index != nullptr) return *index;
  auto made = std::make_unique<const SetIndex>(places_);
  if (index_.compare_exchange_strong(index, made.get(), std::memory_order_acq_rel)) index = made.release();
  return *index;
}

size_t SetPage::BytesHeld() const {
  const SetIndex* const index = index_.load(std::memory_order_acquire);
  return singles_.capacity() * sizeof(singles_[0]) + (index == nullptr ? 0 : index->bytes());
}

}  // namespace hcl::internal
