// JsonCursor: walks over a JSON text (RFC 8259, strictly), token by token.
//
// Written by hand rather than over simdjson, whose first stage reports malformed UTF-8, unclosed strings and raw
// control characters without saying where, so that a second parser would be needed to name the place; and whose fixed
// cost for each document, with the copy into a padded buffer, is of the size of a small request line's whole parse
// here.
//
// Internal to the JSON readers. Tested by vm/json_reader_test.cc.

#ifndef HCLVM_VM_JSON_CURSOR_H_
#define HCLVM_VM_JSON_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "vm/heap.h"
#include "vm/json.h"
#include "vm/value.h"

namespace hcl {
namespace internal {

// Every method that returns bool returns false on an error, which is then in *error.
class JsonCursor {
 public:
  // All must outlive the cursor. `scratch` is overwritten as the cursor goes.
  JsonCursor(std::string_view text, Heap* heap, std::string* scratch, JsonError* error)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), heap_(heap), scratch_(scratch), error_(error) {}

  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  void Seek(size_t offset) { at_ = begin_ + offset; }

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
  // Takes any value and forgets it. `depth`: levels that may follow.
  bool Skip(uint32_t depth);

  // Each sets the error and returns false.
  bool Fail(size_t offset, std::string summary, std::string detail);
  bool FailExpected(const char* what);
  bool FailDepth();
  bool FailDuplicate(size_t offset, std::string_view name);
  bool FailMemory();

 private:
  bool TakePlainInteger(Value* value);
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

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_JSON_CURSOR_H_
