// CopyChunk: code of one program for another one, without its text.
//
// Tested by compiler/chunk_copy_test.cc.

#ifndef HCLVM_COMPILER_CHUNK_COPY_H_
#define HCLVM_COMPILER_CHUNK_COPY_H_

#include <cstdint>
#include <optional>

#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// Adds a chunk to `to` that does what chunk `chunk` of `from` does, and says the same of the same ranges, and returns
// its index. What it needs is copied, but for functions, which must be those of `to`.
//
// Nullopt where the chunk needs what only compiling makes anew, such as prepared arguments or tables of tests, or where
// an operand does not reach what `to` has. It has no new chunk then, though it may have more constants.
std::optional<uint32_t> CopyChunk(const ProgramTables& from, uint32_t chunk, ProgramBuilder* to);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CHUNK_COPY_H_
