// Program: queries. The listing is in vm/disassembler.cc, the checks in vm/verifier.cc.
// Tested by vm/program_test.cc.

#include "vm/program.h"

#include <algorithm>

namespace hcl {

std::optional<uint32_t> Program::FindSlot(std::string_view name) const {
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i] == name) return i;
  }
  return std::nullopt;
}

const Entry* Program::FindEntry(std::string_view path) const {
  for (const Entry& entry : entries_) {
    if (entry.path == path) return &entry;
  }
  return nullptr;
}

absl::Span<const SourceRange> Program::SpansAt(uint32_t pc) const {
  auto it = std::lower_bound(span_entries_.begin(), span_entries_.end(), pc,
                             [](const SpanEntry& entry, uint32_t at) { return entry.pc < at; });
  if (it == span_entries_.end() || it->pc != pc) return {};
  const uint32_t end = it + 1 == span_entries_.end() ? static_cast<uint32_t>(spans_.size()) : (it + 1)->first;
  return absl::MakeConstSpan(spans_).subspan(it->first, end - it->first);
}

const PlainRegion* Program::PlainRegionAt(uint32_t pc) const {
  auto it = std::upper_bound(plain_regions_.begin(), plain_regions_.end(), pc,
                             [](uint32_t at, const PlainRegion& region) { return at < region.end; });
  return it == plain_regions_.end() || pc < it->begin ? nullptr : &*it;
}

const Source* Program::SourceAt(uint32_t pc) const {
  auto it = std::upper_bound(source_entries_.begin(), source_entries_.end(), pc,
                             [](uint32_t at, const SourceEntry& entry) { return at < entry.pc; });
  return it == source_entries_.begin() ? nullptr : (it - 1)->source;
}

size_t Program::MemoryBytes() const {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): elements may be pointers
  auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  size_t total = sizeof(*this) + heap_.bytes_reserved() + bytes(code_) + bytes(chunks_) + bytes(constants_) +
                 bytes(variables_) + bytes(paths_) + bytes(path_steps_) + bytes(call_sites_) + bytes(shapes_) +
                 bytes(lookups_) + bytes(diagnostics_) + bytes(operands_) + bytes(lists_) + bytes(span_entries_) +
                 bytes(spans_) + bytes(loops_) + bytes(local_uses_) + bytes(local_steps_) + bytes(entries_) +
                 bytes(rules_) + bytes(source_entries_) + bytes(kept_) + bytes(plain_regions_);
  for (const LookupSet& set : lookups_) total += set.MemoryBytes();
  return total;
}

}  // namespace hcl
