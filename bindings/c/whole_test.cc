// Tests of the API for C: modules, check, decoding, lines of JSON, base data, lazy variables.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/bindings/c/test_handles.h"

namespace hclvm_test {
namespace {

constexpr hclvm_file kModule[] = {
    {"variables.hcl", "variable \"n\" {\n  type = number\n}\nvariable \"base\" {\n  type = number\n  default = 1\n}\n",
     HCLVM_TERMINATED},
    {"policy.hcl", "sum = n + base\n", HCLVM_TERMINATED},
    {"more.hcl.json", "{\"twice\": \"${n * 2}\"}", HCLVM_TERMINATED},
};

// A program that frees itself; null, and *what, after a failure.
struct Owned {
  ~Owned() { hclvm_program_free(program); }
  hclvm_program* program = nullptr;
};

void CompileModule(Owned* owned) {
  hclvm_error* error = nullptr;
  ASSERT_EQ(hclvm_compile_module(kModule, 3, nullptr, &owned->program, &error), HCLVM_OK) << hclvm_error_text(error);
}

std::string RunJson(hclvm_evaluator* evaluator, std::string_view scope) {
  const char* result = nullptr;
  size_t size = 0;
  hclvm_error* error = nullptr;
  const hclvm_status status = hclvm_evaluator_run_json(evaluator, scope.data(), scope.size(), &result, &size, &error);
  const CError owned(error);
  return status == HCLVM_OK ? std::string(result, size) : Describe(status, error);
}

TEST(WholeTest, CompilesModules) {
  Owned owned;
  CompileModule(&owned);
  hclvm_evaluator* evaluator = nullptr;
  ASSERT_EQ(hclvm_evaluator_new(owned.program, nullptr, &evaluator, nullptr), HCLVM_OK);
  EXPECT_EQ(RunJson(evaluator, R"({"n": 3})"), R"({"sum":4,"twice":6})");
  hclvm_evaluator_free(evaluator);

  hclvm_program* none = nullptr;
  hclvm_error* error = nullptr;
  const hclvm_file wrong[] = {{"a.hcl", "a = x\n", HCLVM_TERMINATED}, {"b.hcl", "b = (\n", HCLVM_TERMINATED}};
  EXPECT_EQ(hclvm_compile_module(wrong, 2, nullptr, &none, &error), HCLVM_INVALID);
  EXPECT_NE(std::string(hclvm_error_text(error)).find("on b.hcl line 2"), std::string::npos) << hclvm_error_text(error);
  hclvm_error_free(error);
  EXPECT_EQ(hclvm_compile_module(nullptr, 1, nullptr, &none, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_compile_module(wrong, 0, nullptr, &none, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_compile_module(wrong, 2, nullptr, nullptr, nullptr), HCLVM_ARGUMENT);
  const hclvm_file unnamed = {nullptr, "a = 1\n", HCLVM_TERMINATED};
  EXPECT_EQ(hclvm_compile_module(&unnamed, 1, nullptr, &none, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_compile_directory("/no/such/folder", nullptr, &none, nullptr), HCLVM_NOT_FOUND);
  EXPECT_EQ(hclvm_compile_directory(nullptr, nullptr, &none, nullptr), HCLVM_ARGUMENT);
}

TEST(WholeTest, ChecksModules) {
  hclvm_error* found = nullptr;
  EXPECT_EQ(hclvm_check_module(kModule, 3, nullptr, 0, &found), HCLVM_OK);
  EXPECT_EQ(found, nullptr) << hclvm_error_text(found);
  const hclvm_file unused[] = {{"a.hcl", "variable \"x\" {\n  type = string\n}\nb = 1\n", HCLVM_TERMINATED}};
  EXPECT_EQ(hclvm_check_module(unused, 1, nullptr, 0, &found), HCLVM_OK);
  ASSERT_NE(found, nullptr);
  hclvm_diagnostic diagnostic = {};
  diagnostic.size = sizeof(diagnostic);
  ASSERT_EQ(hclvm_error_get(found, 0, &diagnostic), HCLVM_OK);
  EXPECT_EQ(diagnostic.is_warning, 1);
  hclvm_error_free(found);
  found = nullptr;
  EXPECT_EQ(hclvm_check_module(unused, 1, nullptr, 1, &found), HCLVM_INVALID);
  hclvm_error_free(found);
  EXPECT_EQ(hclvm_check_module(unused, 1, nullptr, 1, nullptr), HCLVM_INVALID);
}

std::string Decode(std::string_view spec, std::string_view config, std::string_view scope,
                   const hclvm_compile_options* options = nullptr) {
  char* result = nullptr;
  size_t size = 0;
  hclvm_error* error = nullptr;
  const hclvm_status status = hclvm_decode_json(spec.data(), spec.size(), config.data(), config.size(), options,
                                                scope.data(), scope.size(), &result, &size, &error);
  const CError owned(error);
  if (status != HCLVM_OK) return Describe(status, error);
  std::string out(result, size);
  hclvm_free(result);
  return out;
}

TEST(WholeTest, Decodes) {
  constexpr std::string_view kSpec =
      "object {\n  attr \"name\" {\n    type = string\n    required = true\n  }\n  attr \"n\" {\n    type = number\n  "
      "}\n}\n"
      "variables {\n  who = \"ann\"\n}\n";
  EXPECT_EQ(Decode(kSpec, "name = who\nn = \"7\"\n", ""), R"({"n":7,"name":"ann"})");
  EXPECT_EQ(Decode(kSpec, "name = who\n", R"({"who": "bo"})"), R"({"n":null,"name":"bo"})");
  hclvm_compile_options json = {};
  json.size = sizeof(json);
  json.form = HCLVM_JSON_CONFIG;
  EXPECT_EQ(Decode(kSpec, R"({"name": "${who}"})", "", &json), R"({"n":null,"name":"ann"})");
  EXPECT_EQ(Decode(kSpec, "n = 1\n", "").substr(0, 6), "1 HCL5");
  EXPECT_EQ(Decode("object {", "", "").substr(0, 6), "1 HCL1");
  EXPECT_EQ(Decode(kSpec, "name = (", "").substr(0, 6), "1 HCL1");
  EXPECT_EQ(Decode(kSpec, "name = who\n", "[]").substr(0, 6), "1 HCL6");
  json.form = HCLVM_TEMPLATE;
  EXPECT_EQ(Decode(kSpec, "", "", &json), "3 Invalid argument of a call: Only configs can be decoded.");
}

hclvm_status Collect(void* context, const char* lines, size_t size) {
  static_cast<std::string*>(context)->append(lines, size);
  return HCLVM_OK;
}

hclvm_status Refuse(void*, const char*, size_t) { return HCLVM_INVALID; }

TEST(WholeTest, RunsLines) {
  Owned owned;
  CompileModule(&owned);
  constexpr std::string_view kLines = "{\"n\": 1}\n{\"n\": \"x\"}\n{\"n\": 3, \"base\": 10}";
  hclvm_lines_options options = {};
  options.size = sizeof(options);
  size_t sum = 0;
  ASSERT_EQ(hclvm_program_find_entry(owned.program, "sum", HCLVM_TERMINATED, &sum), HCLVM_OK);
  options.entries = &sum;
  options.entry_count = 1;
  std::string out;
  hclvm_lines_counts counts;
  for (const uint32_t threads : {0u, 1u, 3u}) {
    options.threads = threads;
    out.clear();
    ASSERT_EQ(hclvm_run_lines(owned.program, kLines.data(), kLines.size(), &options, Collect, &out, &counts, nullptr),
              HCLVM_OK);
    EXPECT_EQ(out.substr(0, 12), "{\"value\":2}\n");
    EXPECT_NE(out.find("{\"diagnostics\":["), std::string::npos) << out;
    EXPECT_EQ(out.substr(out.size() - 13), "{\"value\":13}\n");
    EXPECT_EQ(counts.lines, 3u);
    EXPECT_EQ(counts.errors, 1u);
  }
  out.clear();
  EXPECT_EQ(hclvm_run_lines(owned.program, "", 0, nullptr, Collect, &out, nullptr, nullptr), HCLVM_OK);
  EXPECT_EQ(out, "");
  hclvm_error* error = nullptr;
  EXPECT_EQ(hclvm_run_lines(owned.program, "{}", 2, nullptr, Refuse, nullptr, nullptr, &error), HCLVM_INVALID);
  EXPECT_NE(error, nullptr);
  hclvm_error_free(error);
  options.threads = 257;
  EXPECT_EQ(hclvm_run_lines(owned.program, "", 0, &options, Collect, &out, nullptr, nullptr), HCLVM_ARGUMENT);
  options.threads = 1;
  const size_t twice[] = {sum, sum};
  options.entries = twice;
  options.entry_count = 2;
  EXPECT_EQ(hclvm_run_lines(owned.program, "", 0, &options, Collect, &out, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_run_lines(nullptr, "", 0, nullptr, Collect, &out, nullptr, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_run_lines(owned.program, "", 0, nullptr, nullptr, nullptr, nullptr, nullptr), HCLVM_ARGUMENT);
}

TEST(WholeTest, SharesData) {
  Owned owned, other;
  CompileModule(&owned);
  CompileModule(&other);
  hclvm_data* data = nullptr;
  ASSERT_EQ(hclvm_data_new(owned.program, "{\"base\": \"5\"}", HCLVM_TERMINATED, nullptr, 0, nullptr, &data, nullptr),
            HCLVM_OK);
  hclvm_evaluator* evaluator = nullptr;
  ASSERT_EQ(hclvm_evaluator_new(owned.program, nullptr, &evaluator, nullptr), HCLVM_OK);
  ASSERT_EQ(hclvm_evaluator_bind_data(evaluator, data), HCLVM_OK);
  EXPECT_EQ(RunJson(evaluator, R"({"n": 1})"), R"({"sum":6,"twice":2})");
  EXPECT_EQ(RunJson(evaluator, R"({"n": 1, "base": 2})").substr(0, 9), "1 HCL3012");
  ASSERT_EQ(hclvm_evaluator_bind_data(evaluator, nullptr), HCLVM_OK);
  EXPECT_EQ(RunJson(evaluator, R"({"n": 1})"), R"({"sum":2,"twice":2})");
  std::string out;
  hclvm_lines_options options = {};
  options.size = sizeof(options);
  options.data = data;
  EXPECT_EQ(hclvm_run_lines(owned.program, "{\"n\": 1}", HCLVM_TERMINATED, &options, Collect, &out, nullptr, nullptr),
            HCLVM_OK);
  EXPECT_EQ(out, "{\"value\":{\"sum\":6,\"twice\":2}}\n");
  EXPECT_EQ(hclvm_run_lines(other.program, "", 0, &options, Collect, &out, nullptr, nullptr), HCLVM_ARGUMENT);
  hclvm_data_free(data);
  hclvm_evaluator_free(evaluator);

  const char* const names[] = {"base"};
  ASSERT_EQ(hclvm_data_new(other.program, "{\"base\": 5}", HCLVM_TERMINATED, names, 1, nullptr, &data, nullptr),
            HCLVM_OK);
  ASSERT_EQ(hclvm_evaluator_new(other.program, nullptr, &evaluator, nullptr), HCLVM_OK);
  ASSERT_EQ(hclvm_evaluator_bind_data(evaluator, data), HCLVM_OK);
  hclvm_data_free(data);  // the evaluator keeps it
  EXPECT_EQ(RunJson(evaluator, R"({"n": 1, "base": 2})"), R"({"sum":3,"twice":2})");
  hclvm_evaluator_free(evaluator);

  hclvm_error* error = nullptr;
  EXPECT_EQ(hclvm_data_new(owned.program, "{\"base\": []}", HCLVM_TERMINATED, nullptr, 0, nullptr, &data, &error),
            HCLVM_INVALID);
  EXPECT_EQ(data, nullptr);
  hclvm_error_free(error);
  EXPECT_EQ(hclvm_data_new(nullptr, "{}", 2, nullptr, 0, nullptr, &data, nullptr), HCLVM_ARGUMENT);
}

// Makes {"name": "ann"}, and counts.
hclvm_status MakeUser(hclvm_heap* heap, void* context, const hclvm_value** value, const char**) {
  ++*static_cast<int*>(context);
  const char* const keys[] = {"name"};
  const hclvm_value* name = nullptr;
  const hclvm_status status = hclvm_make_string(heap, "ann", HCLVM_TERMINATED, &name, nullptr);
  return status == HCLVM_OK ? hclvm_make_object(heap, keys, &name, 1, value, nullptr) : status;
}

hclvm_status FailToMake(hclvm_heap*, void*, const hclvm_value**, const char** reason) {
  *reason = "the directory does not answer";
  return HCLVM_INVALID;
}

hclvm_status MakeNothing(hclvm_heap*, void*, const hclvm_value**, const char**) { return HCLVM_OK; }

TEST(WholeTest, AsksForVariables) {
  hclvm_compile_options form = {};
  form.size = sizeof(form);
  form.form = HCLVM_EXPRESSION;
  Owned owned;
  ASSERT_EQ(hclvm_compile("asks && user.name == \"ann\" && user.name != \"\"", HCLVM_TERMINATED, &form, &owned.program,
                          nullptr),
            HCLVM_OK);
  hclvm_evaluator* evaluator = nullptr;
  ASSERT_EQ(hclvm_evaluator_new(owned.program, nullptr, &evaluator, nullptr), HCLVM_OK);
  const Heap heap;
  const hclvm_value* asks = nullptr;
  const hclvm_value* result = nullptr;
  int calls = 0;
  EXPECT_EQ(hclvm_evaluator_bind_lazy(evaluator, "user", HCLVM_TERMINATED, MakeUser, &calls), HCLVM_OK);
  EXPECT_EQ(hclvm_evaluator_bind_lazy(evaluator, "nosuch", HCLVM_TERMINATED, MakeUser, &calls), HCLVM_NOT_FOUND);
  EXPECT_EQ(hclvm_evaluator_bind_lazy(evaluator, "user", HCLVM_TERMINATED, nullptr, &calls), HCLVM_ARGUMENT);
  for (const int truth : {0, 1}) {
    ASSERT_EQ(hclvm_make_bool(heap.get(), truth, &asks, nullptr), HCLVM_OK);
    ASSERT_EQ(hclvm_evaluator_bind(evaluator, "asks", HCLVM_TERMINATED, asks), HCLVM_OK);
    ASSERT_EQ(hclvm_evaluator_run(evaluator, &result, nullptr), HCLVM_OK);
    EXPECT_EQ(Json(result), truth != 0 ? "true" : "false");
    EXPECT_EQ(calls, truth);
  }
  for (const hclvm_lazy_body body : {FailToMake, MakeNothing}) {
    ASSERT_EQ(hclvm_evaluator_bind_lazy(evaluator, "user", HCLVM_TERMINATED, body, nullptr), HCLVM_OK);
    hclvm_error* error = nullptr;
    const hclvm_status status = hclvm_evaluator_run(evaluator, &result, &error);
    const CError failure(error);
    EXPECT_EQ(Describe(status, error).substr(0, 9), "1 HCL3011");
    EXPECT_EQ(std::string(hclvm_error_text(error)).find("the directory does not answer") != std::string::npos,
              body == FailToMake);
  }
  hclvm_evaluator_free(evaluator);
}

}  // namespace
}  // namespace hclvm_test
