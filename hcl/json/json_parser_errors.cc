// JsonParser: what is said about mistakes, and where.
//
// The words are our own. Under JsonRules::kReference, the first message about a separator or a string stands where the
// reference's does.

#include <algorithm>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hcl/json/json_parser_internal.h"
#include "hclvm/hcl/json/json_string.h"

namespace hcl {
namespace internal {
namespace {

// What messages quote of the text, at most.
constexpr size_t kMaxQuotedBytes = 40;

std::string Quote(std::string_view text) {
  if (text.size() <= kMaxQuotedBytes) return "\"" + std::string(text) + "\"";
  size_t end = kMaxQuotedBytes;
  while ((static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return "\"" + std::string(text.substr(0, end)) + "...\"";
}

}  // namespace

// Each token has one message at most: recovery may come by the same token in several functions, and what the second has
// to say follows from the first.
void JsonParser::Report(SourceRange subject, DiagnosticCode code, std::string detail,
                        std::optional<SourceRange> context) {
  if (stopped_ || reported_at_ == range().begin) return;
  reported_at_ = range().begin;
  errors_.AddError(subject, code, std::move(detail), context);
}

void JsonParser::Finish(Diagnostics* diagnostics) {
  for (const Diagnostic& diagnostic : errors_.kept()) diagnostics->Add(diagnostic);
  const size_t left_out = errors_.count() - errors_.kept().size();
  if (left_out == 0) return;
  diagnostics->AddLimit(std::nullopt, DiagnosticCode::kTooManyErrors,
                        "Of the errors in this text, " + std::to_string(left_out) +
                            " were left out. The limit is max_diagnostics, " + std::to_string(limits_.max_diagnostics) +
                            ".");
}

// The current token, for people.
std::string JsonParser::Found() const {
  switch (token_) {
    case JsonToken::kEnd:
      return "the end of the text";
    case JsonToken::kString:
      return "a string";
    default:
      return Quote(Text(range()));
  }
}

// What stands in the place of the value is mostly what tells: a bracket after a comma too many, or the end of a text
// that was cut off.
void JsonParser::ReportMissingValue() {
  constexpr char kValues[] = "an object, an array, a string, a number, true, false or null";
  switch (token_) {
    case JsonToken::kEnd:
      return Report(range(), DiagnosticCode::kJsonEndsEarly,
                    std::string("The text ends where there should be ") + kValues + ".");
    case JsonToken::kCloseBrace:
      return Report(range(), DiagnosticCode::kJsonMissingValue,
                    std::string("Before this brace there should be ") + kValues + ".");
    case JsonToken::kCloseBracket:
      return Report(range(), DiagnosticCode::kJsonMissingElement,
                    std::string("Before this bracket there should be ") + kValues + ".");
    default:
      return Report(range(), DiagnosticCode::kJsonInvalidStart,
                    std::string("Expected ") + kValues + ", but found " + Found() + ".");
  }
}

// A comma or brace instead of the colon means a list in braces, and an equals sign the native syntax.
void JsonParser::ReportMissingColon() {
  switch (token_) {
    case JsonToken::kComma:
    case JsonToken::kCloseBrace:
      return Report(range(), DiagnosticCode::kJsonNameWithoutValue,
                    "After the name of a property there must be a colon and a value. Values without names stand in an "
                    "array, in brackets.");
    case JsonToken::kEquals:
      return Report(range(), DiagnosticCode::kJsonMissingColon,
                    "In JSON, a colon stands between a property's name and its value, not an equals sign.");
    default:
      return Report(range(), DiagnosticCode::kJsonMissingColon,
                    "Expected a colon between the property's name and its value, but found " + Found() + ".");
  }
}

// Requires a token that is neither a comma nor the closing bracket. At the end of the text, the place to look at is the
// bracket that is open, which may be far above. Under the reference's rules the first message stands where the
// reference's does; those after it come of a recovery that is our own.
void JsonParser::ReportSeparator(const Bracket& bracket) {
  const bool is_object = bracket.open == JsonToken::kOpenBrace;
  if (token_ == JsonToken::kEnd) {
    return Report(
        bracket.range, is_object ? DiagnosticCode::kJsonUnclosedObject : DiagnosticCode::kJsonUnclosedArray,
        is_object ? "No closing brace was found for this object." : "No closing bracket was found for this array.");
  }
  const SourceRange subject =
      rules_ == JsonRules::kReference && errors_.empty() ? AfterReferenceRecovery(bracket) : range();
  if (is_object && token_ == JsonToken::kCloseBracket) {
    return Report(subject, DiagnosticCode::kJsonMismatchedBraces, "An object is closed with a brace, not a bracket.");
  }
  if (!is_object && token_ == JsonToken::kCloseBrace) {
    return Report(subject, DiagnosticCode::kJsonMismatchedBrackets, "An array is closed with a bracket, not a brace.");
  }
  if (!is_object && token_ == JsonToken::kColon) {
    return Report(subject, DiagnosticCode::kJsonColonInArray,
                  "A colon does not occur in arrays; properties stand in an object.");
  }
  Report(subject, is_object ? DiagnosticCode::kJsonMissingObjectComma : DiagnosticCode::kJsonMissingArrayComma,
         std::string(is_object ? "Expected a comma or a closing brace" : "Expected a comma or a closing bracket") +
             ", but found " + Found() + ".");
}

// Where the reference points when the current token does not fit behind an item: at the first token after those that it
// skips to recover. It reads nothing behind a character that starts no token. A copy of the scanner runs ahead, once
// for a text at most, as only its first message asks.
SourceRange JsonParser::AfterReferenceRecovery(const Bracket& bracket) const {
  JsonScanner scanner = scanner_;
  JsonToken token = token_;
  int open = 1;
  const bool skips = bracket.open != JsonToken::kOpenBrace || token != JsonToken::kCloseBracket;
  while (skips) {
    if (token == JsonToken::kInvalid) return {scanner.range().end, scanner.range().end};
    if (token == JsonToken::kEnd) return scanner.range();
    if (token == bracket.open) ++open;
    if (token == bracket.close && --open <= 1) break;
    token = scanner.Next();
  }
  scanner.Next();
  return scanner.range();
}

// The words of JavaScript come first, since there is nothing in JSON that they could be a misspelling of.
void JsonParser::ReportKeyword(std::string_view word) {
  if (word == "undefined" || word == "NaN" || word == "Infinity") {
    return Report(range(), DiagnosticCode::kJsonInvalidKeyword, Quote(word) + " is JavaScript, but not JSON.");
  }
  const std::string_view near = NearestName(word, {"false", "true", "null"});
  std::string detail = Quote(word) + " is no JSON keyword";
  if (near.empty()) {
    detail.append(". Text must stand in double quotes.");
  } else {
    detail.append(". Did you mean ").append(near).append("?");
  }
  Report(range(), DiagnosticCode::kJsonInvalidKeyword, std::move(detail));
}

// Reports a string that does not end on its line, or has a malformed escape. Under the reference's rules the message
// points at the one character that does not fit, wherever the escape starts.
void JsonParser::ReportString(SourceRange string, bool is_closed) {
  const std::optional<JsonEscapeError> bad = FindBadEscape(Text(string));
  std::string detail;
  SourceRange subject = string;
  uint32_t misfit = string.end;
  if (bad.has_value()) {
    subject = {string.begin + bad->escape.begin, string.begin + bad->escape.end};
    misfit = std::min(misfit, string.begin + bad->misfit + 1);
    detail = "This is no escape sequence. Those that exist are \\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t and \\uNNNN.";
  } else if (!is_closed) {
    detail = string.end == text_.size() ? "The text ends before the string does: a closing quote is missing."
                                        : "A closing quote is missing on this line. Line ends and other control "
                                          "characters in a string are written as escapes, such as \\n.";
  }
  if (rules_ == JsonRules::kReference) subject = {misfit, std::min(misfit + 1, static_cast<uint32_t>(text_.size()))};
  Report(subject, DiagnosticCode::kJsonInvalidString, std::move(detail), Cover(string, subject));
}

}  // namespace internal
}  // namespace hcl
