// HttpParser over Beast's basic_parser. Tested by cmd/hclvm-serve/http_parser_test.cc.
//
// The parser is used bare: its ready-made message keeps each header in a node of its own, and reading and sockets are
// mixed in what is around it. Here the head is one text, and views of it.

#include "hclvm/cmd/hclvm-serve/http_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "boost/asio/buffer.hpp"
#include "boost/beast/http/basic_parser.hpp"
#include "boost/beast/http/error.hpp"

namespace hcl::serve {

namespace http = boost::beast::http;
using boost::beast::error_code;

namespace {

constexpr size_t kMaxHeaders = 200;
// A body larger than this gives its memory back: there may be thousands of connections.
constexpr size_t kMaxKeptBody = 4 << 10;

}  // namespace

class HttpParser::Impl {
 public:
  explicit Impl(size_t max_head) : max_head_(max_head) { Reset(); }

  void Reset() {
    parser_.emplace(this);
    parser_->header_limit(static_cast<uint32_t>(max_head_));
    // Bodies are bounded here, when it is known whose they are.
    parser_->body_limit(UINT64_MAX);
    text_.clear();
    places_.clear();
    if (body_.capacity() > kMaxKeptBody) {
      body_ = std::string();
    } else {
      body_.clear();
    }
    body_limit_ = SIZE_MAX;
    refusal_ = Refusal::kMalformed;
    has_told_head_ = false;
    has_begun_ = false;
    version_ = 11;
    request_.method = {};
    request_.target = {};
    request_.headers.clear();
    request_.body = {};
  }

  State Read(std::string_view data, size_t* taken) {
    *taken = 0;
    for (;;) {
      if (parser_->is_header_done() && !has_told_head_) {
        has_told_head_ = true;
        return FinishHead() ? State::kHead : State::kWrong;
      }
      if (parser_->is_done()) {
        request_.body = body_;
        return State::kDone;
      }
      if (data.empty()) return State::kMore;
      has_begun_ = true;
      error_code error;
      const size_t used = parser_->put(boost::asio::const_buffer(data.data(), data.size()), error);
      *taken += used;
      data.remove_prefix(used);
      if (error == http::error::need_more) return State::kMore;
      if (error) return Fail(error);
    }
  }

  void set_body_limit(size_t limit) { body_limit_ = limit; }

 private:
  friend class HttpParser;

  struct Place {
    size_t begin;
    size_t size;
  };

  class Parser final : public http::basic_parser<true> {
   public:
    explicit Parser(Impl* impl) : impl_(*impl) {}

   private:
    using view = boost::beast::string_view;

    void on_request_impl(http::verb /*method*/, view method, view target, int version, error_code& /*error*/) override {
      impl_.version_ = version;
      impl_.Keep(method);
      impl_.Keep(target);
    }
    void on_response_impl(int /*code*/, view /*reason*/, int /*version*/, error_code& /*error*/) override {}
    void on_field_impl(http::field /*name*/, view name, view value, error_code& error) override {
      if (impl_.places_.size() >= 2 + 2 * kMaxHeaders) error = http::error::header_limit;
      impl_.Keep(name);
      impl_.Keep(value);
    }
    void on_header_impl(error_code& /*error*/) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/, error_code& /*error*/) override {}
    std::size_t on_body_impl(view body, error_code& error) override { return impl_.AddBody(body, &error); }
    void on_chunk_header_impl(std::uint64_t /*size*/, view /*extensions*/, error_code& /*error*/) override {}
    std::size_t on_chunk_body_impl(std::uint64_t /*left*/, view body, error_code& error) override {
      return impl_.AddBody(body, &error);
    }
    void on_finish_impl(error_code& /*error*/) override {}

    Impl& impl_;
  };

  void Keep(boost::beast::string_view part) {
    places_.push_back({text_.size(), part.size()});
    text_.append(part.data(), part.size());
  }

  std::string_view At(size_t n) const { return std::string_view(text_).substr(places_[n].begin, places_[n].size); }

  // A request of HTTP/1.1 names one host. Two would be read by one server one way, and by another the other way.
  bool FinishHead() {
    request_.method = At(0);
    request_.target = At(1);
    for (size_t n = 2; n + 1 < places_.size(); n += 2) request_.headers.push_back({At(n), At(n + 1)});
    const size_t hosts = request_.Count("host");
    return hosts == 1 || (hosts == 0 && version_ < 11);
  }

  std::size_t AddBody(boost::beast::string_view part, error_code* error) {
    if (part.size() > body_limit_ - std::min(body_limit_, body_.size())) {
      *error = http::error::body_limit;
      return 0;
    }
    body_.append(part.data(), part.size());
    return part.size();
  }

  State Fail(const error_code& error) {
    if (error == http::error::header_limit) refusal_ = Refusal::kHeaderTooLarge;
    if (error == http::error::body_limit) refusal_ = Refusal::kBodyTooLarge;
    return State::kWrong;
  }

  const size_t max_head_;
  std::optional<Parser> parser_;
  std::string text_;           // of the head
  std::vector<Place> places_;  // in it: method, target, then name and value of each header
  std::string body_;
  size_t body_limit_ = SIZE_MAX;
  Refusal refusal_ = Refusal::kMalformed;
  bool has_told_head_ = false;
  bool has_begun_ = false;
  int version_ = 11;
  HttpRequest request_;
};

HttpParser::HttpParser(size_t max_head) : impl_(std::make_unique<Impl>(max_head)) {}
HttpParser::~HttpParser() = default;
void HttpParser::Reset() { impl_->Reset(); }
HttpParser::State HttpParser::Read(std::string_view data, size_t* taken) { return impl_->Read(data, taken); }
void HttpParser::set_body_limit(size_t limit) { impl_->set_body_limit(limit); }
const HttpRequest& HttpParser::request() const { return impl_->request_; }
HttpRequest* HttpParser::mutable_request() { return &impl_->request_; }
Refusal HttpParser::refusal() const { return impl_->refusal_; }
bool HttpParser::keep_alive() const { return impl_->parser_->keep_alive(); }
bool HttpParser::is_old() const { return impl_->version_ < 11; }
bool HttpParser::has_begun() const { return impl_->has_begun_; }
size_t HttpParser::body_bytes() const { return impl_->body_.capacity(); }

std::optional<uint64_t> HttpParser::content_length() const {
  const auto length = impl_->parser_->content_length();
  return length ? std::optional<uint64_t>(*length) : std::nullopt;
}

bool HttpParser::expects_continue() const {
  const std::string_view* const expect = impl_->request_.Find("expect");
  return expect != nullptr && EqualsLower(*expect, "100-continue") && !is_old();
}

}  // namespace hcl::serve
