// hclvm functions: the function library. Tested by tests/cli_test.sh; its output as Markdown is docs/functions.md.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/function_text.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

// Every function with the first sentence about it. A form that is wider than the column has its sentence behind it, as
// wrapping would make two lines of one function.
std::string List() {
  constexpr size_t kColumn = 48;
  std::string out;
  for (FunctionFamily family : kFunctionFamilies) {
    absl::StrAppend(&out, out.empty() ? "" : "\n", ToAbsl(FamilyName(family)), ":\n");
    for (const FunctionRecord& record : RecordsOf(family)) {
      const std::string form = CallForm(record);
      const std::string padding = form.size() < kColumn ? std::string(kColumn - form.size(), ' ') : "  ";
      const size_t end = record.summary.find(". ");
      absl::StrAppend(&out, "  ", form, padding, ToAbsl(record.summary.substr(0, end)),
                      end == std::string_view::npos ? "" : ".", "\n");
    }
  }
  return out;
}

// Text in a cell of a table.
std::string Cell(std::string_view text) {
  return absl::StrReplaceAll(ToAbsl(text), {{"|", "\\|"}, {"<", "&lt;"}, {"*", "\\*"}});
}

// What stands before the tables of docs/functions.md.
constexpr std::string_view kIntroduction =
    R"(# Functions

Made by `hclvm functions --output markdown`; a test compares the two. `hclvm functions NAME` shows one function. A host
offers all of them (`StandardFunctions()`), one family (`StringFunctions()` ...) or several (`RegisterFamily()`).

Unless said otherwise a null argument is an error, an unknown one makes the result unknown, and marks go from the
arguments to the result. Results are the same for the same arguments: no function reads a clock or a file. A host
that has a "now" binds it as a variable, an RFC 3339 timestamp, for `timecmp` and `timeadd`. Calls with constant
arguments are made while compiling; constant patterns, formats, types, networks, times and conditions on versions are
read once for each call in a program. What a call may allocate and how long it may work is bounded by `max_result_bytes`
and `max_fuel`.

A function means what go-cty's library means by its name, where that has it, and otherwise what Terraform documents.
These differ:

- `replace` takes a part in slashes as a pattern, as Terraform does, but `//` as text.
- `jsondecode` and `yamldecode` refuse an object in which a name is given twice.
- Timestamps are strictly those of RFC 3339, addresses are without leading zeros, base64 is without blanks.
- `alltrue` is false when an element is false, also behind an unknown one; `reverse` of a set with unknown elements is
  unknown.
- `crc32` gives a number.
- The default of `lookup` may be null, unknown or left out, as in Terraform; the value of `contains` may be null.

## If you come from Terraform

These functions have Terraform's names, and differ from it:

| | here | in Terraform |
|---|---|---|
| `coalesce("", "x")` | `""`: only nulls are passed over | `"x"` |
| `length("abc")` | an error: `strlen("abc")` is 3 | 3 |
| `length({a = 1})` | an error for objects, though not for maps: `length(keys({a = 1}))` is 1 | 1 |
| `index(["a", "b"], "b")` | an error: it gives the element at an index or key, as `["a", "b"][1]` does | 1 |
| `type(1)` | `"number"`, a string, everywhere | a type, in its console only |
| `templatestring(t, vars)` | `t` may be any text; a variable that `vars` lacks is an error where it is read | `t` must be a reference; the same is always an error |
| `base64gzip("x")` | other bytes, which unpack to the same text | |

Functions whose results differ from call to call, or that read files or clocks, are not here: the table at the end of
this page has all of Terraform's, OpenTofu's and Terraform policy's. Only here are `crc32`, `globmatch`, `hasindex`,
`int`, `regexreplace`, `setsymmetricdifference` and `strlen`.

A function of a host may also be called as `core::NAME`, as those call their own: `core::upper(s)` is `upper(s)`.
Functions that a module defines have their name alone.
)";

// What stands before the table of others' functions.
constexpr std::string_view kForeign = R"(
## Theirs and ours

The lists of Terraform 1.15, OpenTofu 1.13 and Terraform policy 0.3, which offers most of Terraform's functions besides
its own. What has the same name here means the same, but for what "If you come from Terraform" says. OpenTofu differs in
two points: there, `assumenotnull` of a value without a type is an error, and a list that is known not to be null and to
have one length is a list of unknown elements. Here the list stays unknown and its length is known.

| function | Terraform | OpenTofu | Terraform policy | here |
|---|---|---|---|---|
)";

// docs/functions.md is this, byte for byte, and a test compares the two.
std::string Markdown() {
  std::string out(kIntroduction);
  for (FunctionFamily family : kFunctionFamilies) {
    std::string name(FamilyName(family));
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    absl::StrAppend(&out, "\n## ", name, "\n\n| function | result | |\n|---|---|---|\n");
    for (const FunctionRecord& record : RecordsOf(family)) {
      std::string parameters;
      for (std::string_view p : ParametersOf(record))
        absl::StrAppend(&parameters, parameters.empty() ? "" : ", ", ToAbsl(p));
      absl::StrAppend(&out, "| `", ToAbsl(record.name), "(", parameters, ")` | ", Cell(record.result), " | ",
                      Cell(record.summary), "<br>`", ToAbsl(record.example), "` = `", ToAbsl(record.example_value),
                      "` |\n");
    }
  }
  out += kForeign;
  for (const ForeignFunction& function : ForeignFunctions()) {
    const auto mark = [&](char user) { return function.users.find(user) == std::string_view::npos ? "" : "yes"; };
    absl::StrAppend(&out, "| `", ToAbsl(function.name), "` | ", mark('T'), " | ", mark('O'), " | ", mark('P'), " | ",
                    function.why.empty() ? "yes" : absl::StrCat("no: ", ToAbsl(function.why)), " |\n");
  }
  return out;
}

}  // namespace

// Nothing is printed when one of the names is wrong: half an answer would hide the mistake above it.
int FunctionsCommand(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kName = "functions";
  bool markdown = false;
  bool json = false;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--output",
       [&](std::string_view v) {
         markdown = v == "markdown";
         json = v == "json";
         return markdown || json || v == "text" ? "" : "expected text, markdown or json";
       }},
  };
  std::vector<std::string_view> names;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &names, &status)) return status;
  std::string out = json            ? DescribeFunctions(*StandardFunctions())
                    : markdown      ? Markdown()
                    : names.empty() ? List()
                                    : "";
  for (std::string_view name : names) {
    FunctionFamily family;
    const FunctionRecord* record = FindRecord(internal::WithoutCore(name), &family);
    if (record == nullptr) return Complain(kName, NoFunction(name), kInputError);
    absl::StrAppend(&out, out.empty() ? "" : "\n", Describe(*record, family));
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

}  // namespace hcl::cmd
