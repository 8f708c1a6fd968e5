// Limits, cancelling, and the arguments of calls. Tested by bindings/c/c_test.cc and bindings/c/hostile_test.cc.

#include "hclvm/base/limits.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "hclvm/base/unicode.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"

namespace hcl::internal {
namespace {

// A field of hclvm_limits: 0 leaves the default, and what is too large for the limit is the largest that there is.
template <typename Limit>
void SetLimit(uint64_t given, Limit* limit) {
  constexpr Limit kMost = static_cast<Limit>(-1);
  if (given != 0) *limit = given < kMost ? static_cast<Limit>(given) : kMost;
}

}  // namespace

// A timeout that ends beyond what the clock counts is none.
Interrupt Patience::Begin() const {
  constexpr uint64_t kYear = uint64_t{1000} * 3600 * 24 * 365;
  Interrupt interrupt;
  interrupt.cancel = cancel.get();
  if (timeout_ms != 0 && timeout_ms < 100 * kYear) {
    interrupt.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  }
  return interrupt;
}

bool ReadLimits(const hclvm_limits* given, HostLimits* limits, hclvm_error** error) {
  if (given == nullptr) return true;
  hclvm_limits fields;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): a pointer is the last field
  if (!ReadStruct(given, HCLVM_FIRST_SIZE(hclvm_limits, cancel), &fields)) {
    Fail(HCLVM_ARGUMENT, "The size of hclvm_limits is not that of any version.", error);
    return false;
  }
  SetLimit(fields.max_source_bytes, &limits->limits.max_source_bytes);
  SetLimit(fields.max_nesting_depth, &limits->limits.max_nesting_depth);
  SetLimit(fields.max_diagnostics, &limits->limits.max_diagnostics);
  SetLimit(fields.max_fuel, &limits->limits.max_fuel);
  SetLimit(fields.max_result_bytes, &limits->limits.max_result_bytes);
  SetLimit(fields.max_number_digits, &limits->limits.max_number_digits);
  SetLimit(fields.max_compile_fuel, &limits->limits.max_compile_fuel);
  SetLimit(fields.max_prepared_bytes, &limits->limits.max_prepared_bytes);
  SetLimit(fields.max_output_bytes, &limits->limits.max_output_bytes);
  limits->patience.timeout_ms = fields.timeout_ms;
  if (fields.cancel != nullptr) limits->patience.cancel = fields.cancel->flag;
  return true;
}

bool ReadText(const char* text, size_t size, const char* what, std::string_view* result, hclvm_error** error) {
  // No object is larger than this.
  constexpr size_t kMostBytes = PTRDIFF_MAX;
  if (text == nullptr ? size != 0 : (size != HCLVM_TERMINATED && size > kMostBytes)) {
    Fail(HCLVM_ARGUMENT, std::string(what) + (text == nullptr ? " is NULL." : " has an impossible size."), error);
    return false;
  }
  *result = text == nullptr            ? std::string_view()
            : size == HCLVM_TERMINATED ? std::string_view(text)
                                       : std::string_view(text, size);
  return true;
}

bool ReadUtf8(const char* text, size_t size, const char* what, std::string_view* result, hclvm_error** error) {
  if (!ReadText(text, size, what, result, error)) return false;
  const size_t invalid = FindInvalidUtf8(*result);
  if (invalid == std::string_view::npos) return true;
  Fail(HCLVM_ARGUMENT, std::string(what) + " is not UTF-8 at byte " + std::to_string(invalid) + ".", error);
  return false;
}

char* CopyText(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) {
#if defined(__cpp_exceptions)
    throw std::bad_alloc();
#else
    std::abort();
#endif
  }
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace hcl::internal

using hcl::internal::Guarded;

hclvm_status hclvm_cancel_new(hclvm_cancel** cancel) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    if (cancel == nullptr) return HCLVM_ARGUMENT;
    *cancel = nullptr;
    *cancel = new hclvm_cancel{std::make_shared<std::atomic<bool>>(false)};
    return HCLVM_OK;
  });
}

hclvm_status hclvm_cancel_set(hclvm_cancel* cancel) {
  if (cancel == nullptr) return HCLVM_ARGUMENT;
  cancel->flag->store(true, std::memory_order_relaxed);
  return HCLVM_OK;
}

hclvm_status hclvm_cancel_clear(hclvm_cancel* cancel) {
  if (cancel == nullptr) return HCLVM_ARGUMENT;
  cancel->flag->store(false, std::memory_order_relaxed);
  return HCLVM_OK;
}

void hclvm_cancel_free(hclvm_cancel* cancel) { delete cancel; }
