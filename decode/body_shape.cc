// What a spec looks for. Tested by decode/body_shape_test.cc.

#include "hclvm/decode/body_shape.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/decode/same_body.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

using internal::ForSameBody;
namespace {

using Specs = std::vector<const DecodeSpec*>;

bool ShapeOfAll(const Specs& specs, BodyShape* shape, std::string* error);

// What stands in blocks of `type`: what all of `specs` that are about such blocks look for.
bool ShapeOfBlocks(const Specs& specs, std::string_view type, BodyShape* shape, std::string* error) {
  Specs contents;
  bool has_any_attributes = false;
  for (const DecodeSpec* spec : specs) {
    ForSameBody(*spec, [&](const DecodeSpec& part) {
      if (!part.is_block() || part.name() != type) return;
      if (part.content() != nullptr) contents.push_back(part.content());
      has_any_attributes |= part.kind() == DecodeSpec::Kind::kBlockAttributes;
    });
  }
  if (!ShapeOfAll(contents, shape, error)) return false;
  shape->has_other_attributes = has_any_attributes;
  return true;
}

// Several specs may look at one body, as those of blocks that two specs are about. What two of them name is there once.
bool ShapeOfAll(const Specs& specs, BodyShape* shape, std::string* error) {
  *shape = BodyShape();
  shape->has_other_attributes = false;
  for (const DecodeSpec* spec : specs) {
    BodySchema schema;
    if (!ImpliedSchema(*spec, &schema, error)) return false;
    for (const AttributeSchema& attribute : schema.attributes()) {
      if (shape->schema.FindAttribute(attribute.name) != nullptr) continue;
      if (shape->schema.AddAttribute(attribute.name).ok()) continue;
      *error =
          absl::StrCat("One spec wants an attribute named \"", attribute.name, "\", another one blocks of that type.");
      return false;
    }
    for (const BlockSchema& block : schema.blocks()) {
      if (shape->schema.FindBlock(block.type) != nullptr) continue;
      if (shape->schema.AddBlock(block.type, block.label_names).ok()) continue;
      *error = absl::StrCat("One spec wants an attribute named \"", block.type, "\", another one blocks of that type.");
      return false;
    }
  }
  for (const BlockSchema& block : shape->schema.blocks()) {
    auto content = std::make_shared<BodyShape>();
    if (!ShapeOfBlocks(specs, block.type, content.get(), error)) return false;
    shape->blocks.push_back(std::move(content));
  }
  return true;
}

}  // namespace

bool ShapeOf(const DecodeSpec& spec, BodyShape* shape, std::string* error) {
  error->clear();
  return ShapeOfAll({&spec}, shape, error);
}

}  // namespace hcl
