// Files that are written whole. ReplaceFile() makes a new one beside the old one, which takes its name once it is
// complete.

#include "hclvm/cmd/hclvm/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace hcl::cmd {
namespace {

bool WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Owner and group come first, because a change of these takes bits of the mode away. Where the process may not set
// them, the file is that of its user.
bool TakeAttributes(int file, const struct stat& old) {
  if (fchown(file, old.st_uid, old.st_gid) != 0 && errno != EPERM) return false;
  return fchmod(file, old.st_mode & 07777) == 0;
}

}  // namespace

bool ReplaceFile(const std::string& path, std::string_view text, std::string* error) {
  const auto fail = [&] {
    *error = absl::StrCat("cannot write ", path, ": ", std::strerror(errno));
    return false;
  };
  std::error_code unresolved;
  const std::filesystem::path target = std::filesystem::canonical(path, unresolved);
  if (unresolved) return errno = unresolved.value(), fail();
  struct stat old = {};
  if (stat(target.c_str(), &old) != 0) return fail();
  // A file that may not be written is not replaced either, although the folder would allow it.
  if (access(target.c_str(), W_OK) != 0) return fail();
  std::string name = (target.parent_path() / ".hclvm-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return fail();
  bool is_done = WriteAll(file, text) && TakeAttributes(file, old) && fsync(file) == 0;
  const int first_error = errno;
  is_done = close(file) == 0 && is_done && rename(name.c_str(), target.c_str()) == 0;
  if (is_done) return true;
  if (first_error != 0) errno = first_error;
  fail();
  unlink(name.c_str());
  return false;
}

bool MakeFile(const std::string& path, std::string_view text, bool is_secret, std::string* error) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_secret ? 0600 : 0644);
  bool is_done = file >= 0 && WriteAll(file, text);
  const int reason = errno;
  if (file >= 0) is_done = close(file) == 0 && is_done;
  if (is_done) return true;
  *error = absl::StrCat("cannot make ", path, ": ", std::strerror(reason));
  if (file >= 0) unlink(path.c_str());
  return false;
}

}  // namespace hcl::cmd
