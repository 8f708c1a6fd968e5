// Binder: the way to each kind of expression, and what all nodes have. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/bind.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
const Expr& UnwrapNested(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == ExprKind::kParen || inner->kind == ExprKind::kTemplateWrap) {
    inner = inner->kind == ExprKind::kParen ? As<ParenExpr>(*inner).inner : As<TemplateWrapExpr>(*inner).inner;
  }
  return *inner;
}

Binder::Binder(const CompileOptions& options, ProgramBuilder* builder, Folding* folding, Diagnostics* diagnostics)
    : options_(options), builder_(builder), folding_(*folding), diagnostics_(diagnostics) {
  scope_.functions = options.functions.get();
  // A short text is one expression, mostly, whose tree then takes one block of memory.
  constexpr size_t kLeastBytes = 2048, kMostBytes = 1 << 15, kBytesPerByte = 32;
  const size_t bytes = std::min(builder->source_bytes(), kMostBytes) * kBytesPerByte;
  arena_ = Arena(std::clamp(bytes, kLeastBytes, kMostBytes));
}

const BoundTree& Binder::Bind(const Expr& expr) {
  arena_.Reset();
  tree_count_ = 0;
  last_shape_ = nullptr;
  return BindAnother(expr);
}

const BoundTree& Binder::BindAnother(const Expr& expr) { return BindIn(TakeTree(), expr); }

const BoundTree& Binder::BindKept(const Expr& expr) {
  kept_trees_.push_back(std::make_unique<BoundTree>());
  std::swap(arena_, kept_arena_);
  last_shape_ = nullptr;
  const BoundTree& tree = BindIn(kept_trees_.back().get(), expr);
  std::swap(arena_, kept_arena_);
  last_shape_ = nullptr;
  return tree;
}

const NamedTree* Binder::Name(const BoundTree& kept, bool is_read_once) {
  auto* const named = kept_arena_.New<NamedTree>();
  uint64_t size = kept.nodes().size();
  named->tree = &kept;
  named->is_read_once = is_read_once;
  for (const BoundPath* read : kept.path_reads()) {
    if (read->named == nullptr) continue;
    size += read->named->size;
    named->height = std::max(named->height, read->named->height);
  }
  named->size = static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX));
  named->height += kept.root().height;
  return named;
}

const BoundTree& Binder::BindIn(BoundTree* tree, const Expr& expr) {
  tree_ = tree;
  tree_->nodes_.clear();
  tree_->path_reads_.clear();
  tree_->local_reads_.clear();
  tree_->decisions_ = tree_->calls_ = tree_->loops_ = tree_->templates_ = tree_->raises_ = 0;
  locals_.clear();
  splat_items_.clear();
  tree_->value_numbers_.clear();
  BindExpr(expr);
  return *tree_;
}

// Trees are kept with their memory. Most compilations need one.
BoundTree* Binder::TakeTree() {
  const size_t n = tree_count_++;
  if (n == 0) return &first_tree_;
  if (n > other_trees_.size()) other_trees_.push_back(std::make_unique<BoundTree>());
  return other_trees_[n - 1].get();
}

bool Binder::ReportInterrupt() {
  if (!reported_interrupt_) {
    diagnostics_->AddLimit(std::nullopt, DiagnosticCode::kCompilationInterrupted,
                           "The compilation was stopped before its end (limit interrupt).");
    reported_interrupt_ = true;
  }
  return true;
}

// The expression may stand in another source than the program's own, as a decoder has several.
void Binder::Report(SourceRange range, DiagnosticCode code, std::string detail) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = range;
  diagnostic.source = builder_->source_here();
  diagnostics_->Add(std::move(diagnostic));
}

namespace {

ABSL_ATTRIBUTE_NOINLINE Value OtherString(std::string_view text, Arena* arena) {
  return IsKnownNfc(text) ? Value::String(text, arena) : Value::String(ToNfc(text), arena);
}

}  // namespace

Value Binder::StringConstant(std::string_view text) {
  // Most are names in ASCII that stand in the value itself, behind its first two bytes.
  if (text.size() <= kMaxInlineString) {
    const Value value = Value::StringView(text);
    if (MarkNonAscii(HeadBits(value) >> 16 | PayloadBits(value)) == 0) return value;
  }
  return OtherString(text, builder_->heap()->arena());
}

void Binder::Rewind(const Mark& mark) {
  tree_->nodes_.Shrink(mark.id);
  tree_->path_reads_.Shrink(mark.paths);
  tree_->local_reads_.Shrink(mark.locals);
  tree_->decisions_ = mark.decisions;
}

void Binder::Place(BoundExpr* node, const Mark& mark) {
  Append(node, mark);
  SetFacts(node, is_for_code_);
  if (node->first == node->id) return;
  if (node->kind == BoundKind::kTuple || node->kind == BoundKind::kObject) node->type = TypeOfParts(*node);
}

BoundConstant* Binder::AddConstant(const Mark& mark, SourceRange range, const Value& value) {
  if (tree_->nodes_.size() != mark.id) Rewind(mark);
  auto* const node = New<BoundConstant>(range, value);
  Append(node, mark);
  SetConstantFacts(node);
  return node;
}

BoundConstant* Binder::AddFolded(const Mark& mark, SourceRange range, const Value& value, Type type, bool never_null) {
  BoundConstant* const node = AddConstant(mark, range, value);
  node->type = type;
  node->never_null = never_null;
  node->sure_bool = type == Type::Bool();
  return node;
}

BoundConstant* Binder::AddLiteral(const Mark& mark, const BoundExpr* literal, const Value& value) {
  auto* const node = New<BoundConstant>(literal->range, value);
  node->literal = literal;
  return Add(node, mark);
}

BoundRaise* Binder::AddRaise(const Mark& mark, SourceRange range, Diagnostic diagnostic) {
  Rewind(mark);
  ++tree_->raises_;
  const SourceRange subject = diagnostic.subject.value_or(range);
  return Add(New<BoundRaise>(range, builder_->AddDiagnostic(std::move(diagnostic)), subject), mark);
}

BoundExpr* Binder::BindExpr(const Expr& expr) {
  BoundExpr* const node = BindInner(Unwrap(expr));
  node->outer = expr.range;
  return node;
}

BoundExpr* Binder::BindNothing(const Expr& expr) { return AddConstant(Here(), expr.range, Value::Dynamic()); }

BoundExpr* Binder::BindLiteral(const Expr& expr) {
  return AddConstant(Here(), expr.range,
                     expr.kind == ExprKind::kLiteral ? ValueOf(As<LiteralExpr>(expr))
                                                     : StringConstant(As<TemplateTextExpr>(expr).text));
}

// An interrupted compilation goes quickly through what is left: the program is not used. Each kind is left to a
// function that is called last, so that none of them comes back here.
BoundExpr* Binder::BindInner(const Expr& expr) {
  if (Interrupted()) return BindNothing(expr);
  switch (expr.kind) {
    case ExprKind::kLiteral:
    case ExprKind::kTemplateText:
      return BindLiteral(expr);
    case ExprKind::kVariable:
    case ExprKind::kTraversal:
    case ExprKind::kIndex:
    case ExprKind::kSplatItem:
      return BindSteps(expr);
    case ExprKind::kSplat:
      return BindSplat(As<SplatExpr>(expr));
    case ExprKind::kCall:
      return BindCall(As<CallExpr>(expr));
    case ExprKind::kTuple:
      return BindTuple(As<TupleExpr>(expr));
    case ExprKind::kObject:
      return BindObject(As<ObjectExpr>(expr));
    case ExprKind::kFor:
      return BindFor(As<ForExpr>(expr));
    case ExprKind::kUnary:
      return BindUnary(As<UnaryExpr>(expr));
    case ExprKind::kBinary:
      return BindBinary(As<BinaryExpr>(expr));
    case ExprKind::kConditional: {
      const auto& node = As<ConditionalExpr>(expr);
      return BindChoice(expr.range, *node.condition, *node.if_true, node.if_false);
    }
    case ExprKind::kTemplate:
      return BindTemplate(As<TemplateExpr>(expr));
    case ExprKind::kTemplateIf: {
      const auto& node = As<TemplateIfExpr>(expr);
      return BindChoice(expr.range, *node.condition, *node.if_true, node.if_false);
    }
    case ExprKind::kTemplateFor:
      return BindTemplateFor(As<TemplateForExpr>(expr));
    case ExprKind::kParen:
    case ExprKind::kTemplateWrap:
      return BindExpr(expr);
    case ExprKind::kError:
      break;
  }
  return BindInvalid(expr);
}

BoundExpr* Binder::BindInvalid(const Expr& expr) {
  Report(expr.range, DiagnosticCode::kBrokenExpression, "The source has errors here and cannot be compiled.");
  return BindNothing(expr);
}

// Most are whole and have few digits, so many as no limit is below.
Number Binder::NumberOf(std::string_view spelling, NumberError* error) {
  constexpr size_t kMaxShort = 9;
  if (spelling.size() <= kMaxShort && options_.limits.max_number_digits >= kMaxShort) {
    int64_t value = 0;
    size_t at = 0;
    while (at < spelling.size() && spelling[at] >= '0' && spelling[at] <= '9')
      value = value * 10 + (spelling[at++] - '0');
    if (at == spelling.size() && at > 0) {
      *error = NumberError::kNone;
      return Number(value);
    }
  }
  return Number::Parse(spelling, NumberSyntax::kLiteral, options_.limits, builder_->heap()->arena(), error);
}

// Numbers are reported where they are written, and stand for an unknown value: a program with them is not used.
Value Binder::ValueOf(const LiteralExpr& expr) {
  switch (expr.literal) {
    case LiteralKind::kTrue:
      return Value::Bool(true);
    case LiteralKind::kFalse:
      return Value::Bool(false);
    case LiteralKind::kNull:
      return Value::Null();
    case LiteralKind::kNumber:
      break;
  }
  NumberError error = NumberError::kNone;
  const Number number = NumberOf(expr.spelling, &error);
  if (error == NumberError::kNone) return Value::FromNumber(number);
  if (error == NumberError::kTooManyDigits) {
    Report(expr.range, DiagnosticCode::kNumberTooLong,
           absl::StrCat("A number must not need more than ", options_.limits.max_number_digits,
                        " digits when written without an exponent (limit max_number_digits)."));
  } else {
    Report(expr.range, DiagnosticCode::kNumberOutOfRange,
           error == NumberError::kTooPrecise ? "This integer has more digits than can be represented exactly."
                                             : "This number is out of the range of numbers that can be represented.");
  }
  return Value::Dynamic();
}

}  // namespace hcl::internal
