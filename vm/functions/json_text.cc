// JSON as the reference writes it. Tested by vm/functions/encoding_functions_test.cc.

#include "hclvm/vm/functions/json_text.h"

#include <cstdint>
#include <limits>
#include <string_view>

#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/json/json.h"

namespace hcl::internal {

// The size is computed before any of the text is made. What escapes add is not in it: they make a string at most six
// times as long.
uint64_t JsonTextBytes(const Value& value) {
  constexpr uint64_t kShort = 8;  // quotes, signs, separators; true, false, null
  if (value.is_string()) return value.AsString().size() + kShort;
  if (value.is_number()) return value.AsNumber().DigitCount() + kShort;
  uint64_t bytes = kShort;
  if (value.is_sequence()) {
    for (const Value& element : value.elements()) bytes += JsonTextBytes(element);
  } else if (value.is_mapping()) {
    for (uint32_t i = 0; i < value.size(); ++i)
      bytes += JsonTextBytes(value.shape().keys[i]) + JsonTextBytes(value.values()[i]);
  }
  return bytes;
}

// The reference's encoder (Go's) escapes these characters for JSON inside of HTML and JavaScript, and results have to
// be the same text.
bool AppendReferenceJson(FunctionCall* call, const Value& value, std::string* out, std::string* reason) {
  // A number of few bytes may have very many digits.
  const uint64_t bytes = JsonTextBytes(value);
  if (!CanMake(call, bytes, 1) || !call->Charge(4 + value.weight() / 4 + bytes / 4)) return false;
  Limits limits;
  limits.max_output_bytes = std::numeric_limits<uint64_t>::max();  // CanMake() has bounded it
  limits.interrupt = call->heap()->limits().interrupt;
  std::string plain;
  JsonError error;
  if (!AppendJson(value, limits, &plain, &error)) {
    *reason = error.detail;
    if (error.is_limit) call->Look();  // which reports it, if it is the host's wish to stop
    return false;
  }
  constexpr std::string_view kLineSeparator = "\u2028";
  constexpr std::string_view kParagraphSeparator = "\u2029";
  // These characters can stand in strings only, so the text can be searched without regard to its structure.
  Pace pace(call);
  for (size_t at = 0; at < plain.size();) {
    if (!pace.Step(1)) return false;
    const std::string_view rest = std::string_view(plain).substr(at, kLineSeparator.size());
    if (rest == kLineSeparator || rest == kParagraphSeparator) {
      out->append(rest == kLineSeparator ? "\\u2028" : "\\u2029");
      at += rest.size();
      continue;
    }
    switch (plain[at]) {
      case '<':
        out->append("\\u003c");
        break;
      case '>':
        out->append("\\u003e");
        break;
      case '&':
        out->append("\\u0026");
        break;
      default:
        out->push_back(plain[at]);
    }
    ++at;
  }
  return true;
}

}  // namespace hcl::internal
