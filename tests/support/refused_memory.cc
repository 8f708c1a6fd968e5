#include "hclvm/tests/support/refused_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// How many allocations there are until one is refused; never where it is negative.
thread_local int64_t left = -1;

void* Allocate(std::size_t bytes) {
  if (left >= 0 && left-- == 0) return nullptr;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* AllocateOrThrow(std::size_t bytes) {
  void* const memory = Allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return AllocateOrThrow(bytes); }
void* operator new[](std::size_t bytes) { return AllocateOrThrow(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hcl {

RefusedAllocation::RefusedAllocation(int64_t after) { left = after; }
RefusedAllocation::~RefusedAllocation() { left = -1; }
bool RefusedAllocation::refused() const { return left < 0; }

}  // namespace hcl
