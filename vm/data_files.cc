// Files of base data. Tested by tests/base_layer_test.cc and tests/cli_test.sh.

#include "hclvm/vm/data_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"

namespace hcl {
namespace {

constexpr size_t kMaxFiles = 10'000;

// Adds files one by one, within bounds for all of them.
class DataReader {
 public:
  explicit DataReader(const Limits& limits) : max_bytes_(limits.max_source_bytes), left_(max_bytes_) {}

  std::vector<BaseText> Take() { return std::move(texts_); }

  absl::Status AddPath(const std::string& path) {
    std::error_code unused;
    return std::filesystem::is_directory(path, unused) ? AddDirectory(path) : AddFile(path, "");
  }

 private:
  absl::Status AddDirectory(const std::string& path) {
    std::error_code error;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
      const std::string file = at->path().filename().string();
      std::error_code unused;
      absl::string_view name = file;
      if (file[0] == '.' || !absl::ConsumeSuffix(&name, ".json") || at->is_directory(unused)) continue;
      if (internal::FindInvalidUtf8(file) != std::string::npos) {
        return absl::UnavailableError(absl::StrCat("cannot read ", path, ": the name of a file is not UTF-8"));
      }
      // Nobody is asked for a pipe or a device in a directory, of which the end might never come.
      if (at->exists(unused) && !at->is_regular_file(unused)) {
        return absl::UnavailableError(absl::StrCat("cannot read ", at->path().string(), ": not a file"));
      }
      names.emplace_back(name);
      if (names.size() > kMaxFiles) break;
    }
    if (error) return absl::NotFoundError(absl::StrCat("cannot read the directory ", path, ": ", error.message()));
    if (names.empty()) return absl::NotFoundError(absl::StrCat(path, " has no *.json in it"));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      absl::Status status = AddFile((std::filesystem::path(path) / (name + ".json")).string(), name);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // A file may grow while it is read.
  absl::Status AddFile(const std::string& path, const std::string& variable) {
    if (texts_.size() == kMaxFiles) {
      return absl::ResourceExhaustedError(absl::StrCat("data are at most ", kMaxFiles, " files"));
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (file == nullptr) {
      const int reason = errno;
      const std::string message = absl::StrCat("cannot read ", path, ": ", std::strerror(reason));
      return reason == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
    }
    std::string text;
    char buffer[1 << 16];
    size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
      if (got > left_) {
        return absl::ResourceExhaustedError(
            absl::StrCat("the data take more than ", max_bytes_, " bytes (limit max_source_bytes)"));
      }
      left_ -= got;
      text.append(buffer, got);
    }
    if (std::ferror(file.get()) != 0) {
      return absl::UnavailableError(absl::StrCat("cannot read ", path, ": ", std::strerror(errno)));
    }
    texts_.push_back({std::make_shared<const Source>(path, std::move(text)), variable});
    return absl::OkStatus();
  }

  uint64_t max_bytes_;
  uint64_t left_;
  std::vector<BaseText> texts_;
};

}  // namespace

absl::StatusOr<std::vector<BaseText>> ReadDataFiles(const std::vector<std::string>& paths, const Limits& limits) {
  DataReader reader(limits);
  for (const std::string& path : paths) {
    absl::Status status = reader.AddPath(path);
    if (!status.ok()) return status;
  }
  return reader.Take();
}

}  // namespace hcl
