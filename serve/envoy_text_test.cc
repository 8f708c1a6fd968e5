#include "hclvm/serve/envoy_text.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::CheckRequest;

// protobuf writes what it does not read, and says so on stderr.
std::string Bytes(const CheckRequest& request) { return request.SerializePartialAsString(); }

TEST(EnvoyTextTest, NamesTheField) {
  CheckRequest request;
  auto* const http = request.mutable_attributes()->mutable_request()->mutable_http();
  http->set_path("/a");
  (*http->mutable_headers())["x"] = "y";
  EXPECT_EQ(FindWrongText(Bytes(request)), "");
  http->set_path("/\xff");
  EXPECT_EQ(FindWrongText(Bytes(request)), "attributes.request.http.path");
  http->set_path("/a");
  (*http->mutable_headers())["x"] = "\xc3";
  EXPECT_EQ(FindWrongText(Bytes(request)), "attributes.request.http.headers.value");
  http->mutable_headers()->clear();
  http->set_raw_body("\xff");
  EXPECT_EQ(FindWrongText(Bytes(request)), "") << "bytes are no text";
}

TEST(EnvoyTextTest, NoCheckRequest) {
  EXPECT_EQ(FindWrongText(""), "");
  EXPECT_EQ(FindWrongText("\xff\xff"), "");
  CheckRequest request;
  request.mutable_attributes()->mutable_request()->mutable_http()->set_path("/\xff");
  std::string bytes = Bytes(request);
  bytes.pop_back();
  EXPECT_EQ(FindWrongText(bytes), "");
}

}  // namespace
}  // namespace hcl::serve
