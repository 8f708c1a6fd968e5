// ProgramGrowth: programs that are evaluated while their builder goes on.
//
// A ProgramBuilder alone becomes one program at its end. Here each of its chunks is there as soon as it is written: as
// the last one of a program that has all chunks so far. Programs that follow each other share their tables, which have
// room to spare: what is behind the end of a table belongs to later programs, and nobody reads it meanwhile. So a
// program more costs what its own chunk takes, and the few bytes that say where tables end.
//
// Internal to compiler/program_set.h. Tested by tests/program_growth_test.cc.

#ifndef HCLVM_VM_PROGRAM_GROWTH_H_
#define HCLVM_VM_PROGRAM_GROWTH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// Belongs to one thread; the programs may be used by any, and while it goes on.
class ProgramGrowth {
 public:
  // How many items each table has.
  using Sizes = std::array<uint32_t, ProgramBuilder::kTables>;

  // `builder`, which has no chunk yet, must outlive this. `expected`: what its tables are likely to have at the end, or
  // zeros; they have room for that at once, and are copied when they need more.
  ProgramGrowth(ProgramBuilder* builder, const Sizes& expected);
  ProgramGrowth(const ProgramGrowth&) = delete;
  ProgramGrowth& operator=(const ProgramGrowth&) = delete;
  // Programs that are still used keep what their constants point to.
  ~ProgramGrowth();

  // Whether the last chunk, which was written since `mark`, can be evaluated as it is: it needs no types of its own, no
  // prepared diagnostics, no tables of tests, and no function that is not pure. Where it does not, it has to be taken
  // back.
  bool Suits(const ProgramBuilder::Mark& mark) const;
  // Whether the builder has types, so that no further chunk suits.
  bool HasTypes() const { return builder_->heap_.types()->bytes_used() > 0; }

  // The program of all chunks so far, verified and ready to be evaluated; the main chunk is the first one. Requires
  // that each suits. Null where a frame would be too large for it, and the last chunk has to be taken back. Time: that
  // of the chunks since the last call, but for the tables that are copied, each a few times in all.
  std::shared_ptr<const Program> Grow();
  // What the builder's tables have now.
  Sizes CurrentSizes() const;
  // The same program at its end, without room to spare: nothing may be added any more. Null where chunks
  // were added since Grow(), or that has failed.
  std::shared_ptr<const Program> Finish();
  // Bytes of the tables, beside what the builder holds.
  size_t bytes() const;

 private:
  struct Memory;
  struct Storage;

  // `program` is any; nothing of it is changed.
  bool HasRoom(ProgramTables* program) const;
  std::shared_ptr<Storage> NewStorage(const Sizes& room) const;
  void CopyTables(const Storage& from, Storage* to) const;
  void MakeRoom();
  std::shared_ptr<ProgramTables> MakeProgram();
  void Verify(ProgramTables* program) const;

  ProgramBuilder* const builder_;
  const Sizes expected_;
  std::shared_ptr<Memory> memory_;
  std::shared_ptr<Storage> storage_;
  VerifiedPart verified_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_PROGRAM_GROWTH_H_
