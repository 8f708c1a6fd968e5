// FileBatch: reads many small files with few calls of the system.
//
// Tested by cmd/hclvm/file_batch_test.cc.

#ifndef HCLVM_CMD_HCLVM_FILE_BATCH_H_
#define HCLVM_CMD_HCLVM_FILE_BATCH_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/types/span.h"

namespace hcl::cmd {

// Each use of it may be in another thread, but not at the same time.
class FileBatch {
 public:
  // So many files are read at once, of less than so many bytes.
  static constexpr size_t kFiles = 32;
  static constexpr size_t kBytes = 4096;
  // For each path a text, or none.
  using Texts = absl::Span<const std::optional<std::string_view>>;

  // Null where the system has no such calls, or does not let this process have them.
  static std::unique_ptr<FileBatch> Make();
  virtual ~FileBatch() = default;
  FileBatch(const FileBatch&) = delete;
  FileBatch& operator=(const FileBatch&) = delete;

  // The texts of at most kFiles files, until the next call. None of a file that is larger, or none, such as a pipe, or
  // that cannot be read, for whatever reason: whoever reads it on its own learns why. Nothing has been taken of what is
  // there only once.
  virtual Texts Read(absl::Span<const std::string_view> paths) = 0;
  // Whether the system has failed in the midst of it. It must neither be used again then nor be freed.
  virtual bool is_broken() const = 0;

 protected:
  FileBatch() = default;
};

// A FileBatch where the system has one. Confined to a thread at a time; takes memory from its first use on.
class FileBatchReader {
 public:
  FileBatchReader() = default;
  FileBatchReader(const FileBatchReader&) = delete;
  FileBatchReader& operator=(const FileBatchReader&) = delete;
  ~FileBatchReader();

  // As FileBatch::Read(); no texts at all where there is no FileBatch.
  FileBatch::Texts Read(absl::Span<const std::string_view> paths);

 private:
  bool is_begun_ = false;
  std::unique_ptr<FileBatch> batch_;  // null where the system has none
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_FILE_BATCH_H_
