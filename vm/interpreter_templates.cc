// Interpreter: templates. Tested by vm/evaluator_test.cc and tests/conformance.

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxIntDigits = 20;  // with the sign

constexpr size_t kMaxShortScalar = std::max<size_t>(kMaxIntDigits, Number::kMaxShortText);
constexpr size_t kFirstJoinedBytes = 256;

// Whether PutScalar() writes it.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool IsShortScalar(const Value& value) {
  return value.is_int() || value.is_bool() || (TagOf(value) == Tag::kNumber && value.AsNumber().is_short());
}

constexpr char kTrue[8] = "true";
constexpr char kFalse[8] = "false";

// Writes the string to `to`, where up to kMaxInlineString bytes behind it may be written too. Returns its end. Copies
// of fixed sizes, which may overlap, are a few moves; one of variable size is a call.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline char* PutString(const Value& string, char* to) {
  const std::string_view text = string.AsString();
  if (TagOf(string) == Tag::kShortString) {
    std::memcpy(to, text.data(), 8);
    std::memcpy(to + 6, text.data() + 6, 8);
  } else if (text.size() <= 16) {
    std::memcpy(to, text.data(), 8);
    std::memcpy(to + text.size() - 8, text.data() + text.size() - 8, 8);
  } else if (text.size() <= 32) {
    std::memcpy(to, text.data(), 16);
    std::memcpy(to + text.size() - 16, text.data() + text.size() - 16, 16);
  } else {
    std::memcpy(to, text.data(), text.size());
  }
  return to + text.size();
}

// The same of a bool or short number.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline char* PutScalar(const Value& value, char* to) {
  if (value.is_int()) return std::to_chars(to, to + kMaxIntDigits, value.AsInt()).ptr;
  if (value.is_number()) return value.AsNumber().WriteShort(to);
  std::memcpy(to, value.is_true() ? kTrue : kFalse, 8);
  return to + (value.is_true() ? 4 : 5);
}

}  // namespace

// The first pass finds the size and whether all parts are strings, bools and short numbers; then one buffer of the
// right size is written in one go (ConcatFast). Everything else goes part by part (ConcatAny). Only the first byte of
// each part matters for normalization, so that they are collected with `|` and tested once.
//
// The limit is asked for before the memory is taken; what is no string takes a few bytes for each operand of the list.
Value Interpreter::ConcatParts(absl::Span<const uint16_t> parts) {
  size_t bytes = 0;
  size_t others = 0;
  bool is_plain = true;
  uint64_t first_bytes = 0;
  for (uint16_t part : parts) {
    const Value& value = Operand(part);
    if (TagOf(value) == Tag::kShortString) {
      bytes += value.AsString().size();
      first_bytes |= HeadBits(value) >> 16;
    } else if (TagOf(value) == Tag::kString) {
      bytes += value.AsString().size();
      first_bytes |= static_cast<uint8_t>(value.AsString()[0]);
    } else if (value.is_int()) {
      others += kMaxIntDigits;
    } else if (IsShortScalar(value)) {
      others += Number::kMaxShortText;
    } else {
      is_plain = false;
    }
  }
  if (!context_.heap->CanAllocate(bytes)) {
    stopped_ = true;
    return context_.FailLimit(
        span_role::kWhole, DiagnosticCode::kResultTooLarge,
        absl::StrCat("This string would exceed the allowed ", context_.heap->limits().max_result_bytes,
                     " bytes of an evaluation (limit max_result_bytes)."));
  }
  if (!Charge(bytes / 64)) return OutOfFuel();
  return is_plain ? ConcatFast(parts, bytes + others, (first_bytes & 0x80) == 0) : ConcatAny(parts);
}

// Strings are in NFC, and remain so when what comes behind them begins with ASCII, which composes with nothing before
// it. The buffer has room to spare for PutString() and for what is no string; Rewind() gives it back to the arena.
Value Interpreter::ConcatFast(absl::Span<const uint16_t> parts, size_t bytes, bool begin_with_ascii) {
  Arena* arena = context_.heap->arena();
  char* const buffer = arena->NewArray<char>(bytes + kMaxInlineString);
  char* at = buffer;
  for (uint16_t part : parts) {
    const Value& value = Operand(part);
    at = value.is_string() ? PutString(value, at) : PutScalar(value, at);
  }
  arena->Rewind(at);
  const std::string_view text(buffer, static_cast<size_t>(at - buffer));
  return begin_with_ascii ? Value::StringView(text) : NormalizeParts(parts, text);
}

// Other characters than ASCII may compose with nothing before them either. Out of line, as most texts are not asked.
ABSL_ATTRIBUTE_NOINLINE Value Interpreter::NormalizeParts(absl::Span<const uint16_t> parts, std::string_view text) {
  const auto joins_nothing = [this](uint16_t part) {
    return !Operand(part).is_string() || JoinsNothing(Operand(part).AsString());
  };
  const bool is_nfc = std::all_of(parts.begin(), parts.end(), joins_nothing) || IsKnownNfc(text);
  return is_nfc ? Value::StringView(text) : Value::String(ToNfc(text), context_.heap->arena());
}

// native-syntax.md, "Templates" and "Template Interpolations". All parts are looked at even after one has failed, so
// that all errors are reported, in the order of the parts: the diagnostic for a part that cannot be converted is made
// here, after those of evaluating the later parts, and is moved before them. What stands before the first unknown part
// is kept as the prefix of the unknown result.
Value Interpreter::ConcatAny(absl::Span<const uint16_t> parts) {
  Arena* arena = context_.heap->arena();
  StringBuilder builder;
  std::string scratch;
  size_t moved = 0;
  for (size_t n = 0; n < parts.size(); ++n) {
    scratch.clear();
    const Value& part = Unmark(Operand(parts[n]), &builder.marks);
    const Value result = AppendPart(part, &scratch, &context_, span_role::kParts + static_cast<int>(n));
    if (result.is_error()) {
      builder.AddPoison(result);
      for (size_t later = n + 1; later < parts.size() && !part.is_error(); ++later) {
        if (!Operand(parts[later]).is_error()) continue;
        builder.AddPoison(Operand(parts[later]));
        MoveLastBefore(Operand(parts[later]), &moved);
        break;
      }
    } else if (result.is_unknown()) {
      builder.Append(RefinementOf(result).prefix, arena);
      builder.unknowable = true;
    } else {
      builder.Append(scratch, arena);
    }
  }
  return builder.Finish(arena);
}

// The same for templates with loops and directives, whose parts come one at a time.
void Interpreter::PushPart(StringBuilder* builder, const Value& marked_part) {
  const Value& part = Unmark(marked_part, &builder->marks);
  if (part.is_string()) return builder->Append(part.AsString(), context_.heap->arena());
  std::string text;
  const Value result = AppendPart(part, &text, &context_, span_role::kWhole);
  if (result.is_error()) return builder->AddPoison(result);
  if (result.is_unknown()) {
    builder->Append(RefinementOf(result).prefix, context_.heap->arena());
    builder->unknowable = true;
    return;
  }
  builder->Append(text, context_.heap->arena());
}

// What has no text, and what there is no memory or fuel for, is left to the slow path. Only the first bytes of what is
// appended matter for normalization, as in ConcatParts().
bool Interpreter::JoinPart(const Value& part, const Value& separator, StringBuilder* builder) {
  const bool is_string = part.is_string();
  if (!is_string && !IsShortScalar(part)) return JoinLongNumber(part, separator, builder);
  const size_t between = builder->has_parts ? separator.AsString().size() : 0;
  const size_t bytes = between + (is_string ? part.AsString().size() : kMaxShortScalar);
  if (builder->capacity - builder->size < bytes + kMaxInlineString && !MakeRoom(bytes, builder)) return false;
  char* const begin = builder->data + builder->size;
  char* const middle = between > 0 ? PutString(separator, begin) : begin;
  char* const end = is_string ? PutString(part, middle) : PutScalar(part, middle);
  builder->size = static_cast<size_t>(end - builder->data);
  builder->has_parts = true;
  const bool is_ascii = (begin == end || static_cast<signed char>(*begin) >= 0) &&
                        (middle == end || static_cast<signed char>(*middle) >= 0);
  if (ABSL_PREDICT_FALSE(!is_ascii) && builder->is_nfc) {
    const std::string_view before(begin, static_cast<size_t>(middle - begin));
    builder->is_nfc = JoinsNothing(before) && JoinsNothing({middle, static_cast<size_t>(end - middle)});
  }
  return true;
}

// A text is paid for where there is room made for it.
ABSL_ATTRIBUTE_NOINLINE bool Interpreter::MakeRoom(size_t bytes, StringBuilder* builder) {
  const size_t capacity = 2 * builder->capacity + bytes + kFirstJoinedBytes;
  if (!context_.heap->CanAllocate(capacity) || !Charge(capacity / 64)) return false;
  builder->Reserve(capacity, context_.heap->arena());
  return true;
}

ABSL_ATTRIBUTE_NOINLINE bool Interpreter::JoinLongNumber(const Value& part, const Value& separator,
                                                         StringBuilder* builder) {
  std::string text;
  if (!part.is_number() || AppendPart(part, &text, &context_, span_role::kWhole).is_error()) return false;
  return JoinPart(Value::String(text, context_.heap->arena()), separator, builder);
}

}  // namespace hcl::internal
