// Tests of what is made of variables that are declared as sensitive: hosts get the values, and marked_value() says
// which parts must not be shown, however the variables were bound and the program is run.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr std::string_view kDeclarations =
    "variable \"secret\" {\n  type = string\n  sensitive = true\n  default = \"by default\"\n}\n"
    "variable \"user\" {\n  type = object({ name = string, keys = optional(list(string), [\"k\"]) })\n"
    "  sensitive = true\n  default = { name = \"nobody\" }\n}\n"
    "variable \"brief\" {\n  type = string\n  ephemeral = true\n  default = \"b\"\n}\n"
    "variable \"open\" {\n  type = string\n  default = \"o\"\n}\n"
    "locals {\n  loud = upper(secret)\n  pair = { s = secret, o = open }\n  plain = \"${open}!\"\n}\n"
    "function \"twice\" {\n  params = [x]\n  result = \"${x}${x}\"\n}\n";

std::string JsonOf(const Value& value) {
  std::string json;
  std::string reason;
  EXPECT_TRUE(AppendJson(value, &json, &reason)) << reason;
  return json;
}

// "VALUE | SHOWN | PLACES": what hosts get, what is shown, and what is left out of that.
std::string Shown(const Value& value, const Value& marked) {
  Heap heap;
  std::vector<std::string> erased;
  EXPECT_EQ(MarksIn(value), 0u);
  const Value shown = HideSensitive(marked, SensitiveForm::kNull, &heap, &erased);
  for (std::string& place : erased) place = absl::StrCat("\"", place, "\"");
  return absl::StrCat(JsonOf(value), " | ", JsonOf(shown), " | ", absl::StrJoin(erased, " "));
}

class SensitiveValuesTest : public testing::Test {
 protected:
  void Compile(std::string_view rest) {
    std::string errors;
    program_ = CompileFiles(OneFile(absl::StrCat(internal::ToAbsl(kDeclarations), internal::ToAbsl(rest))), &errors);
    ASSERT_NE(program_, nullptr) << errors;
  }
  Value Read(std::string_view json) {
    JsonReader reader;
    JsonError error;
    Value value;
    EXPECT_TRUE(reader.Read(json, &heap_, &value, &error)) << json;
    return value;
  }
  static std::string Shown(const Evaluation& evaluation) {
    if (!evaluation.ok()) return ToText(evaluation.diagnostics(), nullptr);
    return hcl::Shown(evaluation.value(), evaluation.marked_value());
  }

  // The value of the whole, for each way to bind the scope.
  std::vector<std::pair<std::string, std::string>> EachWay(std::string_view json) {
    std::vector<std::pair<std::string, std::string>> all;
    const Value scope = Read(json);
    Evaluator evaluator(program_);
    evaluator.BindAll(scope);
    all.emplace_back("BindAll", Shown(evaluator.Run()));
    all.emplace_back("again", Shown(evaluator.Run()));
    all.emplace_back("Rerun", Shown(evaluator.Rerun({0, 1, 2})));
    all.emplace_back("another Rerun", Shown(evaluator.Rerun({0})));
    evaluator.UnbindAll();
    for (uint32_t n = 0; n < scope.shape().size; ++n) {
      evaluator.Bind(scope.shape().keys[n].AsString(), scope.values()[n]);
    }
    all.emplace_back("Bind", Shown(evaluator.Run()));
    evaluator.UnbindAll();
    for (uint32_t n = 0; n < scope.shape().size; ++n) {
      const Value value = scope.values()[n];
      evaluator.BindLazy(scope.shape().keys[n].AsString(), [value](LazyCall*) { return value; });
    }
    all.emplace_back("BindLazy", Shown(evaluator.Run()));
    evaluator.UnbindAll();
    const Reads reads(program_, {program_->main_chunk()});
    ScopeReader reader(reads);
    Heap heap(nullptr, program_->dialect());
    EXPECT_TRUE(reader.Read(json, &heap));
    evaluator.BindAll(reader);
    all.emplace_back("ScopeReader", Shown(evaluator.Run()));
    evaluator.BindAll(reader);
    all.emplace_back("ScopeReader again", Shown(evaluator.Run()));
    AddWithBase(json, &evaluator, &all);
    RunResults results;
    evaluator.BindBase(nullptr);
    evaluator.RunMany({scope, scope}, &results);
    EXPECT_TRUE(results.ok(1));
    all.emplace_back("RunMany", hcl::Shown(results.value(1), results.marked_value(1)));
    return all;
  }

 private:
  void AddWithBase(std::string_view json, Evaluator* evaluator, std::vector<std::pair<std::string, std::string>>* all) {
    Diagnostics diagnostics;
    BaseOptions options;
    const auto source = std::make_shared<const Source>("base.json", std::string(json));
    const auto data = BaseData::Read({{{source, ""}}}, options, &diagnostics);
    ASSERT_NE(data, nullptr);
    const auto base = BaseLayer::Make(program_, data, options, &diagnostics);
    ASSERT_NE(base, nullptr) << ToText(diagnostics, source.get());
    evaluator->BindBase(base);
    all->emplace_back("BindBase", Shown(evaluator->Run()));
    evaluator->BindAll(MakeObject({}, heap_.arena()));
    all->emplace_back("BindBase, again", Shown(evaluator->Run()));
  }

 protected:
  Heap heap_;
  std::shared_ptr<const Program> program_;
};

TEST_F(SensitiveValuesTest, FollowsTheValueHoweverItIsBound) {
  const struct {
    std::string_view text, scope, want;
  } kRows[] = {
      {"a = secret\n", R"({"secret": "s"})", R"({"a":"s"} | {"a":null} | "/a")"},
      {"a = secret\n", "{}", R"({"a":"by default"} | {"a":null} | "/a")"},
      {"a = user.name\n", R"({"user": {"name": "n"}})", R"({"a":"n"} | {"a":null} | "/a")"},
      {"a = user\n", R"({"user": {"name": "n"}})", R"({"a":{"keys":["k"],"name":"n"}} | {"a":null} | "/a")"},
      {"a = upper(secret)\nb = open\n", R"({"secret": "s"})", R"({"a":"S","b":"o"} | {"a":null,"b":"o"} | "/a")"},
      {"a = { (secret) = 1 }\n", R"({"secret": "s"})", R"({"a":{"s":1}} | {"a":null} | "/a")"},
      {"a = { for k in user.keys : k => 1 }\n", R"({"user": {"name": "n", "keys": ["x"]}})",
       R"({"a":{"x":1}} | {"a":null} | "/a")"},
      {"a = { s = secret, o = open }\n", R"({"secret": "s"})",
       R"({"a":{"o":"o","s":"s"}} | {"a":{"o":"o","s":null}} | "/a/s")"},
      {"a = [open, \"${secret}!\"]\n", R"({"secret": "s"})", R"({"a":["o","s!"]} | {"a":["o",null]} | "/a/1")"},
      {"a = local.loud\nb = local.pair\nc = local.pair.o\nd = local.plain\n", R"({"secret": "s"})",
       R"({"a":"S","b":{"o":"o","s":"s"},"c":"o","d":"o!"} | {"a":null,"b":{"o":"o","s":null},"c":"o","d":"o!"} | )"
       R"("/a" "/b/s")"},
      {"a = twice(secret)\nb = twice(open)\n", R"({"secret": "s"})",
       R"({"a":"ss","b":"oo"} | {"a":null,"b":"oo"} | "/a")"},
      {"a = secret == \"s\"\nb = secret == \"s\" ? 1 : 2\n", R"({"secret": "s"})",
       R"({"a":true,"b":1} | {"a":null,"b":null} | "/a" "/b")"},
      {"a = [for u in [secret, open] : u if u != \"x\"]\n", R"({"secret": "s"})",
       R"({"a":["s","o"]} | {"a":null} | "/a")"},
      {"a = nonsensitive(secret)\nb = issensitive(secret)\nc = nonsensitive(length(user.keys))\n", R"({"secret": "s"})",
       R"({"a":"s","b":true,"c":1} | {"a":"s","b":true,"c":1} | )"},
      {"a = nonsensitive(user).name\n", R"({"user": {"name": "n"}})", R"({"a":"n"} | {"a":"n"} | )"},
      {"a = brief\nb = \"${brief}!\"\nc = { s = brief, o = open }\n", R"({"brief": "e"})",
       R"({"a":"e","b":"e!","c":{"o":"o","s":"e"}} | {"a":null,"b":null,"c":{"o":"o","s":null}} | "/a" "/b" "/c/s")"},
      {"a = ephemeralasnull(brief)\nb = ephemeralasnull({ s = brief, o = open })\nc = ephemeralasnull(secret)\n",
       R"({"brief": "e"})",
       R"({"a":null,"b":{"o":"o","s":null},"c":"by default"} | {"a":null,"b":{"o":"o","s":null},"c":null} | )"
       R"("/a" "/b/s" "/c")"},
      {"a = nonsensitive(brief)\nb = ephemeralasnull(nonsensitive(brief))\nc = issensitive(brief)\n",
       R"({"brief": "e"})", R"({"a":"e","b":null,"c":true} | {"a":null,"b":null,"c":true} | "/a")"},
      {"r \"x\" {\n  a = secret\n  b = open\n}\n", R"({"secret": "s"})",
       R"({"r":{"x":[{"a":"s","b":"o"}]}} | {"r":{"x":[{"a":null,"b":"o"}]}} | "/r/x/0/a")"},
      {"a = contains([\"s\", \"t\"], secret)\nb = strlen(secret) > 3 && open == \"o\"\n", R"({"secret": "s"})",
       R"({"a":true,"b":false} | {"a":null,"b":null} | "/a" "/b")"},
      {"a = merge({ o = open }, { s = secret })\nb = concat([open], [secret])\n", R"({"secret": "s"})",
       R"({"a":{"o":"o","s":"s"},"b":["o","s"]} | {"a":null,"b":null} | "/a" "/b")"},
      {"a = toset([secret])\nb = jsonencode({ s = secret })\n", R"({"secret": "s"})",
       R"({"a":["s"],"b":"{\"s\":\"s\"}"} | {"a":null,"b":null} | "/a" "/b")"},
  };
  for (const auto& row : kRows) {
    Compile(row.text);
    for (const auto& [way, shown] : EachWay(row.scope)) EXPECT_EQ(shown, row.want) << way << ": " << row.text;
  }
}

// What is not sensitive runs as in other modules, before and behind what is.
TEST_F(SensitiveValuesTest, RunsOfEntriesDoNotMix) {
  Compile("a = secret\nb = open\nc = local.pair\n");
  Evaluator evaluator(program_);
  evaluator.BindAll(Read(R"({"secret": "s", "open": "p"})"));
  const auto run = [&](size_t n, bool another) {
    const uint32_t chunk = program_->entries()[n].chunk;
    return Shown(another ? evaluator.RunAnother(chunk) : evaluator.RunChunk(chunk));
  };
  for (int round = 0; round < 3; ++round) {
    for (const bool another : {false, true}) {
      EXPECT_EQ(run(0, another), R"("s" | null | "")");
      EXPECT_EQ(run(1, another), R"("p" | "p" | )");
      EXPECT_EQ(run(2, another), R"({"o":"p","s":"s"} | {"o":"p","s":null} | "/s")");
      EXPECT_EQ(run(1, another), R"("p" | "p" | )");
    }
  }
}

// Marks of a host, and those that the text asks for, are marks as ever.
TEST_F(SensitiveValuesTest, LeavesOtherMarks) {
  Compile("a = open\nb = sensitive(open)\nc = secret\n");
  Evaluator evaluator(program_);
  const auto run = [&](size_t n) { return evaluator.RunChunk(program_->entries()[n].chunk).value().marks(); };
  evaluator.Bind("open", Mark(Value::StringView("p"), 1, heap_.arena()));
  evaluator.Bind("secret", Mark(Value::StringView("s"), 2, heap_.arena()));
  EXPECT_EQ(run(0), 1u);
  EXPECT_EQ(run(1), 1u | kSensitiveMark);
  EXPECT_EQ(run(2), 2u);
  EXPECT_EQ(evaluator.RunChunk(program_->entries()[2].chunk).marked_value().marks() & ~internal::kDeclaredMark,
            2u | kSensitiveMark);
}

// Memory comes back, although marks are put on for each run.
TEST_F(SensitiveValuesTest, KeepsItsMemory) {
  Compile("a = secret == \"s\"\n");
  Evaluator evaluator(program_);
  const Value scope = Read(R"({"secret": "s"})");
  const Reads reads(program_, {program_->main_chunk()});
  ScopeReader reader(reads);
  Heap heap(nullptr, program_->dialect());
  size_t after_some = 0;
  for (int n = 0; n < 100'000; ++n) {
    if (n % 2 == 0) {
      evaluator.BindAll(scope);
    } else {
      heap.Reset();
      ASSERT_TRUE(reader.Read(R"({"secret": "s"})", &heap));
      evaluator.BindAll(reader);
    }
    ASSERT_TRUE(evaluator.Run().ok());
    if (n == 100) after_some = evaluator.PreparedBytes();
  }
  EXPECT_EQ(evaluator.PreparedBytes(), after_some);
}

}  // namespace
}  // namespace hcl
