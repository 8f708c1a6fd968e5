// The law of runs of what has changed (Evaluator::Rerun), over configs and modules of random programs and scopes that
// change: each gives what a whole run of a new evaluator gives over the same scope, value or diagnostics, all of them
// and in their order. Whole runs of both also leave the same fuel. The law also holds over unknown, marked and wrong
// values, with limits that are soon reached, above a base that gives some of the variables, and where functions are
// called that are not pure. An entry that is run behind another one (Evaluator::RunAnother) gives what it gives alone.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
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
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
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
    FunctionRegistryBuilder builder;
    for (const FunctionFamily family : kFunctionFamilies) RegisterFamily(family, &builder);
    CallableOptions changing;
    changing.pure = false;
    builder.Register(
        "changing", [](const Value& value) { return value; }, changing);
    options_.functions = std::move(builder).Build();
    const Value& variables = harness_.variables();
    std::string data;
    for (uint32_t n = 0; n < variables.size(); ++n) {
      const std::string name(variables.shape().keys[n].AsString());
      absl::StrAppend(&declarations_, "variable \"", name, "\" {\n  type = any\n  nullable = true\n}\n");
      std::string json, reason;
      if (n % 2 != 0 || !AppendJson(variables.values()[n], &json, &reason)) continue;
      absl::StrAppend(&data, data.empty() ? "{" : ",", "\"", name, "\":", json);
      base_options_.replaceable.push_back(name);
    }
    const BaseText text = {std::make_shared<const Source>("data.json", data + "}"), ""};
    Diagnostics diagnostics;
    data_ = BaseData::Read({&text, 1}, base_options_, &diagnostics);
    EXPECT_NE(data_, nullptr) << ToText(diagnostics, text.source.get());
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

  // The values of `scope` for the slots.
  static void Bind(const Value& scope, const std::set<uint32_t>& slots, Evaluator* evaluator) {
    for (const uint32_t slot : slots) {
      const int64_t at = scope.shape().Find(evaluator->program().variables()[slot]);
      if (at >= 0) evaluator->Bind(slot, scope.values()[static_cast<size_t>(at)]);
    }
  }

  static std::string WithFuel(const Evaluation& evaluation, const Program& program) {
    return absl::StrCat(PrintAll(evaluation, program), " fuel ", evaluation.fuel_left());
  }

  static bool IsSame(const Evaluation& got, const Evaluation& want, const Program& program) {
    if (!got.ok() || !want.ok()) return PrintAll(got, program) == PrintAll(want, program);
    return Same(Outcome(got.value()), Outcome(want.value())) && got.value().weight() == want.value().weight() &&
           got.value().depth() == want.value().depth() && got.fuel_left() <= want.fuel_left();
  }

  // `base` may be null.
  std::string WhatIsWrongWith(const std::shared_ptr<const Program>& program,
                              const std::shared_ptr<const BaseLayer>& base, const Limits& limits, uint64_t seed) {
    Generator random(seed);
    Evaluator evaluator(program, limits);
    Value scope = harness_.variables();
    std::set<uint32_t> bound;  // above the base
    for (uint32_t slot = 0; slot < program->variables().size(); ++slot) {
      const bool is_in_base = base != nullptr && data_->variables().shape().Find(program->variables()[slot]) >= 0;
      if (!is_in_base) bound.insert(slot);
    }
    evaluator.BindBase(base);
    Bind(scope, bound, &evaluator);
    evaluator.Run();
    std::vector<uint32_t> changed;
    for (int round = 0; round < kChanges; ++round) {
      scope = Change(scope, *program, &random, &changed);
      bound.insert(changed.begin(), changed.end());
      Bind(scope, std::set<uint32_t>(changed.begin(), changed.end()), &evaluator);
      Evaluator fresh(program, limits);
      fresh.BindBase(base);
      Bind(scope, bound, &fresh);
      const std::string first = WithFuel(fresh.Run(), *program);
      const Evaluation& want = fresh.Run();
      const std::string second = WithFuel(want, *program);
      if (first != second) return absl::StrCat("a second run: ", first, "\n  second: ", second);
      const Evaluation& got = evaluator.Rerun(changed);
      ++(want.ok() ? fine_ : failing_);
      if (!IsSame(got, want, *program)) {
        return absl::StrCat("change ", round, ": ", WithFuel(got, *program), "\n  whole: ", WithFuel(want, *program));
      }
      std::string wrong = WhatIsWrongWithEntries(&evaluator, &fresh, &random);
      if (!wrong.empty()) return wrong;
      const std::string whole = WithFuel(evaluator.Run(), *program);
      if (whole != second) return absl::StrCat("change ", round, ", whole: ", whole, "\n  fresh: ", second);
    }
    return "";
  }

  // A local that another entry has made costs no more, so that less may reach a limit.
  std::string WhatIsWrongWithEntries(Evaluator* evaluator, Evaluator* fresh, Generator* random) {
    const absl::Span<const Entry> entries = evaluator->program().entries();
    for (int count = 0; count < 3; ++count) {
      const Entry& entry = entries[random->Below(static_cast<uint32_t>(entries.size()))];
      const Evaluation& got = evaluator->RunAnother(entry.chunk);
      const Evaluation& want = fresh->Run(entry);
      const Program& program = evaluator->program();
      const bool is_same = got.ok() && want.ok() ? Same(Outcome(got.value()), Outcome(want.value()))
                                                 : PrintAll(got, program) == PrintAll(want, program);
      if (is_same || (got.ok() && want.diagnostics().has_limit())) continue;
      return absl::StrCat("entry ", std::string(entry.path), ": ", PrintAll(got, program),
                          "\n  alone: ", PrintAll(want, program));
    }
    return "";
  }

  std::shared_ptr<const Program> Config(const std::string& text) const {
    Diagnostics diagnostics;
    return CompileConfig(std::make_shared<const Source>("c.hcl", text), options_, &diagnostics);
  }
  std::shared_ptr<const Program> Module(const std::string& text) const {
    Diagnostics diagnostics;
    const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", text)}};
    return CompileModule(files, options_, &diagnostics);
  }

  std::string WhatIsWrongWith(const std::string& text, uint64_t n) {
    if (n != number_) previous_ = std::exchange(current_, text), number_ = n;
    const std::string changing = absl::StrCat("changing(", text, ")");
    const std::pair<const char*, std::shared_ptr<const Program>> programs[] = {
        {"config", Config(ConfigOf(text, previous_))},
        {"module", Module(ModuleOf(text, previous_))},
        {"config that calls", n % 2 == 0 ? Config(ConfigOf(changing, previous_)) : nullptr},
        {"module that calls", n % 2 == 1 ? Module(ModuleOf(changing, previous_)) : nullptr},
    };
    Limits tight;
    tight.max_fuel = 20 + n % 200;
    tight.max_diagnostics = 2;
    const uint64_t seed = TestSeed() * 1'000'003 + n;
    for (const auto& [name, program] : programs) {
      if (program == nullptr) continue;
      Diagnostics diagnostics;
      const auto base = BaseLayer::Make(program, data_, base_options_, &diagnostics);
      if (base == nullptr) return absl::StrCat("no base: ", ToText(diagnostics, nullptr));
      for (const Limits& limits : {Limits(), tight}) {
        for (const auto& below : {std::shared_ptr<const BaseLayer>(), base}) {
          if (below != nullptr && n % 3 != 0) continue;
          const std::string wrong = WhatIsWrongWith(program, below, limits, seed);
          if (wrong.empty()) continue;
          return absl::StrCat(previous_, "\n  ", name, below == nullptr ? "" : " above a base",
                              limits.max_fuel < 1000 ? ", tight, " : ", ", wrong);
        }
      }
    }
    return "";
  }

  Heap heap_;
  Harness harness_;
  CompileOptions options_;
  std::string declarations_;
  BaseOptions base_options_;
  std::shared_ptr<const BaseData> data_;
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
