// Replay: a client for tests, which feeds a server and keeps what it says.
//
// A test gives texts with a mark, "|", for the place that it asks about.

#ifndef HCLVM_LSP_REPLAY_H_
#define HCLVM_LSP_REPLAY_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/server.h"

namespace hcl::lsp {

// Documents have the URIs "file:///no/such/NAME". Not thread-safe.
class Replay {
 public:
  // Initializes the server with these settings.
  explicit Replay(Json settings = nullptr);

  // Opens a document, and remembers where a "|" was in it, which is taken out.
  void Open(const std::string& name, std::string text);
  // Replaces its text.
  void Edit(const std::string& name, std::string text);
  // Sends a notification.
  void Notify(const std::string& method, Json params);
  // Sends a request with the document, the position of its mark, and `more`. Returns the result, or the error.
  Json Ask(const std::string& method, const std::string& name, Json more = Json::object());
  Json Request(const std::string& method, Json params);

  // "CODE LINE:COLUMN-LINE:COLUMN" of each diagnostic of the document, in the order in which they were published.
  std::string DiagnosticsOf(const std::string& name) const { return DiagnosticsOfUri(UriOf(name)); }
  std::string DiagnosticsOfUri(const std::string& uri) const;
  const Json& PublishedFor(const std::string& name) const;
  // All else that the server has said.
  const std::vector<Json>& others() const { return others_; }
  // The document's text after the protocol's TextEdits.
  std::string Edited(const std::string& name, const Json& edits) const;
  Server* server() { return &server_; }

  static std::string UriOf(const std::string& name) { return "file:///no/such/" + name; }

 private:
  void Send(const Json& message);

  Server server_;
  int next_id_ = 1;
  int64_t version_ = 1;
  Json answer_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, Json> marks_;      // positions
  std::map<std::string, Json> published_;  // by URI
  std::vector<Json> others_;
};

// "0:4-0:8" for a Range.
std::string TextOfRange(const Json& range);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_REPLAY_H_
