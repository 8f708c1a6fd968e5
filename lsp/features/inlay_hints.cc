// Inlay hints. Tested by lsp/features/inlay_hints_test.cc.

#include "hclvm/lsp/features/inlay_hints.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/request_values.h"
#include "hclvm/module/typed_names.h"

namespace hcl::lsp {
namespace {

using internal::TypedName;

// Bytes of a type or a value that is shown in a line of the text.
constexpr size_t kMaxHintBytes = 60;

class HintFinder {
 public:
  HintFinder(const FeatureContext& context, SourceRange range) : context_(context), range_(range) {}

  Json Find() {
    const Project project = context_.workspace->ProjectOf(context_.file);
    const bool is_checked = project.kind == ProjectKind::kModule || project.kind == ProjectKind::kPlain;
    if (!is_checked || context_.file->is_json()) return std::move(hints_);
    if (context_.workspace->settings().type_hints) {
      const CheckOutcome outcome = context_.workspace->Check(project);
      for (const TypedName& name : outcome.names) AddType(name);
    }
    if (!context_.workspace->settings().request_file.empty()) {
      values_ = ValuesFor(context_.workspace, project);
      AddValues(context_.file->body());
    }
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [offset, hint] : found_) hints_.push_back(std::move(hint));
    return std::move(hints_);
  }

 private:
  // Variables have their types in the text.
  void AddType(const TypedName& name) {
    const bool is_hinted = name.kind == TypedName::Kind::kLocal || name.kind == TypedName::Kind::kAttribute;
    if (!is_hinted || name.source != context_.file->source().get() || name.type == "any") return;
    Add(name.range.end,
        absl::StrCat(": ", internal::Excerpt(name.type, kMaxHintBytes), name.nullable ? " or null" : ""));
  }

  // Recursion follows blocks in blocks, which the parser has bounded.
  void AddValues(const Body& body) {
    for (const Attribute& attribute : body.attributes) {
      const SourceRange range = attribute.expr->range;
      const auto found = values_.find({context_.file->source()->name(), {range.begin, range.end}});
      if (found != values_.end()) Add(range.end, absl::StrCat(" = ", internal::Excerpt(found->second, kMaxHintBytes)));
    }
    for (const Block& block : body.blocks) AddValues(*block.body);
  }

  void Add(uint32_t offset, const std::string& label) {
    constexpr int kType = 1;
    if (offset < range_.begin || offset > range_.end) return;
    Json hint = {{"position", ToJson(context_.file->lines().PositionAt(offset, context_.encoding))}, {"label", label}};
    if (label[0] == ':') hint["kind"] = kType;
    found_.emplace_back(offset, std::move(hint));
  }

  const FeatureContext& context_;
  const SourceRange range_;
  RequestValues values_;
  std::vector<std::pair<uint32_t, Json>> found_;  // by place
  Json hints_ = Json::array();
};

}  // namespace

Json InlayHints(const FeatureContext& context) {
  const Json* const range = Member(*context.params, {"range"});
  if (range == nullptr) return Json::array();
  return HintFinder(context, context.file->lines().BytesOf(*range, context.encoding)).Find();
}

}  // namespace hcl::lsp
