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

// Bytes that may be read for one input. Most inputs are read once or twice.
constexpr size_t kMaxReadBytes = 64 * kMaxReplInput;

// Of `<<NAME` or `<<-NAME` with its line end.
std::string_view HeredocName(std::string_view token) {
  token.remove_prefix(std::min(token.size(), token.find_first_not_of("<-")));
  return token.substr(0, token.find_first_of(" \t\r\n"));
}

bool IsClose(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

// What is open behind `text`, where that is open before it. Nothing where a bracket closes another one than the last:
// no further line mends that. Strings end with their line (native-syntax.md, "Template Expressions"), and so are never
// open.
ReplInput::Open ReplInput::Read(const std::string& text, Open open) {
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(text);
  if (!tree.ok()) return {};
  for (uint32_t i = 0; i < tree->tokens().size(); ++i) {
    const std::string_view token = tree->TokenText(i);
    switch (tree->tokens()[i].kind) {
      case SourceTokenKind::kOpen:
        open.brackets += token.size() > 1 ? '$' : token[0];
        break;
      case SourceTokenKind::kClose: {
        const char close = token.back();
        const char last = open.brackets.empty() ? ' ' : open.brackets.back() == '$' ? '{' : open.brackets.back();
        if (last != (close == ')' ? '(' : close == ']' ? '[' : '{')) return {};
        open.brackets.pop_back();
        break;
      }
      case SourceTokenKind::kHeredoc:
        open.heredoc = open.heredoc.empty() ? std::string(HeredocName(token)) : "";
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
  return open;
}

// Whether the line may end the input. Where it is not sure what the line is, it is asked for what would end it.
bool ReplInput::MayClose(std::string_view line) {
  if (!open_.heredoc.empty()) {
    const size_t first = std::min(line.size(), line.find_first_not_of(" \t"));
    return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first) == open_.heredoc;
  }
  if (open_.has_comment) return line.find("*/") != std::string_view::npos;
  closed_ += static_cast<size_t>(std::count_if(line.begin(), line.end(), IsClose));
  return closed_ >= open_.brackets.size();
}

// Reading all of the text for each line would take the square of its length. So a line that cannot end the input is
// added unread, and what is outside of strings and heredocs is not read again.
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
  if (lines_ > 1 && !MayClose(line)) return State::kOpen;
  const std::string unread = text_.substr(begin_) + "\n";
  read_bytes_ += unread.size();
  if (read_bytes_ > kMaxReadBytes) {
    Clear();
    return State::kTooLong;
  }
  open_ = Read(unread, before_);
  closed_ = 0;
  const bool is_in_text = !open_.heredoc.empty() || open_.has_comment;
  if (!is_in_text && open_.brackets.empty()) return State::kComplete;
  if (!is_in_text && open_.brackets.find('$') == std::string::npos) {
    begin_ = text_.size() + 1;
    before_ = open_;
  }
  return State::kOpen;
}

void ReplInput::Clear() { *this = ReplInput(); }

}  // namespace hcl::cmd
