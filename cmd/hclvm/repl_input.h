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

// Not thread-safe. Time over the lines of an input: linear, but for those of an interpolation in a string, or that have
// the name of a heredoc around them. What these may take is bounded.
class ReplInput {
 public:
  enum class State {
    kComplete,  // text() is an input; it may be wrong
    kOpen,      // further lines belong to it
    kTooLong,   // it has more than kMaxReplInput bytes, or takes too long to read, and was dropped
  };

  // Adds a line, without its line end.
  State Add(std::string_view line);

  // The lines so far, with line ends between them.
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  void Clear();

 private:
  // What is open at the end of a text.
  struct Open {
    std::string brackets;  // `(`, `[` and `{`; `$` for those of a template
    std::string heredoc;   // the name of one; empty without any
    bool has_comment = false;
  };
  static Open Read(const std::string& text, Open open);
  bool MayClose(std::string_view line);

  std::string text_;
  size_t lines_ = 0;
  size_t begin_ = 0;       // the bytes before it are read for good,
  Open before_;            // and leave this open: brackets alone, none of a template
  Open open_;              // at the end of what was read last
  size_t closed_ = 0;      // brackets that may have been closed since then
  size_t read_bytes_ = 0;  // some of them several times
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_REPL_INPUT_H_
