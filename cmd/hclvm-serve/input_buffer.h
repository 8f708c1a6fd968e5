// InputBuffer: what has been read from a socket and not been taken yet.
//
// Tested by tests/serve/*_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_INPUT_BUFFER_H_
#define HCLVM_CMD_HCLVM_SERVE_INPUT_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace hcl::serve {

// Belongs to one thread. Memory is there from the first read on, and goes back as far as it is much.
class InputBuffer {
 public:
  bool empty() const { return begin_ == end_; }
  std::string_view text() const { return std::string_view(text_).substr(begin_, end_ - begin_); }
  // So many bytes of text() are needed no more.
  void Take(size_t bytes) { begin_ += bytes; }

  // Makes room for reading; false where there is no more. What has been taken makes room first.
  bool MakeRoom() {
    if (empty()) begin_ = end_ = 0;
    if (end_ < text_.size()) return true;
    if (begin_ > 0) {
      std::copy_n(&text_[begin_], end_ - begin_, &text_[0]);
      end_ -= begin_;
      begin_ = 0;
      return true;
    }
    if (text_.size() >= kMost) return false;
    text_.resize(std::max(kFirst, 2 * text_.size()));
    return true;
  }
  char* room() { return &text_[end_]; }
  size_t room_size() const { return text_.size() - end_; }
  // So many bytes have been read into room().
  void Add(size_t bytes) { end_ += bytes; }

  // While nothing is there: gives memory back if it is more than that.
  void Shrink(size_t kept) {
    if (empty() && text_.capacity() > kept) *this = InputBuffer();
  }

 private:
  static constexpr size_t kFirst = 2 << 10;
  static constexpr size_t kMost = 32 << 10;

  std::string text_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_INPUT_BUFFER_H_
