/* Decides requests with a policy, in C: a function of the host, variables as JSON and as values, and what is said about
 * mistakes. Prints a line for each request.
 *
 * cc -std=c11 decide.c $(pkg-config --cflags --libs hclvm-c) -o decide
 */

#include <stdio.h>

#include "hclvm/bindings/c/hclvm.h"

static const char kPolicy[] =
    "allow  = user.admin || contains(owners, user.name)\n"
    "reason = allowed_at(hour) ? \"open\" : \"closed from ${closes} on\"\n";

/* allowed_at(hour): a function of the host, whose context says when it closes. */
static hclvm_status AllowedAt(hclvm_call* call, void* context, const hclvm_value* const* arguments, size_t count,
                              const hclvm_value** result) {
  int64_t hour;
  (void)count; /* the declaration says that there is one */
  if (hclvm_value_int64(arguments[0], &hour) != HCLVM_OK || hour < 0 || hour > 23) {
    return hclvm_call_fail(call, 0, "must be an hour, from 0 to 23", HCLVM_TERMINATED);
  }
  return hclvm_make_bool(hclvm_call_heap(call), hour < *(const int*)context, result, NULL);
}

/* Says what is wrong, frees it, and returns the exit status. */
static int Complain(hclvm_error* error) {
  fputs(hclvm_error_text(error), stderr);
  hclvm_error_free(error);
  return 1;
}

/* Compiles the policy, which may call the function library and allowed_at. */
static hclvm_status Compile(int* closes, hclvm_program** program, hclvm_error** error) {
  const hclvm_parameter hour = {.name = "hour", .type = "number"};
  const hclvm_function allowed_at = {.size = sizeof(hclvm_function),
                                     .name = "allowed_at",
                                     .parameters = &hour,
                                     .parameter_count = 1,
                                     .result_type = "bool",
                                     .body = AllowedAt,
                                     .context = closes};
  hclvm_compile_options options = {.size = sizeof(hclvm_compile_options), .name = "policy.hcl"};
  hclvm_functions* functions = NULL;
  hclvm_status status = hclvm_functions_new(&functions, error);
  if (status == HCLVM_OK) status = hclvm_functions_add_family(functions, HCLVM_ALL_FUNCTIONS, error);
  if (status == HCLVM_OK) status = hclvm_functions_add(functions, &allowed_at, error);
  options.functions = functions;
  if (status == HCLVM_OK) status = hclvm_compile(kPolicy, HCLVM_TERMINATED, &options, program, error);
  hclvm_functions_free(functions);
  return status;
}

/* A request as values, without JSON: only the attribute "reason" is evaluated, and the result is read as a string. */
static hclvm_status PrintReason(hclvm_program* program, hclvm_evaluator* evaluator, hclvm_heap* heap, int64_t hour,
                                hclvm_error** error) {
  const hclvm_value *value, *result;
  const char* text;
  size_t entry, size;
  hclvm_status status = hclvm_program_find_entry(program, "reason", HCLVM_TERMINATED, &entry);
  if (status != HCLVM_OK) return status;
  hclvm_heap_reset(heap);
  status = hclvm_make_int64(heap, hour, &value, error);
  if (status == HCLVM_OK) status = hclvm_evaluator_bind(evaluator, "hour", HCLVM_TERMINATED, value);
  if (status == HCLVM_OK) status = hclvm_make_int64(heap, 18, &value, error);
  if (status == HCLVM_OK) status = hclvm_evaluator_bind(evaluator, "closes", HCLVM_TERMINATED, value);
  if (status == HCLVM_OK) status = hclvm_evaluator_run_entry(evaluator, entry, &result, error);
  if (status == HCLVM_OK) status = hclvm_value_string(result, &text, &size);
  if (status == HCLVM_OK) printf("at %d: %.*s\n", (int)hour, (int)size, text);
  return status;
}

int main(void) {
  static const char kScope[] =
      "{\"user\": {\"name\": \"ann\", \"admin\": false}, \"owners\": [\"ann\", \"bob\"], \"hour\": 20, \"closes\": 18}";
  const hclvm_limits limits = {.size = sizeof(hclvm_limits), .max_fuel = 1000000, .timeout_ms = 1000};
  int closes = 18;
  hclvm_program* program = NULL;
  hclvm_evaluator* evaluator = NULL;
  hclvm_heap* heap = NULL;
  hclvm_error* error = NULL;
  const char* json;
  size_t size;
  int result = 0;

  if (Compile(&closes, &program, &error) != HCLVM_OK) return Complain(error);
  if (hclvm_evaluator_new(program, &limits, &evaluator, &error) != HCLVM_OK ||
      hclvm_heap_new(&limits, &heap, &error) != HCLVM_OK) {
    result = Complain(error);
  } else {
    if (hclvm_evaluator_run_json(evaluator, kScope, HCLVM_TERMINATED, &json, &size, &error) == HCLVM_OK) {
      printf("%s\n", json);
    } else {
      result = Complain(error);
    }
    if (PrintReason(program, evaluator, heap, 9, &error) != HCLVM_OK) result = Complain(error);
    /* A mistake: its code is for programs, its text for people. */
    if (PrintReason(program, evaluator, heap, 99, &error) != HCLVM_OK) {
      hclvm_diagnostic diagnostic = {.size = sizeof(diagnostic)};
      if (hclvm_error_get(error, 0, &diagnostic) == HCLVM_OK) {
        printf("at 99: %s in %s, line %u, column %u\n", diagnostic.code_text, diagnostic.source,
               (unsigned)diagnostic.subject.start.line, (unsigned)diagnostic.subject.start.column);
      }
      hclvm_error_free(error);
    }
  }
  hclvm_heap_free(heap);
  hclvm_evaluator_free(evaluator);
  hclvm_program_free(program);
  return result;
}
