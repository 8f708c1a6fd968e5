// Parser: tuples, objects and `for` expressions.

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {

// Newlines between the brackets are white space (native-syntax.md, "Collection Values"). The reader keeps a newline
// that is hidden, so that one behind the closing bracket counts again when the scope has ended. `for` is the keyword
// wherever it comes first; a variable of that name needs parentheses there.
const Expr* Parser::ParseTuple() {
  DepthScope depth(this);
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  ScratchList<const Expr*> elements(&exprs_);
  {
    NewlineScope newlines(this, false);
    if (IsKeyword(reader_.Peek(), "for")) return ParseFor(open);
    while (!failed_ && reader_.Peek().kind != TokenKind::kCloseBracket) {
      elements.Add(ParseExpression());
      if (!ParseTupleSeparator(open)) break;
    }
    if (failed_) return Broken(open.range.begin);
    reader_.Take();
  }
  return arena_->New<TupleExpr>(Since(open.range.begin), arena_->CopySpan(elements.view()));
}

// True when a comma was taken; false at the `]`, which is not taken, and after a failure.
bool Parser::ParseTupleSeparator(const Token& open) {
  if (failed_) return false;
  const Token& next = reader_.Peek();
  switch (next.kind) {
    case TokenKind::kCloseBracket:
      return false;
    case TokenKind::kComma:
      reader_.Take();
      return true;
    case TokenKind::kEnd:
      Fail(next, open.range, DiagnosticCode::kUnterminatedTuple,
           "The text ends before a \"]\" closes the tuple that starts here.");
      return false;
    default:
      FailAt(next, DiagnosticCode::kMissingItemSeparator, "\",\" or \"]\" after an element",
             Cover(open.range, next.range), SeparatorHint(next));
      return false;
  }
}

// Newlines separate items as commas do, unlike in a tuple, so they are shown. Only the keyword is looked for past them:
// `{` and `for` may stand on different lines.
const Expr* Parser::ParseObject() {
  DepthScope depth(this);
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  if (IsKeyword(reader_.PeekPastNewlines(), "for")) {
    NewlineScope newlines(this, false);
    return ParseFor(open);
  }
  ScratchList<ObjectItem> items(&items_);
  {
    NewlineScope newlines(this, true);
    while (!failed_ && reader_.Peek().kind != TokenKind::kCloseBrace) {
      if (reader_.Peek().kind == TokenKind::kNewline) {
        reader_.Read();
        continue;
      }
      ObjectItem item;
      if (!ParseObjectItem(open, &item)) break;
      items.Add(item);
      if (!ParseObjectSeparator(open)) break;
    }
    if (failed_) return Broken(open.range.begin);
    reader_.Take();
  }
  return arena_->New<ObjectExpr>(Since(open.range.begin), arena_->CopySpan(items.view()), open.range);
}

// A key is parsed as an expression, as it may be one, and only then is it seen whether it is a naked name, which means
// itself and no variable (native-syntax.md, "Collection Values"). The node stays in the tree, since static maps take
// such a key for a reference.
bool Parser::ParseObjectItem(const Token& open, ObjectItem* item) {
  const Token first = reader_.Peek();
  item->key = ParseExpression();
  if (failed_) return false;
  // An identifier is the whole key exactly if the key is as long as its first token.
  const bool is_naked = first.kind == TokenKind::kIdentifier && item->key->range == first.range;
  item->key_name = is_naked ? Name(first) : std::string_view();
  const Token& next = reader_.Peek();
  switch (next.kind) {
    case TokenKind::kAssign:
    case TokenKind::kColon:
      reader_.Take();
      item->value = ParseExpression();
      return !failed_;
    case TokenKind::kNewline:
    case TokenKind::kComma:
      FailAt(next, DiagnosticCode::kMissingAttributeValue, "\"=\" and a value after the key",
             Cover(open.range, next.range),
             next.kind == TokenKind::kComma ? "A list without keys stands in brackets." : nullptr);
      return false;
    case TokenKind::kEnd:
      Fail(next, open.range, DiagnosticCode::kUnterminatedObject,
           "The text ends before a \"}\" closes the object that starts here.");
      return false;
    case TokenKind::kIdentifier:
      Fail(next, next.range, DiagnosticCode::kMissingKeySeparator,
           "After a key there must be \"=\". A key with dots or spaces in it is written in quotes.",
           Cover(open.range, next.range));
      return false;
    default:
      FailAt(next, DiagnosticCode::kMissingKeySeparator, "\"=\" after the key", Cover(open.range, next.range),
             next.kind == TokenKind::kOpenBrace
                 ? "An object holds no blocks. A block that holds some is written without \"=\" before its \"{\"."
             : next.kind == TokenKind::kCloseBrace ? "A list without keys stands in brackets."
                                                   : nullptr);
      return false;
  }
}

// True when a comma or newline was taken; false at the `}`, which is not taken, and after a failure.
bool Parser::ParseObjectSeparator(const Token& open) {
  const Token& next = reader_.Peek();
  switch (next.kind) {
    case TokenKind::kCloseBrace:
      return false;
    case TokenKind::kComma:
    case TokenKind::kNewline:
      reader_.Read();
      return true;
    case TokenKind::kEnd:
      Fail(next, open.range, DiagnosticCode::kUnterminatedObject,
           "The text ends before a \"}\" closes the object that starts here.");
      return false;
    default:
      FailAt(next, DiagnosticCode::kMissingAttributeSeparator, "a newline or \",\" before the next attribute",
             Cover(open.range, next.range));
      return false;
  }
}

// Requires that `[` or `{` was taken, that the keyword is next, and that newlines are hidden. The shape is checked
// after the closing bracket: a key in a tuple, a missing one in an object and `...` without one leave the structure
// clear, so that the text behind them is read without a recovery.
const Expr* Parser::ParseFor(const Token& open) {
  const TokenKind closer = open.kind == TokenKind::kOpenBrace ? TokenKind::kCloseBrace : TokenKind::kCloseBracket;
  reader_.Take();
  auto* node = arena_->New<ForExpr>(open.range);
  node->open = open.range;
  SourceRange ellipsis;
  if (!ParseForIntro(node) || !ParseForBody(node, &ellipsis)) return Broken(open.range.begin);
  const Token& close = reader_.Peek();
  if (close.kind != closer) {
    FailAt(close, DiagnosticCode::kInvalidForExpression,
           closer == TokenKind::kCloseBrace ? "\"}\" at the end of the 'for' expression"
                                            : "\"]\" at the end of the 'for' expression",
           Cover(open.range, close.range),
           close.kind == TokenKind::kAssign || close.kind == TokenKind::kColon
               ? "Between the key and the value of an object's 'for' stands \"=>\"."
               : nullptr);
    return Broken(open.range.begin);
  }
  node->close = close.range;
  node->range = Cover(open.range, close.range);
  // Newlines count again after the bracket, which the caller's scope knows when it ends.
  reader_.Take();
  CheckForShape(*node, ellipsis);
  return node;
}

// `k, v in collection :`. The single name, or the second one of two, is that of the value (native-syntax.md, "For
// Expressions"). The collection is a whole expression; its `:` cannot be taken for one of a conditional, as that has
// taken its own.
bool Parser::ParseForIntro(ForExpr* node) {
  const auto fail = [&](const char* expected, const char* hint = nullptr) {
    const Token& next = reader_.Peek();
    FailAt(next, DiagnosticCode::kInvalidForExpression, expected, Cover(node->open, next.range), hint);
    return false;
  };
  if (reader_.Peek().kind != TokenKind::kIdentifier) return fail("a variable's name after \"for\"");
  node->value_name = Name(reader_.Take());
  if (reader_.Peek().kind == TokenKind::kComma) {
    reader_.Take();
    if (reader_.Peek().kind != TokenKind::kIdentifier) return fail("the name of the variable for the value");
    node->key_name = node->value_name;
    node->value_name = Name(reader_.Take());
  }
  if (!IsKeyword(reader_.Peek(), "in")) return fail("\"in\" after the variables");
  reader_.Take();
  node->collection = ParseExpression();
  if (failed_) return false;
  if (reader_.Peek().kind != TokenKind::kColon) {
    const bool is_filter = IsKeyword(reader_.Peek(), "if");
    return fail("\":\" after the collection",
                is_filter ? "The \"if\" comes last: [for x in list : x if condition]." : nullptr);
  }
  reader_.Take();
  return true;
}

// `key => value... if condition`.
bool Parser::ParseForBody(ForExpr* node, SourceRange* ellipsis) {
  node->value = ParseExpression();
  if (failed_) return false;
  if (reader_.Peek().kind == TokenKind::kArrow) {
    reader_.Take();
    node->key = node->value;
    node->value = ParseExpression();
    if (failed_) return false;
  }
  if (reader_.Peek().kind == TokenKind::kEllipsis) {
    *ellipsis = reader_.Take().range;
    node->group = true;
  }
  if (IsKeyword(reader_.Peek(), "if")) {
    reader_.Take();
    node->condition = ParseExpression();
  }
  return !failed_;
}

// The brackets decide what is made, and the rest must suit them (native-syntax.md, "For Expressions").
void Parser::CheckForShape(const ForExpr& node, SourceRange ellipsis) {
  const bool makes_object = text_[node.open.begin] == '{';
  if (makes_object && node.key == nullptr) {
    Report(node.value->range, DiagnosticCode::kForObjectWithoutKey,
           "An object needs a key for each element: \"key => value\" after the colon.", node.range);
  }
  if (makes_object) return;
  if (node.key != nullptr) {
    Report(node.key->range, DiagnosticCode::kForTupleWithKey,
           "A tuple's elements have no keys. Use braces around the expression to make an object.", node.range);
  }
  if (node.group) {
    Report(ellipsis, DiagnosticCode::kForTupleWithGroups,
           "\"...\" groups by key, which only an object's elements have.", node.range);
  }
}

}  // namespace internal
}  // namespace hcl
