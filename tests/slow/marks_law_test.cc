// The law of marks, over random programs: what an evaluation gives for marked variables is, without the marks, what it
// gives for the same variables without marks, values and errors. The marks of the result are marks of variables, and
// all ways to evaluate give the same, but for what SkipsMarks() says.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/shrink.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/tests/well_typed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 30'000;
constexpr size_t kMaxReports = 20;

class MarksLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  MarksLawTest()
      : heap_(nullptr, GetParam()),
        harness_(OptionsFor(GetParam())),
        optimized_(GetParam(), Code::kOptimized),
        general_(GetParam(), Code::kGeneral),
        unoptimized_(GetParam(), Code::kUnoptimized),
        without_(GetParam(), Code::kOptimized) {}

  // `value` with a mark on it or on a part of it. The elements of a set are not marked: the set is.
  Value Marked(const Value& value, Generator* random) {
    Arena* arena = heap_.arena();
    const bool has_parts = ((value.is_sequence() && !value.is_set()) || value.is_mapping()) && value.size() > 0;
    if (!has_parts || random->Below(2) == 0) return Mark(value, MarkSet{1} << random->Below(3), arena);
    const absl::Span<const Value> old = value.is_sequence() ? value.elements() : value.values();
    std::vector<Value> parts(old.begin(), old.end());
    Value& part = parts[random->Below(static_cast<uint32_t>(parts.size()))];
    part = Marked(part, random);
    if (value.is_tuple()) return MakeTuple(parts, arena);
    if (value.is_list()) return MakeList(value.element_type(), parts, arena);
    if (value.is_object()) return MakeObject(&value.shape(), parts, arena);
    return MakeMap(value.element_type(), &value.shape(), parts, arena);
  }

  // `all`, an object of variables, with some of those that `text` reads marked.
  Value MarkSome(const std::string& text, const Value& all, Generator* random) {
    std::vector<Value> values(all.values().begin(), all.values().end());
    for (size_t n = 0; n < all.size(); ++n) {
      if (text.find(std::string(all.shape().keys[n].AsString())) == std::string::npos) continue;
      if (random->Below(3) == 0) values[n] = Marked(values[n], random);
    }
    return MakeObject(&all.shape(), values, heap_.arena());
  }

  // How the answers for `text` break the law; nothing if they do not.
  std::string WhatIsWrongWith(const std::string& text, const Value& scope, const Value& marked) {
    const Parsed parsed(text);
    if (!parsed.ok()) return "";
    const Outcome got = optimized_.Evaluate(parsed, marked);
    if (const Outcome other = general_.Evaluate(parsed, marked); !Same(got, other))
      return Differ(got, other, "general");
    const Outcome other = unoptimized_.Evaluate(parsed, marked);
    if (!Same(got, other) && !SkipsMarks(text, got, other)) return Differ(got, other, "not optimized");
    const Outcome want = without_.Evaluate(parsed, scope);
    if (!got.ok() || !want.ok()) return Same(got, want) ? "" : Differ(got, want, "unmarked");
    const std::string wrong = WhatIsWrong(*got.value, optimized_.types());
    if (!wrong.empty() && WhatIsWrong(*want.value, without_.types()).empty()) return wrong;
    MarkSet marks = kSensitiveMark, of_want = 0;  // the program itself may put that one on
    const Outcome bare = UnmarkDeep(*got.value, &marks, heap_.arena());
    const Outcome bare_want = UnmarkDeep(*want.value, &of_want, heap_.arena());
    if (!Same(bare, bare_want)) return Differ(bare, bare_want, "unmarked");
    return (marks & ~(kSensitiveMark | MarkSet{7})) == 0 ? "" : "marks that no variable has";
  }

  // A difference that is known: optimized code leaves out the right side of `&&` and `||` when the left one decides,
  // and so its marks, which do not matter then; other code evaluates it. `false && secret == 1` has no mark, or has
  // one.
  bool SkipsMarks(const std::string& text, const Outcome& optimized, const Outcome& other) {
    const bool has_logic = text.find("&&") != std::string::npos || text.find("||") != std::string::npos;
    if (!has_logic || !optimized.ok() || !other.ok()) return false;
    MarkSet some = 0, all = 0;
    const Outcome bare = UnmarkDeep(*optimized.value, &some, heap_.arena());
    const Outcome other_bare = UnmarkDeep(*other.value, &all, heap_.arena());
    return Same(bare, other_bare) && (some & ~all) == 0;
  }

  static std::string Differ(const Outcome& got, const Outcome& want, const char* of) {
    return absl::StrCat("marked: ", Print(got), "\n  ", of, ": ", Print(want));
  }

  Heap heap_;
  Harness harness_;
  FastSide optimized_;
  FastSide general_;
  FastSide unoptimized_;
  FastSide without_;
};

TEST_P(MarksLawTest, WithoutMarksItIsTheSame) {
  GeneratorOptions options;
  options.marks = true;
  Generator generator(TestSeed(), options);
  Generator random(TestSeed() + 1);
  std::vector<std::string> failures;
  for (uint64_t n = TestPrograms(kPrograms); n > 0; --n) {
    heap_.Reset();
    const std::string text = generator.Next();
    UnknownScopes scopes(text, harness_.variables(), &heap_, &random);
    const Value scope = n % 2 == 0 ? harness_.variables() : scopes.Mixed();
    const Value marked = MarkSome(text, scope, &random);
    if (WhatIsWrongWith(text, scope, marked).empty()) continue;
    const std::string small =
        Shrink(text, [&](const std::string& part) { return !WhatIsWrongWith(part, scope, marked).empty(); });
    failures.push_back(absl::StrCat(small, "\n  ", WhatIsWrongWith(small, scope, marked)));
  }
  ReportShortest(std::move(failures), kMaxReports);
}

INSTANTIATE_TEST_SUITE_P(Dialects, MarksLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
