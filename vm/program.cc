// Program: queries. The listing is in vm/disassembler.cc, the checks in vm/verifier.cc.
// Tested by vm/program_test.cc.

#include "hclvm/vm/program.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "hclvm/base/unicode.h"
#include "hclvm/vm/program_tables.h"

namespace hcl {

// Programs have normalized names, so that only names that are not found have to be normalized. The variables of a
// module come before its locals, which may have the same names: so the lowest slot of a name counts.
std::optional<uint32_t> Program::FindSlot(std::string_view name) const {
  const absl::Span<const std::string_view> names = variables();
  const absl::Span<const uint32_t> sorted = internal::TablesOf(*this).rare().slots_by_name;
  if (sorted.empty()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<uint32_t>(found - names.begin());
  } else {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), name,
                                        [this](uint32_t slot, std::string_view of) { return variables_[slot] < of; });
    if (found != sorted.end() && *found < names.size() && variables_[*found] == name) return *found;
  }
  if (internal::IsKnownNfc(name)) return std::nullopt;
  const std::string normalized = internal::ToNfc(name);
  return normalized == name ? std::nullopt : FindSlot(normalized);
}

const Entry* Program::FindEntry(std::string_view path) const {
  for (const Entry& entry : entries_) {
    if (entry.path == path) return &entry;
  }
  if (internal::IsKnownNfc(path)) return nullptr;
  const std::string normalized = internal::ToNfc(path);
  return normalized == path ? nullptr : FindEntry(normalized);
}

// A module's variables are read as wholes, since they are converted as such.
absl::Span<const std::string_view> Program::ModuleVariables() const {
  return variables_.first(internal::TablesOf(*this).module()->variables.size());
}

absl::Span<const Path> Program::ModulePaths() const { return internal::TablesOf(*this).module()->paths; }

size_t Program::MemoryBytes() const { return internal::TablesOf(*this).BytesHeld(); }

std::string Program::Disassemble() const { return internal::TablesOf(*this).Listing(); }

namespace internal {

const ProgramTables::Rare ProgramTables::kNothingRare;

// Regions are sorted and do not overlap, so that the first one that ends behind the pc is the only one that can hold
// it.
const FastRegion* ProgramTables::FastRegionAt(uint32_t pc) const {
  constexpr size_t kFew = 16;
  if (fast_regions_.size() <= kFew) {
    for (const FastRegion& region : fast_regions_) {
      if (pc < region.end) return pc < region.begin ? nullptr : &region;
    }
    return nullptr;
  }
  auto it = std::upper_bound(fast_regions_.begin(), fast_regions_.end(), pc,
                             [](uint32_t at, const FastRegion& region) { return at < region.end; });
  return it == fast_regions_.end() || pc < it->begin ? nullptr : &*it;
}

void ProgramTables::BeginFrame(Value* frame) const {
  const size_t constants = std::min<size_t>(constants_.size(), layout_.constants());
  std::copy_n(constants_.begin(), constants, frame);
  std::fill(frame + constants, frame + layout_.slots_begin(), Value());
  std::fill_n(frame + layout_.slots_begin(), variables_.size(), InternalValue(nullptr));
}

uint32_t ProgramTables::ChunkAt(uint32_t pc) const {
  const auto next = std::upper_bound(chunks_.begin(), chunks_.end(), pc,
                                     [](uint32_t at, const Chunk& other) { return at < other.begin; });
  return static_cast<uint32_t>(next - chunks_.begin()) - 1;
}

ReadTable::Reader ProgramTables::ReadsAt(uint32_t pc, uint32_t begin) const {
  const uint32_t* const expression = reads_.BeginAt(pc);
  if (expression == nullptr) return {};
  if (*expression < chunks_[ChunkAt(pc)].begin || SourceAt(*expression) != SourceAt(pc)) return {};
  return reads_.ReadsAt(pc, begin);
}

bool ProgramTables::ReadsSensitiveSlots(uint32_t pc) const {
  ReadTable::Reader reads = ReadsAt(pc, 0);
  for (Read read; reads.Next(&read);) {
    if ((read.path & Read::kLocalBit) == 0 && module()->IsSensitive(paths_[read.path].slot)) return true;
  }
  return false;
}

// Many instructions cannot fail, and have no range. They are still where limits are crossed. The one before is mostly a
// part of the same expression; a chunk may begin with one that has none. The search behind stops after a few.
SourceRange ProgramTables::PlaceOf(uint32_t pc) const {
  constexpr uint32_t kNear = 64;
  const Chunk& chunk = chunks_[ChunkAt(pc)];
  const std::optional<uint32_t> before = ranges_.Before(pc + 1);
  if (before && *before >= chunk.begin) return SpansAt(*before)[0];
  for (uint32_t next = pc + 1; next < std::min(chunk.end, pc + kNear); ++next) {
    const InstructionRanges ranges = SpansAt(next);
    if (!ranges.empty()) return ranges[0];
  }
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return &chunks_[one.chunk] == &chunk; });
  return entry == entries_.end() ? SourceRange{} : entry->range;
}

// An entry holds up to the next one, so that the last entry at or before the pc counts.
const Source* ProgramTables::SourceAt(uint32_t pc) const {
  const absl::Span<const SourceEntry> entries = rare().source_entries;
  auto it = std::upper_bound(entries.begin(), entries.end(), pc,
                             [](uint32_t at, const SourceEntry& entry) { return at < entry.pc; });
  return it == entries.begin() ? nullptr : (it - 1)->source;
}

// All tables are in the arena; what std::vector and TypeTable hold besides is counted at its capacity. Texts of rules
// and prepared diagnostics that are not inline in their strings are not counted.
size_t ProgramTables::BytesHeld() const {
  const auto bytes = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  size_t total = sizeof(*this) + arena_.bytes_reserved() + storage_bytes_;
  if (types_ != nullptr) total += sizeof(*types_) + types_->bytes_reserved();
  if (rare_ != nullptr) total += sizeof(*rare_) + rare_->kept_bytes + bytes(rare_->diagnostics) + bytes(rare_->kept);
  total += bytes(test_tables()) + bytes(test_places());
  for (const TestTable& table : test_tables()) total += table.bytes();
  return total;
}

}  // namespace internal
}  // namespace hcl
