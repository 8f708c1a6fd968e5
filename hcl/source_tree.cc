// SourceTree: tokens, pairs of brackets, and the items of bodies.
//
// Pairs come first, over the whole text, so that where an item ends needs no second look: it ends with its line, and
// brackets with a pair are passed over. A bracket without a pair ends with its line, unless it opens a block.

#include "hclvm/hcl/source_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/lossless_reader.h"
#include "hclvm/hcl/string_literal.h"
#include "hclvm/hcl/token.h"

namespace hcl {

using internal::Token;
using internal::TokenKind;
namespace {

// Offsets of tokens have 32 bits, and an edit may make a text longer.
constexpr size_t kMostBytes = size_t{1} << 30;

// What opens and closes in pairs.
enum class Pair : uint8_t { kBrace, kBracket, kParen, kSequence, kQuote, kHeredoc, kNone };
constexpr size_t kPairs = static_cast<size_t>(Pair::kNone);

struct PairEnd {
  Pair pair = Pair::kNone;
  bool opens = false;
};

PairEnd PairEndOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOpenBrace:
      return {Pair::kBrace, true};
    case TokenKind::kCloseBrace:
      return {Pair::kBrace, false};
    case TokenKind::kOpenBracket:
      return {Pair::kBracket, true};
    case TokenKind::kCloseBracket:
      return {Pair::kBracket, false};
    case TokenKind::kOpenParen:
      return {Pair::kParen, true};
    case TokenKind::kCloseParen:
      return {Pair::kParen, false};
    case TokenKind::kInterpolation:
    case TokenKind::kDirective:
      return {Pair::kSequence, true};
    case TokenKind::kSequenceEnd:
      return {Pair::kSequence, false};
    case TokenKind::kOpenQuote:
      return {Pair::kQuote, true};
    case TokenKind::kCloseQuote:
      return {Pair::kQuote, false};
    case TokenKind::kOpenHeredoc:
      return {Pair::kHeredoc, true};
    case TokenKind::kCloseHeredoc:
      return {Pair::kHeredoc, false};
    default:
      return {};
  }
}

// Finds pairs from the first token to the last. A closing bracket takes the innermost open one of its kind; those
// inside of it have no pair. One of which none is open has no pair either. Time: linear in the tokens.
class PairFinder {
 public:
  explicit PairFinder(std::vector<uint32_t>* pairs) : pairs_(*pairs) {}

  void Add(uint32_t token, TokenKind kind) {
    pairs_.push_back(kNoSource);
    // The scanner ends strings and sequences with their line, where quotes are missing.
    if (kind == TokenKind::kBrokenNewline || kind == TokenKind::kBrokenSequence) {
      while (!open_.empty() && (open_.back().pair == Pair::kQuote || open_.back().pair == Pair::kSequence)) Pop();
      return;
    }
    const PairEnd end = PairEndOf(kind);
    if (end.pair == Pair::kNone) return;
    if (end.opens) {
      open_.push_back({token, end.pair});
      ++counts_[static_cast<size_t>(end.pair)];
      return;
    }
    if (counts_[static_cast<size_t>(end.pair)] == 0) return;
    while (open_.back().pair != end.pair) Pop();
    pairs_[token] = open_.back().token;
    pairs_[open_.back().token] = token;
    Pop();
  }

 private:
  struct Open {
    uint32_t token;
    Pair pair;
  };
  void Pop() {
    --counts_[static_cast<size_t>(open_.back().pair)];
    open_.pop_back();
  }

  std::vector<uint32_t>& pairs_;
  std::vector<Open> open_;
  std::array<uint32_t, kPairs> counts_ = {};  // of open_
};

SourceTokenKind PublicKind(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEnd:
      return SourceTokenKind::kEnd;
    case TokenKind::kNewline:
      return SourceTokenKind::kNewline;
    case TokenKind::kComment:
      return SourceTokenKind::kComment;
    case TokenKind::kIdentifier:
      return SourceTokenKind::kIdentifier;
    case TokenKind::kNumber:
      return SourceTokenKind::kNumber;
    case TokenKind::kText:
      return SourceTokenKind::kText;
    case TokenKind::kInvalid:
    case TokenKind::kBrokenNewline:
    case TokenKind::kBrokenSequence:
      return SourceTokenKind::kInvalid;
    case TokenKind::kAssign:
    case TokenKind::kArrow:
    case TokenKind::kColon:
    case TokenKind::kDoubleColon:
    case TokenKind::kComma:
    case TokenKind::kDot:
    case TokenKind::kEllipsis:
      return SourceTokenKind::kPunctuation;
    default:
      break;
  }
  const PairEnd end = PairEndOf(kind);
  if (end.pair == Pair::kNone) return SourceTokenKind::kOperator;
  if (end.pair == Pair::kQuote) return SourceTokenKind::kQuote;
  if (end.pair == Pair::kHeredoc) return SourceTokenKind::kHeredoc;
  return end.opens ? SourceTokenKind::kOpen : SourceTokenKind::kClose;
}

}  // namespace

SourceTree::SourceTree(std::string text) : text_(std::move(text)) {
  ReadTokens();
  Build();
}

absl::StatusOr<SourceTree> SourceTree::Read(std::string text) {
  if (text.size() > kMostBytes) return absl::ResourceExhaustedError("the text has more than 1 GiB");
  if (internal::FindInvalidUtf8(text) != std::string_view::npos) {
    return absl::InvalidArgumentError("the text is no UTF-8");
  }
  return SourceTree(std::move(text));
}

void SourceTree::ReadTokens() {
  internal::LosslessReader reader(text_);
  PairFinder finder(&pairs_);
  TokenKind kind;
  do {
    const Token token = reader.Next();
    kind = token.kind;
    finder.Add(static_cast<uint32_t>(tokens_.size()), kind);
    tokens_.push_back({PublicKind(kind), token.range});
  } while (kind != TokenKind::kEnd);
}

bool SourceTree::EndsLine(uint32_t token) const {
  const SourceTokenKind kind = tokens_[token].kind;
  if (kind == SourceTokenKind::kNewline || kind == SourceTokenKind::kEnd) return true;
  if (kind != SourceTokenKind::kComment && kind != SourceTokenKind::kInvalid) return false;
  const std::string_view text = TokenText(token);
  return text.empty() || text.back() == '\n';
}

// The token before `end` that ends the line of `token`, or `end`.
uint32_t SourceTree::LineEnd(uint32_t token, uint32_t end) const {
  while (token < end && !EndsLine(token)) {
    const uint32_t pair = pairs_[token];
    token = pair != kNoSource && pair > token ? pair + 1 : token + 1;
  }
  return std::min(token, end);
}

uint32_t SourceTree::AddNode(SourceNodeKind kind, uint32_t parent, uint32_t begin) {
  const auto added = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_.back().kind = kind;
  nodes_.back().parent = parent;
  nodes_.back().begin = begin;
  if (parent == kNoSource) return added;
  SourceNode& body = nodes_[parent];
  (body.last_child == kNoSource ? body.first_child : nodes_[body.last_child].next) = added;
  body.last_child = added;
  return added;
}

// Adds the item that begins at the token `begin`, which is neither a comment nor a line end, and returns it.
uint32_t SourceTree::AddItem(uint32_t parent, uint32_t begin, uint32_t end) {
  uint32_t at = begin;
  const auto next = [&] {
    do {
      const bool is_string = tokens_[at].kind == SourceTokenKind::kQuote && pairs_[at] != kNoSource && pairs_[at] > at;
      at = is_string ? pairs_[at] + 1 : at + 1;
    } while (at < end && tokens_[at].kind == SourceTokenKind::kComment && !EndsLine(at));
  };
  if (tokens_[begin].kind == SourceTokenKind::kIdentifier) {
    next();
    if (at < end && TokenText(at) == "=") {
      const uint32_t node = AddNode(SourceNodeKind::kAttribute, parent, begin);
      nodes_[node].open = at;
      uint32_t last = LineEnd(at, end);
      while (tokens_[last - 1].kind == SourceTokenKind::kComment) --last;
      nodes_[node].end = last;
      return node;
    }
    while (at < end && (tokens_[at].kind == SourceTokenKind::kIdentifier ||
                        (tokens_[at].kind == SourceTokenKind::kQuote && pairs_[at] != kNoSource))) {
      next();
    }
    if (at < end && TokenText(at) == "{") {
      const uint32_t node = AddNode(SourceNodeKind::kBlock, parent, begin);
      nodes_[node].open = at;
      nodes_[node].close = pairs_[at];
      nodes_[node].end = pairs_[at] == kNoSource ? end : pairs_[at] + 1;
      return node;
    }
  }
  const uint32_t node = AddNode(SourceNodeKind::kBroken, parent, begin);
  uint32_t last = std::max(LineEnd(begin, end), begin + 1);
  while (last > begin + 1 && tokens_[last - 1].kind == SourceTokenKind::kComment) --last;
  nodes_[node].end = last;
  return node;
}

void SourceTree::Build() {
  const auto end = static_cast<uint32_t>(tokens_.size() - 1);
  uint32_t body = AddNode(SourceNodeKind::kFile, kNoSource, 0);
  nodes_[body].end = end;
  uint32_t at = 0;
  while (true) {
    const SourceNode& node = nodes_[body];
    const uint32_t body_end = node.close != kNoSource ? node.close : node.end;
    while (at < body_end && (EndsLine(at) || tokens_[at].kind == SourceTokenKind::kComment)) ++at;
    if (at < body_end) {
      const uint32_t item = AddItem(body, at, body_end);
      if (nodes_[item].kind == SourceNodeKind::kBlock) {
        at = nodes_[item].open + 1;
        body = item;
      } else {
        at = nodes_[item].end;
      }
      continue;
    }
    if (body == kRoot) return;
    at = node.end;
    body = node.parent;
  }
}

std::string_view SourceTree::TokenText(uint32_t token) const {
  const SourceRange range = tokens_[token].range;
  return std::string_view(text_).substr(range.begin, range.end - range.begin);
}

SourceRange SourceTree::RangeOf(uint32_t node) const {
  if (node == kRoot) return {0, static_cast<uint32_t>(text_.size())};
  return {tokens_[nodes_[node].begin].range.begin, tokens_[nodes_[node].end - 1].range.end};
}

std::string_view SourceTree::NameOf(uint32_t node) const {
  const bool has_name = nodes_[node].kind == SourceNodeKind::kAttribute || nodes_[node].kind == SourceNodeKind::kBlock;
  return has_name ? TokenText(nodes_[node].begin) : std::string_view();
}

std::string_view SourceTree::ValueOf(uint32_t node) const {
  const SourceNode& attribute = nodes_[node];
  if (attribute.kind != SourceNodeKind::kAttribute || attribute.open + 1 >= attribute.end) return {};
  const uint32_t begin = tokens_[attribute.open + 1].range.begin;
  return std::string_view(text_).substr(begin, RangeOf(node).end - begin);
}

std::vector<uint32_t> SourceTree::LabelTokens(uint32_t node) const {
  std::vector<uint32_t> labels;
  if (nodes_[node].kind != SourceNodeKind::kBlock) return labels;
  for (uint32_t at = nodes_[node].begin + 1; at < nodes_[node].open; ++at) {
    if (tokens_[at].kind == SourceTokenKind::kComment) continue;
    labels.push_back(at);
    if (tokens_[at].kind == SourceTokenKind::kQuote) at = pairs_[at];
  }
  return labels;
}

std::vector<std::string> SourceTree::LabelsOf(uint32_t node) const {
  std::vector<std::string> labels;
  Arena arena;
  Diagnostics unused(0);
  for (const uint32_t token : LabelTokens(node)) {
    if (tokens_[token].kind != SourceTokenKind::kQuote) {
      labels.emplace_back(TokenText(token));
      continue;
    }
    const SourceRange inside = {tokens_[token].range.end, tokens_[pairs_[token]].range.begin};
    labels.emplace_back(internal::DecodeTemplateText(text_, inside, internal::TextKind::kQuoted, &arena, &unused));
  }
  return labels;
}

uint32_t SourceTree::TokenAt(uint32_t offset) const {
  const auto after = std::upper_bound(tokens_.begin(), tokens_.end(), offset,
                                      [](uint32_t at, const SourceToken& token) { return at < token.range.end; });
  if (after == tokens_.end() || offset < after->range.begin) return kNoSource;
  return static_cast<uint32_t>(after - tokens_.begin());
}

uint32_t SourceTree::NodeAt(uint32_t offset) const { return NodeAround({offset, offset + 1}); }

uint32_t SourceTree::NodeAround(SourceRange range) const {
  uint32_t found = kRoot;
  for (uint32_t node = nodes_[kRoot].first_child; node != kNoSource;) {
    const SourceRange around = RangeOf(node);
    if (around.begin <= range.begin && range.end <= around.end) {
      found = node;
      node = nodes_[node].first_child;
    } else {
      node = around.begin > range.begin ? kNoSource : nodes_[node].next;
    }
  }
  return found;
}

uint32_t SourceTree::FindAttribute(uint32_t body, std::string_view name) const {
  uint32_t node = nodes_[body].first_child;
  while (node != kNoSource && (nodes_[node].kind != SourceNodeKind::kAttribute || NameOf(node) != name)) {
    node = nodes_[node].next;
  }
  return node;
}

uint32_t SourceTree::FindBlock(uint32_t body, std::string_view type, absl::Span<const std::string_view> labels) const {
  for (uint32_t node = nodes_[body].first_child; node != kNoSource; node = nodes_[node].next) {
    if (nodes_[node].kind != SourceNodeKind::kBlock || NameOf(node) != type) continue;
    const std::vector<std::string> found = LabelsOf(node);
    if (std::equal(found.begin(), found.end(), labels.begin(), labels.end())) return node;
  }
  return kNoSource;
}

}  // namespace hcl
