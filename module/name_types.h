// NameTypes: what was found of the types of names, gathered while a module is compiled.
//
// Internal to modules. Tested by module/typed_names_test.cc.

#ifndef HCLVM_MODULE_NAME_TYPES_H_
#define HCLVM_MODULE_NAME_TYPES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {

// Types live as long as the StaticTypes that made them. Not thread-safe.
class NameTypes {
 public:
  void AddLocal(const std::string& name, const StaticType* type) { locals_.emplace(name, type); }
  void AddFunction(const std::string& name, const StaticType* type) { functions_.emplace(name, type); }
  // Of the attribute that has this chunk, in `source`.
  void AddChunk(uint32_t chunk, const StaticType* type, const Source* source) { chunks_[chunk] = {type, source}; }

  // All names of a module, and those of `entries`; what was not added is of any type. `types` makes those of variables.
  std::vector<TypedName> List(const Declarations& declared, absl::Span<const Entry> entries, StaticTypes* types) const;

 private:
  HashMap<std::string, const StaticType*> locals_;
  HashMap<std::string, const StaticType*> functions_;
  HashMap<uint32_t, std::pair<const StaticType*, const Source*>> chunks_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_NAME_TYPES_H_
