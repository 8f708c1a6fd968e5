// Quick bodies: by the two words of a value, which hold a short text. Tested by vm/functions/quick_bodies_test.cc.

#include "hclvm/vm/functions/quick_bodies.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "absl/base/attributes.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/decimal_values.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
constexpr uint64_t kTops = 0x80 * kOnes;
constexpr int kTextShift = 16;  // a short text begins in the third byte of the first word

bool IsShortAscii(const Value& v) {
  return TagOf(v) == Tag::kShortString && ((HeadBits(v) >> kTextShift | PayloadBits(v)) & kTops) == 0;
}

// A bit at the place of 0x20 in each byte that is from `first` to `last`. All bytes are below 0x80, so that no sum runs
// into the next byte.
uint64_t LettersIn(uint64_t bytes, char first, char last) {
  const uint64_t from = bytes + kOnes * static_cast<uint64_t>(0x80 - first);
  const uint64_t behind = bytes + kOnes * static_cast<uint64_t>(0x80 - last - 1);
  return (from & ~behind & kTops) >> 2;
}

// The bytes behind the text's end are zero, which is no letter.
template <char kFirst, char kLast>
bool MapCase(Value* arguments, const Heap& /*heap*/) {
  const Value& text = arguments[0];
  if (!IsShortAscii(text)) return false;
  const uint64_t head = HeadBits(text);
  const uint64_t first = LettersIn(head >> kTextShift, kFirst, kLast) << kTextShift;
  *arguments = ValueAccess::Make(Tag::kShortString, head ^ first,
                                 PayloadBits(text) ^ LettersIn(PayloadBits(text), kFirst, kLast));
  return true;
}

// What may be any null becomes one of that type. Out of line, as it is rare.
ABSL_ATTRIBUTE_NOINLINE bool BecomesNull(Value* argument, Type type) {
  if (!IsUntypedNull(*argument)) return false;
  *argument = Value::Null(type);
  return true;
}

bool ToNumber(Value* arguments, const Heap& heap) {
  if (TagOf(arguments[0]) == Tag::kNumber) return true;
  int64_t number;
  if (!ReadShortDigits(arguments[0], &number) || heap.limits().max_number_digits < kMaxInlineDigits) {
    return BecomesNull(arguments, Type::Number());
  }
  *arguments = Value::Int(number);
  return true;
}

bool ToText(Value* arguments, const Heap& /*heap*/) {
  const Value& argument = arguments[0];
  if (argument.is_bool()) {
    *arguments = Value::StringView(argument.is_true() ? "true" : "false");
    return true;
  }
  return TagOf(argument) == Tag::kShortString || WriteShortNumber(argument, arguments) ||
         BecomesNull(arguments, Type::String());
}

bool ToBool(Value* arguments, const Heap& /*heap*/) {
  if (arguments[0].is_bool()) return true;
  const bool is_true = arguments[0].SameBits(Value::StringView("true"));
  if (!is_true && !arguments[0].SameBits(Value::StringView("false"))) return BecomesNull(arguments, Type::Bool());
  *arguments = Value::Bool(is_true);
  return true;
}

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A copy, as the value is replaced by a part of itself.
struct ShortText {
  explicit ShortText(const Value& value) : size(value.AsString().size()) {
    std::memcpy(bytes, value.AsString().data(), size);
  }
  std::string_view Part(size_t begin, size_t end) const { return {bytes + begin, end - begin}; }
  size_t size;
  char bytes[kMaxInlineString];
};

bool TrimSpace(Value* arguments, const Heap& /*heap*/) {
  if (!IsShortAscii(arguments[0])) return false;
  const ShortText text(arguments[0]);
  size_t begin = 0;
  size_t end = text.size;
  while (begin < end && IsBlank(text.bytes[begin])) ++begin;
  while (end > begin && IsBlank(text.bytes[end - 1])) --end;
  if (end - begin < text.size) *arguments = Value::StringView(text.Part(begin, end));
  return true;
}

bool TrimPrefix(Value* arguments, const Heap& /*heap*/) {
  if (!IsShortAscii(arguments[0]) || !IsShortAscii(arguments[1])) return false;
  const ShortText text(arguments[0]);
  const ShortText prefix(arguments[1]);
  const bool has =
      prefix.size > 0 && prefix.size <= text.size && std::memcmp(text.bytes, prefix.bytes, prefix.size) == 0;
  if (has) *arguments = Value::StringView(text.Part(prefix.size, text.size));
  return true;
}

bool TrimSuffix(Value* arguments, const Heap& /*heap*/) {
  if (!IsShortAscii(arguments[0]) || !IsShortAscii(arguments[1])) return false;
  const ShortText text(arguments[0]);
  const ShortText suffix(arguments[1]);
  if (suffix.size == 0 || suffix.size > text.size) return true;
  const size_t rest = text.size - suffix.size;
  if (std::memcmp(text.bytes + rest, suffix.bytes, suffix.size) == 0) {
    *arguments = Value::StringView(text.Part(0, rest));
  }
  return true;
}

bool HasLineBreak(const ShortText& text) { return std::memchr(text.bytes, '\r', text.size) != nullptr; }

bool Strlen(Value* arguments, const Heap& /*heap*/) {
  if (!IsShortAscii(arguments[0]) || HasLineBreak(ShortText(arguments[0]))) return false;
  *arguments = Value::Int(static_cast<int64_t>(arguments[0].AsString().size()));
  return true;
}

// What counts from the end has rules of its own.
bool Substr(Value* arguments, const Heap& /*heap*/) {
  if (!IsShortAscii(arguments[0]) || !arguments[1].is_int() || !arguments[2].is_int()) return false;
  const ShortText text(arguments[0]);
  const int64_t offset = arguments[1].AsInt();
  const int64_t length = arguments[2].AsInt();
  if (offset < 0 || HasLineBreak(text)) return false;
  const size_t begin = std::min(static_cast<size_t>(offset), text.size);
  const size_t rest = text.size - begin;
  const size_t size = length < 0 ? rest : std::min(static_cast<size_t>(length), rest);
  *arguments = Value::StringView(text.Part(begin, begin + size));
  return true;
}

bool Absolute(Value* arguments, const Heap& /*heap*/) {
  const Value& number = arguments[0];
  if (!number.is_int() || number.AsInt() == INT64_MIN) return false;
  if (number.AsInt() < 0) *arguments = Value::Int(-number.AsInt());
  return true;
}

// Numbers of one scale. The first one stays where both are equal.
template <bool kGreatest>
bool Extreme(Value* arguments, const Heap& /*heap*/) {
  if (!HaveOneScale(arguments[0], arguments[1])) return false;
  const int64_t first = CoefficientOf(arguments[0]);
  const int64_t second = CoefficientOf(arguments[1]);
  if (kGreatest ? second > first : second < first) arguments[0] = arguments[1];
  return true;
}

// Whether an element of that list or tuple is a scalar that a call may give, whatever the type of the others.
bool IsResult(const Value& element, const Heap& heap) {
  const Tag tag = TagOf(element);
  if (tag == Tag::kString) return element.weight() <= heap.limits().max_result_bytes / sizeof(Value);
  return tag >= Tag::kFalse && tag <= Tag::kShortString && tag != Tag::kBigNumber;
}

// What counts from the end is rare, and so are indexes beyond it, which begin anew.
bool Element(Value* arguments, const Heap& heap) {
  const Value& sequence = arguments[0];
  if (!(sequence.is_tuple() || sequence.is_list()) || !arguments[1].is_int() || arguments[1].AsInt() < 0) return false;
  const Sequence& items = SequenceOf(sequence);
  if (items.size == 0 || !items.wholly_known || items.has_marks) return false;
  auto at = static_cast<uint64_t>(arguments[1].AsInt());
  if (at >= items.size) at %= items.size;
  const Value& item = items.items()[at];
  if (!IsResult(item, heap)) return false;
  arguments[0] = item;
  return true;
}

// Values that conversions refuse.
template <TypeKind kKind>
bool IsUnfitFor(const Value* arguments) {
  return IsUnfit(arguments[0], kKind);
}

// The same of either of two arguments that become numbers.
bool IsNoPairOfNumbers(const Value* arguments) {
  return IsUnfit(arguments[0], TypeKind::kNumber) || IsUnfit(arguments[1], TypeKind::kNumber);
}

// There is nothing to take from an empty list, nor from what is none.
bool ElementFails(const Value* arguments) {
  const Value& sequence = arguments[0];
  const Value& index = arguments[1];
  if (sequence.is_null()) return true;
  if (TagOf(sequence) >= Tag::kFalse && TagOf(sequence) <= Tag::kString) return TagOf(index) <= Tag::kMap;
  if (!(sequence.is_tuple() || sequence.is_list())) return false;
  return IsUntypedNull(index) || (SequenceOf(sequence).size == 0 && index.is_int()) ||
         IsUnfit(index, TypeKind::kNumber);
}

struct Named {
  std::string_view function;
  QuickBody body;
  FailureTest fails = nullptr;
};

constexpr Named kQuickBodies[] = {
    {"abs", Absolute, IsUnfitFor<TypeKind::kNumber>},
    {"element", Element, ElementFails},
    {"lower", MapCase<'A', 'Z'>},
    {"max", Extreme<true>, IsNoPairOfNumbers},
    {"min", Extreme<false>, IsNoPairOfNumbers},
    {"strlen", Strlen},
    {"substr", Substr},
    {"tobool", ToBool, IsUnfitFor<TypeKind::kBool>},
    {"tonumber", ToNumber, IsUnfitFor<TypeKind::kNumber>},
    {"tostring", ToText, IsUnfitFor<TypeKind::kString>},
    {"trimprefix", TrimPrefix},
    {"trimspace", TrimSpace},
    {"trimsuffix", TrimSuffix},
    {"upper", MapCase<'a', 'z'>},
};

}  // namespace

// Digits are put behind zeros, so that there are eight, and all are tested at once: of what is above nine, the sum or
// the byte itself has its top bit.
bool ReadShortDigits(const Value& text, int64_t* number) {
  const uint64_t bits = (HeadBits(text) >> 8 & 0xff) * 8;
  if (TagOf(text) != Tag::kShortString || bits == 0 || bits > 56) return false;
  const uint64_t bytes = HeadBits(text) >> kTextShift | PayloadBits(text) << 48;
  const uint64_t digits = (bytes ^ kOnes * '0') << (64 - bits);
  if (((digits | (digits + kOnes * (0x80 - 10))) & kTops) != 0) return false;
  *number = ReadEightDigits(digits + kOnes * '0');
  return true;
}

QuickBody QuickBodyOf(std::string_view function) {
  const auto* const found = std::find_if(std::begin(kQuickBodies), std::end(kQuickBodies),
                                         [function](const Named& named) { return named.function == function; });
  return found == std::end(kQuickBodies) ? nullptr : found->body;
}

FailureTest FailureTestOf(QuickBody quick) {
  const auto* const found = std::find_if(std::begin(kQuickBodies), std::end(kQuickBodies),
                                         [quick](const Named& named) { return named.body == quick; });
  return found == std::end(kQuickBodies) ? nullptr : found->fails;
}

bool WriteShortNumber(const Value& number, Value* text) {
  constexpr int64_t kTooLong = 10'000'000'000'000;  // a sign, and 13 digits
  if (!number.is_int()) return false;
  const int64_t whole = number.AsInt();
  if (whole <= -kTooLong || whole >= kTooLong) return false;
  char digits[kMaxInlineString];
  char* const end = digits + sizeof(digits);
  char* begin = WriteBackwards(whole < 0 ? 0 - static_cast<uint64_t>(whole) : static_cast<uint64_t>(whole), end);
  if (whole < 0) *--begin = '-';
  *text = Value::StringView({begin, static_cast<size_t>(end - begin)});
  return true;
}

}  // namespace hcl::internal
