#include "hclvm/lsp/features/inlay_hints.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

std::string HintsOf(Json settings, int first, int last) {
  Replay client(std::move(settings));
  client.Open("r.ndjson", "{\"user\":{\"name\":\"ann\"}}\n");
  client.Open("v.hcl", "variable \"user\" {\n  type = object({ name = string })\n}\n");
  client.Open("a.hcl", "locals {\n  n = user.name\n}\nx = local.n == \"ann\"\nb {\n  y = [local.n]\n}\n");
  const Json range = {{"start", {{"line", first}, {"character", 0}}}, {"end", {{"line", last}, {"character", 0}}}};
  std::string text;
  for (const Json& hint : client.Ask("textDocument/inlayHint", "a.hcl", {{"range", range}})) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", hint["position"]["line"].get<int>(), ":",
                    hint["position"]["character"].get<int>(), TextAt(hint, "label"));
  }
  return text;
}

TEST(InlayHintsTest, ShowsTypesAndValues) {
  EXPECT_EQ(HintsOf(nullptr, 0, 9), "1:3: string; 3:1: bool; 5:3: tuple([string])");
  EXPECT_EQ(HintsOf(nullptr, 3, 4), "3:1: bool");
  EXPECT_EQ(HintsOf({{"typeHints", false}}, 0, 9), "");
  EXPECT_EQ(HintsOf({{"typeHints", false}, {"request", {{"file", "r.ndjson"}}}}, 0, 9),
            "1:15 = \"ann\"; 3:20 = true; 5:15 = [\"ann\"]");
}

}  // namespace
}  // namespace hcl::lsp
