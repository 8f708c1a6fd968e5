// BundleFiles: the files of a bundle as they were read, from a directory or an archive (docs/service.md, "Bundles").
//
// Tested by serve/bundle_files_test.cc.

#ifndef HCLVM_SERVE_BUNDLE_FILES_H_
#define HCLVM_SERVE_BUNDLE_FILES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace hcl::serve {

// What one bundle may have, unpacked. The same for directories, so that what works as one works as an archive.
struct BundleLimits {
  uint64_t max_bytes = 64u << 20;
  size_t max_files = 10'000;
};

// Path below the top of the bundle, with "/" between folders -> text.
using BundleFiles = std::map<std::string, std::string>;

// Collects files, and refuses what no bundle may have. Not thread-safe.
class BundleCollector {
 public:
  explicit BundleCollector(const BundleLimits& limits) : limits_(limits) {}

  // Adds a file. kInvalidArgument for a path that is absolute, goes up, is no UTF-8 or is there already, or where a
  // file would be the folder of another one; kResourceExhausted where there are too many files, or too many bytes.
  absl::Status Add(std::string_view path, std::string text);
  // How many more bytes there may be.
  uint64_t bytes_left() const { return limits_.max_bytes - bytes_; }
  absl::Status TooLarge() const;
  BundleFiles Take() && { return std::move(files_); }

 private:
  bool IsBesideFiles(std::string_view path) const;

  BundleLimits limits_;
  uint64_t bytes_ = 0;
  BundleFiles files_;
};

// What is wrong with a path of a bundle, or nothing: it is relative, has no empty, "." or ".." parts, no backslash and
// no control character, and is UTF-8 of at most 1,024 bytes and 32 folders.
std::string FaultOfPath(std::string_view path);

// Whether a part of the path begins with a dot: no bundle looks at such files.
bool IsHiddenPath(std::string_view path);

// Reads all files below a directory. Those whose names, or whose folders' names, begin with a dot are left out. Links
// to files are followed, as mounted configuration has them; links to folders, and what is neither a file nor a folder,
// are refused. Fails with kNotFound where there is no such directory, otherwise as BundleCollector::Add() or as reading
// does. Thread-safe.
absl::StatusOr<BundleFiles> ReadBundleDirectory(const std::string& path, const BundleLimits& limits = {});

// Reads a file of at most `max_bytes`; kNotFound, kResourceExhausted, kUnavailable. Thread-safe.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, uint64_t max_bytes);

// A number for the state of what is at `path`, a file or a directory with all below: other names, sizes, times or file
// numbers give another one, for all that matters. 0 where there is nothing. Thread-safe. Reads no contents.
uint64_t FingerprintOf(const std::string& path, const BundleLimits& limits = {});
// The same for all of these together. An empty path is nothing.
uint64_t FingerprintOf(const std::vector<std::string>& paths, const BundleLimits& limits = {});

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_BUNDLE_FILES_H_
