// Plain scalars of YAML. Tested by vm/functions/yaml_functions_test.cc.

#include "hclvm/vm/functions/yaml_scalar.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/timestamp.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

struct Word {
  std::string_view text;
  Value value;
};

// Words for null, bools and infinities.
std::optional<Value> ResolveWord(std::string_view text) {
  static const Word kWords[] = {
      {"", Value::Null()},
      {"~", Value::Null()},
      {"null", Value::Null()},
      {"true", Value::Bool(true)},
      {"yes", Value::Bool(true)},
      {"y", Value::Bool(true)},
      {"on", Value::Bool(true)},
      {"false", Value::Bool(false)},
      {"no", Value::Bool(false)},
      {"n", Value::Bool(false)},
      {"off", Value::Bool(false)},
      {".inf", Value::FromNumber(Number::Infinity(false))},
      {"+.inf", Value::FromNumber(Number::Infinity(false))},
      {"-.inf", Value::FromNumber(Number::Infinity(true))},
  };
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  // "null", "Null" and "NULL", but not "nULL": what follows the first letter is of one case, upper only with the first.
  const size_t first = text.find_first_not_of("+-.");
  bool all_lower = true;
  bool all_upper = true;
  for (size_t i = first; i < text.size(); ++i) {
    const bool is_upper = lower(text[i]) != text[i];
    if (i > first) all_lower &= !is_upper;
    all_upper &= is_upper;
  }
  if (!all_lower && !all_upper) return std::nullopt;
  constexpr size_t kLongest = 5;
  if (text.size() > kLongest) return std::nullopt;
  std::string lowered;
  for (char c : text) lowered.push_back(lower(c));
  for (const Word& word : kWords) {
    if (word.text == lowered) return word.value;
  }
  return std::nullopt;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// [-+]? (digits (. digits*)? | . digits) ([eE] [-+]? digits)?
bool IsDecimal(std::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at - begin;
  };
  const size_t whole = digits();
  size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = digits();
  }
  if (whole + fraction == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// The integers of YAML 1.2, in which underscores may separate digits: [-+]? (0x hex | 0o octal | decimal) digits.
bool IsInteger(std::string_view text) {
  if (text.empty() || text[0] == '_') return false;
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  const std::string_view prefix = text.substr(0, 2);
  const bool is_hex = prefix == "0x";
  const bool is_octal = prefix == "0o";
  if (is_hex || is_octal) text.remove_prefix(2);
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    if (c == '_') return true;
    if (is_hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return true;
    return c >= '0' && c <= (is_octal ? '7' : '9');
  });
}

// The digits after "0x" or "0o" as a number of at most 64 bits.
std::optional<uint64_t> ParseInBase(std::string_view digits, unsigned base) {
  if (digits.empty()) return std::nullopt;
  uint64_t number = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    if (number > (UINT64_MAX - digit) / base) return std::nullopt;
    number = number * base + digit;
  }
  return number;
}

// False for text that is no number; *failed when it looks like one, but is none that there is. `is_tagged`: a tag says
// that it is one, and then a fraction may have underscores too.
bool ResolveNumber(std::string_view text, bool is_tagged, Heap* heap, Value* value, bool* failed) {
  std::string plain(text);
  if (is_tagged || IsInteger(text)) plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  const bool is_negative = plain.substr(0, 1) == "-";
  const size_t sign = is_negative || plain.substr(0, 1) == "+" ? 1 : 0;
  const std::string prefix = plain.substr(sign, 2);
  if (IsInteger(text) && (prefix == "0x" || prefix == "0o")) {
    const std::optional<uint64_t> number =
        ParseInBase(std::string_view(plain).substr(sign + 2), prefix == "0x" ? 16 : 8);
    *failed = !number || (is_negative && *number > uint64_t{1} << 63);
    if (*failed) return true;
    const Number magnitude = Number::FromUint64(*number, heap->arena());
    *value = Value::FromNumber(is_negative ? Negate(magnitude, heap->arena()) : magnitude);
    return true;
  }
  if (!IsDecimal(plain)) {
    *failed = !plain.empty() && IsInteger(text);  // nothing but underscores
    return *failed;
  }
  NumberError error;
  const Number number = Number::Parse(plain, NumberSyntax::kReference, heap->limits(), heap->arena(), &error);
  *failed = error != NumberError::kNone;
  *value = Value::FromNumber(number);
  return true;
}

// Takes up to two digits from *text, and writes two to `out`. False where there are none.
bool TakeTwoDigits(std::string_view* text, std::string* out) {
  size_t count = 0;
  while (count < 2 && count < text->size() && IsDigit((*text)[count])) ++count;
  if (count == 0) return false;
  out->append(2 - count, '0').append(text->substr(0, count));
  text->remove_prefix(count);
  return true;
}

bool TakeCharacter(char wanted, std::string_view* text, std::string* out) {
  if (text->empty() || text->front() != wanted) return false;
  text->remove_prefix(1);
  out->push_back(wanted);
  return true;
}

// "2001-12-14", "2001-12-14 21:59:43" (in UTC), or a timestamp as in RFC 3339, also with a lower-case "t". But for the
// year, numbers may have one digit. The result has no fraction of a second, as the reference's has none.
bool ResolveTimestamp(std::string_view text, Heap* heap, Value* value) {
  constexpr size_t kYearSize = 4;
  if (text.size() <= kYearSize || !std::all_of(text.begin(), text.begin() + kYearSize, IsDigit)) return false;
  std::string full(text.substr(0, kYearSize));
  std::string_view rest = text.substr(kYearSize);
  if (!TakeCharacter('-', &rest, &full) || !TakeTwoDigits(&rest, &full)) return false;
  if (!TakeCharacter('-', &rest, &full) || !TakeTwoDigits(&rest, &full)) return false;
  if (rest.empty()) {
    full += "T00:00:00Z";
  } else {
    const char separator = rest.front();
    if (separator != 'T' && separator != 't' && separator != ' ') return false;
    rest.remove_prefix(1);
    full += 'T';
    if (!TakeTwoDigits(&rest, &full) || !TakeCharacter(':', &rest, &full) || !TakeTwoDigits(&rest, &full) ||
        !TakeCharacter(':', &rest, &full) || !TakeTwoDigits(&rest, &full)) {
      return false;
    }
    if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && IsDigit(rest[1])) {
      const auto* const end = std::find_if_not(rest.begin() + 1, rest.end(), IsDigit);
      rest.remove_prefix(static_cast<size_t>(end - rest.begin()));
    }
    if (separator == ' ') {
      if (!rest.empty()) return false;
      full += 'Z';
    } else {
      full.append(rest);
    }
  }
  Timestamp timestamp;
  std::string reason;
  if (!ParseTimestamp(full, &timestamp, &reason)) return false;
  *value = Value::String(TimestampText(timestamp).text(), heap->arena());
  return true;
}

}  // namespace

// A word, a timestamp or a number, whichever the text is. A tag allows only its own kind and makes anything else an
// error, while a scalar without a tag is text when nothing else fits. Not-a-number has no value here:
// information-model.md, "Primitive Types".
bool ResolveYamlScalar(std::string_view text, std::string_view tag, Heap* heap, Value* value, std::string* reason) {
  if (tag == "str" || tag == "binary") {
    *value = Value::String(IsKnownNfc(text) ? text : ToNfc(text), heap->arena());
    return true;
  }
  const bool any = tag.empty();
  bool failed = false;
  bool found = false;
  if (const std::optional<Value> word = ResolveWord(text)) {
    found = any || (tag == "null" && word->is_null()) || (tag == "bool" && word->is_bool()) ||
            (tag == "float" && word->is_number());
    if (found) *value = *word;
  }
  if (!found && (any || tag == "timestamp")) found = ResolveTimestamp(text, heap, value);
  if (!found && (any || tag == "int" || tag == "float")) found = ResolveNumber(text, !any, heap, value, &failed);
  if (failed || (any && (text == ".nan" || text == ".NaN" || text == ".NAN"))) {
    *reason = absl::StrCat("\"", ToAbsl(text.substr(0, 40)), "\" is beyond the numbers that there are");
    return false;
  }
  if (!found && any) {
    *value = Value::String(IsKnownNfc(text) ? text : ToNfc(text), heap->arena());
    return true;
  }
  if (!found) *reason = absl::StrCat("\"", ToAbsl(text.substr(0, 40)), "\" cannot be read as !!", ToAbsl(tag));
  return found;
}

}  // namespace hcl::internal
