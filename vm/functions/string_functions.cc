// Functions of strings. Parts of a string in NFC are in NFC, so what only cuts a string shares its memory.
// Tested by vm/functions/string_functions_test.cc.

#include "hclvm/vm/functions/string_functions.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/find_text.h"
#include "hclvm/base/unicode.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/replace_text.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "hclvm/vm/value/short_pieces.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

Value StartsWith(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::string_view prefix = arguments[1].AsString();
  if (!call->Charge(CostOfBytes(prefix.size()))) return Value();
  return Value::Bool(text.size() >= prefix.size() && text.substr(0, prefix.size()) == prefix);
}

Value EndsWith(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::string_view suffix = arguments[1].AsString();
  if (!call->Charge(CostOfBytes(suffix.size()))) return Value();
  return Value::Bool(text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix);
}

// Bytes suffice for finding: in UTF-8 no character's bytes stand inside of another's.
Value StrContains(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString(), needle = arguments[1].AsString();
  const size_t found = FindText(text, needle);
  const bool contains = found != std::string_view::npos;
  const size_t read = contains ? found + needle.size() : text.size();
  return call->Charge(CostOfSearch(read, needle)) ? Value::Bool(contains) : Value();
}

// WriteUpper() or WriteLower().
using WriteMapped = char* (*)(std::string_view text, char* to);

// Code point by code point, so that the text may be taken in parts; the host's wish to stop is noticed in between.
Value MapPoints(FunctionCall* call, std::string_view text, WriteMapped general) {
  constexpr size_t kPart = 64;
  char part[kMostCaseBytes * (kPart + 3)];
  GrowingText mapped;
  Pace pace(call);
  for (size_t at = 0; at < text.size();) {
    size_t end = at + std::min(kPart, text.size() - at);
    while (end < text.size() && end < at + kPart + 3 && (text[end] & 0xc0) == 0x80) ++end;
    mapped.Append({part, static_cast<size_t>(general(text.substr(at, end - at), part) - part)});
    if (!pace.Step(end - at)) return Value();
    at = end;
  }
  return NormalizedCopy(mapped.text(), call);
}

constexpr uint64_t kEachByte = 0x0101010101010101;

// The bit 0x80 in each byte of `word`, which are ASCII, that is one of the 26 letters from `first` on.
uint64_t MarkLetters(uint64_t word, char first) {
  const uint64_t at_least = word + kEachByte * (0x80 - static_cast<uint64_t>(first));
  const uint64_t beyond = word + kEachByte * (0x80 - static_cast<uint64_t>(first) - 26);
  return at_least & ~beyond & kEachByte * 0x80;
}

// With these letters in the other case: the bit 0x20 tells the cases apart.
uint64_t FlipCase(uint64_t word, char first) { return word ^ MarkLetters(word, first) >> 2; }

// The letters of an ASCII text, in the other case, by eight bytes at a time. A text without any comes back as it is.
Value MapAscii(FunctionCall* call, const Value& value, char first) {
  const std::string_view text = value.AsString();
  size_t at = 0;
  const auto word_at = [&text](size_t offset, size_t bytes) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + offset, bytes);
    return word;
  };
  const auto bytes_at = [&text](size_t offset) { return std::min(sizeof(uint64_t), text.size() - offset); };
  while (at < text.size() && MarkLetters(word_at(at, bytes_at(at)), first) == 0) at += bytes_at(at);
  if (at >= text.size()) return value;
  char* const mapped = call->arena()->NewArray<char>(text.size());
  std::memcpy(mapped, text.data(), at);
  for (; at < text.size(); at += bytes_at(at)) {
    const uint64_t word = FlipCase(word_at(at, bytes_at(at)), first);
    std::memcpy(mapped + at, &word, bytes_at(at));
  }
  return Value::StringView({mapped, text.size()});
}

// ASCII letters from `first` on, of 26 in one case, are put into the other one in place of the general mapping. ASCII
// needs no tables and no normalization.
Value MapCase(FunctionCall* call, const Value& value, char first, WriteMapped general) {
  // In a short one the tag and the length stay what they are: neither looks like a letter with a bit at the top.
  if (TagOf(value) == Tag::kShortString && ((HeadBits(value) | PayloadBits(value)) & kEachByte * 0x80) == 0) {
    constexpr uint64_t kText = ~uint64_t{0xffff};
    const uint64_t flipped = HeadBits(value) ^ ((MarkLetters(HeadBits(value), first) >> 2) & kText);
    return ValueAccess::Make(Tag::kShortString, flipped & ~uint64_t{0xff}, FlipCase(PayloadBits(value), first));
  }
  const std::string_view text = value.AsString();
  if (!CanMake(call, text.size(), 1)) return Value();
  if (TagOf(value) != Tag::kShortString && IsAscii(text)) return MapAscii(call, value, first);
  return call->Charge(text.size()) ? MapPoints(call, text, general) : Value();
}

Value Upper(FunctionCall* call, absl::Span<const Value> arguments) {
  return MapCase(call, arguments[0], 'a', WriteUpper);
}

Value Lower(FunctionCall* call, absl::Span<const Value> arguments) {
  return MapCase(call, arguments[0], 'A', WriteLower);
}

// Pays for finding grapheme clusters, which takes longer than reading bytes does.
bool ChargeForGraphemes(FunctionCall* call, std::string_view text) { return call->Charge(text.size() / 4); }

// As GraphemeBytes(): a character of ASCII before another one is a cluster, unless it may be "\r\n".
size_t ClusterBytes(std::string_view text, size_t at) {
  const bool plain = at + 1 < text.size() && static_cast<signed char>(text[at] | text[at + 1]) >= 0 && text[at] != '\r';
  return plain ? 1 : GraphemeBytes(text, at);
}

// Whether each byte is a grapheme cluster: of ASCII, only "\r\n" is one of two characters. A character behind `text`
// may still join its last one.
bool IsByteEach(std::string_view text) {
  return IsAscii(text) && std::memchr(text.data(), '\r', text.size()) == nullptr;
}

// The end of a piece of `text` from `at` on. After each, it is asked whether the host wants the work to stop.
size_t EndOfPiece(std::string_view text, size_t at) {
  constexpr size_t kPiece = 60 << 10;
  return at + std::min(kPiece, text.size() - at);
}

Value Strlen(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!ChargeForGraphemes(call, text)) return Value();
  int64_t count = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfPiece(text, at);
    if (IsByteEach(text.substr(at, end - at + 1))) {
      count += static_cast<int64_t>(end - at);
      at = end;
    } else {
      count += static_cast<int64_t>(CountGraphemes(text, &at, end));
    }
    if (end < text.size() && !call->Look()) return Value();
  }
  return Value::Int(count);
}

// The clusters are kept whole, as in the reference, and their bytes in order; the result is normalized, since other
// clusters meet.
Value Strrev(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!CanMake(call, text.size(), 1) || !ChargeForGraphemes(call, text)) return Value();
  char* const buffer = call->arena()->NewArray<char>(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfPiece(text, at);
    if (IsByteEach(text.substr(at, end - at + 1))) {
      std::reverse_copy(text.begin() + at, text.begin() + end, buffer + text.size() - end);
      at = end;
    }
    while (at < end) {
      const size_t bytes = ClusterBytes(text, at);
      std::memcpy(buffer + text.size() - at - bytes, text.data() + at, bytes);
      at += bytes;
    }
    if (end < text.size() && !call->Look()) return Value();
  }
  return NormalizedView({buffer, text.size()}, call);
}

// Offset of the grapheme cluster `count` clusters after `begin`, at most the text's size.
size_t SkipGraphemes(std::string_view text, size_t begin, int64_t count) {
  for (; count > 0 && begin < text.size(); --count) begin += ClusterBytes(text, begin);
  return begin;
}

// The part from `offset` on, of `length` characters, or the rest where that is negative, as bytes from *begin to *end.
// Where all up to its end is ASCII, with the character behind it, which might join the last one, bytes are counted.
void FindPart(std::string_view text, int64_t offset, int64_t length, size_t* begin, size_t* end) {
  const auto within = [&text](size_t from, int64_t count) {
    return from + std::min(static_cast<size_t>(count), text.size() - from);
  };
  *begin = within(0, offset);
  *end = length < 0 ? text.size() : within(*begin, length);
  if (IsByteEach(text.substr(0, (length < 0 ? *begin : *end) + 1))) return;
  *begin = SkipGraphemes(text, 0, offset);
  *end = length < 0 ? text.size() : SkipGraphemes(text, *begin, length);
}

// A negative offset counts from the end, a negative length means the rest. Grapheme clusters are counted by going over
// them, since there is no index of them.
constexpr char kWholePlace[] = "a whole number is required";

void CheckSubstr(FunctionCall* call, absl::Span<const Value> arguments) {
  for (const size_t n : {1, 2}) {
    if (!arguments[n].is_unknown() && !WholeNumber(arguments[n])) return void(call->ArgumentError(n, kWholePlace));
  }
}

Value Substr(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  std::optional<int64_t> offset = WholeNumber(arguments[1]);
  std::optional<int64_t> length = WholeNumber(arguments[2]);
  if (!offset || !length) return call->ArgumentError(offset ? 2 : 1, kWholePlace);
  if (*offset < 0) {
    if (!ChargeForGraphemes(call, text)) return Value();
    *offset += static_cast<int64_t>(IsByteEach(text) ? text.size() : CountGraphemes(text));
    // As in the reference, where a length of zero only counts beside an offset from the beginning.
    if (*length == 0) *length = -1;
  }
  size_t begin = 0;
  size_t end = 0;
  FindPart(text, std::max<int64_t>(*offset, 0), *length, &begin, &end);
  if (!ChargeForGraphemes(call, text.substr(0, *length < 0 ? begin : end))) return Value();
  return Value::StringView(text.substr(begin, end - begin));
}

// Whether a letter after `point` starts a word, for title. The rule is that of Go's strings.Title, which the reference
// uses.
bool EndsWord(char32_t point) {
  if (point >= 0x80) return IsSpace(point);
  const char32_t lower = point | 0x20;
  return !((lower >= 'a' && lower <= 'z') || (point >= '0' && point <= '9') || point == '_');
}

// Writes the letter `point`, whose bytes are `letter`, in title case: upper case, but for the letters that have a form
// of their own (Dz and the like) or none (Georgian). The end of what is written.
char* WriteTitle(char32_t point, std::string_view letter, char* to) {
  if (point >= 0x1c4 && point <= 0x1cc) return WriteUtf8((point - 0x1c4) / 3 * 3 + 0x1c5, to);
  if (point >= 0x1f1 && point <= 0x1f3) return WriteUtf8(0x1f2, to);
  if (point >= 0x10d0 && point <= 0x10ff) return std::copy(letter.begin(), letter.end(), to);
  return WriteUpper(letter, to);
}

// The rule of WriteTitle() and EndsWord() for ASCII, without decoding.
Value TitleOfAscii(FunctionCall* call, std::string_view text) {
  TextBuffer buffer(text.size(), call->arena());
  Pace pace(call);
  bool starts_word = true;
  for (const char c : text) {
    const bool is_lower = c >= 'a' && c <= 'z';
    buffer.Append(starts_word && is_lower ? static_cast<char>(c - 'a' + 'A') : c);
    starts_word = !is_lower && EndsWord(static_cast<unsigned char>(c));
    if (!pace.Step(1)) return Value();
  }
  return Value::StringView(buffer.text());
}

Value Title(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!CanMake(call, text.size(), 2) || !call->Charge(text.size() / 2)) return Value();
  if (IsAscii(text)) return TitleOfAscii(call, text);
  GrowingText mapped;
  Pace pace(call);
  bool starts_word = true;
  size_t begin = 0;  // of what is taken as it is
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    const size_t end = at + point.bytes;
    if (starts_word) {
      char title[kMostCaseBytes * 4];
      mapped.Append(text.substr(begin, at - begin));
      mapped.Append({title, static_cast<size_t>(WriteTitle(point.value, text.substr(at, point.bytes), title) - title)});
      begin = end;
    }
    starts_word = EndsWord(point.value);
    if (!pace.Step(point.bytes)) return Value();
    at = end;
  }
  mapped.Append(text.substr(begin));
  return NormalizedCopy(mapped.text(), call);
}

constexpr char kSpaces[] = "the number of spaces";

void CheckIndent(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_unknown()) CountArgument(call, arguments, 0, kSpaces);
}

// Every line but the first: the text is meant to stand behind something.
Value Indent(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::optional<uint64_t> spaces = CountArgument(call, arguments, 0, kSpaces);
  if (!spaces) return Value();
  if (FindText(arguments[1].AsString(), "\n") == std::string_view::npos) return arguments[1];
  if (!CanMake(call, *spaces, 1)) return Value();
  return internal::ReplaceText(call, arguments[1], "\n", "\n" + std::string(static_cast<size_t>(*spaces), ' '));
}

void CheckJoin(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.size() < 2) call->Error("at least one list is required");
}

// Checks that no element is null, and adds up the bytes; false when the call has failed.
bool MeasureJoin(FunctionCall* call, absl::Span<const Value> lists, uint64_t* items, uint64_t* bytes) {
  for (size_t n = 0; n < lists.size(); ++n) {
    absl::Span<const Value> elements = lists[n].elements();
    for (size_t i = 0; i < elements.size(); ++i) {
      if (elements[i].is_null()) {
        call->ArgumentError(n + 1,
                            [&] { return absl::StrCat("element ", i, " is null, and null values cannot be joined"); });
        return false;
      }
      *bytes += elements[i].AsString().size();
    }
    *items += elements.size();
  }
  return true;
}

// The parts are measured first, so that one buffer of the right size is filled. Parts may compose where they meet,
// hence the normalization, which keeps the buffer where nothing does.
Value Join(FunctionCall* call, absl::Span<const Value> arguments) {
  absl::Span<const Value> lists = arguments.subspan(1);
  if (lists.empty()) return CheckJoin(call, arguments), Value();
  for (const Value& list : lists) {
    if (!list.is_wholly_known()) return Value::Unknown(Type::String());
  }
  const std::string_view separator = arguments[0].AsString();
  uint64_t items = 0;
  uint64_t bytes = 0;
  if (!MeasureJoin(call, lists, &items, &bytes)) return Value();
  if (items == 0) return Value::StringView("");
  bytes += (items - 1) * separator.size();
  if (!CanMake(call, bytes, 1)) return Value();
  TextBuffer buffer(bytes, call->arena());
  bool first = true;
  for (const Value& list : lists) {
    for (const Value& element : list.elements()) {
      if (!first) buffer.AppendText(arguments[0]);
      first = false;
      buffer.AppendText(element);
    }
  }
  return buffer.Finish(call);
}

// Making a piece takes as long as going over so many bytes.
constexpr size_t kBytesOfPiece = 8;

// End of the piece of `text` that starts at `begin`, for split; npos for the last piece, if there is a separator.
size_t PieceEnd(std::string_view text, std::string_view separator, size_t begin) {
  if (separator.size() == 1) return FindByte(text, separator[0], begin);
  return separator.empty() ? begin + DecodeUtf8(text, begin).bytes : FindText(text, separator, begin);
}

// Marks the bytes of `word` that are `byte`, and unlike MarkByte() no others: no sum carries into the next byte.
uint64_t MarkExactly(uint8_t byte, uint64_t word) {
  constexpr uint64_t kLow = RepeatByte(0x7f);
  const uint64_t difference = word ^ RepeatByte(byte);
  return ~(((difference & kLow) + kLow) | difference | kLow);
}

// Short texts, and separators of one byte, are what is split most: looking at eight bytes at once costs less than
// searches, each of which has to begin.
constexpr size_t kShortText = 255;

Value SplitShort(FunctionCall* call, std::string_view text, char separator) {
  uint8_t ends[kShortText + 1];
  size_t count = 0;
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t marks = MarkExactly(static_cast<uint8_t>(separator), LoadWord(text.data() + at));
    for (; marks != 0; marks &= marks - 1) ends[count++] = static_cast<uint8_t>(at + FirstMarked(marks));
  }
  for (; at < text.size(); ++at) {
    ends[count] = static_cast<uint8_t>(at);
    count += text[at] == separator ? 1 : 0;
  }
  ends[count++] = static_cast<uint8_t>(text.size());
  if (!CanMake(call, count) || !call->Charge(count + text.size() / 16)) return Value();
  internal::Sequence* const list = NewSequence(static_cast<uint32_t>(count), Type::String(), false, call->arena());
  Value* const pieces = list->mutable_items();
  uint64_t weight = 1 + count;
  size_t begin = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t size = ends[i] - begin;
    pieces[i] = Value::StringView({text.data() + begin, size});
    if (size > kMaxInlineString) weight += size / 16;
    begin = size_t{ends[i]} + 1;
  }
  list->has_no_nulls = true;
  list->weight = weight;
  return SequenceValue(Tag::kList, list);
}

// The pieces share the text's memory, since parts of a text in NFC are in NFC. They are counted first, because the
// list's room is taken at once; where the first ones end is remembered.
ABSL_ATTRIBUTE_NOINLINE Value SplitAny(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view separator = arguments[0].AsString();
  const std::string_view text = arguments[1].AsString();
  if (separator.size() == 1 && text.size() <= kShortText) return SplitShort(call, text, separator[0]);
  constexpr size_t kRemembered = 16;
  size_t ends[kRemembered];
  uint64_t count = 0;
  const auto add = [&](size_t end) {
    if (count < kRemembered) ends[count] = end;
    ++count;
  };
  Pace pace(call);
  // Without a separator every code point is a piece, and an empty text has none.
  size_t begin = 0;
  for (bool more = !separator.empty() || !text.empty(); more;) {
    const size_t end = PieceEnd(text, separator, begin);
    add(std::min(end, text.size()));
    if (!pace.Step(std::min(end, text.size()) - begin + separator.size() + kBytesOfPiece)) return Value();
    more = separator.empty() ? end < text.size() : end != std::string_view::npos;
    begin = end + separator.size();
  }
  if (!CanMake(call, count) || !call->Charge(count + CostOfSearch(text.size(), separator))) return Value();
  internal::Sequence* list = NewList(call, count, Type::String());
  begin = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t end = i < kRemembered ? ends[i] : std::min(PieceEnd(text, separator, begin), text.size());
    list->mutable_items()[i] = Value::StringView(text.substr(begin, end - begin));
    if (!pace.Step(end - begin + kBytesOfPiece)) return Value();
    begin = end + separator.size();
  }
  return FinishList(list);
}

// All pieces of a short string are short strings, so that nothing is left to sum up.
Value Split(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!ShortPieces::Take(arguments[1], arguments[0])) return SplitAny(call, arguments);
  ShortPieces pieces(arguments[1], arguments[0]);
  const uint32_t count = pieces.count();
  if (!CanMake(call, count) || !call->Charge(count)) return Value();
  internal::Sequence* const list = NewSequence(count, Type::String(), /*is_tuple=*/false, call->arena());
  list->has_no_nulls = true;
  list->weight = 1 + uint64_t{count};
  Value* const items = list->mutable_items();
  for (uint32_t n = 0; n + 1 < count; ++n) items[n] = pieces.Next();
  items[count - 1] = pieces.Last();
  return SequenceValue(Tag::kList, list);
}

// The compiler puts a body in place of this one (compiler/template_function.h): a template has to be compiled.
Value TemplateNeedsCompiler(FunctionCall* call, absl::Span<const Value>) {
  return call->Error("a template can be evaluated in a program only");
}

}  // namespace

// Total() marks those that cannot fail for known arguments of their types: code whose result nobody needs may then skip
// them (compiler/core_loops.cc). substr and indent are not total, since a number may be no whole one. The `special`
// functions become instructions of fast code.
void RegisterStringFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  Function starts_with =
      Charging(Total(Define("startswith", {Param("str", string), Param("prefix", string)}, Type::Bool(), StartsWith)));
  starts_with.special = Function::Special::kStartsWith;
  builder->Add(std::move(starts_with));
  Function ends_with =
      Charging(Total(Define("endswith", {Param("str", string), Param("suffix", string)}, Type::Bool(), EndsWith)));
  ends_with.special = Function::Special::kEndsWith;
  builder->Add(std::move(ends_with));
  Function str_contains = Charging(
      Total(Define("strcontains", {Param("str", string), Param("substr", string)}, Type::Bool(), StrContains)));
  str_contains.special = Function::Special::kStrContains;
  Function contains_substring = str_contains;
  contains_substring.name = "contains_substring";
  builder->Add(std::move(contains_substring));
  builder->Add(std::move(str_contains));
  builder->Add(Quick(Total(Define("upper", {Param("str", string, kAllowDynamic)}, string, Upper))));
  builder->Add(Quick(Total(Define("lower", {Param("str", string, kAllowDynamic)}, string, Lower))));
  builder->Add(Quick(Total(Define("strlen", {Param("str", string, kAllowDynamic)}, Type::Number(), Strlen))));
  builder->Add(Total(Define("strrev", {Param("str", string, kAllowDynamic)}, string, Strrev)));
  builder->Add(Checked(CheckSubstr, Quick(Charging(Define("substr",
                                                          {Param("str", string, kAllowDynamic),
                                                           Param("offset", Type::Number(), kAllowDynamic),
                                                           Param("length", Type::Number(), kAllowDynamic)},
                                                          string, Substr)))));
  builder->Add(KnownAs(Function::Special::kTemplateString,
                       Charging(Define("templatestring", {Param("template", string), Param("vars", Type::Dynamic())},
                                       string, TemplateNeedsCompiler))));
  builder->Add(Total(Define("title", {Param("str", string)}, string, Title)));
  builder->Add(
      Checked(CheckIndent, Define("indent", {Param("spaces", Type::Number()), Param("str", string)}, string, Indent)));
  builder->Add(Checked(
      CheckJoin, KnownAs(Function::Special::kJoin,
                         TakingTuples(Total(DefineVariadic("join", {Param("separator", string)},
                                                           Param("lists", Common().list_of_string), string, Join))))));
  builder->Add(KnownAs(
      Function::Special::kSplit,
      Total(Define("split", {Param("separator", string), Param("str", string)}, Common().list_of_string, Split))));
}

}  // namespace hcl::internal
