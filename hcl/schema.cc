// BodySchema: two lists and one map over both, because both share one set of names.

#include "hclvm/hcl/schema.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/unicode.h"

namespace hcl {

using internal::ToAbsl;

// A name for both would leave open what a body means by it in JSON, where an attribute and a block look the same
// (information-model.md, "Schema-driven Processing"). A schema is made by a program, so that this is a status and no
// diagnostic.
absl::Status BodySchema::CheckFree(std::string_view name, bool is_block) const {
  const auto place = places_.find(ToAbsl(name));
  if (place == places_.end()) return absl::OkStatus();
  if (place->second.is_block != is_block) {
    return absl::AlreadyExistsError(
        absl::StrCat("schema names \"", ToAbsl(name), "\" both as an attribute and as a block type"));
  }
  const char* const what = is_block ? "block type \"" : "attribute \"";
  return absl::AlreadyExistsError(absl::StrCat("schema names the ", what, ToAbsl(name), "\" twice"));
}

absl::Status BodySchema::AddAttribute(std::string name, bool required) {
  if (!internal::IsKnownNfc(name)) name = internal::ToNfc(name);
  if (absl::Status status = CheckFree(name, false); !status.ok()) return status;
  places_.emplace(name, Place{false, static_cast<uint32_t>(attributes_.size())});
  attributes_.push_back(AttributeSchema{std::move(name), required});
  return absl::OkStatus();
}

absl::Status BodySchema::AddBlock(std::string type, std::vector<std::string> label_names) {
  if (!internal::IsKnownNfc(type)) type = internal::ToNfc(type);
  if (absl::Status status = CheckFree(type, true); !status.ok()) return status;
  places_.emplace(type, Place{true, static_cast<uint32_t>(blocks_.size())});
  blocks_.push_back(BlockSchema{std::move(type), std::move(label_names)});
  return absl::OkStatus();
}

// Checks everything before it adds anything, so that a failure changes nothing.
absl::Status BodySchema::AddAll(const BodySchema& other) {
  for (const AttributeSchema& attribute : other.attributes_) {
    if (absl::Status status = CheckFree(attribute.name, false); !status.ok()) return status;
  }
  for (const BlockSchema& block : other.blocks_) {
    if (absl::Status status = CheckFree(block.type, true); !status.ok()) return status;
  }
  // `other` has no name twice, so nothing can fail from here on.
  for (const AttributeSchema& attribute : other.attributes_) {
    AddAttribute(attribute.name, attribute.required).IgnoreError();
  }
  for (const BlockSchema& block : other.blocks_) AddBlock(block.type, block.label_names).IgnoreError();
  return absl::OkStatus();
}

const AttributeSchema* BodySchema::FindAttribute(std::string_view name) const {
  const auto place = places_.find(ToAbsl(name));
  if (place == places_.end() || place->second.is_block) return nullptr;
  return &attributes_[place->second.index];
}

const BlockSchema* BodySchema::FindBlock(std::string_view type) const {
  const auto place = places_.find(ToAbsl(type));
  if (place == places_.end() || !place->second.is_block) return nullptr;
  return &blocks_[place->second.index];
}

BodySchema BodySchema::WithNothingRequired() const {
  BodySchema schema = *this;
  for (AttributeSchema& attribute : schema.attributes_) attribute.required = false;
  return schema;
}

}  // namespace hcl
