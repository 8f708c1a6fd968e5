// Parser: from the parts of a template to its tree: strip markers, heredoc indentation, directives with their ends.
//
// Texts are cut by moving the ends of views, so that nothing is copied unless texts that are joined do not lie side by
// side.

#include <algorithm>
#include <cstring>
#include <string>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/parser_internal.h"

namespace hcl {
namespace internal {
namespace {

// Bytes of the white space at the start of `text`.
size_t LeadingSpaceBytes(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const CodePoint code_point = DecodeUtf8(text, at);
    if (!IsSpace(code_point.value)) break;
    at += code_point.bytes;
  }
  return at;
}

bool EndsLine(std::string_view text) { return !text.empty() && text.back() == '\n'; }

}  // namespace

std::string_view Parser::StripLeft(std::string_view text) { return text.substr(LeadingSpaceBytes(text)); }

// Goes back from character to character: the white space of Unicode has several bytes.
std::string_view Parser::StripRight(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t begin = end - 1;
    while (begin > 0 && (static_cast<uint8_t>(text[begin]) & 0xC0) == 0x80) --begin;
    if (!IsSpace(DecodeUtf8(text, begin).value)) break;
    end = begin;
  }
  return text.substr(0, end);
}

// A strip marker takes the white space of the literal text directly beside its sequence (native-syntax.md, "Template
// Literals"). A literal of several lines is several parts, of which the reference looks at one only. Each part is
// looked at once from either side at most.
void Parser::StripLiterals(ScratchList<TemplatePart>* parts) const {
  const auto is_text = [&](size_t n) { return (*parts)[n].kind == TemplatePart::Kind::kText; };
  const bool one_line = embedded_.strip_one_line;
  for (size_t i = 0; i < parts->size(); ++i) {
    if ((*parts)[i].strips_before) {
      for (size_t n = i; n > 0 && is_text(n - 1); --n) {
        std::string_view& text = (*parts)[n - 1].text;
        text = StripRight(text);
        if (one_line || !text.empty()) break;
      }
    }
    if ((*parts)[i].strips_after) {
      for (size_t n = i + 1; n < parts->size() && is_text(n); ++n) {
        std::string_view& text = (*parts)[n].text;
        text = StripLeft(text);
        if (one_line || !text.empty()) break;
      }
    }
  }
}

// Removes the indentation that all lines have in common. Only literal text at the start of a line counts; a line of
// nothing but white space neither counts nor changes, and a line that starts with a sequence has no indentation. Two
// passes: the least indentation is known only at the end (native-syntax.md, "Template Expressions"). It is counted in
// characters, as a tab and a wide space are one each, and every line that is cut has that many: its own indentation is
// no smaller.
void Parser::FlushIndentation(ScratchList<TemplatePart>* parts) {
  size_t common = SIZE_MAX;
  const auto for_each_line_start = [&](auto visit) {
    bool at_line_start = true;
    for (size_t i = 0; i < parts->size(); ++i) {
      TemplatePart& part = (*parts)[i];
      const bool starts_line = at_line_start;
      at_line_start = part.kind == TemplatePart::Kind::kText && EndsLine(part.text);
      if (starts_line) visit(&part);
    }
  };
  for_each_line_start([&](TemplatePart* part) {
    const size_t bytes = part->kind == TemplatePart::Kind::kText ? LeadingSpaceBytes(part->text) : 0;
    if (bytes == part->text.size() && EndsLine(part->text)) return;
    common = std::min(common, CountGraphemes(part->text.substr(0, bytes)));
  });
  if (common == SIZE_MAX || common == 0) return;
  for_each_line_start([&](TemplatePart* part) {
    const size_t bytes = LeadingSpaceBytes(part->text);
    if (bytes == part->text.size() && EndsLine(part->text)) return;
    size_t cut = 0;
    for (size_t i = 0; i < common; ++i) cut += GraphemeBytes(part->text, cut);
    part->text.remove_prefix(cut);
  });
}

// A template of one interpolation has that one's value, whatever its type (native-syntax.md, "Template Interpolation
// Unwrapping"). The parts decide it and not the tree: an empty text beside the interpolation makes it a template.
const Expr* Parser::Assemble(uint32_t begin, const Token& end, ScratchList<TemplatePart>* parts) {
  const SourceRange range = Since(begin);
  if (parts->size() == 1 && (*parts)[0].kind == TemplatePart::Kind::kInterpolation) {
    return arena_->New<TemplateWrapExpr>(range, (*parts)[0].expr);
  }
  PartCursor cursor;
  cursor.parts = parts->view();
  cursor.end = end.range;
  const absl::Span<const Expr* const> exprs = AssembleParts(&cursor);
  if (cursor.next < cursor.parts.size() && !cursor.broken && !failed_) {
    ReportUnbalanced(&cursor, "No directive that this one could belong to is open here.");
  }
  if (cursor.broken || failed_) return arena_->New<ErrorExpr>(range);
  return arena_->New<TemplateExpr>(range, exprs);
}

// Expressions up to a directive that ends or divides the one around them, which is not taken. Recursion goes through
// AssembleIf() and AssembleFor(), which count a level each, so that directives are as bounded as brackets. After an
// error all of it returns at once: one unbalanced directive makes all others so.
absl::Span<const Expr* const> Parser::AssembleParts(PartCursor* cursor) {
  ScratchList<const Expr*> exprs(&exprs_);
  while (cursor->next < cursor->parts.size() && !cursor->broken && !failed_) {
    const TemplatePart& part = cursor->parts[cursor->next];
    switch (part.kind) {
      case TemplatePart::Kind::kText: {
        const Expr* text = AssembleText(cursor);
        if (text != nullptr) exprs.Add(text);
        continue;
      }
      case TemplatePart::Kind::kInterpolation:
        ++cursor->next;
        exprs.Add(part.expr);
        continue;
      case TemplatePart::Kind::kIf:
        exprs.Add(AssembleIf(cursor));
        continue;
      case TemplatePart::Kind::kFor:
        exprs.Add(AssembleFor(cursor));
        continue;
      case TemplatePart::Kind::kElse:
      case TemplatePart::Kind::kEndIf:
      case TemplatePart::Kind::kEndFor:
        break;
    }
    break;
  }
  return arena_->CopySpan(exprs.view());
}

// Adjacent literal texts (the lines of a heredoc) as one node; null when nothing is left of them. Texts that follow
// each other in memory, as all do in which nothing was decoded or cut, become one view without a copy.
const Expr* Parser::AssembleText(PartCursor* cursor) {
  const absl::Span<const TemplatePart> parts = cursor->parts;
  const size_t begin = cursor->next;
  size_t end = begin;
  size_t bytes = 0;
  bool adjacent = true;  // in memory
  for (; end < parts.size() && parts[end].kind == TemplatePart::Kind::kText; ++end) {
    const std::string_view text = parts[end].text;
    if (end > begin) adjacent = adjacent && parts[end - 1].text.data() + parts[end - 1].text.size() == text.data();
    bytes += text.size();
  }
  cursor->next = end;
  if (bytes == 0) return nullptr;
  const SourceRange range = Cover(parts[begin].range, parts[end - 1].range);
  if (adjacent) return arena_->New<TemplateTextExpr>(range, std::string_view(parts[begin].text.data(), bytes));
  char* const joined = arena_->NewArray<char>(bytes);
  char* out = joined;
  for (size_t i = begin; i < end; ++i) {
    std::memcpy(out, parts[i].text.data(), parts[i].text.size());
    out += parts[i].text.size();
  }
  return arena_->New<TemplateTextExpr>(range, std::string_view(joined, bytes));
}

// The content of a directive: what was assembled, between the marker before and the one after it.
const TemplateExpr* Parser::AssembleContent(PartCursor* cursor) {
  const uint32_t after = cursor->parts[cursor->next - 1].range.end;
  const absl::Span<const Expr* const> exprs = AssembleParts(cursor);
  const SourceRange range =
      exprs.empty() ? SourceRange{after, after} : Cover(exprs.front()->range, exprs.back()->range);
  return arena_->New<TemplateExpr>(range, exprs);
}

// `opener` points into the scratch stack of the parts, to which nothing is added while a tree is assembled.
const Expr* Parser::AssembleIf(PartCursor* cursor) {
  DepthScope depth(this);
  const TemplatePart& opener = cursor->parts[cursor->next++];
  const TemplateExpr* if_true = AssembleContent(cursor);
  const TemplateExpr* if_false = nullptr;
  if (IsAt(*cursor, TemplatePart::Kind::kElse)) {
    ++cursor->next;
    if_false = AssembleContent(cursor);
  }
  if (!TakeEnd(cursor, TemplatePart::Kind::kEndIf, opener)) return arena_->New<ErrorExpr>(opener.range);
  const SourceRange range = Cover(opener.range, cursor->parts[cursor->next - 1].range);
  return arena_->New<TemplateIfExpr>(range, opener.expr, if_true, if_false);
}

const Expr* Parser::AssembleFor(PartCursor* cursor) {
  DepthScope depth(this);
  const TemplatePart& opener = cursor->parts[cursor->next++];
  const TemplateExpr* body = AssembleContent(cursor);
  if (!TakeEnd(cursor, TemplatePart::Kind::kEndFor, opener)) return arena_->New<ErrorExpr>(opener.range);
  const SourceRange range = Cover(opener.range, cursor->parts[cursor->next - 1].range);
  return arena_->New<TemplateForExpr>(range, opener.key_name, opener.text, opener.expr, body);
}

bool Parser::IsAt(const PartCursor& cursor, TemplatePart::Kind kind) {
  return cursor.next < cursor.parts.size() && cursor.parts[cursor.next].kind == kind;
}

// Takes the directive that ends the one of `opener`.
bool Parser::TakeEnd(PartCursor* cursor, TemplatePart::Kind kind, const TemplatePart& opener) {
  if (cursor->broken || failed_) return false;
  if (IsAt(*cursor, kind)) {
    ++cursor->next;
    return true;
  }
  const bool is_if = kind == TemplatePart::Kind::kEndIf;
  std::string detail = is_if ? "The \"if\" directive on line " : "The \"for\" directive on line ";
  if (Wants()) detail.append(std::to_string(LineOf(opener.range.begin)));
  detail.append(is_if ? " is to be ended by \"endif\"." : " is to be ended by \"endfor\".");
  ReportUnbalanced(cursor, detail);
  return false;
}

// Reports the directive at the cursor, or the end of the template, as one that does not belong there.
void Parser::ReportUnbalanced(PartCursor* cursor, std::string_view detail) {
  cursor->broken = true;
  if (cursor->next == cursor->parts.size()) {
    return Report(cursor->end, DiagnosticCode::kUnexpectedTemplateEnd, detail);
  }
  const TemplatePart& part = cursor->parts[cursor->next];
  const DiagnosticCode code = part.kind == TemplatePart::Kind::kElse    ? DiagnosticCode::kUnexpectedElse
                              : part.kind == TemplatePart::Kind::kEndIf ? DiagnosticCode::kUnexpectedEndIf
                                                                        : DiagnosticCode::kUnexpectedEndFor;
  Report(part.range, code, detail);
}

}  // namespace internal
}  // namespace hcl
