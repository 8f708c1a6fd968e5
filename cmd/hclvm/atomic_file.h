// Files that are written whole or not at all. Tested by cmd/hclvm/atomic_file_test.cc.

#ifndef HCLVM_CMD_HCLVM_ATOMIC_FILE_H_
#define HCLVM_CMD_HCLVM_ATOMIC_FILE_H_

#include <string>
#include <string_view>

namespace hcl::cmd {

// Makes `text` all that the file at `path` holds. Programs that open it see the old text or the new one, never a part.
// The file keeps its permissions and, where the process may set them, its owner and group. A symbolic link stays, and
// the file that it leads to changes; other hard links keep the old text. Returns whether that was done; otherwise
// *error is one line, and the file is as before.
bool ReplaceFile(const std::string& path, std::string_view text, std::string* error);

// Makes a file at `path`, which must not be there yet, with `text` in it; only its user can read it if it is a secret.
// Returns whether that was done; otherwise *error is one line, and no file is made.
bool MakeFile(const std::string& path, std::string_view text, bool is_secret, std::string* error);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_ATOMIC_FILE_H_
