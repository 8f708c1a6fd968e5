#include "hclvm/lsp/session.h"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/message_frames.h"

namespace hcl::lsp {
namespace {

// What a session says, its status, and why it has ended.
struct Outcome {
  std::vector<Json> said;
  int status = 0;
  std::string error;
};

// Runs a session over pipes.
Outcome RunOver(const std::string& bytes) {
  int input[2];
  int output[2];
  if (::pipe(input) != 0 || ::pipe(output) != 0) return {};
  Outcome outcome;
  std::signal(SIGPIPE, SIG_IGN);  // the session may end before all is written
  std::thread writer([&] {
    std::string_view rest = bytes;
    while (!rest.empty()) {
      const ssize_t written = ::write(input[1], rest.data(), rest.size());
      if (written <= 0) break;
      rest.remove_prefix(static_cast<size_t>(written));
    }
    ::close(input[1]);
  });
  std::thread reader([&] {
    FrameReader frames;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(output[0], buffer, sizeof(buffer))) > 0) {
      frames.Take(std::string_view(buffer, static_cast<size_t>(got)));
      while (std::optional<std::string> text = frames.Next()) outcome.said.push_back(Json::parse(*text));
    }
  });
  outcome.status = RunSession(input[0], output[1], &outcome.error);
  ::close(output[1]);
  ::close(input[0]);
  writer.join();
  reader.join();
  ::close(output[0]);
  return outcome;
}

std::string Frames(const std::vector<std::string>& messages) {
  std::string bytes;
  for (const std::string& message : messages) bytes += Framed(message);
  return bytes;
}

constexpr char kInitialize[] = R"({"id":1,"method":"initialize","params":{}})";
constexpr char kShutdown[] = R"({"id":2,"method":"shutdown"})";
constexpr char kExit[] = R"({"method":"exit"})";

TEST(SessionTest, Ends) {
  struct Case {
    std::string bytes;
    int status;
    std::string error;
  };
  const Case cases[] = {
      {Frames({kInitialize, kShutdown, kExit}), 0, ""},
      {Frames({kInitialize, kExit}), 1, ""},
      {Frames({kInitialize}), 1, ""},
      {"", 1, ""},
      {Frames({kInitialize}) + "Content-Length: 9\r\n\r\n{", 1, "the input ends within a message"},
      {Frames({kInitialize}) + "Content-Length: 999999999\r\n\r\n{", 1,
       "a message has 999999999 bytes, and at most 67108864 are read"},
      {"GET / HTTP/1.1\r\n\r\n", 1, "a header has no Content-Length"},
      // What follows `exit` is not waited for.
      {Frames({kInitialize, kShutdown, kExit, kShutdown}) + std::string(1 << 20, ' '), 0, ""},
  };
  for (const Case& c : cases) {
    const Outcome outcome = RunOver(c.bytes);
    EXPECT_EQ(outcome.status, c.status) << c.bytes.substr(0, 200);
    EXPECT_EQ(outcome.error, c.error);
  }
}

TEST(SessionTest, AnswersWhatCannotBeRead) {
  const Outcome outcome = RunOver(Frames({"{", kInitialize, kShutdown, kExit}));
  ASSERT_EQ(outcome.said.size(), 3u);
  EXPECT_EQ(outcome.said[0]["error"]["code"], -32700);
  EXPECT_EQ(outcome.said[0]["error"]["message"], "The message is no JSON in UTF-8.");
  EXPECT_EQ(outcome.status, 0);
}

TEST(SessionTest, PublishesOnceForManyChanges) {
  std::vector<std::string> messages = {
      kInitialize,
      R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///no/such/a.hcl","version":0,"text":""}}})"};
  std::string text;
  for (int n = 1; n <= 200; ++n) {
    const Json change = {
        {"method", "textDocument/didChange"},
        {"params",
         {{"textDocument", {{"uri", "file:///no/such/a.hcl"}, {"version", n}}},
          {"contentChanges",
           Json::array({{{"text", absl::StrCat("x = nosuch", n, "()\n", std::string(10'000, '\n'))}}})}}}};
    messages.push_back(WriteJson(change));
  }
  messages.insert(messages.end(), {kShutdown, kExit});
  const Outcome outcome = RunOver(Frames(messages));
  EXPECT_EQ(outcome.status, 0);
  // Whatever the threads do, no version is told of after a later one.
  int64_t version = -1;
  for (const Json& message : outcome.said) {
    if (TextAt(message, "method") != "textDocument/publishDiagnostics") continue;
    EXPECT_GT(message["params"]["version"].get<int64_t>(), version);
    version = message["params"]["version"].get<int64_t>();
  }
}

// A test that takes long keeps no other request from its answer, and ends when it is canceled.
TEST(SessionTest, RunsTestsBesideRequests) {
  const auto open = [](const char* name, const char* text) {
    const Json document = {{"uri", absl::StrCat("file:///no/such/", name)}, {"version", 0}, {"text", text}};
    return WriteJson({{"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}});
  };
  const auto run = [](int id, const char* test) {
    return WriteJson({{"id", id},
                      {"method", "workspace/executeCommand"},
                      {"params", {{"command", "hclvm.runTest"}, {"arguments", {"file:///no/such/a.test.hcl", test}}}}});
  };
  const Outcome outcome = RunOver(Frames(
      {kInitialize,
       open("a.hcl",
            "variable \"n\" {\n  type = number\n}\n"
            "x = sum([for a in range(n) : sum([for b in range(n) : sum([for c in range(n) : a * b * c])])])\n"),
       open("a.test.hcl",
            "test \"fast\" {\n  with = { n = 1 }\n  expect = { x = 0 }\n}\n"
            "test \"slow\" {\n  cases = { for i in range(1000) : \"c${i}\" => {\n"
            "    with = { n = 999 }\n    expect = { x = 0 } } }\n}\n"),
       run(5, "fast"), run(6, "slow"), run(7, "fast"),
       R"({"id":8,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"file:///no/such/a.test.hcl"}}})",
       R"({"method":"$/cancelRequest","params":{"id":7}})", kShutdown,
       R"({"method":"$/cancelRequest","params":{"id":6}})", kExit}));
  EXPECT_EQ(outcome.status, 0);
  bool is_lens_answered = false;
  for (const Json& message : outcome.said) {
    if (!message.contains("id")) continue;
    if (message["id"] == 8) is_lens_answered = message.contains("result");
    if (message["id"] == 5) {
      EXPECT_EQ(message["result"]["passed"], true) << message;
    }
    if (message["id"] == 6) {
      EXPECT_EQ(message["error"]["code"], -32800) << message;
    }
  }
  EXPECT_TRUE(is_lens_answered);
}

TEST(SessionTest, CancelsWhatWaits) {
  // The reader is ahead of the worker, or it is not: an answer comes in both cases, and one only.
  for (int n = 0; n < 20; ++n) {
    const Outcome outcome = RunOver(Frames({kInitialize, R"({"id":5,"method":"no/such"})",
                                            R"({"method":"$/cancelRequest","params":{"id":5}})", kShutdown, kExit}));
    ASSERT_EQ(outcome.said.size(), 3u);
    const int code = outcome.said[1]["error"]["code"];
    EXPECT_TRUE(code == -32800 || code == -32601) << code;
    EXPECT_EQ(outcome.said[1]["id"], 5);
  }
}

}  // namespace
}  // namespace hcl::lsp
