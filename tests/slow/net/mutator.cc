#include "hclvm/tests/slow/net/mutator.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/tests/slow/net/shapes.h"
#include "hclvm/tests/slow/net/signatures.h"

namespace hcl::testing_support {
namespace {

constexpr size_t kLongestStart = 350;
constexpr int kDepthOfNew = 2;
constexpr uint32_t kExtracted = 12;  // percent of the changes

// An expression, parsed.
class Tree {
 public:
  explicit Tree(const std::string& text) : source_("<net>", text) {
    file_ = ParseExpression(source_, {}, &diagnostics_);
  }
  bool ok() const { return diagnostics_.empty(); }
  const Expr& root() const { return *file_->expr; }

 private:
  Source source_;
  Diagnostics diagnostics_;
  std::unique_ptr<ParsedFile> file_;
};

std::string Part(const std::string& text, SourceRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

// The steps of a splat stand on its element and cannot be taken out; the parts of a template are no expressions, and
// what a directive holds are templates without quotes, of which only what is in them can be replaced.
template <typename Visit>
void WalkPlaces(const Expr& expr, std::vector<std::string>* names, const Visit& visit) {
  const bool is_part =
      expr.kind == ExprKind::kTemplateText || expr.kind == ExprKind::kTemplateIf || expr.kind == ExprKind::kTemplateFor;
  if (!is_part) visit(expr, *names);
  const auto below = [&](std::string_view key, std::string_view value, absl::Span<const Expr* const> parts) {
    names->emplace_back(key);
    names->emplace_back(value);
    for (const Expr* part : parts) {
      if (part != nullptr) WalkPlaces(*part, names, visit);
    }
    names->resize(names->size() - 2);
  };
  if (expr.kind == ExprKind::kFor) {
    const auto& loop = As<ForExpr>(expr);
    WalkPlaces(*loop.collection, names, visit);
    return below(loop.key_name, loop.value_name, {loop.key, loop.value, loop.condition});
  }
  if (expr.kind == ExprKind::kTemplateFor) {
    const auto& loop = As<TemplateForExpr>(expr);
    WalkPlaces(*loop.collection, names, visit);
    return below(loop.key_name, loop.value_name, loop.body->parts);
  }
  if (expr.kind == ExprKind::kSplat) return WalkPlaces(*As<SplatExpr>(expr).source, names, visit);
  if (expr.kind == ExprKind::kTemplateIf) {
    const auto& directive = As<TemplateIfExpr>(expr);
    WalkPlaces(*directive.condition, names, visit);
    for (const TemplateExpr* branch : {directive.if_true, directive.if_false}) {
      if (branch == nullptr) continue;
      for (const Expr* part : branch->parts) WalkPlaces(*part, names, visit);
    }
    return;
  }
  internal::ForEachChild(expr, [&](const Expr* child) { WalkPlaces(*child, names, visit); });
}

}  // namespace

Kind Mutator::KindOfPath(const World& world, const TraversalExpr& path) const {
  if (path.source->kind != ExprKind::kVariable) return Kind::kAny;
  for (const WorldVariable& variable : world.variables) {
    if (As<VariableExpr>(*path.source).name != variable.name) continue;
    uint32_t shape = variable.shape;
    for (const TraversalStep& step : path.steps) shape = corpus_->shapes()->Behind(shape, step.text);
    return corpus_->shapes()->at(shape).kind;
  }
  return Kind::kAny;
}

Kind Mutator::KindOfExpr(const World& world, const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::kLiteral: {
      const LiteralKind literal = As<LiteralExpr>(expr).literal;
      return literal == LiteralKind::kNumber ? Kind::kNumber : literal == LiteralKind::kNull ? Kind::kAny : Kind::kBool;
    }
    case ExprKind::kTraversal:
      return KindOfPath(world, As<TraversalExpr>(expr));
    case ExprKind::kTuple:
    case ExprKind::kSplat:
      return Kind::kSequence;
    case ExprKind::kFor:
      return As<ForExpr>(expr).key == nullptr ? Kind::kSequence : Kind::kMapping;
    case ExprKind::kObject:
      return Kind::kMapping;
    case ExprKind::kUnary:
      return As<UnaryExpr>(expr).op == UnaryOp::kNot ? Kind::kBool : Kind::kNumber;
    case ExprKind::kBinary:
      return IsArithmetic(As<BinaryExpr>(expr).op) ? Kind::kNumber : Kind::kBool;
    case ExprKind::kConditional:
      return KindOfExpr(world, *As<ConditionalExpr>(expr).if_true);
    case ExprKind::kParen:
      return KindOfExpr(world, *As<ParenExpr>(expr).inner);
    case ExprKind::kTemplate:
      return Kind::kString;
    case ExprKind::kCall:
      for (const KnownFunction& function : signatures_.functions()) {
        if (function.name != As<CallExpr>(expr).name || function.signatures.empty()) continue;
        return function.signatures[0].result.kind;
      }
      return Kind::kAny;
    default:
      return Kind::kAny;
  }
}

const Fragment& Mutator::FragmentOf(const World& world, Kind kind) {
  for (int n = 0; n < 12; ++n) {
    const Fragment& fragment = dice_->Pick(world.fragments);
    if (kind == Kind::kAny || fragment.want.kind == kind) return fragment;
  }
  return dice_->Pick(world.fragments);
}

// Where a fragment reads names of loops, within that loop.
std::string Mutator::Closed(const World& world, const Fragment& fragment) {
  if (fragment.loop_names.empty()) return fragment.text;
  if (!fragment.loop_head.empty()) {
    const std::string loop = absl::StrCat("[", fragment.loop_head, " : ", fragment.text, "]");
    return Chance(50) ? loop : loop + "[0]";
  }
  // The names are those of no loop then: any values have them.
  std::string text = fragment.text;
  for (const std::string& name : fragment.loop_names) {
    text = absl::StrCat("[for ", name, " in ", grammar_->Expr({Kind::kSequence}, 1), " : ", text, "]");
  }
  (void)world;
  return text;
}

// The paths of a stranger become paths of the same kind here, where there are such.
std::string Mutator::Renamed(const World& world, const std::string& text) {
  const Tree tree(text);
  if (!tree.ok()) return text;
  std::vector<std::pair<SourceRange, Kind>> paths;
  std::vector<std::string> names;
  WalkPlaces(tree.root(), &names, [&](const Expr& expr, const std::vector<std::string>& bound) {
    const Expr* source = expr.kind == ExprKind::kTraversal ? As<TraversalExpr>(expr).source : &expr;
    if (source->kind != ExprKind::kVariable) return;
    if (std::find(bound.begin(), bound.end(), As<VariableExpr>(*source).name.view()) != bound.end()) return;
    if (!paths.empty() && paths.back().first.begin == expr.range.begin) return;
    paths.emplace_back(expr.range, KindOfExpr(world, expr));
  });
  std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  std::string renamed = text;
  for (const auto& [range, kind] : paths) {
    renamed = renamed.substr(0, range.begin) + Bracketed(grammar_->Path(kind)) + renamed.substr(range.end);
  }
  return renamed;
}

std::string Mutator::Stranger(const World& world, Kind kind) {
  const World& other = dice_->Pick(corpus_->worlds());
  return Renamed(world, Closed(other, FragmentOf(other, kind)));
}

std::string Mutator::New(Kind kind, const Place& place) {
  for (const std::string& name : place.names) grammar_->Push(name, Shapes::kAnyShape, Kind::kAny);
  std::string text = grammar_->Expr({kind}, static_cast<int>(dice_->Roll(kDepthOfNew + 1)));
  grammar_->Pop(place.names.size());
  return text;
}

std::string Mutator::Wrapped(const std::string& text, Kind kind) {
  static constexpr const char* kAround[] = {
      "try(X, Y)",
      "try(Y, X)",
      "B ? X : Y",
      "B ? Y : X",
      "[X, Y][0]",
      "[Y, X][1]",
      "{a = X, b = Y}.a",
      "{a = Y, b = X}[\"b\"]",
      "[for z in [X] : z][0]",
      "[for z in S : X][0]",
      "[for z in S : X if B][0]",
      "one([X])",
      "coalesce(X, Y)",
      "element([X, Y], 0)",
      "try(X.a, X)",
      "can(X) ? X : Y",
      "X == null ? Y : X",
      "X != null ? X : Y",
      "[for z in [X, Y] : z if z != null][0]",
      "merge({a = Y}, {a = X}).a",
      "lookup({a = X}, \"a\", Y)",
  };
  static constexpr const char* kAroundBool[] = {
      "!X",
      "!(!X)",
      "X && B",
      "B && X",
      "X || B",
      "B || X",
      "can(X) && X",
      "X ? true : false",
      "X == true",
      "alltrue([X, B])",
      "anytrue([X, B])",
      "contains([X], true)",
      "X != false",
      "[for z in S : X] != []",
      "alltrue([for z in S : X])",
      "anytrue([for z in S : X])",
      "length([for z in S : z if X]) > 0",
  };
  static constexpr const char* kAroundText[] = {
      "\"${X}\"",
      "\"a${X}b\"",
      "\"${X}${X}\"",
      "lower(X)",
      "upper(X)",
      "trimspace(X)",
      "format(\"%s\", X)",
      "join(\"\", [X])",
      "\"%{if B}${X}%{endif}\"",
      "replace(X, \"a\", \"b\")",
      "split(\"/\", X)[0]",
  };
  static constexpr const char* kAroundNumber[] = {
      "X + 0", "X * 2", "-X", "max(X, Y)", "sum([X, Y])", "X / 2", "floor(X)", "length(S) + X", "tonumber(X)",
  };
  static constexpr const char* kAroundSequence[] = {
      "[for z in X : z]",
      "[for i, z in X : z if i > 0]",
      "reverse(X)",
      "distinct(X)",
      "concat(X, Y)",
      "flatten([X, Y])",
      "tolist(X)",
      "toset(X)",
      "X[*]",
      "slice(X, 0, 1)",
      "[for z in X : z if B]",
      "sort(X)",
      "concat([], X)",
      "flatten([for z in X : [z]])",
      "compact(X)",
      "values({for i, z in X : i => z})",
  };
  std::string form = grammar_->Pick(kAround);
  if (kind == Kind::kBool && Chance(60)) form = grammar_->Pick(kAroundBool);
  if (kind == Kind::kString && Chance(50)) form = grammar_->Pick(kAroundText);
  if (kind == Kind::kNumber && Chance(50)) form = grammar_->Pick(kAroundNumber);
  if (kind == Kind::kSequence && Chance(60)) form = grammar_->Pick(kAroundSequence);
  std::string made;
  for (size_t n = 0; n < form.size(); ++n) {
    // Letters of a word are not what is put in.
    const bool is_hole = (n == 0 || !std::isalnum(static_cast<unsigned char>(form[n - 1]))) &&
                         (n + 1 == form.size() || !std::isalnum(static_cast<unsigned char>(form[n + 1])));
    if (is_hole && form[n] == 'X') {
      made += "(" + text + ")";
    } else if (is_hole && form[n] == 'Y') {
      made += grammar_->Operand({kind}, 1);
    } else if (is_hole && form[n] == 'B') {
      made += grammar_->Operand({Kind::kBool}, 1);
    } else if (is_hole && form[n] == 'S') {
      made += grammar_->Operand({Kind::kSequence}, 1);
    } else {
      made += form[n];
    }
  }
  return made;
}

std::string Mutator::Replacement(const World& world, const std::string& text, const Place& place,
                                 const std::vector<Place>& places) {
  const Kind kind = KindOfExpr(world, *place.expr);
  const std::string own = Part(text, place.range);
  switch (dice_->Roll(12)) {
    case 0:
    case 1: {
      if (world.fragments.empty()) return Stranger(world, kind);
      const Fragment& fragment = FragmentOf(world, kind);
      const bool has_names = std::all_of(fragment.loop_names.begin(), fragment.loop_names.end(), [&](const auto& name) {
        return std::find(place.names.begin(), place.names.end(), name) != place.names.end();
      });
      return has_names ? fragment.text : Closed(world, fragment);
    }
    case 2:
      return Stranger(world, kind);
    case 3:
    case 4:
      return New(kind, place);
    case 5: {
      // One of its parts in its place.
      std::vector<const Expr*> children;
      internal::AppendChildren(*place.expr, &children);
      if (children.empty() || place.expr->kind == ExprKind::kTemplate) return New(kind, place);
      return Part(text, dice_->Pick(children)->range);
    }
    case 6: {
      if (place.expr->kind != ExprKind::kBinary) return Wrapped(own, kind);
      const auto& binary = As<BinaryExpr>(*place.expr);
      const BinaryOp op = kBinaryOps[dice_->Roll(static_cast<uint32_t>(std::size(kBinaryOps)))];
      const bool swapped = Chance(30);
      const std::string left = Part(text, binary.lhs->range), right = Part(text, binary.rhs->range);
      return absl::StrCat(
          "(", swapped ? right : left, ") ",
          std::string(SpellingOf(swapped || IsArithmetic(op) != IsArithmetic(binary.op) ? binary.op : op)), " (",
          swapped ? left : right, ")");
    }
    case 7:
      // What stands elsewhere, once more.
      return Part(text, dice_->Pick(places).range);
    default:
      return Wrapped(own, kind);
  }
}

// A part gets a name within something around it, in all places where it is there.
std::string Mutator::Extracted(const World& world, const std::string& text, const std::vector<Place>& places) {
  const Place& part = dice_->Pick(places);
  const std::string own = Part(text, part.range);
  std::vector<const Place*> around;
  for (const Place& place : places) {
    const bool contains = place.range.begin <= part.range.begin && part.range.end <= place.range.end;
    // What names of loops it reads must be there.
    const bool has_names = std::none_of(part.names.begin(), part.names.end(), [&](const std::string& name) {
      return std::find(place.names.begin(), place.names.end(), name) == place.names.end() &&
             absl::StrContains(own, name);
    });
    if (contains && has_names) around.push_back(&place);
  }
  const Place& whole = *dice_->Pick(around);
  const char* const name = grammar_->Pick({"t", "it", "x", "v"});
  std::string body = Part(text, whole.range);
  // From behind, so that what is before stays where it is. What stands in another place of the text is not touched.
  std::vector<size_t> starts;
  for (const Place& place : places) {
    const bool is_inside = whole.range.begin <= place.range.begin && place.range.end <= whole.range.end;
    if (is_inside && Part(text, place.range) == own) starts.push_back(place.range.begin - whole.range.begin);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (size_t n = starts.size(); n > 0; --n) {
    // A part may stand in a part of the same text.
    if (n < starts.size() && starts[n] < starts[n - 1] + own.size()) continue;
    body = absl::StrCat(body.substr(0, starts[n - 1]), name, body.substr(starts[n - 1] + own.size()));
  }
  const std::string named = grammar_->WithName(name, own, KindOfExpr(world, *whole.expr), body);
  return absl::StrCat(text.substr(0, whole.range.begin), Bracketed(named), text.substr(whole.range.end));
}

std::string Mutator::Mutated(const World& world, const std::string& text) {
  const Tree tree(text);
  if (!tree.ok()) return text;
  std::vector<Place> places;
  std::vector<std::string> names;
  WalkPlaces(tree.root(), &names, [&](const Expr& expr, const std::vector<std::string>& bound) {
    std::vector<std::string> own = bound;
    own.erase(std::remove(own.begin(), own.end(), ""), own.end());
    places.push_back({expr.range, &expr, std::move(own)});
  });
  if (Chance(kExtracted)) return Extracted(world, text, places);
  const Place& place = dice_->Pick(places);
  return absl::StrCat(text.substr(0, place.range.begin), Bracketed(Replacement(world, text, place, places)),
                      text.substr(place.range.end));
}

Surrounding Mutator::SurroundingIn(const World& world, const std::string& text, Kind kind) {
  const Tree tree(text);
  if (!tree.ok()) return {};
  std::vector<SourceRange> ranges;
  std::vector<std::string> names;
  WalkPlaces(tree.root(), &names, [&](const Expr& expr, const std::vector<std::string>&) {
    const Kind own = KindOfExpr(world, expr);
    if (&expr != &tree.root() && own == kind && kind != Kind::kAny) ranges.push_back(expr.range);
  });
  if (ranges.empty()) return {};
  const SourceRange range = dice_->Pick(ranges);
  return {true, text.substr(0, range.begin), text.substr(range.end)};
}

std::string Mutator::Next(const World& world) {
  std::string text;
  for (int n = 0; n < 10 && (text.empty() || text.size() > kLongestStart); ++n) {
    text = Chance(80) && !world.fragments.empty() ? Closed(world, dice_->Pick(world.fragments))
                                                  : Stranger(world, grammar_->AnyWant().kind);
  }
  for (uint32_t changes = dice_->Roll(4); changes > 0; --changes) text = Mutated(world, text);
  return text;
}

}  // namespace hcl::testing_support
