// Files of bundles. Tested by serve/bundle_files_test.cc.
//
// A directory is read with the functions of POSIX and not with those of the standard library: between looking at a name
// and opening it, somebody may put a pipe in its place, on which a plain open would wait for ever.

#include "hclvm/serve/bundle_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/unicode.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr size_t kMaxPathBytes = 1024;
constexpr size_t kMaxFolders = 32;

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendJsonString(text.substr(0, 256), &quoted);
  return quoted;
}

absl::Status CannotRead(const std::string& path, int reason) {
  const std::string message = absl::StrCat("cannot read ", path, ": ", std::strerror(reason));
  return reason == ENOENT || reason == ENOTDIR ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& path, size_t max_names) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
  if (folder == nullptr) return CannotRead(path, errno);
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = readdir(folder.get());
    if (entry == nullptr) break;
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    if (names.size() > max_names) {
      return absl::ResourceExhaustedError(absl::StrCat(path, " has more than ", max_names, " files"));
    }
  }
  if (errno != 0) return CannotRead(path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

absl::Status ReadFolder(const std::string& top, const std::string& below, size_t depth, const BundleLimits& limits,
                        BundleCollector* collector) {
  if (depth > kMaxFolders) return absl::InvalidArgumentError(absl::StrCat(top, below, " lies too deep"));
  const auto names = NamesIn(top + below, limits.max_files);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    const std::string path = absl::StrCat(top, below, "/", name);
    struct stat self = {};
    if (lstat(path.c_str(), &self) != 0) return CannotRead(path, errno);
    struct stat target = {};
    if (stat(path.c_str(), &target) != 0) return CannotRead(path, errno);
    if (S_ISDIR(target.st_mode)) {
      if (S_ISLNK(self.st_mode)) return absl::InvalidArgumentError(path + " is a link to a folder");
      absl::Status status = ReadFolder(top, absl::StrCat(below, "/", name), depth + 1, limits, collector);
      if (!status.ok()) return status;
      continue;
    }
    auto text = ReadWholeFile(path, collector->bytes_left());
    if (absl::IsResourceExhausted(text.status())) return collector->TooLarge();
    if (!text.ok()) return text.status();
    absl::Status status = collector->Add(absl::StrCat(below, "/", name).substr(1), *std::move(text));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// FNV-1a: what has to be told apart is not made by an adversary, who could as well change the files.
struct Mixer {
  void Add(const void* data, size_t size) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    for (size_t n = 0; n < size; ++n) value = (value ^ bytes[n]) * 0x100000001b3u;
  }
  template <typename T>
  void AddNumber(T number) {
    Add(&number, sizeof(number));
  }
  uint64_t value = 0xcbf29ce484222325u;
};

void MixFolder(const std::string& path, size_t depth, const BundleLimits& limits, size_t* left, Mixer* mixer) {
  struct stat status = {};
  if (*left == 0 || stat(path.c_str(), &status) != 0) return mixer->AddNumber(errno);
  --*left;
  mixer->Add(path.data(), path.size() + 1);
  mixer->AddNumber(status.st_ino);
  mixer->AddNumber(status.st_size);
  mixer->AddNumber(status.st_mode);
  mixer->AddNumber(status.st_dev);
  // Whoever copies or builds files can give them any time of change; that of the entry is the system's.
  for (const timespec& time : {status.st_mtim, status.st_ctim}) {
    mixer->AddNumber(time.tv_sec);
    mixer->AddNumber(time.tv_nsec);
  }
  if (!S_ISDIR(status.st_mode) || depth > kMaxFolders) return;
  const auto names = NamesIn(path, limits.max_files);
  if (!names.ok()) return;
  for (const std::string& name : *names) MixFolder(absl::StrCat(path, "/", name), depth + 1, limits, left, mixer);
}

}  // namespace

std::string FaultOfPath(std::string_view path) {
  if (path.empty()) return "an empty name";
  if (path.size() > kMaxPathBytes) return absl::StrCat("a name of more than ", kMaxPathBytes, " bytes");
  if (path[0] == '/') return "an absolute name";
  if (internal::FindInvalidUtf8(path) != std::string_view::npos) return "a name that is not UTF-8";
  if (std::any_of(path.begin(), path.end(), [](char c) { return c == '\\' || (c >= 0 && c < 0x20) || c == 0x7f; })) {
    return "a name with a backslash or a control character";
  }
  size_t folders = 0;
  for (size_t begin = 0; begin <= path.size(); ++folders) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == ".") return "a name with an empty part";
    if (part == "..") return "a name that goes up";
    begin = end + 1;
  }
  return folders > kMaxFolders ? "a name with too many folders" : "";
}

bool IsHiddenPath(std::string_view path) { return path[0] == '.' || absl::StrContains(ToAbsl(path), "/."); }

absl::Status BundleCollector::TooLarge() const {
  return absl::ResourceExhaustedError(
      absl::StrCat("a bundle has at most ", limits_.max_bytes, " bytes in ", limits_.max_files, " files"));
}

// Neither a folder of it is a file, nor is it a folder of one.
bool BundleCollector::IsBesideFiles(std::string_view path) const {
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (files_.count(std::string(path.substr(0, slash))) > 0) return false;
  }
  const std::string below = absl::StrCat(ToAbsl(path), "/");
  const auto next = files_.lower_bound(below);
  return next == files_.end() || next->first.compare(0, below.size(), below) != 0;
}

absl::Status BundleCollector::Add(std::string_view path, std::string text) {
  const std::string fault = FaultOfPath(path);
  if (!fault.empty()) return absl::InvalidArgumentError(absl::StrCat(fault, ": ", Quoted(path)));
  if (files_.size() >= limits_.max_files || text.size() > bytes_left()) return TooLarge();
  if (!IsBesideFiles(path))
    return absl::InvalidArgumentError(absl::StrCat("a file and a folder at once: ", Quoted(path)));
  bytes_ += text.size();
  if (!files_.emplace(path, std::move(text)).second) {
    return absl::InvalidArgumentError(absl::StrCat("the file ", Quoted(path), " is there twice"));
  }
  return absl::OkStatus();
}

// Opened without waiting, and only then looked at: it is the file that is read.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, uint64_t max_bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return CannotRead(path, errno);
  struct stat status = {};
  if (fstat(file.number(), &status) != 0) return CannotRead(path, errno);
  if (!S_ISREG(status.st_mode)) return absl::InvalidArgumentError(path + " is not a regular file");
  const auto too_large = [&] {
    return absl::ResourceExhaustedError(absl::StrCat(path, " has more than ", max_bytes, " bytes"));
  };
  if (static_cast<uint64_t>(status.st_size) > max_bytes) return too_large();
  std::string text;
  text.reserve(static_cast<size_t>(status.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(file.number(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotRead(path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
    if (text.size() > max_bytes) return too_large();
  }
}

absl::StatusOr<BundleFiles> ReadBundleDirectory(const std::string& path, const BundleLimits& limits) {
  BundleCollector collector(limits);
  absl::Status status = ReadFolder(path, "", 0, limits, &collector);
  if (!status.ok()) return status;
  return std::move(collector).Take();
}

uint64_t FingerprintOf(const std::string& path, const BundleLimits& limits) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return 0;
  Mixer mixer;
  size_t left = 2 * limits.max_files + 1;
  MixFolder(path, 0, limits, &left, &mixer);
  return mixer.value == 0 ? 1 : mixer.value;
}

uint64_t FingerprintOf(const std::vector<std::string>& paths, const BundleLimits& limits) {
  Mixer mixer;
  for (const std::string& path : paths) mixer.AddNumber(path.empty() ? 0 : FingerprintOf(path, limits));
  return mixer.value;
}

}  // namespace hcl::serve
