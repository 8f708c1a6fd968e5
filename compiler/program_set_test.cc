// Sets of programs: what is there after which changes, what evaluators see of it, and threads. That answers are those
// of single programs is tested by tests/slow/program_set_law_test.cc.

#include "hclvm/compiler/program_set.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

bool Put(ProgramSet* set, std::string_view name, std::string_view text) {
  Diagnostics diagnostics;
  const bool is_put = set->Put(name, text, &diagnostics);
  EXPECT_EQ(is_put, !diagnostics.has_errors()) << name << ": " << text;
  return is_put;
}

std::string Print(const Evaluation& evaluation) {
  std::string text, reason;
  for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
    absl::StrAppend(&text, CodeText(diagnostic.code), " ", diagnostic.detail);
  }
  if (evaluation.ok() && !AppendJson(evaluation.value(), &text, &reason)) text = reason;
  return text;
}

// "name=value" of all programs, in order.
std::string PrintAll(SetEvaluator* evaluator) {
  std::string text;
  evaluator->RunAll([&](ProgramSet::Id id, const Evaluation& evaluation) {
    absl::StrAppend(&text, text.empty() ? "" : " ", evaluator->SourceOf(id)->name(), "=", Print(evaluation));
    return true;
  });
  return text;
}

TEST(ProgramSetTest, EvaluatesOneAllAndTheFirstTrue) {
  const auto set = std::make_shared<ProgramSet>(Options());
  EXPECT_TRUE(Put(set.get(), "one", "x > 1"));
  EXPECT_TRUE(Put(set.get(), "two", "upper(name)"));
  EXPECT_TRUE(Put(set.get(), "three", "x > 2 && name == \"y\""));
  SetEvaluator evaluator(set);
  evaluator.Bind("x", Value::Int(3));
  evaluator.Bind("name", Value::StringView("y"));
  EXPECT_EQ(PrintAll(&evaluator), "one=true two=\"Y\" three=true");
  EXPECT_EQ(Print(evaluator.Run(*set->Find("three"))), "true");
  EXPECT_EQ(*evaluator.FindTrue().id, *set->Find("one"));
  evaluator.Bind("x", Value::Int(1));
  EXPECT_EQ(PrintAll(&evaluator), "one=false two=\"Y\" three=false");
  EXPECT_FALSE(evaluator.FindTrue().id.has_value());
  // What fails or is not known might come first.
  evaluator.Bind("x", Value::Unknown(Type::Number()));
  SetEvaluator::Match match = evaluator.FindTrue();
  EXPECT_EQ(*match.id, *set->Find("one"));
  EXPECT_FALSE(match.is_true);
  evaluator.Bind("x", Value::Bool(true));
  match = evaluator.FindTrue();
  EXPECT_FALSE(match.is_true);
  EXPECT_EQ(Print(*match.evaluation).substr(0, 7), "HCL4101");
  // As a whole.
  Heap heap;
  JsonReader reader;
  Value scope;
  JsonError error;
  ASSERT_TRUE(reader.Read(R"({"x": 7, "nam": "z"})", &heap, &scope, &error));
  evaluator.BindAll(scope);
  EXPECT_EQ(Print(evaluator.Run(*set->Find("two"))),
            "HCL3001 There is no variable named \"name\". Did you mean \"nam\"?");
  EXPECT_EQ(Print(evaluator.Run(*set->Find("one"))), "true");
  evaluator.UnbindAll();
  EXPECT_EQ(Print(evaluator.Run(*set->Find("two"))), "HCL3001 There is no variable named \"name\".");
}

TEST(ProgramSetTest, ChangesAreSeenBehindAnUpdate) {
  const auto set = std::make_shared<ProgramSet>(Options());
  Put(set.get(), "a", "1");
  Put(set.get(), "b", "x");
  const ProgramSet::Id b = *set->Find("b");
  SetEvaluator evaluator(set);
  evaluator.Bind("x", Value::Int(2));
  EXPECT_EQ(PrintAll(&evaluator), "a=1 b=2");
  EXPECT_TRUE(Put(set.get(), "b", "x + 1"));
  EXPECT_TRUE(Put(set.get(), "c", "x + 2"));
  EXPECT_TRUE(set->Remove("a"));
  EXPECT_FALSE(set->Remove("a"));
  EXPECT_EQ(PrintAll(&evaluator), "a=1 b=2");
  EXPECT_EQ(evaluator.SourceOf(b)->text(), "x");
  EXPECT_EQ(set->SourceOf(b)->text(), "x + 1");
  evaluator.Update();
  EXPECT_EQ(PrintAll(&evaluator), "b=3 c=4");
  EXPECT_EQ(*set->Find("b"), b);
  EXPECT_EQ(set->size(), 2u);
  EXPECT_FALSE(set->Find("a").has_value());
  EXPECT_EQ(set->SourceOf(0), nullptr);
  // The id of what is gone goes to the next one.
  Put(set.get(), "d", "x + 3");
  EXPECT_EQ(*set->Find("d"), 0u);
  evaluator.Update();
  EXPECT_EQ(PrintAll(&evaluator), "d=5 b=3 c=4");
}

// An id may be another program's by now.
TEST(ProgramSetTest, AnEvaluatorFindsWhatWasPutSince) {
  const auto set = std::make_shared<ProgramSet>(Options());
  SetEvaluator evaluator(set);
  EXPECT_FALSE(evaluator.Find("a").has_value());
  Put(set.get(), "a", "1");
  EXPECT_EQ(Print(evaluator.Run(*evaluator.Find("a"))), "1");
  Put(set.get(), "a", "2");
  EXPECT_EQ(Print(evaluator.Run(*evaluator.Find("a"))), "1");
  evaluator.Update();
  EXPECT_EQ(Print(evaluator.Run(*evaluator.Find("a"))), "2");
  EXPECT_TRUE(set->Remove("a"));
  EXPECT_FALSE(evaluator.Find("a").has_value());
  EXPECT_EQ(PrintAll(&evaluator), "a=2");
  Put(set.get(), "b", "3");
  EXPECT_EQ(*set->Find("b"), 0u);
  EXPECT_EQ(Print(evaluator.Run(*evaluator.Find("b"))), "3");
  EXPECT_EQ(PrintAll(&evaluator), "b=3");
}

TEST(ProgramSetTest, AnErrorLeavesTheSetAsItWas) {
  const auto set = std::make_shared<ProgramSet>(Options());
  Put(set.get(), "a", "1");
  Diagnostics diagnostics;
  EXPECT_FALSE(set->Put("a", "1 +", &diagnostics));
  EXPECT_FALSE(set->Put("b", "nosuch(", &diagnostics));
  EXPECT_EQ(set->size(), 1u);
  SetEvaluator evaluator(set);
  EXPECT_EQ(PrintAll(&evaluator), "a=1");
  EXPECT_EQ(ToText(diagnostics.kept()[0], nullptr).find("a line"), std::string::npos);
}

// Many programs, replaced and removed in some order, are what a plain list of them is.
TEST(ProgramSetTest, ManyChanges) {
  const auto set = std::make_shared<ProgramSet>(Options());
  std::vector<std::optional<int>> want(1000);
  SetEvaluator evaluator(set);
  evaluator.Bind("x", Value::Int(0));
  uint32_t random = 1;
  const auto below = [&](uint32_t n) { return (random = random * 1'664'525 + 1'013'904'223) / 65'536 % n; };
  for (int round = 0; round < 6000; ++round) {
    const uint32_t n = below(static_cast<uint32_t>(want.size()));
    if (below(10) == 0) {
      EXPECT_EQ(set->Remove(absl::StrCat("p", n)), want[n].has_value());
      want[n].reset();
    } else {
      ASSERT_TRUE(Put(set.get(), absl::StrCat("p", n), absl::StrCat("x + ", round, " + strlen(\"a text to share\")")));
      want[n] = round + 15;
    }
    if (round % 500 != 499) continue;
    evaluator.Update();
    size_t seen = 0;
    evaluator.RunAll([&](ProgramSet::Id id, const Evaluation& evaluation) {
      const int at = std::stoi(evaluator.SourceOf(id)->name().substr(1));
      EXPECT_EQ(Print(evaluation), absl::StrCat(want[static_cast<size_t>(at)].value_or(-1)));
      return ++seen > 0;
    });
    EXPECT_EQ(seen, set->size());
  }
  for (size_t n = 0; n < want.size(); ++n) {
    const std::optional<ProgramSet::Id> id = set->Find(absl::StrCat("p", n));
    ASSERT_EQ(id.has_value(), want[n].has_value());
    if (id.has_value()) {
      EXPECT_EQ(Print(evaluator.Run(*id)), absl::StrCat(*want[n]));
    }
  }
}

TEST(ProgramSetTest, ProgramsAreSmallTogether) {
  const auto set = std::make_shared<ProgramSet>(Options());
  constexpr size_t kPrograms = 10'000;
  for (size_t n = 0; n < kPrograms; ++n) {
    Put(set.get(), absl::StrCat("tenant-", n),
        absl::StrCat("user.role == \"editor\" && startswith(request.path, \"/tenants/", n,
                     "/\") && contains([\"GET\", \"POST\"], request.method) && request.size < ", n + 1000));
  }
  EXPECT_LT(set->MemoryBytes() / kPrograms, 780u);
  // And with an index of what they test.
  Heap heap;
  Value scope;
  JsonError error;
  constexpr std::string_view kScope =
      R"({"user": {"role": "editor"}, "request": {"path": "/tenants/77/x", "method": "GET", "size": 1076}})";
  ASSERT_TRUE(JsonReader().Read(kScope, &heap, &scope, &error));
  SetEvaluator evaluator(set);
  evaluator.BindAll(scope);
  EXPECT_EQ(*evaluator.FindTrue().id, 77u);
  scope = {};
  ASSERT_TRUE(JsonReader().Read(absl::StrReplaceAll(internal::ToAbsl(kScope), {{"77", "x"}}), &heap, &scope, &error));
  evaluator.BindAll(scope);
  EXPECT_FALSE(evaluator.FindTrue().id);
  EXPECT_LT(set->MemoryBytes() / kPrograms, 780u);
  // Replacing all of them, twice, leaves as little.
  const size_t before = set->MemoryBytes();
  for (size_t n = 0; n < 2 * kPrograms; ++n) {
    Put(set.get(), absl::StrCat("tenant-", n % kPrograms),
        absl::StrCat("user.role == \"author\" && startswith(request.path, \"/tenants/", n,
                     "/\") && contains([\"GET\", \"POST\"], request.method) && request.size < ", n + 1000));
  }
  EXPECT_LT(set->MemoryBytes(), 2 * before);
}

TEST(ProgramSetTest, WhatIsNotPureIsCalledOnce) {
  int calls = 0;
  FunctionRegistryBuilder builder;
  CallableOptions callable;
  callable.pure = false;
  builder.Register(
      "next", [&calls] { return int64_t{++calls}; }, callable);
  CompileOptions options;
  options.functions = std::move(builder).Build();
  const auto set = std::make_shared<ProgramSet>(options);
  for (int n = 0; n < 300; ++n) Put(set.get(), absl::StrCat(n), n % 2 == 0 ? "next()" : "next() + nosuch");
  SetEvaluator evaluator(set);
  Heap heap;
  evaluator.BindAll(MakeObject(MakeShape({}, heap.arena()), {}, heap.arena()));
  evaluator.RunAll([](ProgramSet::Id, const Evaluation&) { return true; });
  EXPECT_EQ(calls, 300);
}

// Readers run while programs are replaced: each sees, of every program, an answer that it once had.
TEST(ProgramSetTest, ReadersGoOnWhileProgramsAreReplaced) {
  const auto set = std::make_shared<ProgramSet>(Options());
  constexpr int kPrograms = 300;
  constexpr int kPolicies = 20;
  for (int n = 0; n < kPrograms; ++n) Put(set.get(), absl::StrCat("p", n), absl::StrCat("x + ", n));
  const auto put_policy = [&](int n, int level) {
    Put(set.get(), absl::StrCat("q", n), absl::StrCat("path == \"/", n, "\" && x < ", level));
  };
  for (int n = 0; n < kPolicies; ++n) put_policy(n, 1);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> answers{0};
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> readers;
  for (int thread = 0; thread < 3; ++thread) {
    readers.emplace_back([&] {
      SetEvaluator evaluator(set);
      evaluator.Bind("x", Value::Int(0));
      evaluator.Bind("path", Value::StringView("/5"));
      do {
        evaluator.Update();
        evaluator.RunAll([&](ProgramSet::Id id, const Evaluation& evaluation) {
          if (id >= kPrograms) return true;
          wrong += !evaluation.ok() || evaluation.value().AsInt() % 1000 != static_cast<int64_t>(id);
          return ++answers > 0;
        });
        const SetEvaluator::Match match = evaluator.FindTrue();
        wrong += !match.is_true || !match.id || *match.id != kPrograms + 5;
        const std::optional<ProgramSet::Id> id = set->Find("p7");
        wrong += !id || set->SourceOf(*id) == nullptr || set->size() != kPrograms + kPolicies;
      } while (!stop);
    });
  }
  for (int n = 0; n < 3000; ++n) {
    Put(set.get(), absl::StrCat("p", n * 7 % kPrograms), absl::StrCat("x + ", n * 7 % kPrograms + 1000 * n));
    put_policy(n % kPolicies, n + 1);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(answers, 0u);
}

}  // namespace
}  // namespace hcl
