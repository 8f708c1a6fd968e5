// LineEditor: lines from a terminal, with editing, history and completion by libedit.
//
// libedit is loaded when an editor is made, so that a program that edits nothing starts as fast without it, and runs
// where it is not installed. Tested by tests/repl_terminal_test.sh.

#ifndef HCLVM_CMD_HCLVM_LINE_EDITOR_H_
#define HCLVM_CMD_HCLVM_LINE_EDITOR_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::cmd {

// What the cursor may be completed by: so many bytes before it give way to one of the words.
struct LineCompletions {
  size_t replaces = 0;
  std::vector<std::string> words;
};

// Not thread-safe, and one at a time: libedit calls back without a context.
class LineEditor {
 public:
  enum class Outcome {
    kLine,
    kInterrupted,  // by Ctrl-C
    kEnd,          // by Ctrl-D, or the terminal is gone
  };

  // For standard input and output, which are a terminal. Null where there is no libedit. `history` is the file of
  // former lines, which is made with its folders; empty: none. `complete` is given the line up to the cursor.
  static std::unique_ptr<LineEditor> Open(const std::string& history,
                                          std::function<LineCompletions(std::string_view)> complete);
  virtual ~LineEditor() = default;

  // The next line, without its line end. Ctrl-C interrupts only where a handler of SIGINT is installed without
  // SA_RESTART.
  virtual Outcome Read(const std::string& prompt, std::string* line) = 0;
  // Adds an input to the history, and to its file.
  virtual void Remember(const std::string& input) = 0;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_LINE_EDITOR_H_
