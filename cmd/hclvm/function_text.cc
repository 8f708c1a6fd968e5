// Functions of the library as texts for people. Tested by tests/cli_test.sh.

#include "hclvm/cmd/hclvm/function_text.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::cmd {

using internal::ToAbsl;

std::vector<std::string_view> ParametersOf(const FunctionRecord& record) {
  std::vector<std::string_view> parameters;
  std::string_view rest = record.parameters;
  while (!rest.empty()) {
    const std::string_view first = rest.substr(0, rest.find("; "));
    parameters.push_back(first);
    rest = rest.size() == first.size() ? std::string_view() : rest.substr(first.size() + 2);
  }
  return parameters;
}

// Everything comes from the record, whose example a test evaluates: there is no second text that could be out of date.
std::string Describe(const FunctionRecord& record, FunctionFamily family) {
  std::string out =
      absl::StrCat(CallForm(record), "    (", ToAbsl(FamilyName(family)), ")\n\n", ToAbsl(record.summary), "\n\n");
  for (std::string_view parameter : ParametersOf(record)) absl::StrAppend(&out, "  ", ToAbsl(parameter), "\n");
  absl::StrAppend(&out, "  result: ", ToAbsl(record.result), "\n\n  ", ToAbsl(record.example), " = ",
                  ToAbsl(record.example_value), "\n");
  return out;
}

std::string NoFunction(std::string_view name) {
  const std::vector<std::string_view> names = StandardFunctions()->Names();
  const std::string_view nearest = NearestName(internal::WithoutCore(name), names);
  return absl::StrCat("there is no function \"", ToAbsl(name), "\"",
                      nearest.empty() ? "" : absl::StrCat("; did you mean \"", ToAbsl(nearest), "\"?"));
}

}  // namespace hcl::cmd
