// Handles of the API for C that free themselves, for tests.

#ifndef HCLVM_BINDINGS_C_TEST_HANDLES_H_
#define HCLVM_BINDINGS_C_TEST_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/bindings/c/hclvm.h"

namespace hclvm_test {

struct FreeCError {
  void operator()(hclvm_error* error) const { hclvm_error_free(error); }
};
using CError = std::unique_ptr<hclvm_error, FreeCError>;

// "1 HCL3001 at 1:5", or "3 Invalid argument of a call: Sentence."
inline std::string Describe(hclvm_status status, const hclvm_error* error) {
  std::string out = std::to_string(status) + " ";
  EXPECT_EQ(hclvm_error_status(error), status);
  hclvm_diagnostic diagnostic = {};
  diagnostic.size = sizeof(diagnostic);
  if (hclvm_error_get(error, 0, &diagnostic) != HCLVM_OK) return out + "without a diagnostic";
  if (diagnostic.code == 0) return out + diagnostic.summary + ": " + diagnostic.detail;
  out += diagnostic.code_text;
  const hclvm_position& start = diagnostic.subject.start;
  if (start.line != 0) out += " at " + std::to_string(start.line) + ":" + std::to_string(start.column);
  return out;
}

inline std::string Json(const hclvm_value* value, int32_t form = HCLVM_PLAIN_JSON) {
  char* text = nullptr;
  size_t size = 0;
  hclvm_error* error = nullptr;
  const hclvm_status status = hclvm_write_json(value, form, nullptr, &text, &size, &error);
  const CError owned(error);
  if (status != HCLVM_OK) return Describe(status, error);
  std::string out(text, size);
  hclvm_free(text);
  return out;
}

class Heap {
 public:
  explicit Heap(const hclvm_limits* limits = nullptr) { EXPECT_EQ(hclvm_heap_new(limits, &heap_, nullptr), HCLVM_OK); }
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap() { hclvm_heap_free(heap_); }
  hclvm_heap* get() const { return heap_; }

 private:
  hclvm_heap* heap_ = nullptr;
};

class Program {
 public:
  explicit Program(const char* text, int32_t form = HCLVM_CONFIG, const hclvm_functions* functions = nullptr) {
    hclvm_compile_options options = {};
    options.size = sizeof(options);
    options.form = form;
    options.functions = functions;
    Compile(text, options);
  }
  Program(const char* text, const hclvm_compile_options& options) { Compile(text, options); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { hclvm_program_free(program_); }
  hclvm_program* get() const { return program_; }

 private:
  void Compile(const char* text, const hclvm_compile_options& options) {
    hclvm_error* error = nullptr;
    EXPECT_EQ(hclvm_compile(text, HCLVM_TERMINATED, &options, &program_, &error), HCLVM_OK) << hclvm_error_text(error);
    hclvm_error_free(error);
  }

  hclvm_program* program_ = nullptr;
};

class Evaluator {
 public:
  explicit Evaluator(const hclvm_program* program, const hclvm_limits* limits = nullptr) {
    EXPECT_EQ(hclvm_evaluator_new(program, limits, &evaluator_, nullptr), HCLVM_OK);
  }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  ~Evaluator() { hclvm_evaluator_free(evaluator_); }
  hclvm_evaluator* get() const { return evaluator_; }

 private:
  hclvm_evaluator* evaluator_ = nullptr;
};

}  // namespace hclvm_test

#endif  // HCLVM_BINDINGS_C_TEST_HANDLES_H_
