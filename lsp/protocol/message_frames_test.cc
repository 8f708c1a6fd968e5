#include "hclvm/lsp/protocol/message_frames.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::lsp {
namespace {

TEST(MessageFramesTest, ReadsMessagesHoweverTheyCome) {
  const std::string bytes = Framed("{}") + "content-length:3\r\nContent-Type: x\r\n\r\nabc" + Framed("");
  for (size_t step = 1; step <= bytes.size(); ++step) {
    FrameReader reader;
    std::vector<std::string> messages;
    for (size_t at = 0; at < bytes.size(); at += step) {
      reader.Take(std::string_view(bytes).substr(at, step));
      while (std::optional<std::string> message = reader.Next()) messages.push_back(*message);
    }
    EXPECT_EQ(messages, (std::vector<std::string>{"{}", "abc", ""})) << step;
    EXPECT_FALSE(reader.is_in_message());
  }
}

TEST(MessageFramesTest, SaysThatBytesAreMissing) {
  FrameReader reader;
  reader.Take("Content-Length: 5\r\n\r\nab");
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(reader.status().ok());
  EXPECT_TRUE(reader.is_in_message());
}

TEST(MessageFramesTest, RefusesWhatIsNoFrame) {
  struct Case {
    std::string bytes;
    std::string expected;
  };
  const Case cases[] = {
      {"Content-Length: x\r\n\r\n", "Content-Length is no number"},
      {"Content-Length\r\n\r\n", "Content-Length is no number"},
      {"Content-Length: -1\r\n\r\n", "Content-Length is no number"},
      {"Content-Type: y\r\n\r\n", "a header has no Content-Length"},
      {"Content-Length: 11\r\n\r\n", "a message has 11 bytes, and at most 10 are read"},
      {std::string(kMaxHeaderBytes + 1, 'x'), "a header has more than 4096 bytes"},
  };
  for (const Case& c : cases) {
    FrameReader reader(/*max_bytes=*/10);
    reader.Take(c.bytes);
    EXPECT_FALSE(reader.Next());
    EXPECT_EQ(reader.status().message(), c.expected);
    reader.Take(Framed("{}"));
    EXPECT_FALSE(reader.Next());
  }
}

}  // namespace
}  // namespace hcl::lsp
