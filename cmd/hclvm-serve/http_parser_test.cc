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
      // Fields behind the body say nothing, and leave those of the head alone.
      {"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nHost: b\r\nX: " +
           std::string(200, 'y') + "\r\n\r\n",
       "POST /x Host=a Transfer-Encoding=chunked [a];"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0001\r\na\r\n0\r\n\r\n",
       "POST / Host=a Transfer-Encoding=Chunked [a];"},
      {"GET http://a/x?y HTTP/1.1\r\nHost: A\r\n\r\n", "GET /x?y Host=A [];"},
      {"GET HTTPS://a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", "GET / Host=a:1 [];"},
      {"GET /a://b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a://b Host=a [];"},
      {"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:80 Host=a [];"},
      {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * Host=a [];"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: \t \r\n\r\n", "GET / Host=a X= Y= [];"},
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
           // One empty line may stand before a request, and nothing else.
           "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
           "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n",
           "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
           " \r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
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
           // What others may read in another way: where a message ends, or where it goes.
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\nContent-Length: 1\r\n\r\nx",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\tc\r\n\r\n",
           "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
           "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n",
           "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n",
           "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
           "GET http://a/ HTTP/1.0\r\n\r\n",
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
  const std::string chunks = head + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Parse(chunks + "2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n", 100, 3), large_body);
  // A chunk says before it comes that it is too large.
  EXPECT_EQ(Parse(chunks + "2\r\nab\r\n2\r\n", 100, 3), large_body);
  EXPECT_EQ(Parse(chunks + "ffffffffffffffff\r\n", 100, 3), large_body);
  EXPECT_EQ(Parse(chunks + "0\r\nX: " + std::string(2000, 'x') + "\r\n\r\n", 100), large_head);
  std::string fields = chunks + "0\r\n";
  for (int n = 0; n < 300; ++n) fields += "a:\r\n";
  EXPECT_EQ(Parse(fields + "\r\n", 10'000), large_head);
}

}  // namespace
}  // namespace hcl::serve
