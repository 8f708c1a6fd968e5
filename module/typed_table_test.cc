// Tables over declared variables mean what they mean without declarations, also where a later rule reads what is not
// known, or marked; and where no rule can fail, later ones are not tested.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr char kVariables[] = R"(
variable "role" {
  type = string
}
variable "age" {
  type = number
}
variable "on" {
  type = bool
}
variable "user" {
  type = object({ id = string, rate = number, list = list(string) })
}
)";

const char* const kTables[] = {
    R"([for r in [{v = "a", w = role == "x"}, {v = "b", w = age > 3}, {v = "c", w = true}] : r.v if r.w][0])",
    R"([for r in [{v = "a", w = role == "x"}, {v = "b", w = age > 3}] : r.v if r.w][0])",
    R"([for r in [{v = "a", w = on && role == "x"}, {v = "b", w = !on || age > 3}, {v = "c", w = role == "z"}] : r.v if r.w][0])",
    R"([for r in [{v = age, w = role == "x"}, {v = 2, w = user.rate > 3}, {v = user.rate, w = true}] : r.v if r.w][0])",
    R"([for r in [{v = {n = age}, w = role == "x"}, {v = {n = user.rate}, w = on}, {v = {n = 3}, w = true}] : r.v if r.w][0])",
    R"([for r in [{v = {n = age}, w = role == "x"}, {v = {n = user.rate}, w = on}, {v = {n = 3}, w = true}] : r.v if r.w][0].n)",
    R"(element([for r in [{v = age, w = role == "x"}, {v = 2, w = on}, {v = user.rate, w = true}] : r.v if r.w], 0))",
    R"([for r in concat([{v = age, w = role == "x"}], [{v = 2, w = on}, {v = user.rate, w = true}]) : r.v if r.w][0])",
    R"([for r in [{v = "${role}-${age}", w = startswith(role, "x")}, {v = user.id, w = contains(["k", "y"], user.id)}, {v = "n", w = age != 3}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = role != user.id}, {v = 2, w = upper(user.id) == "Y"}, {v = 3, w = strlen(role) > 2}] : r.v if r.w][0])",
    // Another spelling, and nulls in the text.
    R"([for r in [{v = 1, w = role == null || on}, {v = 2, w = role == "x"}, {v = 3, w = true}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = null != role && on}, {v = 2, w = age == null}, {v = 3, w = "y" == role}] : r.v if r.w][0])",
    R"([for r in [{v = null, w = role == "x"}, {v = 2, w = 3 < age}, {v = 3, w = !(on == false)}] : r["v"] if (r.w)][0])",
    R"([for r in [{v = 1, w = (role == "x") == on}, {v = 2, w = {a = age} == {a = 3}}, {v = 3, w = true}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = on}, {v = 2, w = "${role}!" == "x!"}, {v = 3, w = null}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = on}, {v = 2, w = "x"}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = on}, {v = 2, w = "true"}, {v = 3, w = 1}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = on}, {v = 2, w = age}] : r.v if r.w][0])",
    // What may fail is tested.
    R"([for r in [{v = 1, w = role == "x"}, {v = 2, w = 10 / user.rate > 1}, {v = 3, w = on}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = role == "x"}, {v = 10 / user.rate, w = on}, {v = 3, w = true}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = role == "x"}, {v = 2, w = user.list[0] == "a"}, {v = 3, w = on}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = role == "x"}, {v = 2, w = tonumber(role) == 1}, {v = 3, w = on}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = role == "x"}, {v = 2, w = role}, {v = 3, w = on}] : r.v if r.w][0])",
    R"([for r in [{v = 1, w = role == "x"}, {v = 2, w = role > 3}, {v = 3, w = on}] : r.v if r.w][0])",
};

class TypedTableTest : public testing::Test {
 protected:
  TypedTableTest() {
    const Value marked = Mark(Value::StringView("x"), 1, heap_.arena());
    roles_ = {Value::StringView("x"),
              Value::StringView("y"),
              Value::StringView("true"),
              Value::StringView("12"),
              marked,
              Value::Unknown(Type::String())};
    ages_ = {Value::Int(3), Value::Int(4), Mark(Value::Int(4), 2, heap_.arena()), Value::Unknown(Type::Number())};
    ons_ = {Value::Bool(true), Value::Bool(false), Mark(Value::Bool(true), 4, heap_.arena()),
            Value::Unknown(Type::Bool())};
    for (const Value& id : {Value::StringView("y"), marked, Value::Unknown(Type::String())}) {
      for (const Value& rate : {Value::Int(0), Value::Int(5), Value::Unknown(Type::Number())}) {
        for (const size_t size : {0, 1}) {
          const std::vector<Value> one(size, Value::StringView("a"));
          users_.push_back(MakeObject({{Value::StringView("id"), id},
                                       {Value::StringView("list"), MakeList(Type::String(), one, heap_.arena())},
                                       {Value::StringView("rate"), rate}},
                                      heap_.arena()));
        }
      }
    }
  }

  static std::string Print(const Evaluation& evaluation, Evaluator* evaluator) {
    std::string text = ToText(evaluation.diagnostics(), nullptr);
    if (!evaluation.ok()) return text;
    absl::StrAppend(&text, evaluation.value().has_marks() ? "marked " : "",
                    ToTypeSyntax(TypeOf(evaluation.value(), evaluator->heap()->types())));
    const Value plain = evaluation.value().unmarked();
    if (plain.is_wholly_known() && !plain.has_marks()) AppendTypedJson(plain, evaluator->heap()->types(), &text);
    return text;
  }

  Heap heap_;
  std::vector<Value> roles_, ages_, ons_, users_;
};

TEST_F(TypedTableTest, MeanTheSameWithoutDeclarations) {
  for (const std::string table : kTables) {
    const auto source = std::make_shared<const Source>("m.hcl", absl::StrCat("x = ", table, "\n"));
    const auto variables = std::make_shared<const Source>("v.hcl", kVariables);
    Diagnostics diagnostics;
    const auto plain = CompileConfig(source, ModuleOptions(), &diagnostics);
    const auto typed = CompileModule(std::vector<ModuleFile>{{source}, {variables}}, ModuleOptions(), &diagnostics);
    ASSERT_TRUE(plain != nullptr && typed != nullptr) << ToText(diagnostics, source.get());
    Evaluator untyped_evaluator(plain), typed_evaluator(typed);
    for (const Value& role : roles_) {
      for (const Value& age : ages_) {
        for (const Value& on : ons_) {
          for (const Value& user : users_) {
            std::string results[2];
            for (Evaluator* evaluator : {&untyped_evaluator, &typed_evaluator}) {
              evaluator->Bind("role", role);
              evaluator->Bind("age", age);
              evaluator->Bind("on", on);
              evaluator->Bind("user", user);
              results[evaluator == &typed_evaluator ? 1 : 0] =
                  Print(evaluator->Run(*evaluator->program().FindEntry("x")), evaluator);
            }
            ASSERT_EQ(results[1], results[0]) << table;
          }
        }
      }
    }
  }
}

// The first rule that applies is left by a jump; what is behind it is one look at what later rules read.
TEST_F(TypedTableTest, LaterRulesAreNotTested) {
  std::string errors;
  const std::string text = absl::StrCat(kVariables, "x = ", kTables[0], "\n");
  const auto program = CompileFiles(OneFile(text), &errors);
  ASSERT_NE(program, nullptr) << errors;
  EXPECT_THAT(program->Disassemble(), testing::HasSubstr(R"(
    0  IfNotEqual     role "x" -> 3  ; fast code, slow path 10
    1  LoadConst      r0 "a"
    2  Jump           -> 8
    3  IfLessEqual    age 3 -> 6
    4  LoadConst      r0 "b"
    5  Jump           -> 9
    6  LoadConst      r0 "c"
    7  Jump           -> 9
    8  Guard          age #3
    9  Return         r0
)"));
}

}  // namespace
}  // namespace hcl
