// Plain scalars of YAML. Tested by vm/functions/yaml_functions_test.cc.

#include "hclvm/vm/functions/yaml_scalar.h"

#include <cstdint>
#include <optional>

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

// A number after "0x" or "0o" of at most 64 bits.
std::optional<uint64_t> ParsePrefixed(std::string_view text) {
  if (text.size() < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'o')) return std::nullopt;
  const unsigned base = text[1] == 'x' ? 16 : 8;
  uint64_t number = 0;
  for (char c : text.substr(2)) {
    unsigned digit = 99;
    if (IsDigit(c)) digit = static_cast<unsigned>(c - '0');
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) digit = static_cast<unsigned>((c | 0x20) - 'a') + 10;
    if (digit >= base || number > (UINT64_MAX - digit) / base) return std::nullopt;
    number = number * base + digit;
  }
  return number;
}

// False for text that is no number; *failed when it is one, but too large.
bool ResolveNumber(std::string_view text, Heap* heap, Value* value, bool* failed) {
  if (const std::optional<uint64_t> number = ParsePrefixed(text)) {
    *value = Value::FromNumber(Number::FromUint64(*number, heap->arena()));
    return true;
  }
  if (!IsDecimal(text)) return false;
  NumberError error;
  const Number number = Number::Parse(text, NumberSyntax::kReference, heap->limits(), heap->arena(), &error);
  *failed = error != NumberError::kNone;
  *value = Value::FromNumber(number);
  return true;
}

// "2001-12-14", "2001-12-14 21:59:43" (in UTC), or a timestamp as in RFC 3339.
bool ResolveTimestamp(std::string_view text, Heap* heap, Value* value) {
  constexpr size_t kDateSize = 10;
  if (text.size() < kDateSize || text[4] != '-') return false;
  std::string full(text);
  if (text.size() == kDateSize) full += "T00:00:00Z";
  if (text.size() > kDateSize && text[kDateSize] == ' ') {
    full[kDateSize] = 'T';
    full += "Z";
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
  if (!found && (any || tag == "int" || tag == "float")) found = ResolveNumber(text, heap, value, &failed);
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
