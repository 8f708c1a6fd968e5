// Envoy's questions as values.

#include "hclvm/serve/envoy_value.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::CheckRequest;

CheckRequest Parse(const std::string& text) {
  CheckRequest request;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &request)) << text;
  return request;
}

std::string Print(const absl::StatusOr<Value>& value, const std::string& name) {
  if (!value.ok()) return std::string(value.status().message());
  Value part = *value;
  for (size_t n = 0; !name.empty() && n < value->size(); ++n) {
    if (value->shape().keys[n].AsString() == name) part = value->values()[n];
  }
  std::string json;
  std::string reason;
  return AppendJson(part, &json, &reason) ? json : reason;
}

// A variable, or its attribute of that name.
std::string Make(const CheckRequest& request, const std::string& variable, const std::string& name) {
  Heap heap;
  JsonReader reader;
  const auto http = MakeEnvoyHttpValue(request, EncodedSlash::kRefuse, HttpNeeds::All(), false, &heap);
  if (!http.ok()) return Print(http.status(), name);
  if (variable == "http") return Print(http->needed, name);
  const Value envoy = MakeEnvoyValue(request, kAllEnvoyParts, false, &reader, &heap).needed;
  return Print(variable == "envoy" ? envoy : MakeOpaInput(request, http->needed, envoy, &reader, &heap), name);
}

std::string Make(const std::string& text, const std::string& variable, const std::string& name) {
  return Make(Parse(text), variable, name);
}

// A question of which only these fields of the request are told, and the path.
std::string Http(const std::string& fields) {
  const bool has_path = fields.find("path:") != std::string::npos;
  return "attributes { request { http { " + std::string(has_path ? "" : "path: '/' ") + fields + " } } }";
}

TEST(EnvoyValueTest, HasNullsForWhatIsNotTold) {
  EXPECT_EQ(Make(Http(""), "http", ""),
            R"({"endpoint":"","headers":{},"host":"","method":"","path":"/","path_segments":[],"query":{},)"
            R"("scheme":null,"source":{"address":null,"forwarded":[],"proxy":null}})");
  EXPECT_EQ(
      Make(Http(""), "envoy", ""),
      R"({"body":{"base64":null,"is_json":false,"json":null,"text":null,"truncated":false},)"
      R"("context_extensions":{},)"
      R"("destination":{"address":null,"certificate":null,"labels":{},"port":null,"principal":null,"service":null},)"
      R"("id":null,"metadata":{},"protocol":null,"route_metadata":{},"size":0,)"
      R"("source":{"address":null,"certificate":null,"labels":{},"port":null,"principal":null,"service":null},)"
      R"("time":null,"tls":{"sni":null}})");
}

TEST(EnvoyValueTest, MapsEachField) {
  const struct {
    const char* request;
    const char* name;
    const char* want;
  } kCases[] = {
      {"attributes { source { address { socket_address { address: '10.0.0.1' port_value: 80 } } } }", "source",
       R"({"address":"10.0.0.1","certificate":null,"labels":{},"port":80,"principal":null,"service":null})"},
      {"attributes { source { address { socket_address { address: 'a' named_port: 'http' } } service: 's' "
       "labels { key: 'k' value: 'v' } principal: 'spiffe://a/b' certificate: 'PEM' } }",
       "source",
       R"({"address":"a","certificate":"PEM","labels":{"k":"v"},"port":null,"principal":"spiffe://a/b","service":"s"})"},
      {"attributes { destination { address { pipe { path: '/run/x' } } principal: 'd' } }", "destination",
       R"({"address":"/run/x","certificate":null,"labels":{},"port":null,"principal":"d","service":null})"},
      {"attributes { tls_session { sni: 'a.test' } }", "tls", R"({"sni":"a.test"})"},
      {"attributes { tls_session {} }", "tls", R"({"sni":null})"},
      {"attributes { context_extensions { key: 'a' value: 'b' } context_extensions { key: 'A' value: '' } }",
       "context_extensions", R"({"A":"","a":"b"})"},
      {"attributes { request { time { seconds: 1700000000 nanos: 5 } } }", "time",
       "\"2023-11-14T22:13:20.000000005Z\""},
      {"attributes { request { time { seconds: 9223372036854775807 } } }", "time", "null"},
      {"attributes { request { time { seconds: 1 nanos: -1 } } }", "time", "null"},
      {"attributes { metadata_context { filter_metadata { key: 'jwt' value { fields { key: 'sub' value { "
       "string_value: 'ann' } } fields { key: 'n' value { number_value: 1.5 } } fields { key: 'l' value { list_value "
       "{ values { bool_value: true } values { null_value: NULL_VALUE } values {} values { struct_value {} } } } } } "
       "} } }",
       "metadata", R"({"jwt":{"l":[true,null,null,{}],"n":1.5,"sub":"ann"}})"},
      {"attributes { metadata_context { filter_metadata { key: 'f' value { fields { key: 'a' value { number_value: "
       "nan } } fields { key: 'b' value { number_value: -inf } } fields { key: 'c' value { number_value: 1e300 } } } "
       "} typed_filter_metadata { key: 't' value { type_url: 'x/y' value: 'z' } } } }",
       "metadata", nullptr},
      {"attributes { route_metadata_context { filter_metadata { key: 'r' value {} } } }", "route_metadata",
       R"({"r":{}})"},
  };
  for (const auto& test : kCases) {
    CheckRequest request = Parse(test.request);
    request.mutable_attributes()->mutable_request()->mutable_http()->set_path("/");
    const std::string made = Make(request, "envoy", test.name);
    if (test.want != nullptr) {
      EXPECT_EQ(made, test.want) << test.request;
    } else {
      // What is no number is none, and a large one is itself.
      EXPECT_EQ(made, R"({"f":{"a":null,"b":null,"c":1)" + std::string(300, '0') + "}}");
    }
  }
}

// Servers behind Envoy disagree about what they are.
TEST(EnvoyValueTest, RefusesFragments) {
  Heap heap;
  const CheckRequest request = Parse(Http("path: '/a#f'"));
  const auto http = MakeEnvoyHttpValue(request, EncodedSlash::kRefuse, HttpNeeds::All(), false, &heap);
  EXPECT_EQ(http.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(EnvoyValueTest, MapsTheRequest) {
  const struct {
    const char* fields;
    const char* name;
    const char* want;
  } kCases[] = {
      {"id: '7'", "envoy.id", "\"7\""},
      {"method: 'POST'", "http.method", "\"POST\""},
      {"host: 'a:80'", "http.host", "\"a:80\""},
      {"scheme: 'https'", "http.scheme", "\"https\""},
      {"protocol: 'HTTP/2'", "envoy.protocol", "\"HTTP/2\""},
      {"size: -1", "envoy.size", "null"},
      {"size: 12", "envoy.size", "12"},
      {"path: '/a/%41//b/../c?x=1&y=%20&x=2'", "http.path", R"("/a/%41//b/../c")"},
      {"path: '/a/%41//b/../c?x=1&y=%20&x=2'", "http.path_segments", R"(["a","A","c"])"},
      {"path: '/a/%41//b/../c?x=1&y=%20&x=2'", "http.query", R"({"x":["1","2"],"y":" "})"},
      // Envoy never sets these.
      {"query: 'z=1' fragment: 'f'", "http.query", "{}"},
      {"path: '/a%2fb'", "http.path", "the path or the query of the request is ambiguous or too long"},
      {"path: '*'", "http.path", "the path or the query of the request is ambiguous or too long"},
      {"path: ''", "http.path", "the path or the query of the request is ambiguous or too long"},
      {"headers { key: 'b' value: '1' } headers { key: 'a' value: 'x,y' }", "http.headers", R"({"a":"x,y","b":"1"})"},
      {"headers { key: 'a' value: '0' } header_map { headers { key: 'A' value: '1' } headers { key: 'a' raw_value: "
       "'2\\377' } }",
       "http.headers", "{\"a\":[\"1\",\"2\xef\xbf\xbd\"]}"},
      {"headers { key: 'x-forwarded-for' value: '1.1.1.1, 2.2.2.2' }", "http.source",
       R"({"address":null,"forwarded":["1.1.1.1","2.2.2.2"],"proxy":null})"},
      {"body: 'plain'", "envoy.body",
       R"({"base64":null,"is_json":false,"json":null,"text":"plain","truncated":false})"},
      {"raw_body: '\\377\\000'", "envoy.body",
       R"({"base64":"/wA=","is_json":false,"json":null,"text":null,"truncated":false})"},
      {"raw_body: '{\"a\": [1]}' headers { key: 'content-type' value: 'Application/JSON ; charset=utf-8' }",
       "envoy.body", R"({"base64":null,"is_json":true,"json":{"a":[1]},"text":"{\"a\": [1]}","truncated":false})"},
      {"body: 'null' header_map { headers { key: 'Content-Type' value: 'application/problem+json' } }", "envoy.body",
       R"({"base64":null,"is_json":true,"json":null,"text":"null","truncated":false})"},
      {"body: '{' headers { key: 'content-type' value: 'application/json' }", "envoy.body",
       R"({"base64":null,"is_json":false,"json":null,"text":"{","truncated":false})"},
      {"body: '1' headers { key: 'content-type' value: 'application/json' } headers { key: "
       "'x-envoy-auth-partial-body' value: 'true' }",
       "envoy.body", R"({"base64":null,"is_json":false,"json":null,"text":"1","truncated":true})"},
  };
  for (const auto& test : kCases) {
    const std::string name = test.name;
    const size_t dot = name.find('.');
    EXPECT_EQ(Make(Http(test.fields), name.substr(0, dot), name.substr(dot + 1)), test.want) << test.fields;
  }
}

TEST(EnvoyValueTest, HasNamesOfOpa) {
  const std::string request =
      "attributes { source { principal: 'p' address { socket_address { address: 'a' port_value: 1 } } } "
      "request { time { seconds: 1 } http { method: 'GET' path: '/a/b?x=1&y=2&y=3' raw_body: '[1]' size: 3 "
      "headers { key: 'content-type' value: 'application/json' } } } "
      "context_extensions { key: 'k' value: 'v' } metadata_context { filter_metadata { key: 'f' value { fields { "
      "key: 's' value { string_value: 't' } } } } typed_filter_metadata { key: 't' value { type_url: 'x/y' } } } }";
  EXPECT_EQ(Make(request, "input", ""),
            R"({"attributes":{"contextExtensions":{"k":"v"},"metadataContext":{"filterMetadata":{"f":{"s":"t"}}},)"
            R"("request":{"http":{"headers":{"content-type":"application/json"},"method":"GET",)"
            R"("path":"/a/b?x=1&y=2&y=3","rawBody":"WzFd","size":"3"},"time":"1970-01-01T00:00:01Z"},)"
            R"("source":{"address":{"socketAddress":{"address":"a","portValue":1}},"principal":"p"}},)"
            R"("parsed_body":[1],"parsed_path":["a","b"],"parsed_query":{"x":["1"],"y":["2","3"]},)"
            R"("source_principal":"p","truncated_body":false,"version":{"encoding":"protojson","ext_authz":"v3"}})");
  EXPECT_EQ(Make(Http("path: '/a%2fb'"), "input", ""), "the path or the query of the request is ambiguous or too long");
  EXPECT_EQ(Make("attributes { request { time { seconds: 999999999999 } http { path: '/' } } }", "input", ""),
            "the request has no JSON form");
}

TEST(EnvoyValueTest, PassesUnknownFieldsBy) {
  CheckRequest request = Parse(Http("method: 'GET'"));
  std::string bytes;
  request.SerializeToString(&bytes);
  // Field 99, a varint; field 100, bytes; and field 4, bytes.
  bytes += "\x98\x06\x05\xa2\x06\x02xy\x22\x01z";
  ASSERT_TRUE(request.ParseFromString(bytes));
  Heap heap;
  JsonReader reader;
  const auto http = MakeEnvoyHttpValue(request, EncodedSlash::kRefuse, HttpNeeds::All(), false, &heap);
  ASSERT_TRUE(http.ok());
  const Value envoy = MakeEnvoyValue(request, kAllEnvoyParts, false, &reader, &heap).needed;
  EXPECT_EQ(Print(http->needed, "method"), "\"GET\"");
  EXPECT_EQ(Print(MakeOpaInput(request, http->needed, envoy, &reader, &heap), "attributes"),
            R"({"request":{"http":{"method":"GET","path":"/"}}})");
}

// What nobody needs is in what is recorded, and nowhere else.
TEST(EnvoyValueTest, MakesWhatIsNeededAndTheWhole) {
  const CheckRequest request = Parse(Http("id: 'i' size: 3 path: '/?q=1' headers { key: 'a' value: '1' }"));
  Heap heap;
  JsonReader reader;
  const auto http = MakeEnvoyHttpValue(request, EncodedSlash::kRefuse, HttpNeeds(), true, &heap);
  ASSERT_TRUE(http.ok());
  EXPECT_EQ(Print(http->needed, "headers") + Print(http->needed, "query"), "{}{}");
  EXPECT_EQ(Print(http->whole, "headers") + Print(http->whole, "query"), R"({"a":"1"}{"q":"1"})");
  EnvoyParts parts;
  parts.set(3);  // id
  const RequestValue envoy = MakeEnvoyValue(request, parts, true, &reader, &heap);
  EXPECT_EQ(Print(envoy.needed, "id") + Print(envoy.needed, "size"), "\"i\"null");
  EXPECT_EQ(Print(envoy.whole, "id") + Print(envoy.whole, "size"), "\"i\"3");
}

// What the mapping gets is as it declares it, told or not, so that nothing is converted; and it is what conversion
// would make of the value that others get.
TEST(EnvoyValueTest, MakesWhatTheMappingDeclares) {
  Diagnostics diagnostics;
  std::vector<std::shared_ptr<const Source>> sources;
  const auto authz = CompileServiceFile("service.hcl", "authz {\n  variables = [http, envoy]\n  entry = \"a/b\"\n}\n",
                                        {Dialect::kSpec, {}, StandardFunctions()}, &diagnostics, &sources)
                         .authz;
  ASSERT_NE(authz, nullptr);
  const auto& module = *internal::TablesOf(*authz->program).module();
  const auto plan = [&](const std::string& name) {
    for (const internal::ModuleVariable& variable : module.variables) {
      if (variable.name == name) return variable.plan.get();
    }
    return static_cast<const internal::BindingPlan*>(nullptr);
  };
  const std::string kRequests[] = {
      "",
      Http("method: 'GET'"),
      Http("path: '/a/b?x=1&x=2' scheme: 'https' id: 'i' protocol: 'p' size: 3 body: '[1]' headers { key: "
           "'content-type' value: 'application/json' } headers { key: 'x-forwarded-for' value: '1.1.1.1, 2.2.2.2' }"),
      Http("raw_body: '\\377'"),
      "attributes { source { service: 's' principal: 'p' certificate: 'c' labels { key: 'k' value: 'v' } address { "
      "socket_address { address: '10.0.0.1' port_value: 1 } } } destination { address { pipe { path: '/s' } } } "
      "request "
      "{ time { seconds: 1 } http { path: '/' } } tls_session { sni: 'n' } context_extensions { key: 'k' value: 'v' } "
      "metadata_context { filter_metadata { key: 'f' value { fields { key: 's' value { number_value: 1 } } } } } }",
  };
  for (const std::string& text : kRequests) {
    const CheckRequest request = Parse(text.empty() ? Http("") : text);
    Heap heap(internal::TablesOf(*authz->program).types());
    JsonReader reader;
    HttpNeeds needs = HttpNeeds::All();
    const auto any = MakeEnvoyHttpValue(request, EncodedSlash::kRefuse, needs, false, &heap);
    needs.set_is_declared(true);
    const auto http = MakeEnvoyHttpValue(request, EncodedSlash::kRefuse, needs, false, &heap);
    ASSERT_TRUE(any.ok() && http.ok());
    EXPECT_TRUE(plan("http")->Keeps(http->needed)) << text;
    Value converted;
    ASSERT_TRUE(plan("http")->Apply(any->needed, &heap, &converted));
    EXPECT_TRUE(Identical(http->needed, converted)) << text;
    const Value envoy = MakeDeclaredEnvoyValue(request, kAllEnvoyParts, &reader, &heap);
    EXPECT_TRUE(plan("envoy")->Keeps(envoy)) << text;
    const Value whole = MakeEnvoyValue(request, kAllEnvoyParts, false, &reader, &heap).needed;
    ASSERT_TRUE(plan("envoy")->Apply(whole, &heap, &converted));
    EXPECT_TRUE(Identical(envoy, converted)) << text;
    for (size_t n = 0; n < kEnvoyParts; ++n) {
      EnvoyParts parts;
      parts.set(n);
      const Value part = MakeDeclaredEnvoyValue(request, parts, &reader, &heap);
      EXPECT_TRUE(plan("envoy")->Keeps(part)) << text << n;
      EXPECT_TRUE(Identical(part.values()[n], envoy.values()[n])) << text << n;
    }
  }
}

TEST(EnvoyValueTest, FindsHeaders) {
  const CheckRequest request = Parse(Http("headers { key: 'a' value: '1' }"));
  EXPECT_EQ(EnvoyHeader(request, "a"), "1");
  EXPECT_EQ(EnvoyHeader(request, "b"), "");
  EXPECT_EQ(EnvoyHeader(CheckRequest(), "a"), "");
}

}  // namespace
}  // namespace hcl::serve
