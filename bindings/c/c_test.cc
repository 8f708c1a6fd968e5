// Tests of the API for C: compiling, evaluating, values, JSON, errors, limits, cancelling.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/bindings/c/test_handles.h"

namespace hclvm_test {
namespace {

// What hclvm_evaluate_json gives: the result, or the status and the code of the first diagnostic.
std::string Evaluate(std::string_view text, int32_t form, std::string_view scope,
                     const hclvm_limits* limits = nullptr) {
  hclvm_compile_options options = {};
  options.size = sizeof(options);
  options.form = form;
  options.limits = limits;
  char* result = nullptr;
  size_t size = 0;
  hclvm_error* error = nullptr;
  const hclvm_status status =
      hclvm_evaluate_json(text.data(), text.size(), &options, scope.data(), scope.size(), &result, &size, &error);
  const CError owned(error);
  if (status != HCLVM_OK) return Describe(status, error);
  EXPECT_EQ(error, nullptr);
  EXPECT_EQ(result[size], '\0');
  std::string out(result, size);
  hclvm_free(result);
  return out;
}

TEST(CTest, EvaluatesAtOnce) {
  const struct {
    std::string_view text;
    int32_t form;
    std::string_view scope, want;
  } kCases[] = {
      {"a = x + 1\nb { c = upper(y) }\n", HCLVM_CONFIG, R"({"x": 1, "y": "z"})", R"({"a":2,"b":[{"c":"Z"}]})"},
      {"1 + x", HCLVM_EXPRESSION, R"({"x": 0.5})", "1.5"},
      {"1 + 1", HCLVM_EXPRESSION, "", "2"},
      {"n = ${x}", HCLVM_TEMPLATE, R"({"x": 7})", R"("n = 7")"},
      {R"({"a": "${x}"})", HCLVM_JSON_CONFIG, R"({"x": [1]})", R"({"a":[1]})"},
      {R"("${x}")", HCLVM_JSON_EXPRESSION, R"({"x": null})", "null"},
      {"\"a\xff\"", HCLVM_EXPRESSION, "", "1 HCL1001"},
      {"a +", HCLVM_EXPRESSION, "", "1 HCL1201 at 1:4"},
      {"x", HCLVM_EXPRESSION, "{}", "1 HCL3001 at 1:1"},
      {"x", HCLVM_EXPRESSION, "[]", "1 HCL6002 at 1:1"},
      {"x", HCLVM_EXPRESSION, "{\"x\":\n tru}", "1 HCL6101 at 2:2"},
      {"1 / 0", HCLVM_EXPRESSION, "", "1 HCL6104"},
      {"variable \"x\" {\n  type = number\n}\na = x\n", HCLVM_MODULE, R"({"x": "7"})", R"({"a":7})"},
      {"x", 6, "{}", "3 Invalid argument of a call: There is no such form of a text."},
      {"x", -1, "{}", "3 Invalid argument of a call: There is no such form of a text."},
  };
  for (const auto& c : kCases) {
    const std::string got = Evaluate(c.text, c.form, c.scope);
    EXPECT_EQ(got.substr(0, c.want.size()), c.want) << c.text;
  }
}

TEST(CTest, ErrorsSayAll) {
  const char kText[] = "a = 1\nb = usr.name\n";
  hclvm_compile_options options = {};
  options.size = sizeof(options);
  options.name = "p.hcl";
  options.first_line = 10;
  const Program program(kText, options);
  const Evaluator evaluator(program.get());
  const char* result;
  size_t size;
  hclvm_error* error;
  ASSERT_EQ(hclvm_evaluator_run_json(evaluator.get(), "{\"user\": 1}", HCLVM_TERMINATED, &result, &size, &error),
            HCLVM_INVALID);
  const CError owned(error);
  EXPECT_EQ(hclvm_error_status(error), HCLVM_INVALID);
  ASSERT_EQ(hclvm_error_count(error), 1u);
  hclvm_diagnostic diagnostic = {};
  diagnostic.size = sizeof(diagnostic);
  ASSERT_EQ(hclvm_error_get(error, 0, &diagnostic), HCLVM_OK);
  EXPECT_EQ(diagnostic.code, 3001);
  EXPECT_STREQ(diagnostic.code_text, "HCL3001");
  EXPECT_STREQ(diagnostic.summary, "Unknown variable");
  EXPECT_NE(std::string(diagnostic.detail).find("user"), std::string::npos) << diagnostic.detail;
  EXPECT_STREQ(diagnostic.source, "p.hcl");
  EXPECT_EQ(diagnostic.subject.start.line, 11u);
  EXPECT_EQ(diagnostic.subject.start.column, 5u);
  EXPECT_EQ(diagnostic.subject.start.byte, 10u);
  EXPECT_EQ(diagnostic.subject.end.byte, 13u);
  EXPECT_NE(std::string(hclvm_error_text(error)).find("on p.hcl line 11, column 5"), std::string::npos);
  EXPECT_EQ(std::string(hclvm_error_json(error)).substr(0, 37), R"([{"severity":"error","code":"HCL3001")");
  EXPECT_EQ(hclvm_error_get(error, 1, &diagnostic), HCLVM_NOT_FOUND);
  EXPECT_EQ(diagnostic.summary, nullptr);
}

TEST(CTest, WarningsBelongToTheProgram) {
  const Program quiet("a = 1");
  EXPECT_EQ(hclvm_program_warnings(quiet.get()), nullptr);
  const Program program("a = 1 == \"1\"");
  const hclvm_error* warnings = hclvm_program_warnings(program.get());
  ASSERT_EQ(hclvm_error_count(warnings), 1u);
  EXPECT_EQ(hclvm_error_status(warnings), HCLVM_OK);
  hclvm_diagnostic diagnostic = {};
  diagnostic.size = sizeof(diagnostic);
  ASSERT_EQ(hclvm_error_get(warnings, 0, &diagnostic), HCLVM_OK);
  EXPECT_EQ(diagnostic.is_warning, 1);
  EXPECT_EQ(diagnostic.code, 8001);
}

TEST(CTest, NamesVariablesAndEntries) {
  const Program program("a = x\nb \"l\" { c = y }\n");
  size_t size;
  std::string names;
  for (size_t i = 0; i < hclvm_program_variable_count(program.get()); ++i) {
    const char* name = hclvm_program_variable(program.get(), i, &size);
    names += std::string(name, size) + " ";
  }
  for (size_t i = 0; i < hclvm_program_entry_count(program.get()); ++i) {
    const char* name = hclvm_program_entry(program.get(), i, &size);
    names += std::string(name, size) + " ";
  }
  EXPECT_EQ(names, "x y a b.l.c ");
  size_t index;
  EXPECT_EQ(hclvm_program_find_entry(program.get(), "b.l.c", HCLVM_TERMINATED, &index), HCLVM_OK);
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(hclvm_program_find_entry(program.get(), "b", HCLVM_TERMINATED, &index), HCLVM_NOT_FOUND);
}

TEST(CTest, ValuesThereAndBack) {
  const Heap heap;
  hclvm_error* error;
  const hclvm_value* values[4];
  ASSERT_EQ(hclvm_make_int64(heap.get(), INT64_MIN, &values[0], &error), HCLVM_OK);
  ASSERT_EQ(hclvm_make_double(heap.get(), 0.1, &values[1], &error), HCLVM_OK);
  ASSERT_EQ(hclvm_make_number(heap.get(), "123456789012345678901234567890.5", HCLVM_TERMINATED, &values[2], &error),
            HCLVM_OK);
  // Decomposed, and with a zero in it.
  ASSERT_EQ(hclvm_make_string(heap.get(), "e\xcc\x81\0x", 5, &values[3], &error), HCLVM_OK);
  const hclvm_value* tuple;
  ASSERT_EQ(hclvm_make_tuple(heap.get(), values, 4, &tuple, &error), HCLVM_OK);
  const char* keys[] = {"t", "b", "t"};
  const hclvm_value* elements[] = {values[0], nullptr, tuple};
  ASSERT_EQ(hclvm_make_bool(heap.get(), 7, &elements[1], &error), HCLVM_OK);
  const hclvm_value* object;
  ASSERT_EQ(hclvm_make_object(heap.get(), keys, elements, 3, &object, &error), HCLVM_OK);
  EXPECT_EQ(Json(object), R"({"b":true,"t":[-9223372036854775808,0.1,123456789012345678901234567890.5,"é\u0000x"]})");

  size_t size;
  const char* text;
  EXPECT_EQ(hclvm_value_kind(object), HCLVM_OBJECT);
  ASSERT_EQ(hclvm_value_key(object, 1, &text, &size), HCLVM_OK);
  EXPECT_EQ(std::string(text, size), "t");
  const hclvm_value* inner;
  ASSERT_EQ(hclvm_value_get(object, "t", 1, &inner), HCLVM_OK);
  EXPECT_EQ(hclvm_value_get(object, "u", 1, &inner), HCLVM_NOT_FOUND);
  ASSERT_EQ(hclvm_value_element(object, 1, &inner), HCLVM_OK);
  ASSERT_EQ(hclvm_value_size(inner, &size), HCLVM_OK);
  EXPECT_EQ(size, 4u);
  const hclvm_value* element;
  int64_t whole;
  ASSERT_EQ(hclvm_value_element(inner, 0, &element), HCLVM_OK);
  ASSERT_EQ(hclvm_value_int64(element, &whole), HCLVM_OK);
  EXPECT_EQ(whole, INT64_MIN);
  double number;
  ASSERT_EQ(hclvm_value_element(inner, 1, &element), HCLVM_OK);
  ASSERT_EQ(hclvm_value_double(element, &number), HCLVM_OK);
  EXPECT_EQ(number, 0.1);
  EXPECT_EQ(hclvm_value_int64(element, &whole), HCLVM_KIND);
  char* digits;
  ASSERT_EQ(hclvm_value_element(inner, 2, &element), HCLVM_OK);
  ASSERT_EQ(hclvm_value_number_text(element, &digits, &size), HCLVM_OK);
  EXPECT_STREQ(digits, "123456789012345678901234567890.5");
  hclvm_free(digits);
  ASSERT_EQ(hclvm_value_element(inner, 3, &element), HCLVM_OK);
  ASSERT_EQ(hclvm_value_string(element, &text, &size), HCLVM_OK);
  EXPECT_EQ(std::string(text, size), std::string("\xc3\xa9\0x", 4));
  EXPECT_EQ(hclvm_value_element(inner, 4, &element), HCLVM_NOT_FOUND);
}

TEST(CTest, ConvertsByTypes) {
  const struct {
    std::string_view json;
    const char* type;
    std::string_view want;  // typed JSON, or the status and the message
  } kCases[] = {
      {R"(["1", 2])", "list(number)", R"({"type":["list","number"],"value":[1,2]})"},
      {R"({"a": 1})", "map(string)", R"({"type":["map","string"],"value":{"a":"1"}})"},
      {R"([1, 1])", "set(any)", R"({"type":["set","number"],"value":[1]})"},
      {"null", "bool", R"({"type":"bool","value":null})"},
      {R"(["x"])", "list(number)", "1 HCL6103"},
      {"1", "list(", "3 Invalid argument of a call: The type is wrong at byte"},
      {"1", "", "3 Invalid argument of a call: The type is wrong at byte 0"},
  };
  for (const auto& c : kCases) {
    const Heap heap;
    hclvm_error* error;
    const hclvm_value *value, *result;
    ASSERT_EQ(hclvm_read_json(heap.get(), c.json.data(), c.json.size(), HCLVM_PLAIN_JSON, &value, &error), HCLVM_OK);
    const hclvm_status status = hclvm_convert(heap.get(), value, c.type, HCLVM_TERMINATED, &result, &error);
    const CError owned(error);
    const std::string got = status == HCLVM_OK ? Json(result, HCLVM_TYPED_JSON) : Describe(status, error);
    EXPECT_EQ(got.substr(0, c.want.size()), c.want) << c.type;
  }
}

TEST(CTest, UnknownAndSensitiveValuesGoThrough) {
  const Heap heap;
  hclvm_error* error;
  const hclvm_value *unknown, *secret, *word;
  ASSERT_EQ(hclvm_make_unknown(heap.get(), "list(string)", HCLVM_TERMINATED, &unknown, &error), HCLVM_OK);
  EXPECT_EQ(hclvm_value_kind(unknown), HCLVM_UNKNOWN);
  ASSERT_EQ(hclvm_make_string(heap.get(), "pw", 2, &word, &error), HCLVM_OK);
  ASSERT_EQ(hclvm_make_sensitive(heap.get(), word, &secret, &error), HCLVM_OK);
  EXPECT_EQ(hclvm_value_kind(secret), HCLVM_MARKED);
  EXPECT_EQ(hclvm_value_unmarked(word), word);

  const Program program("[length(u), \"${s}!\"]", HCLVM_EXPRESSION);
  const Evaluator evaluator(program.get());
  EXPECT_EQ(hclvm_evaluator_bind(evaluator.get(), "u", 1, unknown), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_bind(evaluator.get(), "s", 1, secret), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_bind(evaluator.get(), "other", HCLVM_TERMINATED, secret), HCLVM_NOT_FOUND);
  const hclvm_value *result, *element;
  ASSERT_EQ(hclvm_evaluator_run(evaluator.get(), &result, &error), HCLVM_OK);
  ASSERT_EQ(hclvm_value_element(result, 0, &element), HCLVM_OK);
  EXPECT_EQ(hclvm_value_kind(element), HCLVM_UNKNOWN);
  ASSERT_EQ(hclvm_value_element(result, 1, &element), HCLVM_OK);
  EXPECT_EQ(hclvm_value_kind(element), HCLVM_MARKED);
  const hclvm_value* copy;
  ASSERT_EQ(hclvm_copy(heap.get(), hclvm_value_unmarked(element), &copy, &error), HCLVM_OK);
  ASSERT_EQ(hclvm_evaluator_unbind_all(evaluator.get()), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_run(evaluator.get(), &result, nullptr), HCLVM_INVALID);
  EXPECT_EQ(Json(copy), "\"pw!\"");
}

// Values of the same heap that are elements of each other grow in weight and depth without growing in memory.
TEST(CTest, MadeValuesKeepTheLimits) {
  hclvm_limits limits = {};
  limits.size = sizeof(limits);
  limits.max_nesting_depth = 20;
  limits.max_result_bytes = 1 << 20;
  const Heap deep(&limits);
  hclvm_error* error;
  const hclvm_value* value;
  ASSERT_EQ(hclvm_make_null(deep.get(), &value, &error), HCLVM_OK);
  int levels = 0;
  hclvm_status status;
  while ((status = hclvm_make_tuple(deep.get(), &value, 1, &value, nullptr)) == HCLVM_OK) ++levels;
  EXPECT_EQ(status, HCLVM_LIMIT);
  EXPECT_EQ(levels, 20);

  const Heap wide(&limits);
  ASSERT_EQ(hclvm_make_null(wide.get(), &value, &error), HCLVM_OK);
  for (levels = 0; levels < 20; ++levels) {
    const hclvm_value* twice[] = {value, value, value, value, value, value, value, value};
    status = hclvm_make_tuple(wide.get(), twice, 8, &value, nullptr);
    if (status != HCLVM_OK) break;
  }
  EXPECT_EQ(status, HCLVM_LIMIT);
  EXPECT_LT(levels, 7);

  const Heap small(&limits);
  int made = 0;
  while ((status = hclvm_make_int64(small.get(), made, &value, nullptr)) == HCLVM_OK) ++made;
  EXPECT_EQ(status, HCLVM_LIMIT);
  EXPECT_LE(made, (1 << 20) / 16);
  ASSERT_EQ(hclvm_heap_reset(small.get()), HCLVM_OK);
  EXPECT_EQ(hclvm_make_int64(small.get(), 1, &value, nullptr), HCLVM_OK);
}

TEST(CTest, LimitsHold) {
  const struct {
    uint64_t hclvm_limits::*field;
    uint64_t limit;
    std::string_view text, want;
  } kCases[] = {
      {&hclvm_limits::max_source_bytes, 3, "1 + 1", "2 HCL90"},
      {&hclvm_limits::max_nesting_depth, 3, "[[[[[1]]]]]", "2 HCL90"},
      {&hclvm_limits::max_fuel, 20, "[for x in range(100) : x]", "2 HCL92"},
      {&hclvm_limits::max_result_bytes, 20, "[for x in range(a) : x]", "2 HCL93"},
      {&hclvm_limits::max_result_bytes, 2000, "[for x in range(a) : x]", "2 HCL92"},
      {&hclvm_limits::max_output_bytes, 20, "[for x in range(a) : x]", "2 HCL93"},
      {&hclvm_limits::max_number_digits, 20, "1e50", "2 HCL91"},
      {&hclvm_limits::max_diagnostics, 1, "[a.b, a.c, a.d]", "1 HCL43"},
      {&hclvm_limits::timeout_ms, 1, "[for x in range(a) : [for y in range(x) : [for z in range(y) : z]]]", "2 HCL92"},
  };
  for (const auto& c : kCases) {
    hclvm_limits limits = {};
    limits.size = sizeof(limits);
    limits.*c.field = c.limit;
    EXPECT_EQ(Evaluate(c.text, HCLVM_EXPRESSION, R"({"a": 1000})", &limits).substr(0, c.want.size()), c.want) << c.text;
  }
}

TEST(CTest, CancelStopsEveryCallUntilItIsCleared) {
  hclvm_cancel* cancel;
  ASSERT_EQ(hclvm_cancel_new(&cancel), HCLVM_OK);
  hclvm_limits limits = {};
  limits.size = sizeof(limits);
  limits.cancel = cancel;
  const Program program("[for x in range(a) : x]", HCLVM_EXPRESSION);
  const Evaluator evaluator(program.get(), &limits);
  const char kScope[] = R"({"a": 100})";
  const char* result;
  size_t size;
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), kScope, HCLVM_TERMINATED, &result, &size, nullptr), HCLVM_OK);
  uint64_t fuel;
  EXPECT_EQ(hclvm_evaluator_fuel_left(evaluator.get(), &fuel), HCLVM_OK);
  EXPECT_GT(fuel, 0u);
  ASSERT_EQ(hclvm_cancel_set(cancel), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), kScope, HCLVM_TERMINATED, &result, &size, nullptr), HCLVM_LIMIT);
  ASSERT_EQ(hclvm_cancel_clear(cancel), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), kScope, HCLVM_TERMINATED, &result, &size, nullptr), HCLVM_OK);
  // Who looks at the flag keeps it.
  ASSERT_EQ(hclvm_cancel_set(cancel), HCLVM_OK);
  hclvm_cancel_free(cancel);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), kScope, HCLVM_TERMINATED, &result, &size, nullptr), HCLVM_LIMIT);
  ASSERT_EQ(hclvm_evaluator_set_cancel(evaluator.get(), nullptr), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), kScope, HCLVM_TERMINATED, &result, &size, nullptr), HCLVM_OK);
}

// A program relies on what its header said: fields stay where they are, and are added at the end.
TEST(CTest, LayoutsStay) {
  if (sizeof(void*) != 8) GTEST_SKIP() << "offsets are those of 64-bit systems";
  EXPECT_EQ(offsetof(hclvm_limits, max_output_bytes), 72u);
  EXPECT_EQ(offsetof(hclvm_limits, cancel), 88u);
  EXPECT_EQ(offsetof(hclvm_compile_options, name), 16u);
  EXPECT_EQ(offsetof(hclvm_compile_options, limits), 40u);
  EXPECT_EQ(offsetof(hclvm_function, is_impure), 48u);
  EXPECT_EQ(offsetof(hclvm_function, free_context), 72u);
  EXPECT_EQ(offsetof(hclvm_diagnostic, code_text), 24u);
  EXPECT_EQ(offsetof(hclvm_diagnostic, context), 80u);
  EXPECT_EQ(sizeof(hclvm_range), 24u);
  EXPECT_EQ(sizeof(hclvm_parameter), 24u);
}

// Each variable and each run leaves nothing behind.
TEST(CTest, AnEvaluatorIsUsedAgain) {
  auto program = std::make_unique<Program>("x", HCLVM_EXPRESSION);
  const Evaluator evaluator(program->get());
  program.reset();  // the evaluator keeps what it needs
  for (const auto& [scope, want] : std::vector<std::pair<std::string, std::string>>{
           {R"({"x": [1]})", "[1]"}, {"{}", ""}, {"nonsense", ""}, {R"({"x": "é"})", "\"é\""}, {"", ""}}) {
    const char* result;
    size_t size;
    hclvm_evaluator_run_json(evaluator.get(), scope.data(), scope.size(), &result, &size, nullptr);
    EXPECT_EQ(result == nullptr ? std::string() : std::string(result, size), want) << scope;
  }
}

}  // namespace
}  // namespace hclvm_test
