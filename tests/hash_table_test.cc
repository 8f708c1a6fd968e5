// Hash tables: what they hold, and that memory refused at any allocation of an insertion changes nothing.

#include "hclvm/base/hash_table.h"

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/tests/support/refused_memory.h"

namespace hcl::internal {
namespace {

// Long enough to be kept outside of the string itself.
std::string Name(int n) { return "a name that needs memory of its own, " + std::to_string(n); }

// Inserts by `insert` with each allocation refused in turn until it has all it asks for; behind each that failed, the
// table is as it was, by `check`. How often it failed.
template <typename Insert, typename Check>
int InsertAtLast(Insert insert, Check check) {
  for (int n = 0;; ++n) {
    try {
      const RefusedAllocation refusal(n);
      insert();
      return n;
    } catch (const std::bad_alloc&) {
    }
    check();
  }
}

TEST(HashTableTest, AnInsertionThatFailsChangesNoMap) {
  HashMap<std::string, std::vector<int>> map;
  size_t failures = 0;
  for (int n = 0; n < 300; ++n) {
    const std::string name = Name(n);
    failures += InsertAtLast([&] { map.try_emplace(name, std::vector<int>(3, n)); },
                             [&] {
                               ASSERT_EQ(map.size(), n);
                               ASSERT_FALSE(map.contains(name));
                             });
    for (int known = 0; known <= n; ++known) ASSERT_EQ(map.find(Name(known))->second, std::vector<int>(3, known));
  }
  EXPECT_GT(failures, 605);  // the name, the vector, and now and then the table
}

TEST(HashTableTest, AnInsertionThatFailsChangesNoSet) {
  HashSet<int> set;
  int failures = 0;
  for (int n = 0; n < 300; ++n) {
    failures += InsertAtLast([&] { set.insert(n); }, [&] { ASSERT_EQ(set.size(), n); });
    for (int known = 0; known < 300; ++known) ASSERT_EQ(set.contains(known), known <= n);
  }
  EXPECT_GT(failures, 5);
}

// Where elements come and go, marks of those that went fill the table.
TEST(HashTableTest, AnInsertionBehindErasuresChangesNothingWhereItFails) {
  HashSet<int> set;
  for (int n = 0; n < 2000; ++n) {
    InsertAtLast([&] { set.insert(n); }, [&] { ASSERT_FALSE(set.contains(n)); });
    ASSERT_EQ(set.erase(n - 20), n < 20 ? 0u : 1u);
    ASSERT_EQ(set.size(), n < 20 ? n + 1 : 20);
  }
  EXPECT_LT(set.capacity(), 128u);
}

TEST(HashTableTest, WhatIsReservedNeedsNoMemory) {
  for (size_t count = 1; count < 200; ++count) {
    HashMap<int, int> map;
    map.emplace(-1, 0);
    map.reserve(count + 1);
    const RefusedAllocation refusal(0);
    for (int n = 0; n < static_cast<int>(count); ++n) map[n] = n;
    EXPECT_FALSE(refusal.refused()) << count;
  }
}

TEST(HashTableTest, MovesLeaveATableThatCanBeUsed) {
  HashMap<std::string, std::unique_ptr<int>> map;
  for (int n = 0; n < 20; ++n) map.emplace(Name(n), std::make_unique<int>(n));
  HashMap<std::string, std::unique_ptr<int>> other(std::move(map));
  map[Name(0)] = std::make_unique<int>(7);  // NOLINT(bugprone-use-after-move): a promise
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(*other.find(Name(19))->second, 19);
  map = std::move(other);
  for (int n = 0; n < 40; ++n) other[Name(n)] = nullptr;  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(map.size(), 20u);
  EXPECT_EQ(other.size(), 40u);
  map.clear();
  for (int n = 0; n < 40; ++n) EXPECT_TRUE(map.insert_or_assign(Name(n), nullptr).second);
  EXPECT_FALSE(map.insert_or_assign(Name(3), std::make_unique<int>(3)).second);
  EXPECT_EQ(*map.find(Name(3))->second, 3);
}

}  // namespace
}  // namespace hcl::internal
