#include "hclvm/vm/call_site.h"

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

class CallSiteTest : public testing::Test {
 protected:
  struct Sample {
    std::string name;
    Value value;
  };

  CallSiteTest() {
    Arena* const arena = heap_.arena();
    const Value text = Value::StringView("a");
    const Value strings[] = {text, Value::StringView("longer than what fits inline")};
    const Value bools[] = {Value::Bool(true), Value::Bool(false)};
    const auto with = [&](const Value& other) {
      const Value items[] = {text, other};
      return MakeTuple(items, arena);
    };
    samples_ = {{"bool", Value::Bool(true)},
                {"number", Value::Int(1)},
                {"short", text},
                {"long", strings[1]},
                {"[]", MakeTuple({}, arena)},
                {"[bool]", MakeTuple(bools, arena)},
                {"[string]", MakeTuple(strings, arena)},
                {"[mixed]", with(Value::Bool(true))},
                {"[null]", with(Value::Null(Type::String()))},
                {"[unknown]", with(Value::Unknown(Type::String()))},
                {"[marked]", with(Mark(text, 1, arena))},
                {"list", MakeList(Type::String(), strings, arena)},
                {"list()", MakeList(Type::Number(), {}, arena)},
                {"set", MakeSet(Type::String(), strings, arena)},
                {"object", MakeObject({}, arena)},
                {"null", Value::Null()},
                {"unknown", Value::Unknown(Type::String())},
                {"dynamic", Value::Dynamic()},
                {"marked", Mark(text, 1, arena)}};
  }

  // The samples that the argument takes as they are.
  std::string Taken(const CallSite& site, size_t argument) const {
    std::string taken;
    for (const Sample& sample : samples_) {
      if (site.kinds_of(argument).Take(sample.value)) taken += (taken.empty() ? "" : " ") + sample.name;
    }
    return taken;
  }

  // The same for a parameter of that type.
  std::string TakenBy(Type type, bool takes_tuples = false) {
    Function function;
    function.parameters = {{"p", type}};
    function.takes_tuples = takes_tuples;
    return Taken(CallSite(&function, nullptr, 1, /*expand_last=*/false), 0);
  }

  Heap heap_;
  std::vector<Sample> samples_;
};

// Beside bools, and where it has no type that might not be converted.
TEST_F(CallSiteTest, AllTrueAndAnyTrueTakeNull) {
  const auto takes = [&](Function::Special special, const Value& second) {
    Function function;
    function.parameters = {{"list", heap_.types()->List(Type::Bool())}};
    function.takes_tuples = true;
    function.special = special;
    const Value items[] = {Value::Bool(true), second};
    const CallSite site(&function, nullptr, 1, /*expand_last=*/false);
    return site.kinds_of(0).Take(MakeTuple(items, heap_.arena()));
  };
  for (const auto special : {Function::Special::kAllTrue, Function::Special::kAnyTrue}) {
    EXPECT_TRUE(takes(special, Value::Bool(false)));
    EXPECT_TRUE(takes(special, Value::Null()));
    EXPECT_FALSE(takes(special, Value::Null(Type::Bool())));
    EXPECT_FALSE(takes(special, Value::Null(Type::Number())));
    EXPECT_FALSE(takes(special, Value::Unknown(Type::Bool())));
    EXPECT_FALSE(takes(special, Value::Int(1)));
  }
  EXPECT_FALSE(takes(Function::Special::kNone, Value::Null()));
}

TEST_F(CallSiteTest, ParametersTakeWhatNeedsNothing) {
  TypeTable* const types = heap_.types();
  EXPECT_EQ(TakenBy(Type::Bool()), "bool");
  EXPECT_EQ(TakenBy(Type::Number()), "number");
  EXPECT_EQ(TakenBy(Type::String()), "short long");
  EXPECT_EQ(TakenBy(Type::Dynamic()),
            "bool number short long [] [bool] [string] [mixed] [null] [unknown] list list() set object");
  EXPECT_EQ(TakenBy(types->List(Type::String())), "");
  EXPECT_EQ(TakenBy(types->Set(Type::String()), /*takes_tuples=*/true), "");
  EXPECT_EQ(TakenBy(types->List(Type::Dynamic()), /*takes_tuples=*/true), "");
  EXPECT_EQ(TakenBy(types->List(Type::String()), /*takes_tuples=*/true), "[] [string] list");
  EXPECT_EQ(TakenBy(types->List(Type::Bool()), /*takes_tuples=*/true), "[] [bool]");
}

TEST_F(CallSiteTest, WhatIsAllowedNeedsNothing) {
  Function function;
  function.parameters = {{"p", Type::Dynamic()}};
  Parameter* const parameter = &function.parameters[0];
  const auto blank = [&] {
    const std::string taken = Taken(CallSite(&function, nullptr, 1, /*expand_last=*/false), 0);
    const std::string known =
        "bool number short long [] [bool] [string] [mixed] [null] [unknown] list list() set object";
    EXPECT_EQ(taken.substr(0, known.size()), known);
    return taken.substr(known.size());
  };
  parameter->allow_null = true;
  EXPECT_EQ(blank(), "");
  parameter->allow_dynamic = true;
  EXPECT_EQ(blank(), " null");
  parameter->allow_unknown = true;
  EXPECT_EQ(blank(), " null unknown dynamic");
  parameter->allow_null = false;
  EXPECT_EQ(blank(), " unknown dynamic");
}

TEST_F(CallSiteTest, LightArguments) {
  const std::string text(CallSite::kLightString, 'a');
  samples_.push_back({"heavy", Value::StringView(text)});
  samples_.push_back({"nearly", Value::StringView(std::string_view(text).substr(1))});
  const auto light = [&](const Function& function, uint32_t count, uint32_t at, bool expand_last = false) {
    const CallSite site(&function, nullptr, count, expand_last);
    std::string names;
    for (const Sample& sample : samples_) {
      std::vector<Value> arguments(count, Value::Int(0));
      if (at < count) arguments[at] = sample.value;
      if (site.TakesLight(arguments.data())) names += (names.empty() ? "" : " ") + sample.name;
    }
    return names;
  };
  Function function;
  EXPECT_NE(light(function, 0, 0), "");
  function.parameters = {{"p", Type::String()}};
  EXPECT_EQ(light(function, 1, 0), "short long nearly");
  EXPECT_EQ(light(function, 1, 0, /*expand_last=*/true), "");
  for (uint32_t at = 0; at < CallSite::kOwnKinds; ++at) {
    SCOPED_TRACE(at);
    function.parameters = std::vector<Parameter>(CallSite::kOwnKinds, {"p", Type::Number()});
    EXPECT_EQ(light(function, CallSite::kOwnKinds, at), "number");
    function.parameters[at].type = Type::Bool();
    EXPECT_EQ(light(function, CallSite::kOwnKinds, at), "bool");
    function.parameters[at].type = Type::Dynamic();
    EXPECT_EQ(light(function, CallSite::kOwnKinds, at), "bool number short long nearly");
  }
  function.variadic = Parameter{"p", Type::Number()};
  EXPECT_EQ(light(function, CallSite::kOwnKinds + 1, 0), "");
  function.result_type_rule = [](FunctionCall*, absl::Span<const Value>) { return Type::Dynamic(); };
  EXPECT_EQ(light(function, CallSite::kOwnKinds, 0), "");
}

TEST_F(CallSiteTest, ManyArguments) {
  const Parameter text = {"p", Type::String()};
  const Parameter number = {"p", Type::Number()};
  Function function;
  function.parameters = {number, text, number, text, text};
  function.variadic = text;
  const CallSite same(&function, nullptr, 9, /*expand_last=*/false);
  EXPECT_EQ(Taken(same, 0), "number");
  EXPECT_EQ(Taken(same, 1), "short long");
  EXPECT_EQ(Taken(same, 3), "short long");
  EXPECT_EQ(Taken(same, 8), "short long");

  function.variadic = number;
  EXPECT_EQ(Taken(CallSite(&function, nullptr, 5, /*expand_last=*/false), 4), "short long");
  const CallSite different(&function, nullptr, 6, /*expand_last=*/false);
  EXPECT_EQ(Taken(different, 2), "number");
  EXPECT_EQ(Taken(different, 5), "");

  const CallSite expanded(&function, nullptr, 6, /*expand_last=*/true);
  for (size_t n = 0; n < 6; ++n) EXPECT_EQ(Taken(expanded, n), "");
}

// Whatever does not fit, and no more: the call would fail for it.
TEST_F(CallSiteTest, FailsToTake) {
  const auto unfit = [this](const Parameter& parameter) {
    Function function;
    function.name = "f";
    function.parameters = {parameter, {"any", Type::Dynamic()}};
    const CallSite site(&function, nullptr, 2, /*expand_last=*/false);
    std::string names;
    for (const Sample& sample : samples_) {
      const Value arguments[] = {sample.value, Value::Int(1)};
      if (site.FailsToTake(arguments)) names += (names.empty() ? "" : " ") + sample.name;
      const Value beside[] = {sample.value, Value::Dynamic()};
      EXPECT_FALSE(site.FailsToTake(beside)) << sample.name;
    }
    return names;
  };
  const std::string compounds = "[] [bool] [string] [mixed] [null] [unknown] [marked] list list() set object";
  EXPECT_EQ(unfit({"p", Type::String()}), compounds + " null");
  EXPECT_EQ(unfit({"p", Type::Number()}), "bool short long " + compounds + " null");
  EXPECT_EQ(unfit({"p", Type::Bool()}), "number short long " + compounds + " null");
  EXPECT_EQ(unfit({"p", Type::Dynamic()}), "null");
  EXPECT_EQ(unfit({"p", heap_.types()->List(Type::Number())}),
            "bool number short long [bool] [string] [mixed] [null] [unknown] [marked] list set null");
  EXPECT_EQ(unfit({"p", heap_.types()->List(Type::String())}), "bool number short long null");
  EXPECT_EQ(unfit({"p", heap_.types()->Map(Type::String())}), "bool number short long null");
  Parameter nullable{"p", Type::String()};
  nullable.allow_null = true;
  EXPECT_EQ(unfit(nullable), compounds);
}

// As many as the call reports; none where a conversion has to tell.
TEST_F(CallSiteTest, CountRefusals) {
  Function function;
  function.name = "f";
  function.parameters = {{"text", Type::String()}, {"number", Type::Number()}, {"any", Type::Dynamic()}};
  Parameter nullable{"nullable", Type::Bool()};
  nullable.allow_null = true;
  function.parameters.push_back(nullable);
  const CallSite site(&function, nullptr, 4, /*expand_last=*/false);
  const Value text = Value::StringView("a"), one = Value::Int(1), yes = Value::Bool(true), null = Value::Null();
  const Value list = MakeTuple({}, heap_.arena());
  struct Row {
    Value arguments[4];
    uint32_t want;
  };
  const Row rows[] = {
      {{text, one, one, yes}, 0},
      {{list, one, one, yes}, 1},
      {{list, yes, one, yes}, 2},
      {{list, text, list, one}, 3},
      // All that cannot be converted comes before what must not be null, of which the first counts.
      {{null, one, one, yes}, 1},
      {{null, null, null, yes}, 1},
      {{null, yes, null, yes}, 1},
      {{text, one, one, null}, 0},
      {{text, one, null, null}, 1},
      // What may be converted, and what is not known, or has a type.
      {{one, yes, one, yes}, 0},
      {{text, Value::StringView("12"), null, yes}, 0},
      {{list, Value::Dynamic(), one, yes}, 0},
      {{Value::Null(Type::Number()), one, one, yes}, 0},
      {{Mark(list, 1, heap_.arena()), yes, one, yes}, 0},
  };
  for (const Row& row : rows) EXPECT_EQ(site.CountRefusals(row.arguments), row.want) << &row - rows;
}

// By the tag alone, and whatever is beside it.
TEST_F(CallSiteTest, Refuses) {
  const auto refused = [this](const Parameter& parameter, bool expand_last) {
    Function function;
    function.name = "f";
    function.parameters = {parameter};
    const CallSite site(&function, nullptr, 1, expand_last);
    std::string names;
    for (const Sample& sample : samples_) {
      if (site.Refuses(sample.value)) names += (names.empty() ? "" : " ") + sample.name;
    }
    return names;
  };
  const std::string compounds = "[] [bool] [string] [mixed] [null] [unknown] [marked] list list() set object";
  EXPECT_EQ(refused({"p", Type::String()}, false), compounds + " null");
  EXPECT_EQ(refused({"p", Type::Number()}, false), "bool " + compounds + " null");
  EXPECT_EQ(refused({"p", Type::Bool()}, false), "number " + compounds + " null");
  EXPECT_EQ(refused({"p", Type::Dynamic()}, false), "null");
  EXPECT_EQ(refused({"p", heap_.types()->Set(Type::Number())}, false), "bool number short long null");
  EXPECT_EQ(refused({"p", Type::String()}, true), "");
}

TEST_F(CallSiteTest, HasUnfitArgument) {
  Function function;
  function.name = "f";
  function.parameters = {{"p", Type::String()}};
  function.variadic = Parameter{"more", Type::Number()};
  const Value list = MakeTuple({}, heap_.arena());
  const Value one = Value::Int(1);
  EXPECT_FALSE(HasUnfitArgument(function, 0, {}));
  EXPECT_FALSE(HasUnfitArgument(function, 0, {one, one}));
  EXPECT_TRUE(HasUnfitArgument(function, 0, {list, one}));
  EXPECT_TRUE(HasUnfitArgument(function, 1, {one, Value::StringView("a")}));
  EXPECT_FALSE(HasUnfitArgument(function, 1, {one, Value::Null()}));
  EXPECT_TRUE(HasUnfitArgument(function, 0, {Value::StringView("a"), one, Value::Null()}));
  EXPECT_FALSE(HasUnfitArgument(function, 0, {Value::Dynamic(), one, Value::Null()}));
  function.variadic.reset();
  EXPECT_FALSE(HasUnfitArgument(function, 1, {list}));
}

}  // namespace
}  // namespace hcl::internal
