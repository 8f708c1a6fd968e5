#include "hclvm/cmd/hclvm/scope_runner.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  return CompileExpression(std::make_shared<const Source>("<test>", text), options, &diagnostics);
}

// A temporary file; removed when it is closed.
std::FILE* FileWith(const std::string& text) {
  std::FILE* file = std::tmpfile();
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
  std::rewind(file);
  return file;
}

std::string Contents(std::FILE* file) {
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text.push_back(static_cast<char>(c));
  return text;
}

// Output and status of evaluating `expression` for each line of `scopes`.
std::string RunLines(const std::string& expression, const std::string& scopes, RunOptions options = {}) {
  options.quiet = true;
  options.json_diagnostics = true;
  options.scopes_name = "scopes";
  std::FILE* input = FileWith(scopes);
  std::FILE* output = std::tmpfile();
  std::string error;
  std::shared_ptr<const Program> program = Compile(expression);
  options.chunk = program->main_chunk();
  const int status = RunScopes(program, options, input, output, &error);
  std::string result = Contents(output) + "status " + std::to_string(status) + error;
  std::fclose(input);
  std::fclose(output);
  return result;
}

TEST(ScopeRunnerTest, OneLineOutForEachLineIn) {
  EXPECT_EQ(RunLines("a + 1", ""), "status 0");
  EXPECT_EQ(RunLines("a + 1", "{\"a\": 1}"), "{\"value\":2}\nstatus 0");
  EXPECT_EQ(RunLines("a + 1", "{\"a\": 1}\n{\"a\": 2}\r\n"), "{\"value\":2}\n{\"value\":3}\nstatus 0");
}

TEST(ScopeRunnerTest, BadLinesDoNotStopTheOthers) {
  const std::string out = RunLines("a", "{\"a\": 1}\n{\n{\"a\": 3}\n");
  EXPECT_EQ(out.substr(0, 12), "{\"value\":1}\n");
  EXPECT_NE(out.find("\"filename\":\"scopes\",\"start\":{\"line\":2"), std::string::npos) << out;
  EXPECT_NE(out.find("{\"value\":3}\nstatus 1"), std::string::npos) << out;
}

TEST(ScopeRunnerTest, ALineOverTheLimitIsReportedAndSkipped) {
  RunOptions options;
  options.limits.max_source_bytes = 1000;
  const std::string big = "{\"a\": \"" + std::string(2'000'000, 'x') + "\"}\n";
  const std::string out = RunLines("a", "{\"a\": 1}\n" + big + "{\"a\": 3}\n" + big, options);
  EXPECT_EQ(out.substr(0, 12), "{\"value\":1}\n");
  EXPECT_NE(out.find("Line too long"), std::string::npos) << out.substr(0, 500);
  EXPECT_NE(out.find("\"line\":2"), std::string::npos);
  EXPECT_NE(out.find("{\"value\":3}\n"), std::string::npos);
  EXPECT_NE(out.find("\"line\":4"), std::string::npos);
  EXPECT_NE(out.find("status 3"), std::string::npos);
}

TEST(ScopeRunnerTest, ThreadsKeepTheOrder) {
  std::string scopes;
  for (int n = 0; n < 50'000; ++n) scopes += "{\"a\": " + std::to_string(n) + ", \"pad\": \"................\"}\n";
  RunOptions options;
  const std::string want = RunLines("\"n${a}\"", scopes, options);
  for (uint32_t threads : {2u, 4u, 16u}) {
    options.threads = threads;
    EXPECT_TRUE(RunLines("\"n${a}\"", scopes, options) == want) << threads;
  }
}

}  // namespace
}  // namespace hcl::cmd
