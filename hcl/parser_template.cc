// Parser: the parts of a template, one after the other.
//
// A template is read flat, as the scanner gives it, and made a tree in template_assembly.cc: markers and indentation
// change text by its neighbors in the source, not by its place in the tree.

#include <string>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {

namespace {

// A template that is one text, with all that it consists of.
struct PlainTemplate {
  PlainTemplate(SourceRange whole, SourceRange range, std::string_view t)
      : text(range, t), part(&text), expr(whole, absl::Span<const Expr* const>(&part, 1)) {}
  TemplateTextExpr text;
  const Expr* part;
  TemplateExpr expr;
};

}  // namespace

std::string_view Parser::TextOf(const Token& token, TextKind text_kind) {
  if (!token.has_escapes) return Text(token);
  return DecodeTemplateText(text_, token.range, text_kind, arena_, &errors_);
}

// Most strings are one text, which no step below would change.
const Expr* Parser::ParseQuotedTemplate() {
  const uint32_t begin = reader_.Peek().range.begin;
  SourceRange text;
  if (reader_.ReadPlainString(&text)) {
    return &arena_->New<PlainTemplate>(Since(begin), text, Text(text))->expr;
  }
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  return ParseTemplate(open.range.begin, TokenKind::kCloseQuote, TextKind::kQuoted, false);
}

// Backslashes mean themselves in a heredoc: escape sequences exist in quoted templates only (native-syntax.md,
// "Template Expressions").
const Expr* Parser::ParseHeredoc() {
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  return ParseTemplate(open.range.begin, TokenKind::kCloseHeredoc, TextKind::kUnquoted, open.flush);
}

// Parses up to and with the `end` token. `begin` is where the template with its quote or heredoc opening starts. In two
// steps, with the parts as a flat list in between: strip markers and a heredoc's indentation work on neighbors in the
// text, and know nothing of the directives that the tree is nested by. Indentation is that of the lines as they are
// written, so that it is taken off before the markers join lines; the reference does it the other way round.
const Expr* Parser::ParseTemplate(uint32_t begin, TokenKind end, TextKind text_kind, bool flush) {
  ScratchList<TemplatePart> parts(&parts_);
  const Token end_token = ParseParts(end, text_kind, &parts);
  if (failed_) return Broken(begin);
  if (flush && !embedded_.strip_one_line) FlushIndentation(&parts);
  StripLiterals(&parts);
  if (flush && embedded_.strip_one_line) FlushIndentation(&parts);
  return Assemble(begin, end_token, &parts);
}

// Escapes are decoded here, so that `\t` counts as white space for strip markers.
Token Parser::ParseParts(TokenKind end, TextKind text_kind, ScratchList<TemplatePart>* parts) {
  const SourceRange first = reader_.Peek().range;
  int open_directives = 0;  // which have counted a level
  while (!failed_) {
    const Token next = reader_.Peek();
    if (next.kind == end) {
      depth_ -= static_cast<uint32_t>(open_directives);
      return reader_.Take();
    }
    if (next.kind == TokenKind::kText) {
      reader_.Take();
      parts->Add({TemplatePart::Kind::kText, next.range, TextOf(next, text_kind), {}});
      continue;
    }
    const bool is_interpolation = next.kind == TokenKind::kInterpolation;
    if (!is_interpolation && next.kind != TokenKind::kDirective) {
      FailUnterminated(next, first);
      break;
    }
    is_interpolation ? ParseInterpolation(first, end, parts) : ParseDirective(parts);
    if (!is_interpolation && !failed_) open_directives += CountDirective((*parts)[parts->size() - 1], open_directives);
  }
  depth_ -= static_cast<uint32_t>(open_directives);
  return Token();
}

// What stands between a directive and its end is a level deeper, whatever it is. Returns the change of the number of
// open directives; ends without a beginning are reported later.
int Parser::CountDirective(const TemplatePart& part, int open) {
  switch (part.kind) {
    case TemplatePart::Kind::kIf:
    case TemplatePart::Kind::kFor:
      EnterLevel();
      return 1;
    case TemplatePart::Kind::kEndIf:
    case TemplatePart::Kind::kEndFor:
      if (open == 0) return 0;
      --depth_;
      return -1;
    default:
      return 0;
  }
}

// `${ expression }`. Inside, newlines are white space, as in other brackets.
// Where the template's own quote comes first, the message is about the brace that is missing, and not about the quote
// that was found.
void Parser::ParseInterpolation(SourceRange first, TokenKind end, ScratchList<TemplatePart>* parts) {
  DepthScope depth(this);
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  NewlineScope newlines(this, false);
  const Expr* expr = ParseExpression();
  if (failed_) return;
  const Token close = reader_.Peek();
  if (close.kind != TokenKind::kSequenceEnd) return FailInterpolationEnd(first, end, open, close);
  reader_.Take();
  parts->Add(
      {TemplatePart::Kind::kInterpolation, Cover(open.range, close.range), {}, {}, expr, open.strip, close.strip});
}

// `%{ ... }`. Only the directive itself is read here. What belongs between it
// and its end is a matter of the parts around it, which Assemble() sees all together: so an unbalanced directive is
// reported without losing the structure behind it.
void Parser::ParseDirective(ScratchList<TemplatePart>* parts) {
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  NewlineScope newlines(this, false);
  const Token keyword = reader_.Peek();
  if (keyword.kind != TokenKind::kIdentifier) {
    return FailAt(keyword, DiagnosticCode::kInvalidDirective, "\"if\", \"else\", \"endif\", \"for\" or \"endfor\"",
                  Cover(open.range, keyword.range));
  }
  reader_.Take();
  TemplatePart part{TemplatePart::Kind::kIf, open.range, {}, {}};
  if (!ParseDirectiveBody(open, keyword, &part)) return;
  const Token close = reader_.Peek();
  if (close.kind != TokenKind::kSequenceEnd) return FailDirectiveEnd(open, keyword, close);
  reader_.Take();
  part.range = Cover(open.range, close.range);
  part.strips_before = open.strip;
  part.strips_after = close.strip;
  parts->Add(part);
}

// Functions of their own make the texts of messages, so that those that recurse keep small frames.
void Parser::FailDirectiveEnd(const Token& open, const Token& keyword, const Token& close) {
  const bool is_else_if = Text(keyword) == "else" && IsKeyword(close, "if");
  FailAt(
      close, DiagnosticCode::kExtraInDirective, "\"}\" at the end of the directive", Cover(open.range, close.range),
      is_else_if ? "There is no \"else if\". Put another \"if\" with its own \"endif\" after the \"else\"." : nullptr,
      {Text(keyword)});
}

void Parser::FailInterpolationEnd(SourceRange first, TokenKind end, const Token& open, const Token& close) {
  const bool at_quote =
      end == TokenKind::kCloseQuote && (close.kind == TokenKind::kOpenQuote || close.kind == TokenKind::kCloseQuote);
  if (close.kind == TokenKind::kEnd || at_quote) {
    Fail(close, first, DiagnosticCode::kUnclosedInterpolation, "No \"}\" closes a \"${\" in this template.",
         Cover(first, open.range));
  } else {
    FailAt(close, DiagnosticCode::kExtraAfterInterpolation,
           "\"}\" after the expression (a literal \"${\" is written \"$${\")", Cover(open.range, close.range));
  }
}

// A heredoc that is not closed takes the rest of the text, so that its end says nothing: its beginning is at fault.
void Parser::FailUnterminated(const Token& next, SourceRange first) {
  SourceRange subject = next.range;
  if (!open_brackets_.empty() && open_brackets_.back().kind == TokenKind::kOpenHeredoc) {
    subject = open_brackets_.back().range;
    while (text_[subject.end - 1] == '\n' || text_[subject.end - 1] == '\r') --subject.end;
  }
  Fail(next, subject, DiagnosticCode::kUnterminatedTemplate, Wants() ? UnclosedTemplateDetail() : std::string(),
       Cover(open_brackets_.empty() ? first : open_brackets_.back().range, next.range));
}

void Parser::FailKeyword(const Token& open, const Token& keyword) {
  Fail(keyword, keyword.range, DiagnosticCode::kInvalidDirectiveKeyword,
       Wants() ? KeywordDetail(keyword) : std::string(), Cover(open.range, keyword.range));
}

// Takes what stands after the keyword.
bool Parser::ParseDirectiveBody(const Token& open, const Token& keyword, TemplatePart* part) {
  const std::string_view name = Text(keyword);
  if (name == "if") {
    DepthScope depth(this);
    part->expr = ParseExpression();
  } else if (name == "for") {
    part->kind = TemplatePart::Kind::kFor;
    return ParseForDirective(part);
  } else if (name == "else") {
    part->kind = TemplatePart::Kind::kElse;
  } else if (name == "endif") {
    part->kind = TemplatePart::Kind::kEndIf;
  } else if (name == "endfor") {
    part->kind = TemplatePart::Kind::kEndFor;
  } else {
    FailKeyword(open, keyword);
  }
  return !failed_;
}

// `k, v in collection`.
bool Parser::ParseForDirective(TemplatePart* part) {
  DepthScope depth(this);
  const auto fail = [&](const char* expected) {
    FailAt(reader_.Peek(), DiagnosticCode::kInvalidForDirective, expected);
    return false;
  };
  if (reader_.Peek().kind != TokenKind::kIdentifier) return fail("a variable's name after \"for\"");
  part->text = Name(reader_.Take());
  if (reader_.Peek().kind == TokenKind::kComma) {
    reader_.Take();
    if (reader_.Peek().kind != TokenKind::kIdentifier) return fail("the name of the variable for the value");
    part->key_name = part->text;
    part->text = Name(reader_.Take());
  }
  if (!IsKeyword(reader_.Peek(), "in")) return fail("\"in\" after the variables");
  reader_.Take();
  part->expr = ParseExpression();
  return !failed_;
}

}  // namespace internal
}  // namespace hcl
