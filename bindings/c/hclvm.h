/* hclvm for C: HCL compiled once and evaluated many times. C99 and later, and C++.
 *
 *   hclvm_program* program;
 *   hclvm_error* error;
 *   if (hclvm_compile("age >= 18", HCLVM_TERMINATED, &options, &program, &error) != HCLVM_OK) ...
 *
 * docs/c.md has whole programs. What follows holds for every declaration here:
 *
 * Failure. A function that can fail returns a status. No input and no argument makes a function crash, throw or end the
 * process: a null where there must be something, a value of another kind, a struct of an impossible size, text that is
 * not UTF-8 are statuses like any other. What cannot be noticed is the C programmer's to avoid: pointers to memory that
 * is no longer there, and sizes that go beyond it. A function that takes `hclvm_error** error` says there what is
 * wrong: *error is a new error for the caller to free, or NULL if all is well. `error` itself may be NULL. Other
 * results are NULL or 0 after a failure.
 *
 * Text. Text goes in as a pointer and a size in bytes, which is HCLVM_TERMINATED for a string that ends with a zero. It
 * is UTF-8, is not changed, and is not needed after the call. A pointer may be NULL if the size is 0. Text that comes
 * out has a size too, since it may hold zeros, and a zero behind it only where that is said.
 *
 * Structs begin with their size, which the caller sets to sizeof. Fields that are 0 have their default, so that an
 * initializer names what it wants: {.size = sizeof(hclvm_limits), .max_fuel = 1000}. Later versions add fields at the
 * end, and know by the size which ones a program has. Structs without a size stay as they are.
 *
 * Ownership. What hclvm_X_new and hclvm_compile make, hclvm_X_free frees; NULL is fine there. Handles may be freed in
 * any order: a program keeps its functions, an evaluator its program. Only values point into memory of somebody else.
 *
 * Threads. Programs, errors and functions may be used by many threads at a time; an evaluator or a heap by one. Any
 * thread may set a cancel.
 *
 * Limits are those of docs/limits.md. Crossing one is the status HCLVM_LIMIT, and the error names it.
 *
 * Tested by bindings/c/c_test.cc, whole_test.cc and hostile_test.cc there, and by examples/c_consumer/decide.c.
 */

#ifndef HCLVM_BINDINGS_C_HCLVM_H_
#define HCLVM_BINDINGS_C_HCLVM_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, and the number that the name of the shared library has: libhclvm_c.so.1. A program goes
 * on working with each later library of that number. */
#define HCLVM_VERSION "0.1.0"
#define HCLVM_ABI_VERSION 1

/* The version of the library that is linked, as HCLVM_VERSION. Lives until the process ends. */
const char* hclvm_version(void);

/* As a size: the text ends with a zero. */
#define HCLVM_TERMINATED SIZE_MAX

/* ---- Statuses and errors ---- */

typedef int32_t hclvm_status;
enum {
  HCLVM_OK = 0,
  HCLVM_INVALID = 1,   /* what was given as input is wrong: a config, an expression, variables, a JSON text */
  HCLVM_LIMIT = 2,     /* a limit was crossed, or the work was cancelled or took too long */
  HCLVM_ARGUMENT = 3,  /* the call is wrong: a null, a size, a number that stands for nothing, text that is not UTF-8 */
  HCLVM_KIND = 4,      /* the value is of a kind that the function is not for, or out of the result's range */
  HCLVM_NOT_FOUND = 5, /* there is nothing of that name or index */
  HCLVM_MEMORY = 6     /* the system refuses memory; all handles can be used as before */
};

/* What a status means, in English. Lives until the process ends. */
const char* hclvm_status_text(hclvm_status status);

/* What went wrong: one diagnostic at least. Immutable. */
typedef struct hclvm_error hclvm_error;

/* The status that came with it; HCLVM_OK for NULL and for warnings. */
hclvm_status hclvm_error_status(const hclvm_error* error);

/* All of it as text for people, with the lines of the input that it is about, or as JSON, an array with an object for
 * each diagnostic as docs/cli.md has them. Both end with a zero and live as long as the error. Empty for NULL. */
const char* hclvm_error_text(const hclvm_error* error);
const char* hclvm_error_json(const hclvm_error* error);

/* How many diagnostics it has; 0 for NULL. */
size_t hclvm_error_count(const hclvm_error* error);

/* A place in a text: line and column from 1, columns in characters as people count them, bytes from 0. */
typedef struct hclvm_position {
  uint32_t line, column, byte;
} hclvm_position;

/* From the first character to behind the last. No place: line 0. */
typedef struct hclvm_range {
  hclvm_position start, end;
} hclvm_range;

/* One diagnostic. Texts end with a zero, and live as long as the error; a zero in a text of the input is shown as
 * U+FFFD.
 */
typedef struct hclvm_diagnostic {
  size_t size;
  int32_t code;          /* as docs/diagnostics.md lists them: 4301; 0 for what is not about input */
  int32_t is_warning;    /* 1 or 0 */
  int32_t is_limit;      /* 1 or 0 */
  const char* code_text; /* "HCL4301"; "" for 0 */
  const char* summary;   /* "Unsupported attribute" */
  const char* detail;    /* sentences */
  const char* source;    /* the name of the text that the ranges are in; "" when there are none */
  hclvm_range subject;   /* what it is about */
  hclvm_range context;   /* a wider range that helps to read it */
} hclvm_diagnostic;

/* Fills in *diagnostic, of which the caller has set the size. HCLVM_NOT_FOUND past the last one. */
hclvm_status hclvm_error_get(const hclvm_error* error, size_t index, hclvm_diagnostic* diagnostic);

void hclvm_error_free(hclvm_error* error);

/* Frees text that a function has given to the caller. */
void hclvm_free(char* text);

/* ---- Limits and cancelling ---- */

/* A flag by which a host stops work that is under way. */
typedef struct hclvm_cancel hclvm_cancel;
hclvm_status hclvm_cancel_new(hclvm_cancel** cancel);
/* Stops the work that looks at the flag, within about a millisecond, and all further work until the flag is cleared.
 * From any thread, and from a signal handler. */
hclvm_status hclvm_cancel_set(hclvm_cancel* cancel);
hclvm_status hclvm_cancel_clear(hclvm_cancel* cancel);
/* What looks at it keeps it for itself. */
void hclvm_cancel_free(hclvm_cancel* cancel);

/* Bounds. A field that is 0 has its default, which may be another one with each version. */
typedef struct hclvm_limits {
  size_t size;
  uint64_t max_source_bytes;   /* of one text to compile */
  uint64_t max_nesting_depth;  /* levels of nested syntax and values; far more than the default need more stack */
  uint64_t max_diagnostics;    /* kept of one compilation or evaluation */
  uint64_t max_fuel;           /* units of work of one evaluation */
  uint64_t max_result_bytes;   /* that one evaluation allocates, or that a heap holds */
  uint64_t max_number_digits;  /* of a number written out */
  uint64_t max_compile_fuel;   /* units of work for constants of one compilation */
  uint64_t max_prepared_bytes; /* that one program keeps for arguments of its calls */
  uint64_t max_output_bytes;   /* of one JSON text or formatted config */
  uint64_t timeout_ms;         /* for each call that compiles, runs, reads or writes; 0: none */
  const hclvm_cancel* cancel;  /* for the same; NULL: none */
} hclvm_limits;

/* ---- Compiling ---- */

typedef struct hclvm_functions hclvm_functions; /* see below */

/* What is compiled. */
enum {
  HCLVM_CONFIG = 0,          /* a config in the native syntax: its value is an object, its attributes are entries */
  HCLVM_EXPRESSION = 1,      /* an expression */
  HCLVM_TEMPLATE = 2,        /* a template: text with ${...} */
  HCLVM_JSON_CONFIG = 3,     /* a config in the JSON syntax */
  HCLVM_JSON_EXPRESSION = 4, /* an expression in the JSON syntax */
  HCLVM_MODULE = 5           /* a file of a module in the native syntax, which declares its variables */
};

/* Which text decides where the specification and HashiCorp's implementation differ. */
enum { HCLVM_SPEC = 0, HCLVM_HASHICORP = 1 };

typedef struct hclvm_compile_options {
  size_t size;
  int32_t form;                     /* HCLVM_CONFIG, ... */
  int32_t dialect;                  /* HCLVM_SPEC, HCLVM_HASHICORP */
  const char* name;                 /* of the text, for diagnostics; ends with a zero; NULL: "<input>" */
  uint32_t first_line;              /* the number of its first line; 0: 1 */
  const hclvm_functions* functions; /* that it may call; NULL: the whole function library */
  const hclvm_limits* limits;       /* NULL: the defaults */
} hclvm_compile_options;

/* A compiled text. Immutable. */
typedef struct hclvm_program hclvm_program;

/* Compiles `text`. `options` may be NULL: a config, and all defaults. */
hclvm_status hclvm_compile(const char* text, size_t size, const hclvm_compile_options* options, hclvm_program** program,
                           hclvm_error** error);
void hclvm_program_free(hclvm_program* program);

/* A file of a module. The name is for diagnostics, and ends with a zero; one that ends in ".json" says that the text is
 * in the JSON syntax. The text is as for hclvm_compile(). */
typedef struct hclvm_file {
  const char* name;
  const char* text;
  size_t size;
} hclvm_file;

/* Compiles the files of a module together, in their order. Of `options`, which may be NULL, form, name and first_line
 * are not looked at. */
hclvm_status hclvm_compile_module(const hclvm_file* files, size_t count, const hclvm_compile_options* options,
                                  hclvm_program** program, hclvm_error** error);
/* The same of a directory, whose path ends with a zero: its *.hcl and *.hcl.json, in the order of their names. */
hclvm_status hclvm_compile_directory(const char* path, const hclvm_compile_options* options, hclvm_program** program,
                                     hclvm_error** error);

/* Looks for what is wrong with a module before it runs, as `hclvm check` does. *found are the findings, for the caller
 * to free, and NULL if there are none; warnings alone are HCLVM_OK. With `strict`, warnings are errors. */
hclvm_status hclvm_check_module(const hclvm_file* files, size_t count, const hclvm_compile_options* options, int strict,
                                hclvm_error** found);

/* What is probably a mistake; NULL if nothing. Lives as long as the program, which frees it. */
const hclvm_error* hclvm_program_warnings(const hclvm_program* program);

/* The variables that it reads, and the entries, which are the attributes of a config, each with its path
 * ("policy.admin.allow"). A name lives as long as the program; NULL past the last one. `size` may not be NULL. */
size_t hclvm_program_variable_count(const hclvm_program* program);
const char* hclvm_program_variable(const hclvm_program* program, size_t index, size_t* size);
size_t hclvm_program_entry_count(const hclvm_program* program);
const char* hclvm_program_entry(const hclvm_program* program, size_t index, size_t* size);
hclvm_status hclvm_program_find_entry(const hclvm_program* program, const char* path, size_t size, size_t* index);

/* ---- Values ---- */

/* Where values live that a host makes: until the heap is reset or freed. */
typedef struct hclvm_heap hclvm_heap;
hclvm_status hclvm_heap_new(const hclvm_limits* limits, hclvm_heap** heap, hclvm_error** error);
/* Forgets all values, and keeps the memory for new ones. HCLVM_ARGUMENT for the heap of a call. */
hclvm_status hclvm_heap_reset(hclvm_heap* heap);
void hclvm_heap_free(hclvm_heap* heap);

/* A value. Immutable. Lives as long as what it came from says: a heap, or the result of a run. */
typedef struct hclvm_value hclvm_value;

typedef int32_t hclvm_kind;
enum {
  HCLVM_NONE = 0, /* NULL is no value */
  HCLVM_NULL = 1,
  HCLVM_UNKNOWN = 2,
  HCLVM_BOOL = 3,
  HCLVM_NUMBER = 4,
  HCLVM_STRING = 5,
  HCLVM_TUPLE = 6,
  HCLVM_LIST = 7,
  HCLVM_SET = 8,
  HCLVM_OBJECT = 9,
  HCLVM_MAP = 10,
  HCLVM_CAPSULE = 11, /* a value of a type that a C++ host has defined */
  HCLVM_MARKED = 12   /* a value under marks, such as that of the function sensitive */
};
hclvm_kind hclvm_value_kind(const hclvm_value* value);

/* The value without the marks on it; itself if there are none. Marks within it stay. NULL for NULL. */
const hclvm_value* hclvm_value_unmarked(const hclvm_value* value);

/* Each reads a value of its kind, and is HCLVM_KIND for others. An int64 is read of a whole number in its range, a
 * double of every number: the nearest. A string has no zero behind it. */
hclvm_status hclvm_value_bool(const hclvm_value* value, int* result);
hclvm_status hclvm_value_int64(const hclvm_value* value, int64_t* result);
hclvm_status hclvm_value_double(const hclvm_value* value, double* result);
hclvm_status hclvm_value_string(const hclvm_value* value, const char** text, size_t* size);
/* All digits of a number: "-12.5", "Inf". Ends with a zero; hclvm_free() frees it. HCLVM_LIMIT for more digits than the
 * default of max_number_digits. */
hclvm_status hclvm_value_number_text(const hclvm_value* value, char** text, size_t* size);

/* Tuples, lists, sets, objects and maps: how many elements there are, the element at an index, and for objects and
 * maps, whose elements are in the order of keys, the key there, and the element of a key. */
hclvm_status hclvm_value_size(const hclvm_value* value, size_t* size);
hclvm_status hclvm_value_element(const hclvm_value* value, size_t index, const hclvm_value** element);
hclvm_status hclvm_value_key(const hclvm_value* value, size_t index, const char** key, size_t* size);
hclvm_status hclvm_value_get(const hclvm_value* value, const char* key, size_t size, const hclvm_value** element);

/* Each makes a value in `heap`, of values that live as long. HCLVM_LIMIT beyond max_result_bytes, max_nesting_depth or
 * max_number_digits; HCLVM_ARGUMENT for text that is not UTF-8, for NaN, and for text that is not a number (digits with
 * a sign, a fraction and an exponent, as JSON has them). Strings are normalized to NFC. */
hclvm_status hclvm_make_null(hclvm_heap* heap, const hclvm_value** value, hclvm_error** error);
hclvm_status hclvm_make_bool(hclvm_heap* heap, int truth, const hclvm_value** value, hclvm_error** error);
hclvm_status hclvm_make_int64(hclvm_heap* heap, int64_t number, const hclvm_value** value, hclvm_error** error);
hclvm_status hclvm_make_double(hclvm_heap* heap, double number, const hclvm_value** value, hclvm_error** error);
hclvm_status hclvm_make_number(hclvm_heap* heap, const char* digits, size_t size, const hclvm_value** value,
                               hclvm_error** error);
hclvm_status hclvm_make_string(hclvm_heap* heap, const char* text, size_t size, const hclvm_value** value,
                               hclvm_error** error);
hclvm_status hclvm_make_tuple(hclvm_heap* heap, const hclvm_value* const* elements, size_t count,
                              const hclvm_value** value, hclvm_error** error);
/* Of `count` keys, which end with a zero, and as many elements. A later key replaces an earlier one that is the same.
 */
hclvm_status hclvm_make_object(hclvm_heap* heap, const char* const* keys, const hclvm_value* const* elements,
                               size_t count, const hclvm_value** value, hclvm_error** error);
/* The unknown value of a type, which is written as HCL does: "any", "list(string)", "object({a = number})". */
hclvm_status hclvm_make_unknown(hclvm_heap* heap, const char* type, size_t size, const hclvm_value** value,
                                hclvm_error** error);
/* `value` converted to a type, as HCL converts: so lists, sets and maps are made of tuples and objects. HCLVM_INVALID
 * if it cannot be converted; HCLVM_ARGUMENT for text that is not a type. */
hclvm_status hclvm_convert(hclvm_heap* heap, const hclvm_value* value, const char* type, size_t size,
                           const hclvm_value** result, hclvm_error** error);
/* `value` under the mark "sensitive". */
hclvm_status hclvm_make_sensitive(hclvm_heap* heap, const hclvm_value* value, const hclvm_value** result,
                                  hclvm_error** error);
/* A copy of all of `value` that lives in `heap`. */
hclvm_status hclvm_copy(hclvm_heap* heap, const hclvm_value* value, const hclvm_value** result, hclvm_error** error);

/* ---- JSON ---- */

/* How JSON is read and written. */
enum {
  HCLVM_PLAIN_JSON = 0, /* objects, arrays (tuples), strings, numbers, bools, null */
  HCLVM_TYPED_JSON = 1  /* {"type": T, "value": V}, as docs/cli.md has it: every value but a capsule */
};

/* Makes a value in `heap` of a JSON text. */
hclvm_status hclvm_read_json(hclvm_heap* heap, const char* text, size_t size, int32_t form, const hclvm_value** value,
                             hclvm_error** error);

/* The value as JSON; the text ends with a zero, and hclvm_free() frees it. Marks are not written. HCLVM_INVALID for
 * what JSON cannot say: in plain JSON unknown values, infinities, capsules. `limits` may be NULL. */
hclvm_status hclvm_write_json(const hclvm_value* value, int32_t form, const hclvm_limits* limits, char** text,
                              size_t* size, hclvm_error** error);

/* ---- Evaluating ---- */

/* Runs one program, again and again, in memory that it keeps. */
typedef struct hclvm_evaluator hclvm_evaluator;

/* `limits` may be NULL. They count for each run. */
hclvm_status hclvm_evaluator_new(const hclvm_program* program, const hclvm_limits* limits, hclvm_evaluator** evaluator,
                                 hclvm_error** error);
void hclvm_evaluator_free(hclvm_evaluator* evaluator);

/* Gives a variable a value for the runs that follow; the value must live until then. HCLVM_NOT_FOUND if the program
 * reads no such variable. */
hclvm_status hclvm_evaluator_bind(hclvm_evaluator* evaluator, const char* name, size_t size, const hclvm_value* value);
/* Gives each variable the element of its name in an object or map, and takes all others away. */
hclvm_status hclvm_evaluator_bind_all(hclvm_evaluator* evaluator, const hclvm_value* object);
hclvm_status hclvm_evaluator_unbind_all(hclvm_evaluator* evaluator);

/* What is looked at before the runs that follow, of the variables of a module: all of all of them, unless `check_all`
 * is 0; otherwise what the text of the entry can read, as it is at first. */
hclvm_status hclvm_evaluator_set_check_all(hclvm_evaluator* evaluator, int check_all);

/* What names in the variables are that a module does not declare. */
enum {
  HCLVM_UNKNOWN_NEAR = 0,  /* a warning, where something that may be missing is, and such a name is nearly its own */
  HCLVM_UNKNOWN_ERROR = 1, /* an error */
  HCLVM_UNKNOWN_IGNORE = 2 /* nothing */
};
hclvm_status hclvm_evaluator_set_unknown_input(hclvm_evaluator* evaluator, int32_t unknown_input);
/* What the last run has to say of such names; NULL if nothing. Lives until the next run, and the evaluator frees it. */
const hclvm_error* hclvm_evaluator_warnings(const hclvm_evaluator* evaluator);

/* Replace hclvm_limits.timeout_ms and .cancel for the runs that follow. */
hclvm_status hclvm_evaluator_set_timeout(hclvm_evaluator* evaluator, uint64_t timeout_ms);
hclvm_status hclvm_evaluator_set_cancel(hclvm_evaluator* evaluator, const hclvm_cancel* cancel);

/* Evaluates the whole program, or one entry. The result lives until the next run or the end of the evaluator. Nothing
 * may be done with an evaluator that is running: a function of the host that tries to gets HCLVM_ARGUMENT. */
hclvm_status hclvm_evaluator_run(hclvm_evaluator* evaluator, const hclvm_value** result, hclvm_error** error);
hclvm_status hclvm_evaluator_run_entry(hclvm_evaluator* evaluator, size_t entry, const hclvm_value** result,
                                       hclvm_error** error);
/* The result of the last run, in which what is made of variables that a module declares as sensitive is HCLVM_MARKED:
 * for logs and screens. NULL after a run that has failed, and after hclvm_evaluator_run_json(). Lives as the result. */
const hclvm_value* hclvm_evaluator_marked_result(const hclvm_evaluator* evaluator);
/* The same with JSON: reads `scope`, an object of variables (no text: no variables), evaluates, and writes the result,
 * which lives until the next run and ends with a zero. All other variables are taken away before, and these afterwards.
 */
hclvm_status hclvm_evaluator_run_json(hclvm_evaluator* evaluator, const char* scope, size_t size, const char** result,
                                      size_t* result_size, hclvm_error** error);

/* Makes the value of a variable: in `heap`, which lives until the next run, or in memory of the host's that does. Any
 * other status than HCLVM_OK fails each reading of the variable, with *reason for people, which ends with a zero and is
 * needed until the body has returned; NULL: none. Must not use the evaluator, nor leave by longjmp. */
typedef hclvm_status (*hclvm_lazy_body)(hclvm_heap* heap, void* context, const hclvm_value** value,
                                        const char** reason);

/* Gives a variable a value for the runs that follow which `body` makes when it is first read: at most once in each run,
 * and only in a run that reads it. HCLVM_NOT_FOUND if the program reads no such variable. */
hclvm_status hclvm_evaluator_bind_lazy(hclvm_evaluator* evaluator, const char* name, size_t size, hclvm_lazy_body body,
                                       void* context);

/* Variables that many requests share: read, converted and validated once, for one program, and with them the locals
 * that depend on nothing else. Immutable. */
typedef struct hclvm_data hclvm_data;

/* Reads `json`, an object of variables. `replaceable` are `count` names, which end with a zero, of variables that a
 * request may give as well. `limits` may be NULL. */
hclvm_status hclvm_data_new(const hclvm_program* program, const char* json, size_t size, const char* const* replaceable,
                            size_t count, const hclvm_limits* limits, hclvm_data** data, hclvm_error** error);
/* What uses it keeps it. */
void hclvm_data_free(hclvm_data* data);

/* Puts data below what is bound for the runs that follow, and takes all variables away; NULL: none. HCLVM_ARGUMENT for
 * data of another program. */
hclvm_status hclvm_evaluator_bind_data(hclvm_evaluator* evaluator, const hclvm_data* data);

/* What of max_fuel the last run has left. */
hclvm_status hclvm_evaluator_fuel_left(const hclvm_evaluator* evaluator, uint64_t* fuel);

/* All at once, for a text that is evaluated once: compiles it, reads `scope`, evaluates, and writes the result, which
 * ends with a zero, and which hclvm_free() frees. `options` as for hclvm_compile(); the limits hold for each step. */
hclvm_status hclvm_evaluate_json(const char* text, size_t size, const hclvm_compile_options* options, const char* scope,
                                 size_t scope_size, char** result, size_t* result_size, hclvm_error** error);

/* ---- Decoding ---- */

/* Decodes a config by a spec file, as the program hcldec does (docs/hcldec.md), and writes the value as JSON, which
 * ends with a zero, and which hclvm_free() frees. `scope` is an object of variables (no text: none), which hide those
 * of the spec file. Of `options`, which may be NULL, form says whether the config is in the JSON syntax
 * (HCLVM_JSON_CONFIG); functions are those of the spec file; the dialect is HCLVM_HASHICORP without options. */
hclvm_status hclvm_decode_json(const char* spec, size_t spec_size, const char* config, size_t config_size,
                               const hclvm_compile_options* options, const char* scope, size_t scope_size,
                               char** result, size_t* result_size, hclvm_error** error);

/* ---- Lines of JSON ---- */

/* Takes lines of answers, each with a line end, of which it keeps nothing. Any other status than HCLVM_OK ends the run.
 * Called by one thread at a time, which may be another one than the caller's. */
typedef hclvm_status (*hclvm_lines_body)(void* context, const char* lines, size_t size);

typedef struct hclvm_lines_options {
  size_t size;
  const hclvm_limits* limits; /* for each line, timeout_ms too; NULL: the defaults */
  const hclvm_data* data;     /* below all lines; NULL: none */
  const size_t* entries;      /* what is evaluated; NULL: all of the program */
  size_t entry_count;
  uint32_t threads;      /* 0: one; at most 256 */
  int32_t form;          /* HCLVM_PLAIN_JSON, HCLVM_TYPED_JSON */
  int32_t check_all;     /* as hclvm_evaluator_set_check_all() has it */
  int32_t unknown_input; /* as hclvm_evaluator_set_unknown_input() has it */
} hclvm_lines_options;

typedef struct hclvm_lines_counts {
  uint64_t lines, errors, warnings; /* lines in all, and those with errors or warnings */
} hclvm_lines_counts;

/* Evaluates `program` for each line of `lines`, a JSON object of variables, and gives `body` a line for each, in their
 * order:
 * {"value": ...} or {"diagnostics": [...]}, as `hclvm run` writes them (docs/cli.md). A line that fails does not stop
 * the others, and is no failure of the call. `options`, `counts` may be NULL. */
hclvm_status hclvm_run_lines(const hclvm_program* program, const char* lines, size_t size,
                             const hclvm_lines_options* options, hclvm_lines_body body, void* context,
                             hclvm_lines_counts* counts, hclvm_error** error);

/* ---- Functions ---- */

/* Families of the function library, as docs/functions.md has them. */
enum {
  HCLVM_ALL_FUNCTIONS = 0,
  HCLVM_NUMERIC_FUNCTIONS = 1,
  HCLVM_STRING_FUNCTIONS = 2,
  HCLVM_COLLECTION_FUNCTIONS = 3,
  HCLVM_ENCODING_FUNCTIONS = 4,
  HCLVM_DATE_FUNCTIONS = 5,
  HCLVM_HASH_FUNCTIONS = 6,
  HCLVM_NETWORK_FUNCTIONS = 7,
  HCLVM_TYPE_FUNCTIONS = 8
};

/* A set of functions, empty at first. What is added counts for later compilations; a later function replaces an earlier
 * one of its name. */
hclvm_status hclvm_functions_new(hclvm_functions** functions, hclvm_error** error);
hclvm_status hclvm_functions_add_family(hclvm_functions* functions, int32_t family, hclvm_error** error);
void hclvm_functions_free(hclvm_functions* functions);

/* A call of a function of the host, while it lasts. */
typedef struct hclvm_call hclvm_call;

/* Computes *result of arguments that were converted to the parameters' types; the result is converted to the function's
 * type. It lives as long as the call's heap does (make it there), is an argument or a part of one, or lives as long as
 * the program. Any other status than HCLVM_OK is a failure, which hclvm_call_fail() explains. Called by every thread
 * that evaluates, and while compiling, if the arguments are constant and the function is pure. Must not leave by
 * longjmp. */
typedef hclvm_status (*hclvm_function_body)(hclvm_call* call, void* context, const hclvm_value* const* arguments,
                                            size_t count, const hclvm_value** result);

/* Otherwise a null argument is an error, and an unknown one makes the result unknown, both without a call. */
enum { HCLVM_ALLOW_NULL = 1, HCLVM_ALLOW_UNKNOWN = 2 };

typedef struct hclvm_parameter {
  const char* name; /* for messages */
  const char* type; /* as for hclvm_make_unknown(); NULL: "any" */
  uint32_t flags;   /* HCLVM_ALLOW_... */
} hclvm_parameter;

typedef struct hclvm_function {
  size_t size;
  const char* name; /* an identifier, or several with "::" between them; ends with a zero, as all texts here */
  const hclvm_parameter* parameters;
  size_t parameter_count;
  const hclvm_parameter* variadic; /* for any number of further arguments; NULL: there are none */
  const char* result_type;         /* NULL: "any" */
  int32_t is_impure; /* 1: equal arguments do not give equal results, so it is not called while compiling */
  hclvm_function_body body;
  void* context;               /* for the body */
  void (*free_context)(void*); /* called once, when nothing can call the body any more, from any thread; may be NULL */
} hclvm_function;

/* Adds a function of the host. After a failure the context still belongs to the caller. */
hclvm_status hclvm_functions_add(hclvm_functions* functions, const hclvm_function* function, hclvm_error** error);

/* Where the result is made. Lives as long as the call. */
hclvm_heap* hclvm_call_heap(hclvm_call* call);
/* Takes fuel for work that grows faster than arguments and result, a unit for about 64 bytes; HCLVM_LIMIT when there is
 * not enough, or when the work was cancelled: the body then returns at once. */
hclvm_status hclvm_call_charge(hclvm_call* call, uint64_t units);
/* Says why the call fails, of an argument (from 0) or, with -1, as a whole: a phrase such as "must be a port". Returns
 * HCLVM_INVALID, for the body to return. */
hclvm_status hclvm_call_fail(hclvm_call* call, int32_t argument, const char* message, size_t size);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HCLVM_BINDINGS_C_HCLVM_H_ */
