// Base layers: what they give to evaluations, what they refuse, what is made once, and that threads share them.

#include "hclvm/vm/base_layer.h"

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/data_files.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Print(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", CodeText(diagnostic.code), " ", diagnostic.detail);
  }
  return text;
}

std::shared_ptr<const Program> Compile(const std::string& text, bool is_module,
                                       std::shared_ptr<const FunctionRegistry> functions = StandardFunctions()) {
  CompileOptions options;
  options.functions = std::move(functions);
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("m.hcl", text);
  auto program = is_module ? CompileModule(std::vector<ModuleFile>{{source}}, options, &diagnostics)
                           : CompileConfig(source, options, &diagnostics);
  EXPECT_NE(program, nullptr) << Print(diagnostics);
  return program;
}
std::shared_ptr<const Program> Config(const std::string& text) { return Compile(text, /*is_module=*/false); }
std::shared_ptr<const Program> Module(const std::string& text) { return Compile(text, /*is_module=*/true); }

BaseText Text(const std::string& json, const std::string& variable = "", const std::string& name = "data.json") {
  return {std::make_shared<const Source>(name, json), variable};
}

std::shared_ptr<const BaseLayer> Layer(const std::shared_ptr<const Program>& program, const std::string& json,
                                       const BaseOptions& options = {}, std::string* errors = nullptr) {
  Diagnostics diagnostics;
  const BaseText text = Text(json);
  const auto data = BaseData::Read({&text, 1}, options, &diagnostics);
  auto layer = data == nullptr ? nullptr : BaseLayer::Make(program, data, options, &diagnostics);
  if (errors != nullptr) *errors = Print(diagnostics);
  return layer;
}

BaseOptions Replaceable(std::vector<std::string> names) {
  BaseOptions options;
  options.replaceable = std::move(names);
  return options;
}

// Runs over scopes of JSON.
class Runner {
 public:
  explicit Runner(std::shared_ptr<const Program> program, const Limits& limits = {})
      : evaluator(std::move(program), limits) {}

  // The value as JSON, or what is wrong.
  std::string Run(std::string_view scope) {
    heap_.Reset();
    Value value;
    JsonError error;
    EXPECT_TRUE(reader_.Read(scope, &heap_, &value, &error)) << error.detail;
    evaluator.BindAll(value);
    return RunAgain();
  }
  std::string RunAgain() {
    const Evaluation& evaluation = evaluator.Run();
    fuel = Limits().max_fuel - evaluation.fuel_left();
    if (!evaluation.ok()) return Print(evaluation.diagnostics());
    std::string text, reason;
    return AppendJson(evaluation.value(), &text, &reason) ? text : reason;
  }

  Evaluator evaluator;
  uint64_t fuel = 0;

 private:
  Heap heap_;
  JsonReader reader_;
};

TEST(BaseLayerTest, StandsBelowEachScope) {
  const auto program = Config("x = \"${a.b}-${c}\"");
  Runner runner(program);
  EXPECT_EQ(runner.Run("{\"c\": 1}"), "HCL3001 There is no variable named \"a\".");
  runner.evaluator.BindBase(Layer(program, R"({"a": {"b": "base"}, "unread": 1})"));
  EXPECT_EQ(runner.Run("{\"c\": 1}"), R"({"x":"base-1"})");
  EXPECT_EQ(runner.Run("{\"c\": 2}"), R"({"x":"base-2"})");
  EXPECT_EQ(runner.Run("{\"c\": 2, \"unread\": 3}"), R"({"x":"base-2"})");
  EXPECT_EQ(runner.Run("{}"), "HCL3001 There is no variable named \"c\".");
  // Another one, and none.
  runner.evaluator.BindBase(Layer(program, R"({"c": "c"})"));
  EXPECT_EQ(runner.Run(R"({"a": {"b": 1}})"), R"({"x":"1-c"})");
  runner.evaluator.BindBase(nullptr);
  EXPECT_EQ(runner.Run("{\"c\": 1}"), "HCL3001 There is no variable named \"a\".");
}

TEST(BaseLayerTest, WhatItGivesNoRequestGives) {
  constexpr char kTwice[] = "HCL3012 The variable \"a\" is given by the base, so that a request must not give it.";
  for (const bool is_module : {false, true}) {
    const auto program =
        Compile(is_module ? "variable \"a\" {}\nvariable \"c\" {}\nx = [a, c]\n" : "x = [a, c]", is_module);
    Runner runner(program);
    runner.evaluator.BindBase(Layer(program, "{\"a\": {\"b\": 1}}"));
    EXPECT_EQ(runner.Run("{\"a\": {\"b\": 1}, \"c\": 1}"), kTwice);
    EXPECT_EQ(runner.Run("{\"c\": 1}"), "{\"x\":[{\"b\":1},1]}");
    // One by one.
    EXPECT_TRUE(runner.evaluator.Bind("a", Value::Int(7)));
    EXPECT_TRUE(runner.evaluator.Bind("a", Value::Int(8)));
    EXPECT_EQ(runner.RunAgain(), kTwice);
    runner.evaluator.UnbindAll();
    runner.evaluator.Bind("c", Value::Int(2));
    EXPECT_EQ(runner.RunAgain(), "{\"x\":[{\"b\":1},2]}");
    runner.evaluator.BindLazy("a", [](LazyCall*) { return Value::Int(9); });
    EXPECT_EQ(runner.RunAgain(), kTwice);
    // Where it may, all of the variable is another.
    runner.evaluator.BindBase(Layer(program, "{\"a\": {\"b\": 1}}", Replaceable({"a"})));
    EXPECT_EQ(runner.Run("{\"a\": {\"d\": 2}, \"c\": 1}"), "{\"x\":[{\"d\":2},1]}");
    EXPECT_EQ(runner.Run("{\"c\": 1}"), "{\"x\":[{\"b\":1},1]}");
  }
}

TEST(BaseLayerTest, ReadsData) {
  const auto read = [](const std::vector<BaseText>& texts, const BaseOptions& options = {}) {
    Diagnostics diagnostics;
    const auto data = BaseData::Read(texts, options, &diagnostics);
    std::string text, reason;
    return data == nullptr ? Print(diagnostics) : AppendJson(data->variables(), &text, &reason) ? text : reason;
  };
  EXPECT_EQ(read({}), "{}");
  EXPECT_EQ(read({Text("{\"b\": 1, \"a\": 2}"), Text("[3]", "c")}), R"({"a":2,"b":1,"c":[3]})");
  // Names of files have any spelling of Unicode, as file systems give them.
  EXPECT_EQ(read({Text("1", "e\xcc\x81")}), "{\"\xc3\xa9\":1}");
  EXPECT_EQ(read({Text("1", "e\xcc\x81", "one.json"), Text("1", "\xc3\xa9", "two.json")}),
            "HCL6004 The variable \"\xc3\xa9\" is given by one.json as well.");
  EXPECT_EQ(read({Text("{")}).substr(0, 7), "HCL6101");
  EXPECT_EQ(read({Text("[]")}), "HCL6003 The data must be a JSON object: variable name to value.");
  EXPECT_EQ(read({Text("{\"a\": 1}", "", "one.json"), Text("1", "a", "two.json")}),
            "HCL6004 The variable \"a\" is given by one.json as well.");
  BaseOptions tight;
  tight.limits.max_source_bytes = 10;
  EXPECT_EQ(read({Text("{\"a\": 1234}")}, tight).substr(0, 7), "HCL9002");
}

TEST(BaseLayerTest, IsWhatTheModuleDeclares) {
  const std::string text =
      "variable \"a\" {\n  type = object({ n = number, s = optional(string, \"d\") })\n"
      "  validation {\n    condition = a.n > 0\n    error_message = \"n is ${a.n}\"\n  }\n}\n"
      "variable \"top\" {\n  default = 5\n  validation {\n    condition = top >= a.n\n    error_message = \"top "
      "${top}\"\n"
      "  }\n}\nx = \"${a.n} ${a.s} ${top}\"\n";
  const auto program = Module(text);
  std::string errors;
  Runner runner(program);
  runner.evaluator.BindBase(Layer(program, R"({"a": {"n": "3", "other": 1}})", {}, &errors));
  EXPECT_EQ(errors, "");
  EXPECT_EQ(runner.Run("{}"), R"({"x":"3 d 5"})");
  EXPECT_EQ(runner.Run("{\"top\": 4}"), R"({"x":"3 d 4"})");
  EXPECT_EQ(runner.Run("{\"top\": 2}"), "HCL3123 top 2");
  EXPECT_EQ(Layer(program, R"({"a": {"n": "x"}})", {}, &errors), nullptr);
  EXPECT_EQ(errors.substr(0, 7), "HCL3122") << errors;
  EXPECT_EQ(Layer(program, R"({"a": {"n": 0}})", {}, &errors), nullptr);
  EXPECT_EQ(errors, "HCL3123 n is 0");
  // A validation that reads what the base does not give is looked at for each request.
  EXPECT_NE(Layer(program, "{\"top\": 2}", {}, &errors), nullptr) << errors;
  runner.evaluator.BindBase(Layer(program, "{\"top\": 2}"));
  EXPECT_EQ(runner.Run(R"({"a": {"n": 1}})"), R"({"x":"1 d 2"})");
  EXPECT_EQ(runner.Run(R"({"a": {"n": 3}})"), "HCL3123 top 2");
}

// A list of very many users, of which a local makes a map.
std::string Users(int count) {
  std::string text = "{\"users\": [";
  for (int n = 0; n < count; ++n) {
    absl::StrAppend(&text, n > 0 ? "," : "", R"({"id":"u)", n, R"(","role":")", n % 7 == 0 ? "admin" : "user", "\"}");
  }
  return text + "]}";
}

constexpr char kDirectory[] =
    "variable \"users\" {\n  type = list(object({ id = string, role = string }))\n}\n"
    "variable \"id\" {\n  type = string\n}\n"
    "locals {\n  roles = { for u in users : u.id => u.role }\n  admins = [for id, role in local.roles : id if role == "
    "\"admin\"]\n"
    "  is_admin = local.roles[id] == \"admin\"\n}\n"
    "x = local.is_admin && length(local.admins) > 1\n";

TEST(BaseLayerTest, LocalsOfTheBaseAreMadeOnce) {
  const auto program = Module(kDirectory);
  Runner runner(program);
  runner.evaluator.BindBase(Layer(program, Users(20'000)));
  EXPECT_EQ(runner.Run("{\"id\": \"u7\"}"), "{\"x\":true}");
  EXPECT_EQ(runner.Run("{\"id\": \"u8\"}"), "{\"x\":false}");
  const uint64_t large = runner.fuel;
  // Requests pay for their own work: as much as over a base of two users.
  runner.evaluator.BindBase(Layer(program, Users(20)));
  EXPECT_EQ(runner.Run("{\"id\": \"u8\"}"), "{\"x\":false}");
  EXPECT_LE(large, runner.fuel + 5);
  EXPECT_LT(large, 100u);
  // The same of an evaluator without a base costs more than a unit for each user.
  Runner without(program);
  std::string scope = Users(20'000);
  scope.insert(1, "\"id\": \"u8\", ");
  EXPECT_EQ(without.Run(scope), "{\"x\":false}");
  EXPECT_GT(without.fuel, 20'000u);
}

// Replaceable variables, and what is made of them, are the request's.
TEST(BaseLayerTest, LocalsOfReplaceableVariables) {
  const auto program = Module(
      "variable \"a\" {}\nvariable \"b\" {}\nlocals {\n  twice = a * 2\n  b2 = b + 1\n}\nx = [local.twice, "
      "local.b2]\n");
  Runner runner(program);
  runner.evaluator.BindBase(Layer(program, "{\"a\": 2, \"b\": 1}", Replaceable({"a"})));
  EXPECT_EQ(runner.Run("{}"), "{\"x\":[4,2]}");
  EXPECT_EQ(runner.Run("{\"a\": 5}"), "{\"x\":[10,2]}");
  EXPECT_EQ(runner.Run("{}"), "{\"x\":[4,2]}");
}

TEST(BaseLayerTest, ALocalThatFailsFailsWhereItIsRead) {
  const auto program = Module(
      "variable \"a\" {}\nvariable \"c\" {}\nlocals {\n  l = a.missing\n  m = [local.l]\n}\n"
      "x = c ? tostring(local.l) : \"none\"\ny = try(local.m, c)\n");
  Runner runner(program);
  std::string errors;
  runner.evaluator.BindBase(Layer(program, "{\"a\": {\"b\": 1}}", {}, &errors));
  EXPECT_EQ(errors, "");
  EXPECT_EQ(runner.Run("{\"c\": false}"), "{\"x\":\"none\",\"y\":false}");
  const std::string failure = "HCL4301 This object does not have an attribute named \"missing\".";
  EXPECT_EQ(runner.Run("{\"c\": true}").substr(0, 7), failure.substr(0, 7));
  // As without a base.
  Runner without(program);
  EXPECT_EQ(runner.Run("{\"c\": true}"), without.Run("{\"a\": {\"b\": 1}, \"c\": true}"));
}

// What is evaluated once has the limits of the base, and crossing one is an error of the requests that need it.
TEST(BaseLayerTest, LimitsOfTheBase) {
  const auto program = Module(kDirectory);
  BaseOptions options;
  options.limits.max_fuel = 10'000;
  std::string errors;
  EXPECT_EQ(Layer(program, Users(200'000), options, &errors), nullptr);
  EXPECT_EQ(errors.substr(0, 4), "HCL9") << errors;  // converting takes more
  options.limits.max_fuel = 60'000;
  Runner runner(program);
  runner.evaluator.BindBase(Layer(program, Users(20'000), options, &errors));
  EXPECT_EQ(errors, "");
  EXPECT_EQ(runner.Run("{\"id\": \"u8\"}").substr(0, 4), "HCL9");
}

TEST(BaseLayerTest, ALocalThatChangesIsNotKept) {
  std::atomic<int64_t> calls{0};
  CallableOptions impure;
  impure.pure = false;
  FunctionRegistryBuilder builder;
  builder.Register(
      "next", [&calls] { return ++calls; }, impure);
  const auto program =
      Compile("variable \"a\" {}\nlocals {\n  l = a + next()\n  m = a + 1\n}\nx = [local.l, local.m]\n",
              /*is_module=*/true, std::move(builder).Build());
  Runner runner(program);
  runner.evaluator.BindBase(Layer(program, "{\"a\": 1}"));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(runner.Run("{}"), "{\"x\":[2,2]}");
  EXPECT_EQ(runner.Run("{}"), "{\"x\":[3,2]}");
}

// A base is replaced while others evaluate; each answer is of one of them.
TEST(BaseLayerTest, ThreadsShareAndReplace) {
  const auto program = Module(
      "variable \"a\" {\n  type = list(string)\n}\nvariable \"n\" {}\nlocals {\n  joined = join(\"-\", a)\n}\nx = "
      "\"${local.joined} ${a[n]}\"\n");
  std::shared_ptr<const BaseLayer> current = Layer(program, R"({"a": ["p", "q"]})");
  const auto next = Layer(program, R"({"a": ["r", "s"]})");
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      Runner runner(program);
      for (int n = 0; n < 5'000; ++n) {
        runner.evaluator.BindBase(std::atomic_load(&current));
        const std::string got = runner.Run(n % 2 == 0 ? "{\"n\": 0}" : "{\"n\": 1}");
        const std::string old = n % 2 == 0 ? "{\"x\":\"p-q p\"}" : "{\"x\":\"p-q q\"}";
        const std::string young = n % 2 == 0 ? "{\"x\":\"r-s r\"}" : "{\"x\":\"r-s s\"}";
        if (got != old && got != young) ++wrong;
      }
      stop = true;
    });
  }
  const auto first = current;
  for (int n = 0; !stop; ++n) std::atomic_store(&current, n % 2 == 0 ? next : first);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(BaseLayerTest, LinesOverABase) {
  const auto program = Config("x = [a.b, c]");
  NdjsonOptions options;
  options.base = Layer(program, R"({"a": {"b": 1, "d": 2}})");
  LineEvaluator evaluator(program, options);
  std::string out;
  evaluator.Evaluate("{\"c\": 1}", 1, &out);
  evaluator.Evaluate("{\"c\": 1, \"a\": {}}", 2, &out);
  evaluator.Evaluate("{\"c\": 2}", 3, &out);
  EXPECT_EQ(out.substr(0, 20), "{\"value\":{\"x\":[1,1]}");
  EXPECT_NE(out.find("HCL3012"), std::string::npos) << out;
  EXPECT_NE(out.find("{\"value\":{\"x\":[1,2]}"), std::string::npos) << out;
  EXPECT_EQ(evaluator.counts().errors, 1u);
}

TEST(DataFilesTest, FilesAndDirectories) {
  namespace fs = std::filesystem;
  const fs::path dir = fs::path(::testing::TempDir()) / "data_files_test";
  fs::remove_all(dir);
  fs::create_directories(dir / "d" / "sub.json");
  const auto write = [](const fs::path& path, const std::string& text) { std::ofstream(path) << text; };
  write(dir / "scope.json", "{\"a\": 1}");
  write(dir / "d" / "users.json", "[1]");
  write(dir / "d" / "roles.json", "{}");
  write(dir / "d" / ".hidden.json", "1");
  write(dir / "d" / "README", "1");
  const auto files = ReadDataFiles({(dir / "scope.json").string(), (dir / "d").string()});
  ASSERT_TRUE(files.ok()) << files.status();
  std::string got;
  for (const BaseText& text : *files) absl::StrAppend(&got, text.variable, "=", std::string(text.source->text()), " ");
  EXPECT_EQ(got, "={\"a\": 1} roles={} users=[1] ");
  EXPECT_TRUE(absl::IsNotFound(ReadDataFiles({(dir / "none.json").string()}).status()));
  EXPECT_TRUE(absl::IsNotFound(ReadDataFiles({(dir / "d" / "sub.json").string()}).status()));
  Limits limits;
  limits.max_source_bytes = 9;
  EXPECT_TRUE(
      absl::IsResourceExhausted(ReadDataFiles({(dir / "scope.json").string(), (dir / "d").string()}, limits).status()));
  fs::remove_all(dir);
}

// A pipe would have its reader wait for a writer, and a device may have no end.
TEST(DataFilesTest, WhatIsNoFileInADirectoryIsRefused) {
  namespace fs = std::filesystem;
  const fs::path dir = fs::path(::testing::TempDir()) / "odd_data_files_test";
  const auto reason = [&] { return std::string(ReadDataFiles({dir.string()}).status().message()); };
  fs::remove_all(dir);
  fs::create_directories(dir);
  ASSERT_EQ(mkfifo((dir / "pipe.json").c_str(), 0600), 0);
  EXPECT_EQ(reason(), absl::StrCat("cannot read ", (dir / "pipe.json").string(), ": not a file"));
  fs::remove(dir / "pipe.json");
  fs::create_symlink("/dev/zero", dir / "zero.json");
  EXPECT_EQ(reason(), absl::StrCat("cannot read ", (dir / "zero.json").string(), ": not a file"));
  fs::remove(dir / "zero.json");
  fs::create_symlink("nowhere", dir / "link.json");
  EXPECT_EQ(reason(), absl::StrCat("cannot read ", (dir / "link.json").string(), ": No such file or directory"));
  fs::remove(dir / "link.json");
  std::ofstream(dir / "\xff.json") << "1";
  EXPECT_EQ(reason(), absl::StrCat("cannot read ", dir.string(), ": the name of a file is not UTF-8"));
  fs::remove_all(dir);
}

}  // namespace
}  // namespace hcl
