// The table of answers, by the API for C.

#include <cstddef>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/tests/answers/answer_table.h"

namespace hcl::answers {
namespace {

Answer AnswerOf(hclvm_error* error) {
  Answer answer;
  const char* const json = hclvm_error_json(error);
  answer.error = json == nullptr ? "an error of which nothing is known" : json;
  hclvm_error_free(error);
  return answer;
}

// Evaluates the entry over the scope, which is bound at once or name by name.
Answer Evaluate(const Row& row, bool check_all, bool binds_all) {
  const std::string& text = AllAnswers().modules.at(row.module);
  hclvm_compile_options options = {};
  options.size = sizeof(options);
  options.form = HCLVM_MODULE;
  hclvm_error* error = nullptr;
  hclvm_program* program = nullptr;
  if (hclvm_compile(text.data(), text.size(), &options, &program, &error) != HCLVM_OK) return AnswerOf(error);
  hclvm_evaluator* evaluator = nullptr;
  hclvm_heap* heap = nullptr;
  EXPECT_EQ(hclvm_evaluator_new(program, nullptr, &evaluator, nullptr), HCLVM_OK);
  EXPECT_EQ(hclvm_heap_new(nullptr, &heap, nullptr), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_set_check_all(evaluator, check_all ? 1 : 0), HCLVM_OK);
  const int32_t unknown_input = row.unknown_input == "error"    ? HCLVM_UNKNOWN_ERROR
                                : row.unknown_input == "ignore" ? HCLVM_UNKNOWN_IGNORE
                                                                : HCLVM_UNKNOWN_NEAR;
  EXPECT_EQ(hclvm_evaluator_set_unknown_input(evaluator, unknown_input), HCLVM_OK);
  const hclvm_value* scope = nullptr;
  EXPECT_EQ(hclvm_read_json(heap, row.scope.data(), row.scope.size(), HCLVM_PLAIN_JSON, &scope, nullptr), HCLVM_OK);
  if (binds_all) {
    EXPECT_EQ(hclvm_evaluator_bind_all(evaluator, scope), HCLVM_OK);
  } else {
    for (size_t n = 0; n < hclvm_program_variable_count(program); ++n) {
      size_t size = 0;
      const char* const name = hclvm_program_variable(program, n, &size);
      const hclvm_value* value = nullptr;
      if (hclvm_value_get(scope, name, size, &value) == HCLVM_OK) {
        EXPECT_EQ(hclvm_evaluator_bind(evaluator, name, size, value), HCLVM_OK);
      }
    }
  }
  size_t entry = 0;
  EXPECT_EQ(hclvm_program_find_entry(program, row.entry.data(), row.entry.size(), &entry), HCLVM_OK);
  Answer answer;
  const hclvm_value* result = nullptr;
  if (hclvm_evaluator_run_entry(evaluator, entry, &result, &error) != HCLVM_OK) {
    answer = AnswerOf(error);
  } else {
    char* json = nullptr;
    size_t size = 0;
    EXPECT_EQ(hclvm_write_json(result, HCLVM_PLAIN_JSON, nullptr, &json, &size, nullptr), HCLVM_OK);
    answer.value.assign(json, size);
    answer.warning = hclvm_error_json(hclvm_evaluator_warnings(evaluator));
    hclvm_free(json);
    // What is marked as a whole is what outputs show nothing of.
    const Expected& expected = row.ExpectedOf(check_all);
    EXPECT_EQ(hclvm_value_kind(hclvm_evaluator_marked_result(evaluator)) == HCLVM_MARKED, expected.erased == "[\"\"]");
    EXPECT_NE(hclvm_value_kind(result), HCLVM_MARKED);
  }
  hclvm_evaluator_free(evaluator);
  hclvm_heap_free(heap);
  hclvm_program_free(program);
  return answer;
}

TEST(CAnswersTest, BindAll) {
  ExpectAnswers("C, bind_all", [](const Row& row, bool check_all) { return Evaluate(row, check_all, true); });
}

TEST(CAnswersTest, Bind) {
  ExpectAnswers("C, bind", [](const Row& row, bool check_all) { return Evaluate(row, check_all, false); },
                {false, true, true});
}

}  // namespace
}  // namespace hcl::answers
