// What a host pays for each call of the API, around evaluations: docs/embedding.md has the table.
//
//   bazel run -c opt //bench:embedding_benchmark
//
// One small policy and one request, as examples/embedding/structs.cc has them. Names are what the table says.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_cache.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/evaluator_pool.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {

struct User {
  std::string name;
  bool admin = false;
  std::vector<std::string> roles;
};
struct Request {
  User user;
  std::string path;
  std::map<std::string, std::string> headers;
};
struct Decision {
  bool allow = false;
  std::string reason;
  std::vector<std::string> tags;
};

}  // namespace hcl::bench

namespace hcl {

template <>
struct FieldsOf<bench::User> {
  static constexpr auto list = FieldList(Field("name", &bench::User::name), Field("admin", &bench::User::admin),
                                         Field("roles", &bench::User::roles));
};
template <>
struct FieldsOf<bench::Request> {
  static constexpr auto list = FieldList(Field("user", &bench::Request::user), Field("path", &bench::Request::path),
                                         Field("headers", &bench::Request::headers));
};
template <>
struct FieldsOf<bench::Decision> {
  static constexpr auto list =
      FieldList(Field("allow", &bench::Decision::allow), Field("reason", &bench::Decision::reason),
                Field("tags", &bench::Decision::tags));
};

namespace bench {
namespace {

constexpr char kPolicy[] = R"(
allow  = contains(user.roles, "writer") && startswith(path, "/files/")
reason = "${user.name} writes with ${lookup(headers, "agent", "no agent")}"
tags   = [for role in user.roles : upper(role)]
call   = host(path)
)";
constexpr char kRequest[] =
    R"({"user":{"name":"ann","admin":false,"roles":["writer","auditor"]},"path":"/files/a","headers":{"agent":"curl"}})";

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

// What the calls need, made once.
struct Fixture {
  Fixture() {
    FunctionRegistryBuilder builder;
    for (const FunctionFamily family : {FunctionFamily::kString, FunctionFamily::kCollection}) {
      RegisterFamily(family, &builder);
    }
    builder.Register("host", [](std::string_view text) { return text == "/files/a"; });
    options.functions = std::move(builder).Build();
    Diagnostics diagnostics;
    program = CompileConfig(std::make_shared<const Source>("policy.hcl", kPolicy), options, &diagnostics);
    if (program == nullptr) Die(ToText(diagnostics, nullptr));
    JsonError error;
    if (!JsonReader().Read(kRequest, &heap, &scope, &error)) Die(error.detail);
    evaluator = std::make_unique<Evaluator>(program);
    evaluator->BindAll(scope);
    const Evaluation& evaluation = evaluator->Run();
    if (!evaluation.ok()) Die(ToText(evaluation.diagnostics(), &program->source()));
    decision = Clone(evaluation.value(), heap.arena(), heap.types());
    if (!Decode<Decision>(decision).ok() || !Decode<Decision>(decision)->allow) Die("a wrong decision");
  }
  const Entry& entry(std::string_view name) const { return *program->FindEntry(name); }

  CompileOptions options;
  std::shared_ptr<const Program> program;
  Heap heap;
  Value scope;
  Value decision;
  std::unique_ptr<Evaluator> evaluator;
  Request request{{"ann", false, {"writer", "auditor"}}, "/files/a", {{"agent", "curl"}}};
};

void Add(const char* name, const std::function<void()>& call) {
  benchmark::RegisterBenchmark(name, [call](benchmark::State& state) {
    for (auto _ : state) call();
  });
}

// The callables hold what they use, and each leaves everything as it has found it.
void AddCompiling(Fixture* f, CompileCache* cache) {
  const auto source = std::make_shared<const Source>("policy.hcl", kPolicy);
  Add("compile the policy, of 4 attributes", [=] {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(CompileConfig(source, f->options, &diagnostics));
  });
  Add("get it from a CompileCache",
      [=] { benchmark::DoNotOptimize(cache->Compile(SourceKind::kConfig, "policy.hcl", kPolicy, f->options)); });
  Add("make an Evaluator", [=] { const Evaluator evaluator(f->program); });
}

void AddScopes(Fixture* f, JsonReader* reader, Heap* heap) {
  Add("read the request from 112 bytes of JSON", [=] {
    heap->Reset();
    Value value;
    JsonError error;
    if (!reader->Read(kRequest, heap, &value, &error)) Die(error.detail);
  });
  Add("make it of a C++ struct: MakeValue", [=] {
    heap->Reset();
    benchmark::DoNotOptimize(MakeValue(f->request, heap));
  });
  Add("bind one variable by slot", [=] { f->evaluator->Bind(0, f->scope.values()[0]); });
  Add("bind all 3 variables: BindAll", [=] { f->evaluator->BindAll(f->scope); });
}

void AddRuns(Fixture* f) {
  f->evaluator->BindAll(f->scope);
  for (const char* name : {"allow", "reason", "tags"}) {
    const Entry* const entry = &f->entry(name);
    const std::string title = std::string("run `") + name + "`";
    Add(title.c_str(), [=] { benchmark::DoNotOptimize(f->evaluator->Run(*entry).value()); });
  }
  const Entry* const call = &f->entry("call");
  Add("run a call of a host's function", [=] { benchmark::DoNotOptimize(f->evaluator->Run(*call).value()); });
  const Entry* const allow = &f->entry("allow");
  Add("run `allow` with `path` from a callback: BindLazy", [=] {
    f->evaluator->BindAll(f->scope);
    f->evaluator->BindLazy("path", [](LazyCall*) { return Value::StringView("/files/a"); });
    benchmark::DoNotOptimize(f->evaluator->Run(*allow).value());
    f->evaluator->BindAll(f->scope);
  });
  Add("run what fails, with its message", [=] {
    f->evaluator->UnbindAll();
    benchmark::DoNotOptimize(f->evaluator->Run(*allow).value());
    f->evaluator->BindAll(f->scope);
  });
}

void AddResults(Fixture* f, EvaluatorPool* pool) {
  Add("take an evaluator from an EvaluatorPool and give it back", [=] { const auto lease = pool->Acquire(); });
  Add("take one, bind, run all, keep the result: EvaluatorPool::Evaluate",
      [=] { benchmark::DoNotOptimize(pool->Evaluate(f->scope).ok()); });
  Add("read the decision into a C++ struct: Decode", [=] { benchmark::DoNotOptimize(Decode<Decision>(f->decision)); });
  Add("write the decision as JSON", [=, text = std::string(), reason = std::string()]() mutable {
    text.clear();
    if (!AppendJson(f->decision, &text, &reason)) Die(reason);
  });
  f->evaluator->UnbindAll();
  const auto failed = std::make_shared<const Diagnostics>(f->evaluator->Run().diagnostics());
  f->evaluator->BindAll(f->scope);
  Add("write a diagnostic as text",
      [=] { benchmark::DoNotOptimize(ToText(failed->kept()[0], &f->program->source())); });
}

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Fixture fixture;
  CompileCache cache;
  JsonReader reader;
  Heap heap;
  EvaluatorPool pool(fixture.program);
  AddCompiling(&fixture, &cache);
  AddScopes(&fixture, &reader, &heap);
  AddRuns(&fixture);
  AddResults(&fixture, &pool);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace bench
}  // namespace hcl

int main(int argc, char** argv) { return hcl::bench::Main(argc, argv); }
