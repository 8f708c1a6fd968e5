#include "hclvm/lsp/documents/settings.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace hcl::lsp {
namespace {

TEST(SettingsTest, Reads) {
  std::vector<std::string> complaints;
  const Settings settings =
      ReadSettings(Json::parse(R"({"strict": true, "typeHints": false, "dialect": "hashicorp", "functions": "f.json",
                      "request": {"file": "r.ndjson", "line": 7},
                      "specs": [{"files": "*.svc.hcl", "spec": "svc.hcldec"}]})"),
                   &complaints);
  EXPECT_TRUE(complaints.empty());
  EXPECT_TRUE(settings.strict);
  EXPECT_FALSE(settings.type_hints);
  EXPECT_TRUE(settings.is_hashicorp);
  EXPECT_EQ(settings.functions, "f.json");
  EXPECT_EQ(settings.request_file, "r.ndjson");
  EXPECT_EQ(settings.request_line, 7u);
  ASSERT_EQ(settings.specs.size(), 1u);
  EXPECT_EQ(settings.specs[0].spec, "svc.hcldec");
}

TEST(SettingsTest, SaysWhatIsWrong) {
  struct Case {
    std::string_view text;
    std::string expected;
  };
  const Case cases[] = {
      {"null", ""},
      {"{}", ""},
      {R"({"request": null})", ""},
      {"3", "The settings must be an object."},
      {R"({"strct": true})", "There is no setting \"strct\"."},
      {R"({"strict": 1, "functions": 2})", "functions must be a text. strict must be true or false."},
      {R"({"dialect": "x"})", "dialect must be \"spec\" or \"hashicorp\"."},
      {R"({"request": {"line": 1}})", "request must be an object with a file and a line, which counts from 1."},
      {R"({"request": {"file": "r", "line": 0}})",
       "request must be an object with a file and a line, which counts from 1."},
      {R"({"specs": {}})", "specs must be a list of objects with files and spec."},
      {R"({"specs": [1]})", "specs must be a list of objects with files and spec."},
  };
  for (const Case& c : cases) {
    std::vector<std::string> complaints;
    ReadSettings(Json::parse(c.text), &complaints);
    EXPECT_EQ(absl::StrJoin(complaints, " "), c.expected) << c.text;
  }
}

}  // namespace
}  // namespace hcl::lsp
