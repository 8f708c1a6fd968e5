// Random ASTs.

#include "hclvm/hcl/ast_generator.h"

#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"

namespace hcl {
namespace internal {
namespace {

constexpr SourceRange kNowhere = {0, 0};

// Names with dashes and with letters beyond ASCII, names that are keywords somewhere, and some that look like an
// exponent behind a number and a dot.
constexpr std::string_view kNames[] = {"a",  "b1",  "foo-bar",       "_x",   "for",  "in",  "if",
                                       "e5", "E-1", "\u00e9t\u00e9", "null", "true", "else"};
constexpr std::string_view kNumbers[] = {"0", "1", "12", "1.5", "2e10", "1.50E-3", "007"};
// Whatever a template or a string could take for something else than text: signs and braces alone and in pairs, quotes,
// escapes, line ends, comments, heredocs, and characters that combine.
constexpr std::string_view kTexts[] = {
    "x",   "a b", " ",        "\n",           "line\nline\n", "$",    "%",    "$$",  "${", "%{ if",
    "$${", "%%{", "\"",       "\\",           "\t\r\n",       "\x01", "\x7F", "}",   "~}", "{",
    "'`#", "/*",  "<<E\nE\n", "\u00e9\u0301", "\U0001F600",   "a$",   "b%",   " $ ", "$%", "%$"};

}  // namespace

std::string_view AstGenerator::Name() { return kNames[Below(std::size(kNames))]; }

std::string_view AstGenerator::VariableName() {
  while (true) {
    const std::string_view name = Name();
    if (name != "null" && name != "true" && name != "for") return name;
  }
}

std::string_view AstGenerator::Text() { return kTexts[Below(std::size(kTexts))]; }

// Levels are kept as a parse would: the right side of a binary operator is of a tighter one. `depth` falls on the way
// to every part, so that the tree is finite.
const Expr* AstGenerator::Any(int depth, int level) {
  if (depth > 0 && level == 0 && Chance(10)) {
    const Expr* condition = Any(depth - 1, 1);
    const Expr* if_true = Any(depth - 1, 0);
    return arena_->New<ConditionalExpr>(kNowhere, condition, if_true, Any(depth - 1, 0));
  }
  if (depth > 0 && level <= kHighestLevel && Chance(30)) {
    const BinaryOp op = kBinaryOps[Below(std::size(kBinaryOps))];
    if (LevelOf(op) >= level) {
      const Expr* lhs = Any(depth - 1, LevelOf(op));
      return arena_->New<BinaryExpr>(kNowhere, op, lhs, Any(depth - 1, LevelOf(op) + 1));
    }
  }
  if (depth > 0 && level <= 7 && Chance(10)) {
    return arena_->New<UnaryExpr>(kNowhere, Chance(50) ? UnaryOp::kNot : UnaryOp::kNegate, Any(depth - 1, 7));
  }
  return Term(depth);
}

const Expr* AstGenerator::Term(int depth) {
  const Expr* atom = Atom(depth);
  return depth > 0 && Chance(30) ? Postfix(atom, depth - 1) : atom;
}

// Leaves only, at the bottom. Calls may have a namespace, and expand their last argument if they have one.
const Expr* AstGenerator::Atom(int depth) {
  switch (depth == 0 ? Below(3) : Below(10)) {
    case 0:
      return arena_->New<LiteralExpr>(kNowhere, LiteralKind::kNumber, kNumbers[Below(std::size(kNumbers))]);
    case 1:
      return arena_->New<VariableExpr>(kNowhere, VariableName());
    case 2:
      return Chance(50) ? arena_->New<LiteralExpr>(kNowhere, LiteralKind::kNull, "null")
                        : arena_->New<LiteralExpr>(kNowhere, LiteralKind::kTrue, "true");
    case 3: {
      const std::string_view name = Chance(30) ? "a::b" : VariableName();
      const absl::Span<const Expr* const> arguments = Exprs(depth - 1);
      const bool expand = !arguments.empty() && Chance(30);
      return arena_->New<CallExpr>(kNowhere, name, kNowhere, arguments, expand, kNowhere, kNowhere);
    }
    case 4:
      return arena_->New<TupleExpr>(kNowhere, Exprs(depth - 1));
    case 5:
      return Object(depth - 1);
    case 6:
      return For(depth - 1);
    case 7:
      return arena_->New<ParenExpr>(kNowhere, Any(depth - 1, 0));
    default:
      return Template(depth - 1);
  }
}

// A chain of postfix operators, of those only that a parse leaves side by side: it makes one traversal of the steps
// behind each other, gives an attribute behind an attribute-only splat to the splat, and a full splat everything.
const Expr* AstGenerator::Postfix(const Expr* base, int depth) {
  const Expr* expr = base;
  for (size_t i = 1 + Below(3); i > 0; --i) {
    const bool after_splat = expr->kind == ExprKind::kSplat;
    switch (Below(4)) {
      case 0:
        if (expr->kind == ExprKind::kTraversal) break;
        expr = arena_->New<TraversalExpr>(kNowhere, expr, Steps(!after_splat));
        break;
      case 1:
        expr = arena_->New<IndexExpr>(kNowhere, expr, Key(depth), kNowhere);
        break;
      case 2: {
        if (after_splat) break;
        const Expr* each = arena_->New<SplatItemExpr>(kNowhere);
        if (Chance(50)) {
          auto* step = arena_->NewArray<TraversalStep>(1);
          *step = {TraversalStep::Kind::kAttribute, false, Name(), kNowhere};
          each = arena_->New<TraversalExpr>(kNowhere, each, absl::Span<const TraversalStep>(step, 1));
        }
        expr = arena_->New<SplatExpr>(kNowhere, expr, each, kNowhere, false);
        break;
      }
      default: {
        const Expr* each = arena_->New<SplatItemExpr>(kNowhere);
        if (depth > 0 && Chance(70)) each = Postfix(each, depth - 1);
        return arena_->New<SplatExpr>(kNowhere, expr, each, kNowhere, true);  // which takes all that follows
      }
    }
  }
  return expr;
}

// The first two kinds are written with a dot, which not every place allows.
TraversalStep AstGenerator::Step(bool may_be_attribute) {
  switch (may_be_attribute ? Below(5) : 2 + Below(3)) {
    case 0:
      return {TraversalStep::Kind::kAttribute, false, Name(), kNowhere};
    case 1:
      return {TraversalStep::Kind::kIndexNumber, true, std::string_view(Chance(50) ? "0" : "17"), kNowhere};
    case 2:
      return {TraversalStep::Kind::kIndexString, false, Chance(20) ? "" : Text(), kNowhere};
    case 3:
      return {TraversalStep::Kind::kIndexNumber, false, kNumbers[Below(std::size(kNumbers))], kNowhere};
    default:
      return {TraversalStep::Kind::kIndexLiteral, false, std::string_view("true"), kNowhere};
  }
}

absl::Span<const TraversalStep> AstGenerator::Steps(bool may_start_with_attribute) {
  std::vector<TraversalStep> steps = {Step(may_start_with_attribute)};
  while (Chance(50)) steps.push_back(Step(true));
  return arena_->CopySpan(absl::Span<const TraversalStep>(steps));
}

// The key of an index. Constant keys are steps of a traversal instead, so none is given.
const Expr* AstGenerator::Key(int depth) {
  while (true) {
    const Expr* key = Any(depth < 0 ? 0 : depth, 0);
    if (key->kind == ExprKind::kLiteral) continue;
    if (key->kind != ExprKind::kTemplate) return key;
    const auto& parts = As<TemplateExpr>(*key).parts;
    if (parts.size() > 1 || (parts.size() == 1 && parts[0]->kind != ExprKind::kTemplateText)) return key;
  }
}

// A key decides between the two forms, and only the one with a key may group.
const Expr* AstGenerator::For(int depth) {
  depth = depth < 0 ? 0 : depth;
  auto* node = arena_->New<ForExpr>(kNowhere);
  if (Chance(50)) node->key_name = Name();
  node->value_name = Name();
  node->collection = Any(depth, 0);
  if (Chance(50)) node->key = Any(depth, 0);
  node->value = Any(depth, 0);
  node->group = node->key != nullptr && Chance(30);
  if (Chance(30)) node->condition = Any(depth, 0);
  return node;
}

// The first key is not a naked `for`, which no parse gives. Other keys stand in parentheses or are strings.
const Expr* AstGenerator::Object(int depth) {
  std::vector<ObjectItem> items;
  for (size_t i = Below(4); i > 0; --i) {
    ObjectItem item{nullptr, {}, Any(depth < 0 ? 0 : depth, 0)};
    const std::string_view name = Name();
    if (Chance(50) && (name != "for" || !items.empty())) {
      item.key = arena_->New<VariableExpr>(kNowhere, name);
      item.key_name = name;
    } else {
      item.key = arena_->New<ParenExpr>(kNowhere, Any(depth < 0 ? 0 : depth, 0));
      if (Chance(50)) item.key = Template(0);
    }
    items.push_back(item);
  }
  return arena_->New<ObjectExpr>(kNowhere, arena_->CopySpan(absl::Span<const ObjectItem>(items)), kNowhere);
}

absl::Span<const Expr* const> AstGenerator::Exprs(int depth) {
  std::vector<const Expr*> exprs;
  for (size_t i = Below(4); i > 0; --i) exprs.push_back(Any(depth < 0 ? 0 : depth, 0));
  return arena_->CopySpan(absl::Span<const Expr* const>(exprs));
}

const Expr* AstGenerator::Template(int depth) {
  depth = depth < 0 ? 0 : depth;
  if (Chance(15)) return arena_->New<TemplateWrapExpr>(kNowhere, Any(depth, 0));
  return arena_->New<TemplateExpr>(kNowhere, Parts(depth));
}

// No two texts in a row, which a parse makes one of.
absl::Span<const Expr* const> AstGenerator::Parts(int depth) {
  std::vector<const Expr*> parts;
  for (size_t i = Below(4); i > 0; --i) {
    const bool after_text = !parts.empty() && parts.back()->kind == ExprKind::kTemplateText;
    if (!after_text && Chance(60)) {
      parts.push_back(arena_->New<TemplateTextExpr>(kNowhere, Text()));
    } else if (depth > 0 && Chance(40)) {
      const std::string_view key_name = Chance(50) ? Name() : std::string_view();
      const Expr* value = Any(depth - 1, 0);
      if (Chance(50)) {
        parts.push_back(arena_->New<TemplateForExpr>(kNowhere, key_name, Name(), value, Content(depth - 1)));
      } else {
        const TemplateExpr* if_true = Content(depth - 1);
        const TemplateExpr* if_false = Chance(50) ? Content(depth - 1) : nullptr;
        parts.push_back(arena_->New<TemplateIfExpr>(kNowhere, value, if_true, if_false));
      }
    } else {
      parts.push_back(Any(depth > 0 ? depth - 1 : 0, 0));
    }
  }
  return arena_->CopySpan(absl::Span<const Expr* const>(parts));
}

const TemplateExpr* AstGenerator::Content(int depth) { return arena_->New<TemplateExpr>(kNowhere, Parts(depth)); }

// Ranges rise from item to item, since printing merges attributes and blocks by them. Names of attributes are distinct,
// as there are more names than items.
const Body* AstGenerator::GenerateBody(int depth) {
  std::vector<Attribute> attributes;
  std::vector<Block> blocks;
  uint32_t place = 0;
  size_t next_name = Below(std::size(kNames));
  for (size_t i = Below(5); i > 0; --i) {
    const SourceRange range = {place, place + 1};
    place += 2;
    if (depth == 0 || Chance(60)) {
      Attribute attribute{};
      attribute.name = kNames[next_name++ % std::size(kNames)];  // distinct
      attribute.expr = Expression(3);
      attribute.range = range;
      attributes.push_back(attribute);
      continue;
    }
    Block block{};
    block.type = Name();
    const absl::Span<BlockLabel> labels(arena_->NewArray<BlockLabel>(2), Below(3));
    for (BlockLabel& label : labels) {
      label = {};
      label.text = Chance(50) ? Text() : Name();
    }
    block.labels = labels;
    block.body = GenerateBody(depth - 1);
    block.range = range;
    blocks.push_back(block);
  }
  auto* body = arena_->New<Body>();
  body->attributes = arena_->CopySpan(absl::Span<const Attribute>(attributes));
  body->blocks = arena_->CopySpan(absl::Span<const Block>(blocks));
  return body;
}

}  // namespace internal
}  // namespace hcl
