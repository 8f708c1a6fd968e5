// Replaces operator new by one that counts. Tested by tests/bench_command_test.sh; that memory which the system refuses
// is reported as before, by tests/refused_programs_test.sh.

#include "hclvm/cmd/hclvm/allocation_count.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HCLVM_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HCLVM_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef HCLVM_COUNTS_ALLOCATIONS
#define HCLVM_COUNTS_ALLOCATIONS 1
#endif

namespace hcl::cmd {
namespace {

thread_local uint64_t allocations = 0;

}  // namespace

bool CountsAllocations() { return HCLVM_COUNTS_ALLOCATIONS != 0; }
uint64_t AllocationCount() { return allocations; }

#if HCLVM_COUNTS_ALLOCATIONS
namespace {

void* Allocate(std::size_t bytes) noexcept {
  ++allocations;
  return std::malloc(bytes > 0 ? bytes : 1);
}

// As the standard's own does: a handler may free memory, and is asked again.
void* AllocateOrThrow(std::size_t bytes) {
  for (;;) {
    void* const memory = Allocate(bytes);
    if (memory != nullptr) return memory;
    const std::new_handler handler = std::get_new_handler();
#if defined(__cpp_exceptions)
    if (handler == nullptr) throw std::bad_alloc();
#else
    if (handler == nullptr) std::abort();
#endif
    handler();
  }
}

}  // namespace
#endif

}  // namespace hcl::cmd

#if HCLVM_COUNTS_ALLOCATIONS
void* operator new(std::size_t bytes) { return hcl::cmd::AllocateOrThrow(bytes); }
void* operator new[](std::size_t bytes) { return hcl::cmd::AllocateOrThrow(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return hcl::cmd::Allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return hcl::cmd::Allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
#endif
