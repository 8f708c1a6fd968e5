// Parser: attribute access, indexing, splats, and traversals on their own.

#include <string>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {

// A term with the postfix operators read so far. Constant steps wait in `steps` until something else follows.
struct Parser::PostfixChain {
  PostfixChain(Parser* parser, const Expr* term)
      : begin(term->range.begin), expr(term), steps(&parser->steps_), depth(&parser->depth_) {}
  // The splats of a chain stand inside of each other, on either side, so each is a level until the chain ends.
  ~PostfixChain() { *depth -= splats; }

  uint32_t begin;
  const Expr* expr;
  ScratchList<TraversalStep> steps;
  uint32_t* depth;
  uint32_t splats = 0;
};

// A loop, so that a chain of a million steps takes no stack (`a.b.c` leans to the left).
const Expr* Parser::ParsePostfix(const Expr* term) {
  PostfixChain chain(this, term);
  while (true) {
    const TokenKind next = reader_.Peek().kind;
    if (next == TokenKind::kDot) {
      ParseDot(&chain);
    } else if (next == TokenKind::kOpenBracket) {
      ParseBracket(&chain);
    } else {
      break;
    }
  }
  if (failed_) return Broken(chain.begin);
  FlushSteps(&chain);
  return chain.expr;
}

void Parser::FlushSteps(PostfixChain* chain) {
  if (chain->steps.empty()) return;
  const absl::Span<const TraversalStep> steps = arena_->CopySpan(chain->steps.view());
  chain->steps.Clear();
  chain->expr = arena_->New<TraversalExpr>(SourceRange{chain->begin, steps.back().range.end}, chain->expr, steps);
}

// A number behind a dot is the legacy index (native-syntax.md, "Index Operator"), and a star the attribute-only splat.
void Parser::ParseDot(PostfixChain* chain) {
  const Token dot = reader_.Take();
  switch (reader_.Peek().kind) {
    case TokenKind::kIdentifier: {
      const Token name = reader_.Take();
      chain->steps.Add({TraversalStep::Kind::kAttribute, false, Name(name), {dot.range.begin, name.range.end}});
      return;
    }
    case TokenKind::kNumber: {
      const Token number = reader_.Take();
      chain->steps.Add(LegacyStep(dot, number, number.range));
      return;
    }
    case TokenKind::kMultiply:
      ParseAttributeSplat(dot, chain);
      return;
    default:
      FailDot();
  }
}

void Parser::FailDot() {
  const Token& name = reader_.Peek();
  FailAt(
      name, DiagnosticCode::kInvalidAttributeName, "an attribute's name after the dot", std::nullopt,
      name.kind == TokenKind::kOpenQuote ? "A name in quotes stands in brackets, without a dot: [\"name\"]." : nullptr);
}

// `.12`. An error about it points at `subject`. In `.0.0` the scanner has read one fraction, which the specification
// does not let be two indices; the step that stands for it keeps static analysis from taking the path.
TraversalStep Parser::LegacyStep(const Token& dot, const Token& number, SourceRange subject) {
  TraversalStep step{TraversalStep::Kind::kIndexNumber, true, Text(number), Cover(dot.range, number.range)};
  const std::string_view text = step.text;
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return step;
  std::string detail;
  if (Wants()) {
    detail.append("Two legacy indices in a row read as one fraction. Write them in brackets: [");
    detail.append(text.substr(0, point)).append("][").append(text.substr(point + 1)).append("].");
  }
  Report(subject, DiagnosticCode::kInvalidLegacyIndex, detail);
  step.kind = TraversalStep::Kind::kIndexUnknown;
  step.text = {};
  return step;
}

// `.*` and the attributes after it. An index that follows applies to the result and not to each element
// (native-syntax.md, "Splat Operators"), so it is left to the chain. The splat counts as a level until the chain ends:
// the next splat has it as its source.
void Parser::ParseAttributeSplat(const Token& dot, PostfixChain* chain) {
  ++chain->splats;
  EnterLevel();
  const Token star = reader_.Take();
  FlushSteps(chain);
  const SourceRange marker = Cover(dot.range, star.range);
  const Expr* each = arena_->New<SplatItemExpr>(marker);
  ScratchList<TraversalStep> steps(&steps_);
  while (!failed_ && reader_.Peek().kind == TokenKind::kDot) {
    if (!ParseSplatStep(star, &steps)) return;
  }
  if (failed_) return;
  if (!steps.empty()) {
    each = arena_->New<TraversalExpr>(Cover(marker, steps.view().back().range), each, arena_->CopySpan(steps.view()));
  }
  chain->expr = arena_->New<SplatExpr>(SourceRange{chain->begin, each->range.end}, chain->expr, each, marker, false);
}

// One `.name` or `.12` of each element. False ends the splat: the reader is halted. An error about what the step is
// points at the star, as the splat is what would have to be written differently.
bool Parser::ParseSplatStep(const Token& star, ScratchList<TraversalStep>* steps) {
  const Token dot = reader_.Take();
  const Token name = reader_.Peek();
  switch (name.kind) {
    case TokenKind::kIdentifier:
      steps->Add({TraversalStep::Kind::kAttribute, false, Name(name), Cover(dot.range, name.range)});
      break;
    case TokenKind::kNumber:
      steps->Add(LegacyStep(dot, name, star.range));
      break;
    case TokenKind::kMultiply:
      Fail(name, name.range, DiagnosticCode::kNestedSplat,
           "After \".*\" there may be attributes, but no further \".*\". Use \"[*]\" to nest splats.");
      return false;
    default:
      Fail(name, star.range, DiagnosticCode::kInvalidAttributeName,
           "After the splat's dot there must be an attribute's name.");
      return false;
  }
  reader_.Take();
  return true;
}

// Every key is parsed as an expression. One that turns out to be a literal becomes a step of the traversal, so that a
// constant path is one node, which static analysis and the compiler take as a whole. The node of such a key is given
// back to the arena, unless its text lies there.
void Parser::ParseBracket(PostfixChain* chain) {
  DepthScope depth(this);
  const Token open = reader_.Take();
  BracketScope bracket(this, open);
  if (reader_.Peek().kind == TokenKind::kMultiply) return ParseFullSplat(open, chain);
  const char* const mark = arena_->Mark();
  const Expr* key;
  {
    NewlineScope newlines(this, false);
    key = ParseExpression();
    if (failed_) return;
    const Token& close = reader_.Peek();
    if (close.kind != TokenKind::kCloseBracket) {
      FailAt(close, DiagnosticCode::kUnclosedIndex, "\"]\" after the index", Cover(open.range, close.range),
             close.kind == TokenKind::kColon ? "An index takes one element; slice(list, 0, 2) takes a part." : nullptr);
      return;
    }
    reader_.Take();
  }
  const SourceRange brackets = Since(open.range.begin);
  if (key->kind == ExprKind::kLiteral) {
    const auto& literal = As<LiteralExpr>(*key);
    const auto kind = literal.literal == LiteralKind::kNumber ? TraversalStep::Kind::kIndexNumber
                                                              : TraversalStep::Kind::kIndexLiteral;
    chain->steps.Add({kind, false, literal.spelling, brackets});
    arena_->Rewind(mark);  // the key's spelling lies in the source, and its node is not needed
    return;
  }
  if (key->kind == ExprKind::kTemplate) {
    const auto& parts = As<TemplateExpr>(*key).parts;
    const bool is_text = parts.size() == 1 && parts[0]->kind == ExprKind::kTemplateText;
    if (parts.empty() || is_text) {
      const std::string_view text = is_text ? As<TemplateTextExpr>(*parts[0]).text.view() : "";
      chain->steps.Add({TraversalStep::Kind::kIndexString, false, text, brackets});
      if (IsInSource(text)) arena_->Rewind(mark);
      return;
    }
  }
  FlushSteps(chain);
  chain->expr = arena_->New<IndexExpr>(SourceRange{chain->begin, brackets.end}, chain->expr, key, brackets);
}

// `*]` and everything after it, which applies to each element (native-syntax.md, "Splat Operators"): the rest of the
// chain is parsed as a chain of its own on the item. That one recurses, so ParseBracket() counts it as a level.
void Parser::ParseFullSplat(const Token& open, PostfixChain* chain) {
  reader_.Take();
  const Token& close = reader_.Peek();
  if (close.kind != TokenKind::kCloseBracket) {
    FailAt(close, DiagnosticCode::kUnclosedSplat, "\"]\" after \"*\"");
    return;
  }
  reader_.Take();
  FlushSteps(chain);
  const SourceRange marker = Since(open.range.begin);
  const Expr* each = ParsePostfix(arena_->New<SplatItemExpr>(marker));
  if (failed_) return;
  chain->expr = arena_->New<SplatExpr>(SourceRange{chain->begin, each->range.end}, chain->expr, each, marker, true);
}

// An absolute traversal in a text of its own, which the JSON syntax needs (json-syntax.md has its expressions in
// strings). It has a grammar of its own, without splats, legacy indices and calculated keys, and so stricter messages.
const Expr* Parser::ParseWholeTraversal() {
  reader_.ShowNewlines(false);
  const Token root = reader_.Peek();
  const Expr* expr;
  if (root.kind != TokenKind::kIdentifier) {
    FailAt(root, DiagnosticCode::kVariableNameRequired, "a variable's name");
    expr = Broken(root.range.begin);
  } else {
    reader_.Take();
    expr = arena_->New<VariableExpr>(root.range, Name(root));
    ScratchList<TraversalStep> steps(&steps_);
    while (reader_.Peek().kind != TokenKind::kEnd && ParseAbsoluteStep(root, &steps)) {
    }
    if (!steps.empty()) {
      const absl::Span<const TraversalStep> copy = arena_->CopySpan(steps.view());
      expr = arena_->New<TraversalExpr>(SourceRange{root.range.begin, copy.back().range.end}, expr, copy);
    }
  }
  Drain();
  return expr;
}

// False also after an error that leaves the parser going: the traversal is void in any case.
bool Parser::ParseAbsoluteStep(const Token& root, ScratchList<TraversalStep>* steps) {
  const Token& next = reader_.Peek();
  if (next.kind == TokenKind::kOpenBracket) {
    TraversalStep step{};
    if (!ParseAbsoluteIndex(root, &step)) return false;
    steps->Add(step);
    return true;
  }
  if (next.kind != TokenKind::kDot) {
    FailAt(next, DiagnosticCode::kTraversalStepRequired, "an attribute or an index", Cover(root.range, next.range));
    return false;
  }
  const Token dot = reader_.Take();
  const Token name = reader_.Peek();
  if (name.kind != TokenKind::kIdentifier) {
    FailAt(name, DiagnosticCode::kAttributeNameRequired, "an attribute's name after the dot",
           Cover(root.range, name.range));
    return false;
  }
  reader_.Take();
  steps->Add({TraversalStep::Kind::kAttribute, false, Name(name), Cover(dot.range, name.range)});
  return true;
}

// `[12]` or `["key"]`. ParseNumber() and QuotedLabel() report mistakes of form without halting the parser, so what they
// have done is looked at.
bool Parser::ParseAbsoluteIndex(const Token& root, TraversalStep* step) {
  const Token open = reader_.Take();
  const Token key = reader_.Peek();
  if (key.kind == TokenKind::kNumber) {
    step->kind = TraversalStep::Kind::kIndexNumber;
    step->text = Text(key);
    if (ParseNumber()->kind == ExprKind::kError) return false;
  } else if (key.kind == TokenKind::kOpenQuote) {
    const size_t errors = errors_.count();
    step->kind = TraversalStep::Kind::kIndexString;
    step->text = QuotedLabel().text;
    if (failed_ || errors_.count() > errors) return false;
  } else {
    FailAt(
        key,
        key.kind == TokenKind::kMultiply ? DiagnosticCode::kAttributeNameRequired : DiagnosticCode::kIndexValueRequired,
        "a number or a quoted string as index", Cover(root.range, key.range));
    return false;
  }
  const Token& close = reader_.Peek();
  if (close.kind != TokenKind::kCloseBracket) {
    FailAt(close, DiagnosticCode::kUnclosedTraversalIndex, "\"]\" after the index", Cover(open.range, close.range));
    return false;
  }
  reader_.Take();
  step->range = Since(open.range.begin);
  return true;
}

}  // namespace internal
}  // namespace hcl
