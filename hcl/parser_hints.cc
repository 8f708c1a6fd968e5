// Parser: what was probably meant. None of this is on the way of a valid text, and what takes time is left out for
// errors past the bound.
//
// A message says what was expected and found; a hint is added only where one mistake explains what was found much
// better than others. tests/golden has an example of each.

#include <algorithm>
#include <string>

#include "hclvm/base/habits.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {
namespace {

constexpr char kChoiceHint[] = " A value is chosen with condition ? a : b.";
constexpr char kParenthesesHint[] = " An expression that goes on over several lines stands in parentheses.";

// The letters at the end of `text`, before blanks.
std::string_view LastWord(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  size_t begin = text.size();
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// How a bracket is written.
const char* Spelling(TokenKind opener) {
  switch (opener) {
    case TokenKind::kOpenBrace:
      return "{";
    case TokenKind::kOpenBracket:
      return "[";
    case TokenKind::kOpenParen:
      return "(";
    case TokenKind::kInterpolation:
      return "${";
    default:
      return "";  // a string
  }
}

// The last of the words that an operator of other languages is put together from, with what is wrong about it. The
// parser fails at that word, as the words before it are operators here as well; so the hint is found from the end.
struct ForeignOperator {
  TokenKind found;
  std::string_view before;  // directly before it; empty: anything
  const char* hint;
};

// The first entry that fits counts, so that those with a word before come before those without.
constexpr ForeignOperator kForeignOperators[] = {
    {TokenKind::kAssign, "==", " There is no operator \"===\"; equality is \"==\"."},
    {TokenKind::kAssign, "!=", " There is no operator \"!==\"; inequality is \"!=\"."},
    {TokenKind::kAssign, "", " To compare, write \"==\"."},
    {TokenKind::kGreater, "<", " There is no operator \"<>\"; inequality is \"!=\"."},
    {TokenKind::kEllipsis, "",
     " \"...\" stands only behind the last argument of a call; concat(a, b) joins lists, merge(a, b) objects."},
    {TokenKind::kAdd, "+", " There is no operator \"++\"."},
    {TokenKind::kAdd, "", " There is no sign \"+\"; leave it out."},
    {TokenKind::kMultiply, "*", " There is no operator \"**\"; a power is pow(a, b)."},
    {TokenKind::kQuestion, "?",
     " There is no operator \"??\"; coalesce(a, b) gives the first that is not null, try(a, b) the first without an "
     "error."},
    {TokenKind::kDot, "?", " There is no operator \"?.\"; try(a.b, null) gives null where there is no such attribute."},
    {TokenKind::kArrow, "",
     " \"=>\" stands only between the key and the value of a 'for' expression; greater or equal is \">=\"."},
    {TokenKind::kComma, ",", " An item is missing between the commas."},
    {TokenKind::kComma, "[", " An item is missing before the comma."},
    {TokenKind::kComma, "(", " An argument is missing before the comma."},
    {TokenKind::kCloseBracket, "[", " To take all elements, write \"[*]\"."},
    {TokenKind::kEnd, "%", " \"%\" is the remainder of a division."},
};

}  // namespace

std::string Parser::OnLine(uint32_t offset) const { return "line " + std::to_string(LineOf(offset)); }

std::string Parser::Hint(const Token& found, std::optional<SourceRange>* context) const {
  std::string hint = WordHint(found);
  if (hint.empty()) hint = OperatorHint(found);
  return hint + BracketHint(found, context);
}

// A hint about an open bracket, which then belongs to the context. There is one only where the bracket explains the
// mistake: at the end of the text, at a closing bracket of another kind, at a line that looks like the next item, or
// where an interpolation leaves its line. Anywhere else an open bracket is as it should be.
std::string Parser::BracketHint(const Token& found, std::optional<SourceRange>* context) const {
  TokenKind opener = TokenKind::kEnd;  // what `found` closes
  if (found.kind == TokenKind::kCloseBrace) opener = TokenKind::kOpenBrace;
  if (found.kind == TokenKind::kCloseBracket) opener = TokenKind::kOpenBracket;
  if (found.kind == TokenKind::kCloseParen) opener = TokenKind::kOpenParen;
  if (opener != TokenKind::kEnd && !IsOpenSince(opener, 0)) {
    return std::string(" No \"") + Spelling(opener) + "\" is open that it could close.";
  }
  if (open_brackets_.empty()) return "";
  const OpenBracket& open = open_brackets_.back();
  const std::string spelling = Spelling(open.kind);
  if (spelling.empty() || open.kind == opener) return "";
  const bool is_at_end = found.kind == TokenKind::kEnd || opener != TokenKind::kEnd;
  const bool is_below = LineOf(found.range.begin) > LineOf(open.range.begin);
  const bool is_item = open.kind != TokenKind::kOpenBrace && is_below && found.kind == TokenKind::kIdentifier &&
                       IsFirstOnLine(found.range.begin) && LooksLikeItem(found, Indentation(open.range.begin));
  const bool leaves_line = open.kind == TokenKind::kInterpolation && is_below;
  if (!is_at_end && !is_item && !leaves_line) return "";
  *context = Cover(context->value_or(found.range), open.range);
  return " The \"" + spelling + "\" on " + OnLine(open.range.begin) +
         (found.kind == TokenKind::kEnd ? " is not closed." : " is not closed before it.");
}

// A hint about words and numbers. `before` is what was taken last: words of other languages (`not x`, `f x`, `5 MB`)
// parse as a complete expression, and it is the word after it that does not fit.
std::string Parser::WordHint(const Token& found) const {
  const SourceRange previous = reader_.previous();
  const std::string_view before = Text(previous);
  if (IsKeyword(found, "and") || IsKeyword(found, "AND")) return " The logical \"and\" is written \"&&\".";
  if (IsKeyword(found, "or") || IsKeyword(found, "OR")) return " The logical \"or\" is written \"||\".";
  if (before == "not" || before == "NOT") return " The logical \"not\" is written \"!\".";
  if (IsKeyword(found, "is")) return " Values are compared by \"==\": x == null.";
  if (IsKeyword(found, "of") && LastWord(text_.substr(0, previous.begin)) == "for") {
    return " A 'for' expression is written with \"in\": [for x in list : x].";
  }
  if (before == "some") return " Whether one element fits is asked with anytrue([for x in list : x == 1]).";
  if (before == "every") return " Whether all elements fit is asked with alltrue([for x in list : x == 1]).";
  if (before == "if") return kChoiceHint;
  if (before == "return") return " There is no \"return\": the value of an attribute is the result.";
  if (before == "let" || before == "const" || before == "var") {
    return " A value gets a name in a block of a module: locals { name = value }.";
  }
  if (IsKeyword(found, "contains")) return " Whether a list has an element is asked with contains(list, value).";
  if (IsKeyword(found, "matches") || IsKeyword(found, "like")) {
    return " Whether a text matches a pattern is asked with can(regex(pattern, text)), or globmatch(pattern, text).";
  }
  if (IsKeyword(found, "mod")) return " The remainder is written \"%\".";
  if (before == "f" && found.kind == TokenKind::kOpenQuote && previous.end == found.range.begin) {
    return " Values stand in texts as \"${value}\", without a letter before the quote.";
  }
  if (IsKeyword(found, "for")) return " A 'for' expression begins with its \"for\": [for x in list : x].";
  if (IsKeyword(found, "not")) {
    return " The logical \"not\" is written \"!\"; whether a list lacks an element is asked with !contains(list, "
           "value).";
  }
  if (IsKeyword(found, "in") && before != "for") {
    return " Whether a list has an element is asked with contains(list, value).";
  }
  if (IsKeyword(found, "if")) {
    return " An \"if\" stands only in 'for' expressions; a value is chosen with condition ? a : b.";
  }
  const bool touches = previous.end == found.range.begin;
  if (touches && found.kind == TokenKind::kIdentifier && !before.empty() && IsDigit(before[0])) {
    const std::string_view letters = Text(found);
    if (letters[0] == '_') return " The digits of a number are not grouped.";
    if (letters == "e" || letters == "E") return " An exponent needs digits.";
    if (before == "0" && (letters[0] == 'x' || letters[0] == 'b' || letters[0] == 'o')) {
      return " Numbers are written in decimal digits.";
    }
    return " A number with a unit is a string, in quotes: \"" + std::string(before).append(letters) + "\".";
  }
  const bool is_value = found.kind == TokenKind::kOpenQuote || found.kind == TokenKind::kNumber;
  if (!touches && is_value && IsIdentifier(before) && before != "true" && before != "false" && before != "null") {
    return " The arguments of a function stand in parentheses.";
  }
  return "";
}

// A hint about operators and other signs. The specific signs come before the table, as they look at what stands behind
// them, which the table does not.
std::string Parser::OperatorHint(const Token& found) const {
  const SourceRange previous = reader_.previous();
  const std::string_view before = Text(previous);
  const bool touches = previous.end == found.range.begin;
  if (found.kind == TokenKind::kNewline) {
    if (before == "=") return " A value starts on the line of its \"=\".";
    constexpr std::string_view kUnfinished = "+-*/%<>&|?:!=";
    return !before.empty() && kUnfinished.find(before.back()) != std::string_view::npos ? kParenthesesHint : "";
  }
  if (found.kind == TokenKind::kDot && found.range.end < text_.size() && IsDigit(text_[found.range.end])) {
    return " A number starts with a digit, as in 0" + std::string(text_.substr(found.range.begin, 2)) + ".";
  }
  if (found.kind == TokenKind::kAssign && text_.substr(found.range.end, 1) == "<") {
    return " Less or equal is written \"<=\".";
  }
  const size_t behind = text_.find_first_not_of(" \t\r", found.range.end);
  const bool ends_line = behind == std::string_view::npos || text_[behind] == '\n';
  if (found.kind == TokenKind::kOpenQuote && touches && IsIdentifier(before) && ends_line) {
    return " Perhaps the quote before \"" + std::string(before) + "\" is missing.";
  }
  if (found.kind == TokenKind::kLess &&
      (text_.substr(found.range.begin, 2) == "<<" || EndOfBrokenHeredoc(found.range.begin) != 0)) {
    return " A heredoc starts with \"<<\" and a name, without spaces or quotes; its text starts on the next line.";
  }
  if (found.kind == TokenKind::kOpenParen && IsIdentifier(before)) {
    if (before == "for") return " The variables of a 'for' expression stand without parentheses: [for x in list : x].";
    const std::string_view word = LastWord(text_.substr(0, previous.begin));
    if (word == "function" || word == "func" || word == "fn" || word == "def") {
      return " A module defines a function by a block: function \"f\" { ... } with params = [a, b] and a result.";
    }
    return HintAtMethod(before);
  }
  for (const ForeignOperator& foreign : kForeignOperators) {
    const bool fits = foreign.before.empty() || (before == foreign.before && (touches || foreign.before == ","));
    if (foreign.found == found.kind && fits) return foreign.hint;
  }
  return "";
}

// A hint for the place behind an element or argument, where a separator should be; null when it is something else that
// is missing. It is something else where the next line looks like an item, which rather means a missing bracket, and
// where WordHint() knows better.
const char* Parser::SeparatorHint(const Token& found) const {
  switch (found.kind) {
    case TokenKind::kIdentifier:
      if (IsFirstOnLine(found.range.begin) && LooksLikeItem(found, UINT32_MAX)) return nullptr;
      if (reader_.previous().end == found.range.begin || Text(reader_.previous()) == "not") return nullptr;
      if (IsKeyword(found, "and") || IsKeyword(found, "or") || IsKeyword(found, "if")) return nullptr;
      if (IsKeyword(found, "in") || IsKeyword(found, "for") || Text(reader_.previous()) == "if") return nullptr;
      break;
    case TokenKind::kNumber:
    case TokenKind::kOpenQuote:
    case TokenKind::kOpenHeredoc:
    case TokenKind::kOpenBrace:
      break;
    default:
      return nullptr;
  }
  return "Perhaps a comma is missing before it.";
}

// A hint about what stands where an item of a body should start; null when there is nothing to say.
const char* Parser::StartHint(const Token& found) const {
  const bool is_first = text_.find_first_not_of(" \t\r\n") == found.range.begin;
  if (found.kind == TokenKind::kOpenBrace && is_first) return "This looks like JSON, which has a syntax of its own.";
  if (found.kind == TokenKind::kOpenBracket) return "A block is written with braces: name { ... }.";
  for (const std::string_view mark : {"<<<<<<<", "=======", ">>>>>>>"}) {
    if (text_.substr(found.range.begin, mark.size()) == mark && IsFirstOnLine(found.range.begin)) {
      return "This is a mark of a merge that was not finished.";
    }
  }
  if (text_.substr(found.range.begin, 2) == "--") return "A comment starts with \"#\" or \"//\".";
  if (IsContinuation(found)) return &kParenthesesHint[1];
  return nullptr;
}

// What does not follow a name that starts an item. The token after the name tells which language or habit the line is
// written in: `:` and `:=` set things elsewhere, `+=` adds to them, and dots name things in traversals.
std::string Parser::ItemDetail(const Token& name) const {
  const Token& next = reader_.Peek();
  std::string detail =
      "After a name there must be \"=\" and a value, for an attribute, or labels and \"{\", for a block.";
  if (!Wants()) return detail;
  const bool before_assign = next.range.end < text_.size() && text_[next.range.end] == '=';
  if (next.kind == TokenKind::kEqual) {
    detail = "\"==\" compares. An attribute is set with \"=\".";
  } else if (next.kind == TokenKind::kColon || next.kind == TokenKind::kArrow ||
             (before_assign && IsContinuation(next))) {
    detail = "An attribute is set with \"=\", not with \"";
    detail.append(Text(next)).append(before_assign ? "=" : "").append("\".");
  } else if (next.kind == TokenKind::kDot) {
    detail.append(" Such a name has no dots in it.");
  } else if (next.kind == TokenKind::kNumber) {
    detail.append(" A label that is no identifier is written in quotes.");
  } else if (next.kind == TokenKind::kNewline || next.kind == TokenKind::kEnd) {
    detail.append(" The line ends after \"").append(Text(name)).append("\".");
  }
  return detail;
}

// The message about an `=` after labels. One label that is a word is probably the attribute's name, with a type before
// it.
std::string Parser::LabelsDetail(const Token& type, absl::Span<const BlockLabel> labels) const {
  const bool is_word = labels.size() == 1 && text_[labels[0].range.begin] != '"';
  if (!is_word) return "A block has no \"=\" before its \"{\".";
  std::string detail = "Labels belong to a block, and \"=\" to an attribute. To set the attribute \"";
  detail.append(labels[0].text).append("\", leave out \"").append(Text(type)).append("\".");
  return detail;
}

// The message about the innermost template, whose end is missing. A heredoc that is not closed mostly has its marker
// somewhere: with more behind it on the line, or on a last line without a newline. That line is looked for once for
// each message, of which only so many are kept.
std::string Parser::UnclosedTemplateDetail() const {
  if (open_brackets_.empty()) return "The text ends within the template.";
  const OpenBracket& open = open_brackets_.back();
  if (open.kind != TokenKind::kOpenHeredoc) {
    return "The text ends before a quote closes the string that starts on " + OnLine(open.range.begin) + ".";
  }
  const std::string_view opening = Text(open.range);
  const size_t marker_begin = opening.find_first_not_of("<-");
  const std::string_view marker = opening.substr(marker_begin, opening.find_first_of("\r\n") - marker_begin);
  std::string detail = "The heredoc on ";
  detail.append(OnLine(open.range.begin)).append(" ends with a line that holds only \"").append(marker);
  detail.append("\", and there is none.");
  // A line that starts as the last one would.
  for (size_t line = open.range.end; line < text_.size();) {
    const size_t begin = std::min(text_.find_first_not_of(" \t", line), text_.size());
    const size_t end = std::min(text_.find('\n', line), text_.size());
    if (text_.substr(begin, marker.size()) == marker) {
      detail.append(" On ").append(OnLine(static_cast<uint32_t>(begin)));
      detail.append(begin + marker.size() == text_.size() ? ", a newline is missing after it."
                                                          : ", something else follows it.");
      break;
    }
    line = end + 1;
  }
  return detail;
}

// The message about a block that the text's end leaves open. `blocks` are those in it: one that is closed by a brace
// with less indentation than its type has probably taken the brace of the one around it. A missing brace is noticed at
// the end of the text, far from where it should be; indentation is what tells where. Only last blocks are followed
// inwards, since a brace too few moves every brace behind it one block out.
std::string Parser::UnclosedBlockDetail(absl::Span<const Block> blocks) const {
  std::string detail = "The text ends before a \"}\" closes the block that starts here.";
  if (!Wants()) return detail;
  while (!blocks.empty()) {
    const Block& block = blocks.back();
    const uint32_t close = block.close.begin;
    if (IsFirstOnLine(close) && Indentation(close) < Indentation(block.type_range.begin)) {
      detail.append(" The \"}\" on ").append(OnLine(close)).append(" closes \"").append(block.type).append("\" on ");
      detail.append(OnLine(block.type_range.begin)).append(", although it is indented less.");
      break;
    }
    blocks = block.body->blocks;
  }
  return detail;
}

// The message about a directive that does not exist. Words of other template languages come first, as the nearest of
// our words would be wrong advice for them.
std::string Parser::KeywordDetail(const Token& keyword) const {
  const std::string_view name = Text(keyword);
  std::string detail = "There is no directive " + Describe(keyword) + ".";
  if (name == "elseif" || name == "elif" || name == "elsif") {
    return detail.append(" Put another \"if\" with its own \"endif\" after an \"else\".");
  }
  if (name == "end" || name == "fi" || name == "done") {
    return detail.append(" An \"if\" is ended by \"endif\", a \"for\" by \"endfor\".");
  }
  const std::string_view near = NearestName(name, {"if", "else", "endif", "for", "endfor"});
  if (!near.empty()) detail.append(" Did you mean \"").append(near).append("\"?");
  return detail;
}

}  // namespace internal
}  // namespace hcl
