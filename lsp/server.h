// Server: the language server, as a function from messages to messages.
//
// It knows no streams and no threads: `hclvm lsp` (lsp/session.h) feeds it, and so do tests. docs/editors.md says what
// it offers. Tested by lsp/server_test.cc.

#ifndef HCLVM_LSP_SERVER_H_
#define HCLVM_LSP_SERVER_H_

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {

// Work for a request that has no answer yet.
struct PendingJob {
  Json id;
  Job job;
};

// Not thread-safe, but for stop().
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Takes a request, a notification or an answer of the client, and appends what the client gets to *out. A request has
  // one answer, which is an error where the message is none that the protocol knows.
  void Take(const Json& message, std::vector<Json>* out);
  // Answers a message that could not be read.
  static Json ParseError(const std::string& error);
  // The answer to a request that was canceled before it was taken.
  static Json Canceled(const Json& id);

  // The jobs that requests have begun since the last call. Each owes the client one answer: Answer() or Canceled().
  std::vector<PendingJob> TakeJobs() { return std::exchange(jobs_, {}); }
  static Json Answer(const Json& id, Json result);

  // Publishes the diagnostics of one project that has changed. False where there is none.
  bool Settle(std::vector<Json>* out);
  bool has_work() const { return !changed_.empty(); }

  // Set from any thread: the work at hand ends soon. Who feeds the server resets it before the next work.
  std::atomic<bool>* stop() { return workspace_.stop(); }

  // `exit` has come. The process ends with 0 if `shutdown` had come before, and with 1 otherwise.
  bool has_exited() const { return has_exited_; }
  int exit_status() const { return is_shut_down_ ? 0 : 1; }

 private:
  using Params = const Json&;

  void TakeRequest(const std::string& method, const Json& id, Params params, std::vector<Json>* out);
  void TakeNotification(const std::string& method, Params params, std::vector<Json>* out);
  void TakeAnswer(const Json& message, std::vector<Json>* out);
  Json Initialize(Params params, std::vector<Json>* out);
  void ApplySettings(Params settings, std::vector<Json>* out);
  void Opened(Params params, std::vector<Json>* out);
  void Changed(Params params, std::vector<Json>* out);
  void Closed(Params params, std::vector<Json>* out);
  // Documents that a change of this path may say something else of.
  void Touch(const std::string& path);
  void TouchAll();
  void Publish(const Project& project, const CheckOutcome& outcome, std::vector<Json>* out);
  // Nothing is wrong any more with files that no editor has open, as far as this project has told of them.
  void Withdraw(const std::string& project, std::vector<Json>* out);

  Workspace workspace_;
  PositionEncoding encoding_ = PositionEncoding::kUtf16;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  bool has_exited_ = false;
  bool asks_for_settings_ = false;  // the client has workspace/configuration
  std::vector<PendingJob> jobs_;
  std::set<std::string> changed_;  // paths of open documents
  // Files with diagnostics that were published, by the path of the project.
  std::map<std::string, std::set<std::string>> published_;
};

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_SERVER_H_
