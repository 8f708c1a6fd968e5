// The laws of unknown values, over random programs.
//
// Giving an unknown value its real value never contradicts the earlier answer: a known answer stays what it is, an
// error stays an error, an unknown answer's type and refinement fit the real answer. And where nothing unknown goes in,
// nothing unknown comes out.
//
// The law has limits. Where nothing is known, the specification assumes optimistically that the real value will be
// valid: any answer may become an error. Places where the rules themselves break the law are listed in struct Doubts
// (tests/slow/tree_evaluator.h); programs that come by one are left out.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::testing_support {

using internal::TagOf;
using internal::ToAbsl;
namespace {

constexpr int kPrograms = 50'000;
constexpr size_t kMaxReports = 20;

// Whether `real` may be what the value that `earlier` says little of turns out to be.
bool Fits(const Value& earlier, const Value& real, TypeTable* types);

bool FitAll(absl::Span<const Value> earlier, absl::Span<const Value> real, TypeTable* types) {
  if (earlier.size() != real.size()) return false;
  for (size_t n = 0; n < real.size(); ++n) {
    if (!Fits(earlier[n], real[n], types)) return false;
  }
  return true;
}

bool Fits(const Value& earlier, const Value& real, TypeTable* types) {
  if (real.is_dynamic_value()) return !earlier.is_known();  // there are other unknown values: it says nothing
  if (earlier.is_unknown()) {
    return Matches(TypeOf(real, types), earlier.null_or_unknown_type()) &&
           (real.is_unknown() || !Contradicts(earlier, real));
  }
  if (earlier.is_wholly_known()) return Identical(earlier, real);
  if (TagOf(earlier) != TagOf(real) || !Matches(TypeOf(real, types), TypeOf(earlier, types))) return false;
  // A set with unknown elements may shrink when they turn out to be equal to others.
  if (earlier.is_set()) return real.size() <= earlier.size();
  if (earlier.is_sequence()) return FitAll(earlier.elements(), real.elements(), types);
  return earlier.shape() == real.shape() && FitAll(earlier.values(), real.values(), types);
}

class UnknownLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  UnknownLawTest()
      : heap_(nullptr, GetParam()),
        harness_(OptionsFor(GetParam())),
        slow_(GetParam()),
        before_(GetParam(), true),
        after_(GetParam(), true) {}

  static CompileOptions OptionsFor(Dialect dialect) {
    CompileOptions options;
    options.dialect = dialect;
    return options;
  }

  // `value`, or a part of it, unknown.
  Value Blur(const Value& value, Generator* random) {
    const bool is_compound = (value.is_sequence() && !value.is_set()) || value.is_mapping();
    if (!is_compound || value.size() == 0 || random->Below(2) == 0) {
      return random->Below(3) == 0 ? Value::Dynamic() : Value::Unknown(TypeOf(value, heap_.types()));
    }
    const size_t at = random->Below(static_cast<uint32_t>(value.size()));
    const bool is_collection = value.is_list() || value.is_map();
    const absl::Span<const Value> old = value.is_sequence() ? value.elements() : value.values();
    std::vector<Value> parts(old.begin(), old.end());
    parts[at] = is_collection ? Value::Unknown(value.element_type()) : Blur(parts[at], random);
    if (value.is_tuple()) return MakeTuple(parts, heap_.arena());
    if (value.is_list()) return MakeList(value.element_type(), parts, heap_.arena());
    if (value.is_object()) return MakeObject(&value.shape(), parts, heap_.arena());
    return MakeMap(value.element_type(), &value.shape(), parts, heap_.arena());
  }

  // The variables with one of them, that the program reads, blurred: that of the index *blurred.
  Value BlurOne(const std::string& text, Generator* random, size_t* blurred) {
    const Value& all = harness_.variables();
    std::vector<size_t> read;
    for (size_t n = 0; n < all.size(); ++n) {
      if (text.find(std::string(all.shape().keys[n].AsString())) != std::string::npos) read.push_back(n);
    }
    *blurred = read.empty() ? 0 : read[random->Below(static_cast<uint32_t>(read.size()))];
    std::vector<Value> values(all.values().begin(), all.values().end());
    values[*blurred] = Blur(values[*blurred], random);
    return MakeObject(&all.shape(), values, heap_.arena());
  }

  // What is wrong with the two answers; empty if nothing.
  std::string Judge(const Outcome& earlier, const Outcome& real) {
    if (!real.ok() || HasLimit(earlier)) return "";
    if (!earlier.ok()) return "an error became a value";
    return Fits(*earlier.value, *real.value, heap_.types()) ? "" : "the answers do not fit";
  }

  static bool HasLimit(const Outcome& outcome) {
    return std::any_of(outcome.problems.begin(), outcome.problems.end(), [](const Problem& p) { return p.is_limit; });
  }

  void Report() {
    std::sort(failures_.begin(), failures_.end(),
              [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    for (size_t n = 0; n < failures_.size() && n < kMaxReports; ++n) ADD_FAILURE() << failures_[n];
    EXPECT_EQ(failures_.size(), 0u);
  }

  Heap heap_;
  Harness harness_;
  SlowSide slow_;
  FastSide before_;
  FastSide after_;
  std::vector<std::string> failures_;
};

TEST_P(UnknownLawTest, TheRealValueNeverContradicts) {
  Generator generator(TestSeed());
  Generator random(TestSeed() + 1);
  int doubtful = 0;
  for (int n = 0; n < kPrograms; ++n) {
    heap_.Reset();
    const std::string text = generator.Next();
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ok()) << text;
    size_t at = 0;
    const Value blurred = BlurOne(text, &random, &at);
    slow_.Evaluate(parsed, blurred);
    bool doubts = slow_.doubts().any();
    slow_.Evaluate(parsed, harness_.variables());
    doubts |= slow_.doubts().any();
    doubtful += doubts ? 1 : 0;
    if (doubts) continue;
    const Outcome earlier = before_.Evaluate(parsed, blurred);
    const Outcome real = after_.Evaluate(parsed, harness_.variables());
    const std::string wrong = Judge(earlier, real);
    if (wrong.empty()) continue;
    failures_.push_back(absl::StrCat(text, "\n  ", wrong, "\n  earlier: ", Print(earlier), "\n     real: ", Print(real),
                                     "\n     with ", ToAbsl(blurred.shape().keys[at].AsString()), " = ",
                                     Print(blurred.values()[at])));
  }
  Report();
  EXPECT_LT(doubtful, kPrograms / 3);
}

TEST_P(UnknownLawTest, NothingUnknownComesOfKnownInput) {
  GeneratorOptions options;
  options.unknowns = false;
  Generator generator(TestSeed(), options);
  for (int n = 0; n < kPrograms; ++n) {
    const std::string text = generator.Next();
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ok()) << text;
    const Outcome outcome = before_.Evaluate(parsed, harness_.variables());
    if (outcome.ok() && !outcome.value->is_wholly_known())
      failures_.push_back(absl::StrCat(text, ": ", Print(outcome)));
  }
  Report();
}

INSTANTIATE_TEST_SUITE_P(Dialects, UnknownLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
