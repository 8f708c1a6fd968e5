// Programs that mean the same give the same, over random parts, in scopes of known, unknown, null, wrong and marked
// values: with and without fast code, and not optimized.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include "hclvm/tests/slow/rewrites.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPairs = 200;  // of each rewrite
constexpr int kScopes = 4;
constexpr size_t kMaxReports = 2;
constexpr Code kCodes[] = {Code::kOptimized, Code::kGeneral, Code::kUnoptimized};

class RewritesTest : public ::testing::TestWithParam<Dialect> {
 protected:
  RewritesTest() : heap_(nullptr, GetParam()), harness_(OptionsFor(GetParam())) {
    for (const Code code : kCodes) {
      left_.emplace_back(GetParam(), code);
      right_.emplace_back(GetParam(), code);
    }
  }

  // `all` with one variable of the program marked.
  Value MarkOne(const std::string& text, const Value& all, Generator* random) {
    std::vector<Value> values(all.values().begin(), all.values().end());
    std::vector<size_t> read;
    for (size_t n = 0; n < all.size(); ++n) {
      if (text.find(std::string(all.shape().keys[n].AsString())) != std::string::npos) read.push_back(n);
    }
    if (read.empty()) return all;
    Value& value = values[read[random->Below(static_cast<uint32_t>(read.size()))]];
    value = Mark(value, MarkSet{1} << random->Below(2), heap_.arena());
    return MakeObject(&all.shape(), values, heap_.arena());
  }

  // The scopes: as it is, mixed, with unknown values, marked.
  Value ScopeFor(int n, const std::string& text, Generator* random) {
    UnknownScopes scopes(text, harness_.variables(), &heap_, random);
    if (n == 0) return harness_.variables();
    if (n == 1) return scopes.Mixed();
    return n == 2 ? scopes.Blurred() : MarkOne(text, scopes.Mixed(), random);
  }

  static std::string Differ(const Filled& left, const Outcome& a, const Filled& right, const Outcome& b) {
    return absl::StrCat(left.text(), "\n  ", Print(a), "\n", right.text(), "\n  ", Print(b));
  }

  // How the two differ; nothing if they do not.
  std::string Compare(const Rewrite& rewrite, const Filled& left, const Outcome& a, const Filled& right,
                      const Outcome& b) {
    if (rewrite.likeness == Likeness::kKnown) {
      if (!a.ok() || !b.ok() || !a.value->is_wholly_known() || !b.value->is_wholly_known()) return "";
      MarkSet marks = 0;
      const Value x = UnmarkDeep(*a.value, &marks, heap_.arena());
      const Value y = UnmarkDeep(*b.value, &marks, heap_.arena());
      return Identical(x, y) ? "" : Differ(left, a, right, b);
    }
    if (a.ok() != b.ok()) return Differ(left, a, right, b);
    if (a.ok()) return Same(a, b) ? "" : Differ(left, a, right, b);
    if (rewrite.likeness == Likeness::kValues) return "";
    return left.Describe(a.problems) == right.Describe(b.problems) ? "" : Differ(left, a, right, b);
  }

  void Check(const Rewrite& rewrite, const std::vector<std::string>& parts, Generator* random) {
    const Filled left(rewrite.left, parts), right(rewrite.right, parts);
    const Parsed parsed_left(left.text()), parsed_right(right.text());
    if (!parsed_left.ok() || !parsed_right.ok()) return failures_.push_back(left.text() + "\n" + right.text());
    for (size_t code = 0; code < std::size(kCodes); ++code) {
      left_[code].Compile(parsed_left);
      right_[code].Compile(parsed_right);
    }
    for (int n = 0; n < kScopes; ++n) {
      const Value scope = ScopeFor(n, left.text(), random);
      for (size_t code = 0; code < std::size(kCodes); ++code) {
        const Outcome a = left_[code].Run(scope);
        const Outcome b = right_[code].Run(scope);
        std::string wrong = Compare(rewrite, left, a, right, b);
        if (wrong.empty()) continue;
        for (size_t at = 0; at < scope.size(); ++at) {
          const std::string name(scope.shape().keys[at].AsString());
          const bool other = !Identical(scope.values()[at], harness_.variables().values()[at]);
          if (other && left.text().find(name) != std::string::npos) {
            absl::StrAppend(&wrong, "\n    ", name, " = ", Print(scope.values()[at]));
          }
        }
        return failures_.push_back(wrong);
      }
    }
  }

  // The shortest of what is wrong with a rewrite.
  void Report(const Rewrite& rewrite) {
    std::sort(failures_.begin(), failures_.end(),
              [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    EXPECT_EQ(failures_.size(), 0u) << rewrite.left << "   <->   " << rewrite.right << "\n"
                                    << absl::StrJoin(failures_.begin(),
                                                     failures_.begin() + static_cast<std::ptrdiff_t>(
                                                                             std::min(kMaxReports, failures_.size())),
                                                     "\n");
    failures_.clear();
  }

  Heap heap_;
  Harness harness_;
  std::vector<FastSide> left_;
  std::vector<FastSide> right_;
  std::vector<std::string> failures_;  // of a rewrite
};

TEST_P(RewritesTest, BothSidesAreTheSame) {
  Generator generator(TestSeed());
  Generator random(TestSeed() + 1);
  for (const Rewrite& rewrite : Rewrites()) {
    const std::vector<std::string> slots = absl::StrSplit(rewrite.slots, '|');
    for (uint64_t n = TestPrograms(kPairs); n > 0; --n) {
      heap_.Reset();
      std::vector<std::string> parts;
      parts.reserve(slots.size());
      for (const std::string& slot : slots) parts.push_back(generator.FillAlone(slot, static_cast<int>(n % 3)));
      Check(rewrite, parts, &random);
    }
    Report(rewrite);
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, RewritesTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
