#include "hclvm/workbench/request_log.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "zlib.h"

namespace hcl::internal {
namespace {

std::string PathOf(const char* name) { return testing::TempDir() + "/" + name; }

void Write(const std::string& path, const std::string& text, bool compressed) {
  const gzFile file = gzopen(path.c_str(), compressed ? "wb" : "wbT");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

std::vector<std::string> LinesOf(const std::string& path, absl::Status* status, size_t max_bytes = 1 << 22) {
  RequestLog log(path, max_bytes);
  std::vector<std::string> lines;
  std::string line;
  while (log.Next(&line)) lines.push_back(line);
  *status = log.status();
  return lines;
}

TEST(RequestLog, PlainAndCompressed) {
  const std::string big(3 << 20, 'x');
  const std::string text = "{}\n\n  \n{\"a\":1}\r\n" + big + "\nlast";
  for (const bool compressed : {false, true}) {
    const std::string path = PathOf(compressed ? "log.gz" : "log");
    Write(path, text, compressed);
    absl::Status status;
    EXPECT_EQ(LinesOf(path, &status), (std::vector<std::string>{"{}", "{\"a\":1}", big, "last"}));
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(LinesOf(path, &status, 1 << 20).size(), 2u);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  }
}

TEST(RequestLog, WhatCannotBeRead) {
  absl::Status status;
  EXPECT_TRUE(LinesOf(PathOf("no such file"), &status).empty());
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  const std::string path = PathOf("cut.gz");
  Write(path, std::string(100'000, 'a') + "\n" + std::string(100'000, 'b'), /*compressed=*/true);
  std::FILE* const file = std::fopen(path.c_str(), "rb+");
  ASSERT_EQ(0, truncate(path.c_str(), 100));
  std::fclose(file);
  LinesOf(path, &status);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status.ToString();
}

TEST(RequestLog, Requests) {
  const struct {
    const char* line;
    const char* result;
  } rows[] = {
      {R"({"user": 1})", "scope"},
      {R"({"decision_id": "d", "path": "m/a.b", "input": {"user": 1}})", "decision d m/a.b"},
      {R"({"decision_id": "d", "path": "a", "input": {}, "erased": ["/user"]})", "decision d a partial"},
      {R"({"decision_id": "d", "path": "a", "input": null, "erased": [""]})", "no input"},
      // Variables may have these names.
      {R"({"path": "a", "input": {}})", "scope"},
      {"[]", "no object"},
      {"{", "no JSON"},
  };
  for (const auto& row : rows) {
    Heap heap;
    JsonReader reader;
    LoggedRequest request;
    std::string error, result;
    const bool ok = ReadRequest(row.line, &reader, &heap, &request, &error);
    if (!ok) {
      result = error.find("no input") != std::string::npos    ? "no input"
               : error.find("an object") != std::string::npos ? "no object"
                                                              : "no JSON";
    } else {
      result = !request.is_decision
                   ? "scope"
                   : "decision " + request.decision_id + " " + request.path + (request.is_partial ? " partial" : "");
    }
    EXPECT_EQ(result, row.result) << row.line << error;
  }
}

}  // namespace
}  // namespace hcl::internal
