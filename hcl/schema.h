// BodySchema: what a caller expects in a body.
//
// Specification: information-model.md, "Schema-driven Processing". Tested by hcl/schema_test.cc.

#ifndef HCLVM_HCL_SCHEMA_H_
#define HCLVM_HCL_SCHEMA_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/internal/cxx17.h"

namespace hcl {

// An attribute that may, or must, be set in a body.
struct AttributeSchema {
  std::string name;
  bool required = false;
};

// A type of blocks that a body may hold any number of.
struct BlockSchema {
  std::string type;
  std::vector<std::string> label_names;  // what each label means, for messages; a block has exactly so many labels
};

// The attributes and block types of one body, without what stands inside of the blocks. Consistent by construction: the
// calls that would make it contradict itself fail and change nothing. Copyable; safe for concurrent reading.
class BodySchema {
 public:
  // Fails with kAlreadyExists when `name` is there as an attribute or as a block type.
  absl::Status AddAttribute(std::string name, bool required = false);

  // Fails with kAlreadyExists when `type` is there as an attribute, or as a block type.
  absl::Status AddBlock(std::string type, std::vector<std::string> label_names = {});

  // Adds everything in `other`, or, when something of it is there already, fails as the above do.
  absl::Status AddAll(const BodySchema& other);

  // In the order in which they were added.
  const std::vector<AttributeSchema>& attributes() const { return attributes_; }
  const std::vector<BlockSchema>& blocks() const { return blocks_; }

  // Null when there is none. The result lives until the schema changes.
  const AttributeSchema* FindAttribute(std::string_view name) const;
  const BlockSchema* FindBlock(std::string_view type) const;

  // The same with no attribute required.
  BodySchema WithNothingRequired() const;

 private:
  struct Place {
    bool is_block;
    uint32_t index;  // in its list
  };

  absl::Status CheckFree(std::string_view name, bool is_block) const;

  std::vector<AttributeSchema> attributes_;
  std::vector<BlockSchema> blocks_;
  internal::HashMap<std::string, Place> places_;
};

}  // namespace hcl

#endif  // HCLVM_HCL_SCHEMA_H_
