// Reading five fields of requests of 40 KB:
//
//   bazel run -c opt //bench:projection_benchmark
//
// Names are FORM/WAY. The forms differ in what else the request holds; see MakeRequest(). The ways: part reads what a
// program needs, whole reads everything, simdjson looks the five fields up on demand in a text that has been padded
// beforehand, and answer/part and answer/whole do what a line of `hclvm run` costs. All are compared before the clock
// runs. `memory` is what values take. bench/projection makes a table.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "simdjson.h"

namespace hcl::bench {
namespace {

constexpr size_t kBytes = 40'000;
constexpr std::string_view kPolicy =
    "user.role == \"admin\" || request.method == \"GET\" && user.id == resource.owner && request.path != \"/admin\"";

std::string Repeat(const std::string& separator, const std::vector<std::string>& items) {
  std::string text;
  for (size_t n = 0; text.size() < kBytes; ++n)
    absl::StrAppend(&text, n == 0 ? std::string() : separator, items[n % items.size()]);
  return text;
}

// A request of 40 KB, of which a policy reads five fields; the rest is
//
//   records   an array of objects of nine properties, as what an API is sent
//   flat      properties of an object, short texts and numbers
//   beside    the same properties beside those that are read
//   numbers   arrays of numbers with fractions
//   text      one text without escapes
//   escapes   one text that is JSON
//   unicode   texts beyond ASCII
//   indented  records, a property on each line
std::string MakeRequest(std::string_view form) {
  std::string record =
      R"({"id":"a8f5f167-f44f-4964-e6c9","type":"invoice","amount":1299.5,"currency":"EUR","paid":true,)"
      R"("tags":["a","priority","eu-west-1"],"customer":{"name":"Ann Miller","email":"ann@example.com"},"note":null})";
  std::string rest;
  if (form == "records") {
    rest = absl::StrCat("\"items\":[", Repeat(",", {record}), "]");
  } else if (form == "flat" || form == "beside") {
    std::vector<std::string> properties;
    for (int n = 0; n < 5'000; ++n)
      properties.push_back(absl::StrCat("\"field_", n, "\":", n % 3 == 0 ? "\"some text\"" : "12345"));
    rest = Repeat(",", properties);
  } else if (form == "numbers") {
    rest = absl::StrCat("\"points\":[", Repeat(",", {"[12.125,-7.5]", "[1024,3.25]"}), "]");
  } else if (form == "text") {
    rest = absl::StrCat("\"text\":\"", Repeat(" ", {"lorem", "ipsum", "dolor", "sit", "amet"}), "\"");
  } else if (form == "escapes") {
    rest = absl::StrCat("\"body\":\"", Repeat(",", {R"({\"name\":\"Ann\",\"path\":\"C:\\\\x\",\"n\":1}\n)"}), "\"");
  } else if (form == "unicode") {
    rest = absl::StrCat(
        "\"texts\":[",
        Repeat(",", {"\"\u4e16\u754c\u4f60\u597d\"", "\"\u043f\u0440\u0438\u0432\u0435\u0442\"", "\"caf\u00e9\""}),
        "]");
  } else {
    std::string lines;
    size_t depth = 3;
    for (const char c : record) {
      if (c == '}' || c == ']') absl::StrAppend(&lines, "\n", std::string(2 * --depth, ' '));
      lines.push_back(c);
      if (c == '{' || c == '[') ++depth;
      if (c == '{' || c == '[' || c == ',') absl::StrAppend(&lines, "\n", std::string(2 * depth, ' '));
      if (c == ':') lines.push_back(' ');
    }
    rest = absl::StrCat("\"items\":[", Repeat(",\n      ", {lines}), "]");
  }
  return absl::StrCat(R"({"user":{"id":"ann","name":"Ann","role":"editor","groups":["a","b"]},"request":{"headers":)",
                      R"({"accept":"*/*","host":"example.com"},"method":"GET","path":"/items",)",
                      form == "beside" ? "" : "\"body\":{", rest, form == "beside" ? "" : "}",
                      R"(},"resource":{"kind":"list","owner":"ann"}})");
}

std::shared_ptr<const Program> Policy() {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  return CompileExpression(std::make_shared<const Source>("policy", std::string(kPolicy)), options, &diagnostics);
}

// The five fields, as what is read has them.
std::string Fields(const Value& scope) {
  const auto at = [](const Value& object, std::string_view name) {
    return object.values()[static_cast<size_t>(object.shape().Find(name))];
  };
  const Value request = at(scope, "request");
  const Value user = at(scope, "user");
  return absl::StrCat(std::string(at(user, "id").AsString()), " ", std::string(at(user, "role").AsString()), " ",
                      std::string(at(request, "method").AsString()), " ", std::string(at(request, "path").AsString()),
                      " ", std::string(at(at(scope, "resource"), "owner").AsString()));
}

void Read(benchmark::State& state, const std::string& form, bool is_whole) {
  const std::string text = MakeRequest(form);
  const auto program = Policy();
  JsonProjection needed;
  needed.Add(Reads(program, program->main_chunk()).needed());
  if (is_whole) needed.NeedAll();
  JsonReader reader;
  Heap heap;
  Value scope;
  JsonError error;
  if (!reader.Read(text, needed, &heap, &scope, &error)) return state.SkipWithError("is not read");
  if (Fields(scope) != "ann editor GET /items ann") return state.SkipWithError("is read wrongly");
  for (auto _ : state) {
    heap.Reset();
    if (!reader.Read(text, needed, &heap, &scope, &error)) return state.SkipWithError("is not read");
    benchmark::DoNotOptimize(scope);
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
  state.counters["memory"] = static_cast<double>(heap.arena()->bytes_used());
}

void Simdjson(benchmark::State& state, const std::string& form) {
  const simdjson::padded_string text(MakeRequest(form));
  simdjson::ondemand::parser parser;
  std::string_view id, role, method, path, owner;
  const auto read = [&] {
    simdjson::ondemand::document document;
    simdjson::ondemand::object user, request;
    if (parser.iterate(text).get(document) != simdjson::SUCCESS) return false;
    return document["user"].get(user) == simdjson::SUCCESS && user["id"].get(id) == simdjson::SUCCESS &&
           user["role"].get(role) == simdjson::SUCCESS && document["request"].get(request) == simdjson::SUCCESS &&
           request["method"].get(method) == simdjson::SUCCESS && request["path"].get(path) == simdjson::SUCCESS &&
           document["resource"]["owner"].get(owner) == simdjson::SUCCESS;
  };
  if (!read() || absl::StrCat(std::string(id), " ", std::string(role), " ", std::string(method), " ", std::string(path),
                              " ", std::string(owner)) != "ann editor GET /items ann") {
    return state.SkipWithError("is read wrongly");
  }
  for (auto _ : state) {
    if (!read()) return state.SkipWithError("is not read");
    benchmark::DoNotOptimize(owner);
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}

void Answer(benchmark::State& state, const std::string& form, bool is_whole) {
  const std::string text = MakeRequest(form);
  NdjsonOptions options;
  options.check_all = is_whole;
  LineEvaluator evaluator(Policy(), options);
  std::string out;
  evaluator.Evaluate(text, 1, &out);
  if (out != "{\"value\":true}\n") return state.SkipWithError("is answered wrongly");
  for (auto _ : state) {
    out.clear();
    evaluator.Evaluate(text, 1, &out);
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}

}  // namespace

void RegisterAll() {
  for (const char* form : {"records", "flat", "beside", "numbers", "text", "escapes", "unicode", "indented"}) {
    const std::string name = form;
    benchmark::RegisterBenchmark((name + "/part").c_str(), [=](benchmark::State& state) { Read(state, name, false); });
    benchmark::RegisterBenchmark((name + "/whole").c_str(), [=](benchmark::State& state) { Read(state, name, true); });
    benchmark::RegisterBenchmark((name + "/simdjson").c_str(), [=](benchmark::State& state) { Simdjson(state, name); });
    benchmark::RegisterBenchmark((name + "/answer/part").c_str(),
                                 [=](benchmark::State& state) { Answer(state, name, false); });
    benchmark::RegisterBenchmark((name + "/answer/whole").c_str(),
                                 [=](benchmark::State& state) { Answer(state, name, true); });
  }
}

}  // namespace hcl::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  hcl::bench::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
