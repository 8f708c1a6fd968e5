// The virtual machine and the slow evaluator say the same, on random programs and on all small ones.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).
//
// The same: equal values of equal types, or errors of which the first is the same message about the same place. And
// values are what their types say, at every depth; but for the list that a splat makes of results of different types,
// for which there is no type (tests/slow/known_breaches.cc). No code reads a register that it has not written.

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
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/tests/well_typed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kRandomPrograms = 30'000;
constexpr size_t kMaxReports = 20;
constexpr int kScopes = 2;
constexpr size_t kMaxShrunk = 100;

struct Failure {
  std::string text;
  std::string message;
};

class AgreementTest : public ::testing::TestWithParam<Dialect> {
 protected:
  AgreementTest()
      : heap_(nullptr, GetParam()),
        random_(TestSeed() + 1),
        variables_(OptionsFor(GetParam())),
        slow_(GetParam()),
        optimized_(GetParam(), Code::kOptimized),
        general_(GetParam(), Code::kGeneral),
        unoptimized_(GetParam(), Code::kUnoptimized) {}

  // The program over the variables, and over `scopes` of others.
  void Check(const std::string& text, int scopes = 0) {
    heap_.Reset();
    const Parsed parsed(text);
    if (!parsed.ok()) return failures_.push_back({text, PrintDiagnostics(parsed.diagnostics())});
    Compile(parsed);
    Value scope = variables_.variables();
    for (int n = 0; n <= scopes; ++n) {
      UnknownScopes others(text, variables_.variables(), &heap_, &random_);
      if (n > 0) scope = others.Mixed();
      const std::string wrong = WhatIsWrong(parsed, scope, n == 0);
      if (!wrong.empty()) return Fail(text, scope, wrong);
    }
  }

  void Compile(const Parsed& parsed) {
    for (FastSide* side : {&optimized_, &general_, &unoptimized_}) side->Compile(parsed);
  }

  // How the sides differ about a program, which they have compiled, or how its value differs from its type; nothing if
  // they do not.
  std::string WhatIsWrong(const Parsed& parsed, const Value& scope, bool counted) {
    const Outcome want = slow_.Evaluate(parsed, scope);
    if (counted) ++(want.ok() ? values_ : errors_);
    const struct {
      const char* name;
      FastSide* side;
    } kSides[] = {{"optimized", &optimized_}, {"the slow path", &general_}, {"not optimized", &unoptimized_}};
    for (const auto& [name, side] : kSides) {
      if (std::string read = side->WhatIsReadBeforeWritten(); !read.empty()) return read;
      const Outcome got = side->Run(scope);
      if (!Same(got, want)) return absl::StrCat(name, ": ", Print(got), "\n  slow: ", Print(want));
    }
    if (!want.ok()) return "";
    const std::string wrong = hcl::WhatIsWrong(*want.value, &types_);
    return wrong.empty() ? "" : absl::StrCat(wrong, "\n  ", Print(want));
  }

  // The smallest part of the program that is wrong in the same scope.
  void Fail(const std::string& text, const Value& scope, const std::string& wrong) {
    if (failures_.size() >= kMaxShrunk) return failures_.push_back({text, wrong});
    std::string last = wrong;
    const std::string small = Shrink(text, [&](const std::string& part) {
      const Parsed parsed(part);
      if (!parsed.ok()) return false;
      Compile(parsed);
      const std::string found = WhatIsWrong(parsed, scope, /*counted=*/false);
      if (!found.empty()) last = found;
      return !found.empty();
    });
    for (size_t n = 0; n < scope.size(); ++n) {
      const std::string name(scope.shape().keys[n].AsString());
      if (small.find(name) == std::string::npos) continue;
      absl::StrAppend(&last, "\n  ", name, " = ", Print(scope.values()[n]));
    }
    failures_.push_back({small, last});
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

  Heap heap_;  // of scopes
  Generator random_;
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
    Check(generator.Next(), kScopes);
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
