// A library for LD_PRELOAD: malloc() fails once, behind a number of other calls. So programs are tested as they are
// released. Either REFUSE_MALLOC is that number, and a byte is written to descriptor 9 then; or REFUSE_MALLOC_FILE is a
// file with the number in eight bytes, which a test may set again while the program runs, and which is negative from
// then on.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" void* __libc_malloc(std::size_t bytes);  // NOLINT(bugprone-reserved-identifier)

namespace {

std::atomic<int64_t> own{-1};
// Where the number is. Null: not looked for yet.
std::atomic<std::atomic<int64_t>*> left{nullptr};
bool is_told = false;

std::atomic<int64_t>* Find() {
  if (const char* const path = getenv("REFUSE_MALLOC_FILE")) {
    const int file = open(path, O_RDWR | O_CLOEXEC);
    void* const memory =
        file < 0 ? MAP_FAILED : mmap(nullptr, sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    return memory == MAP_FAILED ? &own : static_cast<std::atomic<int64_t>*>(memory);
  }
  if (const char* const text = getenv("REFUSE_MALLOC")) {
    is_told = true;
    own = std::strtol(text, nullptr, 10);
  }
  return &own;
}

bool IsRefused() {
  std::atomic<int64_t>* number = left;
  if (number == nullptr) left = number = Find();
  if (*number < 0 || number->fetch_sub(1) != 0) return false;
  return !is_told || write(9, "x", 1) == 1;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t bytes) {
  if (!IsRefused()) return __libc_malloc(bytes);
  errno = ENOMEM;
  return nullptr;
}
