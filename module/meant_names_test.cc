// Names of attributes and blocks where a variable is read.

#include "hclvm/module/meant_names.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

std::string Error(const char* place, const char* name, const char* rest = "") {
  return absl::StrCat(place, " HCL3101 The module declares no variable \"", name, "\".", rest, "\n");
}

std::string Attribute(const char* place, const char* name, const char* where) {
  return Error(place, name,
               absl::StrCat(" An attribute of this name is ", where,
                            ", but attributes do not read each other: name its value in a locals block, locals { ",
                            name, " = ... }, and read local.", name, " in both places.")
                   .c_str());
}

std::string Block(const char* place, const char* name, const char* where) {
  return Error(place, name,
               absl::StrCat(" A block of this name is ", where,
                            ", but expressions do not read blocks: name the value in a locals block, and read "
                            "local.NAME in both places.")
                   .c_str());
}

TEST(MeantNamesTest, SaysWhatTheNameIs) {
  struct Case {
    const char* text;
    std::string errors;
  };
  for (const auto& [text, errors] : std::vector<Case>{
           {"a = 1\nb = a + 1", Attribute("m.hcl:2:5", "a", "on line 1")},
           {"b = a + 1\na = 1", Attribute("m.hcl:1:5", "a", "on line 2")},
           {"a = 1\nb = var.a", Attribute("m.hcl:2:5", "a", "on line 1")},
           {"a = 1\nb = var[\"a\"]", Attribute("m.hcl:2:5", "a", "on line 1")},
           {"a = {}\nb = a.c", Attribute("m.hcl:2:5", "a", "on line 1")},
           {"a = {}\nb = [for x in a : x]", Attribute("m.hcl:2:15", "a", "on line 1")},
           {"a = 1\nb = \"x${a}\"", Attribute("m.hcl:2:9", "a", "on line 1")},
           {"\u00e9 = 1\nb = e\u0301", Attribute("m.hcl:2:5", "\u00e9", "on line 1")},
           {"e\u0301 = 1\nb = \u00e9", Attribute("m.hcl:2:5", "\u00e9", "on line 1")},
           {"a = 1\nlocals {\n  b = a\n}\nc = local.b", Attribute("m.hcl:3:7", "a", "on line 1")},
           {"a = 1\nrule {\n  b = a\n}", Attribute("m.hcl:3:7", "a", "on line 1")},
           {"a = 1\nrule {\n  b = a\n  a = 2\n}", Attribute("m.hcl:3:7", "a", "on line 4")},
           {"rule \"x\" {\n  a = 1\n}\nb = rule.x.a", Block("m.hcl:4:5", "rule", "on line 1")},
           {"rule \"x\" {\n  a = rule.y.a\n}\n", Block("m.hcl:2:7", "rule", "on line 1")},
           // The name of a variable is nearer, and not what is meant.
           {"variable \"limits\" {}\nlimit = limits\nb = limit", Attribute("m.hcl:3:5", "limit", "on line 2")},
       }) {
    EXPECT_EQ(ErrorsOf(OneFile(text)), errors) << text;
  }
}

TEST(MeantNamesTest, LeavesOtherErrors) {
  struct Case {
    const char* text;
    std::string errors;
  };
  for (const auto& [text, errors] : std::vector<Case>{
           {"a = a", Error("m.hcl:1:5", "a")},                      // a variable is meant
           {"rule {\n  a = 1\n}\nb = a", Error("m.hcl:4:5", "a")},  // of another body
           {"a = 1\nb = c.a", Error("m.hcl:2:5", "c")},             //
           {"a = 1\nlocals {\n  a = 1\n}\nb = var.a + local.a",     //
            Error("m.hcl:5:5", "a", " There is a local of this name: local.a.")},
       }) {
    EXPECT_EQ(ErrorsOf(OneFile(text)), errors) << text;
  }
}

TEST(MeantNamesTest, NamesTheFile) {
  EXPECT_EQ(ErrorsOf({{"a.hcl", "a = 1"}, {"b.hcl", "b = a"}}), Attribute("b.hcl:1:5", "a", "at a.hcl line 1"));
  EXPECT_EQ(ErrorsOf({{"a.hcl.json", "{\"a\": 1,\n\"b\": \"${a}\"}"}}), Attribute("a.hcl.json:2:9", "a", "on line 1"));
}

}  // namespace
}  // namespace hcl
