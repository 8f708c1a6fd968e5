// Disguised. Tested by tests/slow/disguise_test.cc.

#include "hclvm/tests/slow/disguise.h"

#include <cstddef>
#include <map>
#include <memory>

#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/walk.h"

namespace hcl::testing_support {
namespace {

struct Wrapper {
  const char* before;
  const char* after;
};

constexpr Wrapper kWrappers[] = {{"(", ")"}, {"([", "][0])"}, {"({zz = ", "}.zz)"}, {"([for zz in [0] : ", "][0])"}};

// Whether the part stands by itself in the text: what a template consists of does not, and neither does what a splat
// applies to each element.
bool StandsAlone(const Expr& expr, const std::string& text) {
  switch (expr.kind) {
    case ExprKind::kTemplateText:
    case ExprKind::kTemplateIf:
    case ExprKind::kTemplateFor:
    case ExprKind::kSplatItem:
    case ExprKind::kError:
      return false;
    case ExprKind::kTemplate:
    case ExprKind::kTemplateWrap:
      return text[expr.range.begin] == '"' && text[expr.range.end - 1] == '"';
    default:
      return true;
  }
}

struct Insertion {
  std::string text;
  std::vector<uint32_t> origins;
};

// What is to be put in front of each byte: first what ends parts there, then what begins them.
struct Insertions {
  std::map<uint32_t, Insertion> ends;
  std::map<uint32_t, Insertion> begins;

  // Parts come from the outside to the inside. An inner one ends before an outer one, and begins behind it.
  void Add(SourceRange part, const Wrapper& wrapper) {
    Insertion& begin = begins[part.begin];
    begin.text += wrapper.before;
    begin.origins.resize(begin.text.size(), part.begin);
    Insertion& end = ends[part.end];
    end.text.insert(0, wrapper.after);
    end.origins.resize(end.text.size(), part.end - 1);
  }
};

}  // namespace

Disguised::Disguised(const std::string& text, Disguise disguise, uint32_t percent, Generator* random) {
  const Source source("<test>", text);
  Diagnostics diagnostics;
  const std::unique_ptr<ParsedFile> file = ParseExpression(source, {}, &diagnostics);
  Insertions insertions;
  std::vector<const Expr*> open = {file->expr};
  while (!open.empty()) {
    const Expr& expr = *open.back();
    open.pop_back();
    if (StandsAlone(expr, text) && random->Chance(percent)) {
      insertions.Add(expr.range, kWrappers[disguise == Disguise::kBrackets ? 0 : random->Below(4)]);
    }
    if (expr.kind == ExprKind::kSplat) {
      open.push_back(As<SplatExpr>(expr).source);
    } else if (expr.kind == ExprKind::kObject) {
      // A key that is written as a path, without brackets, is an error for that.
      for (const ObjectItem& item : As<ObjectExpr>(expr).items) open.push_back(item.value);
    } else {
      internal::AppendChildren(expr, &open);
    }
  }
  for (uint32_t at = 0; at <= text.size(); ++at) {
    for (const auto* inserted : {&insertions.ends, &insertions.begins}) {
      const auto found = inserted->find(at);
      if (found == inserted->end()) continue;
      text_ += found->second.text;
      origin_.insert(origin_.end(), found->second.origins.begin(), found->second.origins.end());
    }
    if (at == text.size()) break;
    text_ += text[at];
    origin_.push_back(at);
  }
}

SourceRange Disguised::Original(SourceRange range) const {
  if (range.begin >= range.end || range.end > origin_.size()) return range;
  return {origin_[range.begin], origin_[range.end - 1] + 1};
}

}  // namespace hcl::testing_support
