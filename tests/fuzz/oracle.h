// Oracles: what holds for every input, and how a target says that it does not.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_ORACLE_H_
#define HCLVM_TESTS_FUZZ_ORACLE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"

namespace hcl::fuzz {

// Writes "ORACLE: LAW" and the detail (its first kilobytes) to stderr, and aborts: a fuzzer keeps the input then.
[[noreturn]] void Violation(std::string_view law, std::string_view detail = {});

inline void Require(bool holds, std::string_view law, std::string_view detail = {}) {
  if (!holds) Violation(law, detail);
}

// One phase of work on `bytes` of input, from the constructor to the destructor. Its processor time is bounded: two
// seconds, which is much even for an instrumented build, and what is allowed for each byte. So is the most memory that
// it holds at a time beyond what there was, in builds with AddressSanitizer.
class Watch {
 public:
  Watch(const char* phase, size_t bytes);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  // More that the phase may take: for evaluations, which have limits of their own.
  void AllowSeconds(double seconds) { allowed_seconds_ += seconds; }
  void AllowBytes(uint64_t bytes) { allowed_bytes_ += bytes; }
  double seconds() const;

 private:
  const char* phase_;
  double start_;
  double allowed_seconds_;
  uint64_t allowed_bytes_;
  uint64_t bytes_before_;
};

// Work that took `seconds` was paid for with `fuel`: a unit is some nanoseconds, times what sanitizers cost.
void CheckFuel(std::string_view work, double seconds, uint64_t fuel);

// The default limits, but that the work stops after a while. Results that are cut short are no findings.
Limits StoppedLimits(size_t bytes);
// What StoppedLimits() allows.
double StopSeconds(size_t bytes);

// Each message has a summary and lies in its source, its texts are valid UTF-8, and it can be written in both forms.
// `source` as for ToText().
void CheckMessages(const Diagnostics& diagnostics, const Source& source);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_ORACLE_H_
