// Oracles.

#include "hclvm/tests/fuzz/oracle.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "hclvm/base/unicode.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HCLVM_FUZZ_COUNTS_MEMORY
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace hcl::fuzz {
namespace {

constexpr double kSeconds = 2;
constexpr double kSecondsForByte = 20e-6;
constexpr uint64_t kBytes = 64 << 20;
constexpr uint64_t kBytesForByte = 2000;
// A unit may take 25 times what one of a plain loop takes (docs/limits.md), which is 2 to 5 ns; sanitizers and
// assertions make that ten times as much.
constexpr double kSecondsForUnit = 2e-6;
constexpr double kStopSeconds = 1;
constexpr double kStopSecondsForByte = 5e-6;
constexpr size_t kShownBytes = 4000;

// Of this thread alone, so that a busy machine is no finding.
double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

#ifdef HCLVM_FUZZ_COUNTS_MEMORY
uint64_t held_bytes = 0;
uint64_t most_bytes = 0;

// AddressSanitizer knows the sizes of blocks, so that none need to be kept here.
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, size_t bytes) {
      held_bytes += bytes;
      most_bytes = std::max(most_bytes, held_bytes);
    },
    [](const volatile void* block) {
      if (block != nullptr) held_bytes -= __sanitizer_get_allocated_size(block);
    });
#else
// Other builds run the same phases without this oracle.
const uint64_t held_bytes = 0;
uint64_t most_bytes = 0;
#endif

}  // namespace

void Violation(std::string_view law, std::string_view detail) {
  std::fprintf(stderr, "ORACLE: %.*s\n%.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(std::min(detail.size(), kShownBytes)), detail.data());
  std::abort();
}

Watch::Watch(const char* phase, size_t bytes)
    : phase_(phase),
      start_(Now()),
      allowed_seconds_(kSeconds + static_cast<double>(bytes) * kSecondsForByte),
      allowed_bytes_(kBytes + bytes * kBytesForByte),
      bytes_before_(held_bytes) {
  most_bytes = held_bytes;
}

Watch::~Watch() {
  const double taken = seconds();
  if (taken > allowed_seconds_) {
    Violation("time of " + std::string(phase_),
              std::to_string(taken) + " s, allowed are " + std::to_string(allowed_seconds_));
  }
  const uint64_t most = most_bytes > bytes_before_ ? most_bytes - bytes_before_ : 0;
  if (most > allowed_bytes_) {
    Violation("memory of " + std::string(phase_),
              std::to_string(most) + " bytes, allowed are " + std::to_string(allowed_bytes_));
  }
}

double Watch::seconds() const { return Now() - start_; }

void CheckFuel(std::string_view work, double seconds, uint64_t fuel) {
  if (seconds < kSeconds + static_cast<double>(fuel) * kSecondsForUnit) return;
  Violation("time for a unit of fuel of " + std::string(work),
            std::to_string(seconds) + " s for " + std::to_string(fuel) + " units");
}

double StopSeconds(size_t bytes) { return kStopSeconds + static_cast<double>(bytes) * kStopSecondsForByte; }

Limits StoppedLimits(size_t bytes) {
  Limits limits;
  limits.interrupt.deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                             std::chrono::duration<double>(StopSeconds(bytes)));
  return limits;
}

// A detail that is cut has an ellipsis behind it, hence the few bytes more. Text and JSON are made for the sake of the
// sanitizers.
void CheckMessages(const Diagnostics& diagnostics, const Source& source) {
  const Watch watch("writing messages", source.text().size());
  const auto valid = [](std::string_view text) {
    return internal::FindInvalidUtf8(text) == std::string_view::npos && text.size() <= kMaxMessageBytes + 16;
  };
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    const std::string json = ToJson(diagnostic, &source);
    Require(!diagnostic.summary.empty(), "a message has a summary", json);
    Require(valid(diagnostic.summary) && valid(diagnostic.detail), "messages are short and valid UTF-8", json);
    const size_t size = (diagnostic.source != nullptr ? *diagnostic.source : source).text().size();
    for (const auto& range : {diagnostic.subject, diagnostic.context}) {
      if (!range) continue;
      Require(range->begin <= range->end && range->end <= size, "a message lies in its source", json);
    }
    if (diagnostic.subject && diagnostic.context) {
      Require(
          diagnostic.context->begin <= diagnostic.subject->begin && diagnostic.subject->end <= diagnostic.context->end,
          "a context holds its subject", json);
    }
  }
  ToText(diagnostics, &source);
}

}  // namespace hcl::fuzz
