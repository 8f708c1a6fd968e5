// The law of runs of what has changed (Evaluator::Rerun), over configs and modules of random programs and scopes that
// change: each gives what a whole run of a new evaluator gives over the same scope, value or diagnostics, all of them
// and in their order; also over unknown, marked and wrong values, and with limits that are soon reached.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 5'000;
constexpr int kChanges = 8;  // for each program
constexpr size_t kMaxReports = 10;

class RerunLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  RerunLawTest() : heap_(nullptr, GetParam()), harness_(OptionsFor(GetParam())), options_(OptionsFor(GetParam())) {
    options_.functions = StandardFunctions();
    const Value& variables = harness_.variables();
    for (uint32_t n = 0; n < variables.size(); ++n) {
      absl::StrAppend(&declarations_, "variable \"", std::string(variables.shape().keys[n].AsString()),
                      "\" {\n  type = any\n  nullable = true\n}\n");
    }
  }

  // Attributes that are mostly fine beside the one that is tried, in blocks and without.
  static std::string ConfigOf(const std::string& text, const std::string& other) {
    return absl::StrCat("a = ", text, "\nb = \"${i}-${s}\"\nc = try(", other, ", null)\nblk \"x\" {\n  d = i\n  e = [",
                        text, "]\n}\nblk \"x\" {\n  d = [s]\n}\nf = can(", text, ")\n");
  }
  std::string ModuleOf(const std::string& text, const std::string& other) const {
    return absl::StrCat(declarations_, "locals {\n  one = ", text,
                        "\n  two = [try(local.one, i), s]\n  three = \"${s}\"\n}\n",
                        "a = local.two\nb = try(local.one, local.three)\nc = try(", other,
                        ", local.two)\nd = i\ne = [local.three, b1]\nb1 { f = local.one }\n");
  }

  // Another scope than `scope`: some variables have others' values, are unknown, or have marks. The slots are noted.
  Value Change(const Value& scope, const Program& program, Generator* random, std::vector<uint32_t>* changed) {
    std::vector<Value> values(scope.values().begin(), scope.values().end());
    changed->clear();
    for (uint32_t count = random->Below(3) + 1; count > 0 && !program.variables().empty(); --count) {
      const uint32_t slot = random->Below(static_cast<uint32_t>(program.variables().size()));
      const int64_t at = scope.shape().Find(program.variables()[slot]);
      if (at < 0) continue;
      const Value& other = harness_.variables().values()[random->Below(static_cast<uint32_t>(values.size()))];
      const Value& own = harness_.variables().values()[static_cast<size_t>(at)];
      const uint32_t way = random->Below(8);
      values[static_cast<size_t>(at)] = way == 0   ? other
                                        : way == 1 ? Value::Unknown(TypeOf(own.unmarked(), heap_.types()))
                                        : way == 2 ? Mark(own, kSensitiveMark, heap_.arena())
                                        : way == 3 ? Value::Int(random->Below(5))
                                                   : Clone(own, heap_.arena(), heap_.types());
      changed->push_back(slot);
    }
    return MakeObject(&scope.shape(), values, heap_.arena());
  }

  static std::string PrintAll(const Evaluation& evaluation, const Program& program) {
    return evaluation.ok() ? Print(Outcome(evaluation.value()))
                           : absl::StrCat(evaluation.diagnostics().count(), " ",
                                          ToText(evaluation.diagnostics(), &program.source()));
  }

  std::string WhatIsWrongWith(const std::shared_ptr<const Program>& program, const Limits& limits, uint64_t seed) {
    if (program == nullptr) return "";
    Generator random(seed);
    Evaluator evaluator(program, limits);
    Value scope = harness_.variables();
    evaluator.BindAll(scope);
    evaluator.Run();
    std::vector<uint32_t> changed;
    for (int round = 0; round < kChanges; ++round) {
      scope = Change(scope, *program, &random, &changed);
      for (const uint32_t slot : changed) {
        evaluator.Bind(slot, scope.values()[static_cast<size_t>(scope.shape().Find(program->variables()[slot]))]);
      }
      Evaluator fresh(program, limits);
      fresh.BindAll(scope);
      fresh.Run();  // its memory is then as that of one that has run
      const Evaluation& want = fresh.Run();
      const Evaluation& got = evaluator.Rerun(changed);
      ++(want.ok() ? fine_ : failing_);
      // The names of the scope are those of the first one, and the same.
      const bool is_same = got.ok() && want.ok()
                               ? Same(Outcome(got.value()), Outcome(want.value())) &&
                                     got.value().weight() == want.value().weight() &&
                                     got.value().depth() == want.value().depth() && got.fuel_left() <= want.fuel_left()
                               : PrintAll(got, *program) == PrintAll(want, *program);
      if (!is_same) {
        return absl::StrCat("change ", round, ": ", PrintAll(got, *program), " fuel ", got.fuel_left(),
                            "\n  whole: ", PrintAll(want, *program), " fuel ", want.fuel_left());
      }
    }
    return "";
  }

  std::string WhatIsWrongWith(const std::string& text, uint64_t n) {
    if (n != number_) previous_ = std::exchange(current_, text), number_ = n;
    const auto source = std::make_shared<const Source>("c.hcl", ConfigOf(text, previous_));
    Diagnostics diagnostics;
    const auto config = CompileConfig(source, options_, &diagnostics);
    const auto module_source = std::make_shared<const Source>("m.hcl", ModuleOf(text, previous_));
    const auto module = CompileModule(std::vector<ModuleFile>{{module_source}}, options_, &diagnostics);
    Limits tight;
    tight.max_fuel = 20 + n % 200;
    tight.max_diagnostics = 2;
    const uint64_t seed = TestSeed() * 1'000'003 + n;
    for (const auto& program : {config, module}) {
      for (const Limits& limits : {Limits(), tight}) {
        const std::string wrong = WhatIsWrongWith(program, limits, seed);
        if (!wrong.empty()) {
          return absl::StrCat(program == module ? "module" : "config", limits.max_fuel < 1000 ? ", tight, " : ", ",
                              wrong);
        }
      }
    }
    return "";
  }

  Heap heap_;
  Harness harness_;
  CompileOptions options_;
  std::string declarations_;
  std::string current_ = "1";
  std::string previous_;
  uint64_t number_ = 0;
  uint64_t fine_ = 0;
  uint64_t failing_ = 0;
};

TEST_P(RerunLawTest, WhatIsKeptMakesNoDifference) {
  const uint64_t programs = TestPrograms(kPrograms);
  const auto check = [this](const std::string& text, uint64_t n) { return WhatIsWrongWith(text, n); };
  CheckPrograms(programs, &heap_, check, kMaxReports);
  EXPECT_GT(fine_, programs);
  EXPECT_GT(failing_, programs);
}

INSTANTIATE_TEST_SUITE_P(Dialects, RerunLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
