// BodyView: a body in whichever syntax it is written, opened with a schema. One interface for all syntaxes.
//
// A body is opaque until a schema says what to look for. Content() takes the schema for all that there may be;
// PartialContent() takes what the schema names and leaves the rest as another body; JustAttributes() takes whatever
// attributes there are. hcl/native_body.h makes one of a native file, hcl/merged_body.h one of several.
//
// Specification: information-model.md, "Body Content", "Language-agnosticism". Tested by hcl/body_content_test.cc,
// hcl/merged_body_test.cc.

#ifndef HCLVM_HCL_BODY_CONTENT_H_
#define HCLVM_HCL_BODY_CONTENT_H_

#include <memory>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

class BodyView;

// Views outlive what they were taken from, but not the file's tree and source.
using BodyViewPtr = std::shared_ptr<const BodyView>;

// An attribute that was found.
struct AttributeView {
  std::string_view name;
  ExprView expr;
  SourceRange name_range;  // in expr.source(), as `range`
  SourceRange range;       // name and value
};

// A block that was found.
struct BlockView {
  std::string_view type;
  std::vector<BlockLabel> labels;  // as many as its schema names
  BodyViewPtr body;                // never null; its source() is that of the ranges
  SourceRange type_range;
  SourceRange header;  // what names the block: type and labels
  SourceRange range;
};

// Attributes by name, in the order of their names.
class AttributeMap {
 public:
  AttributeMap() = default;

  // Requires that names are distinct.
  explicit AttributeMap(std::vector<AttributeView> attributes);

  // Null when there is none. The result lives as long as the map. Time: logarithmic.
  const AttributeView* Find(std::string_view name) const;

  std::vector<AttributeView>::const_iterator begin() const { return attributes_.begin(); }
  std::vector<AttributeView>::const_iterator end() const { return attributes_.end(); }
  size_t size() const { return attributes_.size(); }
  bool empty() const { return attributes_.empty(); }

 private:
  std::vector<AttributeView> attributes_;  // sorted by name
};

// What a schema has found in a body.
struct BodyContent {
  AttributeMap attributes;
  std::vector<BlockView> blocks;  // in the order of the text
};

// Content and what it has left over.
struct PartialBodyContent {
  BodyContent content;
  BodyViewPtr remaining;  // never null
};

// Immutable and thread-safe. Each function reports to `diagnostics`, with the source set in each entry, and returns
// what is usable of the result all the same: attributes and blocks that are as the schema wants them. Time: linear in
// the body's items and the schema.
class BodyView {
 public:
  virtual ~BodyView() = default;

  // Requires everything in the body to be in `schema`. Errors: attributes and blocks that are not, required attributes
  // that are missing, blocks with too few or too many labels.
  virtual BodyContent Content(const BodySchema& schema, Diagnostics* diagnostics) const = 0;

  // Takes what `schema` names, also what is reported for its labels, and leaves the rest, to be opened in turn.
  virtual PartialBodyContent PartialContent(const BodySchema& schema, Diagnostics* diagnostics) const = 0;

  // All attributes. Error: a block (one, for the first).
  virtual AttributeMap JustAttributes(Diagnostics* diagnostics) const = 0;

  // The point in source() at which a missing attribute or block would be added.
  virtual SourceRange MissingItemRange() const = 0;

  // The text that the body stands in (for merged bodies, the first one's); null for a body without any.
  virtual const Source* source() const = 0;
};

}  // namespace hcl

#endif  // HCLVM_HCL_BODY_CONTENT_H_
