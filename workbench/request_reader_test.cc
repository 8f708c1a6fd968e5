// RequestReader: what lines of both forms say, and whose entry a path of a log names.

#include "hclvm/workbench/request_reader.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {
namespace {

// "PATH #ID LACK SCOPE", or "! FAULT".
std::string TextOf(bool is_read, const RecordedRequest& request, const std::string& fault) {
  if (!is_read) return absl::StrCat("! ", fault);
  std::string text(request.path), reason;
  if (!request.id.empty()) absl::StrAppend(&text, " #", std::string(request.id));
  if (request.lack != RecordedRequest::Lack::kNothing) {
    absl::StrAppend(&text, request.lack == RecordedRequest::Lack::kParts ? " parts" : " variables");
  }
  if (!text.empty()) text.push_back(' ');
  EXPECT_TRUE(AppendJson(request.scope, &text, &reason)) << reason;
  return text;
}

JsonProjection All() {
  JsonProjection all;
  all.NeedAll();
  return all;
}

std::string Read(RequestForm form, std::string_view line) {
  RequestReader reader(form, All(), Dialect::kSpec, Limits());
  RecordedRequest request;
  std::string fault;
  const bool is_read = reader.Read(line, &request, &fault);
  return TextOf(is_read, request, fault);
}

TEST(RequestReaderTest, Scopes) {
  EXPECT_EQ(Read(RequestForm::kScopes, R"({"a": 1})"), R"({"a":1})");
  EXPECT_EQ(Read(RequestForm::kScopes, "[]"), "! a request is a JSON object");
  EXPECT_EQ(Read(RequestForm::kScopes, "{").substr(0, 15), "! Invalid JSON:");
}

TEST(RequestReaderTest, Logs) {
  const struct {
    const char* line;
    const char* want;
  } kCases[] = {
      {R"({"path": "m/x", "input": {"a": 1}})", R"(m/x {"a":1})"},
      {R"({"decision_id": "7", "path": "x", "input": {}, "result": true})", R"(x #7 {})"},
      {R"({"path": "x", "input": {}, "erased": ["result/a", "result"]})", R"(x {})"},
      {R"({"path": "x", "input": {}, "erased": ["/user"]})", R"(x variables {})"},
      {R"({"path": "x", "input": {}, "erased": ["/user/token", "/a"]})", R"(x parts {})"},
      {R"({"path": "x", "input": {"a": "***"}, "masked": ["/a"]})", R"(x parts {"a":"***"})"},
      {R"({"path": "x", "input": {}, "masked": ["result"]})", R"(x {})"},
      {R"({"path": "x", "input": null, "erased": [""]})", R"(x parts null)"},
      {R"({"path": "x", "input": {}, "erased": 5})", R"(x parts {})"},
      {R"({"path": "x", "input": null})", R"(! "input" is an object of variables)"},
      {R"({"path": 5, "input": {}})", R"(! a decision has "path" and "input")"},
      {R"({"input": {}})", R"(! a decision has "path" and "input")"},
      {R"({"path": "x"})", R"(! a decision has "path" and "input")"},
      {"7", "! a request is a JSON object"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Read(RequestForm::kLog, test.line), test.want) << test.line;
}

TEST(RequestReaderTest, EachLineInItsForm) {
  const struct {
    const char* line;
    const char* want;
  } kCases[] = {
      {R"({"a": 1})", R"({"a":1})"},
      {R"({"decision_id": "d", "path": "m/a.b", "input": {"a": 1}})", R"(m/a.b #d {"a":1})"},
      {R"({"decision_id": "d", "path": "a", "input": {}, "erased": ["/b"]})", "a #d variables {}"},
      {R"({"decision_id": "d", "path": "a", "input": null, "erased": [""]})", "a #d parts null"},
      {R"({"decision_id": "d", "path": "a", "input": null})", R"(! "input" is an object of variables)"},
      // Variables may have these names.
      {R"({"input": {}, "path": "a"})", R"({"input":{},"path":"a"})"},
      {R"({"decision_id": "d", "path": "a"})", R"({"decision_id":"d","path":"a"})"},
      {R"({"decision_id": "", "input": {}, "path": "a"})", R"({"decision_id":"","input":{},"path":"a"})"},
      {R"({"decision_id": "d", "input": {}, "path": 1})", R"({"decision_id":"d","input":{},"path":1})"},
      {"[]", "! a request is a JSON object"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Read(RequestForm::kEither, test.line), test.want) << test.line;
}

TEST(RequestReaderTest, ReadsWhatIsNeeded) {
  JsonProjection needed;
  needed.Need("a")->Need("b")->NeedAll();
  const std::string scope = R"({"a":{"b":1,"c":2},"d":3})";
  const std::string log = absl::StrCat(R"({"path":"x","input":)", scope, "}");
  RecordedRequest request;
  std::string fault;
  RequestReader scopes(RequestForm::kScopes, needed, Dialect::kSpec, Limits());
  EXPECT_EQ(TextOf(scopes.Read(scope, &request, &fault), request, fault), R"({"a":{"b":1}})");
  EXPECT_EQ(TextOf(scopes.ReadWhole(scope, &request, &fault), request, fault), scope);
  RequestReader logs(RequestForm::kLog, needed, Dialect::kSpec, Limits());
  EXPECT_EQ(TextOf(logs.Read(log, &request, &fault), request, fault), R"(x {"a":{"b":1}})");
  EXPECT_EQ(TextOf(logs.ReadWhole(log, &request, &fault), request, fault), absl::StrCat("x ", scope));
  RequestReader either(RequestForm::kEither, needed, Dialect::kSpec, Limits());
  const std::string decision = absl::StrCat(R"({"decision_id":"7","path":"x","input":)", scope, "}");
  EXPECT_EQ(TextOf(either.Read(scope, &request, &fault), request, fault), R"({"a":{"b":1}})");
  EXPECT_EQ(TextOf(either.Read(decision, &request, &fault), request, fault), R"(x #7 {"a":{"b":1}})");
}

TEST(RequestReaderTest, LongLines) {
  Limits limits;
  limits.max_source_bytes = 8;
  RequestReader reader(RequestForm::kScopes, All(), Dialect::kSpec, limits);
  RecordedRequest request;
  std::string fault;
  EXPECT_TRUE(reader.Read(R"({"a":10})", &request, &fault));
  EXPECT_FALSE(reader.Read(R"({"a":100})", &request, &fault));
  EXPECT_EQ(fault, "the line is longer than 8 bytes");
}

TEST(RequestReaderTest, LoggedEntries) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("p.hcl", "allow = true\nrule \"a/b\" {\n  when = true\n}\n");
  const std::shared_ptr<const Program> program = CompileConfig(source, CompileOptions(), &diagnostics);
  ASSERT_NE(program, nullptr);
  const struct {
    const char* path;
    const char* module;
    const char* want;
  } kCases[] = {
      {"allow", "", "allow"},
      {"m/allow", "", "allow"},
      {"m/n/allow", "", "allow"},
      {"rule.a/b.when", "", "rule.a/b.when"},
      {"m/rule.a/b.when", "", "rule.a/b.when"},
      {"m/allow", "m", "allow"},
      {"m/n/allow", "m/n", "allow"},
      {"m/n/allow", "m", ""},
      {"mm/allow", "m", ""},
      {"allow", "m", ""},
      {"other", "", ""},
      {"", "", ""},
      {"/", "", ""},
  };
  for (const auto& test : kCases) {
    const Entry* const entry = FindLoggedEntry(*program, test.path, test.module);
    EXPECT_EQ(entry == nullptr ? "" : std::string(entry->path), test.want) << test.path << " of " << test.module;
  }
}

}  // namespace
}  // namespace hcl::internal
