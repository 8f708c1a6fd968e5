// Standard streams: a write that fails must not look like a success, whichever command it was made by.

#include "hclvm/cmd/hclvm/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm/command_line.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr char kOutOfMemory[] = ": out of memory\n";

// What the handler writes. Set once, before threads start: a signal handler cannot be given anything.
std::array<char, 64> refused_line{};

// Ends the process with a line and a status where a library gets no memory and can do no more. gRPC calls abort() then,
// or uses the null pointer; an exception that none of its threads catches ends in abort(), too. The C library sets
// ENOMEM in the thread that is refused memory; nothing else tells these ends from those of other faults, which take
// their usual course when this returns.
extern "C" void ReportRefusedMemory(int signal, siginfo_t* info, void*) {
  constexpr uintptr_t kBytesAtNull = 4096;
  if (errno != ENOMEM) return;
  if (signal == SIGSEGV && reinterpret_cast<uintptr_t>(info->si_addr) >= kBytesAtNull) return;
  const ssize_t written = write(STDERR_FILENO, refused_line.data(), std::strlen(refused_line.data()));
  (void)written;
  _exit(kLimitReached);
}

// Handlers of others stay: sanitizers have some.
void HandleRefusedMemory(std::string_view name) {
  const size_t size = std::min(name.size(), refused_line.size() - sizeof(kOutOfMemory));
  std::memcpy(refused_line.data(), name.data(), size);
  std::memcpy(refused_line.data() + size, kOutOfMemory, sizeof(kOutOfMemory));
  struct sigaction action = {};
  action.sa_sigaction = ReportRefusedMemory;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);
  for (const int signal : {SIGABRT, SIGSEGV}) {
    struct sigaction usual = {};
    if (sigaction(signal, nullptr, &usual) == 0 && usual.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

// A file gets the lowest free number, which would be that of the closed stream: what is meant for people would end up
// in the file that `--out` names. What is opened here can be used in the wrong direction only.
void OccupyClosedStreams() {
  for (int number = 0; number <= 2; ++number) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    if (open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY) != number) return;
  }
}

// Programs that we would start would get this as well; there are none.
void NoteLargeFiles() { std::signal(SIGXFSZ, SIG_IGN); }

// The commands see to what one line or one file needs; this is for the rest.
int GuardMemory(std::string_view name, const std::function<int()>& command) {
  HandleRefusedMemory(name);
  return internal::WithMemory(command, [&] {
    std::fprintf(stderr, "%.*s%s", static_cast<int>(name.size()), name.data(), kOutOfMemory);
    return kLimitReached;
  });
}

// A short text is written when the buffer is flushed, and some systems tell only on closing that a disk was full. Where
// an earlier write has failed, its reason is lost unless this one fails as well.
int FinishOutput(std::string_view name, int status) {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  const bool closed = std::fclose(stdout) == 0;
  const int reason = errno;
  if ((closed && !failed_before) || status != kSuccess) return status;
  const std::string line = absl::StrCat(ToAbsl(name), ": cannot write to standard output", reason == 0 ? "" : ": ",
                                        reason == 0 ? "" : std::strerror(reason), "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kInputError;
}

}  // namespace hcl::cmd
