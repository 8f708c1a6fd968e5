// Functions of strings. Parts of a string in NFC are in NFC, so what only cuts a string shares its memory.
// Tested by vm/functions/string_functions_test.cc.

#include "vm/functions/string_functions.h"

#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/unicode.h"
#include "vm/functions/function_support.h"

namespace hcl {
namespace {

using internal::CanMake;
using internal::Common;
using internal::Define;
using internal::DefineVariadic;
using internal::FindText;
using internal::kAllowDynamic;
using internal::NormalizedCopy;
using internal::NormalizedView;
using internal::Param;

Value StartsWith(FunctionCall*, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::string_view prefix = arguments[1].AsString();
  return Value::Bool(text.size() >= prefix.size() && text.substr(0, prefix.size()) == prefix);
}

Value EndsWith(FunctionCall*, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::string_view suffix = arguments[1].AsString();
  return Value::Bool(text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix);
}

Value StrContains(FunctionCall*, absl::Span<const Value> arguments) {
  return Value::Bool(FindText(arguments[0].AsString(), arguments[1].AsString()) != std::string_view::npos);
}

// ASCII letters from `first` on moved by `delta` in place of the general mapping.
Value MapCase(FunctionCall* call, const Value& value, char first, int delta, std::string (*general)(std::string_view)) {
  const std::string_view text = value.AsString();
  if (!CanMake(call, text.size(), 1)) return Value();
  if (!IsAscii(text)) return NormalizedCopy(general(text), call->arena());
  size_t at = 0;
  auto maps = [first](char c) { return static_cast<unsigned char>(c - first) < 26; };
  while (at < text.size() && !maps(text[at])) ++at;
  if (at == text.size()) return value;
  char* mapped = call->arena()->NewArray<char>(text.size());
  std::memcpy(mapped, text.data(), text.size());
  for (; at < text.size(); ++at) {
    if (maps(mapped[at])) mapped[at] = static_cast<char>(mapped[at] + delta);
  }
  return Value::StringView({mapped, text.size()});
}

Value Upper(FunctionCall* call, absl::Span<const Value> arguments) {
  return MapCase(call, arguments[0], 'a', 'A' - 'a', ToUpper);
}

Value Lower(FunctionCall* call, absl::Span<const Value> arguments) {
  return MapCase(call, arguments[0], 'A', 'a' - 'A', ToLower);
}

// Offset of the code point before `end`.
size_t PreviousCodePoint(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

Value TrimSpace(FunctionCall*, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  size_t begin = 0;
  while (begin < text.size()) {
    const CodePoint point = DecodeUtf8(text, begin);
    if (!IsSpace(point.value)) break;
    begin += point.bytes;
  }
  size_t end = text.size();
  while (end > begin) {
    const size_t previous = PreviousCodePoint(text, end);
    if (!IsSpace(DecodeUtf8(text, previous).value)) break;
    end = previous;
  }
  return end - begin == text.size() ? arguments[0] : Value::StringView(text.substr(begin, end - begin));
}

// Checks that no element is null, and adds up the bytes; false when the call has failed.
bool MeasureJoin(FunctionCall* call, absl::Span<const Value> lists, uint64_t* items, uint64_t* bytes) {
  for (size_t n = 0; n < lists.size(); ++n) {
    absl::Span<const Value> elements = lists[n].elements();
    for (size_t i = 0; i < elements.size(); ++i) {
      if (elements[i].is_null()) {
        call->ArgumentError(n + 1, absl::StrCat("element ", i, " is null, and null values cannot be joined"));
        return false;
      }
      *bytes += elements[i].AsString().size();
    }
    *items += elements.size();
  }
  return true;
}

Value Join(FunctionCall* call, absl::Span<const Value> arguments) {
  absl::Span<const Value> lists = arguments.subspan(1);
  if (lists.empty()) return call->Error("at least one list is required");
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
  char* const buffer = call->arena()->NewArray<char>(bytes);
  char* at = buffer;
  auto append = [&at](std::string_view part) {
    if (!part.empty()) std::memcpy(at, part.data(), part.size());
    at += part.size();
  };
  bool first = true;
  for (const Value& list : lists) {
    for (const Value& element : list.elements()) {
      if (!first) append(separator);
      first = false;
      append(element.AsString());
    }
  }
  return NormalizedView({buffer, bytes}, call->arena());
}

// End of the piece of `text` that starts at `begin`, for split.
size_t PieceEnd(std::string_view text, std::string_view separator, size_t begin) {
  if (separator.empty()) return begin + DecodeUtf8(text, begin).bytes;
  const size_t end = FindText(text, separator, begin);
  return end == std::string_view::npos ? text.size() : end;
}

Value Split(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view separator = arguments[0].AsString();
  const std::string_view text = arguments[1].AsString();
  // Without a separator every code point is a piece, and an empty text has none.
  uint64_t count = separator.empty() ? 0 : 1;
  if (separator.empty()) {
    for (size_t at = 0; at < text.size(); at = PieceEnd(text, separator, at)) ++count;
  } else {
    for (size_t at = 0; (at = FindText(text, separator, at)) != std::string_view::npos; at += separator.size()) ++count;
  }
  if (!CanMake(call, count)) return Value();
  internal::Sequence* list = NewSequence(static_cast<uint32_t>(count), Type::String(), false, call->arena());
  size_t begin = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t end = PieceEnd(text, separator, begin);
    list->mutable_items()[i] = Value::StringView(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  Finish(list);
  return Value::FromSequence(Value::Tag::kList, list);
}

}  // namespace

void RegisterStringFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  builder->Add(Define("startswith", {Param("str", string), Param("prefix", string)}, Type::Bool(), StartsWith));
  builder->Add(Define("endswith", {Param("str", string), Param("suffix", string)}, Type::Bool(), EndsWith));
  builder->Add(Define("strcontains", {Param("str", string), Param("substr", string)}, Type::Bool(), StrContains));
  builder->Add(Define("upper", {Param("str", string, kAllowDynamic)}, string, Upper));
  builder->Add(Define("lower", {Param("str", string, kAllowDynamic)}, string, Lower));
  builder->Add(Define("trimspace", {Param("str", string)}, string, TrimSpace));
  builder->Add(DefineVariadic("join", {Param("separator", string)}, Param("lists", Common().list_of_string), string,
                              Join));
  builder->Add(Define("split", {Param("separator", string), Param("str", string)}, Common().list_of_string, Split));
}

}  // namespace hcl
