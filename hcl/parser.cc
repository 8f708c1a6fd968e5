// Parser: entry points and errors.
//
// A failure does not unwind: the reader is halted, and every open function sees the end of the text and returns on its
// ordinary way, which also closes what it has opened. The body takes up again in hcl/parser_recovery.cc.

#include "hclvm/hcl/parser.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/embedded_parser.h"
#include "hclvm/hcl/parser_internal.h"
#include "hclvm/hcl/text_map.h"

namespace hcl {
namespace internal {
namespace {

// What error messages quote of a token, at most.
constexpr size_t kMaxTokenBytes = 40;

}  // namespace

Parser::Parser(const EmbeddedText& embedded, const Limits& limits, Scanner::Start start, Arena* arena)
    : embedded_(embedded),
      text_(embedded.text),
      arena_(arena),
      max_depth_(limits.max_nesting_depth),
      max_diagnostics_(limits.max_diagnostics),
      lexical_(limits.max_diagnostics),
      errors_(limits.max_diagnostics),
      reader_(text_, start, &lexical_, embedded.begin),
      depth_(embedded.depth),
      interrupt_(limits.interrupt),
      work_(&interrupt_) {}

const Expr* Parser::ParseWholeExpression() {
  reader_.ShowNewlines(false);
  const Expr* expr = ParseExpression();
  if (!failed_ && reader_.Peek().kind != TokenKind::kEnd) {
    FailAt(reader_.Peek(), DiagnosticCode::kExtraAfterExpression, "the end of the expression");
  }
  Drain();
  return expr;
}

const Expr* Parser::ParseWholeTemplate() {
  const Expr* expr = ParseTemplate(embedded_.begin, TokenKind::kEnd, TextKind::kUnquoted, false);
  Drain();
  return expr;
}

// Scans what an error has left over, so that the scanner's errors are complete.
void Parser::Drain() {
  if (!failed_ || stopped_) return;
  reader_.Resume();
  while (reader_.Peek().kind != TokenKind::kEnd) reader_.Read();
}

// The bound holds for both lists together. An entry about a limit is handed over even past it: programs choose their
// exit status by it.
void Parser::Finish(Diagnostics* diagnostics) {
  size_t left = max_diagnostics_;
  size_t kept = 0;
  for (const Diagnostics* list : {&lexical_, &errors_}) {
    for (const Diagnostic& diagnostic : list->kept()) {
      if (left == 0 && !diagnostic.is_limit) continue;
      if (left > 0) --left;
      ++kept;
      diagnostics->Add(diagnostic);
    }
  }
  const size_t left_out = lexical_.count() + errors_.count() - kept;
  if (left_out == 0) return;
  diagnostics->AddLimit(std::nullopt, DiagnosticCode::kTooManyErrors,
                        "Of the errors in this text, " + std::to_string(left_out) +
                            " were left out. The limit is max_diagnostics, " + std::to_string(max_diagnostics_) + ".");
}

void Parser::Report(SourceRange subject, DiagnosticCode code, std::string_view detail,
                    std::optional<SourceRange> context, std::initializer_list<std::string_view> names) {
  Diagnostic diagnostic(code, names);
  diagnostic.detail = std::string(detail);
  diagnostic.subject = subject;
  diagnostic.context = context;
  errors_.Add(std::move(diagnostic));
}

// Names that differ in their spelling only are one name everywhere, so that they are made one here. Few texts have any.
std::string_view Parser::Normalized(std::string_view text) {
  return IsKnownNfc(text) ? text : arena_->CopyString(ToNfc(text));
}

// Only the first failure of an item is reported, as whatever comes up while open functions return follows from it. A
// token that the scanner has reported needs no second message.
void Parser::Fail(const Token& found, SourceRange subject, DiagnosticCode code, std::string_view detail,
                  std::optional<SourceRange> context, std::initializer_list<std::string_view> names) {
  if (failed_) return;
  const bool reported = found.kind == TokenKind::kInvalid || found.kind == TokenKind::kBrokenNewline;
  // A comment without an end has taken what closes the blocks around it.
  truncated_ = truncated_ || (found.kind == TokenKind::kInvalid && Text(found).substr(0, 2) == "/*");
  if (found.kind == TokenKind::kBrokenSequence || EndsOuterString(found)) {
    ReportUnclosedSequence();
  } else if (!reported) {
    Report(subject, code, detail, context, names);
  }
  failed_ = true;
  reader_.Halt();
}

// True when `token` would start a string in a sequence of another string, and the line has no quote that could end it:
// it was probably meant to end the outer one.
bool Parser::EndsOuterString(const Token& token) const {
  if (token.kind != TokenKind::kOpenQuote) return false;
  const size_t next = text_.find_first_of("\"\n", token.range.end);
  if (next == std::string_view::npos || text_[next] != '\n') return false;
  const size_t count = open_brackets_.size();
  for (size_t n = count; n > 1; --n) {
    if (open_brackets_[n - 1].kind == TokenKind::kInterpolation) {
      return open_brackets_[n - 2].kind == TokenKind::kOpenQuote;
    }
  }
  return false;
}

// The innermost sequence is open at the end of the line.
void Parser::ReportUnclosedSequence() {
  size_t n = open_brackets_.size();
  while (n > 0 && open_brackets_[n - 1].kind != TokenKind::kInterpolation) --n;
  if (n == 0) return;
  const OpenBracket* const open = &open_brackets_[n - 1];
  const bool is_directive = text_[open->range.begin] == '%';
  Report(open->range, is_directive ? DiagnosticCode::kUnclosedDirective : DiagnosticCode::kUnclosedInterpolation,
         is_directive
             ? "No \"}\" closes this \"%{\" before the string and its line end."
             : "No \"}\" closes this \"${\" before the string and its line end. A literal \"${\" is written \"$${\".");
}

// The texts are made only for entries that will be kept. A text of nothing but mistakes then costs no more than the
// bound's worth of hints, which look around in the source.
void Parser::FailAt(const Token& found, DiagnosticCode code, const char* expected, std::optional<SourceRange> context,
                    const char* hint, std::initializer_list<std::string_view> names) {
  if (failed_) return;
  std::string detail;
  if (Wants()) {
    detail.append("Expected ").append(expected).append(", but found ").append(Describe(found)).append(".");
    if (hint != nullptr) {
      detail.append(" ").append(hint).append(BracketHint(found, &context));
    } else {
      detail.append(Hint(found, &context));
    }
  }
  Fail(found, found.range, code, detail, context, names);
}

// Counts a level. One too many ends the parse: the text seems to end for good, and so every open function returns on
// its ordinary way, without exceptions and with the levels counted down again. What was read up to here stays in the
// tree, which came with an error and is not compiled.
void Parser::StopTooDeep() {
  if (stopped_) return;
  Stop(reader_.Peek().range, DiagnosticCode::kNestingTooDeep,
       "Brackets, blocks and their labels, templates, operators and conditionals may be nested up to " +
           std::to_string(max_depth_) + " levels (max_nesting_depth). The rest of the text was not read.");
}

// Counts an item of a body, or a term.
void Parser::ReportInterrupt() {
  if (stopped_) return;
  Stop(reader_.Peek().range, DiagnosticCode::kParsingInterrupted,
       "Parsing was cancelled, or its deadline has passed. The rest of the text was not read.");
}

// Ends the parse for good, for a limit.
void Parser::Stop(SourceRange subject, DiagnosticCode code, std::string_view detail) {
  stopped_ = true;
  if (!failed_) reader_.Halt();
  failed_ = true;
  errors_.AddLimit(subject, code, std::string(detail));
}

// Stands for what started at `begin` and could not be parsed.
const Expr* Parser::Broken(uint32_t begin) {
  const uint32_t end = reader_.previous().end;
  return arena_->New<ErrorExpr>(SourceRange{std::min(begin, end), end});
}

// The ends of strings are named for what they are: their spelling, a quote or a marker, does not tell which end it was.
// A long token is cut between two characters, so that the message is well-formed.
std::string Parser::Describe(const Token& token) const {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kNewline:
      return "the end of the line";
    case TokenKind::kOpenQuote:
    case TokenKind::kOpenHeredoc:
      return "the start of a string";
    case TokenKind::kCloseQuote:
    case TokenKind::kCloseHeredoc:
      return "the end of the string";
    case TokenKind::kText:
      return "literal text";
    default:
      break;
  }
  const std::string_view text = Text(token);
  if (text.size() <= kMaxTokenBytes) return "\"" + std::string(text) + "\"";
  size_t end = kMaxTokenBytes;
  while ((static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return "\"" + std::string(text.substr(0, end)) + "...\"";
}

// A decoded copy is parsed like any other text, and the ranges of nodes and messages are mapped afterwards. Mapping
// them where they are made would cost every native parse a test for each node. Finish() has applied the bound already,
// so the list in between has none.
const Expr* ParseEmbedded(EmbeddedKind kind, const EmbeddedText& embedded, const Limits& limits, Arena* arena,
                          Diagnostics* diagnostics) {
  const bool is_template = kind == EmbeddedKind::kTemplate;
  Parser parser(embedded, limits, is_template ? Scanner::Start::kTemplate : Scanner::Start::kExpression, arena);
  const Expr* expr = is_template                         ? parser.ParseWholeTemplate()
                     : kind == EmbeddedKind::kExpression ? parser.ParseWholeExpression()
                                                         : parser.ParseWholeTraversal();
  if (embedded.map == nullptr) {
    parser.Finish(diagnostics);
    return expr;
  }
  MapRanges(expr, *embedded.map);
  Diagnostics decoded(UINT32_MAX);
  parser.Finish(&decoded);
  for (Diagnostic diagnostic : decoded.kept()) {
    for (std::optional<SourceRange>* range : {&diagnostic.subject, &diagnostic.context}) {
      if (range->has_value()) *range = embedded.map->Map(**range);
    }
    diagnostics->Add(std::move(diagnostic));
  }
  return expr;
}

// Malformed UTF-8 is always an error (native-syntax.md, "Source Code Representation"). It is looked for once, before
// anything else: scanner and parser decode characters without a thought to it, and the trees hold well-formed text.
bool CheckText(const Source& source, const Limits& limits, Diagnostics* diagnostics) {
  const std::string_view text = source.text();
  const uint64_t most = std::min(limits.max_source_bytes, Limits::kMostSourceBytes);
  if (text.size() > most) {
    diagnostics->AddLimit(std::nullopt, DiagnosticCode::kSourceTooLarge,
                          "The text has " + std::to_string(text.size()) + " bytes; the limit is " +
                              std::to_string(most) + " (max_source_bytes).");
    return false;
  }
  const size_t invalid = FindInvalidUtf8(text);
  if (invalid == std::string_view::npos) return true;
  const uint32_t at = static_cast<uint32_t>(invalid);
  diagnostics->AddError({at, at + 1}, DiagnosticCode::kInvalidCharacterEncoding,
                        "The text must be UTF-8, but this byte is not part of a well-formed sequence.");
  return false;
}

}  // namespace internal

namespace {

// An error by native-syntax.md, "Source Code Representation". The scanner skips the mark, so that the rest of the text
// is looked at all the same.
void CheckByteOrderMark(const Source& source, const ParseOptions& options, Diagnostics* diagnostics) {
  if (options.allow_byte_order_mark) return;
  if (source.text().substr(0, internal::kByteOrderMark.size()) != internal::kByteOrderMark) return;
  diagnostics->AddError({0, 3}, DiagnosticCode::kByteOrderMark,
                        "The text must start without a byte order mark, which some editors write. To remove it, save "
                        "the text as \"UTF-8\" "
                        "and not as \"UTF-8 with BOM\", or run \"tail -c +4 FILE\".");
}

// Enough for most trees, so that a tree is one allocation and one free; single expressions are denser than configs.
// What of it stays unused is never touched.
size_t FirstBlockBytes(const Source& source) {
  return std::min<size_t>(source.text().size() * 8 + 2048, size_t{1} << 26);
}

// What the entry points share. A text that cannot be scanned at all, or for which there is no memory, still gets a
// tree, an empty one, so that no caller has to look for null.
template <typename Parse, typename Fallback>
void ParseInto(ParsedFile* file, const Source& source, const ParseOptions& options, internal::Scanner::Start start,
               Diagnostics* diagnostics, Parse parse, Fallback fallback) {
  file->source = &source;
  if (!internal::CheckText(source, options.limits, diagnostics)) return fallback(file);
  CheckByteOrderMark(source, options, diagnostics);
  internal::EmbeddedText whole{&source, source.text()};
  whole.strip_one_line = options.strip_one_line;
  internal::Parser parser(whole, options.limits, start, &file->arena);
  parse(&parser, file);
  parser.Finish(diagnostics);
}

template <typename Parse, typename Fallback>
std::unique_ptr<ParsedFile> ParseWith(const Source& source, const ParseOptions& options, internal::Scanner::Start start,
                                      Diagnostics* diagnostics, Parse parse, Fallback fallback) {
  const auto parse_text = [&] {
    auto file = std::make_unique<ParsedFile>();
    file->arena = Arena(FirstBlockBytes(source));
    ParseInto(file.get(), source, options, start, diagnostics, parse, fallback);
    return file;
  };
  return internal::WithMemory(parse_text, [&] {
    auto file = std::make_unique<ParsedFile>();
    file->source = &source;
    fallback(file.get());
    internal::ReportOutOfMemory(diagnostics);
    return file;
  });
}

void ParseBody(internal::Parser* parser, ParsedFile* file) { file->body = parser->ParseFile(); }
void SetEmptyBody(ParsedFile* file) { file->body = file->arena.New<Body>(); }
void SetErrorExpr(ParsedFile* file) { file->expr = file->arena.New<ErrorExpr>(SourceRange{0, 0}); }

}  // namespace

std::unique_ptr<ParsedFile> ParseConfig(const Source& source, const ParseOptions& options, Diagnostics* diagnostics) {
  return ParseWith(source, options, internal::Scanner::Start::kExpression, diagnostics, ParseBody, SetEmptyBody);
}

void ParseConfigInto(const Source& source, const ParseOptions& options, ParsedFile* file, Diagnostics* diagnostics) {
  file->arena.Reset();
  internal::WithMemory(
      [&] {
        ParseInto(file, source, options, internal::Scanner::Start::kExpression, diagnostics, ParseBody, SetEmptyBody);
      },
      [&] {
        file->arena.Release();
        SetEmptyBody(file);
        internal::ReportOutOfMemory(diagnostics);
      });
}

std::unique_ptr<ParsedFile> ParseExpression(const Source& source, const ParseOptions& options,
                                            Diagnostics* diagnostics) {
  return ParseWith(
      source, options, internal::Scanner::Start::kExpression, diagnostics,
      [](internal::Parser* parser, ParsedFile* file) { file->expr = parser->ParseWholeExpression(); }, SetErrorExpr);
}

std::unique_ptr<ParsedFile> ParseTemplate(const Source& source, const ParseOptions& options, Diagnostics* diagnostics) {
  return ParseWith(
      source, options, internal::Scanner::Start::kTemplate, diagnostics,
      [](internal::Parser* parser, ParsedFile* file) { file->expr = parser->ParseWholeTemplate(); }, SetErrorExpr);
}

std::unique_ptr<ParsedFile> ParseTraversal(const Source& source, const ParseOptions& options,
                                           Diagnostics* diagnostics) {
  return ParseWith(
      source, options, internal::Scanner::Start::kExpression, diagnostics,
      [](internal::Parser* parser, ParsedFile* file) { file->expr = parser->ParseWholeTraversal(); }, SetErrorExpr);
}

}  // namespace hcl
