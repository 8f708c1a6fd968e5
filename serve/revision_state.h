// RevisionState: the last ordered revision that was in force, in a file, so that it is known after a restart.
//
// Tested by serve/revision_state_test.cc and serve/service_test.cc.

#ifndef HCLVM_SERVE_REVISION_STATE_H_
#define HCLVM_SERVE_REVISION_STATE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace hcl::serve {

// Belongs to one thread at a time. One process may have a file.
class RevisionState {
 public:
  // Reads the file, which need not be there yet. Fails with kUnavailable where it cannot be read, and with
  // kInvalidArgument where it is no such file: whoever can write it could otherwise make it forget.
  static absl::StatusOr<std::unique_ptr<RevisionState>> Open(const std::string& path);

  // Empty: there was none yet.
  const std::string& revision() const { return revision_; }
  // The digest of its files.
  const std::string& contents() const { return contents_; }

  // Another one is in force. The file has the old one or the new one at any time. Fails with kUnavailable where it
  // cannot be written; the new one then counts until the process ends.
  absl::Status Keep(const std::string& revision, const std::string& contents);

 private:
  explicit RevisionState(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  std::string revision_;
  std::string contents_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_REVISION_STATE_H_
