// Tests that no argument and no input gets through the border of the API for C: nulls, values of all kinds, sizes that
// no version has, random bytes.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/bindings/c/test_handles.h"

namespace hclvm_test {
namespace {

constexpr size_t kImpossible = static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max()) + 1;

// Every function with null for each handle, each result and each text, in the order of the header.

TEST(CHostileTest, NullsForErrorsAndCancels) {
  hclvm_diagnostic diagnostic = {};
  diagnostic.size = sizeof(diagnostic);
  EXPECT_EQ(hclvm_error_status(nullptr), HCLVM_OK);
  EXPECT_STREQ(hclvm_error_text(nullptr), "");
  EXPECT_STREQ(hclvm_error_json(nullptr), "");
  EXPECT_EQ(hclvm_error_count(nullptr), 0u);
  EXPECT_EQ(hclvm_error_get(nullptr, 0, &diagnostic), HCLVM_NOT_FOUND);
  EXPECT_EQ(hclvm_error_get(nullptr, 0, nullptr), HCLVM_ARGUMENT);
  hclvm_error_free(nullptr);
  hclvm_free(nullptr);
  EXPECT_EQ(hclvm_cancel_new(nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_cancel_set(nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_cancel_clear(nullptr), HCLVM_ARGUMENT);
  hclvm_cancel_free(nullptr);
}

TEST(CHostileTest, NullsForPrograms) {
  size_t size;
  hclvm_program* no_program;
  EXPECT_EQ(hclvm_compile("1", 1, nullptr, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_compile(nullptr, 1, nullptr, &no_program, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_compile(nullptr, HCLVM_TERMINATED, nullptr, &no_program, nullptr), HCLVM_ARGUMENT);
  hclvm_program_free(nullptr);
  EXPECT_EQ(hclvm_program_warnings(nullptr), nullptr);
  EXPECT_EQ(hclvm_program_variable_count(nullptr), 0u);
  EXPECT_EQ(hclvm_program_variable(nullptr, 0, &size), nullptr);
  EXPECT_EQ(hclvm_program_entry_count(nullptr), 0u);
  EXPECT_EQ(hclvm_program_entry(nullptr, 0, &size), nullptr);
  EXPECT_EQ(hclvm_program_find_entry(nullptr, "a", 1, &size), HCLVM_ARGUMENT);
  const Program program("a = x");
  EXPECT_EQ(hclvm_program_variable(program.get(), 0, nullptr), nullptr);
  EXPECT_EQ(hclvm_program_variable(program.get(), 1, &size), nullptr);
  EXPECT_EQ(hclvm_program_entry(program.get(), 0, nullptr), nullptr);
  EXPECT_EQ(hclvm_program_entry(program.get(), SIZE_MAX, &size), nullptr);
  EXPECT_EQ(hclvm_program_find_entry(program.get(), nullptr, 0, &size), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_program_find_entry(program.get(), "a", 1, nullptr), HCLVM_ARGUMENT);
}

TEST(CHostileTest, NullsForReaders) {
  size_t size;
  const char* text;
  char* digits;
  const hclvm_value* value;
  int truth;
  int64_t whole;
  double number;
  EXPECT_EQ(hclvm_value_kind(nullptr), HCLVM_NONE);
  EXPECT_EQ(hclvm_value_unmarked(nullptr), nullptr);
  EXPECT_EQ(hclvm_value_bool(nullptr, &truth), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_int64(nullptr, &whole), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_double(nullptr, &number), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_string(nullptr, &text, &size), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_number_text(nullptr, &digits, &size), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_size(nullptr, &size), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_element(nullptr, 0, &value), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_key(nullptr, 0, &text, &size), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_value_get(nullptr, "a", 1, &value), HCLVM_ARGUMENT);
}

// First without a heap, then without a place for the result.
TEST(CHostileTest, NullsForAllThatMakesValues) {
  EXPECT_EQ(hclvm_heap_new(nullptr, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_heap_reset(nullptr), HCLVM_ARGUMENT);
  hclvm_heap_free(nullptr);
  const Heap heap;
  const hclvm_value* value;
  const hclvm_value* null_value;
  ASSERT_EQ(hclvm_make_null(heap.get(), &null_value, nullptr), HCLVM_OK);
  for (hclvm_heap* in : {static_cast<hclvm_heap*>(nullptr), heap.get()}) {
    const hclvm_value** out = in == nullptr ? &value : nullptr;
    EXPECT_EQ(hclvm_make_null(in, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_bool(in, 1, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_int64(in, 1, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_double(in, 1, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_number(in, "1", 1, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_string(in, "1", 1, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_tuple(in, nullptr, 0, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_object(in, nullptr, nullptr, 0, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_unknown(in, "any", 3, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_convert(in, null_value, "any", 3, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_sensitive(in, null_value, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_copy(in, null_value, out, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_read_json(in, "1", 1, 0, out, nullptr), HCLVM_ARGUMENT);
  }
}

TEST(CHostileTest, NullsForWhatValuesAreMadeOf) {
  const Heap heap;
  const hclvm_value* value;
  const hclvm_value* null_value;
  ASSERT_EQ(hclvm_make_null(heap.get(), &null_value, nullptr), HCLVM_OK);
  const hclvm_value* no_elements[] = {nullptr};
  const char* no_keys[] = {nullptr};
  EXPECT_EQ(hclvm_make_number(heap.get(), nullptr, 1, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_number(heap.get(), nullptr, 0, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_double(heap.get(), std::numeric_limits<double>::quiet_NaN(), &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_string(heap.get(), nullptr, 1, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_string(heap.get(), nullptr, 0, &value, nullptr), HCLVM_OK);
  EXPECT_EQ(Json(value), "\"\"");
  EXPECT_EQ(hclvm_make_tuple(heap.get(), nullptr, 1, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_tuple(heap.get(), no_elements, 1, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_tuple(heap.get(), nullptr, 0, &value, nullptr), HCLVM_OK);
  EXPECT_EQ(hclvm_make_object(heap.get(), nullptr, &null_value, 1, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_object(heap.get(), no_keys, &null_value, 1, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_object(heap.get(), nullptr, nullptr, 0, &value, nullptr), HCLVM_OK);
  EXPECT_EQ(hclvm_make_unknown(heap.get(), nullptr, HCLVM_TERMINATED, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_convert(heap.get(), nullptr, "any", 3, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_convert(heap.get(), null_value, nullptr, 3, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_make_sensitive(heap.get(), nullptr, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_copy(heap.get(), nullptr, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_read_json(heap.get(), nullptr, 1, 0, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_read_json(heap.get(), "1", 1, 2, &value, nullptr), HCLVM_ARGUMENT);
  char* text;
  size_t size;
  EXPECT_EQ(hclvm_write_json(nullptr, 0, nullptr, &text, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_write_json(null_value, -1, nullptr, &text, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_write_json(null_value, 0, nullptr, nullptr, &size, nullptr), HCLVM_ARGUMENT);
}

TEST(CHostileTest, NullsForEvaluators) {
  const Heap heap;
  const Program program("a = x");
  size_t size;
  const char* text;
  char* owned_text;
  const hclvm_value* value;
  uint64_t fuel;
  const hclvm_value* null_value;
  ASSERT_EQ(hclvm_make_null(heap.get(), &null_value, nullptr), HCLVM_OK);
  hclvm_evaluator* no_evaluator;
  EXPECT_EQ(hclvm_evaluator_new(nullptr, nullptr, &no_evaluator, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_new(program.get(), nullptr, nullptr, nullptr), HCLVM_ARGUMENT);
  hclvm_evaluator_free(nullptr);
  EXPECT_EQ(hclvm_evaluator_bind(nullptr, "x", 1, null_value), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_bind_all(nullptr, null_value), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_unbind_all(nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_set_check_all(nullptr, 1), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_set_unknown_input(nullptr, HCLVM_UNKNOWN_ERROR), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_warnings(nullptr), nullptr);
  EXPECT_EQ(hclvm_evaluator_set_timeout(nullptr, 1), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_set_cancel(nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run(nullptr, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run_entry(nullptr, 0, &value, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run_json(nullptr, "{}", 2, &text, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_fuel_left(nullptr, &fuel), HCLVM_ARGUMENT);
  const Evaluator evaluator(program.get());
  EXPECT_EQ(hclvm_evaluator_bind(evaluator.get(), nullptr, 1, null_value), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_bind(evaluator.get(), "x", 1, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_bind_all(evaluator.get(), nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_bind_all(evaluator.get(), null_value), HCLVM_KIND);
  EXPECT_EQ(hclvm_evaluator_run(evaluator.get(), nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run_entry(evaluator.get(), 0, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run_entry(evaluator.get(), 1, &value, nullptr), HCLVM_NOT_FOUND);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), nullptr, 1, &text, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), "{}", 2, nullptr, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), "{}", 2, &text, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluator_fuel_left(evaluator.get(), nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluate_json("1", 1, nullptr, "{}", 2, nullptr, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluate_json("1", 1, nullptr, nullptr, 2, &owned_text, &size, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_evaluate_json(nullptr, 1, nullptr, "{}", 2, &owned_text, &size, nullptr), HCLVM_ARGUMENT);
}

TEST(CHostileTest, NullsForFunctions) {
  EXPECT_EQ(hclvm_functions_new(nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_functions_add_family(nullptr, 0, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_functions_add(nullptr, nullptr, nullptr), HCLVM_ARGUMENT);
  hclvm_functions_free(nullptr);
  hclvm_functions* functions;
  ASSERT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  hclvm_function function = {};
  function.size = sizeof(function);
  function.name = "f";
  EXPECT_EQ(hclvm_functions_add(functions, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_functions_add(functions, &function, nullptr), HCLVM_ARGUMENT);
  function.body = [](hclvm_call*, void*, const hclvm_value* const*, size_t, const hclvm_value**) {
    return HCLVM_OK + 0;
  };
  function.parameter_count = 1;
  EXPECT_EQ(hclvm_functions_add(functions, &function, nullptr), HCLVM_ARGUMENT);
  hclvm_functions_free(functions);
  EXPECT_EQ(hclvm_call_heap(nullptr), nullptr);
  EXPECT_EQ(hclvm_call_charge(nullptr, 1), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_call_fail(nullptr, 0, "", 0), HCLVM_ARGUMENT);
}

// Sizes that no object has. A text of them cannot be there.
TEST(CHostileTest, ImpossibleSizes) {
  const Heap heap;
  const Program program("a = x");
  const Evaluator evaluator(program.get());
  const hclvm_value* value;
  hclvm_program* none;
  const char* text;
  char* owned_text;
  size_t size;
  for (const size_t bad : {kImpossible, SIZE_MAX - 1}) {
    EXPECT_EQ(hclvm_compile("1", bad, nullptr, &none, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_string(heap.get(), "1", bad, &value, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_number(heap.get(), "1", bad, &value, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_unknown(heap.get(), "any", bad, &value, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_make_tuple(heap.get(), &value, bad, &value, nullptr), HCLVM_LIMIT);
    EXPECT_EQ(hclvm_read_json(heap.get(), "1", bad, 0, &value, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_program_find_entry(program.get(), "a", bad, &size), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_evaluator_run_json(evaluator.get(), "{}", bad, &text, &size, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_evaluate_json("1", 1, nullptr, "{}", bad, &owned_text, &size, nullptr), HCLVM_ARGUMENT);
  }
}

// A struct of each size around its own: of an earlier version that never was, and of later ones.
template <typename Struct, typename Use>
void TryStruct(const Struct& given, Use use) {
  const struct {
    size_t size;
    unsigned char tail;
    bool fits;
  } kCases[] = {
      {0, 0, false},
      {1, 0, false},
      {sizeof(size_t), 0, false},
      {sizeof(Struct) - 1, 0, false},
      {sizeof(Struct), 1, true},
      {sizeof(Struct) + 8, 0, true},
      {sizeof(Struct) + 8, 1, false},
      {4097, 0, false},
      {SIZE_MAX, 0, false},
      {kImpossible, 0, false},
  };
  for (const auto& c : kCases) {
    alignas(Struct) unsigned char bytes[sizeof(Struct) + 16];
    std::memset(bytes, c.tail, sizeof(bytes));
    std::memcpy(bytes, &given, sizeof(Struct));
    auto* made = reinterpret_cast<Struct*>(bytes);
    made->size = c.size;
    EXPECT_EQ(use(made) != HCLVM_ARGUMENT, c.fits) << c.size << " " << int{c.tail};
  }
}

TEST(CHostileTest, StructSizes) {
  TryStruct(hclvm_limits{}, [](const hclvm_limits* limits) {
    hclvm_heap* heap;
    const hclvm_status status = hclvm_heap_new(limits, &heap, nullptr);
    hclvm_heap_free(heap);
    return status;
  });
  TryStruct(hclvm_compile_options{}, [](const hclvm_compile_options* options) {
    hclvm_program* program;
    const hclvm_status status = hclvm_compile("a = 1", HCLVM_TERMINATED, options, &program, nullptr);
    hclvm_program_free(program);
    return status;
  });
  hclvm_functions* functions;
  ASSERT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  hclvm_function function = {};
  function.name = "f";
  function.body = [](hclvm_call*, void*, const hclvm_value* const*, size_t, const hclvm_value**) {
    return HCLVM_OK + 0;
  };
  TryStruct(function, [&](const hclvm_function* given) { return hclvm_functions_add(functions, given, nullptr); });
  hclvm_functions_free(functions);

  hclvm_diagnostic diagnostic = {};
  for (const size_t size : {size_t{0}, sizeof(diagnostic) - 1, SIZE_MAX}) {
    diagnostic.size = size;
    EXPECT_EQ(hclvm_error_get(nullptr, 0, &diagnostic), HCLVM_ARGUMENT) << size;
  }
}

// Each reader with a value of each kind: the one that it is for, and HCLVM_KIND with an empty result for all others.
TEST(CHostileTest, ReadersAndKinds) {
  const Program program(
      "[null, unknown, true, 1.5, \"s\", [1], tolist([1]), toset([1]), {a = 1}, tomap({a = 1}), sensitive(1)]",
      HCLVM_EXPRESSION);
  const Evaluator evaluator(program.get());
  const Heap heap;
  const hclvm_value *unknown, *all;
  ASSERT_EQ(hclvm_make_unknown(heap.get(), "any", HCLVM_TERMINATED, &unknown, nullptr), HCLVM_OK);
  ASSERT_EQ(hclvm_evaluator_bind(evaluator.get(), "unknown", HCLVM_TERMINATED, unknown), HCLVM_OK);
  ASSERT_EQ(hclvm_evaluator_run(evaluator.get(), &all, nullptr), HCLVM_OK);
  const hclvm_kind kKinds[] = {HCLVM_NULL, HCLVM_UNKNOWN, HCLVM_BOOL,   HCLVM_NUMBER, HCLVM_STRING, HCLVM_TUPLE,
                               HCLVM_LIST, HCLVM_SET,     HCLVM_OBJECT, HCLVM_MAP,    HCLVM_MARKED};
  std::string table;
  for (size_t i = 0; i < sizeof(kKinds) / sizeof(kKinds[0]); ++i) {
    const hclvm_value *value, *element;
    ASSERT_EQ(hclvm_value_element(all, i, &value), HCLVM_OK);
    EXPECT_EQ(hclvm_value_kind(value), kKinds[i]);
    int truth;
    int64_t whole;
    double number;
    const char* text;
    char* digits;
    size_t size;
    const hclvm_status statuses[] = {
        hclvm_value_bool(value, &truth),          hclvm_value_int64(value, &whole),
        hclvm_value_double(value, &number),       hclvm_value_number_text(value, &digits, &size),
        hclvm_value_string(value, &text, &size),  hclvm_value_size(value, &size),
        hclvm_value_element(value, 0, &element),  hclvm_value_key(value, 0, &text, &size),
        hclvm_value_get(value, "a", 1, &element),
    };
    hclvm_free(digits);
    for (const hclvm_status status : statuses) table += status == HCLVM_OK ? "x" : status == HCLVM_KIND ? "." : "?";
    table += "\n";
  }
  EXPECT_EQ(table,
            ".........\n"
            ".........\n"
            "x........\n"
            "..xx.....\n"
            "....x....\n"
            ".....xx..\n"
            ".....xx..\n"
            ".....xx..\n"
            ".....xxxx\n"
            ".....xxxx\n"
            ".........\n");
}

// Random bytes, and random words of what is read: every call ends with one of the statuses that it may have, and an
// error has a diagnostic and its texts.
TEST(CHostileTest, RandomInput) {
  std::mt19937 random(20220623);
  const std::string_view kWords[] = {
      "{",      "}",  "[",      "]",        "(",    ")",     "\"",   ",",        ":",  "a",     "list",   "map",
      "number", "1",  "-",      "e9",       "null", "true",  "\xff", "\xcc\x81", "\0", "${",    "%{",     "for",
      " ",      "\n", "object", "$unknown", "type", "value", "=",    "any",      ".",  "<<E\n", "\\u0000"};
  const auto any_text = [&] {
    std::string text;
    for (unsigned words = random() % 12; words > 0; --words) {
      const unsigned word = random() % (sizeof(kWords) / sizeof(kWords[0]) + 4);
      if (word < sizeof(kWords) / sizeof(kWords[0])) {
        text += kWords[word];
      } else {
        text += static_cast<char>(random());
      }
    }
    return text;
  };
  const auto expect = [](hclvm_status status, hclvm_error* error, const std::string& text) {
    const CError owned(error);
    EXPECT_TRUE(status >= HCLVM_OK && status <= HCLVM_ARGUMENT) << status << " for " << text;
    EXPECT_EQ(hclvm_error_status(error), status);
    EXPECT_EQ(hclvm_error_count(error) > 0, status != HCLVM_OK) << text;
    EXPECT_EQ(*hclvm_error_text(error) != '\0', status != HCLVM_OK);
    EXPECT_EQ(*hclvm_error_json(error) == '[', status != HCLVM_OK);
  };
  for (int i = 0; i < 5000; ++i) {
    const Heap heap;
    hclvm_error* error;
    const std::string text = any_text();
    hclvm_compile_options options = {};
    options.size = sizeof(options);
    options.form = static_cast<int32_t>(random() % 7) - 1;
    options.dialect = static_cast<int32_t>(random() % 3);
    const std::string scope = random() % 2 == 0 ? any_text() : R"({"a": [1, {"b": null}]})";
    char* result;
    size_t size;
    hclvm_status status =
        hclvm_evaluate_json(text.data(), text.size(), &options, scope.data(), scope.size(), &result, &size, &error);
    EXPECT_EQ(result == nullptr, status != HCLVM_OK);
    hclvm_free(result);
    expect(status, error, text);
    const hclvm_value *value, *converted;
    status = hclvm_read_json(heap.get(), text.data(), text.size(), i % 2, &value, &error);
    expect(status, error, text);
    if (value == nullptr) {
      ASSERT_EQ(hclvm_make_int64(heap.get(), 1, &value, &error), HCLVM_OK);
    }
    status = hclvm_convert(heap.get(), value, scope.data(), scope.size(), &converted, &error);
    expect(status, error, scope);
    status = hclvm_make_string(heap.get(), text.data(), text.size(), &value, &error);
    expect(status, error, text);
    status = hclvm_make_number(heap.get(), text.data(), text.size(), &value, &error);
    expect(status, error, text);
  }
}

}  // namespace
}  // namespace hclvm_test
