// AST: what is written in HCL's native syntax, before any of it has a meaning.
//
// Literals keep their spelling, names their bytes. Every node lives in the arena of its `ParsedFile`; nodes are trivial
// structs without destructors, so that a tree of any depth is freed at once. Depth is bounded by
// Limits::max_nesting_depth levels of syntax, each with up to six binary operators of rising precedence on their right
// sides; only the left spines of binary operators, traversals and index operators are longer, and whoever walks them
// follows the left operand in a loop.
//
// Specification: native-syntax.md, "Structural Elements", "Expressions", "Templates".
// Tested by hcl/parser_test.cc through hcl/dump.h.

#ifndef HCLVM_HCL_AST_H_
#define HCLVM_HCL_AST_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {

// A view of text in 12 bytes without padding, for nodes that occur in great numbers. Converts to std::string_view and
// from it (of at most 4 GiB, as all texts in an AST are).
class PackedText {
 public:
  PackedText() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  PackedText(std::string_view text) : size_(static_cast<uint32_t>(text.size())) {
    const char* const data = text.data();
    std::memcpy(data_, &data, sizeof(data));
  }

  std::string_view view() const { return {data(), size_}; }
  operator std::string_view() const { return view(); }  // NOLINT(google-explicit-constructor)

  const char* data() const {
    const char* data;
    std::memcpy(&data, data_, sizeof(data));
    return data;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  friend bool operator==(PackedText a, PackedText b) { return a.view() == b.view(); }
  friend bool operator==(PackedText a, std::string_view b) { return a.view() == b; }
  friend bool operator==(std::string_view a, PackedText b) { return a == b.view(); }
  friend bool operator==(PackedText a, const char* b) { return a.view() == b; }
  friend bool operator!=(PackedText a, PackedText b) { return !(a == b); }
  friend bool operator!=(PackedText a, std::string_view b) { return !(a == b); }
  friend bool operator!=(PackedText a, const char* b) { return !(a == b); }

 private:
  alignas(uint32_t) char data_[sizeof(const char*)] = {};  // the pointer's bytes
  uint32_t size_ = 0;
};

enum class ExprKind : uint8_t {
  kLiteral,       // LiteralExpr
  kVariable,      // VariableExpr
  kTraversal,     // TraversalExpr
  kIndex,         // IndexExpr
  kSplat,         // SplatExpr
  kSplatItem,     // SplatItemExpr
  kCall,          // CallExpr
  kTuple,         // TupleExpr
  kObject,        // ObjectExpr
  kFor,           // ForExpr
  kUnary,         // UnaryExpr
  kBinary,        // BinaryExpr
  kConditional,   // ConditionalExpr
  kParen,         // ParenExpr
  kTemplate,      // TemplateExpr
  kTemplateText,  // TemplateTextExpr, only as a part of a template
  kTemplateWrap,  // TemplateWrapExpr
  kTemplateIf,    // TemplateIfExpr, only as a part of a template
  kTemplateFor,   // TemplateForExpr, only as a part of a template
  kError,         // ErrorExpr
};

// Base of all expression nodes. `range` covers the whole expression, brackets and quotes included.
struct Expr {
  ExprKind kind;
  SourceRange range;

 protected:
  Expr(ExprKind k, SourceRange r) : kind(k), range(r) {}
};

// `expr` as its concrete node. Requires that expr.kind == Node::kKind.
template <typename Node>
const Node& As(const Expr& expr) {
  HCL_DCHECK(expr.kind == Node::kKind);
  return static_cast<const Node&>(expr);
}

enum class LiteralKind : uint8_t { kNumber, kTrue, kFalse, kNull };

struct LiteralExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kLiteral;
  LiteralExpr(SourceRange r, LiteralKind l, std::string_view s) : Expr(kKind, r), literal(l), spelling(s) {}
  LiteralKind literal;
  PackedText spelling;  // as written: "1.50e+3", "true"
};

// A reference to a variable by name.
struct VariableExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kVariable;
  VariableExpr(SourceRange r, std::string_view n) : Expr(kKind, r), name(n) {}
  PackedText name;
};

// One constant step of a traversal: `.name`, `["key"]`, `[12]`, and the legacy `.12`.
struct TraversalStep {
  enum class Kind : uint8_t {
    kAttribute,     // text: the name
    kIndexString,   // text: the key, escapes decoded, not normalized
    kIndexNumber,   // text: the number's spelling
    kIndexLiteral,  // text: "true", "false" or "null" as written in brackets; an error when evaluated
    kIndexUnknown,  // the parser has reported an error (a chained legacy index); text is empty
  };
  Kind kind;
  bool legacy = false;  // `.12`
  PackedText text;
  SourceRange range;  // from the dot or bracket to the end of the step
};

// Constant steps applied to a source. The longest run of such steps is one node: in `a.b[0].c` the source is the
// variable `a` and there are three steps; a traversal's source is never itself a traversal.
struct TraversalExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTraversal;
  TraversalExpr(SourceRange r, const Expr* s, absl::Span<const TraversalStep> st)
      : Expr(kKind, r), source(s), steps(st) {}
  const Expr* source;
  absl::Span<const TraversalStep> steps;  // at least one
};

// `collection[key]` with a key that is not a literal.
struct IndexExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kIndex;
  IndexExpr(SourceRange r, const Expr* c, const Expr* k, SourceRange b)
      : Expr(kKind, r), collection(c), key(k), brackets(b) {}
  const Expr* collection;
  const Expr* key;
  SourceRange brackets;  // from `[` to `]`
};

// `source.*...` and `source[*]...`. `each` is applied to every element; the SplatItemExpr in it stands for the element.
// In `a[*][*].b` the second splat stands inside `each` of the first.
struct SplatExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kSplat;
  SplatExpr(SourceRange r, const Expr* s, const Expr* e, SourceRange m, bool f)
      : Expr(kKind, r), source(s), each(e), marker(m), full(f) {}
  const Expr* source;
  const Expr* each;    // at least the bare SplatItemExpr
  SourceRange marker;  // `.*` or `[*]`
  bool full;           // `[*]`
};

// The element under the innermost splat around it.
struct SplatItemExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kSplatItem;
  explicit SplatItemExpr(SourceRange r) : Expr(kKind, r) {}
};

struct CallExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kCall;
  CallExpr(SourceRange r, std::string_view n, SourceRange nr, absl::Span<const Expr* const> a, bool e, SourceRange o,
           SourceRange c)
      : Expr(kKind, r), name(n), name_range(nr), arguments(a), expand_last(e), open(o), close(c) {}
  std::string_view name;  // with its namespace, if any: "a::b"
  SourceRange name_range;
  absl::Span<const Expr* const> arguments;
  bool expand_last;   // the last argument is followed by `...`
  SourceRange open;   // `(`
  SourceRange close;  // `)`
};

struct TupleExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTuple;
  TupleExpr(SourceRange r, absl::Span<const Expr* const> e) : Expr(kKind, r), elements(e) {}
  absl::Span<const Expr* const> elements;
};

struct ObjectItem {
  // The key's expression. A naked identifier is a VariableExpr here; `key_name` then holds it, and it means the literal
  // attribute name. Parenthesized keys are ParenExpr.
  const Expr* key;
  std::string_view key_name;  // empty unless the key is a naked identifier (also `true`, `null`, ...)
  const Expr* value;
};

struct ObjectExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kObject;
  ObjectExpr(SourceRange r, absl::Span<const ObjectItem> i, SourceRange o, bool u = false)
      : Expr(kKind, r), open(o), unique_keys(u), items(i) {}
  SourceRange open;  // `{`
  bool unique_keys;  // a repeated key is an error, as in the JSON syntax; otherwise the last item with it counts
  absl::Span<const ObjectItem> items;
};

// `[for k, v in c : value if cond]` and `{for k, v in c : key => value... if cond}`.
struct ForExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kFor;
  explicit ForExpr(SourceRange r) : Expr(kKind, r) {}
  std::string_view key_name;  // empty when only one name is given
  std::string_view value_name;
  const Expr* collection = nullptr;
  const Expr* key = nullptr;  // null for a tuple `for`
  const Expr* value = nullptr;
  const Expr* condition = nullptr;  // null without `if`
  bool group = false;               // `...` after the value
  SourceRange open;                 // `[` or `{`
  SourceRange close;                // `]` or `}`
};

enum class UnaryOp : uint8_t { kNegate, kNot };

struct UnaryExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kUnary;
  UnaryExpr(SourceRange r, UnaryOp o, const Expr* e) : Expr(kKind, r), op(o), operand(e) {}
  UnaryOp op;
  const Expr* operand;
};

struct BinaryExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kBinary;
  BinaryExpr(SourceRange r, BinaryOp o, const Expr* lhs_expr, const Expr* rhs_expr)
      : Expr(kKind, r), op(o), lhs(lhs_expr), rhs(rhs_expr) {}
  BinaryOp op;
  const Expr* lhs;
  const Expr* rhs;
};

struct ConditionalExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kConditional;
  ConditionalExpr(SourceRange r, const Expr* c, const Expr* t, const Expr* f)
      : Expr(kKind, r), condition(c), if_true(t), if_false(f) {}
  const Expr* condition;
  const Expr* if_true;
  const Expr* if_false;
};

struct ParenExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kParen;
  ParenExpr(SourceRange r, const Expr* i) : Expr(kKind, r), inner(i) {}
  const Expr* inner;
};

// A quoted, heredoc or standalone template. Parts are TemplateTextExpr, TemplateIfExpr, TemplateForExpr, or any
// expression as an interpolation. No parts: the empty string. Exactly one TemplateTextExpr: a string literal.
struct TemplateExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTemplate;
  TemplateExpr(SourceRange r, absl::Span<const Expr* const> p) : Expr(kKind, r), parts(p) {}
  absl::Span<const Expr* const> parts;
};

// Literal text, with escapes decoded, strip markers and heredoc indentation applied; not normalized. Points into the
// source where nothing had to be changed, otherwise into the arena.
struct TemplateTextExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTemplateText;
  TemplateTextExpr(SourceRange r, std::string_view t) : Expr(kKind, r), text(t) {}
  PackedText text;
};

// A template that is one interpolation and nothing else: the value of `inner` verbatim.
struct TemplateWrapExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTemplateWrap;
  TemplateWrapExpr(SourceRange r, const Expr* i) : Expr(kKind, r), inner(i) {}
  const Expr* inner;
};

// `%{ if condition }...%{ else }...%{ endif }`.
struct TemplateIfExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTemplateIf;
  TemplateIfExpr(SourceRange r, const Expr* c, const TemplateExpr* t, const TemplateExpr* f)
      : Expr(kKind, r), condition(c), if_true(t), if_false(f) {}
  const Expr* condition;
  const TemplateExpr* if_true;
  const TemplateExpr* if_false;  // null without `else`
};

// `%{ for k, v in collection }...%{ endfor }`.
struct TemplateForExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kTemplateFor;
  TemplateForExpr(SourceRange r, std::string_view k, std::string_view v, const Expr* c, const TemplateExpr* b)
      : Expr(kKind, r), key_name(k), value_name(v), collection(c), body(b) {}
  std::string_view key_name;  // empty when only one name is given
  std::string_view value_name;
  const Expr* collection;
  const TemplateExpr* body;
};

// Stands where the parser has reported an error. A tree that holds one is for editors; it is not compiled.
struct ErrorExpr : Expr {
  static constexpr ExprKind kKind = ExprKind::kError;
  explicit ErrorExpr(SourceRange r) : Expr(kKind, r) {}
};

struct Attribute {
  std::string_view name;
  SourceRange name_range;
  SourceRange equals;
  const Expr* expr;
  SourceRange range;  // name to the end of the expression
};

struct BlockLabel {
  std::string_view text;  // escapes decoded, not normalized
  SourceRange range;      // with its quotes, if any
};

struct Body;

struct Block {
  std::string_view type;
  SourceRange type_range;
  absl::Span<const BlockLabel> labels;
  const Body* body;
  SourceRange open;   // `{`
  SourceRange close;  // `}`
  SourceRange range;  // type to `}`

  // The range from the type to the last label, where a block is named.
  SourceRange header() const { return labels.empty() ? type_range : Cover(type_range, labels.back().range); }
};

struct Body {
  absl::Span<const Attribute> attributes;  // in source order; names are distinct
  absl::Span<const Block> blocks;          // in source order
  SourceRange range;                       // without the braces
  SourceRange end;                         // the point where a missing item would be added
};

// A parsed native-syntax text: the tree and the memory it lives in. Immutable and thread-safe. The tree's views point
// into the arena and into `source`, which must outlive it.
struct ParsedFile {
  const Source* source = nullptr;
  Arena arena;
  const Body* body = nullptr;  // ParseConfig
  const Expr* expr = nullptr;  // ParseExpression, ParseTemplate
};

}  // namespace hcl

#endif  // HCLVM_HCL_AST_H_
