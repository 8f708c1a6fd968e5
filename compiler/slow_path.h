// SlowPath: instructions that cope with everything the language allows, one function for each kind of bound node.
//
// Parts of a node go back to the NodeGenerator, which may give them a fast path of their own. Recursion follows the
// nesting of the syntax, which the parser has bounded; left spines are walked in loops.
// Tested by compiler/compiler_test.cc.

#ifndef HCLVM_COMPILER_SLOW_PATH_H_
#define HCLVM_COMPILER_SLOW_PATH_H_

#include <cstddef>
#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

class NodeGenerator;

// A loop under construction.
struct SlowLoop {
  uint16_t run;                   // its first register; then key, value, builder, and a free one
  uint32_t entry;                 // the jump to the first instruction that repeats the loop
  uint32_t body;                  // where that instruction goes
  uint32_t names;                 // in the program's table
  ShortList<uint32_t> continues;  // jumps to that instruction
};

// Not thread-safe.
class SlowPath {
 public:
  // All must outlive this.
  SlowPath(const CompileOptions& options, ProgramBuilder* builder, Registers* registers, NodeGenerator* nodes)
      : options_(options), builder_(builder), registers_(*registers), nodes_(*nodes) {}

  // Code that yields `expr`; if it needs a register, in `dest`, which is allocated. Registers above the ones allocated
  // are free for it and free again afterwards. A constant is the tree's.
  Result Yield(const BoundExpr& expr, uint16_t dest);

 private:
  // slow_operators.cc
  Result YieldChain(const BoundChain& expr, uint16_t dest);
  Result YieldApplications(const BoundChain& chain, Result lhs, uint16_t dest);
  Result YieldApplication(const BoundChain& chain, size_t n, Result lhs, uint16_t dest);
  Result YieldUnary(const BoundUnary& expr, uint16_t dest);
  Result YieldConditional(const BoundConditional& expr, uint16_t dest);
  Result YieldBranches(const BoundConditional& expr, uint16_t dest);
  Result YieldSelect(const BoundConditional& expr, uint16_t dest);

  // slow_traversals.cc
  Result YieldPath(const BoundPath& expr, uint16_t dest);
  Result YieldLocal(const BoundLocal& expr, uint16_t dest);
  // BoundSteps or BoundIndex.
  Result YieldSpine(const BoundExpr& expr, uint16_t dest);
  Result YieldSteps(absl::Span<const BoundStep> steps, Result source, uint16_t dest);
  Result YieldIndex(const BoundIndex& expr, Result collection, uint16_t dest);
  Result YieldSplat(const BoundFor& expr, uint16_t dest);

  // slow_collections.cc
  Result YieldTuple(const BoundTuple& expr, uint16_t dest);
  Result YieldLongTuple(const BoundTuple& expr, uint16_t dest);
  Result YieldObject(const BoundObject& expr, uint16_t dest);
  Result YieldFixedObject(const BoundObject& expr, uint16_t dest);
  Result YieldLongObject(const BoundObject& expr, uint16_t dest);
  // Says where the variables are. Code for one element comes next, up to EndLoop(), which emits `next`, the instruction
  // that repeats it for each.
  SlowLoop BeginLoop(uint16_t run, const LoopVariables& variables);
  void EndLoop(const SlowLoop& loop, Opcode next, SourceRange range);
  void YieldElement(const BoundFor& expr, SlowLoop* loop);
  Result YieldFor(const BoundFor& expr, uint16_t dest);

  // slow_templates.cc
  Result YieldTemplate(const BoundTemplate& expr, uint16_t dest);
  ABSL_ATTRIBUTE_NOINLINE void EmitConcat(uint16_t dest, absl::Span<const Result> parts,
                                          absl::Span<const SourceRange> spans);
  Result YieldLongTemplate(const BoundTemplate& expr, uint16_t dest);
  Result YieldTemplateFor(const BoundTemplateFor& expr, uint16_t dest);

  // slow_calls.cc
  Result YieldCall(const BoundCall& expr, uint16_t dest);
  Result YieldContains(const BoundCall& expr, uint16_t dest);
  Result YieldTry(const BoundCall& expr, uint16_t dest);
  Result YieldExpandedTry(const BoundCall& expr, uint16_t dest);
  void YieldAttempts(absl::Span<const BoundExpr* const> attempts, uint16_t run, ShortList<uint32_t>* done);

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Registers& registers_;
  NodeGenerator& nodes_;
  // Lists of the functions that recurse, so that a level of nesting takes little of the stack.
  ScratchStack<const BoundExpr*> spines_;
  ScratchStack<uint32_t> skips_;
  ScratchStack<Result> results_;
  ScratchStack<SourceRange> spans_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_SLOW_PATH_H_
