// The file of RevisionState: a line with the revision, and a line with the digest. Tested by
// serve/revision_state_test.cc.

#include "hclvm/serve/revision_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::serve {
namespace {

constexpr size_t kMaxRevision = 128;
constexpr size_t kDigestSize = 64;

absl::Status Failed(const std::string& path) {
  return absl::UnavailableError(absl::StrCat("cannot keep the revision in ", path, ": ", std::strerror(errno)));
}

bool IsRevision(std::string_view text) {
  return !text.empty() && text.size() <= kMaxRevision &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

bool IsDigest(std::string_view text) {
  return text.size() == kDigestSize && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The whole text, and on the disk.
bool WriteFile(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool written = true;
  while (written && !text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    written = size > 0;
    if (written) text.remove_prefix(static_cast<size_t>(size));
  }
  written = written && fsync(file) == 0;
  return close(file) == 0 && written;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RevisionState>> RevisionState::Open(const std::string& path) {
  std::unique_ptr<RevisionState> state(new RevisionState(path));
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 && errno == ENOENT) return state;
  const auto text = ReadWholeFile(path, kMaxRevision + kDigestSize + 2);
  if (!text.ok()) return absl::UnavailableError(text.status().message());
  const size_t first = text->find('\n');
  const size_t last = first == std::string::npos ? first : text->find('\n', first + 1);
  if (last == std::string::npos || last + 1 != text->size()) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is no file that keeps a revision"));
  }
  state->revision_ = text->substr(0, first);
  state->contents_ = text->substr(first + 1, last - first - 1);
  if (IsRevision(state->revision_) && IsDigest(state->contents_)) return state;
  return absl::InvalidArgumentError(absl::StrCat(path, " is no file that keeps a revision"));
}

absl::Status RevisionState::Keep(const std::string& revision, const std::string& contents) {
  if (revision == revision_ && contents == contents_) return absl::OkStatus();
  revision_ = revision;
  contents_ = contents;
  const std::string made = absl::StrCat(path_, ".new");
  if (!WriteFile(made, absl::StrCat(revision, "\n", contents, "\n"))) return Failed(path_);
  return std::rename(made.c_str(), path_.c_str()) == 0 ? absl::OkStatus() : Failed(path_);
}

}  // namespace hcl::serve
