// Exit statuses of a run over lines; what the lines give is tested in ndjson/.

#include "hclvm/cmd/hclvm/scope_runner.h"

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
  options.name = "scopes";
  std::FILE* input = FileWith(scopes);
  std::FILE* output = std::tmpfile();
  std::string error;
  const int status = RunScopes(Compile(expression), options, input, output, &error);
  std::string result = Contents(output) + "status " + std::to_string(status) + error;
  std::fclose(input);
  std::fclose(output);
  return result;
}

TEST(ScopeRunnerTest, TheStatusIsThatOfTheLines) {
  EXPECT_EQ(RunLines("a + 1", ""), "status 0");
  EXPECT_EQ(RunLines("a + 1", "{\"a\": 1}\n{\"a\": 2}\n"), "{\"value\":2}\n{\"value\":3}\nstatus 0");
  const std::string bad = RunLines("a", "{\"a\": 1}\n{\n{\"a\": 3}\n");
  EXPECT_NE(bad.find("{\"value\":3}\nstatus 1"), std::string::npos) << bad;
  RunOptions options;
  options.limits.max_source_bytes = 10;
  const std::string limit = RunLines("a", "{}\n{\"a\": \"a long text\"}\n", options);
  EXPECT_NE(limit.find("status 3"), std::string::npos) << limit;
}

TEST(ScopeRunnerTest, AnswersInAnArray) {
  RunOptions options;
  options.json_array = true;
  EXPECT_EQ(RunLines("a", "", options), "[]\nstatus 0");
  EXPECT_EQ(RunLines("a", "{\"a\": 1}\n", options), "[\n{\"value\":1}\n]\nstatus 0");
  EXPECT_EQ(RunLines("a", "{\"a\": 1}\n{\"a\": \"\\n\"}\n", options),
            "[\n{\"value\":1},\n{\"value\":\"\\n\"}\n]\nstatus 0");
  const std::string bad = RunLines("a", "[\n{\"a\": 2}", options);
  EXPECT_EQ(bad.find("[\n{\"diagnostics\":["), 0u) << bad;
  EXPECT_NE(bad.find("]},\n{\"value\":2}\n]\nstatus 1"), std::string::npos) << bad;
}

TEST(ScopeRunnerTest, OutputThatIsLostIsAnError) {
  std::FILE* const input = FileWith("{\"a\": 1}\n");
  std::FILE* const full = std::fopen("/dev/full", "wb");
  ASSERT_NE(full, nullptr);
  RunOptions options;
  options.quiet = true;
  std::string error;
  EXPECT_EQ(RunScopes(Compile("a"), options, input, full, &error), 1);
  EXPECT_EQ(error, "cannot write the output");
  std::fclose(input);
  std::fclose(full);
}

}  // namespace
}  // namespace hcl::cmd
