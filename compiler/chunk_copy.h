// CopyChunk: code of one program for another one, without its text.
//
// Tested by compiler/chunk_copy_test.cc.

#ifndef HCLVM_COMPILER_CHUNK_COPY_H_
#define HCLVM_COMPILER_CHUNK_COPY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// What indexes of one program have become in another one, for who copies several chunks from the one to the other.
class CopiedIndexes {
 public:
  // The index that `index` has become; `make()` where nobody has asked yet.
  template <typename Make>
  uint32_t Get(OperandKind kind, uint32_t index, const Make& make) {
    std::vector<uint32_t>& known = known_[static_cast<size_t>(kind)];
    if (index >= known.size()) known.resize(index + 1, kNone);
    if (known[index] == kNone) known[index] = make();
    return known[index];
  }
  // Forgets all: for another program.
  void Clear() {
    for (std::vector<uint32_t>& known : known_) known.clear();
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  std::array<std::vector<uint32_t>, static_cast<size_t>(OperandKind::kX) + 1> known_;
};

// Adds a chunk to `to` that does what chunk `chunk` of `from` does, and says the same of the same ranges, and returns
// its index. What it needs is copied, but for functions, which must be those of `to`. `known`: of these two programs.
//
// Nullopt where the chunk needs what only compiling makes anew, such as prepared arguments or tables of tests, or where
// an operand does not reach what `to` has. It has no new chunk then, though it may have more constants.
std::optional<uint32_t> CopyChunk(const ProgramTables& from, uint32_t chunk, CopiedIndexes* known, ProgramBuilder* to);
inline std::optional<uint32_t> CopyChunk(const ProgramTables& from, uint32_t chunk, ProgramBuilder* to) {
  CopiedIndexes known;
  return CopyChunk(from, chunk, &known, to);
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CHUNK_COPY_H_
