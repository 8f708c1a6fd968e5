// ChunkWalk: the instructions that running a chunk may run, also those of chunks that it calls and of locals that it
// reads.
//
// Internal to the machine. Tested by tests/reads_test.cc and tests/base_layer_test.cc.

#ifndef HCLVM_VM_CHUNK_WALK_H_
#define HCLVM_VM_CHUNK_WALK_H_

#include <cstdint>
#include <vector>

#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

class ChunkWalk {
 public:
  // The program must outlive it.
  explicit ChunkWalk(const ProgramTables& program) : program_(program), is_found_(program.chunks().size()) {}

  // Goes through what running `chunk` may run, but for what it went through before: calls `on_path(path)` for each
  // reading of a variable, and `on_call(site)` for each call.
  template <typename OnPath, typename OnCall>
  void Go(uint32_t chunk, const OnPath& on_path, const OnCall& on_call) {
    Add(chunk);
    while (!waiting_.empty()) {
      const uint32_t next = waiting_.back();
      waiting_.pop_back();
      GoOnce(
          program_, next, [&](const Path& path) { Read(path, on_path); }, on_call,
          [this](uint32_t called) { Add(called); });
    }
  }

  // Goes through the instructions of `chunk` alone: calls `on_path(path)` for each reading of a variable or a local,
  // `on_call(site)` for each call, and `on_chunk(chunk)` for each chunk that it runs.
  template <typename OnPath, typename OnCall, typename OnChunk>
  static void GoOnce(const ProgramTables& program, uint32_t chunk, const OnPath& on_path, const OnCall& on_call,
                     const OnChunk& on_chunk) {
    const auto operand = [&](OperandKind kind, uint32_t value) {
      constexpr uint32_t kBits = kConstantBit | kSlotBit;
      if (kind == OperandKind::kPath) {
        on_path(program.paths()[value]);
      } else if (kind == OperandKind::kFast && (value & kBits) == kSlotBit) {
        on_path(Path{value & ~uint32_t{kSlotBit}});
      } else if (kind == OperandKind::kChunk) {
        on_chunk(value);
      } else if (kind == OperandKind::kSite) {
        on_call(program.call_sites()[value]);
      }
    };
    const Chunk& bounds = program.chunks()[chunk];
    for (uint32_t pc = bounds.begin; pc < bounds.end; ++pc) {
      const Instruction instruction = program.InstructionAt(pc);
      const OpcodeInfo& info = InfoOf(instruction.opcode());
      const bool is_wide = info.c == OperandKind::kX;
      operand(info.a, instruction.a());
      operand(info.b, is_wide ? instruction.x() : instruction.b());
      if (!is_wide) operand(info.c, instruction.c());
    }
  }

 private:
  void Add(uint32_t chunk) {
    if (is_found_[chunk]) return;
    is_found_[chunk] = true;
    waiting_.push_back(chunk);
  }

  // A local is made by a chunk of its own.
  template <typename OnPath>
  void Read(const Path& path, const OnPath& on_path) {
    const ModuleTables* const module = program_.module();
    if (module == nullptr || path.slot < module->variables.size()) return on_path(path);
    Add(module->locals[path.slot - module->variables.size()].chunk);
  }

  const ProgramTables& program_;
  std::vector<bool> is_found_;     // by chunk
  std::vector<uint32_t> waiting_;  // chunks
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_CHUNK_WALK_H_
