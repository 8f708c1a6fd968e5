// Parser: bodies, attributes and blocks.

#include <algorithm>
#include <string>

#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {
namespace {

// Names in bodies with at most so many attributes are compared one by one: most bodies are small, and a map costs them
// memory. A body of many attributes gets one, else a hostile text would take quadratic time.
constexpr size_t kMaxLinearNames = 8;

constexpr char kBraceBelow[] =
    "The \"{\" that starts a block's content must stand on the line of the block's type and labels.";

}  // namespace

// A body under construction.
struct Parser::BodyLists {
  explicit BodyLists(Parser* parser) : attributes(&parser->attributes_), blocks(&parser->blocks_) {}

  ScratchList<Attribute> attributes;
  ScratchList<Block> blocks;
  internal::HashMap<absl::string_view, SourceRange> names;  // of the attributes, once there are many
};

const Body* Parser::ParseFile() {
  // Everything up to the end of the text belongs to this body, so there is nothing to drain.
  return ParseBody(TokenKind::kEnd, reader_.previous());
}

// `opener` is the brace before the body, or the first token of a file. An item that fails is left out as a whole or in
// part, and the body goes on behind it. After a failure the first thing to do is RecoverToNextItem(): until then the
// reader is halted, and the loop would see nothing but the end.
const Body* Parser::ParseBody(TokenKind end, SourceRange opener) {
  const bool in_block = end == TokenKind::kCloseBrace;
  const size_t base = open_brackets_.size();
  NewlineScope newlines(this, true);
  BodyLists lists(this);
  // The indentation of the block, found once and when an item has failed, as the line of its brace may be long.
  std::optional<uint32_t> outside;
  while (true) {
    const Token& next = reader_.Peek();
    const uint32_t item_begin = next.range.begin;
    if (next.kind == end) break;
    if (next.kind == TokenKind::kNewline) {
      reader_.Read();
      continue;
    }
    if (next.kind == TokenKind::kIdentifier) {
      ParseItem(&lists);
    } else if (next.kind == TokenKind::kEnd) {
      if (!truncated_) {
        FailUnclosedBlock(opener, lists.blocks.view());
      }
      break;
    } else if (next.kind == TokenKind::kOpenQuote) {
      Fail(next, next.range, DiagnosticCode::kQuotedItemName,
           "The name of an attribute or block is written without quotes.");
    } else {
      FailAt(next, DiagnosticCode::kItemRequired, "the name of an attribute or block", std::nullopt, StartHint(next));
    }
    if (!failed_) continue;
    if (in_block && !outside) outside = IndentationOfLine(opener.begin);
    RecoverToNextItem(item_begin, base, outside);
  }
  auto* body = arena_->New<Body>();
  body->attributes = arena_->CopySpan(lists.attributes.view());
  body->blocks = arena_->CopySpan(lists.blocks.view());
  body->range = in_block ? SourceRange{opener.end, std::max(opener.end, reader_.Peek().range.begin)}
                         : SourceRange{0, static_cast<uint32_t>(text_.size())};
  body->end = in_block ? SourceRange{opener.begin, opener.begin} : SourceRange{0, 0};
  return body;
}

void Parser::FailUnclosedBlock(SourceRange opener, absl::Span<const Block> blocks) {
  Fail(reader_.Peek(), opener, DiagnosticCode::kUnclosedBlock, UnclosedBlockDetail(blocks));
}

void Parser::FailItem(const Token& name) {
  Fail(reader_.Peek(), name.range, DiagnosticCode::kItemRequired, ItemDetail(name));
}

void Parser::FailLabels(const Token& type, absl::Span<const BlockLabel> labels) {
  const Token& next = reader_.Peek();
  Fail(next, next.range, DiagnosticCode::kInvalidBlock, LabelsDetail(type, labels), Cover(type.range, next.range));
}

// An attribute and a block both start with a name, so that the token after it decides (native-syntax.md, "Structural
// Elements"). A brace on the next line is what many other languages have: it is reported, and the block is read all the
// same.
void Parser::ParseItem(BodyLists* lists) {
  CountStep();
  const Token name = reader_.Take();
  switch (reader_.Peek().kind) {
    case TokenKind::kAssign:
      return ParseAttribute(name, lists);
    case TokenKind::kOpenQuote:
    case TokenKind::kOpenBrace:
    case TokenKind::kIdentifier:
      return ParseBlock(name, lists);
    default:
      break;
  }
  const Token& next = reader_.Peek();
  const bool is_brace_below =
      next.kind == TokenKind::kNewline && reader_.PeekPastNewlines().kind == TokenKind::kOpenBrace;
  if (!is_brace_below) return FailItem(name);
  Report(name.range, DiagnosticCode::kItemRequired, kBraceBelow, Cover(name.range, reader_.PeekPastNewlines().range));
  reader_.Read();
  ParseBlock(name, lists);
}

// Takes `=` and the expression, but not what ends the line.
Attribute Parser::FinishAttribute(const Token& name) {
  Attribute attribute;
  attribute.name = Name(name);
  attribute.name_range = name.range;
  attribute.equals = reader_.Take().range;
  attribute.expr = ParseExpression();
  attribute.range = Since(name.range.begin);
  return attribute;
}

// The attribute is added even if its value has failed: trees with errors are navigated as well (hcl/navigation.h).
void Parser::ParseAttribute(const Token& name, BodyLists* lists) {
  const Attribute attribute = FinishAttribute(name);
  const TokenKind next = reader_.Peek().kind;
  if (next != TokenKind::kNewline && next != TokenKind::kEnd) FailAfterAttribute(name);
  if (!failed_) reader_.Read();
  AddAttribute(attribute, lists);
}

void Parser::FailAfterAttribute(const Token& name) {
  const Token& next = reader_.Peek();
  if (next.kind == TokenKind::kComma) {
    return Fail(next, next.range, DiagnosticCode::kCommaAfterAttribute,
                "Each attribute ends with the line; commas separate only the items of collections.",
                Cover(name.range, next.range));
  }
  const bool ends_block = next.kind == TokenKind::kCloseBrace && IsOpenSince(TokenKind::kOpenBrace, 0);
  FailAt(next, DiagnosticCode::kMissingNewlineAfterAttribute, "the end of the line after the attribute's value",
         Cover(name.range, next.range),
         ends_block ? "The \"}\" of a block over several lines stands on a line of its own." : nullptr);
}

// A name may be set once in a body (native-syntax.md, "Attribute Definitions"). The first one counts, and a further one
// is left out of the tree, so that names in a Body are distinct.
void Parser::AddAttribute(const Attribute& attribute, BodyLists* lists) {
  const SourceRange* first = nullptr;
  if (lists->attributes.size() < kMaxLinearNames) {
    for (const Attribute& other : lists->attributes.view()) {
      if (other.name == attribute.name) first = &other.name_range;
    }
  } else {
    if (lists->names.empty()) {
      for (const Attribute& other : lists->attributes.view())
        lists->names.emplace(ToAbsl(other.name), other.name_range);
    }
    const auto [entry, inserted] = lists->names.emplace(ToAbsl(attribute.name), attribute.name_range);
    if (!inserted) first = &entry->second;
  }
  if (first == nullptr) return lists->attributes.Add(attribute);
  ReportRedefined(attribute, *first);
}

void Parser::ReportRedefined(const Attribute& attribute, SourceRange first) {
  std::string detail;
  if (Wants()) {
    detail.append("The attribute \"").append(attribute.name).append("\" was already set on line ");
    detail.append(std::to_string(LineOf(first.begin))).append(". It may be set once in a body.");
  }
  Report(attribute.name_range, DiagnosticCode::kAttributeRedefined, detail);
}

// The labels are copied out before the body is read, so that their scratch list is gone when the blocks in it need the
// same stack. A block whose body has failed is kept, as attributes are; where its closing brace should be, an empty
// range stands for it. Each label is a level of nesting as long as the block is open: in the value of a config it is
// one.
void Parser::ParseBlock(const Token& type, BodyLists* lists) {
  const uint32_t outer_depth = depth_;
  Block block;
  block.type = Name(type);
  block.type_range = type.range;
  {
    ScratchList<BlockLabel> labels(&labels_);
    if (!ParseLabels(type, &labels)) {
      depth_ = outer_depth;
      return;
    }
    block.labels = arena_->CopySpan(labels.view());
  }
  const Token open = reader_.Take();
  block.open = open.range;
  block.body = ParseBlockBody(type, open);
  depth_ = outer_depth;
  block.close = failed_ ? SourceRange{reader_.previous().end, reader_.previous().end} : reader_.previous();
  block.range = Since(type.range.begin);
  lists->blocks.Add(block);
  if (failed_) return;
  const Token& next = reader_.Peek();
  if (next.kind == TokenKind::kNewline || next.kind == TokenKind::kEnd) {
    reader_.Read();
    return;
  }
  FailAt(next, DiagnosticCode::kMissingNewlineAfterBlock, "the end of the line after the block",
         Cover(type.range, next.range));
}

// Labels up to the `{`, which is not taken. Each mistake here has a reading that is likelier than a label that is out
// of form: an attribute with a type before its name, a brace on the wrong line, a list with commas, an `if` statement.
// The messages say what that would be written like.
bool Parser::ParseLabels(const Token& type, ScratchList<BlockLabel>* labels) {
  while (!failed_) {
    const Token& next = reader_.Peek();
    switch (next.kind) {
      case TokenKind::kOpenBrace:
        return true;
      case TokenKind::kOpenQuote:
        EnterLevel();
        if (!failed_) labels->Add(QuotedLabel());
        break;
      case TokenKind::kIdentifier:
        labels->Add(BlockLabel{Name(next), next.range});
        EnterLevel();
        reader_.Read();
        break;
      case TokenKind::kAssign:
        FailLabels(type, labels->view());
        break;
      case TokenKind::kNewline:
        if (reader_.PeekPastNewlines().kind == TokenKind::kOpenBrace) {
          Report(next.range, DiagnosticCode::kInvalidBlock, kBraceBelow,
                 Cover(type.range, reader_.PeekPastNewlines().range));
          reader_.Read();
        } else {
          Fail(next, next.range, DiagnosticCode::kInvalidBlock, kBraceBelow, Cover(type.range, next.range));
        }
        break;
      default:
        FailAt(next, DiagnosticCode::kInvalidBlock, "a label or \"{\"", Cover(type.range, next.range),
               next.kind == TokenKind::kComma    ? "Labels are separated by spaces."
               : next.kind == TokenKind::kNumber ? "A label that is no identifier is written in quotes."
               : Text(type) == "if" ? "There are no \"if\" statements; a value is chosen with condition ? a : b."
                                    : nullptr);
    }
  }
  return false;
}

// A quoted string without template sequences. Template sequences are refused, as the grammar wants a StringLit
// (native-syntax.md, "Blocks", "Template Expressions"): the structure of a config does not depend on values.
BlockLabel Parser::QuotedLabel() {
  BlockLabel label;
  const uint32_t begin = reader_.Peek().range.begin;
  SourceRange text;
  if (reader_.ReadPlainString(&text)) {
    label.text = Normalized(Text(text));
    label.range = Since(begin);
    return label;
  }
  const Token open = reader_.Read();
  BracketScope bracket(this, open);
  while (!failed_) {
    const Token next = reader_.Peek();
    if (next.kind == TokenKind::kText) {
      label.text = Normalized(TextOf(next, TextKind::kQuoted));
      reader_.Read();
    } else if (next.kind == TokenKind::kCloseQuote) {
      reader_.Read();
      break;
    } else if (next.kind == TokenKind::kEnd) {
      Fail(next, next.range, DiagnosticCode::kUnterminatedLabel, "The text ends before a quote closes this string.",
           Cover(open.range, next.range));
    } else {
      FailTemplateInLabel(open);
    }
  }
  label.range = Since(open.range.begin);
  return label;
}

void Parser::FailTemplateInLabel(const Token& open) {
  const Token& next = reader_.Peek();
  const char sign = text_[next.range.begin];
  std::string detail = "Template sequences are not possible in this string. A literal \"";
  detail.append({sign, '{'}).append("\" is written \"").append({sign, sign, '{'}).append("\".");
  Fail(next, next.range, DiagnosticCode::kTemplateInLabel, detail, Cover(open.range, next.range));
}

// The body and its closing brace.
const Body* Parser::ParseBlockBody(const Token& type, const Token& open) {
  DepthScope depth(this);
  BracketScope bracket(this, open);
  switch (reader_.Peek().kind) {
    case TokenKind::kNewline:
    case TokenKind::kEnd:
    case TokenKind::kCloseBrace: {
      const Body* body = ParseBody(TokenKind::kCloseBrace, open.range);
      if (!failed_) reader_.Read();
      return body;
    }
    default:
      return ParseOneLineBody(type, open);
  }
}

// `name = value }`. The grammar's OneLineBlock has one attribute at most and no blocks (native-syntax.md, "Structural
// Elements"). An empty one, `{}`, is read by ParseBody().
const Body* Parser::ParseOneLineBody(const Token& type, const Token& open) {
  auto* body = arena_->New<Body>();
  body->end = {open.range.begin, open.range.begin};
  const Token name = reader_.Peek();
  if (name.kind != TokenKind::kIdentifier) {
    FailAt(name, DiagnosticCode::kItemRequired, "the name of an attribute");
  } else {
    reader_.Read();
    const Token& next = reader_.Peek();
    if (next.kind == TokenKind::kAssign) {
      const Attribute attribute = FinishAttribute(name);
      body->attributes = arena_->CopySpan(absl::Span<const Attribute>(&attribute, 1));
      ExpectOneLineEnd(type, open);
    } else if (next.kind == TokenKind::kOpenQuote || next.kind == TokenKind::kOpenBrace ||
               next.kind == TokenKind::kIdentifier) {
      Fail(next, Cover(name.range, next.range), DiagnosticCode::kBlockInOneLineBlock,
           "A block on one line holds one attribute and no blocks. A nested block stands on lines of its own.");
    } else {
      Fail(next, name.range, DiagnosticCode::kItemRequired,
           "After an attribute's name there must be \"=\" and a value.");
    }
  }
  body->range = {open.range.end, std::max(open.range.end, reader_.previous().end)};
  if (!failed_) {
    body->range.end = reader_.Peek().range.begin;
    reader_.Read();
  }
  return body;
}

// The grammar wants the brace right behind the attribute. What stands there instead tells which other form was meant:
// several attributes in a row, or a block over several lines.
void Parser::ExpectOneLineEnd(const Token& type, const Token& open) {
  const Token& next = reader_.Peek();
  if (failed_ || next.kind == TokenKind::kCloseBrace) return;
  switch (next.kind) {
    case TokenKind::kComma:
      return Fail(next, next.range, DiagnosticCode::kInvalidOneLineBlock,
                  "A block on one line holds one attribute. Write each of several attributes on its own line.");
    case TokenKind::kNewline:
      return Fail(next, next.range, DiagnosticCode::kInvalidOneLineBlock,
                  "A block whose first attribute stands on the line of the \"{\" must be closed on the same line.");
    case TokenKind::kEnd:
      return Fail(next, open.range, DiagnosticCode::kUnclosedBlock,
                  "The text ends before a \"}\" closes the block that starts here.", Cover(type.range, open.range));
    default:
      return FailAt(next, DiagnosticCode::kInvalidOneLineBlock, "\"}\" after the attribute of a block on one line");
  }
}

}  // namespace internal
}  // namespace hcl
