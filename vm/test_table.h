// TestTable: many tests of one string, answered by one look.
//
// Rules that begin with `path == "/a"`, `contains(["/b", "/c"], path)` or `startswith(path, "/d")` are tested one after
// the other, and few of them hold. A table knows for each string which tests it meets, so that control goes to the
// next of these at once.
//
// Internal to the machine. Tested by vm/test_table_test.cc and tests/test_runs_test.cc.

#ifndef HCLVM_VM_TEST_TABLE_H_
#define HCLVM_VM_TEST_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace hcl::internal {

// Strings, each with the tests that it meets. Made by Add() and then Finish(); thread-safe from then on.
class TestTexts {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void Add(std::string_view text, uint32_t test) { added_.emplace_back(text, test); }
  void Finish();

  // The first test from `from` on that `text` meets, or kNone. Time: the length of the text, and the logarithm of how
  // many tests it meets.
  uint32_t Find(std::string_view text, uint32_t from) const;
  size_t bytes() const;

 private:
  struct Key {
    uint64_t hash;
    uint32_t begin;  // of its text in texts_
    uint32_t size;
    uint32_t first;  // of its tests in tests_
    uint32_t count;
  };

  std::vector<std::pair<std::string, uint32_t>> added_;
  std::string texts_;
  std::vector<Key> keys_;
  std::vector<uint32_t> tests_;
  std::vector<uint32_t> slots_;  // a power of two, at least twice as many as keys; 1 + index of a key, or 0
};

// Thread-safe once it is finished.
class TestTable {
 public:
  // With more lengths of prefixes, looks would be slower than tests.
  static constexpr size_t kMaxPrefixSizes = 32;

  // Adds a test behind those that there are, which goes on at code offset `target` where it holds: where the string is
  // one of the texts that are added next, or begins with one of the prefixes.
  void BeginTest(uint32_t target) { targets_.push_back(target); }
  void AddText(std::string_view text) { equal_.Add(text, last()); }
  // Requires TakesPrefixes() of all that are added.
  void AddPrefix(std::string_view prefix);
  // Whether there is room for their lengths.
  bool TakesPrefixes(absl::Span<const std::string_view> prefixes) const;
  // `end`: where control goes on when no test holds.
  void Finish(uint32_t end);

  // Where control goes from test `from` on.
  uint32_t Target(std::string_view text, uint32_t from) const;

  size_t size() const { return targets_.size(); }
  // Code offsets, in the order of tests.
  const std::vector<uint32_t>& targets() const { return targets_; }
  uint32_t end() const { return end_; }
  bool has_prefixes() const { return !prefix_sizes_.empty(); }
  // How often Target() goes over the text, at most.
  size_t looks() const { return 1 + prefix_sizes_.size(); }
  size_t bytes() const;

 private:
  uint32_t last() const { return static_cast<uint32_t>(targets_.size()) - 1; }

  std::vector<uint32_t> targets_;
  std::vector<uint32_t> prefix_sizes_;  // ascending
  TestTexts equal_;
  TestTexts prefixes_;
  uint32_t end_ = 0;
};

// One test of a table.
struct TestPlace {
  uint32_t table;
  uint32_t test;
};

// Those of a program.
struct TestTables {
  std::vector<TestTable> tables;
  std::vector<TestPlace> places;  // by the operand B of FindTest
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_TEST_TABLE_H_
