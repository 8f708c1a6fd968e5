// Bundles as archives: tar, compressed by gzip.
//
// Tested by serve/bundle_archive_test.cc.

#ifndef HCLVM_SERVE_BUNDLE_ARCHIVE_H_
#define HCLVM_SERVE_BUNDLE_ARCHIVE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::serve {

// The files in `archive`. An archive that has anything but regular files and folders, or a path that a bundle cannot
// have, or that ends early, is refused as a whole: kInvalidArgument; as is one that is larger than `limits` when it is
// unpacked: kResourceExhausted. Files whose names, or whose folders' names, begin with a dot are left out. Thread-safe.
absl::StatusOr<BundleFiles> ReadBundleArchive(std::string_view archive, const BundleLimits& limits = {});

// The archive of these files: the same bytes for the same files. Names are in order; times, owners and the header of
// gzip are fixed; what compresses is the zlib of the build. ReadBundleArchive() gives the files again. Requires files
// that a BundleCollector takes. kResourceExhausted, kUnavailable where memory is refused. Thread-safe.
absl::StatusOr<std::string> WriteBundleArchive(const BundleFiles& files);

// Reads what is at `path`: a directory, or an archive. Fails as the functions for these do. Thread-safe.
absl::StatusOr<BundleFiles> ReadBundle(const std::string& path, const BundleLimits& limits = {});

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_BUNDLE_ARCHIVE_H_
