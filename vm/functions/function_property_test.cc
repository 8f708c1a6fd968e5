// Every function with arguments of all kinds: no call may crash or exceed its limits, a result has the type that was
// promised, and what is known when an argument is unknown stays true when it becomes known.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::IsAscii;
using internal::TagOf;
namespace {

// Typed values, from which arguments are drawn.
constexpr std::string_view kPool[] = {
    R"r({"type": "dynamic", "value": null})r",
    R"r({"type": "string", "value": null})r",
    R"r({"type": "bool", "value": true})r",
    R"r({"type": "bool", "value": false})r",
    R"r({"type": "number", "value": 0})r",
    R"r({"type": "number", "value": 1})r",
    R"r({"type": "number", "value": 2})r",
    R"r({"type": "number", "value": -1})r",
    R"r({"type": "number", "value": 0.5})r",
    R"r({"type": "number", "value": 10})r",
    R"r({"type": "number", "value": 16})r",
    R"r({"type": "number", "value": 999999999999})r",
    R"r({"type": "number", "value": -9223372036854775808})r",
    R"r({"type": "number", "value": 1234567890123456789012345678901234567890})r",
    R"r({"type": "number", "value": {"$number": "+Inf"}})r",
    R"r({"type": "string", "value": ""})r",
    R"r({"type": "string", "value": "a"})r",
    R"r({"type": "string", "value": "b"})r",
    R"r({"type": "string", "value": "12"})r",
    R"r({"type": "string", "value": "true"})r",
    R"r({"type": "string", "value": "hello\nWorld, e\u0301\ud83d\ude00"})r",
    R"r({"type": "string", "value": "a long text which does not fit into a value"})r",
    R"r({"type": "string", "value": "(a)|(?P<n>b)"})r",
    R"r({"type": "string", "value": "[a-z]*"})r",
    R"r({"type": "string", "value": "/l+/"})r",
    R"r({"type": "string", "value": "$1${n}$$"})r",
    R"r({"type": "string", "value": "%s and %d"})r",
    R"r({"type": "string", "value": "%999999999d"})r",
    R"r({"type": "string", "value": "%v%[1]q"})r",
    R"r({"type": "string", "value": "{\"a\": [1, null, \"x\"]}"})r",
    R"r({"type": "string", "value": "a,b\n1,\"2\"\n"})r",
    R"r({"type": "string", "value": "YQ=="})r",
    R"r({"type": "string", "value": "H4sIAAAAAAAA//NIzcnJBwCCidH3BQAAAA=="})r",
    R"r({"type": "string", "value": ">= 1.2, < 2.0.0-rc"})r",
    R"r({"type": "string", "value": "2024-02-29T12:00:00Z"})r",
    R"r({"type": "string", "value": "YYYY'-'MM"})r",
    R"r({"type": "string", "value": "1h30m"})r",
    R"r({"type": "string", "value": "10.0.0.0/8"})r",
    R"r({"type": "string", "value": "10.1.2.3"})r",
    R"r({"type": "string", "value": "2001:db8::/32"})r",
    R"r({"type": "string", "value": "dns"})r",
    R"r({"type": "string", "value": "list(string)"})r",
    R"r({"type": "string", "value": "UTF-16LE"})r",
    R"r({"type": "string", "value": "a: &x [1, ~]\nb: {c: *x, <<: {d: 'e'}}\n"})r",
    R"r({"type": "string", "value": "- |\n  text\n- !!int 0x1F\n- 2001-12-14\n"})r",
    R"r({"type": ["tuple", []], "value": []})r",
    R"r({"type": ["tuple", ["string"]], "value": ["a"]})r",
    R"r({"type": ["tuple", ["string", "number", "bool"]], "value": ["a", 1, true]})r",
    R"r({"type": ["tuple", [["tuple", ["string"]], ["list", "string"]]], "value": [["a"], ["b", "c"]]})r",
    R"r({"type": ["list", "string"], "value": []})r",
    R"r({"type": ["list", "string"], "value": ["a", "b", "a"]})r",
    R"r({"type": ["list", "string"], "value": ["a", null, ""]})r",
    R"r({"type": ["list", "number"], "value": [3, 1, 2]})r",
    R"r({"type": ["list", "bool"], "value": [true, false]})r",
    R"r({"type": ["list", ["list", "number"]], "value": [[1], [2, 3]]})r",
    R"r({"type": ["list", "dynamic"], "value": []})r",
    R"r({"type": ["set", "string"], "value": ["a", "b"]})r",
    R"r({"type": ["set", "number"], "value": [1]})r",
    R"r({"type": ["set", ["tuple", ["string", "number"]]], "value": [["a", 1], ["b", 2]]})r",
    R"r({"type": ["map", "string"], "value": {}})r",
    R"r({"type": ["map", "string"], "value": {"a": "x", "b": "y"}})r",
    R"r({"type": ["map", "number"], "value": {"a": 1, "c": 2}})r",
    R"r({"type": ["map", ["list", "string"]], "value": {"a": ["x", "y"], "b": ["x"]}})r",
    R"r({"type": ["object", {}], "value": {}})r",
    R"r({"type": ["object", {"a": "string", "b": "number"}], "value": {"a": "x", "b": 1}})r",
    R"r({"type": ["object", {"a": ["tuple", ["bool"]], "b": "dynamic"}], "value": {"a": [true], "b": null}})r",
};

class FunctionPropertyTest : public testing::Test {
 protected:
  FunctionPropertyTest() {
    for (std::string_view text : kPool) {
      Value value;
      JsonError error;
      EXPECT_TRUE(JsonReader().ReadTyped(text, &heap_, &value, &error)) << text << " " << error.detail;
      pool_.push_back(value);
    }
  }

  uint32_t Pick(size_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % bound);
  }

  // `text` with a few bytes changed; for ASCII only, so that it stays valid.
  Value Mutated(const Value& text) {
    constexpr std::string_view kBytes = "09aZ %$'\"\\[](){}<>:;,.-+*&!|?/#=~^@\n\r\t";
    std::string bytes(text.AsString());
    if (!IsAscii(bytes)) return text;
    for (uint32_t changes = 1 + Pick(4); changes > 0; --changes) {
      const size_t at = Pick(bytes.size() + 1);
      const size_t count = std::min<size_t>(Pick(4), bytes.size() - at);
      const std::string part = bytes.substr(Pick(bytes.size() + 1), Pick(8));
      bytes.replace(at, count, Pick(2) == 0 ? part : std::string(1, kBytes[Pick(kBytes.size())]));
    }
    return Value::String(bytes, heap_.arena());
  }

  // A value for `parameter`; mostly one that it can take.
  Value Argument(const Parameter& parameter) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      Value value = pool_[Pick(pool_.size())];
      if (value.is_string() && Pick(2) == 0) value = Mutated(value);
      Value converted;
      ConversionError error;
      if (parameter.type.is_dynamic()) return value;
      if (Convert(value, parameter.type, &heap_, &converted, &error)) return converted;
    }
    return Value::Null(parameter.type);
  }

  Value Converted(const Value& value, Type type) {
    Value converted;
    ConversionError error;
    EXPECT_TRUE(Convert(value, type, &heap_, &converted, &error)) << Print({value}) << ": " << error.ToString();
    return converted;
  }

  std::vector<Value> Arguments(const Function& function) {
    std::vector<Value> arguments;
    for (const Parameter& parameter : function.parameters) arguments.push_back(Argument(parameter));
    // What a variadic function takes is often of one kind.
    const size_t most = std::min<size_t>(function.max_arguments() - function.parameters.size(), 3);
    for (size_t more = Pick(most + 1); more > 0; --more) {
      const bool again = !arguments.empty() && arguments.size() > function.parameters.size() && Pick(2) == 0;
      arguments.push_back(again ? arguments.back() : Argument(*function.variadic));
    }
    return arguments;
  }

  // `value` with less known of it: unknown as a whole, or in one place.
  Value Weaker(const Value& value) {
    const uint32_t way = Pick(4);
    if (way == 0) return Value::Dynamic();
    const bool has_parts = (value.is_sequence() || value.is_mapping()) && value.size() > 0;
    if (way == 1 || !has_parts) return Value::Unknown(TypeOf(value, heap_.types()));
    const absl::Span<const Value> parts = value.is_sequence() ? value.elements() : value.values();
    std::vector<Value> weaker(parts.begin(), parts.end());
    const size_t at = Pick(weaker.size());
    weaker[at] = Value::Unknown(TypeOf(weaker[at], heap_.types()));
    switch (TagOf(value)) {
      case internal::Tag::kTuple:
        return MakeTuple(weaker, heap_.arena());
      case internal::Tag::kList:
        return MakeList(value.element_type(), weaker, heap_.arena());
      case internal::Tag::kSet:
        return MakeSet(value.element_type(), weaker, heap_.arena());
      case internal::Tag::kObject:
        return MakeObject(&value.shape(), weaker, heap_.arena());
      default:
        return MakeMap(value.element_type(), &value.shape(), weaker, heap_.arena());
    }
  }

  std::string Print(const std::vector<Value>& values) {
    std::string out;
    for (const Value& value : values) {
      out += out.empty() ? "" : ", ";
      AppendTypedJson(value, heap_.types(), &out);
    }
    return out;
  }

  Heap heap_{nullptr, Dialect::kHashiCorp};
  std::vector<Value> pool_;
  uint64_t state_ = 1;
};

// Whether `weak`, an answer about partly unknown arguments, leaves room for `strong`.
bool LeavesRoomFor(const Value& weak, const Value& strong, TypeTable* types) {
  if (weak.is_marked() || strong.is_marked()) {
    return weak.marks() == strong.marks() && LeavesRoomFor(weak.unmarked(), strong.unmarked(), types);
  }
  if (weak.is_unknown()) {
    return Matches(TypeOf(strong, types), weak.null_or_unknown_type()) &&
           (strong.is_unknown() || !Contradicts(weak, strong));
  }
  if (weak.is_null() || strong.is_null() || TagOf(weak) != TagOf(strong) || weak.is_wholly_known()) {
    return Identical(weak, strong);
  }
  // Unknown elements of a set may be equal to others.
  if (weak.is_set()) return strong.size() <= weak.size();
  if (weak.size() != strong.size() || (weak.is_mapping() && !(weak.shape() == strong.shape()))) return false;
  for (size_t i = 0; i < weak.size(); ++i) {
    const Value& a = weak.is_sequence() ? weak.elements()[i] : weak.values()[i];
    const Value& b = weak.is_sequence() ? strong.elements()[i] : strong.values()[i];
    if (!LeavesRoomFor(a, b, types)) return false;
  }
  return true;
}

bool UnifiesArguments(std::string_view name) {
  return name == "coalesce" || name == "setunion" || name == "setintersection" || name == "setsubtract" ||
         name == "setsymmetricdifference";
}

TEST_F(FunctionPropertyTest, AnswersAreSound) {
  constexpr int kCallsOfEach = 20'000;
  Limits limits;
  limits.max_result_bytes = 1 << 16;
  limits.max_fuel = 10'000;
  for (std::string_view name : StandardFunctions()->Names()) {
    const Function& function = *StandardFunctions()->Find(name);
    // What it does is the compiler's: compiler/template_function_test.cc.
    if (function.special == Function::Special::kTemplateString) continue;
    int succeeded = 0;
    for (int n = 0; n < kCallsOfEach; ++n) {
      std::vector<Value> arguments = Arguments(function);
      Heap heap(nullptr, Dialect::kHashiCorp, limits);
      Fuel fuel(limits.max_fuel);
      FunctionCall call(function, &heap, &fuel);
      const Value result = InvokeFunction(&call, arguments);
      if (call.failed()) {
        EXPECT_FALSE(call.message().empty()) << name;
        continue;
      }
      ++succeeded;
      EXPECT_TRUE(Matches(TypeOf(result, heap.types()), call.result_type()))
          << name << "(" << Print(arguments) << ") = " << Print({result});
      if (arguments.empty()) continue;
      std::vector<Value> weaker = arguments;
      const size_t at = Pick(weaker.size());
      weaker[at] = Converted(Weaker(weaker[at]), function.parameter(at).type);
      // As in the reference, a dynamic type is taken to become that of the other arguments.
      if (UnifiesArguments(name) && TypeOf(weaker[at], heap.types()).has_dynamic()) continue;
      FunctionCall weak_call(function, &heap);
      const Value weak_result = InvokeFunction(&weak_call, weaker);
      EXPECT_FALSE(weak_call.failed()) << name << "(" << Print(weaker) << "): " << weak_call.message() << "\n  known: ("
                                       << Print(arguments) << ") = " << Print({result});
      EXPECT_TRUE(LeavesRoomFor(weak_result, result, heap.types()))
          << name << "(" << Print(weaker) << ") = " << Print({weak_result}) << "\n  known: (" << Print(arguments)
          << ") = " << Print({result});
    }
    EXPECT_GT(succeeded, 0) << name << " was never called as it should be";
  }
}

// A total function fails for no known arguments that are not null, but beyond limits. The compiler relies on it.
TEST_F(FunctionPropertyTest, TotalFunctionsDoNotFail) {
  constexpr int kCallsOfEach = 20'000;
  int total = 0;
  for (std::string_view name : StandardFunctions()->Names()) {
    const Function& function = *StandardFunctions()->Find(name);
    if (!function.total) continue;
    EXPECT_TRUE(function.pure) << name;
    ++total;
    for (int n = 0; n < kCallsOfEach; ++n) {
      const std::vector<Value> arguments = Arguments(function);
      auto suits = [](const Value& argument) {
        const bool has_null =
            argument.is_sequence() && std::any_of(argument.elements().begin(), argument.elements().end(),
                                                  [](const Value& v) { return v.is_null(); });
        return !argument.is_null() && !has_null && argument.is_wholly_known();
      };
      const bool has_variadic = !function.variadic || arguments.size() > function.parameters.size();
      if (!has_variadic || !std::all_of(arguments.begin(), arguments.end(), suits)) continue;
      Heap heap(nullptr, Dialect::kHashiCorp);
      FunctionCall call(function, &heap);
      const Value result = InvokeFunction(&call, arguments);
      EXPECT_FALSE(call.failed()) << name << "(" << Print(arguments) << "): " << call.message();
      EXPECT_TRUE(result.is_wholly_known() && !result.is_null()) << name << "(" << Print(arguments) << ")";
    }
  }
  EXPECT_GT(total, 10);
}

}  // namespace
}  // namespace hcl
