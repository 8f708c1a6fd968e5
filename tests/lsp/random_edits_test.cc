// Random edits of real files, told to a language server: random_edits_test FILE...
//
// After each edit the server must live and answer; after each round it must say the same of the files as a server that
// gets the last texts at once. HCLVM_TEST_SEED chooses the edits, and HCLVM_TEST_PROGRAMS how many there are.

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/text_position.h"
#include "hclvm/lsp/server.h"

namespace hcl::lsp {
namespace {

constexpr int kRequestFailed = -32803;

// What people and typos put into configs.
constexpr const char* kPieces[] = {
    "",
    " ",
    "\n",
    "\r\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "${",
    "%{",
    "<<E\n",
    "E\n",
    "#",
    "/*",
    "*/",
    ".",
    ",",
    "=",
    "==",
    "? 1 : ",
    "user",
    "local",
    "var.",
    "for x in ",
    "x = 1\n",
    "null",
    "true",
    "\xC3\xA4",
    "\xF0\x9F\x98\x80",
    "\xff",
    "variable \"v\" {}\n",
    "locals {\n  l = v\n}\n",
    "test \"t\" {\n}\n",
    "a.b[0].c",
    "join(",
    "999999999999",
    "\\",
    "\t",
};

constexpr const char* kMethods[] = {
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/onTypeFormatting",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "workspace/symbol",
    "textDocument/semanticTokens/range",
};

class Client {
 public:
  Client() {
    Send({{"id", 0},
          {"method", "initialize"},
          {"params",
           {{"rootUri", "file:///no/such"},
            {"initializationOptions", {{"request", {{"file", "requests.ndjson"}, {"line", 1}}}}}}}});
  }

  void Open(const std::string& uri, const std::string& text) {
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", uri}, {"version", 0}, {"text", text}}}}}});
  }

  // Sends a message; returns the answer to a request.
  Json Send(const Json& message) {
    std::vector<Json> out;
    server_.Take(message, &out);
    Json answer;
    for (const Json& one : out) {
      if (one.contains("id") && !one.contains("method")) answer = one;
    }
    return answer;
  }

  void Settle() {
    std::vector<Json> out;
    while (server_.Settle(&out)) {
    }
    for (const Json& one : out) {
      if (TextAt(one, "method") == "textDocument/publishDiagnostics") {
        published_[TextAt(one["params"], "uri")] = WriteJson(one["params"]["diagnostics"]);
      }
    }
  }

  // Of files with any.
  std::map<std::string, std::string> published() const {
    std::map<std::string, std::string> some;
    for (const auto& [uri, diagnostics] : published_) {
      if (diagnostics != "[]") some[uri] = diagnostics;
    }
    return some;
  }

 private:
  Server server_;
  std::map<std::string, std::string> published_;
};

class RandomEdits {
 public:
  RandomEdits(std::map<std::string, std::string> files, uint64_t seed) : texts_(std::move(files)), random_(seed) {
    for (const auto& [uri, text] : texts_) uris_.push_back(uri);
  }

  // False where something was not as it should be, which has been printed.
  bool Run(int rounds) {
    for (const auto& [uri, text] : texts_) client_.Open(uri, text);
    for (int round = 0; round < rounds; ++round) {
      const uint32_t edits = 1 + Below(6);
      for (uint32_t n = 0; n < edits; ++n) {
        Edit();
        if (!Ask()) return false;
        if (Below(2) == 0) client_.Settle();
      }
      if (!IsAsFromScratch(round)) return false;
    }
    return true;
  }

 private:
  uint32_t Below(size_t limit) {
    return std::uniform_int_distribution<uint32_t>(0, static_cast<uint32_t>(limit) - 1)(random_);
  }
  const std::string& AnyUri() { return uris_[Below(uris_.size())]; }

  void Edit() {
    const std::string& uri = AnyUri();
    std::string& text = texts_[uri];
    const LineIndex lines(text);
    const auto at = [&] { return lines.PositionAt(Below(text.size() + 1), PositionEncoding::kUtf16); };
    const TextPosition begin = at();
    TextPosition end = begin;
    if (Below(3) == 0)
      end = lines.PositionAt(lines.OffsetAt(begin, PositionEncoding::kUtf16) + Below(40), PositionEncoding::kUtf16);
    std::string with = kPieces[Below(std::size(kPieces))];
    if (with == "\xff") with = "\xEF\xBF\xBD";  // JSON has no other bytes
    if (Below(4) == 0 && !text.empty()) {       // what stands elsewhere
      const uint32_t from = lines.OffsetAt(at(), PositionEncoding::kUtf16);
      const uint32_t to =
          lines.OffsetAt(lines.PositionAt(from + Below(60), PositionEncoding::kUtf16), PositionEncoding::kUtf16);
      with = text.substr(from, to - from);
    }
    const Json range = {{"start", ToJson(begin)}, {"end", ToJson(end)}};
    client_.Send({{"method", "textDocument/didChange"},
                  {"params",
                   {{"textDocument", {{"uri", uri}, {"version", ++version_}}},
                    {"contentChanges", Json::array({{{"range", range}, {"text", with}}})}}}});
    const SourceRange bytes = lines.BytesOf(range, PositionEncoding::kUtf16);
    text.replace(bytes.begin, bytes.end - bytes.begin, with);
    if (text.size() > 20'000) text.resize(0), Replace(uri);
  }

  void Replace(const std::string& uri) {
    client_.Send({{"method", "textDocument/didChange"},
                  {"params",
                   {{"textDocument", {{"uri", uri}, {"version", ++version_}}},
                    {"contentChanges", Json::array({{{"text", texts_[uri]}}})}}}});
  }

  bool Ask() {
    const std::string& uri = AnyUri();
    const LineIndex lines(texts_[uri]);
    const Json position = ToJson(lines.PositionAt(Below(texts_[uri].size() + 1), PositionEncoding::kUtf16));
    const Json end = ToJson(lines.PositionAt(Below(texts_[uri].size() + 1), PositionEncoding::kUtf16));
    const std::string method = kMethods[Below(std::size(kMethods))];
    const Json diagnostic = {{"source", "hclvm"},
                             {"code", Below(2) == 0 ? "HCL8003" : "HCL3101"},
                             {"message", "Did you mean \"x\"?"},
                             {"range", {{"start", position}, {"end", end}}}};
    const Json answer = client_.Send({{"id", ++version_},
                                      {"method", method},
                                      {"params",
                                       {{"textDocument", {{"uri", uri}}},
                                        {"position", position},
                                        {"positions", Json::array({position, end})},
                                        {"range", {{"start", position}, {"end", end}}},
                                        {"newName", "renamed"},
                                        {"query", "a"},
                                        {"ch", Below(2) == 0 ? "\n" : "}"},
                                        {"context", {{"diagnostics", Json::array({diagnostic})}}}}}});
    // A name may be none that can be renamed.
    if (answer.contains("result") || answer["error"]["code"] == kRequestFailed) return true;
    std::cout << method << " has no result: " << answer << "\n";
    return false;
  }

  bool IsAsFromScratch(int round) {
    client_.Settle();
    Client fresh;
    for (const auto& [uri, text] : texts_) fresh.Open(uri, text);
    fresh.Settle();
    if (client_.published() == fresh.published()) return true;
    std::cout << "round " << round << ": other diagnostics than from scratch\n";
    for (const auto& [uri, text] : texts_) {
      std::cout << uri << "\n"
                << text << "\nedited:  " << client_.published()[uri] << "\nscratch: " << fresh.published()[uri] << "\n";
    }
    return false;
  }

  std::map<std::string, std::string> texts_;  // by URI
  std::vector<std::string> uris_;
  std::mt19937_64 random_;
  Client client_;
  int64_t version_ = 0;
};

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Files of one folder are edited together.
int Main(const std::vector<std::string>& paths) {
  std::map<std::string, std::map<std::string, std::string>> folders;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    const size_t slash = path.rfind('/');
    folders[path.substr(0, slash)]["file:///no/such/" + path.substr(slash + 1)] = text.str();
  }
  const uint64_t seed = FromEnvironment("HCLVM_TEST_SEED", 1);
  const auto rounds = static_cast<int>(FromEnvironment("HCLVM_TEST_PROGRAMS", 60));
  std::cout << "HCLVM_TEST_SEED=" << seed << ", " << rounds << " rounds for each of " << folders.size() << " folders\n";
  uint64_t number = 0;
  for (auto& [folder, files] : folders) {
    if (!RandomEdits(std::move(files), seed * 1'000 + number++).Run(rounds)) return 1;
  }
  return folders.empty() ? 1 : 0;
}

}  // namespace
}  // namespace hcl::lsp

int main(int argc, char** argv) {
  try {
    return hcl::lsp::Main({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cout << error.what() << "\n";
    return 1;
  }
}
