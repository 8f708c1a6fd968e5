// Memory for a text that a function makes.
//
// Tested by vm/functions/string_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_TEXT_BUFFER_H_
#define HCLVM_VM_FUNCTIONS_TEXT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Of a size that is known before. What a Value holds inline is made here, everything else in the arena. Neither copied
// nor moved.
class TextBuffer {
 public:
  // The caller has asked whether `bytes` can be made.
  TextBuffer(size_t bytes, Arena* arena)
      : begin_(bytes <= kMaxInlineString ? here_ : arena->NewArray<char>(bytes)), end_(begin_ + bytes), at_(begin_) {}
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  // All that is appended must fit.
  void Append(std::string_view text) {
    HCL_DCHECK(text.size() <= room());
    if (!text.empty()) std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  void Append(char c) {
    HCL_DCHECK(room() > 0);
    *at_++ = c;
  }
  // The text of a string value. A short one is taken by its two words where there is room for them.
  void AppendText(const Value& string) {
    if (TagOf(string) != Tag::kShortString || room() < 2 * sizeof(uint64_t)) return Append(string.AsString());
    const uint64_t words[2] = {HeadBits(string) >> 16 | PayloadBits(string) << 48, PayloadBits(string) >> 16};
    std::memcpy(at_, words, sizeof(words));
    at_ += HeadBits(string) >> 8 & 0xff;
  }

  // What has been appended.
  std::string_view text() const { return {begin_, static_cast<size_t>(at_ - begin_)}; }
  // The same as a value; normalizes where needed, and pays for that.
  Value Finish(FunctionCall* call) const { return NormalizedView(text(), call); }

 private:
  size_t room() const { return static_cast<size_t>(end_ - at_); }

  char here_[kMaxInlineString];
  char* begin_;
  char* end_;
  char* at_;
};

// A text of a size that is not known before. Takes memory from the system only when it is long. Neither copied nor
// moved.
class GrowingText {
 public:
  GrowingText() = default;
  GrowingText(const GrowingText&) = delete;
  GrowingText& operator=(const GrowingText&) = delete;

  void Append(std::string_view text) {
    char* const at = Extend(text.size());
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
  }
  void Append(size_t count, char c) { std::memset(Extend(count), c, count); }
  size_t size() const { return size_; }
  std::string_view text() const { return {long_.empty() ? here_ : long_.data(), size_}; }

 private:
  static constexpr size_t kShort = 128;

  // Room for `bytes` more behind the text.
  char* Extend(size_t bytes) {
    const size_t begin = size_;
    size_ += bytes;
    if (long_.empty()) {
      if (size_ <= kShort) return here_ + begin;
      long_.reserve(2 * size_);
      long_.assign(here_, begin);
    }
    long_.resize(size_);
    return long_.data() + begin;
  }

  char here_[kShort];
  std::string long_;  // in its place, once it is longer
  size_t size_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_TEXT_BUFFER_H_
