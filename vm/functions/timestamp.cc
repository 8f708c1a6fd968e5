// Reading, comparing and writing timestamps. Tested by vm/functions/date_functions_test.cc.

#include "hclvm/vm/functions/timestamp.h"

#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"

namespace hcl::internal {
namespace {

constexpr int64_t kNanosecondsInSecond = 1'000'000'000;

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
        return Fail(absl::StrCat(what, " of ", digits, " digits is required"));
      }
      *value = *value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    if (*value < min || *value > max) return Fail(absl::StrCat(*value, " is out of range for ", what));
    return true;
  }

  bool Take(char c) {
    if (Peek() != c) return Fail(absl::StrCat("\"", std::string(1, c), "\" is required"));
    Skip();
    return true;
  }

  // Digits behind a point; those beyond nanoseconds are dropped.
  bool TakeFraction(int32_t* nanoseconds) {
    int32_t unit = kNanosecondsInSecond / 10;
    if (!IsDigit(Peek())) return Fail("a digit is required after the point");
    for (; IsDigit(Peek()); Skip()) {
      *nanoseconds += unit * (Peek() - '0');
      unit /= 10;
    }
    return true;
  }

  bool Fail(const std::string& expected) {
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

int64_t Timestamp::UnixSeconds() const { return (local - absl::CivilSecond()) - int64_t{60} * offset_minutes; }

// RFC 3339 is taken strictly (docs/functions.md): T and Z are in upper case, there is no leap second, and the offset
// must be there. absl::ParseTime takes more spellings, and does not keep the offset, which results are written in.
bool ParseTimestamp(std::string_view text, Timestamp* timestamp, std::string* reason) {
  TimestampReader reader(text, reason);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!reader.Take(4, 0, 9999, "a year", &year) || !reader.Take('-') || !reader.Take(2, 1, 12, "a month", &month) ||
      !reader.Take('-') || !reader.Take(2, 1, 31, "a day of the month", &day) || !reader.Take('T') ||
      !reader.Take(2, 0, 23, "an hour", &hour) || !reader.Take(':') || !reader.Take(2, 0, 59, "a minute", &minute) ||
      !reader.Take(':') || !reader.Take(2, 0, 59, "a second", &second)) {
    return false;
  }
  timestamp->local = absl::CivilSecond(year, month, day, hour, minute, second);
  // Civil time would take the 31st of April as the 1st of May.
  if (timestamp->local.day() != day) return reader.Fail(absl::StrCat(day, " is out of range for a day of the month"));
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
    return reader.Fail("\"Z\" or an offset from UTC is required");
  }
  return reader.AtEnd() || reader.Fail("the end is required");
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
  timestamp->local += seconds;
  timestamp->nanoseconds = static_cast<int32_t>(rest);
  return timestamp->local.year() >= 0 && timestamp->local.year() <= 9999;
}

// Moments are compared in UTC, where an offset makes no difference.
int CompareTimestamps(const Timestamp& a, const Timestamp& b) {
  const int64_t seconds = a.UnixSeconds() - b.UnixSeconds();
  if (seconds != 0) return seconds < 0 ? -1 : 1;
  return a.nanoseconds == b.nanoseconds ? 0 : a.nanoseconds < b.nanoseconds ? -1 : 1;
}

namespace {

// "+01:30" with ":" as separator.
std::string FormatOffset(int minutes, const char* separator) {
  const int absolute = minutes < 0 ? -minutes : minutes;
  return absl::StrFormat("%s%02d%s%02d", minutes < 0 ? "-" : "+", absolute / 60, separator, absolute % 60);
}

std::string FormatZ(int minutes) { return minutes == 0 ? "Z" : FormatOffset(minutes, ":"); }

}  // namespace

std::string FormatTimestamp(const Timestamp& t) {
  return absl::StrFormat("%04d-%02d-%02dT%02d:%02d:%02d%s", t.local.year(), t.local.month(), t.local.day(),
                         t.local.hour(), t.local.minute(), t.local.second(), FormatZ(t.offset_minutes));
}

namespace {

constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};

const char* NameOf(absl::Weekday day) {
  switch (day) {
    case absl::Weekday::monday:
      return "Monday";
    case absl::Weekday::tuesday:
      return "Tuesday";
    case absl::Weekday::wednesday:
      return "Wednesday";
    case absl::Weekday::thursday:
      return "Thursday";
    case absl::Weekday::friday:
      return "Friday";
    case absl::Weekday::saturday:
      return "Saturday";
    default:
      return "Sunday";
  }
}

// One or two letters: a number of at least as many digits.
bool AppendNumber(int number, size_t letters, std::string* out) {
  if (letters > 2) return false;
  absl::StrAppendFormat(out, "%0*d", static_cast<int>(letters), number);
  return true;
}

// Three letters: the first three of the name; four: the name.
bool AppendName(std::string_view name, size_t letters, std::string* out) {
  if (letters != 3 && letters != 4) return false;
  out->append(letters == 3 ? name.substr(0, 3) : name);
  return true;
}

bool AppendYear(int year, size_t letters, std::string* out) {
  if (letters != 2 && letters != 4) return false;
  absl::StrAppendFormat(out, "%0*d", static_cast<int>(letters), letters == 2 ? year % 100 : year);
  return true;
}

bool AppendZone(int offset_minutes, size_t letters, std::string* out) {
  if (letters == 1) {
    out->append(FormatZ(offset_minutes));
  } else if (letters == 3 && offset_minutes == 0) {
    out->append("UTC");
  } else if (letters == 3 || letters == 4) {
    out->append(FormatOffset(offset_minutes, ""));
  } else if (letters == 5) {
    out->append(FormatOffset(offset_minutes, ":"));
  } else {
    return false;
  }
  return true;
}

// Appends what the verb, a letter repeated `letters` times, stands for; false when there is no such verb. The verbs are
// the reference's, which are letters and their repetition, not strftime's.
bool AppendVerb(char verb, size_t letters, const Timestamp& t, std::string* out) {
  const int hour = t.local.hour();
  switch (verb) {
    case 'Y':
      return AppendYear(static_cast<int>(t.local.year()), letters, out);
    case 'M':
      return letters <= 2 ? AppendNumber(t.local.month(), letters, out)
                          : AppendName(kMonths[t.local.month() - 1], letters, out);
    case 'D':
      return AppendNumber(t.local.day(), letters, out);
    case 'E':
      return AppendName(NameOf(absl::GetWeekday(t.local)), letters, out);
    case 'h':
      return AppendNumber(hour, letters, out);
    case 'H':
      return AppendNumber(hour % 12 == 0 ? 12 : hour % 12, letters, out);
    case 'A':
    case 'a':
      if (letters != 2) return false;
      out->append(verb == 'A' ? (hour < 12 ? "AM" : "PM") : (hour < 12 ? "am" : "pm"));
      return true;
    case 'm':
      return AppendNumber(t.local.minute(), letters, out);
    case 's':
      return AppendNumber(t.local.second(), letters, out);
    case 'Z':
      return AppendZone(t.offset_minutes, letters, out);
    default:
      return false;
  }
}

// Appends the text in quotes that begins at `at`, where two quotes stand for one; the offset behind it, or npos when it
// is not closed.
size_t AppendQuoted(std::string_view format, size_t at, std::string* out) {
  if (format.substr(at, 2) == "''") {
    out->push_back('\'');
    return at + 2;
  }
  for (++at; at < format.size(); ++at) {
    if (format[at] != '\'') {
      out->push_back(format[at]);
      continue;
    }
    if (at + 1 == format.size() || format[at + 1] != '\'') return at + 1;
    out->push_back(format[++at]);
  }
  return std::string_view::npos;
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

// All letters are reserved for verbs, so that an unknown one is an error; other characters stand for themselves. A verb
// is the longest run of one letter.
bool FormatDate(std::string_view format, const Timestamp& timestamp, std::string* out, std::string* reason) {
  for (size_t at = 0; at < format.size();) {
    const char c = format[at];
    if (c == '\'') {
      at = AppendQuoted(format, at, out);
      if (at != std::string_view::npos) continue;
      *reason = "the quoted text in the format is not closed";
      return false;
    }
    if (!IsLetter(c)) {
      out->push_back(c);
      ++at;
      continue;
    }
    size_t end = at;
    while (end < format.size() && format[end] == c) ++end;
    if (!AppendVerb(c, end - at, timestamp, out)) {
      *reason = absl::StrCat("there is no verb \"", Excerpt(format.substr(at, end - at)), "\"");
      return false;
    }
    at = end;
  }
  return true;
}

}  // namespace hcl::internal
