// Symbols. Tested by lsp/documents/symbols_test.cc.

#include "hclvm/lsp/documents/symbols.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/hcl/walk.h"

namespace hcl::lsp {
namespace {

// The only text of a quoted string, or null.
const TemplateTextExpr* LiteralTextOf(const Expr& expr) {
  if (expr.kind != ExprKind::kTemplate) return nullptr;
  const absl::Span<const Expr* const> parts = As<TemplateExpr>(expr).parts;
  return parts.size() == 1 && parts[0]->kind == ExprKind::kTemplateText ? &As<TemplateTextExpr>(*parts[0]) : nullptr;
}

}  // namespace

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

SourceRange WordIn(std::string_view text, SourceRange around, std::string_view word) {
  const auto is_part = [&](size_t at) { return at < text.size() && IsNamePart(text[at]); };
  for (size_t at = text.find(word, around.begin); at != std::string_view::npos && at + word.size() <= around.end;
       at = text.find(word, at + 1)) {
    if ((at > 0 && is_part(at - 1)) || is_part(at + word.size())) continue;
    return {static_cast<uint32_t>(at), static_cast<uint32_t>(at + word.size())};
  }
  return {around.begin, around.begin};
}

// Expressions are walked with a list of open parts, as their left spines have no bound. Each part has the names that
// are in scope there: an index into a chain of bindings.
class SymbolWalk {
 public:
  SymbolWalk(std::string_view text, bool is_of_tests, Symbols* out)
      : text_(text), out_(*out), local_(is_of_tests ? SymbolKind::kTestLocal : SymbolKind::kLocal) {}

  void TakeFile(const Body& body) {
    for (const Attribute& attribute : body.attributes) Walk(*attribute.expr, kNone);
    for (const Block& block : body.blocks) TakeTopBlock(block);
    std::stable_sort(out_.all_.begin(), out_.all_.end(),
                     [](const Symbol& a, const Symbol& b) { return a.range.begin < b.range.begin; });
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  struct Binding {
    std::string_view name;
    SymbolKind kind;
    uint32_t scope;
    size_t outer;
  };
  struct Open {
    const Expr* expr;
    size_t binding;
  };

  void Add(SymbolKind kind, bool is_declaration, SourceRange range, std::string_view name, uint32_t scope = 0) {
    if (!range.empty()) out_.all_.push_back({kind, is_declaration, scope, range, name});
  }

  void TakeTopBlock(const Block& block) {
    if (block.type == "variable" && block.labels.size() == 1) {
      TakeLabel(SymbolKind::kVariable, block.labels[0]);
      for (const Attribute& attribute : block.body->attributes) {
        if (attribute.name != "type") Walk(*attribute.expr, kNone);
      }
      for (const Block& inner : block.body->blocks) TakeBody(*inner.body);
    } else if (block.type == "function" && block.labels.size() == 1) {
      TakeLabel(SymbolKind::kFunction, block.labels[0]);
      TakeFunction(block);
    } else if (block.type == "locals" && block.labels.empty()) {
      for (const Attribute& attribute : block.body->attributes) {
        Add(local_, /*is_declaration=*/true, attribute.name_range, attribute.name);
        Walk(*attribute.expr, kNone);
      }
    } else if (block.type == "variables" && block.labels.empty()) {
      for (const Attribute& attribute : block.body->attributes) {
        Add(SymbolKind::kVariable, /*is_declaration=*/false, attribute.name_range, attribute.name);
        Walk(*attribute.expr, kNone);
      }
    } else if (block.type == "test" && block.labels.size() == 1) {
      for (const Attribute& attribute : block.body->attributes) {
        if (attribute.name == "with") TakeScope(*attribute.expr);
        if (attribute.name == "without") TakePaths(*attribute.expr);
        if (attribute.name == "cases") TakeCases(*attribute.expr);
        Walk(*attribute.expr, kNone);
      }
      const SymbolKind outer = std::exchange(local_, SymbolKind::kLocal);
      for (const Block& inner : block.body->blocks) TakeBody(*inner.body);
      local_ = outer;
    } else {
      TakeBody(*block.body);
    }
  }

  void TakeLabel(SymbolKind kind, const BlockLabel& label) {
    Add(kind, /*is_declaration=*/true, WordIn(text_, label.range, label.text), label.text);
  }

  // Nested blocks are bounded by the limit of nesting.
  void TakeBody(const Body& body) {
    for (const Attribute& attribute : body.attributes) Walk(*attribute.expr, kNone);
    for (const Block& block : body.blocks) TakeBody(*block.body);
  }

  void TakeFunction(const Block& block) {
    size_t binding = kNone;
    for (const Attribute& attribute : block.body->attributes) {
      if (attribute.name == "params" && attribute.expr->kind == ExprKind::kTuple) {
        for (const Expr* parameter : As<TupleExpr>(*attribute.expr).elements) {
          if (parameter->kind == ExprKind::kVariable) {
            binding =
                Bind(SymbolKind::kParameter, parameter->range, As<VariableExpr>(*parameter).name, block.range, binding);
          }
        }
      } else if (attribute.name == "variadic_param" && attribute.expr->kind == ExprKind::kVariable) {
        binding = Bind(SymbolKind::kParameter, attribute.expr->range, As<VariableExpr>(*attribute.expr).name,
                       block.range, binding);
      }
    }
    for (const Attribute& attribute : block.body->attributes) {
      if (attribute.name == "result") Walk(*attribute.expr, binding);
    }
  }

  // The attributes of an object in `with` are variables.
  void TakeScope(const Expr& expr) {
    if (expr.kind != ExprKind::kObject) return;
    for (const ObjectItem& item : As<ObjectExpr>(expr).items) {
      if (!item.key_name.empty()) {
        Add(SymbolKind::kVariable, /*is_declaration=*/false, item.key->range, item.key_name);
      } else if (const TemplateTextExpr* const text = LiteralTextOf(*item.key)) {
        Add(SymbolKind::kVariable, /*is_declaration=*/false, WordIn(text_, item.key->range, text->text), text->text);
      }
    }
  }

  // A list of paths, such as "user.team".
  void TakePaths(const Expr& expr) {
    if (expr.kind != ExprKind::kTuple) return;
    for (const Expr* path : As<TupleExpr>(expr).elements) {
      const TemplateTextExpr* const text = LiteralTextOf(*path);
      if (text == nullptr) continue;
      const std::string_view name = text->text.view().substr(0, text->text.view().find('.'));
      Add(SymbolKind::kVariable, /*is_declaration=*/false, WordIn(text_, path->range, name), name);
    }
  }

  void TakeCases(const Expr& expr) {
    const auto take_case = [this](const Expr& one) {
      if (one.kind != ExprKind::kObject) return;
      for (const ObjectItem& item : As<ObjectExpr>(one).items) {
        if (item.key_name == "with") TakeScope(*item.value);
        if (item.key_name == "without") TakePaths(*item.value);
      }
    };
    if (expr.kind == ExprKind::kFor) take_case(*As<ForExpr>(expr).value);
    if (expr.kind != ExprKind::kObject) return;
    for (const ObjectItem& item : As<ObjectExpr>(expr).items) take_case(*item.value);
  }

  size_t Bind(SymbolKind kind, SourceRange range, std::string_view name, SourceRange known_in, size_t outer) {
    const auto scope = static_cast<uint32_t>(out_.scopes_.size());
    Add(kind, /*is_declaration=*/true, range, name, scope);
    out_.scopes_.push_back({known_in, name});
    bindings_.push_back({name, kind, scope, outer});
    return bindings_.size() - 1;
  }

  // The variables of a loop, whose names are written between `begin` and its collection.
  size_t BindLoop(std::string_view key, std::string_view value, uint32_t begin, const Expr& collection,
                  SourceRange known_in, size_t outer) {
    uint32_t from = begin;
    for (const std::string_view name : {key, value}) {
      if (name.empty()) continue;
      const SourceRange range = WordIn(text_, {from, collection.range.begin}, name);
      outer = Bind(SymbolKind::kLoop, range, name, known_in, outer);
      from = std::max(from, range.end);
    }
    return outer;
  }

  void Walk(const Expr& root, size_t binding) {
    std::vector<Open> open = {{&root, binding}};
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      Take(*next.expr, next.binding, &open);
    }
  }

  void Take(const Expr& expr, size_t binding, std::vector<Open>* open) {
    const auto visit = [&](const Expr* part, size_t names) {
      if (part != nullptr) open->push_back({part, names});
    };
    switch (expr.kind) {
      case ExprKind::kVariable:
        return TakeName(expr.range, As<VariableExpr>(expr).name, binding);
      case ExprKind::kTraversal:
        if (TakeQualified(As<TraversalExpr>(expr), binding)) return;
        break;
      case ExprKind::kCall:
        Add(SymbolKind::kFunction, /*is_declaration=*/false, As<CallExpr>(expr).name_range, As<CallExpr>(expr).name);
        break;
      case ExprKind::kFor: {
        const auto& loop = As<ForExpr>(expr);
        visit(loop.collection, binding);
        const size_t inner =
            BindLoop(loop.key_name, loop.value_name, loop.open.end + 3, *loop.collection, loop.range, binding);
        visit(loop.key, inner);
        visit(loop.value, inner);
        visit(loop.condition, inner);
        return;
      }
      case ExprKind::kTemplateFor: {
        const auto& loop = As<TemplateForExpr>(expr);
        visit(loop.collection, binding);
        const auto begin = static_cast<uint32_t>(std::min<size_t>(text_.find("for", loop.range.begin), UINT32_MAX - 3));
        visit(loop.body, BindLoop(loop.key_name, loop.value_name, begin + 3, *loop.collection, loop.range, binding));
        return;
      }
      default:
        break;
    }
    internal::ForEachChild(expr, [&](const Expr* part) { visit(part, binding); });
  }

  void TakeName(SourceRange range, std::string_view name, size_t binding) {
    for (; binding != kNone; binding = bindings_[binding].outer) {
      const Binding& bound = bindings_[binding];
      if (bound.name == name) return Add(bound.kind, /*is_declaration=*/false, range, name, bound.scope);
    }
    Add(SymbolKind::kVariable, /*is_declaration=*/false, range, name);
  }

  // `var.NAME` and `local.NAME`.
  bool TakeQualified(const TraversalExpr& traversal, size_t binding) {
    if (traversal.source->kind != ExprKind::kVariable) return false;
    const std::string_view root = As<VariableExpr>(*traversal.source).name;
    const TraversalStep& first = traversal.steps[0];
    if ((root != "var" && root != "local") || first.kind != TraversalStep::Kind::kAttribute) return false;
    for (size_t at = binding; at != kNone; at = bindings_[at].outer) {
      if (bindings_[at].name == root) return false;
    }
    Add(root == "var" ? SymbolKind::kVariable : local_, /*is_declaration=*/false,
        WordIn(text_, first.range, first.text), first.text);
    return true;
  }

  const std::string_view text_;
  Symbols& out_;
  SymbolKind local_;  // what `local.NAME` is
  std::vector<Binding> bindings_;
};

Symbols::Symbols(const Body& body, std::string_view text, bool is_of_tests) {
  SymbolWalk(text, is_of_tests, this).TakeFile(body);
}

const Symbol* Symbols::At(uint32_t offset) const {
  const auto next = std::upper_bound(all_.begin(), all_.end(), offset,
                                     [](uint32_t at, const Symbol& symbol) { return at < symbol.range.begin; });
  if (next == all_.begin()) return nullptr;
  const Symbol& found = *(next - 1);
  return offset <= found.range.end ? &found : nullptr;
}

std::vector<std::string_view> Symbols::NamesInScopeAt(uint32_t offset) const {
  std::vector<std::string_view> names;
  for (const Scope& scope : scopes_) {
    if (scope.range.begin < offset && offset <= scope.range.end) names.push_back(scope.name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

}  // namespace hcl::lsp
