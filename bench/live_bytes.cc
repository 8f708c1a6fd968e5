// LiveBytes: operator new and delete with a count. They stand in a file of their own, so that no call of them is
// expanded where they are used.

#include "hclvm/bench/live_bytes.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

size_t g_live = 0;
size_t g_peak = 0;

}  // namespace

void* operator new(size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  g_live += malloc_usable_size(memory);
  g_peak = std::max(g_peak, g_live);
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory != nullptr) g_live -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete(void* memory, size_t) noexcept {
  if (memory != nullptr) g_live -= malloc_usable_size(memory);
  std::free(memory);
}

namespace hcl::bench {

size_t LiveBytes() { return g_live; }
size_t PeakBytes() { return g_peak; }
void ForgetPeak() { g_peak = g_live; }

}  // namespace hcl::bench
