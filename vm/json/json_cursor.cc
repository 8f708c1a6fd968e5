// JSON tokens: strings, numbers, literals, and what is said when they are malformed.
//
// Tested by vm/json/json_reader_test.cc.

#include "hclvm/vm/json/json_cursor.h"

#include <cstring>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace internal {
namespace {

bool StopsString(unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; }

// A byte and not a character: what stands here may be no valid UTF-8.
std::string DescribeByte(const char* at, const char* end) {
  if (at == end) return "the end of the text";
  unsigned char byte = static_cast<unsigned char>(*at);
  if (byte > 0x20 && byte < 0x7f) return std::string("\"") + *at + "\"";
  constexpr char kHex[] = "0123456789abcdef";
  return std::string("the byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
}

}  // namespace

bool JsonCursor::Fail(size_t offset, DiagnosticCode code, absl::FunctionRef<std::string()> detail) {
  const Silence* const silence = error_->silence;
  if (!IsLimit(code) && IsSilent(silence)) {
    error_->code = code;
    error_->offset = offset;
    error_->is_limit = false;
    error_->summary.clear();
    error_->detail.clear();
    return false;
  }
  *error_ = JsonError(code, detail(), offset);
  error_->silence = silence;
  return false;
}

bool JsonCursor::Fail(size_t offset, DiagnosticCode code, const char* detail) {
  return Fail(offset, code, [detail] { return std::string(detail); });
}

// A byte order mark gets its own words, since it is invisible where people look for the mistake. RFC 8259 lets a reader
// ignore it, and forbids writing it; this reader is strict.
bool JsonCursor::FailExpected(const char* what) {
  Peek();
  if (offset() == 0 && end_ - at_ >= 3 && std::memcmp(at_, "\xef\xbb\xbf", 3) == 0) {
    return Fail(0, DiagnosticCode::kInvalidJson, "The text begins with a byte order mark, which JSON does not allow.");
  }
  return Fail(offset(), DiagnosticCode::kInvalidJson,
              [&] { return std::string("Expected ") + what + ", but found " + DescribeByte(at_, end_) + "."; });
}

bool JsonCursor::FailDepth() {
  return Fail(offset(), DiagnosticCode::kValueTooDeep, [&] {
    return "Values may be nested at most " + std::to_string(heap_->limits().max_nesting_depth) +
           " levels deep (limit max_nesting_depth).";
  });
}

bool JsonCursor::FailDuplicate(size_t offset, std::string_view name) {
  return Fail(offset, DiagnosticCode::kDuplicateProperty,
              [&] { return "The property \"" + Excerpt(name) + "\" is given twice in one object."; });
}

// A limit and not an error in the text: hosts tell the two apart by is_limit.
bool JsonCursor::FailMemory() {
  return Fail(offset(), DiagnosticCode::kValueTooLarge, [&] {
    return "The value takes more than " + std::to_string(heap_->limits().max_result_bytes) + " bytes of memory.";
  });
}

bool JsonCursor::FailInterrupted() {
  return Fail(offset(), DiagnosticCode::kReadingInterrupted,
              "Reading the text was cancelled, or its deadline has passed.");
}

// Peek() gives 0 for a NUL byte too, which is none of the blanks.
bool JsonCursor::TakeEnd() {
  if (Peek() == '\0' && at_ == end_) return true;
  return FailExpected("the end of the text after the value");
}

// The first byte from `from` on that ends a string or needs a look; the end of the text when there is none. Sixteen
// bytes at a time, since strings are most of the bytes of a document. A block that reaches beyond the text is not read;
// the last bytes go one by one.
const char* JsonCursor::FindStringStop(const char* from, bool* non_ascii) const {
  constexpr ptrdiff_t kStep = 16;
  for (; end_ - from >= kStep; from += kStep) {
    const StringBytes bytes = ClassifyString(from);
    const uint32_t stops = bytes.quotes | bytes.others;
    // The first stop's bit and those before it.
    const uint32_t seen = stops ^ (stops - 1);
    *non_ascii = *non_ascii || (bytes.non_ascii & seen) != 0;
    if (stops != 0) return from + __builtin_ctz(stops);
  }
  for (; from < end_ && !StopsString(static_cast<unsigned char>(*from)); ++from) *non_ascii |= (*from & 0x80) != 0;
  return from;
}

// Nearly every string ends at its first stop: it is taken where it stands. ASCII is in NFC already, so that only other
// strings pay for validation and normalization.
bool JsonCursor::TakeString(bool borrow, Value* value) {
  const char* begin = at_ + 1;
  bool non_ascii = false;
  const char* stop = FindStringStop(begin, &non_ascii);
  if (stop == end_ || *stop != '"') return TakeEscapedString(begin, non_ascii, value);
  at_ = stop + 1;
  std::string_view text(begin, static_cast<size_t>(stop - begin));
  if (non_ascii) return FinishString(text, begin, borrow, value);
  if (borrow) {
    *value = Value::StringView(text);
    return true;
  }
  if (!heap_->CanAllocate(text.size())) return FailMemory();
  *value = Value::String(text, heap_->arena());
  return true;
}

// A string that holds bytes beyond ASCII, or was put together in the scratch buffer. `source`: where it stands in the
// text, or null when its parts have been found to be valid. Three times the size is asked for, since NFC may be longer
// than the text that it comes from.
bool JsonCursor::FinishString(std::string_view text, const char* source, bool borrow, Value* value) {
  size_t invalid = source != nullptr ? FindInvalidUtf8(text) : std::string_view::npos;
  if (invalid != std::string_view::npos) return FailInString(source + invalid);
  if (!heap_->CanAllocate(text.size() * 3)) return FailMemory();
  if (IsKnownNfc(text)) {
    *value = borrow ? Value::StringView(text) : Value::String(text, heap_->arena());
  } else {
    *value = Value::String(ToNfc(text), heap_->arena());
  }
  return true;
}

bool JsonCursor::FailInString(const char* at) {
  size_t offset = static_cast<size_t>(at - begin_);
  if (at == end_) return Fail(offset, DiagnosticCode::kInvalidJson, "The text ends inside of a string.");
  if (static_cast<unsigned char>(*at) < 0x20) {
    return Fail(offset, DiagnosticCode::kInvalidJson, [&] {
      return "Found " + DescribeByte(at, end_) + " in a string; control characters must be written as escapes.";
    });
  }
  return Fail(offset, DiagnosticCode::kInvalidJson, "The string is not valid UTF-8 from here on.");
}

// A string that has an escape, or an error, at its first stop. Literal stretches are validated one by one and escapes
// give code points, so that the whole needs no validation; it cannot be borrowed, since it stands nowhere in the text.
bool JsonCursor::TakeEscapedString(const char* begin, bool non_ascii, Value* value) {
  scratch_->clear();
  at_ = begin;
  while (true) {
    const char* stop = FindStringStop(at_, &non_ascii);
    std::string_view literal(at_, static_cast<size_t>(stop - at_));
    size_t invalid = non_ascii ? FindInvalidUtf8(literal) : std::string_view::npos;
    if (invalid != std::string_view::npos) return FailInString(at_ + invalid);
    scratch_->append(literal);
    at_ = stop;
    if (at_ == end_ || static_cast<unsigned char>(*at_) < 0x20) return FailInString(at_);
    if (*at_ == '"') break;
    if (!TakeEscape()) return false;
  }
  ++at_;
  return FinishString(*scratch_, nullptr, /*borrow=*/false, value);
}

// RFC 8259, section 7, has these escapes and no others. The error points to the backslash, where the reader of the
// message looks first.
bool JsonCursor::TakeEscape() {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kBytes = "\"\\/\b\f\n\r\t";
  const char* escape = at_++;
  if (at_ == end_) return FailInString(at_);
  size_t named = kNames.find(*at_);
  if (named != std::string_view::npos) {
    ++at_;
    scratch_->push_back(kBytes[named]);
    return true;
  }
  if (*at_ != 'u') {
    return Fail(static_cast<size_t>(escape - begin_), DiagnosticCode::kInvalidJson, [&] {
      return "A backslash must be followed by one of \" \\ / b f n r t u, not by " + DescribeByte(at_, end_) + ".";
    });
  }
  ++at_;
  char32_t code_point;
  if (!TakeCodePoint(&code_point)) return false;
  AppendUtf8(code_point, scratch_);
  return true;
}

// What follows "\u", with the second half of a surrogate pair. A half that stands alone becomes U+FFFD. AppendUtf8()
// makes U+FFFD of it. If a second escape is no second half, the cursor goes back, because it stands for itself.
bool JsonCursor::TakeCodePoint(char32_t* code_point) {
  uint32_t unit;
  if (!TakeHex(&unit)) return false;
  *code_point = unit;
  bool high = unit >= 0xd800 && unit < 0xdc00;
  if (!high || end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return true;
  const char* second_begin = at_;
  at_ += 2;
  uint32_t second;
  if (!TakeHex(&second)) return false;
  if (second >= 0xdc00 && second < 0xe000) {
    *code_point = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
  } else {
    at_ = second_begin;
  }
  return true;
}

bool JsonCursor::TakeHex(uint32_t* unit) {
  *unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    char c = at_ < end_ ? *at_ : '\0';
    char lower = static_cast<char>(c | 0x20);
    uint32_t digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      digit = static_cast<uint32_t>(lower - 'a' + 10);
    } else {
      return Fail(offset(), DiagnosticCode::kInvalidJson, [&] {
        return "\"\\u\" must be followed by four hexadecimal digits; found " + DescribeByte(at_, end_) + ".";
      });
    }
    *unit = *unit * 16 + digit;
  }
  return true;
}

// The fast path reads up to 18 digits, which fit 64 bits without a test for overflow; it is left out where a test sets
// the limit below them. Otherwise the token is found first and read by Number::Parse(), which judges its syntax: what
// is taken here is at least as long as any number.
bool JsonCursor::TakeNumber(Value* value) {
  const char* plain = ReadPlainInteger(at_, end_, value);
  if (plain != nullptr && heap_->limits().max_number_digits >= kMaxPlainDigits) {
    at_ = plain;
    return true;
  }
  const char* p = SkipDigits(*at_ == '-' ? at_ + 1 : at_);
  if (p < end_ && *p == '.') p = SkipDigits(p + 1);
  if (p < end_ && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end_ && (*p == '+' || *p == '-')) ++p;
    p = SkipDigits(p);
  }
  std::string_view token(at_, static_cast<size_t>(p - at_));
  NumberError error;
  Number number = Number::Parse(token, NumberSyntax::kJson, heap_->limits(), heap_->arena(), &error);
  if (error == NumberError::kSyntax) {
    return Fail(offset(), DiagnosticCode::kInvalidJson, "This is not a number as JSON writes it.");
  }
  if (error != NumberError::kNone) {
    return Fail(offset(), DiagnosticCode::kNumberTooLong, [&] {
      return "A number may have at most " + std::to_string(heap_->limits().max_number_digits) +
             " digits when it is written without an exponent.";
    });
  }
  at_ = p;
  *value = Value::FromNumber(number);
  return true;
}

// What follows the word is not looked at: the caller wants a comma, a bracket or the end next, and reports anything
// else.
bool JsonCursor::TakeLiteral(Value* value) {
  std::string_view rest(at_, static_cast<size_t>(end_ - at_));
  size_t length = 4;
  if (rest.substr(0, 4) == "true") {
    *value = Value::Bool(true);
  } else if (rest.substr(0, 4) == "null") {
    *value = Value::Null();
  } else if (rest.substr(0, 5) == "false") {
    *value = Value::Bool(false);
    length = 5;
  } else {
    return FailExpected("a value");
  }
  at_ += length;
  return true;
}

// Checks the syntax like any other reading, so that a skipped part cannot be malformed. Recursion is counted down from
// Limits::max_nesting_depth.
bool JsonCursor::Skip(uint32_t depth) {
  Value ignored;
  char open = Peek();
  if (open == '"') return TakeString(/*borrow=*/true, &ignored);
  if (open == '-' || (open >= '0' && open <= '9')) return TakeNumber(&ignored);
  if (open != '[' && open != '{') return TakeLiteral(&ignored);
  if (depth == 0) return FailDepth();
  ++at_;
  char close = open == '[' ? ']' : '}';
  if (TryTake(close)) return true;
  do {
    if (open == '{') {
      if (Peek() != '"') return FailExpected("a property name in quotes");
      if (!TakeString(/*borrow=*/true, &ignored) || !Take(':', "\":\" after the property name")) return false;
    }
    if (!Skip(depth - 1)) return false;
  } while (TryTake(','));
  return Take(close, open == '[' ? "\",\" or \"]\"" : "\",\" or \"}\"");
}

}  // namespace internal
}  // namespace hcl
