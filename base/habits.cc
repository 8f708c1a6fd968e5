// Habits of other languages. Tested by base/habits_test.cc.

#include "hclvm/base/habits.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace hcl::internal {
namespace {

struct Habit {
  std::string_view name;  // in lower case
  std::string_view hint;
};

constexpr std::string_view kTrue = " Did you mean the keyword true?";
constexpr std::string_view kFalse = " Did you mean the keyword false?";
constexpr std::string_view kNull = " Did you mean the keyword null?";
constexpr std::string_view kInput = " Variables are read by their own names: user.name, and not input.user.name.";
constexpr std::string_view kLocals = " A local is read as local.NAME.";

constexpr Habit kVariables[] = {
    {"true", kTrue},   {"false", kFalse},   {"null", kNull},
    {"none", kNull},   {"nil", kNull},      {"undefined", kNull},
    {"input", kInput}, {"locals", kLocals}, {"vars", " A variable is read by its name alone, or as var.NAME."},
};

constexpr std::string_view kLength = " The number of elements is length(...).";
constexpr std::string_view kClock =
    " No function of the library reads the clock: have the host give the time as a variable.";
constexpr std::string_view kContains = " Whether a list has an element is asked with contains(list, value).";
constexpr std::string_view kIsNull = " Whether a value is null is asked with == null.";
constexpr std::string_view kLoop = " A list is made of another by [for x in list : x if condition].";

constexpr Habit kFunctions[] = {
    {"count", kLength},
    {"len", kLength},
    {"size", kLength},
    {"timestamp", kClock},
    {"plantimestamp", kClock},
    {"now", kClock},
    {"time", kClock},
    {"today", kClock},
    {"includes", kContains},
    {"in", kContains},
    {"isnull", kIsNull},
    {"is_null", kIsNull},
    {"filter", kLoop},
    {"any", " Whether one of a list is true is asked with anytrue(list)."},
    {"some", " Whether one of a list is true is asked with anytrue(list)."},
    {"all", " Whether all of a list are true is asked with alltrue(list)."},
    {"every", " Whether all of a list are true is asked with alltrue(list)."},
    {"if", " A value is chosen with condition ? a : b."},
    {"ifelse", " A value is chosen with condition ? a : b."},
    {"string", " A text is made by tostring(value)."},
    {"str", " A text is made by tostring(value)."},
    {"float", " A number is made by tonumber(value)."},
    {"number", " A number is made by tonumber(value)."},
    {"bool", " A bool is made by tobool(value)."},
    {"list", " A list is made by tolist(value), or written as [a, b]."},
    {"set", " A set is made by toset(list)."},
    {"map", " A map is made by tomap(value), or of a list by {for x in list : key => value}."},
    {"object", " An object is written as {name = value}."},
    {"file", " No function of the library reads files: have the host give the text as a variable."},
    {"getenv", " No function of the library reads the environment: have the host give a variable."},
    {"env", " No function of the library reads the environment: have the host give a variable."},
    {"uuid", " No function of the library is random: have the host give a variable."},
    {"random", " No function of the library is random: have the host give a variable."},
    {"print", " Nothing is printed: the value of an attribute is the result."},
    {"sprintf", " A text is put together by format(\"%s\", value)."},
    {"printf", " A text is put together by format(\"%s\", value)."},
    {"re_match", " Whether a text matches a pattern is asked with can(regex(pattern, text))."},
    {"matches", " Whether a text matches a pattern is asked with can(regex(pattern, text))."},
    {"match", " Whether a text matches a pattern is asked with can(regex(pattern, text))."},
};

constexpr std::string_view kNumber = " Did you mean number?";
constexpr std::string_view kString = " Did you mean string?";
constexpr std::string_view kList = " Did you mean list(string), or another type of the elements?";
constexpr std::string_view kMap = " Did you mean map(string), or another type of the elements?";
constexpr std::string_view kObject = " Did you mean object({name = string})?";

constexpr Habit kTypes[] = {
    {"int", kNumber},     {"integer", kNumber}, {"long", kNumber},
    {"uint", kNumber},    {"float", kNumber},   {"double", kNumber},
    {"decimal", kNumber}, {"num", kNumber},     {"str", kString},
    {"text", kString},    {"char", kString},    {"boolean", " Did you mean bool?"},
    {"array", kList},     {"vector", kList},    {"slice", kList},
    {"dict", kMap},       {"hash", kMap},       {"mapping", kMap},
    {"struct", kObject},  {"record", kObject},  {"dynamic", " Did you mean any?"},
};

constexpr std::string_view kLengths[] = {"length", "len", "size", "count"};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualsIgnoreCase(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() &&
         std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) { return Lower(x) == y; });
}

template <size_t kCount>
std::string_view HintIn(const Habit (&habits)[kCount], std::string_view name) {
  for (const Habit& habit : habits) {
    if (EqualsIgnoreCase(name, habit.name)) return habit.hint;
  }
  return "";
}

}  // namespace

std::string_view HintAtVariable(std::string_view name) { return HintIn(kVariables, name); }

std::string_view HintAtFunction(std::string_view name) { return HintIn(kFunctions, name); }

std::string_view HintAtType(std::string_view name) { return HintIn(kTypes, name); }

std::string HintAtAttribute(std::string_view name, std::string_view source, bool is_text) {
  const bool is_length = std::any_of(std::begin(kLengths), std::end(kLengths),
                                     [name](std::string_view length) { return EqualsIgnoreCase(name, length); });
  if (!is_length) return "";
  const bool is_code = !source.empty() && source.find(' ') == std::string_view::npos;
  std::string hint = is_text ? " The number of characters is strlen(" : " The number of elements is length(";
  return hint.append(is_code ? source : "...").append(").");
}

std::string_view HintAtOrOperand() {
  return " \"||\" gives true or false; coalesce(a, b) gives the first that is not null, try(a, b) the first without an "
         "error.";
}

}  // namespace hcl::internal
