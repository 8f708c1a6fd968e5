// ModuleReads: what the chunks of a module read, and what has to be prepared for each.
//
// What a chunk reads is known of its code and of its text. The code's reads say which locals are made for it; the
// text's reads (module/text_reads.h) say what must be there and fit, since that must not depend on how code is made.
//
// Internal to modules. Tested by module/module_test.cc and module/module_growth_test.cc.

#ifndef HCLVM_MODULE_MODULE_READS_H_
#define HCLVM_MODULE_MODULE_READS_H_

#include <cstdint>
#include <set>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/text_reads.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/read_paths.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {

// Not thread-safe.
class ModuleReads {
 public:
  // The chunk was made of `tree`, whose text reads `text`.
  void Note(uint32_t chunk, const BoundTree& tree, TextReads::Set text);
  // It is the value of an attribute.
  void AddEntry(uint32_t chunk) { entries_.push_back(chunk); }
  // Slots of variables and locals that its code reads. Requires that the chunk was noted.
  const std::set<uint32_t>& Of(uint32_t chunk) const { return reads_[chunk]; }

  // Sets tables->reads and tables->needs, in the order of chunks: what has to be prepared before the chunk runs.
  // `tables` has all else; plans are made in `heap`. Where chunks need too much together, a limit is reported.
  void Finish(TextReads* text, Heap* heap, ModuleTables* tables, Diagnostics* diagnostics) const;

 private:
  TextReads::Set WithValidations(const ReadPaths& paths, const ModuleTables& tables, uint32_t slot) const;

  std::vector<std::set<uint32_t>> reads_;  // slots, by chunk
  std::vector<TextReads::Set> texts_;      // by chunk
  std::vector<uint32_t> entries_;          // chunks
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_MODULE_READS_H_
