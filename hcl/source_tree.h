// SourceTree: a config file with all its blanks and comments, for editors and programs that change files.
//
// Any text has a tree, also a wrong one: the tokens with the gaps between them are the text, byte for byte. Nodes are
// the file, its attributes, its blocks, and the lines that are neither. What is in an expression is told by tokens and
// the pairs of its brackets; hclvm/hcl/navigation.h finds expressions in the tree of a parse.
//
// Edits change as little of the text as they can and keep the comments around it.
//
// Tested by hcl/source_tree_test.cc and hcl/source_edit_test.cc, and on random texts by hcl/format_law_test.cc.

#ifndef HCLVM_HCL_SOURCE_TREE_H_
#define HCLVM_HCL_SOURCE_TREE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"

namespace hcl {

enum class SourceTokenKind : uint8_t {
  kEnd,  // the end of the text: the last token of each tree, and empty
  kNewline,
  kComment,  // `/* */`, or to the end of a line, with the line end
  kIdentifier,
  kNumber,
  kQuote,    // that opens or closes a string
  kHeredoc,  // `<<NAME` with its line end, and the line that ends a heredoc
  kText,     // of a string or heredoc; in a heredoc at most one line
  kOpen,     // `{`, `[`, `(`, `${`, `%{`, the latter with their strip markers
  kClose,    // what closes these
  kOperator,
  kPunctuation,  // `=`, `=>`, `:`, `::`, `,`, `.`, `...`
  kInvalid,
};

// Plain data.
struct SourceToken {
  SourceTokenKind kind = SourceTokenKind::kEnd;
  SourceRange range;
};

// No node or no token.
inline constexpr uint32_t kNoSource = UINT32_MAX;

enum class SourceNodeKind : uint8_t {
  kFile,
  kAttribute,
  kBlock,
  kBroken,  // tokens that are no item, to the end of their line or of the brackets that they open
};

// Plain data. Nodes and tokens are named by their index in SourceTree::nodes() and SourceTree::tokens().
struct SourceNode {
  SourceNodeKind kind = SourceNodeKind::kFile;
  uint32_t parent = kNoSource;  // the block or file around it
  uint32_t first_child = kNoSource;
  uint32_t last_child = kNoSource;
  uint32_t next = kNoSource;  // the next item in the same body
  // Its tokens are [begin, end), without the line end and the comments around it.
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t open = kNoSource;   // kBlock: `{`; kAttribute: `=`, with the value in the tokens after it
  uint32_t close = kNoSource;  // kBlock: `}`, if there is one
};

// Copyable; const methods are thread-safe. Views live until the tree changes. Edits number nodes and tokens anew, and
// take time linear in the text; after an edit that fails, the tree is as before. Depth costs no stack.
class SourceTree {
 public:
  // The file itself, in nodes().
  static constexpr uint32_t kRoot = 0;

  // Fails with InvalidArgument where `text` is no UTF-8, and with ResourceExhausted where it has more than 1 GiB.
  static absl::StatusOr<SourceTree> Read(std::string text);

  const std::string& text() const { return text_; }
  absl::Span<const SourceToken> tokens() const { return tokens_; }
  absl::Span<const SourceNode> nodes() const { return nodes_; }

  // Requires that there are such a token and node.
  std::string_view TokenText(uint32_t token) const;
  SourceRange RangeOf(uint32_t node) const;
  // The name of an attribute, the type of a block, and empty for other nodes.
  std::string_view NameOf(uint32_t node) const;
  // The value of an attribute as it is written.
  std::string_view ValueOf(uint32_t node) const;
  // The labels of a block, without quotes and escapes.
  std::vector<std::string> LabelsOf(uint32_t node) const;

  // The token whose range holds the byte at `offset`, or kNoSource where a blank is. Time: logarithmic.
  uint32_t TokenAt(uint32_t offset) const;
  // The innermost node whose range holds the byte. Time: linear in the items of the bodies around the byte.
  uint32_t NodeAt(uint32_t offset) const;
  // The innermost node that holds all of `range`.
  uint32_t NodeAround(SourceRange range) const;
  // The token that closes or opens what `token` opens or closes, or kNoSource where there is none.
  uint32_t PairOf(uint32_t token) const { return pairs_[token]; }

  // The first such item of `body`, which is a block or the file, or kNoSource.
  uint32_t FindAttribute(uint32_t body, std::string_view name) const;
  uint32_t FindBlock(uint32_t body, std::string_view type, absl::Span<const std::string_view> labels) const;

  // Edits. They fail with InvalidArgument where a name, an expression or a node is not what is asked for, and where the
  // body of a block has no `}`. They return with the tree of the new text, which Format() lays out.

  // Gives the attribute the value `expression`, as it is written; adds it behind the last item where it is missing.
  absl::Status SetAttribute(uint32_t body, std::string_view name, std::string_view expression);
  // Adds an empty block behind the last item, with a blank line before it, and returns it.
  absl::StatusOr<uint32_t> AddBlock(uint32_t body, std::string_view type, absl::Span<const std::string_view> labels);
  // Removes an item with its line, with a comment at the end of that line, and with the comments in the lines right
  // above it.
  absl::Status Remove(uint32_t node);
  // Gives an attribute another name, or a block another type.
  absl::Status Rename(uint32_t node, std::string_view name);
  // Gives a block another label; labels count from 0.
  absl::Status SetLabel(uint32_t node, uint32_t number, std::string_view label);

 private:
  explicit SourceTree(std::string text);
  void Build();
  void ReadTokens();
  bool EndsLine(uint32_t token) const;
  uint32_t LineEnd(uint32_t token, uint32_t end) const;
  uint32_t AddNode(SourceNodeKind kind, uint32_t parent, uint32_t begin);
  uint32_t AddItem(uint32_t parent, uint32_t begin, uint32_t end);
  bool IsBody(uint32_t node) const;
  std::vector<uint32_t> LabelTokens(uint32_t node) const;
  absl::Status AppendItem(uint32_t body, std::string_view item, bool is_block);
  absl::Status Replace(SourceRange range, std::string_view with);

  std::string text_;
  std::vector<SourceToken> tokens_;
  std::vector<uint32_t> pairs_;  // for each token
  std::vector<SourceNode> nodes_;
};

}  // namespace hcl

#endif  // HCLVM_HCL_SOURCE_TREE_H_
