// What many evaluations of one kind take: docs/performance.md, "Many".
//
//   many_cost KIND COUNT
//
// Does the work of KIND COUNT times, and prints the nanoseconds of the processor for each. Under callgrind, the
// difference of two counts is what the processor does (bench/many).
//
//   run          a whole run of a config of 200 attributes, behind a change of one variable
//   rerun        Rerun() of it, behind the same change: one attribute reads the variable
//   set          one program of a ProgramSet of 10,000 policies of four conditions, the next one each time
//   entries      the same policies as attributes of one config
//   evaluators   the same policies as programs with an Evaluator each
//   put          replaces one of 10,000 programs of a ProgramSet
//   compile      compiles such a policy alone
//   find         the one of 30,000 such policies in a ProgramSet that is true for the next request: FindTrue()
//   findall      the same, by running one after the other
//   base         a request over a base layer of 10 MB of JSON, which has what is said of a user
//   small        the same over a layer of four users
//   read         the same, where each request brings the 10 MB

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/live_bytes.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

constexpr int kAttributes = 200;
constexpr uint32_t kPolicies = 10'000;
constexpr uint32_t kSearched = 30'000;
constexpr uint32_t kUsers = 105'000;  // 10 MB
constexpr uint32_t kFewUsers = 4;

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

std::shared_ptr<const Program> Compile(bool is_config, const std::string& text) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("many", text);
  auto program =
      is_config ? CompileConfig(source, Options(), &diagnostics) : CompileExpression(source, Options(), &diagnostics);
  if (program == nullptr) Die(ToText(diagnostics, source.get()));
  return program;
}

// Conditions, numbers and texts, as configs have them.
std::string Config() {
  std::string text;
  for (int n = 0; n < kAttributes; ++n) {
    const char* const forms[] = {"v$ * 2 + 1", "v$ > 10 ? \"large\" : \"small\"", "\"name-${v$}\"",
                                 "v$ == 3 || v$ > 7"};
    std::string form = forms[n % 4];
    for (size_t at = 0; (at = form.find("v$", at)) != std::string::npos;) form.replace(at, 2, absl::StrCat("v", n));
    absl::StrAppend(&text, "a", n, " = ", form, "\n");
  }
  return text;
}

std::string Policy(uint32_t n) {
  return absl::StrCat("user.role == \"editor\" && startswith(request.path, \"/t/", n,
                      "/\") && contains([\"GET\", \"POST\"], ", "request.method) && request.size < ", 1000 + n);
}

Value Request(Heap* heap, uint32_t n = 77) {
  const std::string request = absl::StrCat(R"({"user": {"role": "editor"}, "request": {"path": "/t/)", n,
                                           R"(/x", "method": "GET", "size": 10}})");
  Value scope;
  JsonError error;
  if (!JsonReader().Read(request, heap, &scope, &error)) Die(error.detail);
  return scope;
}

// What is done each time, behind what is done once.
using Work = std::function<void(uint64_t n)>;

Work Change(bool again) {
  auto evaluator = std::make_shared<Evaluator>(Compile(/*is_config=*/true, Config()));
  for (uint32_t slot = 0; slot < kAttributes; ++slot) evaluator->Bind(slot, Value::Int(slot));
  if (!evaluator->Run().ok()) Die("the config fails");
  return [evaluator, again](uint64_t n) {
    const uint32_t slot = n % kAttributes;
    evaluator->Bind(slot, Value::Int(static_cast<int64_t>(n % 17)));
    if (!(again ? evaluator->Rerun({&slot, 1}) : evaluator->Run()).ok()) Die("the config fails");
  };
}

std::shared_ptr<ProgramSet> MakeSet(uint32_t policies = kPolicies) {
  auto set = std::make_shared<ProgramSet>(Options());
  Diagnostics diagnostics;
  for (uint32_t n = 0; n < policies; ++n) set->Put(absl::StrCat("tenant-", n), Policy(n), &diagnostics);
  if (!diagnostics.empty()) Die(ToText(diagnostics, nullptr));
  return set;
}

Work CompileAlone() {
  return [options = Options()](uint64_t n) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>("tenant", Policy(static_cast<uint32_t>(n)));
    if (CompileExpression(source, options, &diagnostics) == nullptr) Die("no policy");
  };
}

void Check(uint64_t n, const Evaluation& evaluation) {
  if (!evaluation.ok() || evaluation.value().is_true() != (n % kPolicies == 77)) Die("wrong answer");
}

Work RunSet(Heap* heap) {
  const size_t before = LiveBytes();
  const auto set = MakeSet();
  auto evaluator = std::make_shared<SetEvaluator>(set);
  evaluator->BindAll(Request(heap));
  for (uint32_t n = 0; n < kPolicies; ++n) Check(n, evaluator->Run(n));
  std::printf("%zu bytes each\n", (LiveBytes() - before) / kPolicies);
  return [evaluator](uint64_t n) { Check(n, evaluator->Run(static_cast<uint32_t>(n % kPolicies))); };
}

Work RunEntries(Heap* heap) {
  const size_t before = LiveBytes();
  std::string text;
  for (uint32_t n = 0; n < kPolicies; ++n) absl::StrAppend(&text, "a", n, " = ", Policy(n), "\n");
  auto evaluator = std::make_shared<Evaluator>(Compile(/*is_config=*/true, text));
  text = std::string();
  evaluator->BindAll(Request(heap));
  for (uint32_t n = 0; n < kPolicies; ++n) Check(n, evaluator->Run(evaluator->program().entries()[n]));
  std::printf("%zu bytes each\n", (LiveBytes() - before) / kPolicies);
  return [evaluator](uint64_t n) { Check(n, evaluator->Run(evaluator->program().entries()[n % kPolicies])); };
}

Work RunEvaluators(Heap* heap) {
  const size_t before = LiveBytes();
  auto evaluators = std::make_shared<std::vector<std::unique_ptr<Evaluator>>>();
  const Value scope = Request(heap);
  for (uint32_t n = 0; n < kPolicies; ++n) {
    evaluators->push_back(std::make_unique<Evaluator>(Compile(/*is_config=*/false, Policy(n))));
    evaluators->back()->BindAll(scope);
    Check(n, evaluators->back()->Run());
  }
  std::printf("%zu bytes each\n", (LiveBytes() - before) / kPolicies);
  return [evaluators](uint64_t n) { Check(n, (*evaluators)[n % kPolicies]->Run()); };
}

Work PutAgain() {
  const auto set = MakeSet();
  return [set](uint64_t n) {
    Diagnostics diagnostics;
    const uint64_t at = n * 7919 % kPolicies;
    if (!set->Put(absl::StrCat("tenant-", at), Policy(static_cast<uint32_t>(at + n)), &diagnostics)) Die("no policy");
  };
}

// Requests for policies here and there in the order.
Work FindTrue(Heap* heap, bool by_running) {
  constexpr uint32_t kRequests = 64;
  const size_t before = LiveBytes();
  auto evaluator = std::make_shared<SetEvaluator>(MakeSet(kSearched));
  std::vector<Value> requests;
  for (uint32_t n = 0; n < kRequests; ++n) requests.push_back(Request(heap, n * 7919 % kSearched));
  const auto find = [evaluator, requests, by_running](uint64_t n) {
    evaluator->BindAll(requests[n % kRequests]);
    std::optional<ProgramSet::Id> found;
    if (by_running) {
      evaluator->RunAll([&](ProgramSet::Id id, const Evaluation& evaluation) {
        if (evaluation.ok() && evaluation.value().is_true()) found = id;
        return !found;
      });
    } else {
      found = evaluator->FindTrue().id;
    }
    if (found != n % kRequests * 7919 % kSearched) Die("wrong answer");
  };
  for (uint64_t n = 0; n < kRequests; ++n) find(n);
  std::printf("%zu bytes each\n", (LiveBytes() - before) / kSearched);
  return find;
}

// Users of about 100 bytes each.
std::string Users(uint32_t count) {
  std::string text = "{\"users\": {";
  for (uint32_t n = 0; n < count; ++n) {
    absl::StrAppend(&text, n == 0 ? "" : ",", "\"user-", n, R"(":{"name":"User of the number )", n,
                    R"(","team":"team-)", n % 97, R"(","role":"editor","limit":)", 1000 + n % 7, "}");
  }
  return text + "}}";
}

// What is said of users is in a base, or comes with each request.
Work AskOfUsers(uint32_t users, bool is_base) {
  Diagnostics diagnostics;
  const auto program = Compile(
      /*is_config=*/false, "users[user].role == \"editor\" && size < users[user].limit && users[user].team != \"\"");
  const auto evaluator = std::make_shared<Evaluator>(program);
  std::string rest = "}";
  if (is_base) {
    const BaseText text = {std::make_shared<const Source>("users.json", Users(users)), ""};
    const auto data = BaseData::Read({&text, 1}, {}, &diagnostics);
    const auto base = data == nullptr ? nullptr : BaseLayer::Make(program, data, {}, &diagnostics);
    if (base == nullptr) Die(ToText(diagnostics, nullptr));
    evaluator->BindBase(base);
  } else {
    rest = Users(users);
    rest[0] = ',';
  }
  const auto heap = std::make_shared<Heap>();
  const auto reader = std::make_shared<JsonReader>();
  return [=](uint64_t n) {
    heap->Reset();
    Value scope;
    JsonError error;
    const std::string request = absl::StrCat(R"({"user": "user-)", n * 7919 % users, R"(", "size": 10)", rest);
    if (!reader->Read(request, heap.get(), &scope, &error)) Die(error.detail);
    evaluator->BindAll(scope);
    const Evaluation& evaluation = evaluator->Run();
    if (!evaluation.ok() || !evaluation.value().is_true()) Die("wrong answer");
  };
}

double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: this program's own names
  hcl::Heap heap;
  const std::map<std::string, std::function<Work()>> kinds = {
      {"run", [] { return Change(/*again=*/false); }},
      {"rerun", [] { return Change(/*again=*/true); }},
      {"set", [&heap] { return RunSet(&heap); }},
      {"entries", [&heap] { return RunEntries(&heap); }},
      {"evaluators", [&heap] { return RunEvaluators(&heap); }},
      {"put", [] { return PutAgain(); }},
      {"compile", [] { return CompileAlone(); }},
      {"find", [&heap] { return FindTrue(&heap, /*by_running=*/false); }},
      {"findall", [&heap] { return FindTrue(&heap, /*by_running=*/true); }},
      {"base", [] { return AskOfUsers(kUsers, /*is_base=*/true); }},
      {"small", [] { return AskOfUsers(kFewUsers, /*is_base=*/true); }},
      {"read", [] { return AskOfUsers(kUsers, /*is_base=*/false); }},
  };
  const auto kind = argc == 3 ? kinds.find(argv[1]) : kinds.end();
  if (kind == kinds.end()) {
    std::fprintf(stderr, "usage: many_cost KIND COUNT, KIND one of");
    for (const auto& [name, make] : kinds) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  const uint64_t count = std::strtoull(argv[2], nullptr, 10);
  const Work work = kind->second();
  const double begin = ProcessorSeconds();
  for (uint64_t n = 0; n < count; ++n) work(n);
  const double seconds = ProcessorSeconds() - begin;
  std::printf("%.1f ns each\n", count == 0 ? 0 : 1e9 * seconds / static_cast<double>(count));
  return 0;
}
