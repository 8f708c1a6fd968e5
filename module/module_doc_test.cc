// What a module declares, as Markdown.

#include "hclvm/module/module_doc.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

std::string DocOf(const std::vector<TestFile>& files) {
  std::string errors;
  const auto program = CompileFiles(files, &errors);
  return program == nullptr ? errors : internal::ModuleDoc(*program, "m");
}

TEST(ModuleDocTest, DescribesAModule) {
  const TestFile variables = {"a.hcl", R"(
variable "user" {
  description = "Who asks."
  type = object({
    name = string
    roles = list(string)
    team = optional(string, "none")
    address = optional(object({ street = string, town = string }))
  })
}
variable "limit" {
  type    = number
  default = 100
  validation {
    condition     = limit > 0 || limit ==   -1
    error_message = "A limit is positive, and not ${limit}."
  }
}
variable "token" {
  type      = object({ key = optional(string, "hunter1") })
  default   = { key = "hunter2" }
  sensitive = true
  nullable  = true
}
variable "region" {
  type    = string
  default = null
}
variable "session" {
  type       = string
  ephemeral  = true
  deprecated = "Use token."
}
)"};
  const TestFile policy = {"b.hcl", R"(
locals {
  is_admin = contains(user.roles, "admin") || user.name == "root"
  levels   = { low = 1 }
}
function "within" {
  params         = [n, low]
  variadic_param = more
  result         = n >= low
}
function "none" {
  params = []
  result = 0
}
allow = local.is_admin
rule "a|b" {
  when = within(limit, none())
}
version = 3
)"};
  EXPECT_EQ(DocOf({variables, policy}), R"(# m

## Variables

### `user`

Who asks.

```hcl
object({
  address = optional(object({ street = string, town = string }))
  name    = string
  roles   = list(string)
  team    = optional(string, "none")
})
```

- must be given

### `limit`

- type: `number`
- default: `100`
- must meet `limit > 0 || limit == -1`, otherwise: `"A limit is positive, and not ${limit}."`

### `token`

- type: `object({ key = optional(string, ...) })`
- has a default, which is not shown
- may be null
- sensitive: messages do not show it

### `region`

- type: `string`
- default: `null`
- may be null

### `session`

- type: `string`
- must be given
- ephemeral: messages do not show it
- deprecated: Use token.

## Locals

| local | value |
|---|---|
| `local.is_admin` | `contains(user.roles, "admin") \|\| user.name == "root"` |
| `local.levels` | `{ low = 1 }` |

## Functions

- `within(n, low, more...)`
- `none()`

## Entries

| entry | needs |
|---|---|
| `allow` | `user` |
| `version` | |
| `rule.a\|b.when` | `limit` |
)");
}

// Labels and keys are what others have chosen: a line of a table stays one, and terminals get no commands.
TEST(ModuleDocTest, HasNoControls) {
  const std::string doc = DocOf({{"a.hcl", R"(
variable "x" {
  description = "One\u001b[31m\nTwo"
}
b "one\ntwo" "\u009b2J" {
  c = x
}
)"}});
  EXPECT_NE(doc.find("| `b.one two. 2J.c` | `x` |\n"), std::string::npos) << doc;
  EXPECT_NE(doc.find("One [31m\nTwo\n"), std::string::npos) << doc;
}

TEST(ModuleDocTest, DescribesJson) {
  const std::string json =
      "{\"variable\": {\"a\": {\"type\": \"list(any)\", \"default\": [\"`\"]}}, \"locals\": {\"l\": "
      "\"${length(a)}\"},\n"
      " \"x\": \"${local.l}\"}";
  EXPECT_EQ(DocOf({{"a.hcl.json", json}}),
            "# m\n\n## Variables\n\n### `a`\n\n- type: `list(any)`\n- default: `` [\"`\"] ``\n\n## Locals\n\n"
            "| local | value |\n|---|---|\n| `local.l` | `\"${length(a)}\"` |\n\n"
            "## Entries\n\n| entry | needs |\n|---|---|\n| `x` | `a` |\n");
}

TEST(ModuleDocTest, LeavesOutWhatThereIsNot) {
  EXPECT_EQ(DocOf(OneFile("")), "# m\n");
  EXPECT_EQ(DocOf(OneFile("x = 1")), "# m\n\n## Entries\n\n| entry | needs |\n|---|---|\n| `x` | |\n");
}

TEST(ModuleDocTest, DescribesPlainConfigs) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("c.hcl", "x = a + b\ny = 1\n");
  const auto program = CompileConfig(source, {}, &diagnostics);
  EXPECT_EQ(internal::ModuleDoc(*program, "c.hcl"),
            "# c.hcl\n\n## Variables\n\n- `a`\n- `b`\n\n## Entries\n\n| entry |\n|---|\n| `x` |\n| `y` |\n");
}

}  // namespace
}  // namespace hcl
