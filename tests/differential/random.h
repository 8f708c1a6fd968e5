// Random numbers that are the same on every platform.

#ifndef HCLVM_TESTS_DIFFERENTIAL_RANDOM_H_
#define HCLVM_TESTS_DIFFERENTIAL_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace hcl::differential {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    // SplitMix64.
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  size_t Below(size_t n) { return static_cast<size_t>((Next() >> 32) * n >> 32); }
  bool Chance(size_t percent) { return Below(100) < percent; }
  template <size_t N>
  const char* Pick(const char* const (&items)[N]) {
    return items[Below(N)];
  }

 private:
  uint64_t state_;
};

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_RANDOM_H_
