// Requests as values.

#include "hclvm/serve/http_value.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"

namespace hcl::serve {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

std::string Make(AuthDialect dialect, const Headers& headers, const std::string& target = "/auth") {
  HttpRequest request;
  request.method = "GET";
  request.target = target;
  for (const auto& [name, value] : headers) request.headers.push_back({name, value});
  request.listener.dialect = dialect;
  Heap heap;
  const auto value = MakeHttpValue(request, EncodedSlash::kRefuse, HttpNeeds::All(), false, &heap);
  if (!value.ok()) return std::string(value.status().message());
  std::string json;
  std::string reason;
  EXPECT_TRUE(AppendJson(value->needed, &json, &reason)) << reason;
  return json;
}

TEST(HttpValueTest, ReadsNginx) {
  EXPECT_EQ(
      Make(AuthDialect::kNginx,
           {{"Host", "h"}, {"X-Original-URI", "/a/../b%20c?x=1&y&x=2"}, {"X-Original-Method", "POST"}}, "/auth/e"),
      R"({"endpoint":"/e","headers":{"host":"h"},"host":"h","method":"POST","path":"/a/../b%20c",)"
      R"("path_segments":["b c"],"query":{"x":["1","2"],"y":""},"scheme":null,)"
      R"("source":{"address":null,"forwarded":[],"proxy":null}})");
}

TEST(HttpValueTest, ReadsForwarded) {
  EXPECT_EQ(Make(AuthDialect::kForwarded, {{"host", "service"},
                                           {"X-Forwarded-Uri", "/"},
                                           {"X-Forwarded-Method", "GET"},
                                           {"X-Forwarded-Host", "h"},
                                           {"X-Forwarded-Proto", "https"},
                                           {"X-Forwarded-For", "10.0.0.9, 192.0.2.1"},
                                           {"Cookie", "a"},
                                           {"cookie", "b"}}),
            R"({"endpoint":"","headers":{"cookie":["a","b"],"host":"service"},"host":"h","method":"GET","path":"/",)"
            R"("path_segments":[],"query":{},"scheme":"https",)"
            R"("source":{"address":"192.0.2.1","forwarded":["10.0.0.9","192.0.2.1"],"proxy":null}})");
}

TEST(HttpValueTest, NeedsWhatIsRead) {
  const auto needs = [](const std::string& expression) {
    const auto source = std::make_shared<const Source>("p.hcl", "x = " + expression + "\n");
    Diagnostics diagnostics;
    const auto program = CompileConfig(source, {Dialect::kSpec, {}, StandardFunctions()}, &diagnostics);
    EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
    HttpNeeds found;
    found.Add(*program);
    return std::string(found.query() ? "query " : "") + (found.HasHeader("X-A") ? "a " : "") +
           (found.HasHeader("x-b") ? "b" : "");
  };
  EXPECT_EQ(needs("1"), "");
  EXPECT_EQ(needs("http.method"), "");
  EXPECT_EQ(needs("other.headers.x-a"), "");
  EXPECT_EQ(needs("http.headers.x-a"), "a ");
  EXPECT_EQ(needs("[http.headers[\"x-a\"], http.query.x]"), "query a ");
  EXPECT_EQ(needs("http.headers"), "a b");
  EXPECT_EQ(needs("http.headers[name]"), "a b");
  EXPECT_EQ(needs("http"), "query a b");
  EXPECT_EQ(needs("http[name]"), "query a b");
}

TEST(HttpValueTest, NeedsWhatIsReadOfAScope) {
  const auto text = [](const HttpNeeds& found) {
    return std::string(found.query() ? "query " : "") + (found.HasHeader("X-A") ? "a " : "") +
           (found.HasHeader("x-b") ? "b" : "");
  };
  const auto needs = [&](std::initializer_list<std::string_view> path) {
    JsonProjection scope;
    JsonProjection* at = &scope;
    for (const std::string_view name : path) at = at->Need(name);
    at->NeedAll();
    HttpNeeds found;
    found.Add(scope);
    return text(found);
  };
  EXPECT_EQ(needs({}), "query a b");
  EXPECT_EQ(needs({"other", "headers"}), "");
  EXPECT_EQ(needs({"http", "method"}), "");
  EXPECT_EQ(needs({"http", "headers", "x-a"}), "a ");
  EXPECT_EQ(needs({"http", "headers"}), "a b");
  EXPECT_EQ(needs({"http", "query", "x"}), "query ");
  EXPECT_EQ(needs({"http"}), "query a b");
}

// Headers of the other dialect are a client's, and no more than that.
TEST(HttpValueTest, DoesNotMixDialects) {
  const Headers both = {{"X-Original-URI", "/public"},
                        {"X-Original-Method", "GET"},
                        {"X-Forwarded-Uri", "/private"},
                        {"X-Forwarded-Method", "DELETE"}};
  EXPECT_NE(Make(AuthDialect::kNginx, both).find(R"("path":"/public")"), std::string::npos);
  EXPECT_NE(Make(AuthDialect::kForwarded, both).find(R"("path":"/private")"), std::string::npos);
  EXPECT_NE(Make(AuthDialect::kForwarded, both).find(R"("x-original-uri":"/public")"), std::string::npos);
}

TEST(HttpValueTest, Refuses) {
  const Headers good = {{"X-Original-URI", "/a"}, {"X-Original-Method", "GET"}};
  for (size_t n = 0; n < good.size(); ++n) {
    Headers missing = good;
    missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_NE(Make(AuthDialect::kNginx, missing).find("is missing"), std::string::npos);
    Headers twice = good;
    twice.push_back(good[n]);
    EXPECT_NE(Make(AuthDialect::kNginx, twice).find("is there twice"), std::string::npos);
    Headers empty = good;
    empty[n].second = "";
    EXPECT_NE(Make(AuthDialect::kNginx, empty).find("is missing"), std::string::npos);
  }
  for (const char* path : {"a", "/..", "/%00", "/a%2fb", "http://x/"}) {
    EXPECT_EQ(Make(AuthDialect::kNginx, {{"X-Original-URI", path}, {"X-Original-Method", "GET"}}),
              "the path or the query of the request is ambiguous or too long");
  }
  for (const char* path : {"/a#/../b", "/a?x#y", "#"}) {
    EXPECT_EQ(Make(AuthDialect::kNginx, {{"X-Original-URI", path}, {"X-Original-Method", "GET"}}),
              "the target of the request has a fragment");
  }
  EXPECT_NE(Make(AuthDialect::kForwarded, good).find("x-forwarded-method is missing"), std::string::npos);
}

TEST(HttpValueTest, MendsTexts) {
  const std::string json = Make(
      AuthDialect::kNginx, {{"X-Original-URI", "/a"}, {"X-Original-Method", "GET"}, {"a", "\xff"}, {"b", "e\xcc\x81"}});
  EXPECT_NE(json.find("\"a\":\"\xef\xbf\xbd\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"b\":\"\xc3\xa9\""), std::string::npos) << json;
}

}  // namespace
}  // namespace hcl::serve
