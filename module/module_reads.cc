// ModuleReads. Tested by module/module_test.cc.

#include "hclvm/module/module_reads.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::internal {

void ModuleReads::Note(uint32_t chunk, const BoundTree& tree) {
  if (reads_.size() <= chunk) reads_.resize(chunk + 1);
  for (const BoundPath* read : tree.path_reads()) reads_[chunk].insert(read->slot);
}

// Locals stand behind those that they read, so that what these need is known; validations read variables only, but
// may read some that have validations in turn.
void ModuleReads::Finish(ModuleTables* tables, Diagnostics* diagnostics) const {
  std::vector<std::set<uint32_t>> with_validations(tables->variables.size());
  std::vector<std::set<uint32_t>> of_locals;
  size_t total = 0;
  for (uint32_t n = 0; n < with_validations.size() && total <= kMaxNeeds; ++n) {
    with_validations[n] = WithValidations(*tables, n);
    total += with_validations[n].size();
  }
  const auto needs_of = [&](const std::set<uint32_t>& reads) {
    std::set<uint32_t> needs;
    for (const uint32_t slot : reads) {
      const bool is_local = slot >= tables->variables.size();
      const auto& more = is_local ? of_locals[slot - tables->variables.size()] : with_validations[slot];
      if (total <= kMaxNeeds) needs.insert(more.begin(), more.end());
    }
    total += needs.size();
    return needs;
  };
  for (const ModuleLocal& local : tables->locals) of_locals.push_back(needs_of(reads_[local.chunk]));
  std::set<uint32_t> all;
  for (const std::set<uint32_t>& reads : reads_) {
    const std::set<uint32_t> needs = needs_of(reads);
    tables->needs.emplace_back(needs.begin(), needs.end());
  }
  for (const uint32_t chunk : entries_) all.insert(tables->needs[chunk].begin(), tables->needs[chunk].end());
  tables->needs.emplace_back(all.begin(), all.end());  // of the main chunk, which is the last
  if (total <= kMaxNeeds) return;
  diagnostics->AddLimit(std::nullopt, DiagnosticCode::kLocalsTooDeep,
                        absl::StrCat("The attributes and locals of the module read more than ", kMaxNeeds,
                                     " variables in all, each counted for each."));
}

std::set<uint32_t> ModuleReads::WithValidations(const ModuleTables& tables, uint32_t slot) const {
  std::set<uint32_t> needs;
  std::vector<uint32_t> waiting = {slot};
  while (!waiting.empty()) {
    const uint32_t next = waiting.back();
    waiting.pop_back();
    if (!needs.insert(next).second) continue;
    for (const ModuleValidation& validation : tables.variables[next].validations) {
      for (const uint32_t chunk : {validation.condition, validation.message}) {
        waiting.insert(waiting.end(), reads_[chunk].begin(), reads_[chunk].end());
      }
    }
  }
  return needs;
}

}  // namespace hcl::internal
