// Requests of HTTP, whole and in pieces.

#include "hclvm/cmd/hclvm-serve/http_parser.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/serve/http_message.h"

namespace hcl::serve {
namespace {

// What is read of `text` in pieces of `size` bytes, as whoever reads from a socket gives them.
std::string Parse(std::string_view text, size_t size, size_t body_limit = 100) {
  HttpParser parser(1000);
  std::string out;
  std::string waiting;
  bool begun = false;
  while (!text.empty() || !waiting.empty()) {
    const std::string_view piece = text.substr(0, size);
    text.remove_prefix(piece.size());
    waiting.append(piece);
    for (bool more = false; !more && !(waiting.empty() && !begun);) {
      size_t taken = 0;
      const HttpParser::State state = parser.Read(waiting, &taken);
      waiting.erase(0, taken);
      begun = parser.has_begun();
      switch (state) {
        case HttpParser::State::kMore:
          more = true;
          break;
        case HttpParser::State::kHead:
          parser.set_body_limit(body_limit);
          break;
        case HttpParser::State::kWrong:
          return out + "wrong " + std::to_string(static_cast<int>(parser.refusal()));
        case HttpParser::State::kDone: {
          const HttpRequest& request = parser.request();
          out.append(request.method).append(" ").append(request.target);
          for (const HttpHeader& header : request.headers) {
            out.append(" ").append(header.name).append("=").append(header.value);
          }
          out.append(" [").append(request.body).append("]").append(parser.keep_alive() ? "" : " close").append(";");
          parser.Reset();
          begun = false;
          break;
        }
      }
    }
    if (text.empty()) break;
  }
  return out + (begun || !waiting.empty() ? "more" : "");
}

TEST(HttpParserTest, Reads) {
  const struct {
    std::string text;
    const char* want;
  } kCases[] = {
      {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / Host=a [];"},
      {"POST /x?y HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "POST /x?y Host=a Content-Length=3 [abc];"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n",
       "POST / Host=a Transfer-Encoding=chunked [abc];"},
      {"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
       "GET / Host=a [];GET /b Host=a Connection=close [] close;"},
      {"GET / HTTP/1.0\r\n\r\n", "GET / [] close;"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX-Y:  z \r\n\r\n", "GET / Host=a X-Y=z [];"},
      {"GET / HTTP/1.1\r\nHost: a\r\n", "more"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab", "more"},
  };
  for (const auto& test : kCases) {
    for (const size_t size : {1u, 2u, 7u, 1000u}) EXPECT_EQ(Parse(test.text, size), test.want) << test.text << size;
  }
}

TEST(HttpParserTest, Refuses) {
  const std::string wrong = "wrong " + std::to_string(static_cast<int>(Refusal::kMalformed));
  for (const char* text : {
           "nonsense\r\n\r\n",
           "\x16\x03\x01\x02 TLS",
           "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
           "GET /\r\nHost: a\r\n\r\n",
           "GET / HTTP/1.1\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
           "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
           "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
       }) {
    EXPECT_EQ(Parse(text, 1000), wrong) << text;
    EXPECT_EQ(Parse(text, 1), wrong) << text;
  }
}

TEST(HttpParserTest, Bounds) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  const std::string large_head = "wrong " + std::to_string(static_cast<int>(Refusal::kHeaderTooLarge));
  const std::string large_body = "wrong " + std::to_string(static_cast<int>(Refusal::kBodyTooLarge));
  EXPECT_EQ(Parse(head + "X: " + std::string(2000, 'x') + "\r\n\r\n", 100), large_head);
  std::string many = head;
  for (int n = 0; n < 300; ++n) many += "a:\r\n";
  EXPECT_EQ(Parse(many + "\r\n", 100), large_head);
  EXPECT_EQ(Parse(head + "Content-Length: 3\r\n\r\nabc", 100, 3), "POST / Host=a Content-Length=3 [abc];");
  EXPECT_EQ(Parse(head + "Content-Length: 4\r\n\r\nabcd", 100, 3), large_body);
  EXPECT_EQ(Parse(head + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n", 100, 3), large_body);
}

}  // namespace
}  // namespace hcl::serve
