// A library for LD_PRELOAD: malloc() fails once, behind REFUSE_MALLOC other calls, and then a byte is written to
// descriptor 9. So programs are tested as they are released.

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

extern "C" void* __libc_malloc(std::size_t bytes);  // NOLINT(bugprone-reserved-identifier)

namespace {

constexpr long kNotRead = -2;
std::atomic<long> left{kNotRead};

bool IsRefused() {
  if (left == kNotRead) {
    const char* const text = getenv("REFUSE_MALLOC");
    left = text == nullptr ? -1 : std::strtol(text, nullptr, 10);
  }
  if (left < 0) return false;
  if (left.fetch_sub(1) != 0) return false;
  return write(9, "x", 1) == 1;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t bytes) {
  if (!IsRefused()) return __libc_malloc(bytes);
  errno = ENOMEM;
  return nullptr;
}
