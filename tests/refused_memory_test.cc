// Memory that the system refuses in the midst of a run, at each allocation in turn: the run reports it, or does
// without, and the evaluator's next run is as if nothing had been.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace {

// How many allocations there are until one is refused; never where it is negative.
int64_t left = -1;

void* Allocate(std::size_t bytes) {
  if (left >= 0 && left-- == 0) return nullptr;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* AllocateOrThrow(std::size_t bytes) {
  void* const memory = Allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return AllocateOrThrow(bytes); }
void* operator new[](std::size_t bytes) { return AllocateOrThrow(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hcl {
namespace {

constexpr int kMostAllocations = 1000;

std::string Answer(const Evaluation& evaluation) {
  if (!evaluation.ok()) return ToText(evaluation.diagnostics(), nullptr);
  std::string text;
  std::string reason;
  EXPECT_TRUE(AppendJson(evaluation.value(), &text, &reason)) << reason;
  return text;
}

// Runs over `scope` with each allocation refused in turn, up to the first run that has all it asks for; behind each,
// what a run over `next` gives has to be what it gives by itself.
void RefuseEach(const std::string& expression, const Limits& limits, const std::string& scope,
                const std::string& next) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("expression", expression);
  const std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  ASSERT_NE(program, nullptr);
  Heap heap;
  const Value refused = ParsedJson(scope, &heap);
  const Value other = ParsedJson(next, &heap);
  Evaluator fresh(program, limits);
  fresh.BindAll(other);
  const std::string want = Answer(fresh.Run());
  for (int n = 0;; ++n) {
    ASSERT_LT(n, kMostAllocations) << expression;
    Evaluator evaluator(program, limits);
    evaluator.BindAll(refused);
    left = n;
    evaluator.Run();
    const bool had_all = left >= 0;
    left = -1;
    evaluator.BindAll(other);
    EXPECT_EQ(Answer(evaluator.Run()), want) << expression << ", allocation " << n;
    if (had_all) break;
  }
}

TEST(RefusedMemoryTest, ALimitIsCrossed) {
  Limits limits;
  limits.max_fuel = 200;
  std::string many = "[0";
  for (int n = 0; n < 500; ++n) many += ",0";
  RefuseEach("{ a = [for x in l : x == 1 ? \"one\" : \"${x}\"], b = 2 }", limits, "{\"l\": " + many + "]}",
             R"({"l": [1, 2]})");
  Limits small;
  small.max_result_bytes = 2000;
  RefuseEach("{ a = [for x in l : \"${x}-${x}\"], b = 2 }", small, "{\"l\": " + many + "]}", R"({"l": [1, 2]})");
}

}  // namespace
}  // namespace hcl
