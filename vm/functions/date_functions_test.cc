#include "hclvm/vm/functions/date_functions.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/functions/timestamp.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

TEST(DateFunctionsTest, FormatDate) {
  const struct {
    const char* format;
    const char* time;
    const char* want;
  } kRows[] = {
      {"YYYY-MM-DD'T'hh:mm:ssZ", "2018-01-02T23:12:01Z", "2018-01-02T23:12:01Z"},
      {"YY M D h m s", "2018-01-02T03:04:05Z", "18 1 2 3 4 5"},
      {"EEE EEEE MMM MMMM", "2018-01-02T23:12:01Z", "Tue Tuesday Jan January"},
      {"EEEE", "2000-02-29T00:00:00Z", "Tuesday"},
      {"H HH AA aa", "2018-01-02T00:12:01Z", "12 12 AM am"},
      {"H HH AA aa", "2018-01-02T12:12:01Z", "12 12 PM pm"},
      {"H HH AA aa", "2018-01-02T13:12:01Z", "1 01 PM pm"},
      {"Z|ZZZ|ZZZZ|ZZZZZ", "2018-01-02T23:12:01Z", "Z|UTC|+0000|+00:00"},
      {"Z|ZZZ|ZZZZ|ZZZZZ", "2018-01-02T23:12:01-08:30", "-08:30|-0830|-0830|-08:30"},
      {"Z|ZZZ", "2018-01-02T23:12:01+00:00", "Z|UTC"},
      {"YYYY", "0000-01-01T00:00:00Z", "0000"},
      {"YY'Y'''YY''", "2018-01-02T23:12:01Z", "18Y'18'"},
      {"'it''s' \u00e9 1/2", "2018-01-02T23:12:01Z", "it's \u00e9 1/2"},
      {"ss", "2018-01-02T23:12:59.999999999999Z", "59"},
      {"", "2018-01-02T23:12:01Z", ""},
  };
  for (const auto& row : kRows) {
    const std::string arguments = "[\"" + std::string(row.format) + "\", \"" + row.time + "\"]";
    EXPECT_EQ(CallForTest("formatdate", arguments), "\"string\" \"" + std::string(row.want) + "\"") << arguments;
  }
  for (const char* verb :
       {"Y", "YYY", "MMMMM", "DDD", "E", "EEEEE", "hhh", "HHH", "A", "aaa", "mmm", "sss", "ZZ", "x"}) {
    EXPECT_EQ(CallForTest("formatdate", "[\"" + std::string(verb) + "\", \"2018-01-02T23:12:01Z\"]"),
              "error in argument 0: there is no verb \"" + std::string(verb) + "\"");
  }
  for (const char* format : {"'", "'abc", "'abc''"}) {
    EXPECT_EQ(CallForTest("formatdate", "[\"" + std::string(format) + "\", \"2018-01-02T23:12:01Z\"]"),
              "error in argument 0: the quoted text in the format is not closed");
  }
}

TEST(DateFunctionsTest, MalformedTimestamps) {
  const struct {
    const char* time;
    const char* want;
  } kRows[] = {
      {"", "a year of 4 digits is required, but the text ends"},
      {"18-01-02T23:12:01Z", "a year of 4 digits is required before \\\"18-01-02T23:12:01Z\\\""},
      {"2018-13-02T23:12:01Z", "13 is out of range for a month"},
      {"2018-00-02T23:12:01Z", "0 is out of range for a month"},
      {"2018-02-29T23:12:01Z", "29 is out of range for a day of the month"},
      {"1900-02-29T23:12:01Z", "29 is out of range for a day of the month"},
      {"2018-04-31T23:12:01Z", "31 is out of range for a day of the month"},
      {"2018-01-02 23:12:01Z", "\\\"T\\\" is required before \\\" 23:12:01Z\\\""},
      {"2018-01-02T24:12:01Z", "24 is out of range for an hour"},
      {"2018-01-02T23:60:01Z", "60 is out of range for a minute"},
      {"2018-01-02T23:12:60Z", "60 is out of range for a second"},
      {"2018-01-02T23:12:01", "\\\"Z\\\" or an offset from UTC is required, but the text ends"},
      {"2018-01-02T23:12:01.Z", "a digit is required after the point before \\\"Z\\\""},
      {"2018-01-02T23:12:01+24:00", "24 is out of range for an offset's hour"},
      {"2018-01-02T23:12:01+01:60", "60 is out of range for an offset's minute"},
      {"2018-01-02T23:12:01+0100", "\\\":\\\" is required before \\\"00\\\""},
      {"2018-01-02T23:12:01Zx", "the end is required before \\\"x\\\""},
      {"2018-01-02T23:12:01z", "\\\"Z\\\" or an offset from UTC is required before \\\"z\\\""},
  };
  for (const auto& row : kRows) {
    std::string want = row.want;
    for (size_t at = want.find('\\'); at != std::string::npos; at = want.find('\\')) want.erase(at, 1);
    EXPECT_EQ(CallForTest("timeadd", "[\"" + std::string(row.time) + "\", \"1s\"]"),
              "error in argument 0: not a timestamp as in RFC 3339: " + want);
  }
}

// Timestamps of 20 and 25 bytes are read at once; with a fraction, one part after the other.
TEST(DateFunctionsTest, UsualTimestampsAreReadAsOthersAre) {
  const auto check = [](std::string text, size_t fraction_at) {
    internal::Timestamp got, want;
    const bool is_one = internal::ParseTimestamp(text, &got, nullptr);
    const std::string usual = text;
    text.insert(fraction_at, ".0");
    ASSERT_EQ(is_one, internal::ParseTimestamp(text, &want, nullptr)) << usual;
    if (!is_one) return;
    ASSERT_EQ(got.seconds, want.seconds) << usual;
    ASSERT_EQ(got.nanoseconds, 0);
    ASSERT_EQ(got.offset_minutes, want.offset_minutes) << usual;
  };
  for (const std::string base : {"2024-02-29T23:59:59Z", "1999-12-01T00:30:08+05:30", "0000-01-31T12:00:00-11:59"}) {
    check(base, 19);
    for (size_t at = 0; at < base.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = base;
        text[at] = static_cast<char>(byte);
        check(text, 19);
      }
    }
  }
}

// Constants are read once; what is wrong with them is reported all the same.
TEST(DateFunctionsTest, PreparedConstantsGiveWhatOthersGive) {
  constexpr const char* kTimes[] = {"2024-02-29T23:59:59Z", "2024-03-01T00:30:00.5+01:30", "9999-12-31T23:59:59Z",
                                    "no time", ""};
  constexpr const char* kDurations[] = {"1h", "-90m", "1.5s", "0", "one day", ""};
  const auto run = [](const Function& function, absl::Span<const Value> arguments, unsigned constants) {
    Heap heap;
    FunctionCall preparing(function, &heap);
    const Value* known[2] = {nullptr, nullptr};
    for (unsigned n = 0; n < 2; ++n) known[n] = (constants >> n & 1) != 0 ? &arguments[n] : nullptr;
    const Prepared prepared = constants != 0 ? function.prepare(&preparing, absl::MakeConstSpan(known)) : Prepared();
    EXPECT_FALSE(preparing.failed());
    Fuel fuel(1000);
    FunctionCall call(function, &heap, &fuel, prepared.state.get());
    const Value value = InvokeFunction(&call, arguments);
    const std::string left = absl::StrCat(" ", fuel.left());
    if (call.failed()) return absl::StrCat(call.argument(), " ", call.message(), left);
    return value.is_string() ? std::string(value.AsString()) + left : absl::StrCat(value.AsInt(), left);
  };
  for (const char* name : {"timecmp", "timeadd"}) {
    const Function& function = *StandardFunctions()->Find(name);
    const bool adds = function.name == "timeadd";
    for (const char* first : kTimes) {
      for (const char* second : adds ? absl::MakeConstSpan(kDurations) : absl::MakeConstSpan(kTimes)) {
        const Value arguments[] = {Value::StringView(first), Value::StringView(second)};
        const std::string want = run(function, arguments, 0);
        for (const unsigned constants : {1u, 2u, 3u}) {
          EXPECT_EQ(run(function, arguments, constants), want) << name << " " << first << " " << second;
        }
      }
    }
  }
}

// A calendar that counts days one by one.
TEST(DateFunctionsTest, DaysFollowEachOther) {
  const auto two = [](int number) {
    return std::string{static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
  };
  int64_t before = 0;
  bool has_before = false;
  const auto leap = [](int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); };
  const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int year = 0; year <= 9999; ++year) {
    for (int month = 1; month <= 12; ++month) {
      const int days = month == 2 && leap(year) ? 29 : lengths[month - 1];
      // The first and last days of months; all of them would take long.
      for (const int day : {1, days}) {
        internal::Timestamp got;
        ASSERT_TRUE(internal::ParseTimestamp(
            two(year / 100) + two(year % 100) + "-" + two(month) + "-" + two(day) + "T00:00:00Z", &got, nullptr));
        if (has_before) {
          ASSERT_EQ(got.seconds - before, (day == 1 ? 1 : days - 1) * 86400) << year << " " << month;
        }
        before = got.seconds;
        has_before = true;
        if (year == 1970 && month == 1 && day == 1) {
          ASSERT_EQ(before, 0);
        }
      }
      internal::Timestamp none;
      ASSERT_FALSE(internal::ParseTimestamp(
          two(year / 100) + two(year % 100) + "-" + two(month) + "-" + two(days + 1) + "T00:00:00Z", &none, nullptr));
    }
  }
}

TEST(DateFunctionsTest, TimeAdd) {
  const struct {
    const char* time;
    const char* duration;
    const char* want;
  } kRows[] = {
      {"2017-11-22T00:00:00Z", "10m", "2017-11-22T00:10:00Z"},
      {"2017-11-22T00:00:00Z", "-1h30m0.5s", "2017-11-21T22:29:59Z"},
      {"2017-11-22T00:00:00+01:00", "+24h", "2017-11-23T00:00:00+01:00"},
      {"2017-11-22T00:00:00.9Z", "100ms", "2017-11-22T00:00:01Z"},
      {"2017-11-22T00:00:00.9Z", "99999us999ns", "2017-11-22T00:00:00Z"},
      {"2017-11-22T00:00:00.1Z", "-200ms", "2017-11-21T23:59:59Z"},
      {"2000-02-28T23:59:59Z", "1s", "2000-02-29T00:00:00Z"},
      {"2017-11-22T00:00:00-00:00", "0", "2017-11-22T00:00:00Z"},
      {"2017-11-22T00:00:00Z", "1.5h.5m1.s", "2017-11-22T01:30:31Z"},
      {"2017-11-22T00:00:00Z", "1000000\u00b5s1000000\u03bcs", "2017-11-22T00:00:02Z"},
      {"2017-11-22T00:00:00Z", "9223372036854775807ns", "2310-03-03T23:47:16Z"},
      {"2017-11-22T00:00:00Z", "0.99999999999999999999s", "2017-11-22T00:00:00Z"},
  };
  for (const auto& row : kRows) {
    const std::string arguments = "[\"" + std::string(row.time) + "\", \"" + row.duration + "\"]";
    EXPECT_EQ(CallForTest("timeadd", arguments), "\"string\" \"" + std::string(row.want) + "\"") << arguments;
  }
  for (const char* duration : {"", "-", "1", "h", "1x", "1 h", ".s", "1h-1m", "9223372036854775808ns", "2562048h",
                               "99999999999999999999h", "2562047h2562047h"}) {
    EXPECT_EQ(CallForTest("timeadd", "[\"2017-11-22T00:00:00Z\", \"" + std::string(duration) + "\"]"),
              "error in argument 1: a duration is required: numbers with the units h, m, s, ms, us or ns, such as "
              "\"1h30m\" or \"-0.5s\"")
        << duration;
  }
  CheckFunctionCases({
      {"timeadd", R"(["9999-12-31T23:59:59Z", "1s"])", "error: the result is beyond the years 0 to 9999"},
      {"timeadd", R"(["0000-01-01T00:00:00Z", "-1ns"])", "error: the result is beyond the years 0 to 9999"},
      {"timeadd", R"([null, "1s"])", "error in argument 0: the argument must not be null"},
      {"timeadd", R"([{"type": "string", "value": {"$unknown": "string"}}, "1s"])",
       R"("string" {"$unknown":"string"})"},
  });
}

TEST(DateFunctionsTest, TimeCmp) {
  CheckFunctionCases({
      {"timecmp", R"(["2017-11-22T00:00:00Z", "2017-11-22T00:00:00Z"])", R"("number" 0)"},
      {"timecmp", R"(["2017-11-22T00:00:00Z", "2017-11-22T01:00:00+01:00"])", R"("number" 0)"},
      {"timecmp", R"(["2017-11-22T00:00:00Z", "2017-11-22T00:00:00-01:00"])", R"("number" -1)"},
      {"timecmp", R"(["2017-11-22T00:00:00.2Z", "2017-11-22T00:00:00.10Z"])", R"("number" 1)"},
      {"timecmp", R"(["2017-11-22T00:00:00.1Z", "2017-11-22T00:00:00.2Z"])", R"("number" -1)"},
      {"timecmp", R"(["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])", R"("number" -1)"},
      {"timecmp", R"(["2017-11-22T00:00:00Z", "now"])", "error in argument 1: not a timestamp as in RFC 3339: ..."},
  });
}

}  // namespace
}  // namespace hcl
