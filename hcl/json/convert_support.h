// What both directions of hcl/json/convert.h share. Internal to hcl/json/.

#ifndef HCLVM_HCL_JSON_CONVERT_SUPPORT_H_
#define HCLVM_HCL_JSON_CONVERT_SUPPORT_H_

#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/convert.h"

namespace hcl::internal {

// The text of a string literal; nothing for other expressions. Lives as long as the tree.
std::optional<std::string_view> LiteralText(const Expr& expr);

// What stands in blocks of `type`. Lives as long as `shape`, or forever.
const BodyShape& ShapeOfBlocks(const BodyShape& shape, std::string_view type);

// Whether the attribute of that name is analyzed and never evaluated.
bool IsStatic(const BodyShape& shape, std::string_view name);

// Adds HCL6201, and the warning HCL8016.
void AddNoCounterpart(SourceRange range, std::string detail, Diagnostics* diagnostics);
void AddNotKept(SourceRange range, std::string detail, Diagnostics* diagnostics);

// Whether the converted text, of which `found` was reported, can be read. If not, adds why: the first entry of `found`,
// about no place, as its place is not in the source.
bool HasNoErrors(const Diagnostics& found, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_HCL_JSON_CONVERT_SUPPORT_H_
