// Parser: recursive descent over the token reader, building the AST in an arena. Internal to hcl/.
//
// A syntax error is reported once; then the text seems to end (TokenReader::Halt), so that every open function returns
// on its ordinary way, and the innermost body takes up again at the next line on the level of its items. Mistakes that
// leave the structure clear (an unknown escape, a number out of form) are only reported.
//
// What is called from one or two places on the way of every token is inlined there: being members, these functions are
// visible to all, and the compiler would not do so by itself.
//
// Recursion: one counted level (DepthScope) for each bracket, block, label, template sequence, directive, unary
// operator, conditional, splat, and operation on the right side of an operator.
//
// Tested by hcl/parser_test.cc, hcl/template_parser_test.cc, hcl/parser_limits_test.cc, hcl/parser_fuzz_test.cc.

#ifndef HCLVM_HCL_PARSER_INTERNAL_H_
#define HCLVM_HCL_PARSER_INTERNAL_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/embedded_parser.h"
#include "hclvm/hcl/scanner.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/hcl/string_literal.h"
#include "hclvm/hcl/token.h"
#include "hclvm/hcl/token_reader.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {
namespace internal {

// One parse. Not thread-safe. Use one of the four entry points once, then Finish().
class Parser {
 public:
  // What `embedded` points to and `arena` must outlive the parser; the result lives in `arena` and points into both.
  Parser(const EmbeddedText& embedded, const Limits& limits, Scanner::Start start, Arena* arena);

  const Body* ParseFile();
  const Expr* ParseWholeExpression();
  const Expr* ParseWholeTemplate();
  const Expr* ParseWholeTraversal();

  // Hands over what was reported: the scanner's errors first, then the grammar's.
  void Finish(Diagnostics* diagnostics);

 private:
  class DepthScope;
  class BracketScope;
  class NewlineScope;
  struct BodyLists;

  // An atom of a template, before directives are matched with their ends.
  struct TemplatePart {
    enum class Kind : uint8_t { kText, kInterpolation, kIf, kElse, kEndIf, kFor, kEndFor };
    Kind kind;
    SourceRange range;
    std::string_view text;       // kText; kFor: the value's name
    std::string_view key_name;   // kFor
    const Expr* expr = nullptr;  // kInterpolation, kIf, kFor
    // Whether it has a strip marker at its beginning, and at its end; false for kText.
    bool strips_before = false;
    bool strips_after = false;
  };
  struct PartCursor {
    absl::Span<const TemplatePart> parts;
    SourceRange end;  // the token that ends the template
    size_t next = 0;
    bool broken = false;  // an unbalanced directive was reported
  };

  // Errors, in parser.cc. `found` is the token that does not fit: when the scanner has reported it, nothing is added.
  bool Wants() const { return errors_.kept().size() < max_diagnostics_; }
  // `names` stand in the code's summary.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Report(SourceRange subject, DiagnosticCode code,
                                                          std::string_view detail,
                                                          std::optional<SourceRange> context = std::nullopt,
                                                          std::initializer_list<std::string_view> names = {});
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Fail(const Token& found, SourceRange subject, DiagnosticCode code,
                                                        std::string_view detail,
                                                        std::optional<SourceRange> context = std::nullopt,
                                                        std::initializer_list<std::string_view> names = {});
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE bool EndsOuterString(const Token& token) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void ReportUnclosedSequence();
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailAt(const Token& found, DiagnosticCode code, const char* expected,
                                                          std::optional<SourceRange> context = std::nullopt,
                                                          const char* hint = nullptr,
                                                          std::initializer_list<std::string_view> names = {});
  void EnterLevel() {
    if (++depth_ > max_depth_) StopTooDeep();
  }
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void StopTooDeep();
  void CountStep() {
    if (!work_.Take()) ReportInterrupt();
  }
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void ReportInterrupt();
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Stop(SourceRange subject, DiagnosticCode code,
                                                        std::string_view detail);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE const Expr* Broken(uint32_t begin);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string Describe(const Token& token) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Drain();

  // parser_recovery.cc
  class OpenSince;
  struct FailedItem {
    uint32_t begin;
    uint32_t indentation;             // of its first line
    std::optional<uint32_t> outside;  // that of the block around it, if there is one
  };
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void RecoverToNextItem(uint32_t item_begin, size_t base,
                                                                     std::optional<uint32_t> outside);
  void PassItem(const FailedItem& item, size_t base);
  bool GoesOn(const FailedItem& item, const Token& token) const;
  bool EndsBody(const FailedItem& item, const Token& brace, bool first_on_line, bool is_inside) const;
  uint32_t EndOfBrokenHeredoc(uint32_t offset) const;
  bool StartsNextItem(uint32_t indentation) const;
  bool StartsLikeItem(const Token& token) const;
  bool LooksLikeItem(const Token& token, uint32_t indented_as) const;
  bool IsContinuation(const Token& token) const;
  uint32_t Indentation(uint32_t offset) const;
  uint32_t IndentationOfLine(uint32_t offset) const;
  bool IsFirstOnLine(uint32_t offset) const;
  bool EndsInLabel(SourceRange range) const;
  bool IsOpenSince(TokenKind opener, size_t base) const;

  // Typical mistakes, in parser_hints.cc. The hints are sentences to append to a message, each with a space before it,
  // or nothing; details are whole messages.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string Hint(const Token& found,
                                                               std::optional<SourceRange>* context) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string BracketHint(const Token& found,
                                                                      std::optional<SourceRange>* context) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string WordHint(const Token& found) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string OperatorHint(const Token& found) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string ItemDetail(const Token& name) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string LabelsDetail(const Token& type,
                                                                       absl::Span<const BlockLabel> labels) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string UnclosedTemplateDetail() const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string UnclosedBlockDetail(absl::Span<const Block> blocks) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string KeywordDetail(const Token& keyword) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE const char* SeparatorHint(const Token& found) const;
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE const char* StartHint(const Token& found) const;
  std::string OnLine(uint32_t offset) const;

  // Bodies, in parser_body.cc.
  const Body* ParseBody(TokenKind end, SourceRange opener);
  // What is wrong with the next token, with messages that are made for the case.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailUnclosedBlock(SourceRange opener,
                                                                     absl::Span<const Block> blocks);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailItem(const Token& name);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailAfterAttribute(const Token& name);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailLabels(const Token& type, absl::Span<const BlockLabel> labels);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailTemplateInLabel(const Token& open);
  void ParseItem(BodyLists* lists);
  void ParseAttribute(const Token& name, BodyLists* lists);
  ABSL_ATTRIBUTE_ALWAYS_INLINE inline Attribute FinishAttribute(const Token& name);
  ABSL_ATTRIBUTE_ALWAYS_INLINE inline void AddAttribute(const Attribute& attribute, BodyLists* lists);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void ReportRedefined(const Attribute& attribute, SourceRange first);
  void ParseBlock(const Token& type, BodyLists* lists);
  bool ParseLabels(const Token& type, ScratchList<BlockLabel>* labels);
  BlockLabel QuotedLabel();
  const Body* ParseBlockBody(const Token& type, const Token& open);
  const Body* ParseOneLineBody(const Token& type, const Token& open);
  void ExpectOneLineEnd(const Token& type, const Token& open);

  // Expressions, in parser_expr.cc and parser_collection.cc.
  const Expr* ParseExpression();
  const Expr* ParseConditional(const Expr* condition);
  ABSL_ATTRIBUTE_ALWAYS_INLINE inline const Expr* ParseBinary(int min_level);
  const Expr* ParseOperators(const Expr* lhs, int min_level);
  const Expr* ParseTerm();
  ABSL_ATTRIBUTE_ALWAYS_INLINE inline const Expr* ParsePrimary();
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE const Expr* FailPrimary();
  const Expr* ParseUnary(UnaryOp op);
  const Expr* ParseParen();
  const Expr* ParseNumber();
  const Expr* ParseIdentifier();
  const Expr* ParseCall(const Token& name);
  bool ParseCallName(const Token& name, std::string_view* full_name, SourceRange* range);
  ABSL_ATTRIBUTE_NOINLINE bool ParseNamespaces(const Token& name, std::string_view* full_name, SourceRange* range);
  bool ParseArguments(SourceRange name, const Token& open, ScratchList<const Expr*>* arguments, bool* expand_last);
  const Expr* ParseTuple();
  bool ParseTupleSeparator(const Token& open);
  const Expr* ParseObject();
  bool ParseObjectItem(const Token& open, ObjectItem* item);
  bool ParseObjectSeparator(const Token& open);
  const Expr* ParseFor(const Token& open);
  bool ParseForIntro(ForExpr* node);
  bool ParseForBody(ForExpr* node, SourceRange* ellipsis);
  void CheckForShape(const ForExpr& node, SourceRange ellipsis);
  bool IsKeyword(const Token& token, std::string_view keyword) const;

  // Postfix operators, in parser_traversal.cc, with the steps that wait to become one TraversalExpr.
  struct PostfixChain;
  const Expr* ParsePostfix(const Expr* term);
  ABSL_ATTRIBUTE_ALWAYS_INLINE inline void ParseDot(PostfixChain* chain);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailDot();
  TraversalStep LegacyStep(const Token& dot, const Token& number, SourceRange subject);
  void ParseAttributeSplat(const Token& dot, PostfixChain* chain);
  bool ParseSplatStep(const Token& star, ScratchList<TraversalStep>* steps);
  void ParseBracket(PostfixChain* chain);
  void ParseFullSplat(const Token& open, PostfixChain* chain);
  void FlushSteps(PostfixChain* chain);
  bool ParseAbsoluteStep(const Token& root, ScratchList<TraversalStep>* steps);
  bool ParseAbsoluteIndex(const Token& root, TraversalStep* step);

  // Templates, in parser_template.cc and template_assembly.cc.
  const Expr* ParseQuotedTemplate();
  const Expr* ParseHeredoc();
  const Expr* ParseTemplate(uint32_t begin, TokenKind end, TextKind text_kind, bool flush);
  Token ParseParts(TokenKind end, TextKind text_kind, ScratchList<TemplatePart>* parts);
  std::string_view TextOf(const Token& token, TextKind text_kind);
  void ParseInterpolation(SourceRange first, TokenKind end, ScratchList<TemplatePart>* parts);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailDirectiveEnd(const Token& open, const Token& keyword,
                                                                    const Token& close);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailInterpolationEnd(SourceRange first, TokenKind end,
                                                                        const Token& open, const Token& close);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailUnterminated(const Token& next, SourceRange first);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void FailKeyword(const Token& open, const Token& keyword);
  int CountDirective(const TemplatePart& part, int open);
  void ParseDirective(ScratchList<TemplatePart>* parts);
  bool ParseDirectiveBody(const Token& open, const Token& keyword, TemplatePart* part);
  bool ParseForDirective(TemplatePart* part);
  const Expr* Assemble(uint32_t begin, const Token& end, ScratchList<TemplatePart>* parts);
  absl::Span<const Expr* const> AssembleParts(PartCursor* cursor);
  const Expr* AssembleText(PartCursor* cursor);
  const TemplateExpr* AssembleContent(PartCursor* cursor);
  const Expr* AssembleIf(PartCursor* cursor);
  const Expr* AssembleFor(PartCursor* cursor);
  static bool IsAt(const PartCursor& cursor, TemplatePart::Kind kind);
  bool TakeEnd(PartCursor* cursor, TemplatePart::Kind kind, const TemplatePart& opener);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void ReportUnbalanced(PartCursor* cursor, std::string_view detail);
  static std::string_view StripLeft(std::string_view text);
  static std::string_view StripRight(std::string_view text);
  void StripLiterals(ScratchList<TemplatePart>* parts) const;
  static void FlushIndentation(ScratchList<TemplatePart>* parts);

  // Of a token, or of several. Ranges of the scanner need no test.
  std::string_view Text(SourceRange range) const {
    HCL_DCHECK(range.begin <= range.end && range.end <= text_.size());
    return {text_.data() + range.begin, range.end - range.begin};
  }
  std::string_view Text(const Token& token) const { return Text(token.range); }
  // Of a kIdentifier, as it counts where names are compared: normalized (information-model.md has strings in NFC).
  std::string_view Name(const Token& token) { return token.has_escapes ? Normalized(Text(token)) : Text(token); }
  std::string_view Normalized(std::string_view text);
  bool IsInSource(std::string_view text) const {
    return text.empty() || (text.data() >= text_.data() && text.data() < text_.data() + text_.size());
  }
  SourceRange Since(uint32_t begin) const { return {begin, reader_.previous().end}; }

  // The line of the byte at `offset` of the text, in the source, for messages.
  uint32_t LineOf(uint32_t offset) const {
    const uint32_t outer = embedded_.map == nullptr ? offset : embedded_.map->Map(offset);
    return embedded_.source->LineAt(outer);
  }

  EmbeddedText embedded_;
  std::string_view text_;
  Arena* arena_;
  uint32_t max_depth_;
  uint32_t max_diagnostics_;
  Diagnostics lexical_;
  Diagnostics errors_;
  TokenReader reader_;

  uint32_t depth_;
  Interrupt interrupt_;
  Steps work_;
  bool failed_ = false;         // an error was reported and the reader is halted
  bool value_goes_on_ = false;  // and it was in a value that probably goes on on the next lines
  bool stopped_ = false;        // for good: a limit was crossed
  bool truncated_ = false;      // recovery has run into the end of the text inside of a bracket

  struct OpenBracket {
    TokenKind kind;
    SourceRange range;
  };
  ScratchStack<OpenBracket> open_brackets_;
  ScratchStack<Attribute> attributes_;
  ScratchStack<Block> blocks_;
  ScratchStack<BlockLabel> labels_;
  ScratchStack<const Expr*> exprs_;
  ScratchStack<ObjectItem> items_;
  ScratchStack<TraversalStep> steps_;
  ScratchStack<TemplatePart> parts_;
};

// Counts one level of nesting for its lifetime. When that is one too many, the parse stops.
class Parser::DepthScope {
 public:
  explicit DepthScope(Parser* parser) : parser_(parser) { parser_->EnterLevel(); }
  ~DepthScope() { --parser_->depth_; }
  DepthScope(const DepthScope&) = delete;
  DepthScope& operator=(const DepthScope&) = delete;

 private:
  Parser* parser_;
};

// Remembers an open bracket for recovery. After a failure it stays remembered until the recovery.
class Parser::BracketScope {
 public:
  BracketScope(Parser* parser, const Token& opener) : parser_(parser) {
    const bool is_sequence = opener.kind == TokenKind::kDirective;
    parser_->open_brackets_.push_back({is_sequence ? TokenKind::kInterpolation : opener.kind, opener.range});
  }
  ~BracketScope() {
    if (!parser_->failed_) parser_->open_brackets_.pop_back();
  }
  BracketScope(const BracketScope&) = delete;
  BracketScope& operator=(const BracketScope&) = delete;

 private:
  Parser* parser_;
};

// Shows or hides newlines for its lifetime.
class Parser::NewlineScope {
 public:
  NewlineScope(Parser* parser, bool shown) : reader_(&parser->reader_), before_(reader_->newlines_shown()) {
    reader_->ShowNewlines(shown);
  }
  ~NewlineScope() { reader_->ShowNewlines(before_); }
  NewlineScope(const NewlineScope&) = delete;
  NewlineScope& operator=(const NewlineScope&) = delete;

 private:
  TokenReader* reader_;
  bool before_;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_PARSER_INTERNAL_H_
