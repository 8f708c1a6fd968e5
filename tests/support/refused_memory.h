// Memory that the system refuses, for tests: a binary that has this library has its own operator new, which fails when
// a test says so. One thread; not together with sanitizers' leaks of what a test loses on purpose.

#ifndef HCLVM_TESTS_SUPPORT_REFUSED_MEMORY_H_
#define HCLVM_TESTS_SUPPORT_REFUSED_MEMORY_H_

#include <cstdint>

namespace hcl {

// Refuses one allocation of this thread, the one behind `after` others, for as long as the object lives.
class RefusedAllocation {
 public:
  explicit RefusedAllocation(int64_t after);
  RefusedAllocation(const RefusedAllocation&) = delete;
  RefusedAllocation& operator=(const RefusedAllocation&) = delete;
  ~RefusedAllocation();

  // Whether it has come to that.
  bool refused() const;
};

}  // namespace hcl

#endif  // HCLVM_TESTS_SUPPORT_REFUSED_MEMORY_H_
