// Shrink. Tested by tests/slow/shrink_test.cc.

#include "hclvm/tests/slow/shrink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/walk.h"

namespace hcl::testing_support {
namespace {

constexpr const char* kLiterals[] = {"1", "null", "true", "[]", "{}", "\"\"", "\"a\""};

std::string Replaced(const std::string& text, SourceRange range, const std::string& by) {
  return text.substr(0, range.begin) + by + text.substr(range.end);
}

std::string Part(const std::string& text, SourceRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

// Collects the texts that are smaller than a program by one step.
class Candidates {
 public:
  explicit Candidates(const std::string& text) : text_(text) {
    const Source source("<test>", text);
    Diagnostics diagnostics;
    const std::unique_ptr<ParsedFile> file = ParseExpression(source, {}, &diagnostics);
    if (!diagnostics.empty()) return;
    Walk(*file->expr);
  }

  // Parts alone, the smallest first, then the program without a part or with a smaller one, the largest part first.
  std::vector<std::string> All() const {
    std::vector<std::string> all = Alone();
    while (!all.empty() && all.back().size() >= text_.size()) all.pop_back();
    const size_t alone = all.size();
    all.insert(all.end(), replaced_.begin(), replaced_.end());
    std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(alone), all.end(), BySize);
    return all;
  }

  // The program and its parts, the smallest first.
  std::vector<std::string> Alone() const {
    std::vector<std::string> parts = alone_;
    std::stable_sort(parts.begin(), parts.end(), BySize);
    return parts;
  }

 private:
  static bool BySize(const std::string& a, const std::string& b) { return a.size() < b.size(); }

  void Add(std::string candidate) {
    if (candidate.size() < text_.size()) replaced_.push_back(std::move(candidate));
  }

  void Walk(const Expr& root) {
    std::vector<const Expr*> open = {&root};
    while (!open.empty()) {
      const Expr& expr = *open.back();
      open.pop_back();
      alone_.push_back(Part(text_, expr.range));
      for (const char* literal : kLiterals) {
        if (Part(text_, expr.range).size() > std::string(literal).size()) Add(Replaced(text_, expr.range, literal));
      }
      std::vector<const Expr*> children;
      internal::AppendChildren(expr, &children);
      for (const Expr* child : children) {
        Add(Replaced(text_, expr.range, Part(text_, child->range)));
        open.push_back(child);
      }
      AddWithoutItems(expr);
    }
  }

  void AddWithoutItems(const Expr& expr) {
    std::vector<SourceRange> items;
    if (expr.kind == ExprKind::kTuple) items = RangesOf(As<TupleExpr>(expr).elements);
    if (expr.kind == ExprKind::kCall) items = RangesOf(As<CallExpr>(expr).arguments);
    if (expr.kind == ExprKind::kTemplate) items = RangesOf(As<TemplateExpr>(expr).parts);
    if (expr.kind == ExprKind::kObject) {
      for (const ObjectItem& item : As<ObjectExpr>(expr).items) {
        items.push_back(Cover(item.key->range, item.value->range));
      }
    }
    for (size_t n = 0; n < items.size(); ++n) {
      const bool last = n + 1 == items.size();
      const uint32_t begin = last && n > 0 ? items[n - 1].end : items[n].begin;
      Add(Replaced(text_, {begin, last ? items[n].end : items[n + 1].begin}, ""));
    }
  }

  static std::vector<SourceRange> RangesOf(absl::Span<const Expr* const> parts) {
    std::vector<SourceRange> ranges;
    for (const Expr* part : parts) ranges.push_back(part->range);
    return ranges;
  }

  const std::string& text_;
  std::vector<std::string> alone_;
  std::vector<std::string> replaced_;
};

}  // namespace

// Every step makes the text shorter, so this ends even without the limit.
std::string Shrink(const std::string& text, const std::function<bool(const std::string&)>& shows, int max_steps) {
  std::string best = text;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const std::string& candidate : Candidates(best).All()) {
      if (max_steps-- <= 0) return best;
      if (!shows(candidate)) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

std::vector<std::string> Parts(const std::string& text) { return Candidates(text).Alone(); }

}  // namespace hcl::testing_support
