// The outline of documents. Tested by lsp/features/outline_test.cc.

#include "hclvm/lsp/features/outline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/navigation.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/lsp/documents/text_file.h"

namespace hcl::lsp {
namespace {

// The protocol's SymbolKind.
enum Kind { kModuleKind = 2, kClass = 5, kMethod = 6, kProperty = 7, kFunction = 12, kVariable = 13, kConstant = 14 };

// Positions that a request may ask about at once.
constexpr size_t kMaxPositions = 1'000;

Kind KindOf(const Block& block) {
  if (block.type == "variable") return kVariable;
  if (block.type == "function") return kFunction;
  if (block.type == "locals") return kModuleKind;
  return block.type == "test" ? kMethod : kClass;
}

Json SymbolOf(const FeatureContext& context, const std::string& name, Kind kind, SourceRange range,
              SourceRange selection) {
  return {{"name", name.empty() ? "?" : name},
          {"kind", kind},
          {"range", context.RangeOf(range)},
          {"selectionRange", context.RangeOf(selection)}};
}

// Recursion follows blocks in blocks, which the parser has bounded.
Json SymbolsOf(const FeatureContext& context, const Body& body, bool is_locals) {
  std::vector<std::pair<uint32_t, Json>> found;  // by place
  for (const Attribute& attribute : body.attributes) {
    found.emplace_back(attribute.range.begin,
                       SymbolOf(context, std::string(attribute.name), is_locals ? kConstant : kProperty,
                                attribute.range, attribute.name_range));
  }
  for (const Block& block : body.blocks) {
    std::string name(block.type);
    for (const BlockLabel& label : block.labels) absl::StrAppend(&name, " ", std::string(label.text));
    Json symbol = SymbolOf(context, name, KindOf(block), block.range, block.header());
    Json children = SymbolsOf(context, *block.body, block.type == "locals");
    if (!children.empty()) symbol["children"] = std::move(children);
    found.emplace_back(block.range.begin, std::move(symbol));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Json symbols = Json::array();
  for (auto& [place, symbol] : found) symbols.push_back(std::move(symbol));
  return symbols;
}

class FoldingFinder {
 public:
  explicit FoldingFinder(const TextFile& file) : file_(file), tree_(*file.tree()) {}

  Json Find() {
    const absl::Span<const SourceToken> tokens = tree_.tokens();
    for (uint32_t n = 0; n < tokens.size(); ++n) {
      if (tokens[n].kind == SourceTokenKind::kComment) {
        n = TakeComments(n);
      } else if (tokens[n].kind == SourceTokenKind::kHeredoc || tokens[n].kind == SourceTokenKind::kOpen) {
        const uint32_t pair = tree_.PairOf(n);
        if (pair == kNoSource || pair < n) continue;
        // The line of a closing bracket stays, and that which ends a heredoc as well.
        Add(LineOf(tokens[n].range.begin), LineOf(tokens[pair].range.begin), /*keeps_last=*/true, nullptr);
      }
    }
    return std::move(ranges_);
  }

 private:
  uint32_t LineOf(uint32_t offset) const { return file_.lines().LineAt(offset); }

  // Comments of one line that follow one another, or one of several lines. Returns the last token of them.
  uint32_t TakeComments(uint32_t first) {
    const absl::Span<const SourceToken> tokens = tree_.tokens();
    uint32_t last = first;
    while (last + 1 < tokens.size() && tokens[last + 1].kind == SourceTokenKind::kComment &&
           LineOf(tokens[last + 1].range.begin) <= LineOf(tokens[last].range.end)) {
      ++last;
    }
    const uint32_t end = tokens[last].range.end;
    Add(LineOf(tokens[first].range.begin), LineOf(end > 0 ? end - 1 : 0), /*keeps_last=*/false, "comment");
    return last;
  }

  void Add(uint32_t first, uint32_t last, bool keeps_last, const char* kind) {
    if (keeps_last && last > 0) --last;
    if (last <= first) return;
    Json range = {{"startLine", first}, {"endLine", last}};
    if (kind != nullptr) range["kind"] = kind;
    ranges_.push_back(std::move(range));
  }

  const TextFile& file_;
  const SourceTree& tree_;
  Json ranges_ = Json::array();
};

// The ranges around a byte, from the file on; each holds the next.
std::vector<SourceRange> RangesAround(const TextFile& file, uint32_t offset) {
  std::vector<SourceRange> ranges = {{0, static_cast<uint32_t>(file.text().size())}};
  const auto add = [&](SourceRange range) {
    const SourceRange last = ranges.back();
    if (range != last && range.begin >= last.begin && range.end <= last.end && range.begin <= offset &&
        offset <= range.end) {
      ranges.push_back(range);
    }
  };
  const Body& body = file.body();
  for (const Block* block : BlocksAt(body, offset)) {
    add(block->range);
    add(block->body->range);
  }
  const Attribute* const attribute = AttributeAt(body, offset);
  if (attribute != nullptr) {
    add(attribute->range);
    // From the value to the smallest part: each level has one part at most that holds the byte.
    for (const Expr* at = attribute->expr; at != nullptr;) {
      add(at->range);
      const Expr* inner = nullptr;
      internal::ForEachChild(*at, [&](const Expr* part) {
        if (part->range.begin <= offset && offset <= part->range.end) inner = part;
      });
      at = inner;
    }
  }
  const SourceTree* const tree = file.tree();
  const uint32_t token = tree == nullptr ? kNoSource : tree->TokenAt(offset);
  if (token != kNoSource) add(tree->tokens()[token].range);
  return ranges;
}

}  // namespace

Json DocumentSymbols(const FeatureContext& context) {
  return SymbolsOf(context, context.file->body(), /*is_locals=*/false);
}

Json FoldingRanges(const FeatureContext& context) {
  if (context.file->tree() == nullptr) return Json::array();
  return FoldingFinder(*context.file).Find();
}

Json SelectionRanges(const FeatureContext& context) {
  Json all = Json::array();
  const Json* const positions = Member(*context.params, {"positions"});
  if (positions == nullptr || !positions->is_array()) return all;
  // Parents stand within their children, so that a deep place would cost its square; the levels are bounded.
  constexpr size_t kMaxLevels = 100;
  for (const Json& position : *positions) {
    if (all.size() >= kMaxPositions) break;
    const uint32_t offset = context.file->lines().OffsetAt(PositionIn(position), context.encoding);
    const std::vector<SourceRange> ranges = RangesAround(*context.file, offset);
    Json chain;
    for (size_t n = ranges.size() > kMaxLevels ? ranges.size() - kMaxLevels : 0; n < ranges.size(); ++n) {
      Json next = {{"range", context.RangeOf(ranges[n])}};
      if (!chain.is_null()) next["parent"] = std::move(chain);
      chain = std::move(next);
    }
    all.push_back(std::move(chain));
  }
  return all;
}

}  // namespace hcl::lsp
