// HttpParser over Beast's basic_parser. Tested by cmd/hclvm-serve/http_parser_test.cc.
//
// The parser is used bare: its ready-made message keeps each header in a node of its own, and reading and sockets are
// mixed in what is around it. Here the head is one text, and views of it.
//
// What a proxy before the service could read in another way than Beast does is refused, also where RFC 9112 would let a
// server read it in one way: where a message ends must not depend on who reads it.

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
    keep_alive_ = false;
    has_begun_ = has_passed_line_ = false;
    field_count_ = field_bytes_ = length_count_ = encoding_count_ = 0;
    version_ = 11;
    request_.method = {};
    request_.target = {};
    request_.headers.clear();
    request_.body = {};
  }

  State Read(std::string_view data, size_t* taken) {
    *taken = 0;
    // RFC 9112, 2.2: an empty line before a request belongs to the one before it, as some clients write it.
    constexpr std::string_view kEmptyLine = "\r\n";
    if (!has_begun_ && !has_passed_line_ && !data.empty() && data.front() == '\r') {
      if (data.size() == 1) return State::kMore;
      has_passed_line_ = data.substr(0, kEmptyLine.size()) == kEmptyLine;
      *taken = has_passed_line_ ? kEmptyLine.size() : 0;
      data.remove_prefix(*taken);
    }
    for (;;) {
      if (parser_->is_header_done() && !has_told_head_) {
        has_told_head_ = true;
        keep_alive_ = parser_->keep_alive();
        return FinishHead() ? State::kHead : State::kWrong;
      }
      if (parser_->is_done()) {
        request_.body = body_;
        return State::kDone;
      }
      if (data.empty()) return State::kMore;
      has_begun_ = true;
      error_code error;
      data_ = data;
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
    void on_field_impl(http::field field, view name, view value, error_code& error) override {
      impl_.AddField(field, name, value, &error);
    }
    void on_header_impl(error_code& /*error*/) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/, error_code& /*error*/) override {}
    std::size_t on_body_impl(view body, error_code& error) override { return impl_.AddBody(body, &error); }
    void on_chunk_header_impl(std::uint64_t size, view /*extensions*/, error_code& error) override {
      if (!impl_.HasRoomFor(size)) error = http::error::body_limit;
    }
    std::size_t on_chunk_body_impl(std::uint64_t /*left*/, view body, error_code& error) override {
      return impl_.AddBody(body, &error);
    }
    void on_finish_impl(error_code& /*error*/) override {}

    Impl& impl_;
  };

  void AddField(http::field field, boost::beast::string_view name, boost::beast::string_view value, error_code* error) {
    field_bytes_ += name.size() + value.size();
    if (++field_count_ > kMaxHeaders || field_bytes_ > max_head_) *error = http::error::header_limit;
    // A value that goes on in another line is put together elsewhere; one that begins there has the end of a line
    // before.
    const bool is_here = value.empty() || (value.data() > name.data() && value.data() < data_.data() + data_.size() &&
                                           std::find(name.data(), value.data(), '\n') == value.data());
    if (!is_here) *error = http::error::bad_obs_fold;
    // Fields behind the body say nothing here, and the text with what came before must not move.
    if (has_told_head_) return;
    if (field == http::field::content_length) ++length_count_;
    if (field == http::field::transfer_encoding) ++encoding_count_;
    Keep(name);
    Keep(value);
  }

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
    return (hosts == 1 || (hosts == 0 && version_ < 11)) && HasOneEnd() && TakeAbsoluteTarget();
  }

  // One length in digits, or chunks and nothing else, which HTTP/1.0 has not.
  bool HasOneEnd() const {
    if (encoding_count_ > 0) {
      return encoding_count_ == 1 && length_count_ == 0 && version_ >= 11 &&
             EqualsLower(*request_.Find("transfer-encoding"), "chunked");
    }
    if (length_count_ == 0) return true;
    const std::string_view* const length = request_.Find("content-length");
    return length_count_ == 1 && length->find_first_not_of("0123456789") == std::string_view::npos;
  }

  // "http://host/path" is "/path" at that host, which has to be the one of the header.
  bool TakeAbsoluteTarget() {
    const std::string_view target = request_.target;
    const size_t scheme = target.find("://");
    if (scheme == std::string_view::npos || target.empty() || target[0] == '/') return true;
    if (!EqualsLower(target.substr(0, scheme), "http") && !EqualsLower(target.substr(0, scheme), "https")) return false;
    const std::string_view rest = target.substr(scheme + 3);
    const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
    const std::string_view* const host = request_.Find("host");
    if (host == nullptr || end == 0 || !EqualsLower(rest.substr(0, end), LowerCase(*host))) return false;
    request_.target = end == rest.size() ? std::string_view("/") : rest.substr(end);
    return true;
  }

  bool HasRoomFor(uint64_t bytes) const { return bytes <= body_limit_ - std::min(body_limit_, body_.size()); }

  std::size_t AddBody(boost::beast::string_view part, error_code* error) {
    if (!HasRoomFor(part.size())) {
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
  size_t field_count_ = 0;     // in all
  size_t field_bytes_ = 0;     // names and values of these
  size_t length_count_ = 0;    // of the head's, how many say its length
  size_t encoding_count_ = 0;  // how it is sent
  std::string_view data_;      // what the parser is reading
  std::string body_;
  size_t body_limit_ = SIZE_MAX;
  Refusal refusal_ = Refusal::kMalformed;
  bool has_told_head_ = false;
  bool keep_alive_ = false;  // as the head has it
  bool has_begun_ = false;
  bool has_passed_line_ = false;  // before the request
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
bool HttpParser::keep_alive() const { return impl_->keep_alive_; }
bool HttpParser::is_old() const { return impl_->version_ < 11; }
bool HttpParser::has_begun() const { return impl_->has_begun_; }
size_t HttpParser::body_bytes() const { return impl_->body_.capacity(); }

std::optional<uint64_t> HttpParser::content_length() const {
  const auto length = impl_->parser_->content_length();
  return length ? std::optional<uint64_t>(*length) : std::nullopt;
}

bool HttpParser::expects_continue() const {
  const std::string_view* const expect = impl_->request_.Find("expect");
  const bool has_body = impl_->encoding_count_ > 0 || content_length().value_or(0) > 0;
  return has_body && expect != nullptr && EqualsLower(*expect, "100-continue") && !is_old();
}

}  // namespace hcl::serve
