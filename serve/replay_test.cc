// Decisions of a log, decided again.

#include "hclvm/serve/replay.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::serve {
namespace {

std::string Report(const std::vector<std::string>& lines, bool partial = false) {
  BundleOptions options;
  options.compile.functions = StandardFunctions();
  BundleFailure failure;
  const auto bundle = CompileBundle({{"p/x.hcl", R"(
variable "n" {
  type = number
}
variable "s" {
  default = null
  nullable = true
}
variable "key" {
  default   = "k"
  sensitive = true
}
variable "brief" {
  default   = "k"
  ephemeral = true
}
key   = { k = key, n = n }
brief = { k = nonsensitive(brief), n = n }
allow = n > 5
rule  = { allow = n > 5, rule = n > 5 ? "large" : "small" }
bad   = [5][n]
with  = "${s}"
)"}},
                                    options, nullptr, &failure);
  EXPECT_NE(bundle, nullptr) << failure.text;
  ReplayOptions replay_options;
  replay_options.limits = ServiceLimits();
  replay_options.partial = partial;
  Replay replay(bundle, nullptr, replay_options);
  for (const std::string& line : lines) replay.Add(line);
  return replay.Report();
}

TEST(ReplayTest, Compares) {
  EXPECT_EQ(Report({
                R"({"decision_id":"1","path":"p/allow","input":{"n":7},"result":true})",
                R"({"decision_id":"2","path":"p/allow","input":{"n":3},"result":true})",
                R"({"decision_id":"3","path":"p/allow","input":{"n":4},"result":true})",
                R"({"decision_id":"4","path":"p/rule","input":{"n":7},"result":{"rule":"large","allow":true}})",
                R"({"decision_id":"5","path":"p/rule","input":{"n":3},"result":{"allow":true,"rule":"any"}})",
                R"({"decision_id":"6","path":"p/none","input":{},"result":1})",
                R"({"decision_id":"7","path":"p/bad","input":{"n":1},"error":[]})",
                R"({"decision_id":"8","path":"p/bad","input":{"n":1},"result":1})",
                R"({"decision_id":"9","path":"p/bad","input":{"n":0},"error":[]})",
            }),
            "9 decisions: 3 the same, 6 changed\n"
            "\n"
            "p/allow\n"
            "       2  true -> false  (2)\n"
            "\n"
            "p/bad\n"
            "       1  1 -> error HCL4305  (8)\n"
            "       1  error -> 5  (9)\n"
            "\n"
            "p/none\n"
            "       1  1 -> no such entry  (6)\n"
            "\n"
            "p/rule\n"
            "       1  any -> small  (5)\n");
}

// Sensitive parts of a result are neither in the log nor compared.
TEST(ReplayTest, ComparesWhatIsShown) {
  for (const char* entry : {"key", "brief"}) {
    const std::string begin = absl::StrCat("{\"path\":\"p/", entry, R"(","input":{"n":7},"erased":[)");
    const std::string report = Report({
        absl::StrCat(begin, "\"/", entry, R"(","result/k"],"result":{"k":null,"n":7}})"),
        begin + R"("result/k"],"result":{"k":null,"n":7}})",
        begin + R"("result/k"],"result":{"k":null,"n":8}})",
    });
    EXPECT_EQ(report.substr(0, 36), "3 decisions: 2 the same, 1 changed\n\n") << entry;
  }
}

// What masks leave out of a result is not known to be the same.
TEST(ReplayTest, PassesOverMaskedResults) {
  EXPECT_EQ(Report({
                R"({"path":"p/allow","input":{"n":7},"erased":["result/headers/cookie"],"result":{"headers":{}}})",
                R"({"path":"p/allow","input":{"n":7},"masked":["result/name"],"result":{"name":"***"}})",
            }),
            "0 decisions: 0 the same, 0 changed; 2 not decided again, as parts of their inputs are not there\n");
}

TEST(ReplayTest, KnowsWhatIsMissing) {
  const std::vector<std::string> lines = {
      R"({"path":"p/allow","input":{"n":7},"erased":["/s"],"result":true})",
      R"({"path":"p/allow","input":{},"erased":["/n"],"result":true})",
      R"({"path":"p/allow","input":{"n":7},"erased":["/s/x"],"result":true})",
      R"({"path":"p/allow","input":{"n":7,"s":"***"},"masked":["/s"],"result":true})",
  };
  EXPECT_EQ(Report(lines),
            "1 decision: 1 the same, 0 changed; 3 not decided again, as parts of their inputs are not there\n");
  EXPECT_EQ(Report(lines, /*partial=*/true),
            "3 decisions: 3 the same, 0 changed; 1 not decided again, as parts of their inputs are not there\n");
}

TEST(ReplayTest, PassesOverOtherLines) {
  EXPECT_EQ(Report({"", "x", "{}", "[]", R"({"path":1,"input":{},"result":1})", R"({"path":"p/allow","input":{"n":7}})",
                    R"({"path":"p/allow","input":{"n":7},"result":tr)"}),
            "0 decisions: 0 the same, 0 changed; 7 lines that are no decisions\n");
}

}  // namespace
}  // namespace hcl::serve
