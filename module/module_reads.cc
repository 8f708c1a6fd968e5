// ModuleReads. Tested by module/module_test.cc.

#include "hclvm/module/module_reads.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/type_part.h"

namespace hcl::internal {
namespace {

using Set = TextReads::Set;

void Add(const Set& more, Set* set) {
  const auto middle = static_cast<ptrdiff_t>(set->size());
  set->insert(set->end(), more.begin(), more.end());
  std::inplace_merge(set->begin(), set->begin() + middle, set->end());
  set->erase(std::unique(set->begin(), set->end()), set->end());
}

std::set<uint32_t> SlotsOf(const ReadPaths& paths, const Set& set) {
  std::set<uint32_t> slots;
  for (const uint32_t path : set) slots.insert(paths.VariableOf(path));
  return slots;
}

// Makes the plans for what is read of variables. Chunks that read the same share one.
class Plans {
 public:
  Plans(const ReadPaths& paths, const ModuleTables& tables, Heap* heap) : paths_(paths), tables_(tables), heap_(heap) {}

  std::vector<ModuleNeed> For(const Set& set) {
    std::vector<std::pair<uint32_t, uint32_t>> by_slot;
    for (const uint32_t path : set) by_slot.emplace_back(paths_.VariableOf(path), path);
    std::sort(by_slot.begin(), by_slot.end());
    std::vector<ModuleNeed> needs;
    for (auto at = by_slot.begin(); at != by_slot.end();) {
      const uint32_t slot = at->first;
      Set of_slot;
      for (; at != by_slot.end() && at->first == slot; ++at) of_slot.push_back(at->second);
      needs.push_back({slot, PlanOf(slot, std::move(of_slot))});
    }
    return needs;
  }

 private:
  std::shared_ptr<const BindingPlan> PlanOf(uint32_t slot, Set reads) {
    const auto found = plans_.find(reads);
    if (found != plans_.end()) return found->second;
    const ModuleVariable& variable = tables_.variables[slot];
    const TypePart part = paths_.PartOf(reads);
    auto plan = part.is_whole || variable.type.is_dynamic()
                    ? variable.plan
                    : std::make_shared<const BindingPlan>(variable.type, part, variable.defaults.get(), heap_);
    plans_.emplace(std::move(reads), plan);
    return plan;
  }

  const ReadPaths& paths_;
  const ModuleTables& tables_;
  Heap* heap_;
  HashMap<Set, std::shared_ptr<const BindingPlan>> plans_;
};

}  // namespace

void ModuleReads::Note(uint32_t chunk, const BoundTree& tree, TextReads::Set text) {
  if (reads_.size() <= chunk) reads_.resize(chunk + 1), texts_.resize(chunk + 1);
  for (const BoundPath* read : tree.path_reads()) reads_[chunk].insert(read->slot);
  texts_[chunk] = std::move(text);
}

// Validations run before a chunk, of all variables that it reads. They read variables only, but may read some that have
// validations in turn.
void ModuleReads::Finish(TextReads* text, Heap* heap, ModuleTables* tables, Diagnostics* diagnostics) const {
  const ReadPaths& paths = *text->paths();
  size_t total = 0;
  const auto is_full = [&] { return text->is_full() || total > TextReads::kMaxTotal; };
  std::vector<Set> with_validations(tables->variables.size());
  for (uint32_t slot = 0; slot < with_validations.size() && !is_full(); ++slot) {
    with_validations[slot] = WithValidations(paths, *tables, slot);
    total += with_validations[slot].size();
  }
  Plans plans(paths, *tables, heap);
  const auto add_chunk = [&](Set reads) {
    total += reads.size();
    tables->needs.push_back(is_full() ? std::vector<ModuleNeed>() : plans.For(reads));
    tables->reads.push_back(std::move(reads));
  };
  for (const Set& own : texts_) {
    Set reads = own;
    for (const uint32_t slot : SlotsOf(paths, own)) {
      if (!is_full() && !with_validations[slot].empty()) Add(with_validations[slot], &reads);
    }
    add_chunk(std::move(reads));
  }
  Set all;  // of the main chunk, which is the last
  for (const uint32_t chunk : entries_) all.insert(all.end(), tables->reads[chunk].begin(), tables->reads[chunk].end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  add_chunk(std::move(all));
  if (!is_full()) return;
  diagnostics->AddLimit(std::nullopt, DiagnosticCode::kLocalsTooDeep,
                        absl::StrCat("The attributes and locals of the module read more than ", TextReads::kMaxTotal,
                                     " variables in all, each counted for each."));
}

// What the validations of the variable read, and those of the variables that they read.
TextReads::Set ModuleReads::WithValidations(const ReadPaths& paths, const ModuleTables& tables, uint32_t slot) const {
  Set reads;
  std::set<uint32_t> done;
  std::vector<uint32_t> waiting = {slot};
  while (!waiting.empty()) {
    const uint32_t next = waiting.back();
    waiting.pop_back();
    if (!done.insert(next).second) continue;
    for (const ModuleValidation& validation : tables.variables[next].validations) {
      for (const uint32_t chunk : {validation.condition, validation.message}) {
        reads.insert(reads.end(), texts_[chunk].begin(), texts_[chunk].end());
        for (const uint32_t read : SlotsOf(paths, texts_[chunk])) waiting.push_back(read);
      }
    }
  }
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return reads;
}

}  // namespace hcl::internal
