#include "hclvm/vm/value/kept_states.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {
namespace {

constexpr char kOne = 0, kOther = 0;

// How many of the texts "0", "1", ... are kept, each with the state that is its number.
int CountKept(KeptStates* states, int texts) {
  int found = 0;
  for (int n = 0; n < texts; ++n) {
    const void* const state = states->Find(&kOne, absl::StrCat(n));
    if (state == nullptr) continue;
    EXPECT_EQ(*static_cast<const int*>(state), n);
    ++found;
  }
  return found;
}

void Keep(KeptStates* states, int n, size_t bytes) {
  states->Keep(&kOne, absl::StrCat(n), std::make_shared<int>(n), bytes);
}

TEST(KeptStatesTest, FindsByKindAndText) {
  KeptStates states;
  EXPECT_EQ(states.Find(&kOne, "1"), nullptr);
  Keep(&states, 1, 10);
  Keep(&states, 2, 10);
  for (int round = 0; round < 3; ++round) EXPECT_EQ(CountKept(&states, 4), 2);
  EXPECT_EQ(states.Find(&kOther, "1"), nullptr);
}

TEST(KeptStatesTest, KeepsNoMoreThanItsLimits) {
  KeptStates many;
  constexpr int kMany = static_cast<int>(KeptStates::kMaxStates);
  for (int n = 0; n < kMany; ++n) Keep(&many, n, 1);
  EXPECT_EQ(CountKept(&many, kMany), kMany);
  Keep(&many, kMany, 1);
  EXPECT_EQ(CountKept(&many, kMany + 1), kMany);

  KeptStates large;
  for (int n = 0; n < 8; ++n) Keep(&large, n, KeptStates::kMaxBytes / 4);
  EXPECT_EQ(CountKept(&large, 8), 4);
  Keep(&large, 8, KeptStates::kMaxBytes + 1);
  EXPECT_EQ(CountKept(&large, 9), 4);
  Keep(&large, 9, KeptStates::kMaxBytes);
  EXPECT_EQ(CountKept(&large, 10), 1);

  const std::string text(KeptStates::kMaxTextBytes, 'a');
  large.Keep(&kOther, text + "a", std::make_shared<int>(1), 0);
  EXPECT_EQ(large.Find(&kOther, text + "a"), nullptr);
  large.Keep(&kOther, text, std::make_shared<int>(1), 0);
  EXPECT_NE(large.Find(&kOther, text), nullptr);
}

// More than fit, again and again in one order: some of them are found each time.
TEST(KeptStatesTest, DoesNotDropAllInTurn) {
  KeptStates states;
  constexpr int kTexts = static_cast<int>(KeptStates::kMaxStates) + 8;
  int found = 0;
  for (int round = 0; round < 20; ++round) {
    for (int n = 0; n < kTexts; ++n) {
      if (states.Find(&kOne, absl::StrCat(n)) != nullptr) {
        ++found;
      } else {
        Keep(&states, n, 1);
      }
    }
  }
  EXPECT_GT(found, 20 * kTexts / 2);
}

TEST(KeptStatesTest, KeepsForOwners) {
  KeptStates states;
  std::vector<int> owners(100);
  for (size_t n = 0; n < owners.size(); ++n) {
    EXPECT_EQ(states.FindOf(&owners[n]), nullptr);
    EXPECT_TRUE(states.KeepOf(&owners[n], std::make_shared<size_t>(n), 1));
    for (size_t m = 0; m <= n; ++m) EXPECT_EQ(*static_cast<const size_t*>(states.FindOf(&owners[m])), m);
  }
  EXPECT_FALSE(states.KeepOf(&states, std::make_shared<int>(1), KeptStates::kMaxBytes));
  EXPECT_EQ(states.FindOf(&states), nullptr);
  EXPECT_TRUE(states.KeepOf(&states, std::make_shared<int>(1), KeptStates::kMaxBytes - owners.size()));
}

TEST(KeptStatesTest, GoesWithTheHeap) {
  Heap heap;
  Keep(heap.kept_states(), 1, 1);
  heap.Reset();
  EXPECT_EQ(CountKept(heap.kept_states(), 2), 1);
  heap.Release();
  EXPECT_EQ(CountKept(heap.kept_states(), 2), 0);
}

}  // namespace
}  // namespace hcl::internal
