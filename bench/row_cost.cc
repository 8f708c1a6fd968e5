// What one evaluation of the access policy W1 takes, of which the request is a C++ struct: docs/performance.md, "Many".
//
//   row_cost KIND COUNT
//
// Does it COUNT times, for requests one after the other, and prints the nanoseconds of each. Under callgrind, the
// difference of two counts is what the processor does (bench/many).
//
//   hand    the policy written by hand, over the struct
//   rows    RunMany() over structs, whose fields are read where they are
//   made    a value made of each struct, bound, and evaluated
//   objects RunMany() over values that were made beforehand
//   bound   values that were made beforehand, bound and evaluated: nothing is read of structs

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/bench/handwritten.h"
#include "hclvm/bench/workload.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/scope_layout.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

template <>
struct FieldsOf<bench::W1> {
  static constexpr auto list =
      FieldList(Field("ip", &bench::W1::ip), Field("path", &bench::W1::path), Field("token", &bench::W1::token));
};

namespace bench {
namespace {

constexpr size_t kRows = 16;

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

// Requests, and what the policy says of each.
struct Rows {
  Rows() {
    for (size_t n = 0; n < kRows; ++n) {
      structs.push_back(W1::Make(static_cast<int>(n)));
      answers.push_back(structs.back().Evaluate());
    }
  }
  void Check(size_t row, const Evaluation& evaluation) const {
    if (!evaluation.ok() || evaluation.value().is_true() != answers[row]) Die("wrong answer");
  }

  std::unique_ptr<Workload> workload = LoadWorkload("W1");
  std::vector<W1> structs;
  std::vector<bool> answers;
};

// Does the work for all requests.
using Round = std::function<void()>;

Round ByHand(const std::shared_ptr<Rows>& rows) {
  return [rows] {
    for (size_t n = 0; n < kRows; ++n) {
      if (rows->structs[n].Evaluate() != rows->answers[n]) Die("wrong answer");
    }
  };
}

Round FromStructs(const std::shared_ptr<Rows>& rows) {
  absl::StatusOr<ScopeLayout> layout = ScopeLayout::Bind<W1>(rows->workload->program)
                                           .Field("request.ip", &W1::ip)
                                           .Field("request.path", &W1::path)
                                           .Field("request.token", &W1::token)
                                           .Make();
  if (!layout.ok()) Die(std::string(layout.status().message()));
  const auto evaluator = std::make_shared<Evaluator>(rows->workload->program);
  const auto results = std::make_shared<RunResults>();
  return [rows, layout = *layout, evaluator, results] {
    evaluator->RunMany(layout.Rows(rows->structs), results.get());
    for (size_t n = 0; n < kRows; ++n) {
      if (!results->ok(n) || results->value(n).is_true() != rows->answers[n]) Die("wrong answer");
    }
  };
}

Round FromMadeValues(const std::shared_ptr<Rows>& rows) {
  const auto evaluator = std::make_shared<Evaluator>(rows->workload->program);
  const auto heap = std::make_shared<Heap>();
  const uint32_t slot = *rows->workload->program->FindSlot("request");
  return [rows, evaluator, heap, slot] {
    for (size_t n = 0; n < kRows; ++n) {
      heap->Reset();
      const absl::StatusOr<Value> request = MakeValue(rows->structs[n], heap.get());
      if (!request.ok()) Die(std::string(request.status().message()));
      evaluator->Bind(slot, *request);
      rows->Check(n, evaluator->Run());
    }
  };
}

Round FromBoundValues(const std::shared_ptr<Rows>& rows) {
  const auto evaluator = std::make_shared<Evaluator>(rows->workload->program);
  return [rows, evaluator] {
    for (size_t n = 0; n < kRows; ++n) {
      BindScope(*rows->workload, n, evaluator.get());
      rows->Check(n, evaluator->Run());
    }
  };
}

Round FromObjects(const std::shared_ptr<Rows>& rows) {
  const auto evaluator = std::make_shared<Evaluator>(rows->workload->program);
  const auto results = std::make_shared<RunResults>();
  std::vector<Value> scopes;
  for (size_t n = 0; n < kRows; ++n) {
    // Of one shape, as a reader makes them.
    std::vector<KeyValue> variables;
    for (const auto& [slot, value] : rows->workload->scopes[n]) {
      variables.push_back({Value::StringView(rows->workload->program->variables()[slot]), value});
    }
    const Value scope = MakeObject(absl::MakeSpan(variables), rows->workload->heap.arena());
    const Shape* const shape = n == 0 ? &scope.shape() : &scopes[0].shape();
    scopes.push_back(MakeObject(shape, scope.values(), rows->workload->heap.arena()));
  }
  return [rows, scopes, evaluator, results] {
    evaluator->RunMany(scopes, results.get());
    for (size_t n = 0; n < kRows; ++n) {
      if (!results->ok(n) || results->value(n).is_true() != rows->answers[n]) Die("wrong answer");
    }
  };
}

double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace
}  // namespace bench
}  // namespace hcl

int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: this program's own names
  const std::map<std::string, Round (*)(const std::shared_ptr<Rows>&)> kinds = {{"hand", ByHand},
                                                                                {"rows", FromStructs},
                                                                                {"made", FromMadeValues},
                                                                                {"objects", FromObjects},
                                                                                {"bound", FromBoundValues}};
  const auto kind = argc == 3 ? kinds.find(argv[1]) : kinds.end();
  if (kind == kinds.end()) {
    std::fprintf(stderr, "usage: row_cost hand|rows|made|objects|bound COUNT\n");
    return 2;
  }
  const uint64_t rounds = std::strtoull(argv[2], nullptr, 10) / kRows;
  const Round round = kind->second(std::make_shared<Rows>());
  round();
  const double begin = ProcessorSeconds();
  for (uint64_t n = 0; n < rounds; ++n) round();
  const double seconds = ProcessorSeconds() - begin;
  std::printf("%.1f ns each\n", rounds == 0 ? 0 : 1e9 * seconds / static_cast<double>(rounds * kRows));
  return 0;
}
