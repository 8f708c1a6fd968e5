// Parser: operators, terms and calls.

#include <array>
#include <string>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {
namespace {

// Binding strength of a binary operator; 0 for other tokens.
struct OperatorInfo {
  uint8_t level = 0;
  BinaryOp op = BinaryOp::kAdd;
};

constexpr size_t kTokenKinds = static_cast<size_t>(TokenKind::kBrokenSequence) + 1;

// Levels come from internal/operators.def, from which the printer takes its parentheses as well: the two cannot
// disagree.
constexpr std::array<OperatorInfo, kTokenKinds> MakeOperators() {
  std::array<OperatorInfo, kTokenKinds> table{};
#define BINARY_OPERATOR(name, spelling, level) \
  table[static_cast<size_t>(TokenKind::k##name)] = OperatorInfo{level, BinaryOp::k##name};
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
  return table;
}

constexpr std::array<OperatorInfo, kTokenKinds> kOperators = MakeOperators();

// The level of the operators that bind loosest.
constexpr int kLoosest = 1;

// Skips decimal digits; false when there is none.
bool SkipDigits(std::string_view text, size_t* at) {
  const size_t begin = *at;
  while (*at < text.size() && text[*at] >= '0' && text[*at] <= '9') ++*at;
  return *at > begin;
}

// The grammar's NumericLit: digits ("." digits)? (("e" | "E") ("+" | "-")? digits)?
bool IsNumber(std::string_view text) {
  size_t at = 0;
  if (!SkipDigits(text, &at)) return false;
  if (at == text.size()) return true;
  if (text[at] == '.') {
    ++at;
    if (!SkipDigits(text, &at)) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!SkipDigits(text, &at)) return false;
  }
  return at == text.size();
}

}  // namespace

bool Parser::IsKeyword(const Token& token, std::string_view keyword) const {
  return token.kind == TokenKind::kIdentifier && Text(token) == keyword;
}

// After a failure, no token is next here and below.
const Expr* Parser::ParseExpression() {
  const Expr* expr = ParseBinary(kLoosest);
  return reader_.Peek().kind == TokenKind::kQuestion ? ParseConditional(expr) : expr;
}

// A level for each: conditionals nest to the right, `a ? b : c ? d : e`, and each of them takes a frame of the stack in
// every pass that recurses.
const Expr* Parser::ParseConditional(const Expr* condition) {
  DepthScope depth(this);
  const uint32_t begin = condition->range.begin;
  reader_.Take();
  const Expr* if_true = ParseExpression();
  if (failed_) return Broken(begin);
  const Token& colon = reader_.Peek();
  if (colon.kind != TokenKind::kColon) {
    FailAt(colon, DiagnosticCode::kMissingFalseExpression, "\":\" and the expression for the other case",
           Cover(condition->range, colon.range));
    return Broken(begin);
  }
  reader_.Take();
  const Expr* if_false = ParseExpression();
  if (failed_) return Broken(begin);
  return arena_->New<ConditionalExpr>(Cover(condition->range, if_false->range), condition, if_true, if_false);
}

// Operators of at least `min_level` (native-syntax.md, "Operations"). The right side of an operator takes tighter ones
// only. An operation there counts as a level of nesting, since it takes a frame of the stack in every pass that
// recurses, and there are six of them before something else is nested.
const Expr* Parser::ParseBinary(int min_level) {
  const Expr* lhs = ParseTerm();
  if (kOperators[static_cast<size_t>(reader_.Peek().kind)].level < min_level) return lhs;
  if (min_level == kLoosest) return ParseOperators(lhs, min_level);
  DepthScope depth(this);
  return ParseOperators(lhs, min_level);
}

// Chains of operators lean to the left and are built in the loop, so that a sum of a million terms takes no stack.
const Expr* Parser::ParseOperators(const Expr* lhs, int min_level) {
  while (true) {
    const OperatorInfo info = kOperators[static_cast<size_t>(reader_.Peek().kind)];
    if (info.level < min_level) return lhs;
    reader_.Take();
    const Expr* rhs = ParseBinary(info.level + 1);
    if (failed_) return Broken(lhs->range.begin);
    lhs = arena_->New<BinaryExpr>(Cover(lhs->range, rhs->range), info.op, lhs, rhs);
  }
}

// A term with its postfix operators, under its unary operators. Unary operators bind looser than postfix ones, so
// `-a.b` is `-(a.b)`, and tighter than binary ones.
const Expr* Parser::ParseTerm() {
  CountStep();
  const Expr* term = ParsePrimary();
  const TokenKind next = reader_.Peek().kind;
  return next == TokenKind::kDot || next == TokenKind::kOpenBracket ? ParsePostfix(term) : term;
}

const Expr* Parser::ParseUnary(UnaryOp op) {
  DepthScope depth(this);
  const Token sign = reader_.Take();
  const Expr* operand = ParseTerm();
  if (failed_) return Broken(sign.range.begin);
  return arena_->New<UnaryExpr>(Cover(sign.range, operand->range), op, operand);
}

const Expr* Parser::ParsePrimary() {
  switch (reader_.Peek().kind) {
    case TokenKind::kIdentifier:
      return ParseIdentifier();
    case TokenKind::kNumber:
      return ParseNumber();
    case TokenKind::kOpenQuote:
      return ParseQuotedTemplate();
    case TokenKind::kOpenHeredoc:
      return ParseHeredoc();
    case TokenKind::kOpenParen:
      return ParseParen();
    case TokenKind::kOpenBracket:
      return ParseTuple();
    case TokenKind::kOpenBrace:
      return ParseObject();
    case TokenKind::kSubtract:
      return ParseUnary(UnaryOp::kNegate);
    case TokenKind::kNot:
      return ParseUnary(UnaryOp::kNot);
    default:
      return FailPrimary();
  }
}

// A value that ends with its line, or starts with what should be a heredoc, probably goes on below: recovery then takes
// the lines up to the next item for a part of it.
const Expr* Parser::FailPrimary() {
  const Token& next = reader_.Peek();
  const uint32_t begin = next.range.begin;
  value_goes_on_ = !failed_ && (next.kind == TokenKind::kNewline || text_.substr(begin, 2) == "<<");
  FailAt(next, next.kind == TokenKind::kEnd ? DiagnosticCode::kMissingExpression : DiagnosticCode::kInvalidExpression,
         "an expression");
  return Broken(begin);
}

// The spelling is kept. What number it is, and whether it can be represented, the compiler says: the tree is for tools
// as well, which print it as it was written.
const Expr* Parser::ParseNumber() {
  const Token number = reader_.Take();
  if (!number.has_escapes || IsNumber(Text(number))) {
    return arena_->New<LiteralExpr>(number.range, LiteralKind::kNumber, Text(number));
  }
  Report(number.range, DiagnosticCode::kMalformedNumber,
         "A number has digits, then possibly \".\" and digits, then possibly \"e\", a sign and digits.");
  return arena_->New<ErrorExpr>(number.range);
}

// `true`, `false` and `null` are keywords as terms only (native-syntax.md, "Literal Values", "Keywords"): as the name
// of an attribute or of a function they are names.
const Expr* Parser::ParseIdentifier() {
  const Token name = reader_.Take();
  const TokenKind next = reader_.Peek().kind;
  if (next == TokenKind::kOpenParen || next == TokenKind::kDoubleColon) return ParseCall(name);
  const std::string_view text = Name(name);
  if (text == "true") return arena_->New<LiteralExpr>(name.range, LiteralKind::kTrue, text);
  if (text == "false") return arena_->New<LiteralExpr>(name.range, LiteralKind::kFalse, text);
  if (text == "null") return arena_->New<LiteralExpr>(name.range, LiteralKind::kNull, text);
  return arena_->New<VariableExpr>(name.range, text);
}

// Newlines between parentheses are white space (native-syntax.md, "Expression Terms"). The parentheses stay in the
// tree: they make a reference an expression like others, for object keys and static analysis.
const Expr* Parser::ParseParen() {
  DepthScope depth(this);
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  const Expr* inner;
  {
    NewlineScope newlines(this, false);
    inner = ParseExpression();
    const Token& close = reader_.Peek();
    if (!failed_ && close.kind != TokenKind::kCloseParen) {
      FailAt(close, DiagnosticCode::kUnbalancedParentheses, "\")\" after the expression in parentheses",
             Cover(open.range, close.range), close.kind == TokenKind::kComma ? "A list stands in brackets." : nullptr);
    }
    if (failed_) return Broken(open.range.begin);
    reader_.Take();
  }
  return arena_->New<ParenExpr>(Since(open.range.begin), inner);
}

// A call is a level of nesting, as its arguments are parsed with this frame on the stack.
const Expr* Parser::ParseCall(const Token& name) {
  DepthScope depth(this);
  std::string_view full_name;
  SourceRange name_range;
  if (!ParseCallName(name, &full_name, &name_range)) return Broken(name.range.begin);
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  ScratchList<const Expr*> arguments(&exprs_);
  bool expand_last = false;
  {
    NewlineScope newlines(this, false);
    if (!ParseArguments(name_range, open, &arguments, &expand_last)) return Broken(name.range.begin);
    reader_.Take();
  }
  return arena_->New<CallExpr>(Since(name.range.begin), full_name, name_range, arena_->CopySpan(arguments.view()),
                               expand_last, open.range, reader_.previous());
}

// A name with its namespaces, up to the `(`, which is not taken. Namespaces are not in the specification; the reference
// has them. The name is a view of the source unless blanks stand between its parts: then a copy without them is made.
bool Parser::ParseCallName(const Token& name, std::string_view* full_name, SourceRange* range) {
  *range = name.range;
  *full_name = Name(name);
  return reader_.Peek().kind == TokenKind::kOpenParen ? !failed_ : ParseNamespaces(name, full_name, range);
}

bool Parser::ParseNamespaces(const Token& name, std::string_view* full_name, SourceRange* range) {
  std::string joined(Name(name));
  while (reader_.Peek().kind == TokenKind::kDoubleColon) {
    reader_.Take();
    const Token& part = reader_.Peek();
    if (part.kind != TokenKind::kIdentifier) {
      FailAt(part, DiagnosticCode::kMissingFunctionName, "a function's name after \"::\"",
             Cover(name.range, part.range));
      return false;
    }
    joined.append("::").append(Name(part));
    *range = Cover(*range, part.range);
    reader_.Take();
  }
  const Token& open = reader_.Peek();
  if (open.kind != TokenKind::kOpenParen) {
    FailAt(open, DiagnosticCode::kMissingOpenParenthesis, "\"(\" after a function's name",
           Cover(name.range, open.range));
    return false;
  }
  *full_name = Text(*range) == joined ? Text(*range) : arena_->CopyString(joined);
  return true;
}

// Arguments up to the `)`, which is not taken. A comma may follow the last argument, but not `...`, which ends the list
// (native-syntax.md, "Functions and Function Calls").
bool Parser::ParseArguments(SourceRange name, const Token& open, ScratchList<const Expr*>* arguments,
                            bool* expand_last) {
  while (!failed_) {
    if (reader_.Peek().kind == TokenKind::kCloseParen) return true;
    arguments->Add(ParseExpression());
    if (failed_) return false;
    const Token next = reader_.Peek();
    switch (next.kind) {
      case TokenKind::kCloseParen:
        return true;
      case TokenKind::kComma:
        reader_.Take();
        break;
      case TokenKind::kEllipsis:
        reader_.Take();
        *expand_last = true;
        if (reader_.Peek().kind == TokenKind::kCloseParen) return true;
        Fail(reader_.Peek(), next.range, DiagnosticCode::kMissingCloseParenthesis,
             "\"...\" expands the last argument; only \")\" may follow.", Cover(name, next.range));
        break;
      case TokenKind::kEnd:
        Fail(next, Cover(name, open.range), DiagnosticCode::kUnterminatedCall,
             "The text ends before a \")\" closes the arguments of this call.");
        break;
      default:
        FailAt(next, DiagnosticCode::kMissingArgumentSeparator, "\",\" or \")\" after an argument",
               Cover(name, next.range),
               next.kind == TokenKind::kAssign ? "Arguments are given in order, without names." : SeparatorHint(next));
    }
  }
  return false;
}

}  // namespace internal
}  // namespace hcl
