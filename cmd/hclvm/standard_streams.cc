// Standard streams: a write that fails must not look like a success, whichever command it was made by.

#include "hclvm/cmd/hclvm/standard_streams.h"

#include <fcntl.h>

#include <cerrno>
#include <csignal>
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
  return internal::WithMemory(command, [&] {
    std::fprintf(stderr, "%.*s: out of memory\n", static_cast<int>(name.size()), name.data());
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
