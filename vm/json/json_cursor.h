// JsonCursor: walks over a JSON text (RFC 8259, strictly), token by token.
//
// Written by hand rather than over simdjson, whose first stage reports malformed UTF-8, unclosed strings and raw
// control characters without saying where, so that a second parser would be needed to name the place; and whose fixed
// cost for each document, with the copy into a padded buffer, is of the size of a small request line's whole parse
// here.
//
// Internal to the JSON readers. Tested by vm/json/json_reader_test.cc.

#ifndef HCLVM_VM_JSON_JSON_CURSOR_H_
#define HCLVM_VM_JSON_JSON_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "absl/functional/function_ref.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/silence.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {

// What FindStringStop and the reader look for among 16 bytes of a string: a bit for each byte.
struct StringBytes {
  uint32_t quotes;     // exact up to the first
  uint32_t others;     // backslashes and control characters; exact up to the first
  uint32_t non_ascii;  // bytes beyond ASCII
};
StringBytes ClassifyString(const char* bytes);

// Every method that returns bool returns false on an error, which is then in *error.
class JsonCursor {
 public:
  // All must outlive the cursor. `scratch` is overwritten as the cursor goes.
  JsonCursor(std::string_view text, Heap* heap, std::string* scratch, JsonError* error)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), heap_(heap), scratch_(scratch), error_(error) {}

  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  const char* at() const { return at_; }
  const char* end() const { return end_; }
  // Goes to `at`, in the text.
  void Seek(const char* at) { at_ = at; }

  // The next byte that is not blank, without taking it; 0 at the end of the text (and for a NUL byte).
  char Peek() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    return at_ < end_ ? *at_ : '\0';
  }
  // Takes the next byte that is not blank, if it is `c`.
  bool TryTake(char c) {
    if (Peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  // Takes `c` or fails; `what` completes "Expected ...".
  bool Take(char c, const char* what) { return TryTake(c) || FailExpected(what); }
  // Fails unless only blanks are left.
  bool TakeEnd();

  // Takes a string, which Peek() has shown to begin: as a value in NFC, which lives in the heap or, with `borrow`, in
  // the text where it stands there literally.
  bool TakeString(bool borrow, Value* value);
  // Takes a number, which Peek() has shown to begin (a digit or a minus).
  bool TakeNumber(Value* value);
  // Takes true, false or null, or fails as something that is no value at all.
  bool TakeLiteral(Value* value);
  static constexpr int kMaxPlainDigits = 18;
  // The end of an integer at `at` of at most kMaxPlainDigits digits that nothing but a delimiter follows; null when
  // something else is there. Right if Limits::max_number_digits is no less.
  static const char* ReadPlainInteger(const char* at, const char* end, Value* value);
  // Takes any value and forgets it. `depth`: levels that may follow.
  bool Skip(uint32_t depth);

  // Each sets the error and returns false. A detail that takes work to put together is made only where it is read.
  bool Fail(size_t offset, DiagnosticCode code, absl::FunctionRef<std::string()> detail);
  bool Fail(size_t offset, DiagnosticCode code, const char* detail);
  bool FailExpected(const char* what);
  bool FailDepth();
  bool FailDuplicate(size_t offset, std::string_view name);
  bool FailMemory();
  bool FailInterrupted();
  // Whether nobody reads the texts of what is no limit.
  bool is_quiet() const { return IsSilent(error_->silence); }

 private:
  bool TakeEscapedString(const char* begin, bool non_ascii, Value* value);
  bool TakeEscape();
  bool TakeCodePoint(char32_t* code_point);
  bool TakeHex(uint32_t* unit);
  bool FailInString(const char* begin);
  bool FinishString(std::string_view text, const char* source, bool borrow, Value* value);
  const char* FindStringStop(const char* from, bool* non_ascii) const;
  const char* SkipDigits(const char* from) const {
    while (from < end_ && *from >= '0' && *from <= '9') ++from;
    return from;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  Heap* heap_;
  std::string* scratch_;
  JsonError* error_;
};

#if defined(__SSE2__)

inline StringBytes ClassifyString(const char* bytes) {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
  const __m128i others = _mm_or_si128(control, _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
  return {static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')))),
          static_cast<uint32_t>(_mm_movemask_epi8(others)), static_cast<uint32_t>(_mm_movemask_epi8(block))};
}

#else

inline StringBytes ClassifyString(const char* bytes) {
  StringBytes result{0, 0, 0};
  for (int i = 0; i < 2; ++i) {
    const uint64_t word = LoadWord(bytes + 8 * i);
    result.quotes |= GatherMarks(MarkByte('"', word)) << 8 * i;
    result.others |= GatherMarks(MarkByte('\\', word) | MarkBelow(0x20, word)) << 8 * i;
    result.non_ascii |= GatherMarks(word) << 8 * i;
  }
  return result;
}

#endif

inline const char* JsonCursor::ReadPlainInteger(const char* at, const char* end, Value* value) {
  const char* p = at;
  const bool negative = p < end && *p == '-';
  if (negative) ++p;
  const char* const digits = p;
  const char* const last = end - p > kMaxPlainDigits ? p + kMaxPlainDigits : end;
  int64_t number = 0;
  for (; p != last; ++p) {
    const auto digit = static_cast<unsigned>(*p) - '0';
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  const bool bare = p - digits == 1 || (p > digits && *digits != '0');
  const bool delimited =
      p == end || *p == ',' || *p == '}' || *p == ']' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t';
  if (!bare || !delimited) return nullptr;
  *value = Value::Int(negative ? -number : number);
  return p;
}

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_JSON_JSON_CURSOR_H_
