// ScopeReader. Tested by tests/scope_reader_test.cc.

#include "hclvm/vm/scope_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/base_tables.h"
#include "hclvm/vm/json/form_reader.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/read_types.h"
#include "hclvm/vm/scope_variables.h"

namespace hcl {

using internal::FormReader;
using internal::ReadTypes;

// A variable of a module that no chunk needs has no plan: it is read as it comes.
ScopeReader::ScopeReader(const Reads& reads, const BaseLayer* base) : impl_(std::make_unique<Impl>()) {
  const ReadTypes& types = reads.types();
  const Program& program = *types.program;
  HCL_DCHECK(base == nullptr || &base->program() == &program);
  JsonProjection needed;
  needed.Add(reads.needed());
  if (base != nullptr) base->AddNames(&needed);
  impl_->reads = &reads;
  impl_->is_module = !types.plans.empty();
  std::vector<std::optional<uint32_t>> properties(program.variables().size());
  uint32_t count = 0;
  needed.ForEach([&](std::string_view name, const JsonProjection& part) {
    const std::optional<uint32_t> slot = program.FindSlot(name);
    if (!slot) return;
    const bool is_declared = *slot < types.plans.size();
    impl_->reader.Add(name, part, is_declared ? types.plans[*slot].get() : nullptr);
    if (!(base != nullptr && base->tables().variables[*slot].is_given)) impl_->expected.push_back(count);
    properties[*slot] = count++;
  });
  for (const std::optional<uint32_t>& property : properties) impl_->properties.push_back(property.value_or(count));
}

ScopeReader::~ScopeReader() = default;

bool ScopeReader::Read(std::string_view text, Heap* heap) {
  HCL_DCHECK(heap->dialect() == impl_->reads->types().program->dialect());
  return impl_->reader.Read(text, heap);
}

bool ScopeReader::Gives(uint32_t slot) const {
  HCL_DCHECK(slot < impl_->properties.size());
  return impl_->reader.given()[impl_->properties[slot]].state != FormReader::State::kMissing;
}

// A variable that the base gives is not missing.
bool ScopeReader::MayBeMisspelled() const {
  const FormReader& reader = impl_->reader;
  if (!impl_->is_module || !reader.skips()) return false;
  if (reader.stands_in()) return true;
  const auto is_missing = [&](uint32_t property) {
    return reader.given()[property].state == FormReader::State::kMissing;
  };
  return std::any_of(impl_->expected.begin(), impl_->expected.end(), is_missing);
}

}  // namespace hcl
