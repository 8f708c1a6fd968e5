// Replacing text. Tested by vm/functions/string_functions_test.cc, vm/functions/regex_functions_test.cc.

#include "hclvm/vm/functions/replace_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hclvm/base/find_text.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/text_buffer.h"

namespace hcl::internal {

// There are two passes. The first one counts, so that the buffer has its size before it is written and the limit is
// asked for before memory is taken; where the first matches are it remembers. `matches * replacement.size()` cannot
// overflow, since the first CanMake() has bounded it.
Value ReplaceText(FunctionCall* call, const Value& value, std::string_view part, std::string_view replacement) {
  const std::string_view text = value.AsString();
  auto find = [&](size_t from) {
    if (part.size() == 1) return FindByte(text, part[0], from);
    if (!part.empty() || from == 0) return FindText(text, part, from);
    return from > text.size() ? std::string_view::npos : from;
  };
  // Where to look on after a match; for an empty part, behind the next code point.
  auto behind = [&](size_t match) {
    if (!part.empty()) return match + part.size();
    return match < text.size() ? match + DecodeUtf8(text, match).bytes : match + 1;
  };
  constexpr size_t kMatch = 16;  // takes as long as going over so many bytes
  constexpr size_t kRemembered = 16;
  size_t remembered[kRemembered];
  Pace pace(call);
  uint64_t matches = 0;
  size_t last = 0;
  for (size_t at = find(0); at != std::string_view::npos; at = find(behind(at))) {
    if (!pace.Step(at - last + kMatch)) return Value();
    last = at;
    if (matches < kRemembered) remembered[matches] = at;
    ++matches;
  }
  if (!call->Charge(text.size() / 8 + matches)) return Value();
  if (matches == 0) return value;
  if (!CanMake(call, matches, replacement.size() + 1)) return Value();
  const uint64_t bytes = text.size() + matches * replacement.size() - matches * part.size();
  if (!CanMake(call, bytes, 1)) return Value();
  TextBuffer buffer(bytes, call->arena());
  size_t done = 0;
  size_t at = 0;
  for (uint64_t n = 0; n < matches; ++n) {
    at = n < kRemembered ? remembered[n] : find(behind(at));
    buffer.Append(text.substr(done, at - done));
    buffer.Append(replacement);
    if (!pace.Step(at - done + replacement.size() + kMatch)) return Value();
    done = at + part.size();
  }
  buffer.Append(text.substr(done));
  return buffer.Finish(call);
}

}  // namespace hcl::internal
