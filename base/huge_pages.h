// Asks the system for large pages where much memory is about to be written.
//
// Tested by base/arena_test.cc.

#ifndef HCLVM_BASE_HUGE_PAGES_H_
#define HCLVM_BASE_HUGE_PAGES_H_

#include <cstddef>

namespace hcl::internal {

// Memory of so many bytes has a large page in it for certain.
inline constexpr size_t kHugePagesFrom = size_t{4} << 20;

// The memory, of at least kHugePagesFrom bytes, will be written from its beginning on. The system may then give it in
// pages of 2 MiB where it fits: a first write to each of 512 small ones takes longer than what is mostly written there.
// Nothing else changes, whether it does or not.
void PreferHugePages(void* memory, size_t bytes);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_HUGE_PAGES_H_
