// ProgramGrowth. Tested by tests/program_growth_test.cc.

#include "hclvm/vm/program_growth.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/frame_layout.h"
#include "hclvm/vm/range_table.h"
#include "hclvm/vm/read_table.h"

namespace hcl::internal {
namespace {

constexpr size_t kAlignment = 16;        // of tables in their block
constexpr uint32_t kLeastRoom = 8;       // of a table
constexpr uint32_t kSmallTable = 1024;   // up to so many items, it grows by more
constexpr uint32_t kMoreRegisters = 8;   // than the chunks so far need
constexpr uint32_t kConstantsTable = 2;  // in the order of ProgramBuilder::ForEachTable()

// Of an item of a table, which may be a pointer.
template <typename T>
constexpr size_t BytesOf(const absl::Span<const T>&) {
  return sizeof(T);  // NOLINT(bugprone-sizeof-expression)
}

size_t Aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

// What constants and the like point to is the builder's as long as that goes on, and then moves to where programs keep
// it. They do not look here.
struct ProgramGrowth::Memory {
  Arena arena;
  std::vector<std::shared_ptr<const void>> kept;
};

// Tables with room to spare. Programs share it; each looks at what was there when it was made.
struct ProgramGrowth::Storage {
  struct Table {
    char* begin = nullptr;
    uint32_t size = 0;
    uint32_t capacity = 0;
  };

  // Of the list, whose front is there already.
  template <typename T>
  absl::Span<const T> Add(Table* table, absl::Span<const T> list) const {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "copied bytewise");
    HCL_DCHECK(table->size <= list.size() && list.size() <= table->capacity);
    const size_t more = list.size() - table->size;
    T* const to = reinterpret_cast<T*>(table->begin) + table->size;
    if (more > 0) std::memcpy(static_cast<void*>(to), list.data() + table->size, more * BytesOf(list));
    table->size = static_cast<uint32_t>(list.size());
    return {reinterpret_cast<const T*>(table->begin), list.size()};
  }

  std::shared_ptr<const Memory> memory;
  std::unique_ptr<char[]> block;
  size_t bytes = 0;
  std::array<Table, ProgramBuilder::kTables> tables;
  FrameLayout layout;
  uint32_t registers = 0;  // that chunks behind the first one may have
};

ProgramGrowth::ProgramGrowth(ProgramBuilder* builder, const Sizes& expected)
    : builder_(builder), expected_(expected), memory_(std::make_shared<Memory>()) {}

// Nothing here can fail, so that programs keep their memory whatever happens to the builder.
ProgramGrowth::~ProgramGrowth() {
  memory_->arena = std::move(*builder_->heap_.arena());
  memory_->kept = std::move(builder_->rare_.kept);
}

bool ProgramGrowth::Suits(const ProgramBuilder::Mark& mark) const {
  const ProgramBuilder& from = *builder_;
  return from.is_pure_ && !from.has_far_jump_ && !HasTypes() && from.rare_.diagnostics.size() == mark.diagnostics &&
         from.internal_calls_.size() == mark.internal_calls && from.source_entries_.size() == mark.sources &&
         from.rare_.tests.tables.size() == mark.test_tables;
}

ProgramGrowth::Sizes ProgramGrowth::CurrentSizes() const {
  Sizes sizes;
  size_t n = 0;
  ProgramTables none(builder_->heap_.dialect());
  ProgramTables::Rare rare;
  ProgramBuilder::Parts parts(&rare);
  builder_->ForEachTable(&none, &parts,
                         [&](const auto& list, auto*) { sizes[n++] = static_cast<uint32_t>(list.size()); });
  return sizes;
}

bool ProgramGrowth::HasRoom(ProgramTables* program) const {
  if (storage_ == nullptr) return false;
  const absl::Span<const Chunk> chunks = builder_->chunks_;
  for (size_t n = std::max<size_t>(verified_.chunks, 1); n < chunks.size(); ++n) {
    if (chunks[n].registers > storage_->registers) return false;
  }
  bool has_room = true;
  const Storage::Table* table = storage_->tables.data();
  ProgramTables::Rare rare;
  ProgramBuilder::Parts parts(&rare);
  builder_->ForEachTable(program, &parts,
                         [&](const auto& list, auto*) { has_room &= list.size() <= (table++)->capacity; });
  return has_room;
}

// Room for so many items of each table, those that are there among them.
std::shared_ptr<ProgramGrowth::Storage> ProgramGrowth::NewStorage(const Sizes& room) const {
  auto storage = std::make_shared<Storage>();
  std::array<size_t, ProgramBuilder::kTables> begins;
  size_t n = 0;
  ProgramTables none(builder_->heap_.dialect());
  ProgramTables::Rare rare;
  ProgramBuilder::Parts parts(&rare);
  builder_->ForEachTable(&none, &parts, [&](const auto& list, auto*) {
    storage->tables[n].capacity = room[n];
    begins[n] = storage->bytes;
    storage->bytes += Aligned(room[n++] * BytesOf(list));
  });
  storage->block.reset(new char[storage->bytes]);
  for (n = 0; n < begins.size(); ++n) storage->tables[n].begin = storage->block.get() + begins[n];
  storage->memory = memory_;
  return storage;
}

// Takes tables as they are in another storage, with operands that are placed.
void ProgramGrowth::CopyTables(const Storage& from, Storage* to) const {
  size_t n = 0;
  ProgramTables none(builder_->heap_.dialect());
  ProgramTables::Rare rare;
  ProgramBuilder::Parts parts(&rare);
  builder_->ForEachTable(&none, &parts, [&](const auto& list, auto*) {
    const Storage::Table& table = from.tables[n];
    to->tables[n].size = table.size;
    if (table.size > 0) std::memcpy(to->tables[n].begin, table.begin, table.size * BytesOf(list));
    ++n;
  });
  to->layout = from.layout;
  to->registers = from.registers;
}

// Older programs keep their tables. Where there are more constants or registers than operands were placed for, these
// are placed anew, and all is verified again; a table grows by so much that this is seldom.
void ProgramGrowth::MakeRoom() {
  const Sizes sizes = CurrentSizes();
  Sizes room;
  for (size_t n = 0; n < sizes.size(); ++n) {
    room[n] = std::max({storage_ == nullptr ? 0 : storage_->tables[n].capacity, expected_[n], kLeastRoom});
    if (n == kConstantsTable && storage_ == nullptr) room[n] += room[n] / 8;  // which places operands, and takes little
    if (sizes[n] > room[n]) room[n] = sizes[n] * (sizes[n] <= kSmallTable ? 4 : 2);
  }
  std::shared_ptr<Storage> storage = NewStorage(room);
  uint32_t registers = 0;
  const absl::Span<const Chunk> chunks = builder_->chunks_;
  for (size_t n = 1; n < chunks.size(); ++n) registers = std::max(registers, chunks[n].registers);
  const bool is_placed = storage_ != nullptr && room[kConstantsTable] == storage_->tables[kConstantsTable].capacity &&
                         registers <= storage_->registers;
  if (is_placed) {
    CopyTables(*storage_, storage.get());
  } else {
    storage->registers = registers + kMoreRegisters;
    storage->layout = FrameLayout(room[kConstantsTable], chunks.front().registers, storage->registers);
    verified_ = {};
  }
  storage_ = std::move(storage);
}

std::shared_ptr<ProgramTables> ProgramGrowth::MakeProgram() {
  const ProgramBuilder& from = *builder_;
  auto program = std::make_shared<ProgramTables>(from.heap_.dialect());
  if (!HasRoom(program.get())) MakeRoom();
  if (!storage_->layout.Fits(from.variables_.size())) return nullptr;
  ProgramTables::Rare rare;
  ProgramBuilder::Parts parts(&rare);
  Storage::Table* table = storage_->tables.data();
  from.ForEachTable(program.get(), &parts, [&](const auto& list, auto* to) { *to = storage_->Add(table++, list); });
  program->ranges_ = RangeTable(parts.range_bytes, parts.range_marks);
  program->reads_ = ReadTable(parts.read_bytes, parts.read_marks);
  // Who copies code from here has to know that it needs something which stays with this program.
  if (!from.rare_.kept.empty()) rare.kept.push_back(memory_);
  if (!rare.empty()) program->rare_ = std::make_unique<const ProgramTables::Rare>(std::move(rare));
  program->source_ = from.source_;
  program->functions_ = from.functions_;
  program->storage_ = storage_;
  program->storage_bytes_ = storage_->bytes;
  return program;
}

// What was verified and placed before is not looked at again.
void ProgramGrowth::Verify(ProgramTables* program) const {
  const std::string fault = program->VerifyAndPlace(storage_->layout, verified_);
  if (fault.empty()) return;
  std::fprintf(stderr, "hclvm: the compiler made an unsound program: %s\n", fault.c_str());
  std::abort();
}

std::shared_ptr<const Program> ProgramGrowth::Grow() {
  ProgramBuilder& from = *builder_;
  HCL_DCHECK(!from.chunks_.empty());
  const auto by_begin = [](const FastRegion& a, const FastRegion& b) { return a.begin < b.begin; };
  std::sort(from.fast_regions_.begin() + static_cast<ptrdiff_t>(verified_.regions), from.fast_regions_.end(), by_begin);
  const std::shared_ptr<ProgramTables> program = MakeProgram();
  if (program == nullptr) return nullptr;
  const size_t chunks = from.chunks_.size();
  if (chunks > verified_.chunks) Verify(program.get());
  program->layout_ = storage_->layout;
  verified_ = {chunks, from.fast_regions_.size(), from.paths_.size()};
  return program;
}

// All is verified and placed; only the room goes. Frames keep that for some constants.
std::shared_ptr<const Program> ProgramGrowth::Finish() {
  if (storage_ == nullptr || verified_.chunks != builder_->chunks_.size()) return nullptr;
  const std::shared_ptr<Storage> exact = NewStorage(CurrentSizes());
  CopyTables(*storage_, exact.get());
  storage_ = exact;
  const std::shared_ptr<ProgramTables> program = MakeProgram();
  if (program == nullptr) return nullptr;
  program->layout_ = storage_->layout;
  program->storage_bytes_ += builder_->heap_.arena()->bytes_reserved();
  return program;
}

size_t ProgramGrowth::bytes() const { return storage_ == nullptr ? 0 : storage_->bytes; }

}  // namespace hcl::internal
