// Dice: choices of random tests, the same ones on every platform.

#ifndef HCLVM_TESTS_SUPPORT_DICE_H_
#define HCLVM_TESTS_SUPPORT_DICE_H_

#include <cstdint>
#include <vector>

namespace hcl::testing_support {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  // Below `below`, which is not 0.
  uint32_t Roll(uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % below;
  }
  // One of the list, which is not empty and outlives the result.
  template <typename T>
  const T& Pick(const std::vector<T>& list) {
    return list[Roll(static_cast<uint32_t>(list.size()))];
  }

 private:
  uint64_t state_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SUPPORT_DICE_H_
