// JsonParser: the grammar and how it goes on after mistakes.
//
// Unlike the native parser, this one goes on right where it failed: brackets and commas tell where an item ends. A
// value that is missing is kInvalid in the tree, so that what is around it keeps its shape.

#include "hclvm/hcl/json/json_parser.h"

#include <algorithm>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/embedded_parser.h"
#include "hclvm/hcl/json/json_parser_internal.h"
#include "hclvm/hcl/json/json_string.h"

namespace hcl {
namespace internal {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

JsonParser::JsonParser(const Source& source, const JsonOptions& options, Arena* arena)
    : text_(source.text()),
      limits_(options.limits),
      rules_(options.rules),
      arena_(arena),
      errors_(options.limits.max_diagnostics),
      scanner_(text_),
      steps_(&limits_.interrupt) {}

// What follows the value is reported only when nothing was before: after a mistake in the brackets, it is mostly the
// rest of the value.
JsonValue JsonParser::Parse() {
  if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    Report({0, 3}, DiagnosticCode::kByteOrderMark, "The text must start without a byte order mark.");
    scanner_ = JsonScanner(text_, kByteOrderMark.size());
  }
  Advance();
  const JsonValue value = ParseValue();
  if (token_ != JsonToken::kEnd && errors_.empty()) {
    Report(range(), DiagnosticCode::kJsonExtraData, "The text must end after its JSON value, but goes on.");
  }
  return value;
}

bool JsonParser::StartsValue() const {
  switch (token_) {
    case JsonToken::kOpenBrace:
    case JsonToken::kOpenBracket:
    case JsonToken::kKeyword:
    case JsonToken::kNumber:
    case JsonToken::kString:
      return true;
    default:
      return false;
  }
}

// Recursion: one level for each array and object, which EnterLevel() counts; nothing else nests.
JsonValue JsonParser::ParseValue() {
  if (!steps_.Take() && !stopped_) {
    Stop(DiagnosticCode::kParsingInterrupted,
         "Parsing was cancelled, or its deadline has passed. The rest of the text was not read.");
    Advance();
  }
  switch (token_) {
    case JsonToken::kOpenBrace:
      return ParseObject();
    case JsonToken::kOpenBracket:
      return ParseArray();
    case JsonToken::kKeyword:
      return ParseKeyword();
    case JsonToken::kNumber:
      return ParseNumber();
    case JsonToken::kString:
      return ParseString();
    default:
      return MissingValue();
  }
}

// Leaves the token, unless it can only be in the way.
JsonValue JsonParser::MissingValue() {
  ReportMissingValue();
  const SourceRange at = range();
  switch (token_) {
    case JsonToken::kInvalid:
    case JsonToken::kColon:
    case JsonToken::kEquals:
      Advance();
      return {JsonKind::kInvalid, at};
    default:
      return {JsonKind::kInvalid, {at.begin, at.begin}};
  }
}

// Counts a level, until --depth_. One too many ends the parse: the text seems to end, so that every open function
// returns on its ordinary way and without further messages, and the tree is at most one level deeper than the limit,
// which passes over it rely on.
void JsonParser::EnterLevel() {
  if (++depth_ <= limits_.max_nesting_depth || stopped_) return;
  Stop(DiagnosticCode::kNestingTooDeep, "Arrays and objects may be nested up to " +
                                            std::to_string(limits_.max_nesting_depth) +
                                            " levels (max_nesting_depth). The rest of the text was not read.");
}

// Ends the parse at the current token, for a limit.
void JsonParser::Stop(DiagnosticCode code, std::string detail) {
  errors_.AddLimit(range(), code, std::move(detail));
  stopped_ = true;
}

// Takes the opening bracket, and the closing one if that comes next.
JsonParser::Separator JsonParser::OpenBracket(const Bracket& bracket) {
  EnterLevel();
  Advance();
  if (token_ != bracket.close) return Separator::kNext;
  Advance();
  return Separator::kClose;
}

// Elements are gathered on a stack that all arrays share and copied to the arena when they are complete: nested arrays
// cost no memory of their own beyond the tree.
JsonValue JsonParser::ParseArray() {
  const Bracket bracket = {JsonToken::kOpenBracket, JsonToken::kCloseBracket, range()};
  ScratchList<JsonValue> elements(&values_);
  Separator next = OpenBracket(bracket);
  while (next == Separator::kNext) {
    elements.Add(ParseValue());
    next = TakeSeparator(bracket);
  }
  --depth_;
  JsonValue array({bracket.range.begin, EndOf(next)}, arena_->CopySpan(elements.view()));
  if (next == Separator::kEnd) array.SetUnclosed();
  return array;
}

// Names may repeat here: an error in an expression or an argument, they are legal for block types and labels
// (json-syntax.md), which only a schema tells apart.
JsonValue JsonParser::ParseObject() {
  const Bracket bracket = {JsonToken::kOpenBrace, JsonToken::kCloseBrace, range()};
  ScratchList<JsonProperty> properties(&properties_);
  Separator next = OpenBracket(bracket);
  while (next == Separator::kNext) {
    ParseProperty(&properties);
    next = TakeSeparator(bracket);
  }
  --depth_;
  JsonValue object({bracket.range.begin, EndOf(next)}, arena_->CopySpan(properties.view()));
  if (next == Separator::kEnd) object.SetUnclosed();
  return object;
}

// A property without a name or a value is reported and left out. A colon behind something else than a string makes it
// clear that this was meant as a name: the value is read, and mistakes in it are found.
void JsonParser::ParseProperty(ScratchList<JsonProperty>* properties) {
  JsonValue name;
  const bool has_name = ParseName(&name);
  if (!has_name && token_ != JsonToken::kColon) return SkipToSeparator();
  if (!ParseColon()) return;
  const JsonValue value = ParseValue();
  if (has_name) properties->Add({name, value});
}

// Whatever stands there is read as the value that it is, so that the parser is behind it for the colon; a word is not,
// as the message about a wrong keyword would be the wrong one.
bool JsonParser::ParseName(JsonValue* name) {
  if (token_ == JsonToken::kString) {
    *name = ParseString();
    if (name->kind() != JsonKind::kString) return false;
    // Names that differ in their spelling only are one name: in bodies, and as keys of objects.
    if (!IsKnownNfc(name->text())) {
      *name = {JsonKind::kString, name->range(), arena_->CopyString(ToNfc(name->text())), true};
    }
    return true;
  }
  constexpr DiagnosticCode kCode = DiagnosticCode::kJsonInvalidName;
  constexpr char kDetail[] = "The name of a property must be a string in double quotes.";
  if (token_ == JsonToken::kKeyword) {
    Report(range(), kCode, kDetail);
    Advance();
    return false;
  }
  const size_t errors = errors_.count();
  const JsonValue value = ParseValue();
  if (errors_.count() == errors) Report(value.start(), kCode, kDetail);
  return false;
}

// False when no value comes.
bool JsonParser::ParseColon() {
  if (token_ == JsonToken::kColon) {
    Advance();
    return true;
  }
  ReportMissingColon();
  if (token_ == JsonToken::kEquals) Advance();
  if (StartsValue()) return true;
  SkipToSeparator();
  return false;
}

// Takes what separates two items, or the closing bracket. A missing comma is taken for written where an item starts. A
// bracket of the other kind closes this value, since a wrong bracket is likelier than two that are missing. Otherwise
// everything up to the next separator is skipped. Each round takes a token or returns, so the loop ends with the text.
JsonParser::Separator JsonParser::TakeSeparator(const Bracket& bracket) {
  while (true) {
    if (token_ == JsonToken::kComma) {
      const SourceRange comma = range();
      Advance();
      if (token_ != bracket.close) return Separator::kNext;
      Report(comma,
             bracket.open == JsonToken::kOpenBrace ? DiagnosticCode::kJsonTrailingCommaInObject
                                                   : DiagnosticCode::kJsonTrailingCommaInArray,
             "JSON does not permit a comma after the last item.");
    }
    if (token_ == bracket.close) {
      Advance();
      return Separator::kClose;
    }
    ReportSeparator(bracket);
    switch (token_) {
      case JsonToken::kEnd:
        return Separator::kEnd;
      case JsonToken::kCloseBrace:
      case JsonToken::kCloseBracket:
        Advance();  // meant for the other
        return Separator::kClose;
      default:
        break;
    }
    const bool starts_item = bracket.open == JsonToken::kOpenBrace ? token_ == JsonToken::kString : StartsValue();
    if (starts_item) return Separator::kNext;
    SkipToSeparator();
  }
}

// Goes up to the next comma or closing bracket on this level. Brackets are counted and not matched: in a part that is
// skipped, it does not matter which kind closes which.
void JsonParser::SkipToSeparator() {
  size_t open = 0;
  while (token_ != JsonToken::kEnd) {
    switch (token_) {
      case JsonToken::kOpenBrace:
      case JsonToken::kOpenBracket:
        ++open;
        break;
      case JsonToken::kCloseBrace:
      case JsonToken::kCloseBracket:
        if (open-- == 0) return;
        break;
      case JsonToken::kComma:
        if (open == 0) return;
        break;
      default:
        break;
    }
    Advance();
  }
}

// The spelling is kept, as json-syntax.md, "Numbers", wants every digit of it; what number it is, the compiler says.
JsonValue JsonParser::ParseNumber() {
  const SourceRange at = range();
  const bool is_number = IsJsonNumber(Text(at));
  if (!is_number) {
    Report(
        at, DiagnosticCode::kJsonInvalidNumber,
        "A number has digits, then perhaps a dot with more digits, then perhaps an exponent; it does not start with a "
        "plus sign, a dot or a needless zero.");
  }
  Advance();
  return is_number ? JsonValue(JsonKind::kNumber, at, Text(at)) : JsonValue(JsonKind::kInvalid, at);
}

// Any word is taken for a keyword, so that one that is misspelled gets a message about itself, with the nearest one.
JsonValue JsonParser::ParseKeyword() {
  const SourceRange at = range();
  const std::string_view word = Text(at);
  JsonKind kind = JsonKind::kInvalid;
  if (word == "true") {
    kind = JsonKind::kTrue;
  } else if (word == "false") {
    kind = JsonKind::kFalse;
  } else if (word == "null") {
    kind = JsonKind::kNull;
  } else {
    ReportKeyword(word);
  }
  Advance();
  return {kind, at};
}

// What the scanner knows of the string is read before Advance(), which goes on to the next one. A string without
// escapes is a view of the source; others are decoded into the arena.
JsonValue JsonParser::ParseString() {
  const SourceRange at = range();
  const bool has_escapes = scanner_.has_escapes();
  const bool is_closed = scanner_.is_closed();
  const bool is_sound = is_closed && (!has_escapes || !FindBadEscape(Text(at)));
  if (!is_sound) ReportString(at, is_closed);
  Advance();
  if (!is_sound) return {JsonKind::kInvalid, at};
  if (has_escapes) return {JsonKind::kString, at, DecodeJsonString(Text(at), arena_), true};
  return {JsonKind::kString, at, Text({at.begin + 1, at.end - 1})};
}

}  // namespace internal

// The first block of the arena grows with the text, within bounds: a small file holds little, and a large one does not
// start with a block that it may not need.
std::unique_ptr<JsonFile> ParseJsonExpression(const Source& source, const JsonOptions& options,
                                              Diagnostics* diagnostics) {
  const auto make_file = [&] {
    auto file = std::make_unique<JsonFile>();
    file->source = &source;
    file->limits = options.limits;
    file->rules = options.rules;
    return file;
  };
  const auto parse_text = [&] {
    std::unique_ptr<JsonFile> file = make_file();
    file->arena = Arena(std::clamp<size_t>(source.text().size(), 1024, size_t{1} << 20));
    if (!internal::CheckText(source, options.limits, diagnostics)) return file;
    internal::JsonParser parser(source, options, &file->arena);
    file->root = parser.Parse();
    parser.Finish(diagnostics);
    return file;
  };
  return internal::WithMemory(parse_text, [&] {
    internal::ReportOutOfMemory(diagnostics);
    return make_file();
  });
}

// A body is an object (json-syntax.md, "Structural Elements"); the reference also takes an array of them. A root that
// was reported as invalid is not reported again.
std::unique_ptr<JsonFile> ParseJson(const Source& source, const JsonOptions& options, Diagnostics* diagnostics) {
  std::unique_ptr<JsonFile> file = ParseJsonExpression(source, options, diagnostics);
  const JsonKind kind = file->root.kind();
  const bool takes_array = options.rules == JsonRules::kReference;
  if (kind == JsonKind::kInvalid || kind == JsonKind::kObject || (kind == JsonKind::kArray && takes_array)) return file;
  diagnostics->AddError(
      file->root.start(), DiagnosticCode::kJsonRootNotObject,
      takes_array ? "A config in JSON is an object, or an array of objects." : "A config in JSON is an object.");
  return file;
}

}  // namespace hcl
