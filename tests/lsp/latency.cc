// What a language server takes for a key: latency [LINES] [FILES]. docs/editors.md has what it prints.
//
// Types into a module of so many lines, and holds a workspace of so many files.

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/server.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] =
    "variable \"user\" {\n  type = object({ name = string, roles = list(string), age = number })\n}\n";

// A file of so many lines, as policies are written.
std::string PolicyOf(int lines) {
  std::string text = "locals {\n";
  for (int n = 0; n < lines / 2; ++n) {
    absl::StrAppend(&text, "  rule", n, " = contains(user.roles, \"r", n, "\") && user.age > ", n % 90, "\n");
  }
  text += "}\n";
  for (int n = 0; n < lines - lines / 2 - 2; ++n) {
    absl::StrAppend(&text, "allow", n, " = local.rule", n % (lines / 2), " || user.name == \"ann", n, "\"\n");
  }
  return text;
}

// Processor time, which other work on the machine does not change much.
double MillisecondsSince(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) * 1'000 / CLOCKS_PER_SEC;
}

class Client {
 public:
  explicit Client(const std::string& root) : root_("file://" + root) {
    Send({{"id", 0}, {"method", "initialize"}, {"params", {{"rootUri", root_}}}});
  }
  void Open(const std::string& name, const std::string& text) {
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", root_ + "/" + name}, {"version", 0}, {"text", text}}}}}});
    Settle();
  }
  // Inserts a letter, and waits for the diagnostics.
  double Type(const std::string& name, int line, const std::string& letter) {
    const Json place = {{"line", line}, {"character", 0}};
    const Json message = {
        {"method", "textDocument/didChange"},
        {"params",
         {{"textDocument", {{"uri", root_ + "/" + name}, {"version", 1}}},
          {"contentChanges", Json::array({{{"range", {{"start", place}, {"end", place}}}, {"text", letter}}})}}}};
    const std::clock_t begin = std::clock();
    Send(message);
    Settle();
    return MillisecondsSince(begin);
  }
  double Ask(const std::string& method, const std::string& name, int line, int character) {
    const Json message = {{"id", 1},
                          {"method", method},
                          {"params",
                           {{"textDocument", {{"uri", root_ + "/" + name}}},
                            {"query", ""},
                            {"position", {{"line", line}, {"character", character}}}}}};
    const std::clock_t begin = std::clock();
    Send(message);
    return MillisecondsSince(begin);
  }

 private:
  void Send(const Json& message) {
    std::vector<Json> out;
    server_.Take(message, &out);
    for (const Json& one : out) bytes_ += WriteJson(one).size();
  }
  void Settle() {
    std::vector<Json> out;
    while (server_.Settle(&out)) {
    }
    for (const Json& one : out) bytes_ += WriteJson(one).size();
  }

  const std::string root_;
  Server server_;
  size_t bytes_ = 0;  // said
};

int Main(int lines, int files) {
  const std::string root =
      (std::filesystem::temp_directory_path() / absl::StrCat("hclvm_latency_", std::rand())).string();
  std::filesystem::create_directories(root + "/many");
  std::ofstream(root + "/many/variables.hcl") << kVariables;
  for (int n = 0; n < files; ++n) {
    std::string text;
    for (int line = 0; line < 50; ++line) absl::StrAppend(&text, "f", n, "_", line, " = user.age > ", line, "\n");
    std::ofstream(absl::StrCat(root, "/many/f", n, ".hcl")) << text;
  }
  Client client(root);
  client.Open("one/variables.hcl", kVariables);
  client.Open("one/policy.hcl", PolicyOf(lines));
  std::vector<double> times;
  for (int n = 0; n < 41; ++n)
    times.push_back(client.Type("one/policy.hcl", lines / 2 + 10 + n, n % 2 == 0 ? "x" : "# "));
  std::sort(times.begin(), times.end());
  std::cout << "a key in a file of " << lines << " lines, to diagnostics, processor time: median "
            << times[times.size() / 2] << " ms, longest " << times.back() << " ms\n";
  for (const char* const method : {"textDocument/completion", "textDocument/hover", "textDocument/semanticTokens/full",
                                   "textDocument/documentSymbol", "textDocument/formatting"}) {
    std::cout << method << " there: " << client.Ask(method, "one/policy.hcl", 3, 30) << " ms\n";
  }
  client.Open("many/variables.hcl", kVariables);
  std::cout << "a key in a module of " << files << " files of 50 lines: " << client.Type("many/variables.hcl", 0, "\n")
            << " ms\n";
  std::cout << "workspace/symbol: " << client.Ask("workspace/symbol", "many/variables.hcl", 0, 0) << " ms\n";
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  std::cout << "memory at most: " << usage.ru_maxrss / 1024 << " MiB\n";
  std::filesystem::remove_all(root);
  return 0;
}

}  // namespace
}  // namespace hcl::lsp

int main(int argc, char** argv) {
  return hcl::lsp::Main(argc > 1 ? std::atoi(argv[1]) : 5'000, argc > 2 ? std::atoi(argv[2]) : 1'000);
}
