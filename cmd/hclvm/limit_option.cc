// Tested by tests/cli_test.sh and cmd/hclvm-serve/serve_options_test.cc.

#include "hclvm/cmd/hclvm/limit_option.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

// One of the two members is null: limits are of two widths.
struct NamedLimit {
  std::string_view name;
  LimitSet of;  // kAll: of what is read and compiled before evaluations
  uint64_t Limits::*wide;
  uint32_t Limits::*narrow;
};

constexpr NamedLimit kLimits[] = {
    {"max_source_bytes", LimitSet::kAll, &Limits::max_source_bytes, nullptr},
    {"max_nesting_depth", LimitSet::kEvaluations, nullptr, &Limits::max_nesting_depth},
    {"max_diagnostics", LimitSet::kEvaluations, nullptr, &Limits::max_diagnostics},
    {"max_fuel", LimitSet::kEvaluations, &Limits::max_fuel, nullptr},
    {"max_compile_fuel", LimitSet::kAll, &Limits::max_compile_fuel, nullptr},
    {"max_prepared_bytes", LimitSet::kAll, &Limits::max_prepared_bytes, nullptr},
    {"max_output_bytes", LimitSet::kEvaluations, &Limits::max_output_bytes, nullptr},
    {"max_result_bytes", LimitSet::kEvaluations, &Limits::max_result_bytes, nullptr},
    {"max_number_digits", LimitSet::kEvaluations, nullptr, &Limits::max_number_digits},
};

// Deeper input than this could exhaust a default thread stack. It is the one limit that the command line bounds:
// raising the others costs time and memory, this one the process.
constexpr uint64_t kMaxNestingDepth = 2000;

}  // namespace

// The names are gathered on the way for the message about one that does not exist.
std::string SetLimit(std::string_view assignment, LimitSet of, Limits* limits) {
  const size_t equals = assignment.find('=');
  uint64_t value = 0;
  if (equals == std::string_view::npos || !absl::SimpleAtoi(ToAbsl(assignment.substr(equals + 1)), &value)) {
    return "expected NAME=NUMBER";
  }
  const std::string_view name = assignment.substr(0, equals);
  std::string names;
  for (const NamedLimit& limit : kLimits) {
    if (of == LimitSet::kEvaluations && limit.of != of) continue;
    absl::StrAppend(&names, names.empty() ? "" : ", ", ToAbsl(limit.name));
    if (limit.name != name) continue;
    if (limit.narrow == &Limits::max_nesting_depth && value > kMaxNestingDepth) {
      return absl::StrCat("max_nesting_depth can be at most ", kMaxNestingDepth);
    }
    if (limit.narrow != nullptr && value > UINT32_MAX) return "the number is too large";
    if (limit.wide != nullptr) {
      limits->*limit.wide = value;
    } else {
      limits->*limit.narrow = static_cast<uint32_t>(value);
    }
    return "";
  }
  return absl::StrCat("no such limit; there are ", names);
}

}  // namespace hcl::cmd
