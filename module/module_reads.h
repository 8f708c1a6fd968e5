// ModuleReads: which variables and locals the chunks of a module read, and which variables each needs for that.
//
// Internal to modules. Tested by module/module_test.cc and module/module_growth_test.cc.

#ifndef HCLVM_MODULE_MODULE_READS_H_
#define HCLVM_MODULE_MODULE_READS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/vm/module_tables.h"

namespace hcl::internal {

// Not thread-safe.
class ModuleReads {
 public:
  // The chunk was made of `tree`.
  void Note(uint32_t chunk, const BoundTree& tree);
  // It is the value of an attribute.
  void AddEntry(uint32_t chunk) { entries_.push_back(chunk); }
  // Slots of variables and locals. Requires that the chunk was noted.
  const std::set<uint32_t>& Of(uint32_t chunk) const { return reads_[chunk]; }

  // Sets tables->needs, in the order of chunks: what has to be prepared before the chunk runs. `tables` has all else.
  // Where chunks need too much together, a limit is reported.
  void Finish(ModuleTables* tables, Diagnostics* diagnostics) const;

 private:
  // Variables of all chunks together, and of what their validations read.
  static constexpr size_t kMaxNeeds = 2'000'000;

  std::set<uint32_t> WithValidations(const ModuleTables& tables, uint32_t slot) const;

  std::vector<std::set<uint32_t>> reads_;  // slots, by chunk
  std::vector<uint32_t> entries_;          // chunks
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_MODULE_READS_H_
