// What each feature of the server gets: a document, a place in it, and what the session knows.
//
// Features are functions from a request's parameters to its result. They keep nothing. Tested by lsp/server_test.cc and
// the tests of each.

#ifndef HCLVM_LSP_FEATURES_FEATURE_H_
#define HCLVM_LSP_FEATURES_FEATURE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "hclvm/base/source.h"
#include "hclvm/lsp/documents/file_store.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/protocol/file_uri.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {

// Work that goes on beside the requests that come in, in another thread: all that it needs is its own. It ends soon
// after *stop has become true; its result does not count then.
using Job = std::function<Json(const std::atomic<bool>* stop)>;

// Lives for one request.
struct FeatureContext {
  Workspace* workspace = nullptr;  // never null
  TextFilePtr file;                // the document; never null
  std::string uri;                 // of the document, as the client writes it
  PositionEncoding encoding = PositionEncoding::kUtf16;
  const Json* params = nullptr;    // never null
  uint32_t offset = 0;             // of the position; 0 where the request has none
  std::string* failure = nullptr;  // never null; where it is not empty, the answer is this error
  Job* job = nullptr;              // never null; where it is set, the answer is what it returns

  // The result of a request that cannot be answered.
  Json Fail(std::string why) const { return *failure = std::move(why), nullptr; }
  Json RangeOf(SourceRange range) const { return file->lines().RangeOf(range, encoding); }
  // The URI of any file of the session: as the client writes it, where it is open.
  std::string UriOfFile(const TextFile& other) const {
    const OpenDocument* const open = workspace->files()->FindOpen(other.path());
    return open != nullptr ? open->uri : UriOf(other.path());
  }
  Json LocationOf(const TextFile& other, SourceRange range) const {
    return {{"uri", UriOfFile(other)}, {"range", other.lines().RangeOf(range, encoding)}};
  }
};

// The result of a request; null where there is nothing to say.
using Feature = Json (*)(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_FEATURE_H_
