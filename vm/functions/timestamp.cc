// Reading and comparing timestamps. Tested by vm/functions/date_functions_test.cc.

#include "hclvm/vm/functions/timestamp.h"

#include <cstddef>
#include <limits>

#include "absl/base/attributes.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/value/digits.h"

namespace hcl::internal {
namespace {

constexpr int64_t kNanosecondsInSecond = 1'000'000'000;
constexpr int64_t kSecondsInDay = 86'400;

// Days of the Gregorian calendar, carried back before its time as RFC 3339 does, are counted in eras of 400 years that
// begin on the first of March: leap days then stand at the ends of years, and eras are all of one length.
constexpr int kYearsInEra = 400;
constexpr int kDaysInEra = 146'097;
constexpr int kDaysFromEraTo1970 = 719'468;

int FloorDivide(int64_t x, int64_t y) { return static_cast<int>(x / y - (x % y < 0 ? 1 : 0)); }

// Days from 1970 to the date, which is in the years 0 to 9999. An era more than there are leaves nothing below zero,
// where divisions take longer.
int DaysTo(int year, int month, int day) {
  const auto from_march = static_cast<unsigned>(month > 2 ? month - 3 : month + 9);
  const auto years = static_cast<unsigned>(year + kYearsInEra - (month <= 2 ? 1 : 0));
  const unsigned day_of_year = (153 * from_march + 2) / 5 + static_cast<unsigned>(day) - 1;
  const unsigned days = years * 365 + years / 4 - years / 100 + years / kYearsInEra + day_of_year;
  return static_cast<int>(days) - kDaysInEra - kDaysFromEraTo1970;
}

int DaysIn(int year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool is_leap_month = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return is_leap_month ? 29 : kDays[month - 1];
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the parts of a timestamp from the front of a text. Reads from the front and says what was expected where:
// messages are made on failure only.
class TimestampReader {
 public:
  TimestampReader(std::string_view text, std::string* reason) : rest_(text), reason_(reason) {}

  bool AtEnd() const { return rest_.empty(); }
  char Peek() const { return rest_.empty() ? '\0' : rest_[0]; }
  void Skip() { rest_.remove_prefix(1); }

  // `digits` digits, as a number between `min` and `max`.
  bool Take(size_t digits, int min, int max, const char* what, int* value) {
    *value = 0;
    for (size_t i = 0; i < digits; ++i) {
      if (i >= rest_.size() || !IsDigit(rest_[i])) {
        return Fail([&] { return absl::StrCat(what, " of ", digits, " digits is required"); });
      }
      *value = *value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    if (*value < min || *value > max) return Fail([&] { return absl::StrCat(*value, " is out of range for ", what); });
    return true;
  }

  bool Take(char c) {
    if (Peek() != c) return Fail([&] { return absl::StrCat("\"", std::string(1, c), "\" is required"); });
    Skip();
    return true;
  }

  // Digits behind a point; those beyond nanoseconds are dropped.
  bool TakeFraction(int32_t* nanoseconds) {
    int32_t unit = kNanosecondsInSecond / 10;
    if (!IsDigit(Peek())) return Fail([] { return "a digit is required after the point"; });
    for (; IsDigit(Peek()); Skip()) {
      *nanoseconds += unit * (Peek() - '0');
      unit /= 10;
    }
    return true;
  }

  bool Fail(absl::FunctionRef<std::string()> expectation) {
    if (reason_ == nullptr) return false;
    const std::string expected = expectation();
    *reason_ = absl::StrCat("not a timestamp as in RFC 3339: ", expected);
    if (expected.find("required") == std::string::npos) return false;
    absl::StrAppend(reason_, rest_.empty() ? ", but the text ends" : absl::StrCat(" before \"", Excerpt(rest_), "\""));
    return false;
  }

 private:
  std::string_view rest_;
  std::string* reason_;
};

}  // namespace

// The inverse of DaysTo(): the formulas take the leap days off, and find the month by the lengths of March to January,
// of which five in a row are 153 days.
LocalTime LocalTimeOf(const Timestamp& timestamp) {
  const int64_t local = timestamp.seconds + int64_t{60} * timestamp.offset_minutes;
  const int days = FloorDivide(local, kSecondsInDay);
  const int second_of_day = static_cast<int>(local - days * kSecondsInDay);
  const int from_era = days + kDaysFromEraTo1970;
  const int era = FloorDivide(from_era, kDaysInEra);
  const int day_of_era = from_era - era * kDaysInEra;
  const int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / (kDaysInEra - 1)) / 365;
  const int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int from_march = (5 * day_of_year + 2) / 153;
  LocalTime time;
  time.day = day_of_year - (153 * from_march + 2) / 5 + 1;
  time.month = from_march < 10 ? from_march + 3 : from_march - 9;
  time.year = year_of_era + era * kYearsInEra + (time.month <= 2 ? 1 : 0);
  time.weekday = (days % 7 + 11) % 7;  // 1970 began on a Thursday
  time.hour = second_of_day / 3600;
  time.minute = second_of_day / 60 % 60;
  time.second = second_of_day % 60;
  return time;
}

namespace {

// The number that two digits are; 100 or more for anything else.
unsigned TwoDigits(const char* at) {
  const unsigned tens = static_cast<unsigned char>(at[0]) - unsigned{'0'};
  const unsigned ones = static_cast<unsigned char>(at[1]) - unsigned{'0'};
  return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}

// What makes a zero of the separator at that place of eight bytes, the first one lowest.
constexpr uint64_t ZeroFrom(char separator, int at) { return static_cast<uint64_t>(separator ^ '0') << 8 * at; }
// "2006-01-" and "02T15:04", read as 20060010 and 2015004.
constexpr uint64_t kDateFlips = ZeroFrom('-', 4) | ZeroFrom('-', 7);
constexpr uint64_t kTimeFlips = ZeroFrom('T', 2) | ZeroFrom(':', 5);

// What nearly all timestamps look like: without fractions, so that everything has its place. False for anything else,
// right or wrong.
bool ReadUsual(std::string_view text, Timestamp* timestamp) {
  constexpr size_t kInUtc = 20, kWithOffset = 25;  // bytes
  const char* const at = text.data();
  if (text.size() != kInUtc && text.size() != kWithOffset) return false;
  const uint64_t date_digits = LoadEight(at) ^ kDateFlips;
  const uint64_t time_digits = LoadEight(at + 8) ^ kTimeFlips;
  if (!AreEightDigits(date_digits) || !AreEightDigits(time_digits) || at[16] != ':') return false;
  // A wrong separator that looks like a digit makes what is behind it too large: 100 or more.
  const uint32_t date = ReadEightDigits(date_digits), time = ReadEightDigits(time_digits);
  if (date % 10 != 0) return false;
  const unsigned month = date / 10 % 1'000, day = time / 1'000'000, hour = time / 1'000 % 1'000, minute = time % 1'000,
                 second = TwoDigits(at + 17);
  if (hour > 23 || minute > 59 || second > 59) return false;
  const int year = static_cast<int>(date / 10'000);
  if (month < 1 || month > 12 || day < 1 || static_cast<int>(day) > DaysIn(year, static_cast<int>(month))) return false;
  int offset = 0;
  if (text.size() == kInUtc) {
    if (at[19] != 'Z') return false;
  } else {
    const unsigned hours = TwoDigits(at + 20), minutes = TwoDigits(at + 23);
    if ((at[19] != '+' && at[19] != '-') || at[22] != ':' || hours > 23 || minutes > 59) return false;
    offset = (at[19] == '-' ? -1 : 1) * static_cast<int>(hours * 60 + minutes);
  }
  const int64_t days = DaysTo(year, static_cast<int>(month), static_cast<int>(day));
  timestamp->seconds =
      days * kSecondsInDay + static_cast<int64_t>(hour * 3600 + minute * 60 + second) - int64_t{60} * offset;
  timestamp->nanoseconds = 0;
  timestamp->offset_minutes = offset;
  return true;
}

// Any timestamp, part by part. Out of line, as few are of other forms.
ABSL_ATTRIBUTE_NOINLINE bool ReadParts(std::string_view text, Timestamp* timestamp, std::string* reason) {
  TimestampReader reader(text, reason);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!reader.Take(4, 0, 9999, "a year", &year) || !reader.Take('-') || !reader.Take(2, 1, 12, "a month", &month) ||
      !reader.Take('-') || !reader.Take(2, 1, 31, "a day of the month", &day) || !reader.Take('T') ||
      !reader.Take(2, 0, 23, "an hour", &hour) || !reader.Take(':') || !reader.Take(2, 0, 59, "a minute", &minute) ||
      !reader.Take(':') || !reader.Take(2, 0, 59, "a second", &second)) {
    return false;
  }
  const int second_of_day = hour * 3600 + minute * 60 + second;
  if (day > DaysIn(year, month))
    return reader.Fail([&] { return absl::StrCat(day, " is out of range for a day of the month"); });
  timestamp->nanoseconds = 0;
  if (reader.Peek() == '.') {
    reader.Skip();
    if (!reader.TakeFraction(&timestamp->nanoseconds)) return false;
  }
  timestamp->offset_minutes = 0;
  const char sign = reader.Peek();
  if (sign == 'Z') {
    reader.Skip();
  } else if (sign == '+' || sign == '-') {
    reader.Skip();
    if (!reader.Take(2, 0, 23, "an offset's hour", &hour) || !reader.Take(':') ||
        !reader.Take(2, 0, 59, "an offset's minute", &minute)) {
      return false;
    }
    timestamp->offset_minutes = (sign == '-' ? -1 : 1) * (hour * 60 + minute);
  } else {
    return reader.Fail([] { return "\"Z\" or an offset from UTC is required"; });
  }
  timestamp->seconds =
      DaysTo(year, month, day) * kSecondsInDay + second_of_day - int64_t{60} * timestamp->offset_minutes;
  return reader.AtEnd() || reader.Fail([] { return "the end is required"; });
}

}  // namespace

// RFC 3339 is taken strictly (docs/functions.md): T and Z are in upper case, there is no leap second, and the offset
// must be there. absl::ParseTime takes more spellings, and does not keep the offset, which results are written in.
bool ParseTimestamp(std::string_view text, Timestamp* timestamp, std::string* reason) {
  return ReadUsual(text, timestamp) || ReadParts(text, timestamp, reason);
}

namespace {

// Nanoseconds in a unit; 0 for an unknown one.
int64_t UnitOf(std::string_view name) {
  if (name == "ns") return 1;
  if (name == "us" || name == "\u00b5s" || name == "\u03bcs") return 1'000;
  if (name == "ms") return 1'000'000;
  if (name == "s") return kNanosecondsInSecond;
  if (name == "m") return 60 * kNanosecondsInSecond;
  if (name == "h") return 3600 * kNanosecondsInSecond;
  return 0;
}

// Takes a number and its unit from the front of `*text`, as nanoseconds, which are below 2^63 + 2^62. Each step tests
// before it multiplies, since the text is not trusted; digits of a fraction that cannot matter are skipped.
bool TakeQuantity(std::string_view* text, uint64_t* nanoseconds) {
  constexpr uint64_t kMax = uint64_t{1} << 63;
  constexpr int64_t kMaxScale = 1'000'000'000'000'000;  // what follows is below a nanosecond in any unit
  uint64_t whole = 0;
  int64_t fraction = 0;
  int64_t scale = 1;
  size_t at = 0;
  size_t digits = 0;
  for (; at < text->size() && IsDigit((*text)[at]); ++at, ++digits) {
    if (whole > kMax / 10) return false;
    whole = whole * 10 + static_cast<uint64_t>((*text)[at] - '0');
  }
  if (at < text->size() && (*text)[at] == '.') {
    for (++at; at < text->size() && IsDigit((*text)[at]); ++at, ++digits) {
      if (scale == kMaxScale) continue;
      fraction = fraction * 10 + ((*text)[at] - '0');
      scale *= 10;
    }
  }
  size_t end = at;
  while (end < text->size() && !IsDigit((*text)[end]) && (*text)[end] != '.') ++end;
  const int64_t unit = UnitOf(text->substr(at, end - at));
  if (digits == 0 || unit == 0 || whole > kMax / static_cast<uint64_t>(unit)) return false;
  *nanoseconds =
      whole * static_cast<uint64_t>(unit) + static_cast<uint64_t>(static_cast<__int128>(fraction) * unit / scale);
  text->remove_prefix(end);
  return true;
}

}  // namespace

// The syntax is the reference's (Go's): one sign for the whole, then quantities with their units, or "0".
bool ParseDuration(std::string_view text, int64_t* nanoseconds) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  uint64_t total = 0;
  if (text == "0") text = {};
  while (!text.empty()) {
    uint64_t part = 0;
    if (!TakeQuantity(&text, &part)) return false;
    constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
    if (part > kMax || total > kMax - part) return false;
    total += part;
  }
  *nanoseconds = negative ? -static_cast<int64_t>(total) : static_cast<int64_t>(total);
  return true;
}

// Seconds and nanoseconds are added apart, because a fraction that is negative borrows a second.
bool AddDuration(int64_t nanoseconds, Timestamp* timestamp) {
  int64_t seconds = nanoseconds / kNanosecondsInSecond;
  int64_t rest = nanoseconds % kNanosecondsInSecond + timestamp->nanoseconds;
  if (rest < 0) {
    rest += kNanosecondsInSecond;
    --seconds;
  } else if (rest >= kNanosecondsInSecond) {
    rest -= kNanosecondsInSecond;
    ++seconds;
  }
  timestamp->seconds += seconds;
  timestamp->nanoseconds = static_cast<int32_t>(rest);
  // By the local clock, which begins the year earlier or later than UTC.
  static const int64_t begin = DaysTo(0, 1, 1) * kSecondsInDay, end = DaysTo(10'000, 1, 1) * kSecondsInDay;
  const int64_t local = timestamp->seconds + int64_t{60} * timestamp->offset_minutes;
  return local >= begin && local < end;
}

// Moments are compared in UTC, where an offset makes no difference.
int CompareTimestamps(const Timestamp& a, const Timestamp& b) {
  if (a.seconds != b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.nanoseconds == b.nanoseconds ? 0 : a.nanoseconds < b.nanoseconds ? -1 : 1;
}

}  // namespace hcl::internal
