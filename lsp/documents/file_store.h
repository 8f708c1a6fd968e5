// FileStore: the texts of files, as editors have them, and from the disk where no editor has the file open.
//
// The one place where the server reads files. Tested by lsp/documents/file_store_test.cc.

#ifndef HCLVM_LSP_DOCUMENTS_FILE_STORE_H_
#define HCLVM_LSP_DOCUMENTS_FILE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {

// Bytes of one file that is read or edited.
inline constexpr size_t kMaxFileBytes = 32 << 20;
// Bytes of all texts that are kept of files that are not open.
inline constexpr size_t kMaxKeptBytes = 32 << 20;
// Files of one folder.
inline constexpr size_t kMaxFolderFiles = 10'000;

// A document that an editor has open.
struct OpenDocument {
  std::string uri;  // as the editor writes it
  int64_t version = 0;
  TextFilePtr file;
};

// Not thread-safe.
class FileStore {
 public:
  // Messages name files below `root` without it.
  void set_root(std::string root) { root_ = std::move(root); }
  const std::string& root() const { return root_; }
  // The folders of the workspace, of which the root is the first.
  void set_folders(std::vector<std::string> folders) { folders_ = std::move(folders); }
  const std::vector<std::string>& folders() const { return folders_; }

  // Fails with ResourceExhausted for a text of more than kMaxFileBytes; the document is then as it was.
  absl::Status Open(const std::string& uri, int64_t version, std::string text);
  // Applies the protocol's contentChanges in their order. Also fails with NotFound where the document is not open, and
  // with InvalidArgument where `changes` are none.
  absl::Status Change(const std::string& uri, int64_t version, const Json& changes, PositionEncoding encoding);
  void Close(const std::string& uri);

  // By path; null where it is not open. Valid until the next change.
  const OpenDocument* FindOpen(const std::string& path) const;
  const std::map<std::string, OpenDocument>& open() const { return open_; }

  // The file, or null where it cannot be read or is too large. A file of the disk is read anew when it has changed.
  TextFilePtr Read(const std::string& path);
  // Reads texts by path, from any thread: of documents as they are now, and of other files as they are then; none where
  // Read() has none.
  std::function<std::optional<std::string>(const std::string& path)> Reader() const;
  // The files in a folder whose names `takes` accepts, in the order of their names, open ones that are not on the disk
  // among them. Those that cannot be read are left out.
  std::vector<TextFilePtr> ReadFolder(const std::string& folder, bool (*takes)(std::string_view name));

  // The name of a path in messages.
  std::string ShownName(const std::string& path) const;
  // `path` as it is, or below the root where it is relative.
  std::string AbsolutePath(const std::string& path) const;

 private:
  struct Kept {
    std::timespec modified = {};
    uint64_t bytes = 0;
    TextFilePtr file;
  };

  TextFilePtr MakeFile(const std::string& path, std::string text) const;

  std::string root_;
  std::vector<std::string> folders_;
  std::map<std::string, OpenDocument> open_;  // by path
  std::map<std::string, Kept> kept_;          // by path
  size_t kept_bytes_ = 0;
};

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_DOCUMENTS_FILE_STORE_H_
