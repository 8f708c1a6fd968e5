// Writing timestamps. Tested by vm/functions/date_functions_test.cc.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "hclvm/vm/functions/timestamp.h"

namespace hcl::internal {
namespace {

char* WriteTwo(int number, char* at) {
  at[0] = static_cast<char>('0' + number / 10);
  at[1] = static_cast<char>('0' + number % 10);
  return at + 2;
}

// "+01:30" with ":" as separator; returns its end.
char* WriteOffset(int minutes, std::string_view separator, char* at) {
  const int absolute = minutes < 0 ? -minutes : minutes;
  *at++ = minutes < 0 ? '-' : '+';
  at = WriteTwo(absolute / 60, at);
  at += separator.copy(at, separator.size());
  return WriteTwo(absolute % 60, at);
}

void AppendOffset(int minutes, std::string_view separator, GrowingText* out) {
  char text[6];
  out->Append({text, static_cast<size_t>(WriteOffset(minutes, separator, text) - text)});
}

}  // namespace

TimestampText::TimestampText(const Timestamp& timestamp) {
  const LocalTime time = LocalTimeOf(timestamp);
  char* at = WriteTwo(time.year % 100, WriteTwo(time.year / 100, bytes_.data()));
  const auto write = [&at](char separator, int number) {
    *at = separator;
    at = WriteTwo(number, at + 1);
  };
  write('-', time.month);
  write('-', time.day);
  write('T', time.hour);
  write(':', time.minute);
  write(':', time.second);
  if (timestamp.offset_minutes == 0) {
    *at++ = 'Z';
  } else {
    at = WriteOffset(timestamp.offset_minutes, ":", at);
  }
  size_ = static_cast<size_t>(at - bytes_.data());
}

namespace {

constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};

constexpr const char* kWeekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

// One or two letters: a number of at least as many digits.
bool AppendNumber(int number, size_t letters, GrowingText* out) {
  if (letters > 2) return false;
  char text[2];
  WriteTwo(number, text);
  out->Append(letters == 2 || number > 9 ? std::string_view(text, 2) : std::string_view(text + 1, 1));
  return true;
}

// Three letters: the first three of the name; four: the name.
bool AppendName(std::string_view name, size_t letters, GrowingText* out) {
  if (letters != 3 && letters != 4) return false;
  out->Append(letters == 3 ? name.substr(0, 3) : name);
  return true;
}

bool AppendYear(int year, size_t letters, GrowingText* out) {
  if (letters != 2 && letters != 4) return false;
  char text[4];
  WriteTwo(year % 100, WriteTwo(year / 100, text));
  out->Append(letters == 4 ? std::string_view(text, 4) : std::string_view(text + 2, 2));
  return true;
}

bool AppendZone(int offset_minutes, size_t letters, GrowingText* out) {
  if (letters == 1 && offset_minutes == 0) {
    out->Append("Z");
  } else if (letters == 3 && offset_minutes == 0) {
    out->Append("UTC");
  } else if (letters == 3 || letters == 4) {
    AppendOffset(offset_minutes, "", out);
  } else if (letters == 1 || letters == 5) {
    AppendOffset(offset_minutes, ":", out);
  } else {
    return false;
  }
  return true;
}

// Appends what the verb, a letter repeated `letters` times, stands for; false when there is no such verb. The verbs are
// the reference's, which are letters and their repetition, not strftime's.
bool AppendVerb(char verb, size_t letters, const LocalTime& t, int offset_minutes, GrowingText* out) {
  switch (verb) {
    case 'Y':
      return AppendYear(t.year, letters, out);
    case 'M':
      return letters <= 2 ? AppendNumber(t.month, letters, out) : AppendName(kMonths[t.month - 1], letters, out);
    case 'D':
      return AppendNumber(t.day, letters, out);
    case 'E':
      return AppendName(kWeekdays[t.weekday], letters, out);
    case 'h':
      return AppendNumber(t.hour, letters, out);
    case 'H':
      return AppendNumber(t.hour % 12 == 0 ? 12 : t.hour % 12, letters, out);
    case 'A':
    case 'a':
      if (letters != 2) return false;
      out->Append(verb == 'A' ? (t.hour < 12 ? "AM" : "PM") : (t.hour < 12 ? "am" : "pm"));
      return true;
    case 'm':
      return AppendNumber(t.minute, letters, out);
    case 's':
      return AppendNumber(t.second, letters, out);
    case 'Z':
      return AppendZone(offset_minutes, letters, out);
    default:
      return false;
  }
}

// Appends the text in quotes that begins at `at`, where two quotes stand for one; the offset behind it, or npos when it
// is not closed.
size_t AppendQuoted(std::string_view format, size_t at, GrowingText* out) {
  if (format.substr(at, 2) == "''") {
    out->Append(1, '\'');
    return at + 2;
  }
  for (++at; at < format.size(); ++at) {
    if (format[at] != '\'') {
      out->Append(1, format[at]);
      continue;
    }
    if (at + 1 == format.size() || format[at + 1] != '\'') return at + 1;
    out->Append(1, format[++at]);
  }
  return std::string_view::npos;
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

// All letters are reserved for verbs, so that an unknown one is an error; other characters stand for themselves. A verb
// is the longest run of one letter.
bool FormatDate(std::string_view format, const Timestamp& timestamp, GrowingText* out, std::string* reason) {
  const LocalTime time = LocalTimeOf(timestamp);
  for (size_t at = 0; at < format.size();) {
    const char c = format[at];
    if (c == '\'') {
      at = AppendQuoted(format, at, out);
      if (at != std::string_view::npos) continue;
      *reason = "the quoted text in the format is not closed";
      return false;
    }
    if (!IsLetter(c)) {
      out->Append(1, c);
      ++at;
      continue;
    }
    size_t end = at;
    while (end < format.size() && format[end] == c) ++end;
    if (!AppendVerb(c, end - at, time, timestamp.offset_minutes, out)) {
      *reason = absl::StrCat("there is no verb \"", Excerpt(format.substr(at, end - at)), "\"");
      return false;
    }
    at = end;
  }
  return true;
}

}  // namespace hcl::internal
