// Lines that belong together. Tested by cmd/hclvm/repl_input_test.cc.

#include "hclvm/cmd/hclvm/repl_input.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/hcl/source_tree.h"

namespace hcl::cmd {

namespace {

struct OpenParts {
  size_t brackets = 0;
  bool has_heredoc = false;
  bool has_comment = false;

  bool any() const { return brackets > 0 || has_heredoc || has_comment; }
};

// What is open at the end of `text`. Nothing where a bracket closes another one than the last: no further line mends
// that. Strings end with their line (native-syntax.md, "Template Expressions"), and so are never open.
OpenParts OpenPartsOf(const std::string& text) {
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(text);
  if (!tree.ok()) return {};
  std::vector<char> brackets;
  OpenParts open;
  for (uint32_t i = 0; i < tree->tokens().size(); ++i) {
    const std::string_view token = tree->TokenText(i);
    switch (tree->tokens()[i].kind) {
      case SourceTokenKind::kOpen:
        brackets.push_back(token.back() == '~' ? '{' : token.back());
        break;
      case SourceTokenKind::kClose: {
        const char close = token.back();
        const char wanted = close == ')' ? '(' : close == ']' ? '[' : '{';
        if (brackets.empty() || brackets.back() != wanted) return {};
        brackets.pop_back();
        break;
      }
      case SourceTokenKind::kHeredoc:
        open.has_heredoc = !open.has_heredoc;
        break;
      case SourceTokenKind::kInvalid:
        open.has_comment = open.has_comment || token.substr(0, 2) == "/*";
        break;
      case SourceTokenKind::kComment:
        open.has_comment = token.substr(0, 2) == "/*" && (token.size() < 4 || token.substr(token.size() - 2) != "*/");
        break;
      default:
        break;
    }
  }
  open.brackets = brackets.size();
  return open;
}

}  // namespace

// Reading all of the text for each line would take the square of its length. So a line that cannot close what is open
// is added unread.
ReplInput::State ReplInput::Add(std::string_view line) {
  if (text_.size() + line.size() > kMaxReplInput) {
    Clear();
    return State::kTooLong;
  }
  if (lines_++ > 0) text_ += '\n';
  text_ += line;
  if (lines_ == 1 && (line.empty() || line[0] == ':')) {
    // A command reads the rest of the line, which may be an expression over several lines.
    const size_t expression = line.find_first_of("([{<");
    if (expression == std::string_view::npos) return State::kComplete;
  }
  const auto is_close = [](char c) { return c == ')' || c == ']' || c == '}'; };
  const auto closing = static_cast<size_t>(std::count_if(line.begin(), line.end(), is_close));
  if (must_close_ > closing) {
    must_close_ -= closing;
    return State::kOpen;
  }
  const OpenParts open = OpenPartsOf(text_ + "\n");
  must_close_ = open.has_heredoc || open.has_comment ? 0 : open.brackets;
  return open.any() ? State::kOpen : State::kComplete;
}

void ReplInput::Clear() {
  text_.clear();
  lines_ = 0;
  must_close_ = 0;
}

}  // namespace hcl::cmd
