// Calls functions in tests.

#include "hclvm/vm/functions/function_test_util.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

bool IsTypedForm(const Value& value) {
  return value.is_object() && value.size() == 2 && value.shape().Find("type") >= 0 && value.shape().Find("value") >= 0;
}

Value ReadArgument(const Value& plain, Heap* heap) {
  if (!IsTypedForm(plain)) return plain;
  std::string text;
  std::string reason;
  EXPECT_TRUE(AppendJson(plain, &text, &reason)) << reason;
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().ReadTyped(text, heap, &value, &error)) << text << ": " << error.detail;
  return value;
}

std::string Print(const Value& value, Heap* heap) {
  std::string out;
  AppendTypeJson(TypeOf(value, heap->types()), &out);
  out += " ";
  AppendTypedValueJson(value, heap->types(), &out);
  // That a result is not null follows from the function's type; tests/unknown_test.cc looks at it.
  return absl::StrReplaceAll(out, {{",\"refinement\":{\"not_null\":true}", ""}});
}

std::string PrintFailure(const FunctionCall& call) {
  if (call.is_limit()) return absl::StrCat("limit: ", call.message());
  if (call.argument() >= 0) return absl::StrCat("error in argument ", call.argument(), ": ", call.message());
  return absl::StrCat("error: ", call.message());
}

}  // namespace

std::string CallForTest(std::string_view name, std::string_view arguments, const Limits& limits, Dialect dialect) {
  const Function* function = StandardFunctions()->Find(name);
  if (function == nullptr) return "no such function";
  Heap arguments_heap(nullptr, dialect);
  Heap heap(nullptr, dialect, limits);
  Value list;
  JsonError json_error;
  if (!JsonReader().Read(arguments, &arguments_heap, &list, &json_error)) {
    return absl::StrCat("bad arguments: ", json_error.detail);
  }
  std::vector<Value> values;
  for (const Value& element : list.elements()) {
    Value value = ReadArgument(element, &arguments_heap);
    const Type type = function->parameter(values.size()).type;
    ConversionError error;
    if (!type.is_dynamic() && !Convert(value, type, &arguments_heap, &value, &error)) {
      return absl::StrCat("no conversion of argument ", values.size(), ": ", error.ToString());
    }
    values.push_back(value);
  }
  Fuel fuel(limits.max_fuel);
  FunctionCall call(*function, &heap, &fuel);
  const Value result = InvokeFunction(&call, values);
  return call.failed() ? PrintFailure(call) : Print(result, &heap);
}

void CheckFunctionCases(const std::vector<FunctionCase>& cases) {
  for (const FunctionCase& c : cases) {
    std::string got = CallForTest(c.name, c.arguments);
    const std::string_view want = c.want;
    constexpr std::string_view kAndSoOn = "...";
    const bool is_prefix = want.size() > kAndSoOn.size() && want.substr(want.size() - kAndSoOn.size()) == kAndSoOn;
    const size_t prefix = want.size() - kAndSoOn.size();
    if (is_prefix && got.size() > prefix) got.replace(prefix, std::string::npos, kAndSoOn);
    EXPECT_EQ(got, want) << c.name << c.arguments;
  }
}

}  // namespace hcl
