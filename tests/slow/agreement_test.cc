// The virtual machine and the slow evaluator say the same, on random programs and on all small ones.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).
//
// The same: equal values of equal types, or errors of which the first is the same message about the same place. And
// values are what their types say, at every depth; but for the list that a splat makes of results of different types,
// for which there is no type (tests/slow/known_breaches.cc).

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/shrink.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/tests/well_typed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kRandomPrograms = 100'000;
constexpr size_t kMaxReports = 20;
constexpr size_t kMaxShrunk = 100;

struct Failure {
  std::string text;
  std::string message;
};

class AgreementTest : public ::testing::TestWithParam<Dialect> {
 protected:
  AgreementTest()
      : variables_(OptionsFor(GetParam())),
        slow_(GetParam()),
        optimized_(GetParam(), Code::kOptimized),
        general_(GetParam(), Code::kGeneral),
        unoptimized_(GetParam(), Code::kUnoptimized) {}

  static CompileOptions OptionsFor(Dialect dialect) {
    CompileOptions options;
    options.dialect = dialect;
    return options;
  }

  void Check(const std::string& text) {
    if (WhatIsWrongWith(text, /*counted=*/true).empty()) return;
    const auto shows = [this](const std::string& part) {
      return Parsed(part).ok() && !WhatIsWrongWith(part, /*counted=*/false).empty();
    };
    const std::string small = failures_.size() < kMaxShrunk ? Shrink(text, shows) : text;
    failures_.push_back({small, WhatIsWrongWith(small, /*counted=*/false)});
  }

  // How the sides differ about a program, or how its value differs from its type; nothing if they do not.
  std::string WhatIsWrongWith(const std::string& text, bool counted) {
    const Parsed parsed(text);
    if (!parsed.ok()) return PrintDiagnostics(parsed.diagnostics());
    const Outcome want = slow_.Evaluate(parsed, variables_.variables());
    if (counted) ++(want.ok() ? values_ : errors_);
    const struct {
      const char* name;
      FastSide* side;
    } kSides[] = {{"optimized", &optimized_}, {"general code", &general_}, {"not optimized", &unoptimized_}};
    for (const auto& [name, side] : kSides) {
      const Outcome got = side->Evaluate(parsed, variables_.variables());
      if (!Same(got, want)) return absl::StrCat(name, ": ", Print(got), "\n  slow: ", Print(want));
    }
    if (!want.ok() || slow_.doubts().mixed_splat) return "";  // known: a list of what differs in type
    const std::string wrong = WhatIsWrong(*want.value, &types_);
    return wrong.empty() ? "" : absl::StrCat(wrong, "\n  ", Print(want));
  }

  // Reports the shortest programs that failed.
  void Report() {
    std::sort(failures_.begin(), failures_.end(),
              [](const Failure& a, const Failure& b) { return a.text.size() < b.text.size(); });
    for (size_t n = 0; n < failures_.size() && n < kMaxReports; ++n) {
      ADD_FAILURE() << failures_[n].text << "\n  " << failures_[n].message;
    }
    EXPECT_EQ(failures_.size(), 0) << "of " << values_ << " programs with values, " << errors_ << " with errors";
  }

  Harness variables_;
  SlowSide slow_;
  FastSide optimized_;
  FastSide general_;
  FastSide unoptimized_;
  TypeTable types_;
  std::vector<Failure> failures_;
  int values_ = 0;
  int errors_ = 0;
};

TEST_P(AgreementTest, RandomPrograms) {
  Generator generator(TestSeed());
  for (uint64_t n = TestPrograms(kRandomPrograms); n > 0; --n) {
    Check(generator.Next());
  }
  Report();
  // The generator is worth its time only while most programs have a value.
  EXPECT_GT(values_, errors_) << values_ << " values, " << errors_ << " errors";
}

// All programs of a small grammar: X, Y and Z stand for what is put together.
constexpr const char* kLeaves[] = {"1",   "\"a\"", "true", "null", "nulls", "un",    "ub",
                                   "dyn", "ls",    "ul",   "o",    "lu",    "nosuch"};
constexpr const char* kUnary[] = {"-X",
                                  "!X",
                                  "\"${X}\"",
                                  "\"x${X}\"",
                                  "[X]",
                                  "{a = X}",
                                  "X[*]",
                                  "X.*.a",
                                  "X.a",
                                  "X[0]",
                                  "try(X, 1)",
                                  "can(X)",
                                  "length(X)",
                                  "upper(X)",
                                  "try(X...)",
                                  "[for v in X : v]",
                                  "[for k, v in X : k == v]",
                                  "{for v in X : v => v}",
                                  "\"%{ if X }a%{ endif }\"",
                                  "\"%{ for v in X }${v}%{ endfor }\"",
                                  "contains([\"a\", true], X)",
                                  "[for v in X : v if v]"};
constexpr const char* kBinary[] = {"X + Y",
                                   "X == Y",
                                   "X < Y",
                                   "X && Y",
                                   "X || Y",
                                   "X[Y]",
                                   "[X, Y]",
                                   "max(X, Y)",
                                   "coalesce(X, Y)",
                                   "[for v in X : Y]",
                                   "{(X) = Y}",
                                   "[for v in X : v if Y]",
                                   "try(X, Y)",
                                   "upper(X, Y)",
                                   "{for v in X : Y => v}",
                                   "max(X, Y...)",
                                   "{a = X, a = Y}",
                                   "{for v in X : Y => v...}",
                                   "\"${X}${Y}\"",
                                   "contains(X, Y)",
                                   "[for v in X : v == Y || v]",
                                   "X % Y"};
constexpr const char* kTernary[] = {"X ? Y : Z", "\"%{ if X }${Y}%{ else }${Z}%{ endif }\"", "X && Y && Z",
                                    "X == Y ? Z : X"};

std::string Put(const char* form, const std::string& x, const std::string& y = "", const std::string& z = "") {
  return absl::StrReplaceAll(form, {{"X", x}, {"Y", y}, {"Z", z}});
}

// Bracketed where it stands as an operand.
std::string Bracketed(const std::string& text) { return absl::StrCat("(", text, ")"); }

TEST_P(AgreementTest, SmallPrograms) {
  const std::vector<std::string> leaves(std::begin(kLeaves), std::end(kLeaves));
  std::vector<std::string> small = leaves;
  for (const char* form : kUnary) {
    for (const std::string& x : leaves) {
      small.push_back(Bracketed(Put(form, x)));
      Check(small.back());
    }
  }
  for (const std::string& x : small) {
    for (const char* form : kUnary) Check(Put(form, x));
    for (const std::string& y : leaves) {
      for (const char* form : kBinary) Check(Put(form, x, y));
      for (const char* form : kBinary) Check(Put(form, y, x));
    }
  }
  for (const std::string& x : leaves) {
    for (const std::string& y : leaves) {
      for (const char* outer : kUnary) {
        for (const char* form : kBinary) Check(Put(outer, Bracketed(Put(form, x, y))));
      }
      for (const std::string& z : leaves) {
        for (const char* form : kTernary) Check(Put(form, x, y, z));
      }
    }
  }
  Report();
}

INSTANTIATE_TEST_SUITE_P(Dialects, AgreementTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
