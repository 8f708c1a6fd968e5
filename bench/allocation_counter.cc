// Replaces the global allocation functions by counting ones.

#include "bench/allocation_counter.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace hcl::bench {
namespace {

std::atomic<uint64_t> allocations{0};

void* Count(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

uint64_t AllocationCount() { return allocations.load(std::memory_order_relaxed); }

}  // namespace hcl::bench

void* operator new(std::size_t bytes) { return hcl::bench::Count(bytes); }
void* operator new[](std::size_t bytes) { return hcl::bench::Count(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return hcl::bench::Count(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return hcl::bench::Count(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
