#include "hclvm/vm/functions/version_functions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Compared(std::string_view a, std::string_view b) {
  return CallForTest("semvercmp", absl::StrCat("[\"", std::string(a), "\", \"", std::string(b), "\"]"));
}

// Each version comes before all that follow: the order of semver.org's own example is among them.
TEST(VersionFunctionsTest, Order) {
  constexpr std::string_view kInOrder[] = {
      "0.0.0-0",
      "0.0.0",
      "0.0.1",
      "0.9.9",
      "1.0.0-1",
      "1.0.0-2",
      "1.0.0-10",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.0.1",
      "1.2",
      "1.2.3",
      "1.10.0",
      "2.0.0-0",
      "2.0.0",
      "99999999999999999999.0.0",
      "100000000000000000000.0.0",
  };
  for (size_t a = 0; a < std::size(kInOrder); ++a) {
    for (size_t b = 0; b < std::size(kInOrder); ++b) {
      const std::string want = a < b ? "\"number\" -1" : a == b ? "\"number\" 0" : "\"number\" 1";
      EXPECT_EQ(Compared(kInOrder[a], kInOrder[b]), want) << kInOrder[a] << " " << kInOrder[b];
    }
  }
}

TEST(VersionFunctionsTest, WhatDoesNotCount) {
  constexpr std::string_view kEqual[][2] = {
      {"1.2.3", "v1.2.3"},        {"1.2", "1.2.0"},      {"1", "1.0.0.0"},
      {"1.2.3+a.b-c", "1.2.3+d"}, {"01.002.3", "1.2.3"}, {"1.2.3-rc.01", "1.2.3-rc.1"},
  };
  for (const auto& [a, b] : kEqual) EXPECT_EQ(Compared(a, b), "\"number\" 0") << a << " " << b;
}

TEST(VersionFunctionsTest, NoVersions) {
  for (const char* text : {"", "v", "a", "1.", ".1", "1..2", "1.2.x", "1.2.3-", "1.2.3+", "1.2.3-a..b", "1.2.3-a_b",
                           " 1.2.3", "1.2.3 ", "1.2.3\\n", "-1.2.3", "1,2", "V1.2", "1.2.3+a+b", "1.2.3-\u00e9"}) {
    EXPECT_EQ(Compared(text, "1.0.0"), "error in argument 0: a version is required, such as 1.2.3 or 2.0.0-rc.1")
        << text;
    EXPECT_EQ(Compared("1.0.0", text), "error in argument 1: a version is required, such as 1.2.3 or 2.0.0-rc.1")
        << text;
  }
}

struct ConstraintCase {
  const char* constraint;
  const char* meet;  // separated by blanks
  const char* do_not_meet;
};

void ExpectAll(std::string_view constraint, std::string_view versions, const char* want) {
  while (!versions.empty()) {
    const std::string version(versions.substr(0, versions.find(' ')));
    versions.remove_prefix(std::min(versions.size(), version.size() + 1));
    EXPECT_EQ(CallForTest("semverconstraint", absl::StrCat("[\"", version, "\", \"", std::string(constraint), "\"]")),
              absl::StrCat("\"bool\" ", want))
        << version << " " << constraint;
  }
}

TEST(VersionFunctionsTest, Constraints) {
  const ConstraintCase kCases[] = {
      {"1.2.3", "1.2.3 v1.2.3 1.2.3+b", "1.2.4 1.2 1.2.3-rc"},
      {"= 1.2", "1.2 1.2.0", "1.2.1"},
      {"!= 1.2.3", "1.2.4 1.2.3-rc 0.1", "1.2.3"},
      {"> 1.2.3", "1.2.4 2 10.0", "1.2.3 1.2.2 1.2.4-rc 2.0.0-rc"},
      {">= 1.2.3", "1.2.3 1.3", "1.2.2 1.3.0-rc"},
      {"< 2.0.0", "1.9.9 0", "2.0.0 2.0.0-rc 1.0.0-rc"},
      {"<= 2.0.0", "2.0.0 1", "2.0.1 2.0.0-rc"},
      {">= 1.0.0-beta", "1.0.0-beta 1.0.0-rc 1.0.0 2.0", "1.0.0-alpha 1.0.1-rc 0.9"},
      {"~> 1", "1 1.9.9 2 3.1", "0.9"},
      {"~> 1.2", "1.2 1.2.7 1.9", "1.1.9 2.0 1.5.0-rc"},
      {"~> 1.2.3", "1.2.3 1.2.10 1.2.3.4", "1.2.2 1.3.0 2"},
      {"~> 1.2.3-beta", "1.2.3-beta 1.2.3-rc", "1.2.3-alpha 1.2.3 1.2.4-rc"},
      {">= 1.2.0, < 2.0.0", "1.2.0 1.9", "1.1 2.0"},
      {">=1.2.0,<2.0.0 , != 1.5", "1.2.0 1.5.1", "1.5.0 2.0"},
      {"  >=\\t1.2 ", "1.2", "1.1"},
  };
  for (const ConstraintCase& row : kCases) {
    ExpectAll(row.constraint, row.meet, "true");
    ExpectAll(row.constraint, row.do_not_meet, "false");
  }
}

TEST(VersionFunctionsTest, NoConstraints) {
  for (const char* text : {"", " ", ",", "1.2,", ",1.2", ">", "> > 1", "=> 1.2", "~1.2", "^1.2", "1.x", "1.2 - 1.3",
                           ">= 1.2 < 2.0", "== 1.2", "1.2 || 1.3"}) {
    // Also where the first condition has decided.
    for (const char* before : {"", "< 0,"}) {
      EXPECT_EQ(
          CallForTest("semverconstraint", absl::StrCat("[\"1.2.3\", \"", before, text, "\"]")),
          "error in argument 1: conditions on a version are required, such as \">= 1.2.0, < 2.0.0\" or \"~> 1.4\"")
          << before << text;
    }
  }
}

// Constant conditions are read once; what is wrong with them is reported all the same, for the same fuel.
TEST(VersionFunctionsTest, PreparedConditionsGiveWhatOthersGive) {
  const Function& function = *StandardFunctions()->Find("semverconstraint");
  for (const char* conditions : {">= 1.2.0, < 2.0.0", "~> 1.4", "1.2.3.4.5.6.7", "> 1,", "", "one"}) {
    for (const char* version : {"1.4.0", "1.2.0-rc", "1.2.3.4.5.6.7", "3", "no version"}) {
      std::string said[2];
      for (const bool is_prepared : {false, true}) {
        Heap heap;
        const Value arguments[] = {Value::StringView(version), Value::StringView(conditions)};
        FunctionCall preparing(function, &heap);
        const Prepared prepared = is_prepared ? function.prepare(&preparing, {nullptr, &arguments[1]}) : Prepared();
        EXPECT_FALSE(preparing.failed());
        EXPECT_EQ(prepared.state != nullptr,
                  is_prepared && std::string_view(conditions).find_first_of("~<7") != std::string_view::npos);
        Fuel fuel(1000);
        FunctionCall call(function, &heap, &fuel, prepared.state.get());
        const Value value = InvokeFunction(&call, arguments);
        said[is_prepared ? 1 : 0] = absl::StrCat(call.failed()     ? call.message()
                                                 : value.is_true() ? "true"
                                                                   : "false",
                                                 " ", fuel.left());
      }
      EXPECT_EQ(said[0], said[1]) << version << " " << conditions;
    }
  }
}

TEST(VersionFunctionsTest, ArgumentsAndLimits) {
  CheckFunctionCases({
      {"semvercmp", "[null, \"1\"]", "error in argument 0: the argument must not be null"},
      {"semvercmp", R"(["1", {"type": "string", "value": {"$unknown": "string"}}])", "\"number\" {..."},
      {"semverconstraint", "[\"1\", null]", "error in argument 1: the argument must not be null"},
      {"semverconstraint", R"(["1", {"type": "string", "value": {"$unknown": "string"}}])", "\"bool\" {..."},
      {"semvercmp", "[1.5, \"1.5\"]", "\"number\" 0"},
  });
  Limits limits;
  limits.max_fuel = 100;
  std::string many;
  for (int n = 0; n < 100; ++n) many += "!= 1, ";
  EXPECT_EQ(CallForTest("semverconstraint", absl::StrCat("[\"2\", \"", many, "!= 1\"]"), limits),
            "limit: the call needs more steps than are allowed (limit max_fuel)");
}

}  // namespace
}  // namespace hcl
