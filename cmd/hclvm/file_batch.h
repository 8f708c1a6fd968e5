// FileBatch: reads many small files with few calls of the system.
//
// Tested by cmd/hclvm/file_batch_test.cc.

#ifndef HCLVM_CMD_HCLVM_FILE_BATCH_H_
#define HCLVM_CMD_HCLVM_FILE_BATCH_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace hcl::cmd {

// Each use of it may be in another thread, but not at the same time.
class FileBatch {
 public:
  // So many files are read at once, of less than so many bytes.
  static constexpr size_t kFiles = 32;
  static constexpr size_t kBytes = 4096;

  // Null where the system has no such calls, or does not let this process have them.
  static std::unique_ptr<FileBatch> Make();
  virtual ~FileBatch() = default;
  FileBatch(const FileBatch&) = delete;
  FileBatch& operator=(const FileBatch&) = delete;

  // The texts of at most kFiles files. None of a file that is larger, or none, such as a pipe, or that cannot be read,
  // for whatever reason: whoever reads it on its own learns why. Nothing has been taken of what is there only once.
  virtual std::vector<std::optional<std::string>> Read(absl::Span<const std::string_view> paths) = 0;
  // Whether the system has failed in the midst of it. It must neither be used again then nor be freed.
  virtual bool is_broken() const = 0;

 protected:
  FileBatch() = default;
};

// A FileBatch for each thread that wants one. Thread-safe.
class FileBatches {
 public:
  // As FileBatch::Read(); nothing at all where there is no FileBatch.
  std::vector<std::optional<std::string>> Read(absl::Span<const std::string_view> paths);

 private:
  std::mutex mutex_;
  bool has_none_ = false;                           // the system has none
  std::vector<std::unique_ptr<FileBatch>> unused_;  // by a thread at the moment
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_FILE_BATCH_H_
