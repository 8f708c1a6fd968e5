// SetIndex: which programs of a page of a ProgramSet a scope could make true.
//
// Most policies of a set begin with a test that few scopes pass: `path == "/a" && ...`. The index knows these tests of
// all programs of a page (compiler/first_tests.h), so that one look says which programs are worth a run: all others are
// known to have a value that is not true, without diagnostics.
//
// Internal to compiler/program_set.h. Tested by compiler/set_index_test.cc and tests/slow/set_search_law_test.cc.

#ifndef HCLVM_COMPILER_SET_INDEX_H_
#define HCLVM_COMPILER_SET_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/numeric/bits.h"
#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/first_tests.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Programs of a page, by their places in it.
class PageIds {
 public:
  void Add(size_t id) { words_[id / 64] |= uint64_t{1} << id % 64; }
  void Add(const PageIds& other) {
    for (size_t n = 0; n < words_.size(); ++n) words_[n] |= other.words_[n];
  }
  // Calls `use(id)` for each, ascending, until it returns true; whether it has.
  template <typename Use>
  bool Any(const Use& use) const {
    for (size_t n = 0; n < words_.size(); ++n) {
      for (uint64_t rest = words_[n]; rest != 0; rest &= rest - 1) {
        if (use(64 * n + static_cast<size_t>(absl::countr_zero(rest)))) return true;
      }
    }
    return false;
  }

 private:
  std::array<uint64_t, kSetPageSize / 64> words_ = {};
};

// A variable, and attributes from there on.
using SetPath = std::vector<std::string>;

// What a scope has at a path.
class ScopeValue {
 public:
  ScopeValue() = default;  // what nobody can tell without running a program
  // Of the variable's value, whose memory must outlive this, at `path` from its second name on.
  ScopeValue(const Value& variable, const SetPath& path);

  bool Meets(uint32_t tags, bool or_absent) const {
    return found_ == Found::kValue ? HasTag(value_, tags) : found_ == Found::kAbsent && or_absent;
  }
  // Whether it is a known bool, number or string without marks; and a string.
  bool is_scalar() const;
  bool is_text() const { return found_ == Found::kValue && value_.is_string(); }
  // Requires is_text().
  std::string_view text() const { return value_.AsString(); }
  // Its hash, made once. Requires is_scalar().
  uint32_t Hash();

 private:
  enum class Found : uint8_t { kUnclear, kAbsent, kValue };

  Value value_;
  Found found_ = Found::kUnclear;
  bool has_hash_ = false;
  uint32_t hash_ = 0;
};

// Immutable and thread-safe.
class SetIndex {
 public:
  explicit SetIndex(absl::Span<const SetPlace> places);

  // What it asks of scopes.
  const std::vector<SetPath>& paths() const { return paths_; }
  // The programs that have to be run to know whether they are true. `look(n)` is a ScopeValue& of the n-th path. Time:
  // a hash and a search for each of few groups, and for each of few lengths of prefixes.
  template <typename Look>
  PageIds Candidates(const Look& look) const {
    PageIds ids = always_;
    for (const Demand& demand : demands_) {
      if (!look(demand.path).Meets(demand.tags, demand.or_absent)) ids.Add(demand.programs);
    }
    for (const Group& group : groups_) {
      ScopeValue& value = look(group.path);
      value.is_scalar() ? group.Find(&value, &ids) : ids.Add(group.programs);
    }
    return ids;
  }
  size_t bytes() const;

 private:
  // Groups of fewer programs are run.
  static constexpr size_t kMinPrograms = 8;
  // Lengths of prefixes in a group, and the longest one; the others count with their beginnings.
  static constexpr size_t kMaxPrefixSizes = 16;
  static constexpr size_t kMaxPrefixSize = 64;

  // Programs by hashes of what they ask for.
  class Hashes {
   public:
    void Add(uint32_t hash, uint8_t id) { added_.emplace_back(hash, id); }
    void Finish();
    void Find(uint32_t hash, PageIds* ids) const;
    size_t bytes() const { return hashes_.capacity() * sizeof(uint32_t) + ids_.capacity(); }

   private:
    std::vector<std::pair<uint32_t, uint8_t>> added_;
    std::vector<uint32_t> hashes_;  // ascending
    std::vector<uint8_t> ids_;      // for each of them
  };
  // Programs that test the value at one path.
  struct Group {
    void Find(ScopeValue* value, PageIds* ids) const;

    uint32_t path;
    PageIds programs;
    PageIds with_prefixes;  // those of them that ask for a string
    Hashes values;
    Hashes prefixes;
    std::vector<size_t> prefix_sizes;  // ascending
  };
  // What has to hold for the tests of some programs to say something.
  struct Demand {
    uint32_t path;
    uint32_t tags;
    bool or_absent;
    PageIds programs;
  };
  // A program with the test that stands for it.
  struct Entry {
    uint8_t id;
    FirstTests first;
    size_t test;
  };

  uint32_t PathOf(const FirstTests::Path& path);
  void Choose(std::vector<Entry>* entries);
  void AddGroup(uint32_t path, const std::vector<const Entry*>& entries);
  void AddDemands(const Entry& entry);

  std::vector<SetPath> paths_;
  HashMap<SetPath, uint32_t> path_index_;  // while it is made
  PageIds always_;
  std::vector<Demand> demands_;
  std::vector<Group> groups_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_SET_INDEX_H_
