// Functions that encode text in other charsets. Bytes have no value of their own here, so that they stand in base64.
// Tested by vm/functions/charset_functions_test.cc.

#include "hclvm/vm/functions/charset_functions.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/base64_text.h"
#include "hclvm/vm/functions/charset.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Units of fuel for finding a charset by its name.
constexpr uint64_t kCostOfName = 20;

// The charset that argument 1 names; nothing when the call has failed.
std::optional<Charset> ReadCharset(const Value& name, FunctionCall* call) {
  if (!call->Charge(kCostOfName)) return std::nullopt;
  const std::optional<Charset> charset = FindCharset(name.AsString());
  if (charset) return charset;
  std::string known;
  for (Charset c : Charsets()) absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(CharsetName(c)));
  call->ArgumentError(
      1, [&] { return absl::StrCat("there is no encoding \"", Excerpt(name.AsString()), "\"; there are ", known); });
  return std::nullopt;
}

void CheckEncoding(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[1].is_unknown()) ReadCharset(arguments[1], call);
}

// `"é" (U+00E9)`; control characters by their number alone.
std::string DescribeCharacter(char32_t character) {
  std::string text;
  AppendUtf8(character, &text);
  const std::string number = absl::StrCat("U+", absl::Hex(static_cast<uint32_t>(character), absl::kZeroPad4));
  const bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
  return is_control ? absl::AsciiStrToUpper(number)
                    : absl::StrCat("\"", text, "\" (", absl::AsciiStrToUpper(number), ")");
}

// A byte of text becomes two at most, and base64 makes four bytes of three.
Value TextEncodeBase64(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::optional<Charset> charset = ReadCharset(arguments[1], call);
  if (!charset) return Value();
  if (!CanMake(call, text.size() + 2, 3) || !call->Charge(text.size() / 2)) return Value();
  std::string bytes(CharsetPrefix(*charset));
  Pace pace(call);
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    if (!pace.Step(4)) return Value();
    if (!AppendEncoded(*charset, point.value, &bytes)) {
      return call->ArgumentError(0, [&] {
        return absl::StrCat("the character ", DescribeCharacter(point.value), " at byte ", at, " is not in ",
                            ToAbsl(CharsetName(*charset)));
      });
    }
    at += point.bytes;
  }
  return EncodeBase64(bytes, call);
}

// A byte becomes three bytes of UTF-8 at most.
Value TextDecodeBase64(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::optional<Charset> charset = ReadCharset(arguments[1], call);
  if (!charset) return Value();
  const std::optional<std::string> bytes = DecodeBase64Argument(arguments[0], 0, call);
  if (!bytes || !CanMake(call, bytes->size(), 3) || !call->Charge(bytes->size() / 2)) return Value();
  std::string text;
  CharsetReader reader(*charset, *bytes);
  Pace pace(call);
  while (!reader.at_end()) {
    if (!pace.Step(4)) return Value();
    const std::optional<char32_t> character = reader.Next();
    if (!character) {
      return call->ArgumentError(0, [&] {
        return absl::StrCat("the decoded bytes are not ", ToAbsl(CharsetName(*charset)),
                            ": no character begins at byte ", reader.offset());
      });
    }
    AppendUtf8(*character, &text);
  }
  return NormalizedCopy(text, call);
}

}  // namespace

void RegisterCharsetFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  const Parameter encoding = Param("encoding", string);
  builder->Add(Checked(CheckEncoding,
                       Define("textdecodebase64", {Param("source", string), encoding}, string, TextDecodeBase64)));
  builder->Add(Checked(CheckEncoding,
                       Define("textencodebase64", {Param("string", string), encoding}, string, TextEncodeBase64)));
}

}  // namespace hcl::internal
