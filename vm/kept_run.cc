// KeptRun. The plan is read off the code of the main chunk, and not made by the compiler: programs that are never run
// in this way pay nothing, and what the chunk does stays in one place (compiler/body_generator.cc). A chunk that does
// anything else is not understood here, which costs time and is never wrong.
//
// Tested as vm/kept_run.h says.

#include "hclvm/vm/kept_run.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "hclvm/base/hash_table.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/chunk_walk.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// What may be replaced before all is made anew, beside as much as the whole run has taken.
constexpr size_t kSpareBytes = 64 << 10;
// Bytes of types that runs may add, as Heap::Reset() allows.
constexpr size_t kMaxTypeBytes = 1 << 20;

// What a chunk reads, in order and without repetition.
struct ChunkReads {
  std::vector<uint32_t> slots;  // of variables
  bool is_pure = true;
};

void Sort(std::vector<uint32_t>* numbers) {
  std::sort(numbers->begin(), numbers->end());
  numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
}

// The reads of chunks, with those of the locals that they read. Locals are added in an order in which each stands
// behind those that it reads.
class ReadsOfChunks {
 public:
  explicit ReadsOfChunks(const ProgramTables& program) : program_(program) {
    const ModuleTables* const module = program.module();
    if (module == nullptr) return;
    std::vector<uint32_t> order(module->locals.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [module](uint32_t a, uint32_t b) { return module->locals[a].level < module->locals[b].level; });
    locals_.resize(order.size());
    for (const uint32_t n : order) locals_[n] = Of(module->locals[n].chunk);
  }

  ChunkReads Of(uint32_t chunk) const {
    ChunkReads reads;
    std::vector<uint32_t> locals;
    const size_t variables = program_.variables().size();
    ChunkWalk::GoOnce(
        program_, chunk,
        [&](const Path& path) {
          path.slot < variables ? reads.slots.push_back(path.slot)
                                : locals.push_back(static_cast<uint32_t>(path.slot - variables));
        },
        [&](const CallSite& site) { reads.is_pure = reads.is_pure && site.function->pure; }, [](uint32_t) {});
    Sort(&locals);
    for (const uint32_t n : locals) {
      reads.slots.insert(reads.slots.end(), locals_[n].slots.begin(), locals_[n].slots.end());
      reads.is_pure = reads.is_pure && locals_[n].is_pure;
    }
    Sort(&reads.slots);
    return reads;
  }
  const std::vector<ChunkReads>& locals() const { return locals_; }

 private:
  const ProgramTables& program_;
  std::vector<ChunkReads> locals_;
};

// What a collection keeps of a part.
struct Summary {
  explicit Summary(const Value& value)
      : weight(value.weight()), depth(value.depth()), is_known(value.is_wholly_known()), has_marks(value.has_marks()) {}
  // Whether a collection says the same of its parts, but for its weight, where one has that of `other`.
  bool IsLike(const Summary& other) const {
    return depth == other.depth && is_known == other.is_known && has_marks == other.has_marks;
  }

  uint64_t weight;
  uint32_t depth;
  bool is_known;
  bool has_marks;
};

}  // namespace

RerunPlan::RerunPlan(const ProgramTables& program) {
  if (program.module() != nullptr && !program.module()->locals.empty() && !program.is_pure()) return;
  if (!FindParts(program)) return;
  FindReads(program);
  is_usable_ = true;
}

// Runs the main chunk without values: a register holds the node of what would be in it.
bool RerunPlan::FindParts(const ProgramTables& program) {
  const Chunk& main = program.chunks()[program.main_chunk()];
  HashMap<uint32_t, uint32_t> registers;
  const auto make = [&](uint32_t at) {
    nodes_.emplace_back();
    registers[at] = static_cast<uint32_t>(nodes_.size() - 1);
  };
  const auto node_in = [&](uint32_t at) {
    const auto found = registers.find(at);
    return found == registers.end() ? kNone : found->second;
  };
  // At the next position, where none is given.
  const auto put = [&](uint32_t item, uint32_t into, uint32_t position = kNone) {
    const uint32_t node = node_in(item), parent = node_in(into);
    if (node == kNone || parent == kNone) return false;
    nodes_[node].parent = parent;
    nodes_[node].position = position == kNone ? nodes_[parent].size : position;
    ++nodes_[parent].size;
    return true;
  };
  for (uint32_t pc = main.begin; pc < main.end; ++pc) {
    const Instruction i = program.InstructionAt(pc);
    switch (i.opcode()) {
      case Opcode::kFixedBegin:
      case Opcode::kTupleBegin:
      case Opcode::kLoadConst:  // which no variable changes
        make(i.a());
        break;
      case Opcode::kFixedTake:  // does what the two behind it do
        break;
      case Opcode::kCallChunk:
        make(i.a());
        parts_.push_back({i.x(), static_cast<uint32_t>(nodes_.size() - 1)});
        break;
      case Opcode::kFixedPut:
        if (!put(i.a() + 1, i.a(), i.x())) return false;
        break;
      case Opcode::kTuplePush:
        if (!put(i.b(), i.a())) return false;
        break;
      case Opcode::kFixedEnd:
      case Opcode::kTupleEnd:
        if (node_in(i.b()) == kNone) return false;
        registers[i.a()] = node_in(i.b());
        break;
      case Opcode::kReturn:
        // A part alone would be the whole.
        return pc + 1 == main.end && node_in(i.b()) == 0 && !parts_.empty() && parts_[0].node != 0;
      default:
        return false;
    }
  }
  return false;
}

void RerunPlan::FindReads(const ProgramTables& program) {
  const ReadsOfChunks table(program);
  parts_of_.resize(program.variables().size());
  locals_of_.resize(program.variables().size());
  for (uint32_t n = 0; n < parts_.size(); ++n) {
    const ChunkReads reads = table.Of(parts_[n].chunk);
    for (const uint32_t slot : reads.slots) parts_of_[slot].push_back(n);
    if (!reads.is_pure) impure_.push_back(n);
  }
  for (uint32_t n = 0; n < table.locals().size(); ++n) {
    for (const uint32_t slot : table.locals()[n].slots) locals_of_[slot].push_back(n);
  }
}

void KeptRun::Begin(const Value& value, uint64_t fuel, Heap* heap, uint64_t releases) {
  value_ = value;
  fuel_ = fuel;
  ++run_;
  releases_ = releases;
  bytes_ = heap->arena()->bytes_used();
}

// Where little is left of the memory that a run may take, a whole run decides whether it is enough.
bool KeptRun::IsFull(Heap* heap) const {
  const size_t used = heap->arena()->bytes_used();
  return used > 2 * bytes_ + kSpareBytes || used > heap->limits().max_result_bytes / 2 ||
         heap->types()->bytes_used() > kMaxTypeBytes;
}

absl::Span<const uint32_t> KeptRun::Changed(absl::Span<const uint32_t> slots) {
  if (slots.size() == 1 && plan_.ImpureParts().empty()) return plan_.PartsOf(slots[0]);
  changed_.assign(plan_.ImpureParts().begin(), plan_.ImpureParts().end());
  for (const uint32_t slot : slots) {
    changed_.insert(changed_.end(), plan_.PartsOf(slot).begin(), plan_.PartsOf(slot).end());
  }
  Sort(&changed_);
  return changed_;
}

// Down to the part, and up again through all that is around it. The objects and tuples are those that the main chunk
// has made, in memory of the evaluator.
bool KeptRun::Put(uint32_t part, const Value& value, uint64_t fuel, uint64_t max_weight) {
  Paid& paid = paid_[part];
  fuel_ += fuel - (paid.run == run_ ? paid.fuel : 0);
  paid = {run_, fuel};
  positions_.clear();
  around_.clear();
  plan_.ForEachPosition(plan_.parts()[part], [this](uint32_t position) { positions_.push_back(position); });
  Value at = value_;
  for (size_t n = positions_.size(); n-- > 0;) {
    around_.push_back(at);
    at = at.is_mapping() ? MappingOf(at).items()[positions_[n]] : SequenceOf(at).items()[positions_[n]];
  }
  Summary before(at);
  Value now = value;
  for (size_t n = 0; n < positions_.size(); ++n) {
    const Value& around = around_[around_.size() - 1 - n];
    const Summary after(now);
    const Summary around_before(around);
    const auto put = [&](auto* collection) {
      collection->mutable_items()[positions_[n]] = now;
      if (!after.IsLike(before)) return Finish(collection);
      collection->weight += after.weight - before.weight;
      collection->has_no_nulls = false;
    };
    around.is_mapping() ? put(const_cast<Mapping*>(&MappingOf(around)))
                        : put(const_cast<Sequence*>(&SequenceOf(around)));
    if (around.weight() > max_weight) return false;
    now = around;
    before = around_before;
  }
  return true;
}

bool KeptRun::IsUnchanged(absl::Span<const Value> slots, absl::Span<const uint32_t> changed) const {
  for (uint32_t slot = 0; slot < slots.size() && slot < slots_.size(); ++slot) {
    const bool is_changed = std::find(changed.begin(), changed.end(), slot) != changed.end();
    if (!is_changed && !slots[slot].SameBits(slots_[slot])) return false;
  }
  return true;
}

}  // namespace hcl::internal
