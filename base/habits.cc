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
constexpr std::string_view kElements = " Elements are taken one after the other by [for x in list : x].";
constexpr std::string_view kData = " Data that the host gives have names of their own: grants, and not data.grants.";
constexpr std::string_view kLocals = " A local is read as local.NAME.";

constexpr Habit kVariables[] = {
    {"true", kTrue},   {"false", kFalse},   {"null", kNull},
    {"none", kNull},   {"nil", kNull},      {"undefined", kNull},
    {"input", kInput}, {"locals", kLocals}, {"vars", " A variable is read by its name alone, or as var.NAME."},
    {"_", kElements},  {"each", kElements}, {"count", kElements},
    {"data", kData},
};

constexpr std::string_view kLength = " The number of elements is length(...).";
constexpr std::string_view kClock =
    " No function of the library reads the clock: have the host give the time as a variable.";
constexpr std::string_view kContains = " Whether a list has an element is asked with contains(list, value).";
constexpr std::string_view kIsNull = " Whether a value is null is asked with == null.";
constexpr std::string_view kThere =
    " Whether an attribute is there is asked with can(a.b); try(a.b, other) gives another value in its place.";
constexpr std::string_view kEmpty =
    " Whether a list or map is empty is asked with length(x) == 0, a text with x == \"\".";
constexpr std::string_view kMatch = " Whether a text matches a pattern is asked with can(regex(pattern, text)).";
constexpr std::string_view kType = " What type a value has is asked with type(value) == \"string\".";
constexpr std::string_view kAppend = " Lists are put together by concat(list, [value]).";
constexpr std::string_view kTime =
    " Times are texts as in RFC 3339: timecmp(a, b) compares them, timeadd(time, \"1h\") adds to one.";
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
    {"re_match", kMatch},
    {"regex_match", kMatch},
    {"regexmatch", kMatch},
    {"matches", kMatch},
    {"match", kMatch},
    {"has", kThere},
    {"hasattr", kThere},
    {"haskey", kThere},
    {"exists", kThere},
    {"defined", kThere},
    {"get", kThere},
    {"getattr", kThere},
    {"dig", kThere},
    {"default", kThere},
    {"ifnull", " coalesce(a, b) gives the first that is not null."},
    {"nvl", " coalesce(a, b) gives the first that is not null."},
    {"empty", kEmpty},
    {"isempty", kEmpty},
    {"is_empty", kEmpty},
    {"typeof", kType},
    {"isinstance", kType},
    {"is_string", kType},
    {"is_number", kType},
    {"is_bool", kType},
    {"is_boolean", kType},
    {"is_list", kType},
    {"is_array", kType},
    {"is_set", kType},
    {"is_map", kType},
    {"is_object", kType},
    {"append", kAppend},
    {"push", kAppend},
    {"date", kTime},
    {"datetime", kTime},
    {"duration", kTime},
    {"unique", " Elements that are there twice are left out by distinct(list)."},
    {"substring", " A part of a text is substr(text, offset, length)."},
};

constexpr std::string_view kPrefix = " Whether a text begins so is asked with startswith(text, prefix).";
constexpr std::string_view kSuffix = " Whether a text ends so is asked with endswith(text, suffix).";

constexpr Habit kMethods[] = {
    {"contains", " A list is searched by contains(list, value), a text by strcontains(text, part)."},
    {"includes", " A list is searched by contains(list, value), a text by strcontains(text, part)."},
    {"length", kLength},
    {"exists", " Whether one element fits is asked with anytrue([for x in list : x == 1])."},
    {"some", " Whether one element fits is asked with anytrue([for x in list : x == 1])."},
    {"any", " Whether one element fits is asked with anytrue([for x in list : x == 1])."},
    {"all", " Whether all elements fit is asked with alltrue([for x in list : x == 1])."},
    {"every", " Whether all elements fit is asked with alltrue([for x in list : x == 1])."},
    {"map", " A list is made of another by [for x in list : x.name]."},
    {"startswith", kPrefix},
    {"starts_with", kPrefix},
    {"endswith", kSuffix},
    {"ends_with", kSuffix},
    {"tolowercase", " Small letters are made by lower(text)."},
    {"touppercase", " Capital letters are made by upper(text)."},
    {"get", " lookup(map, key, other) gives an element, or another value in its place."},
};

constexpr std::string_view kNumber = " Did you mean number?";
constexpr std::string_view kString = " Did you mean string?";
constexpr std::string_view kList = " Did you mean list(string), or another type of the elements?";
constexpr std::string_view kMap = " Did you mean map(string), or another type of the elements?";
constexpr std::string_view kObject = " Did you mean object({name = string})?";

constexpr Habit kTypes[] = {
    {"int", kNumber},
    {"integer", kNumber},
    {"long", kNumber},
    {"uint", kNumber},
    {"float", kNumber},
    {"double", kNumber},
    {"decimal", kNumber},
    {"num", kNumber},
    {"str", kString},
    {"text", kString},
    {"char", kString},
    {"boolean", " Did you mean bool?"},
    {"array", kList},
    {"vector", kList},
    {"slice", kList},
    {"dict", kMap},
    {"hash", kMap},
    {"mapping", kMap},
    {"struct", kObject},
    {"record", kObject},
    {"dynamic", " Did you mean any?"},
    {"optional", " The type of an attribute that may be missing is optional(string)."},
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

// The usual methods of other languages that have another name here, or take their arguments in another order, come
// first.
std::string HintAtMethod(std::string_view name) {
  std::string_view hint = HintIn(kMethods, name);
  if (hint.empty()) hint = HintAtFunction(name);
  return std::string(" Only functions are called, and their names have no dots: f(value), not value.f().").append(hint);
}

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
