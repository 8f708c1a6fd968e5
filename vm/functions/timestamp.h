// Timestamp: a point in time and an offset from UTC, as RFC 3339 writes it; durations such as "1h30m".
//
// Tested by vm/functions/date_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_TIMESTAMP_H_
#define HCLVM_VM_FUNCTIONS_TIMESTAMP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/vm/functions/text_buffer.h"

namespace hcl::internal {

// Plain data.
struct Timestamp {
  int64_t seconds = 0;         // whole ones since 1970 in UTC
  int32_t nanoseconds = 0;     // of the second, below 10^9
  int32_t offset_minutes = 0;  // east of UTC
};

// What a clock and a calendar at its offset show.
struct LocalTime {
  int year;     // 0 to 9999 for what ParseTimestamp() and AddDuration() give
  int month;    // 1 to 12
  int day;      // 1 to 31
  int weekday;  // 0 to 6, from Sunday
  int hour, minute, second;
};
LocalTime LocalTimeOf(const Timestamp& timestamp);

// Reads "2006-01-02T15:04:05.999Z" or, for Z, an offset such as "+01:30"; T and Z in upper case. False, with a phrase
// that says what is wrong in *reason unless that is null, for anything else; leap seconds do not exist.
bool ParseTimestamp(std::string_view text, Timestamp* timestamp, std::string* reason);

// Reads a sequence of decimal numbers with units (h, m, s, ms, us, µs, ns), with a sign or none, or "0", as
// nanoseconds. False for anything else, and beyond 64 bits.
bool ParseDuration(std::string_view text, int64_t* nanoseconds);

// `timestamp` later by `nanoseconds`, in the same offset; false when that leaves the years 0 to 9999.
bool AddDuration(int64_t nanoseconds, Timestamp* timestamp);

// -1, 0 or 1: which is earlier.
int CompareTimestamps(const Timestamp& a, const Timestamp& b);

// As RFC 3339 has it, without fractions of seconds; an offset of zero as Z.
class TimestampText {
 public:
  explicit TimestampText(const Timestamp& timestamp);
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  static constexpr size_t kMaxBytes = 25;  // "2006-01-02T15:04:05+01:30"

  std::array<char, kMaxBytes> bytes_;
  size_t size_;
};

// Formats by a sequence of verbs (letters), literals and 'quoted text'. False, with a phrase, for a malformed format.
bool FormatDate(std::string_view format, const Timestamp& timestamp, GrowingText* out, std::string* reason);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_TIMESTAMP_H_
