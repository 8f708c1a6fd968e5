// Evaluating. Tested by bindings/c/c_test.cc and bindings/c/hostile_test.cc.

#include "hclvm/vm/evaluator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

using hcl::internal::Fail;
using hcl::internal::Guarded;

struct hclvm_evaluator {
  hclvm_evaluator(std::shared_ptr<const hcl::Program> p, hcl::internal::HostLimits limits)
      : limits(limits.limits),
        patience(std::move(limits.patience)),
        scope_heap(nullptr, p->dialect(), limits.limits),
        evaluator(std::move(p), limits.limits) {}

  const hcl::Limits limits;
  hcl::internal::Patience patience;
  hcl::Heap scope_heap;                       // of the variables of hclvm_evaluator_run_json()
  hcl::JsonReader reader;                     // of the same
  std::string out;                            // its last result
  hcl::Evaluator evaluator;                   // behind the heap that it points into
  hcl::internal::ErrorPointer warnings;       // of the last run; null: none
  const hcl::Value* marked_result = nullptr;  // of the last run
  uint64_t fuel_left = 0;
  bool running = false;
};

namespace hcl::internal {
namespace {

// Marks an evaluator as running while it lives, so that a function of the host cannot get at what is in use.
class Running {
 public:
  explicit Running(hclvm_evaluator* evaluator) : evaluator_(evaluator) { evaluator_->running = true; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { evaluator_->running = false; }

 private:
  hclvm_evaluator* evaluator_;
};

bool IsFree(const hclvm_evaluator* evaluator, hclvm_error** error) {
  if (evaluator != nullptr && !evaluator->running) return true;
  Fail(HCLVM_ARGUMENT, evaluator == nullptr ? "The evaluator is NULL." : "The evaluator is running.", error);
  return false;
}

// Evaluates a chunk; null, and *status, after a failure.
const Value* RunChunk(hclvm_evaluator* evaluator, uint32_t chunk, const Interrupt& interrupt, hclvm_status* status,
                      hclvm_error** error) {
  evaluator->evaluator.set_interrupt(interrupt);
  evaluator->marked_result = nullptr;
  const Evaluation& evaluation = evaluator->evaluator.RunChunk(chunk);
  evaluator->fuel_left = evaluation.fuel_left();
  evaluator->warnings.reset();
  if (!evaluation.warnings().empty()) {
    evaluator->warnings = ErrorOf(HCLVM_OK, evaluation.warnings(), &evaluator->evaluator.program().source());
  }
  *status = HCLVM_OK;
  evaluator->marked_result = evaluation.ok() ? &evaluation.marked_value() : nullptr;
  if (evaluation.ok()) return &evaluation.value();
  *status = Fail(evaluation.diagnostics(), &evaluator->evaluator.program().source(), error);
  return nullptr;
}

hclvm_status RunForValue(hclvm_evaluator* evaluator, uint32_t chunk, const hclvm_value** result, hclvm_error** error) {
  const Running running(evaluator);
  hclvm_status status;
  const Value* value = RunChunk(evaluator, chunk, evaluator->patience.Begin(), &status, error);
  if (value != nullptr) *result = HandleOf(value);
  return status;
}

// Reads the scope, evaluates, and writes into evaluator->out. One deadline holds for all three. The variables are taken
// away at the end, however it comes, since their memory is used again.
hclvm_status RunForJson(hclvm_evaluator* evaluator, std::string_view scope, hclvm_error** error) {
  const Running running(evaluator);
  const Interrupt interrupt = evaluator->patience.Begin();
  evaluator->out.clear();
  evaluator->evaluator.UnbindAll();
  evaluator->scope_heap.Reset();
  evaluator->scope_heap.set_interrupt(interrupt);
  hclvm_status status = HCLVM_OK;
  if (!scope.empty()) {
    Value variables;
    status = ReadJsonText(&evaluator->reader, "<scope>", scope, false, &evaluator->scope_heap, &variables, error);
    if (status != HCLVM_OK) return status;
    if (!variables.is_object()) {
      return Fail(DiagnosticCode::kInvalidVariables, "A JSON object is expected: variable name to value.", "<scope>",
                  scope, 0, error);
    }
    evaluator->evaluator.BindAll(variables);
  }
  const Value* value = RunChunk(evaluator, evaluator->evaluator.program().main_chunk(), interrupt, &status, error);
  evaluator->evaluator.UnbindAll();
  evaluator->marked_result = nullptr;
  if (value == nullptr) return status;
  Limits limits = evaluator->limits;
  limits.interrupt = interrupt;
  return WriteJsonText(*value, false, limits, &evaluator->out, error);
}

// Calls the host, who is not trusted with what the machine relies on. One that is written in C++ may throw against the
// rules, which ends here.
absl::StatusOr<Value> CallLazy(const Limits& limits, hclvm_lazy_body body, void* context, LazyCall* call) {
  hclvm_heap heap{call->heap(), nullptr, {}};
  const hclvm_value* value = nullptr;
  const char* reason = nullptr;
  hclvm_status status = HCLVM_INVALID;
#if defined(__cpp_exceptions)
  try {
    status = body(&heap, context, &value, &reason);
  } catch (...) {
    return absl::UnknownError("the host threw an exception");
  }
#else
  status = body(&heap, context, &value, &reason);
#endif
  if (status != HCLVM_OK) {
    // What is not UTF-8 is replaced: this is told to people.
    if (reason != nullptr) return absl::UnknownError(ToNfc(std::string_view(reason).substr(0, kMaxMessageBytes)));
    return absl::UnknownError(hclvm_status_text(status));
  }
  if (value == nullptr) return absl::UnknownError("the host has given no value");
  if (ValueOf(value).depth() > limits.max_nesting_depth) {
    return absl::UnknownError("the value is nested too deeply (limit max_nesting_depth)");
  }
  return ValueOf(value);
}

}  // namespace
}  // namespace hcl::internal

hclvm_status hclvm_evaluator_new(const hclvm_program* program, const hclvm_limits* limits, hclvm_evaluator** evaluator,
                                 hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (evaluator == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the evaluator is NULL.", error);
    *evaluator = nullptr;
    if (program == nullptr) return Fail(HCLVM_ARGUMENT, "The program is NULL.", error);
    hcl::internal::HostLimits host;
    if (!hcl::internal::ReadLimits(limits, &host, error)) return HCLVM_ARGUMENT;
    *evaluator = new hclvm_evaluator(program->program, std::move(host));
    return HCLVM_OK;
  });
}

// One that is running is in use further up the stack, and stays.
void hclvm_evaluator_free(hclvm_evaluator* evaluator) {
  if (evaluator != nullptr && !evaluator->running) delete evaluator;
}

hclvm_status hclvm_evaluator_bind(hclvm_evaluator* evaluator, const char* name, size_t size, const hclvm_value* value) {
  std::string_view view;
  if (!hcl::internal::IsFree(evaluator, nullptr) || value == nullptr || name == nullptr ||
      !hcl::internal::ReadText(name, size, "", &view, nullptr)) {
    return HCLVM_ARGUMENT;
  }
  return evaluator->evaluator.Bind(view, hcl::internal::ValueOf(value)) ? HCLVM_OK : HCLVM_NOT_FOUND;
}

hclvm_status hclvm_evaluator_bind_all(hclvm_evaluator* evaluator, const hclvm_value* object) {
  if (!hcl::internal::IsFree(evaluator, nullptr) || object == nullptr) return HCLVM_ARGUMENT;
  if (!hcl::internal::ValueOf(object).is_mapping()) return HCLVM_KIND;
  evaluator->evaluator.BindAll(hcl::internal::ValueOf(object));
  return HCLVM_OK;
}

hclvm_status hclvm_evaluator_unbind_all(hclvm_evaluator* evaluator) {
  if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
  evaluator->evaluator.UnbindAll();
  return HCLVM_OK;
}

hclvm_status hclvm_evaluator_bind_lazy(hclvm_evaluator* evaluator, const char* name, size_t size, hclvm_lazy_body body,
                                       void* context) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    std::string_view view;
    if (!hcl::internal::IsFree(evaluator, nullptr) || body == nullptr || name == nullptr ||
        !hcl::internal::ReadText(name, size, "", &view, nullptr)) {
      return HCLVM_ARGUMENT;
    }
    const bool is_read = evaluator->evaluator.BindLazy(view, [evaluator, body, context](hcl::LazyCall* call) {
      return hcl::internal::CallLazy(evaluator->limits, body, context, call);
    });
    return is_read ? HCLVM_OK : HCLVM_NOT_FOUND;
  });
}

hclvm_status hclvm_evaluator_bind_data(hclvm_evaluator* evaluator, const hclvm_data* data) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
    if (data != nullptr && data->program.get() != &evaluator->evaluator.program()) return HCLVM_ARGUMENT;
    evaluator->evaluator.BindBase(data == nullptr ? nullptr : data->layer);
    return HCLVM_OK;
  });
}

hclvm_status hclvm_evaluator_set_check_all(hclvm_evaluator* evaluator, int check_all) {
  if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
  evaluator->evaluator.set_check_all(check_all != 0);
  return HCLVM_OK;
}

hclvm_status hclvm_evaluator_set_unknown_input(hclvm_evaluator* evaluator, int32_t unknown_input) {
  if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
  if (unknown_input < HCLVM_UNKNOWN_NEAR || unknown_input > HCLVM_UNKNOWN_IGNORE) return HCLVM_ARGUMENT;
  evaluator->evaluator.set_unknown_input(unknown_input == HCLVM_UNKNOWN_NEAR    ? hcl::UnknownInput::kNear
                                         : unknown_input == HCLVM_UNKNOWN_ERROR ? hcl::UnknownInput::kError
                                                                                : hcl::UnknownInput::kIgnore);
  return HCLVM_OK;
}

const hclvm_error* hclvm_evaluator_warnings(const hclvm_evaluator* evaluator) {
  return evaluator == nullptr || evaluator->running ? nullptr : evaluator->warnings.get();
}

const hclvm_value* hclvm_evaluator_marked_result(const hclvm_evaluator* evaluator) {
  if (evaluator == nullptr || evaluator->running || evaluator->marked_result == nullptr) return nullptr;
  return hcl::internal::HandleOf(evaluator->marked_result);
}

hclvm_status hclvm_evaluator_set_timeout(hclvm_evaluator* evaluator, uint64_t timeout_ms) {
  if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
  evaluator->patience.timeout_ms = timeout_ms;
  return HCLVM_OK;
}

hclvm_status hclvm_evaluator_set_cancel(hclvm_evaluator* evaluator, const hclvm_cancel* cancel) {
  if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
  evaluator->patience.cancel = cancel == nullptr ? nullptr : cancel->flag;
  return HCLVM_OK;
}

hclvm_status hclvm_evaluator_run(hclvm_evaluator* evaluator, const hclvm_value** result, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (result == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the result is NULL.", error);
    *result = nullptr;
    if (!hcl::internal::IsFree(evaluator, error)) return HCLVM_ARGUMENT;
    return hcl::internal::RunForValue(evaluator, evaluator->evaluator.program().main_chunk(), result, error);
  });
}

hclvm_status hclvm_evaluator_run_entry(hclvm_evaluator* evaluator, size_t entry, const hclvm_value** result,
                                       hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (result == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the result is NULL.", error);
    *result = nullptr;
    if (!hcl::internal::IsFree(evaluator, error)) return HCLVM_ARGUMENT;
    const auto entries = evaluator->evaluator.program().entries();
    if (entry >= entries.size()) return Fail(HCLVM_NOT_FOUND, "The program has no entry of this index.", error);
    return hcl::internal::RunForValue(evaluator, entries[entry].chunk, result, error);
  });
}

hclvm_status hclvm_evaluator_run_json(hclvm_evaluator* evaluator, const char* scope, size_t size, const char** result,
                                      size_t* result_size, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (result == nullptr || result_size == nullptr) {
      return Fail(HCLVM_ARGUMENT, "The place for the result is NULL.", error);
    }
    *result = nullptr;
    *result_size = 0;
    std::string_view view;
    if (!hcl::internal::IsFree(evaluator, error)) return HCLVM_ARGUMENT;
    if (!hcl::internal::ReadText(scope, size, "The scope", &view, error)) return HCLVM_ARGUMENT;
    const hclvm_status status = hcl::internal::RunForJson(evaluator, view, error);
    if (status != HCLVM_OK) return status;
    *result = evaluator->out.c_str();
    *result_size = evaluator->out.size();
    return HCLVM_OK;
  });
}

hclvm_status hclvm_evaluator_fuel_left(const hclvm_evaluator* evaluator, uint64_t* fuel) {
  if (fuel == nullptr) return HCLVM_ARGUMENT;
  *fuel = 0;
  if (!hcl::internal::IsFree(evaluator, nullptr)) return HCLVM_ARGUMENT;
  *fuel = evaluator->fuel_left;
  return HCLVM_OK;
}

namespace {

struct FreeProgram {
  void operator()(hclvm_program* program) const { hclvm_program_free(program); }
};

}  // namespace

hclvm_status hclvm_evaluate_json(const char* text, size_t size, const hclvm_compile_options* options, const char* scope,
                                 size_t scope_size, char** result, size_t* result_size, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (result == nullptr || result_size == nullptr) {
      return Fail(HCLVM_ARGUMENT, "The place for the result is NULL.", error);
    }
    *result = nullptr;
    *result_size = 0;
    std::string_view variables;
    if (!hcl::internal::ReadText(scope, scope_size, "The scope", &variables, error)) return HCLVM_ARGUMENT;
    hclvm_program* compiled = nullptr;
    hclvm_status status = hclvm_compile(text, size, options, &compiled, error);
    if (status != HCLVM_OK) return status;
    const std::unique_ptr<hclvm_program, FreeProgram> program(compiled);
    hcl::internal::HostLimits limits;
    if (options != nullptr && !hcl::internal::ReadLimits(options->limits, &limits, error)) return HCLVM_ARGUMENT;
    hclvm_evaluator evaluator(program->program, std::move(limits));
    status = hcl::internal::RunForJson(&evaluator, variables, error);
    if (status != HCLVM_OK) return status;
    *result = hcl::internal::CopyText(evaluator.out);
    *result_size = evaluator.out.size();
    return HCLVM_OK;
  });
}
