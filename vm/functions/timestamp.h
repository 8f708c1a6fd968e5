// Timestamp: a point in time and an offset from UTC, as RFC 3339 writes it; durations such as "1h30m".
//
// Tested by vm/functions/date_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_TIMESTAMP_H_
#define HCLVM_VM_FUNCTIONS_TIMESTAMP_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/time/civil_time.h"

namespace hcl::internal {

// Plain data.
struct Timestamp {
  absl::CivilSecond local;     // in its own offset; years 0 to 9999
  int32_t nanoseconds = 0;     // of the second, below 10^9
  int32_t offset_minutes = 0;  // east of UTC

  // Whole seconds since 1970 in UTC.
  int64_t UnixSeconds() const;
};

// Reads "2006-01-02T15:04:05.999Z" or, for Z, an offset such as "+01:30"; T and Z in upper case. False, with a phrase
// that says what is wrong, for anything else; leap seconds do not exist.
bool ParseTimestamp(std::string_view text, Timestamp* timestamp, std::string* reason);

// Reads a sequence of decimal numbers with units (h, m, s, ms, us, µs, ns), with a sign or none, or "0", as
// nanoseconds. False for anything else, and beyond 64 bits.
bool ParseDuration(std::string_view text, int64_t* nanoseconds);

// `timestamp` later by `nanoseconds`, in the same offset; false when that leaves the years 0 to 9999.
bool AddDuration(int64_t nanoseconds, Timestamp* timestamp);

// -1, 0 or 1: which is earlier.
int CompareTimestamps(const Timestamp& a, const Timestamp& b);

// As RFC 3339 has it, without fractions of seconds; an offset of zero as Z.
std::string FormatTimestamp(const Timestamp& timestamp);

// Formats by a sequence of verbs (letters), literals and 'quoted text'. False, with a phrase, for a malformed format.
bool FormatDate(std::string_view format, const Timestamp& timestamp, std::string* out, std::string* reason);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_TIMESTAMP_H_
