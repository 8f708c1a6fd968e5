// Evaluations over many scopes (Evaluator::RunMany): rows of values and rows of structs give what a run of each gives.

#include "hclvm/vm/run_many.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/scope_layout.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

struct Owner {
  std::string name;
  std::vector<std::string> roles;
};
template <>
struct FieldsOf<Owner> {
  static constexpr auto list = FieldList(Field("name", &Owner::name), Field("roles", &Owner::roles));
};

namespace {

struct Request {
  std::string path;
  std::string_view agent = "";
  int64_t size = 0;
  uint8_t level = 0;
  double ratio = 0;
  bool admin = false;
  std::vector<std::string> tags;
  std::vector<int> codes;
  std::optional<int> port;
  Owner owner;
};

std::shared_ptr<const Program> Compile(const std::string& text, bool is_module = false) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("c.hcl", text);
  auto program = is_module ? CompileModule(std::vector<ModuleFile>{{source}}, options, &diagnostics)
                           : CompileConfig(source, options, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

std::string PrintRow(const Diagnostics& diagnostics, const Value& value) {
  std::string text, reason;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", CodeText(diagnostic.code), " ", diagnostic.detail);
  }
  if (diagnostics.empty() && !AppendJson(value, &text, &reason)) text = reason;
  return text;
}
std::vector<std::string> Print(const RunResults& results) {
  std::vector<std::string> rows;
  for (size_t row = 0; row < results.size(); ++row) {
    EXPECT_EQ(results.ok(row), results.diagnostics(row).empty());
    rows.push_back(PrintRow(results.diagnostics(row), results.value(row)));
  }
  return rows;
}

constexpr char kAll[] =
    "a = [path, agent, size, level, ratio, admin, tags, codes, port, owner.name, owner.roles]\n"
    "b = \"${path} ${agent} ${owner.name}\"\n"
    "c = admin && size > 10 || contains(tags, \"x\") || startswith(path, \"/a\")\n"
    "d = [for r in owner.roles : upper(r)]\n";

auto LayoutOf(const std::shared_ptr<const Program>& program) {
  return ScopeLayout::Bind<Request>(program)
      .Field("path", &Request::path)
      .Field("agent", &Request::agent)
      .Field("size", &Request::size)
      .Field("level", &Request::level)
      .Field("ratio", &Request::ratio)
      .Field("admin", &Request::admin)
      .Field("tags", &Request::tags)
      .Field("codes", &Request::codes)
      .Field("port", &Request::port)
      .Field("owner", &Request::owner)
      .Make();
}

// The same struct as an object, for runs of single scopes.
Value ObjectOf(const Request& r, Heap* heap) {
  const std::vector<std::pair<const char*, absl::StatusOr<Value>>> fields = {
      {"path", MakeValue(r.path, heap)},   {"agent", MakeValue(r.agent, heap)}, {"size", MakeValue(r.size, heap)},
      {"level", MakeValue(r.level, heap)}, {"ratio", MakeValue(r.ratio, heap)}, {"admin", MakeValue(r.admin, heap)},
      {"tags", MakeValue(r.tags, heap)},   {"codes", MakeValue(r.codes, heap)}, {"port", MakeValue(r.port, heap)},
      {"owner", MakeValue(r.owner, heap)}};
  std::vector<Value> keys, values;
  for (const auto& [name, value] : fields) {
    if (!value.ok()) return Value();
    keys.push_back(Value::StringView(name));
    values.push_back(*value);
  }
  std::vector<uint32_t> positions(keys.size());
  const Shape* const shape = MakeShape(keys, absl::MakeSpan(positions), heap->arena());
  std::vector<Value> sorted(keys.size());
  for (size_t n = 0; n < keys.size(); ++n) sorted[positions[n]] = values[n];
  return MakeObject(shape, sorted, heap->arena());
}

TEST(RunManyTest, ReadsFieldsWhereTheyAre) {
  const auto program = Compile("a = [path, size, admin, port, owner.roles[0]]\nb = length(tags)\n");
  const auto layout = ScopeLayout::Bind<Request>(program)
                          .Field("path", &Request::path)
                          .Field("size", &Request::size)
                          .Field("admin", &Request::admin)
                          .Field("port", &Request::port)
                          .Field("owner", &Request::owner)
                          .Field("tags", &Request::tags)
                          .Make();
  ASSERT_TRUE(layout.ok()) << layout.status();
  std::vector<Request> rows(3);
  rows[0].path = "/short", rows[0].size = -3, rows[0].owner.roles = {"r"};
  rows[1].path = "/a path that is long enough to be outside", rows[1].admin = true, rows[1].tags = {"a", "b"};
  rows[1].owner.roles = {"a role that is long enough to be outside"};
  rows[2].path = "e\xcc\x81", rows[2].port = 80, rows[2].owner.roles = {"n\xcc\x83 in a text that is long enough"};
  Evaluator evaluator(program);
  RunResults results;
  evaluator.RunMany(layout->Rows(rows), &results);
  rows.clear();  // results are their own
  EXPECT_EQ(
      Print(results),
      (std::vector<std::string>{
          R"({"a":["/short",-3,false,null,"r"],"b":0})",
          R"({"a":["/a path that is long enough to be outside",0,true,null,"a role that is long enough to be outside"],"b":2})",
          "{\"a\":[\"\xc3\xa9\",0,false,80,\"\xc3\xb1 in a text that is long enough\"],\"b\":0}"}));
  // Nothing is bound behind it, and an entry alone reads no more than that.
  EXPECT_FALSE(evaluator.Run().ok());
  const std::vector<Request> one(1);
  evaluator.RunMany(layout->Rows(one), &results, program->FindEntry("b"));
  EXPECT_EQ(Print(results), std::vector<std::string>{"0"});
  evaluator.RunMany(layout->Rows(std::vector<Request>{}), &results);
  EXPECT_EQ(results.size(), 0u);
}

struct Numbers {
  int8_t i8;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  std::string_view text;
  bool is_set;
};

TEST(RunManyTest, ReadsNumbersOfAllTypes) {
  const auto program = Compile("a = [i8, u16, i32, u32, i64, u64, text, is_set]\n");
  const auto layout = ScopeLayout::Bind<Numbers>(program)
                          .Field("i8", &Numbers::i8)
                          .Field("u16", &Numbers::u16)
                          .Field("i32", &Numbers::i32)
                          .Field("u32", &Numbers::u32)
                          .Field("i64", &Numbers::i64)
                          .Field("u64", &Numbers::u64)
                          .Field("text", &Numbers::text)
                          .Field("is_set", &Numbers::is_set)
                          .Make();
  ASSERT_TRUE(layout.ok()) << layout.status();
  const std::vector<Numbers> rows = {
      {INT8_MIN, UINT16_MAX, INT32_MIN, UINT32_MAX, INT64_MIN, UINT64_MAX, "\xc3\xa9", true},
      {INT8_MAX, 0, INT32_MAX, 0, INT64_MAX, INT64_MAX, "text", false},
      {0, 0, 0, 0, 0, uint64_t{1} << 63, "a longer text", false},
      {0, 0, 0, 0, 0, 0, "", true}};
  Evaluator evaluator(program);
  RunResults results;
  for (int round = 0; round < 2; ++round) {
    evaluator.RunMany(layout->Rows(rows), &results);
    EXPECT_EQ(
        Print(results),
        (std::vector<std::string>{
            "{\"a\":[-128,65535,-2147483648,4294967295,-9223372036854775808,18446744073709551615,\"\xc3\xa9\",true]}",
            R"({"a":[127,0,2147483647,0,9223372036854775807,9223372036854775807,"text",false]})",
            R"({"a":[0,0,0,0,0,9223372036854775808,"a longer text",false]})", R"({"a":[0,0,0,0,0,0,"",true]})"}));
  }
}

// Paths to fields of objects lead to where the fields are, for rows only.
TEST(RunManyTest, FieldsOfObjects) {
  const auto program = Compile(
      "a = r.path == \"/a\" && startswith(r.path, \"/\") ? r.size : r[\"size\"] + 1\n"
      "b = r.path\nc = \"${r.owner.name} ${r.path}\"\nd = upper(r.owner.roles[0])\ne = s.admin\n"
      "f = [for key, value in s : key]\n");
  const auto layout = ScopeLayout::Bind<Request>(program)
                          .Field("r.path", &Request::path)
                          .Field("r.size", &Request::size)
                          .Field("r.owner", &Request::owner)
                          .Field("s.admin", &Request::admin)
                          .Field("s.level", &Request::level)
                          .Make();
  ASSERT_TRUE(layout.ok()) << layout.status();
  std::vector<Request> rows(3);
  rows[0].path = "/a", rows[0].size = 5, rows[0].owner = {"ann", {"x"}}, rows[0].admin = true;
  rows[1].path = "/some path that is long", rows[1].size = 7;
  rows[2].path = "b", rows[2].owner = {"a name that is longer", {"y"}};
  const std::string first = R"({"a":5,"b":"/a","c":"ann /a","d":"X","e":true,"f":["admin","level"]})";
  const std::string last = R"({"a":1,"b":"b","c":"a name that is longer b","d":"Y","e":false,"f":["admin","level"]})";
  Evaluator evaluator(program);
  RunResults results;
  JsonReader reader;
  for (int round = 0; round < 3; ++round) {
    evaluator.RunMany(layout->Rows(rows), &results);
    const std::vector<std::string> got = Print(results);
    EXPECT_EQ(got[0], first);
    EXPECT_FALSE(results.ok(1));
    EXPECT_EQ(got[2], last);
    evaluator.RunMany(layout->Rows(rows), &results, program->FindEntry("b"));
    EXPECT_EQ(Print(results), (std::vector<std::string>{"\"/a\"", "\"/some path that is long\"", "\"b\""}));
    // What is bound otherwise has its attributes elsewhere.
    Heap heap;
    Value scope;
    JsonError error;
    ASSERT_TRUE(reader.Read(R"({"r": {"a": 0, "path": "/a", "owner": {"roles": ["z"], "name": "n"}, "size": 9},
                                "s": {"admin": 1, "b": 2}})",
                            &heap, &scope, &error));
    evaluator.BindAll(scope);
    const Evaluation& single = evaluator.Run();
    EXPECT_EQ(PrintRow(single.diagnostics(), single.value()),
              R"({"a":9,"b":"/a","c":"n /a","d":"Z","e":1,"f":["admin","b"]})");
    const Evaluation& entry = evaluator.Run(*program->FindEntry("b"));
    EXPECT_EQ(PrintRow(entry.diagnostics(), entry.value()), "\"/a\"");
  }
  // Unbound behind it, and an object that was bound before has no name for the one that is missing.
  {
    Heap heap;
    Value scope;
    JsonError error;
    ASSERT_TRUE(reader.Read(R"({"r": {}, "s": {}, "r1": 0})", &heap, &scope, &error));
    evaluator.BindAll(scope);
    evaluator.RunMany(layout->Rows(rows), &results);
  }
  const Evaluation& unbound = evaluator.Run(*program->FindEntry("b"));
  EXPECT_EQ(PrintRow(unbound.diagnostics(), unbound.value()), "HCL3001 There is no variable named \"r\".");
}

TEST(RunManyTest, WhatCannotBeReadIsAnErrorOfItsRow) {
  const auto program = Compile("a = [path, ratio, owner.roles, size + 1, agent]\n");
  const auto layout = ScopeLayout::Bind<Request>(program)
                          .Field("path", &Request::path)
                          .Field("ratio", &Request::ratio)
                          .Field("size", &Request::size)
                          .Field("owner", &Request::owner)
                          .Make();
  ASSERT_TRUE(layout.ok()) << layout.status();
  std::vector<Request> rows(5);
  rows[1].path = "\xff";
  rows[2].owner.roles = {"a", "a longer text, and \xed\xa0\x80"};
  rows[3].ratio = std::nan("");
  Evaluator evaluator(program);
  evaluator.Bind("agent", Value::StringView("x"));
  RunResults results;
  evaluator.RunMany(layout->Rows(rows), &results);
  EXPECT_EQ(Print(results),
            (std::vector<std::string>{
                R"({"a":["",0,[],1,"x"]})", "HCL6003 Row 1, field .path: the text is not valid UTF-8.",
                "HCL6003 Row 2, field .owner.roles[1]: the text is not valid UTF-8.",
                "HCL6003 Row 3, field .ratio: the double is not a number (NaN).", R"({"a":["",0,[],1,"x"]})"}));
  EXPECT_EQ(results.failed(), 3u);
  // A run that fails is done twice over the same row.
  Limits limits;
  limits.max_result_bytes = 4096;
  Evaluator small(program, limits);
  small.Bind("agent", Value::Null());
  std::vector<Request> large(2);
  large[0].owner.roles.assign(1000, "r");
  small.RunMany(layout->Rows(large), &results);
  EXPECT_TRUE(results.diagnostics(0).has_limit());
  EXPECT_TRUE(results.ok(1));
}

TEST(RunManyTest, AWrongNameOrTypeIsAnErrorOfTheLayout) {
  const auto program = Compile("a = path.x\nb = size + owner.nme\nc = codes[0] + tags[0].x\nd = owner.name\n");
  const auto bind = [&] { return ScopeLayout::Bind<Request>(program); };
  const auto text = [](const absl::StatusOr<ScopeLayout>& layout) { return std::string(layout.status().message()); };
  EXPECT_EQ(text(bind().Field("pth", &Request::path).Make()),
            "field \"pth\": the program reads no variable of that name. Did you mean \"path\"?");
  EXPECT_EQ(text(bind().Field("size", &Request::size).Field("size", &Request::level).Make()),
            "field \"size\": another field is that variable, or a part of it");
  EXPECT_EQ(text(bind().Field("path", &Request::path).Make()),
            "field \"path\": the program reads .x of it, which the field, string, does not have");
  EXPECT_EQ(
      text(bind().Field("owner", &Request::owner).Make()),
      "field \"owner\": the program reads .nme of it, which the field, object({name = string, roles = list(string)}), "
      "does not have");
  EXPECT_EQ(text(bind().Field("tags", &Request::tags).Make()),
            "field \"tags\": the program reads .x of it, which the field, list(string), does not have");
  EXPECT_EQ(text(bind().Field("codes", &Request::codes).Field("size", &Request::size).Make()), "");
  const auto module = Compile(
      "variable \"tags\" { type = list(number) }\nvariable \"size\" { type = list(string) }\na = [tags, size]\n",
      /*is_module=*/true);
  EXPECT_EQ(text(ScopeLayout::Bind<Request>(module).Field("tags", &Request::tags).Make()), "");
  EXPECT_EQ(text(ScopeLayout::Bind<Request>(module).Field("size", &Request::size).Make()),
            "field \"size\": the module declares it as list(string), and the field is number");
}

TEST(RunManyTest, ModulesBasesAndLazyVariables) {
  const auto module = Compile(
      "variable \"tags\" { type = set(string) }\nvariable \"size\" { type = string }\nvariable \"all\" {}\n"
      "locals {\n  n = length(tags)\n}\na = [size, local.n, all]\n",
      /*is_module=*/true);
  const auto layout =
      ScopeLayout::Bind<Request>(module).Field("tags", &Request::tags).Field("size", &Request::size).Make();
  ASSERT_TRUE(layout.ok()) << layout.status();
  std::vector<Request> rows(2);
  rows[0].tags = {"a", "b", "a"}, rows[1].size = 7;
  const BaseText text{std::make_shared<const Source>("d.json", R"({"all": 1})"), ""};
  Diagnostics diagnostics;
  const auto base = BaseLayer::Make(module, BaseData::Read({&text, 1}, {}, &diagnostics), {}, &diagnostics);
  Evaluator evaluator(module);
  evaluator.BindBase(base);
  RunResults results;
  evaluator.RunMany(layout->Rows(rows), &results);
  EXPECT_EQ(Print(results), (std::vector<std::string>{R"({"a":["0",2,1]})", R"({"a":["7",0,1]})"}));
  int calls = 0;
  evaluator.BindBase(nullptr);
  evaluator.BindLazy("all", [&](LazyCall*) { return Value::Int(++calls); });
  evaluator.RunMany(layout->Rows(rows), &results);
  EXPECT_EQ(Print(results), (std::vector<std::string>{R"({"a":["0",2,1]})", R"({"a":["7",0,2]})"}));
}

TEST(RunManyTest, ValuesGiveWhatSingleRunsGive) {
  const auto program = Compile("a = x + 1\nb = \"${y}, and some more text\"\n");
  Heap heap;
  JsonReader reader;
  JsonError error;
  // Of one shape after the other, and of shapes that were there before.
  const char* const texts[] = {R"({"x": 1, "y": "y"})",
                               R"({"x": true, "y": 1})",
                               R"({"y": 1})",
                               R"({"x": 2, "y": 3})",
                               R"({"x": 4, "y": 5})",
                               R"({"a": 0, "x": 6, "y": 7})",
                               R"({"a": 0, "x": 8, "y": null})",
                               R"({"y": 9, "x": 9})",
                               R"({})"};
  std::vector<Value> scopes(std::size(texts));
  for (size_t n = 0; n < scopes.size(); ++n) ASSERT_TRUE(reader.Read(texts[n], &heap, &scopes[n], &error));
  Evaluator evaluator(program), single(program);
  RunResults results;
  evaluator.RunMany(scopes, &results);
  const std::vector<std::string> got = Print(results);
  for (size_t n = 0; n < scopes.size(); ++n) {
    single.BindAll(scopes[n]);
    const Evaluation& want = single.Run();
    EXPECT_EQ(got[n], PrintRow(want.diagnostics(), want.value()));
  }
  EXPECT_EQ(results.failed(), 4u);
  EXPECT_FALSE(evaluator.Run().ok());
}

// Random structs: texts of all kinds, also ones that are not UTF-8.
TEST(RunManyTest, StructsGiveWhatTheirObjectsGive) {
  const auto program = Compile(kAll);
  const auto layout = LayoutOf(program);
  ASSERT_TRUE(layout.ok()) << layout.status();
  std::mt19937 random(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random()) % n; };
  const auto text = [&] {
    static constexpr const char* kParts[] = {
        "a",         "/a",           "x",       " ", "0", "\xc3\xa9", "e\xcc\x81", "\xf0\x9f\x98\x80", "\xff", "",
        "some text", "\xe2\x84\xab", "\xcc\x81"};
    std::string made;
    for (uint32_t n = below(6); n > 0; --n) made += kParts[below(12) == 0 ? below(13) : below(8)];
    return made;
  };
  size_t failed = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Request> rows(below(10));
    std::vector<std::string> agents(rows.size());
    for (size_t n = 0; n < rows.size(); ++n) {
      Request& row = rows[n];
      agents[n] = text();
      row.path = text(), row.agent = agents[n], row.owner.name = text();
      row.size = static_cast<int64_t>(random()) - static_cast<int64_t>(random());
      row.level = static_cast<uint8_t>(below(256)), row.ratio = below(100) / 8.0, row.admin = below(2) == 0;
      for (uint32_t k = below(4); k > 0; --k) row.tags.push_back(text()), row.codes.push_back(static_cast<int>(k));
      if (below(2) == 0) row.port = static_cast<int>(below(9));
      for (uint32_t k = below(3); k > 0; --k) row.owner.roles.push_back(text());
    }
    Evaluator evaluator(program), single(program);
    RunResults results;
    evaluator.RunMany(layout->Rows(rows), &results);
    const std::vector<std::string> got = Print(results);
    for (size_t n = 0; n < rows.size(); ++n) {
      Heap heap;
      const Value scope = ObjectOf(rows[n], &heap);
      if (scope.is_null()) {
        EXPECT_EQ(got[n].substr(0, 12), "HCL6003 Row ");
        ++failed;
        continue;
      }
      single.BindAll(scope);
      const Evaluation& want = single.Run();
      ASSERT_EQ(got[n], PrintRow(want.diagnostics(), want.value()));
    }
  }
  EXPECT_GT(failed, 20u);
}

}  // namespace
}  // namespace hcl
