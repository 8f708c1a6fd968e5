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
      const Chunk next = program_.chunks()[waiting_.back()];
      waiting_.pop_back();
      for (uint32_t pc = next.begin; pc < next.end; ++pc) {
        const Instruction& instruction = program_.code()[pc];
        const OpcodeInfo& info = InfoOf(instruction.opcode());
        const bool is_wide = info.c == OperandKind::kX;
        Operand(info.a, instruction.a(), on_path, on_call);
        Operand(info.b, is_wide ? instruction.x() : instruction.b(), on_path, on_call);
        if (!is_wide) Operand(info.c, instruction.c(), on_path, on_call);
      }
    }
  }

 private:
  void Add(uint32_t chunk) {
    if (is_found_[chunk]) return;
    is_found_[chunk] = true;
    waiting_.push_back(chunk);
  }

  template <typename OnPath, typename OnCall>
  void Operand(OperandKind kind, uint32_t operand, const OnPath& on_path, const OnCall& on_call) {
    constexpr uint32_t kBits = kConstantBit | kSlotBit;
    if (kind == OperandKind::kPath) {
      Read(program_.paths()[operand], on_path);
    } else if (kind == OperandKind::kPlain && (operand & kBits) == kSlotBit) {
      Read({operand & ~uint32_t{kSlotBit}}, on_path);
    } else if (kind == OperandKind::kChunk) {
      Add(operand);
    } else if (kind == OperandKind::kSite) {
      on_call(program_.call_sites()[operand]);
    }
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
