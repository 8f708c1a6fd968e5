// Replaces the global allocation functions by counting ones.

#include "hclvm/bench/allocation_counter.h"

#include <cstdlib>
#include <new>

namespace hcl::bench {
namespace {

thread_local uint64_t allocations = 0;
thread_local uint64_t allocated_bytes = 0;

// Never null, for the forms that may not throw neither: a benchmark without memory ends, rather than measure how
// something fails. Over-aligned forms of operator new are not replaced, and so not counted.
void* Count(std::size_t bytes) {
  ++allocations;
  allocated_bytes += bytes;
  void* memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

uint64_t AllocationCount() { return allocations; }

uint64_t AllocatedBytes() { return allocated_bytes; }

}  // namespace hcl::bench

void* operator new(std::size_t bytes) { return hcl::bench::Count(bytes); }
void* operator new[](std::size_t bytes) { return hcl::bench::Count(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return hcl::bench::Count(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return hcl::bench::Count(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
