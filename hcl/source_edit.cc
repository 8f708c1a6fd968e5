// SourceTree: edits. Each replaces one range of the text and reads the result anew.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print_text.h"
#include "hclvm/hcl/source_tree.h"

namespace hcl {
namespace {

constexpr std::string_view kBlanks = " \t";

bool Parses(std::string text) {
  const Source source("", std::move(text));
  ParseOptions options;
  options.allow_byte_order_mark = true;
  Diagnostics diagnostics(1);
  ParseConfig(source, options, &diagnostics);
  return !diagnostics.has_errors();
}

// Whether `text` is one item and nothing else.
bool IsItem(const std::string& text, SourceNodeKind kind, std::string_view name) {
  if (!Parses(text + "\n")) return false;
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(text + "\n");
  if (!tree.ok() || tree->nodes().size() != 2) return false;
  const SourceRange range = tree->RangeOf(1);
  return tree->nodes()[1].kind == kind && tree->NameOf(1) == name && range.begin == 0 && range.end == text.size();
}

bool IsName(std::string_view name) { return IsItem(std::string(name) + " = 1", SourceNodeKind::kAttribute, name); }

// Where the line of the byte at `offset` begins.
uint32_t LineBegin(std::string_view text, uint32_t offset) {
  const size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : static_cast<uint32_t>(newline) + 1;
}

// The blanks that the line of the byte at `offset` begins with, up to that byte.
std::string Indentation(std::string_view text, uint32_t offset) {
  const uint32_t begin = LineBegin(text, offset);
  const std::string_view line = text.substr(begin, offset - begin);
  return std::string(line.substr(0, std::min(line.find_first_not_of(kBlanks), line.size())));
}

bool IsFirstOnLine(std::string_view text, uint32_t offset) {
  const uint32_t begin = LineBegin(text, offset);
  return text.substr(begin, offset - begin).find_first_not_of(kBlanks) == std::string_view::npos;
}

absl::Status WrongNode(const char* what) { return absl::InvalidArgumentError(what); }

}  // namespace

bool SourceTree::IsBody(uint32_t node) const {
  return node == kRoot ||
         (node < nodes_.size() && nodes_[node].kind == SourceNodeKind::kBlock && nodes_[node].close != kNoSource);
}

// A text that parses must do so afterwards. What an edit can break is told by no rule here: a name that is there twice,
// a heredoc in a block of one line.
absl::Status SourceTree::Replace(SourceRange range, std::string_view with) {
  std::string text = text_;
  text.replace(range.begin, range.end - range.begin, with);
  if (Parses(text_) && !Parses(text)) return absl::InvalidArgumentError("the text would not parse after this change");
  absl::StatusOr<SourceTree> tree = Read(std::move(text));
  if (!tree.ok()) return tree.status();
  *this = std::move(*tree);
  return absl::OkStatus();
}

absl::Status SourceTree::SetAttribute(uint32_t body, std::string_view name, std::string_view expression) {
  if (!IsBody(body)) return WrongNode("only a file, and a block with braces, has attributes");
  const std::string item = std::string(name) + " = " + std::string(expression);
  if (!IsItem(item, SourceNodeKind::kAttribute, name)) {
    return absl::InvalidArgumentError("expected the name of an attribute, and an expression");
  }
  const uint32_t node = FindAttribute(body, name);
  if (node == kNoSource) return AppendItem(body, item, false);
  const SourceRange range = RangeOf(node);
  const SourceNode& attribute = nodes_[node];
  const bool is_empty = attribute.open + 1 == attribute.end;
  const uint32_t begin = is_empty ? range.end : tokens_[attribute.open + 1].range.begin;
  std::string value = is_empty ? " " : "";
  value += expression;
  // A heredoc ends with its line.
  if (range.end == text_.size()) value += "\n";
  return Replace({begin, range.end}, value);
}

absl::StatusOr<uint32_t> SourceTree::AddBlock(uint32_t body, std::string_view type,
                                              absl::Span<const std::string_view> labels) {
  if (!IsBody(body)) return WrongNode("only a file, and a block with braces, has blocks");
  std::string item(type);
  for (const std::string_view label : labels) {
    item += " ";
    internal::AppendQuoted(label, &item);
  }
  item += " {}";
  if (!IsItem(item, SourceNodeKind::kBlock, type)) {
    return absl::InvalidArgumentError("expected the type of a block, and labels in UTF-8");
  }
  const absl::Status status = AppendItem(body, item, true);
  if (!status.ok()) return status;
  // Nodes before it keep their numbers, as these follow the text.
  return nodes_[body].last_child;
}

// Adds the text of an item at the end of `body`, on lines of its own.
absl::Status SourceTree::AppendItem(uint32_t body, std::string_view item, bool is_block) {
  const bool has_items = nodes_[body].first_child != kNoSource;
  const std::string blank_line = is_block && has_items ? "\n" : "";
  const std::string line(item);
  if (body == kRoot) {
    const auto end = static_cast<uint32_t>(text_.size());
    const bool has_open_line = !text_.empty() && text_.back() != '\n';
    return Replace({end, end}, (has_open_line ? "\n" : "") + blank_line + line + "\n");
  }
  const SourceRange open = tokens_[nodes_[body].open].range;
  const SourceRange close = tokens_[nodes_[body].close].range;
  const std::string outer = Indentation(text_, RangeOf(body).begin);
  const std::string inner = outer + "  ";
  if (IsFirstOnLine(text_, close.begin)) {
    const uint32_t at = LineBegin(text_, close.begin);
    return Replace({at, at}, blank_line + inner + line + "\n");
  }
  // What stands on the line of the braces gets one of its own.
  std::string_view inside = std::string_view(text_).substr(open.end, close.begin - open.end);
  inside.remove_prefix(std::min(inside.find_first_not_of(kBlanks), inside.size()));
  inside = inside.substr(0, inside.find_last_not_of(kBlanks) + 1);
  const std::string before = inside.empty() ? "" : inner + std::string(inside) + "\n" + blank_line;
  return Replace({open.end, close.begin}, "\n" + before + inner + line + "\n" + outer);
}

absl::Status SourceTree::Remove(uint32_t node) {
  if (node == kRoot || node >= nodes_.size()) return WrongNode("only an item can be removed");
  SourceRange range = RangeOf(node);
  uint32_t after = nodes_[node].end;
  while (tokens_[after].kind == SourceTokenKind::kComment && !EndsLine(after)) ++after;
  const bool begins_line = IsFirstOnLine(text_, range.begin);
  if (begins_line && EndsLine(after)) {
    range.end = tokens_[after].range.end;
    range.begin = LineBegin(text_, range.begin);
    // Comments in lines of their own right above it. Each is a line comment, and begins where a line does.
    for (uint32_t token = nodes_[node].begin; token > 0; --token) {
      const SourceRange comment = tokens_[token - 1].range;
      if (tokens_[token - 1].kind != SourceTokenKind::kComment || comment.end != range.begin ||
          !IsFirstOnLine(text_, comment.begin)) {
        break;
      }
      range.begin = LineBegin(text_, comment.begin);
    }
  }
  return Replace(range, "");
}

absl::Status SourceTree::Rename(uint32_t node, std::string_view name) {
  if (node >= nodes_.size() || NameOf(node).empty()) return WrongNode("only an attribute or a block has a name");
  if (!IsName(name)) return absl::InvalidArgumentError("expected a name");
  return Replace(tokens_[nodes_[node].begin].range, name);
}

absl::Status SourceTree::SetLabel(uint32_t node, uint32_t number, std::string_view label) {
  if (node >= nodes_.size()) return WrongNode("only a block has labels");
  const std::vector<uint32_t> labels = LabelTokens(node);
  if (number >= labels.size()) return WrongNode("the block has fewer labels");
  SourceRange range = tokens_[labels[number]].range;
  if (tokens_[labels[number]].kind == SourceTokenKind::kQuote) range.end = tokens_[pairs_[labels[number]]].range.end;
  std::string quoted;
  internal::AppendQuoted(label, &quoted);
  return Replace(range, quoted);
}

}  // namespace hcl
