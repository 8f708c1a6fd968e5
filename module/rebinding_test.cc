// An evaluator that is bound again and again gives for each scope what a fresh one gives, whatever was bound before:
// values that are as they are declared, that have to be converted, that do not fit, unknown and marked ones, nulls,
// none.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
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

constexpr char kModule[] = R"(
variable "text" {
  type = string
}
variable "count" {
  type = number
  default = 3
  validation {
    condition = count < 10 || text == "big"
    error_message = "Too many."
  }
}
variable "user" {
  type = object({ id = string, age = optional(number), roles = optional(list(string), []) })
}
variable "limits" {
  type = map(object({ rps = number }))
  nullable = true
}
variable "tags" {
  type = set(string)
  default = []
}
variable "pair" {
  type = tuple([string, number])
}
variable "deep" {
  type = object({ a = object({ b = list(number) }), c = map(string) })
}
variable "any" {}
a = text
b = count
c = user
d = limits
e = tags
f = pair
g = deep
h = any
)";

// Nothing is made before a run where there are none.
constexpr char kLocals[] = R"(
locals {
  who = "${text}/${user.id}"
}
i = local.who
)";

class RebindingTest : public testing::TestWithParam<const char*> {
 protected:
  RebindingTest() {
    std::string errors;
    program_ = CompileFiles(OneFile(absl::StrCat(kModule, GetParam())), &errors);
    EXPECT_EQ(errors, "");
    for (const char* json : {R"("x")",
                             R"("big")",
                             "5",
                             "12",
                             "\"7\"",
                             "true",
                             "null",
                             "[]",
                             R"(["x","y"])",
                             "[null]",
                             R"(["x",1])",
                             "{}",
                             R"({"id":"x"})",
                             R"({"id":"x","age":3,"roles":["r"]})",
                             R"({"id":"x","age":null,"roles":[]})",
                             R"({"id":1,"age":"4","more":[]})",
                             R"({"a":{"rps":1},"b":{"rps":"2"}})",
                             R"({"a":{"rps":null}})",
                             R"({"a":{"b":[1,2]},"c":{"k":"v"}})",
                             R"({"a":{"b":["x"]},"c":{}})",
                             R"({"k":"v"})"}) {
      Value value;
      JsonError error;
      EXPECT_TRUE(JsonReader().Read(json, &heap_, &value, &error)) << json;
      values_.push_back(value);
    }
    // What the module makes of these is of the declared types, also with unknown and marked parts.
    const size_t given = values_.size();
    for (size_t n = 0; n < given; ++n) {
      Evaluator evaluator(program_);
      for (const Entry& entry : program_->entries()) {
        for (uint32_t slot = 0; slot < program_->variables().size(); ++slot) evaluator.Bind(slot, values_[n]);
        const Evaluation& evaluation = evaluator.Run(entry);
        if (evaluation.ok()) values_.push_back(Clone(evaluation.value(), heap_.arena(), heap_.types()));
      }
    }
    const Value unknown = Value::Unknown(Type::String());
    const Value marked = Mark(Value::Int(1), 1, heap_.arena());
    for (const Value& part : {unknown, marked, Value::Null(Type::String()), Value::Int(2)}) {
      const std::vector<Value> one = {part};
      values_.push_back(part);
      values_.push_back(MakeList(TypeOf(part, heap_.types()), one, heap_.arena()));
      values_.push_back(MakeTuple(std::vector<Value>{part, part}, heap_.arena()));
      values_.push_back(MakeObject({{Value::StringView("id"), part}}, heap_.arena()));
    }
    values_.push_back(Value::Unknown(Type::Number()));
    values_.push_back(Value::Dynamic());
  }

  std::string Print(Evaluator* evaluator, const Entry& entry) {
    const Evaluation& evaluation = evaluator->Run(entry);
    std::string text = ToText(evaluation.diagnostics(), nullptr);
    if (!evaluation.ok()) return text;
    const Value& value = evaluation.value();
    if (value.has_marks()) {
      absl::StrAppend(&text, "marked");
    } else if (!value.is_wholly_known()) {
      absl::StrAppend(&text, "unknown ", ToTypeSyntax(TypeOf(value, evaluator->heap()->types())));
    } else {
      AppendTypedJson(value, evaluator->heap()->types(), &text);
    }
    return text;
  }

  Heap heap_;
  std::shared_ptr<const Program> program_;
  std::vector<Value> values_;
};

TEST_P(RebindingTest, EachScopeIsAsInAFreshEvaluator) {
  std::mt19937 random(4711);
  const auto below = [&](size_t bound) { return static_cast<size_t>(random() % bound); };
  const size_t variables = program_->variables().size();
  const auto names = program_->variables();
  Evaluator kept(program_);
  std::vector<const Value*> scope(variables);
  size_t fits = 0;
  bool checks_all = false;
  for (int round = 0; round < 8'000; ++round) {
    switch (below(30)) {
      case 0:
        kept.UnbindAll();
        scope.assign(variables, nullptr);
        break;
      case 1: {
        std::vector<KeyValue> pairs;
        for (size_t slot = 0; slot < variables; ++slot) {
          scope[slot] = below(4) == 0 ? nullptr : &values_[below(values_.size())];
          if (scope[slot] != nullptr) pairs.push_back({Value::String(names[slot], heap_.arena()), *scope[slot]});
        }
        kept.BindAll(MakeObject(pairs, heap_.arena()));
        break;
      }
      default: {
        const size_t slot = below(variables);
        scope[slot] = &values_[below(values_.size())];
        kept.Bind(static_cast<uint32_t>(slot), *scope[slot]);
        break;
      }
    }
    if (const bool all = below(40) == 0; all != checks_all) kept.set_check_all(checks_all = all);
    Evaluator fresh(program_);
    fresh.set_check_all(checks_all);
    for (size_t slot = 0; slot < variables; ++slot) {
      if (scope[slot] != nullptr) fresh.Bind(static_cast<uint32_t>(slot), *scope[slot]);
    }
    const Entry* last = nullptr;
    for (size_t n = 0; n < 3; ++n) {
      const bool again = last != nullptr && below(2) == 0;
      const Entry& entry = again ? *last : program_->entries()[below(program_->entries().size())];
      last = &entry;
      const std::string want = Print(&fresh, entry);
      ASSERT_EQ(Print(&kept, entry), want) << round << " " << std::string(entry.path);
      fits += fresh.Run(entry).ok() ? 1 : 0;
    }
  }
  EXPECT_GT(fits, 2'000);
}

INSTANTIATE_TEST_SUITE_P(Locals, RebindingTest, testing::Values("", kLocals));

}  // namespace
}  // namespace hcl
