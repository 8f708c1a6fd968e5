// ReplInput: lines that belong together, as long as a bracket, a heredoc or a comment is open.
//
// Tested by cmd/hclvm/repl_input_test.cc.

#ifndef HCLVM_CMD_HCLVM_REPL_INPUT_H_
#define HCLVM_CMD_HCLVM_REPL_INPUT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace hcl::cmd {

// Bytes of one input, of however many lines.
inline constexpr size_t kMaxReplInput = 1 << 20;

// Not thread-safe. Time over the lines of an input: about linear, and the square of its lines where each of them closes
// as many brackets as are open and opens others.
class ReplInput {
 public:
  enum class State {
    kComplete,  // text() is an input; it may be wrong
    kOpen,      // further lines belong to it
    kTooLong,   // it has more than kMaxReplInput bytes, and was dropped
  };

  // Adds a line, without its line end.
  State Add(std::string_view line);

  // The lines so far, with line ends between them.
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  void Clear();

 private:
  std::string text_;
  size_t lines_ = 0;
  size_t must_close_ = 0;  // brackets that were open when the text was last read, less what may have closed them since
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_REPL_INPUT_H_
