// Functions that encode values and decode strings. Tested by vm/functions/encoding_functions_test.cc.

#include "hclvm/vm/functions/encoding_functions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/base64_text.h"
#include "hclvm/vm/functions/csv_reader.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/json_text.h"
#include "hclvm/vm/functions/plain_json.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/kept_states.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The text depends on every part, so that one unknown part makes it unknown. Properties come in key order because
// objects have them so: the same value gives the same text.
Value JsonEncode(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_wholly_known()) return Value::Unknown(Type::String());
  if (PlainJsonSize size; MeasurePlainJson(arguments[0], &size)) {
    const uint64_t written = size.bytes + size.escapes;
    if (!CanMake(call, written, 1) || !call->Charge(CostOfJson(arguments[0], size.bytes) + written / 8)) return Value();
    return MakePlainJson(arguments[0], size, call->arena());
  }
  std::string text;
  std::string reason;
  if (!internal::AppendReferenceJson(call, arguments[0], &text, &reason)) return call->Error(reason);
  if (!CanMake(call, text.size(), 1) || !call->Charge(text.size() / 8)) return Value();
  return NormalizedCopy(text, call);
}

// Units of fuel for a reader of JSON.
constexpr uint64_t kCostOfReader = 20;

// Texts of up to so many bytes are read by a reader that is kept, whose buffers grow with what it reads, and which
// keeps up to three megabytes of keys.
constexpr size_t kMaxKeptText = 64 << 10;
constexpr size_t kMaxReaderBytes = 4 << 20;
constexpr char kReader = 0;  // what KeptStates knows it by

// A reader allocates when it is new.
std::shared_ptr<JsonReader> ReaderFor(std::string_view text, Heap* heap) {
  if (text.size() > kMaxKeptText) return std::make_shared<JsonReader>();
  KeptStates* const kept = heap->kept_states();
  // The state is the evaluation's own, and no more constant than its heap.
  if (const void* const found = kept->Find(&kReader, "")) {
    return *static_cast<const std::shared_ptr<JsonReader>*>(found);
  }
  auto holder = std::make_shared<std::shared_ptr<JsonReader>>(std::make_shared<JsonReader>());
  std::shared_ptr<JsonReader> reader = *holder;
  kept->Keep(&kReader, "", std::move(holder), kMaxReaderBytes);
  return reader;
}

// Whether a JSON text may begin so. Most texts that are none do not.
bool MayBeJson(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         std::string_view("{[\"-0123456789tfn").find(text[first]) != std::string_view::npos;
}

// The text is read like a request, with the same limits. The type of the result depends on the text:
// information-model.md, "Functions and Function Calls", has this very example.
Value JsonDecode(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!call->Charge(kCostOfReader + text.size() / 4)) return Value();
  Value value;
  JsonError error;
  error.silence = call->silence();
  const bool may_be_json = MayBeJson(text);
  if (may_be_json && ReaderFor(text, call->heap())->Read(text, call->heap(), &value, &error)) return value;
  // The reader has seen the host's wish to stop, which is in the heap's limits as well.
  if (error.is_limit && !call->Look()) return Value();
  const auto detail = [&] {
    if (!may_be_json) JsonReader().Read(text, call->heap(), &value, &error);
    std::string_view phrase = error.detail;
    if (!phrase.empty() && phrase.back() == '.') phrase.remove_suffix(1);
    return absl::StrCat("the text is not valid JSON, at byte ", error.offset, ": ", internal::ToAbsl(phrase));
  };
  return error.is_limit ? call->LimitError(detail()) : call->ArgumentError(0, detail);
}

Value Base64Encode(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!CanMake(call, text.size() / 3 + 1, 4) || !call->Charge(text.size() / 16)) return Value();
  return EncodeBase64(text, call);
}

// A string is text, so that bytes which are no UTF-8 have no value here: information-model.md, "Primitive Types".
Value Base64Decode(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::optional<std::string> decoded = DecodeBase64Argument(arguments[0], 0, call);
  if (!decoded) return Value();
  if (IsAscii(*decoded)) return Value::String(*decoded, call->arena());
  const size_t invalid = FindInvalidUtf8(*decoded);
  if (invalid != std::string::npos) {
    return call->ArgumentError(
        0, [&] { return absl::StrCat("the decoded bytes are not text: byte ", invalid, " is not UTF-8"); });
  }
  return NormalizedCopy(*decoded, call);
}

// Whether `c` stands for itself in the query of a URL.
bool IsLiteralInUrl(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
}

// As in the query of a URL: a blank becomes a plus sign. What is escaped is counted first, so that the room is taken
// once.
Value UrlEncode(FunctionCall* call, absl::Span<const Value> arguments) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const std::string_view text = arguments[0].AsString();
  if (!CanMake(call, text.size(), 3) || !call->Charge(text.size() / 4)) return Value();
  Pace pace(call);
  size_t escaped = 0;
  for (const char c : text) {
    escaped += IsLiteralInUrl(c) || c == ' ' ? 0 : 1;
    if (!pace.Step(1)) return Value();
  }
  TextBuffer out(text.size() + 2 * escaped, call->arena());
  for (const char c : text) {
    if (!pace.Step(1)) return Value();
    if (IsLiteralInUrl(c)) {
      out.Append(c);
    } else if (c == ' ') {
      out.Append('+');
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.Append('%');
      out.Append(kHex[byte >> 4]);
      out.Append(kHex[byte & 15]);
    }
  }
  return Value::StringView(out.text());
}

// What a digit of hexadecimal stands for, or -1.
int HexDigit(char c) {
  const char lower = static_cast<char>(c | 0x20);
  if (c >= '0' && c <= '9') return c - '0';
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// What urlencode makes, turned around; a character that needed no escape may have one, or stand for itself.
Value UrlDecode(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!CanMake(call, text.size(), 1) || !call->Charge(text.size() / 4)) return Value();
  Pace pace(call);
  TextBuffer out(text.size(), call->arena());
  for (size_t at = 0; at < text.size(); ++at) {
    if (!pace.Step(1)) return Value();
    if (text[at] != '%') {
      out.Append(text[at] == '+' ? ' ' : text[at]);
      continue;
    }
    const bool has_both = text.size() - at > 2;
    const int high = has_both ? HexDigit(text[at + 1]) : -1;
    const int low = has_both ? HexDigit(text[at + 2]) : -1;
    if (high < 0 || low < 0) {
      return call->ArgumentError(
          0, [&] { return absl::StrCat("two hexadecimal digits are required after the % at byte ", at); });
    }
    out.Append(static_cast<char>(high << 4 | low));
    at += 2;
  }
  const size_t invalid = FindInvalidUtf8(out.text());
  if (invalid == std::string::npos) return out.Finish(call);
  return call->ArgumentError(
      0, [&] { return absl::StrCat("the decoded bytes are not text: byte ", invalid, " is not UTF-8"); });
}

// The columns of a table: the shape of its rows, and where each column stands in it.
struct Columns {
  const Shape* shape;
  absl::InlinedVector<size_t, 16> positions;
};

// False when the call has failed. The shape is made once and shared by all rows; `positions` takes a field to its place
// in it, because attributes are sorted and columns are not.
bool ReadHeader(FunctionCall* call, CsvReader* reader, std::vector<std::string_view>* fields, Columns* columns) {
  if (!reader->Next(fields)) {
    call->ArgumentError(0, reader->error().empty() ? "the line with the columns' names is missing" : reader->error());
    return false;
  }
  if (!CanMake(call, fields->size(), 4 * sizeof(Value))) return false;
  absl::InlinedVector<KeyValue, 16> pairs;
  uint64_t weight = 0;
  for (std::string_view name : *fields) {
    pairs.push_back({NormalizedCopy(name, call), Value()});
    weight += pairs.back().key.weight();
  }
  if (!call->Charge(CostOfSorting(fields->size(), weight))) return false;
  columns->shape = &MakeObject(absl::MakeConstSpan(pairs), call->arena()).shape();
  absl::InlinedVector<bool, 16> seen(columns->shape->size);
  for (const KeyValue& pair : pairs) {
    const size_t position = static_cast<size_t>(columns->shape->Find(pair.key));
    if (seen[position]) {
      call->ArgumentError(0, [&] {
        return absl::StrCat("there are two columns named \"", internal::Excerpt(pair.key.AsString()), "\"");
      });
      return false;
    }
    seen[position] = true;
    columns->positions.push_back(position);
  }
  return true;
}

// A list of objects of strings, whose attributes are named by the first record. All records must be of one length, as
// in the reference, since the result is a list of one type. CanMake() is asked row by row: how many there are shows at
// the end.
Value CsvDecode(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!call->Charge(arguments[0].AsString().size() / 8)) return Value();
  CsvReader reader(arguments[0].AsString(), call->arena());
  std::vector<std::string_view> fields;
  Columns columns;
  if (!ReadHeader(call, &reader, &fields, &columns)) return Value();
  const size_t width = columns.positions.size();
  absl::InlinedVector<Value, 64> rows;
  absl::InlinedVector<Value, 16> row(width);
  while (reader.Next(&fields)) {
    if (fields.size() != width) {
      return call->ArgumentError(0, [&] {
        return absl::StrCat("line ", reader.record_line(), fields.size() == 1 ? ": there is " : ": there are ",
                            fields.size(), fields.size() == 1 ? " field for " : " fields for ", width, " columns");
      });
    }
    if (!CanMake(call, rows.size() + width + 3) || !call->Charge(1 + width)) return Value();
    for (size_t i = 0; i < width; ++i) row[columns.positions[i]] = NormalizedCopy(fields[i], call);
    rows.push_back(MakeObject(columns.shape, row, call->arena()));
  }
  if (!reader.error().empty()) return call->ArgumentError(0, reader.error());
  const absl::InlinedVector<Type, 16> strings(width, Type::String());
  return MakeList(call->types()->Object(*columns.shape, strings), rows, call->arena());
}

// A constant text decides alone.
template <FunctionBody kDecode>
void CheckText(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_unknown()) kDecode(call, arguments);
}

}  // namespace

void RegisterEncodingFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  const Parameter text = Param("str", string);
  const Parameter value = Param("val", Type::Dynamic(), internal::kAllowNull | internal::kAllowDynamic);
  builder->Add(Checked(CheckText<Base64Decode>, Define("base64decode", {text}, string, Base64Decode)));
  builder->Add(Define("base64encode", {text}, string, Base64Encode));
  builder->Add(Checked(CheckText<CsvDecode>, Define("csvdecode", {text}, Type::Dynamic(), CsvDecode)));
  builder->Add(Checked(CheckText<JsonDecode>, Define("jsondecode", {text}, Type::Dynamic(), JsonDecode)));
  builder->Add(Define("jsonencode", {value}, string, JsonEncode));
  builder->Add(Checked(CheckText<UrlDecode>, Define("urldecode", {text}, string, UrlDecode)));
  builder->Add(Define("urlencode", {text}, string, UrlEncode));
}

}  // namespace hcl::internal
