// LiteralLoop: plain code for `[for x in [{...}, {...}] : value if condition]`, a table of rules, and for its first
// element, `[for ...][0]`; and for reductions of lists that stand in the text, `anytrue([for x in [...] : test])`.
//
// General code makes every object with all its attributes, and then asks each for the condition. Here the loop is
// unrolled: conditions are tested where they stand in the objects, only what is chosen is made, and of all the rest it
// is verified that it would not have failed, which takes no more than a look at what it reads. A path that several
// elements read is read once. Where types say that no element can fail, later ones are not tested
// (compiler/table_reads.h).
//
// Tested by compiler/literal_loop_test.cc, tests/optimizer_property_test.cc and tests/slow.

#ifndef HCLVM_COMPILER_LITERAL_LOOP_H_
#define HCLVM_COMPILER_LITERAL_LOOP_H_

#include <cstdint>
#include <deque>
#include <optional>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/compiler/plain_session.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/compiler/table_reads.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Serves one expression. Not thread-safe.
class LiteralLoop {
 public:
  // The generator must outlive this one, and so must the tree of the expression.
  LiteralLoop(CodeGenerator* generator, const BoundTree& tree) : g_(*generator), tree_(tree) {}

  // The loop in `expr`, if that is a loop with a condition over what may be a table, or made of the first element that
  // it yields. No loop otherwise.
  static FirstElement Find(const BoundExpr& expr);

  // Whether there is plain code for it.
  bool Suits(const BoundExpr& expr);
  // The code, which puts the value into `dest`. It leaves if there is no first element. Requires Suits().
  void Yield(uint16_t dest);
  // Tells the program where the general code of Yield()'s begins.
  void AddRegions(uint32_t general);

  // Whether there is code for the reduction, in the midst of other plain code, and the same for that code. Where each
  // is plain, is told by regions().
  bool Suits(const Reduction& reduction);
  void YieldReduction(uint16_t dest);
  absl::Span<const PlainRegion> regions() const { return plain_->regions(); }

 private:
  // Nodes that serve each element, counted for each. Where they are few, there is no other loop in them, and the code
  // follows the text.
  static constexpr uint64_t kMaxRepeatedNodes = 64'000;
  static constexpr uint64_t kFewNodes = 16;

  bool FindElements();
  bool CanVerifyParts();
  int64_t CountUses() const;
  bool Fits() const;
  void CountReads();
  void VerifyItems(const BoundExpr* tested);
  const BoundExpr* TestedItem() const;
  void YieldElement(uint16_t dest, uint16_t state);
  void ReduceElement(uint16_t dest);
  // Whether elements can only fail by what `reads` gets.
  bool FindReads(TableReads* reads);
  void YieldFirst(const TableReads& reads, uint16_t dest);
  // The part of the value for the element at hand to which the first step leads, where that is an object in the text;
  // null otherwise.
  const BoundExpr* PartOfValue() const;
  // What is made of an element: its value, or the part of it that is taken.
  const BoundExpr& Taken() const {
    const BoundExpr* const part = takes_part_ ? PartOfValue() : nullptr;
    return part != nullptr ? *part : *loop_->value;
  }

  CodeGenerator& g_;
  const BoundTree& tree_;
  const BoundFor* loop_ = nullptr;
  absl::Span<const BoundStep> steps_;  // behind the first element
  const Value* otherwise_ = nullptr;   // as in FirstElement
  ListedElements elements_;
  std::deque<BoundConstant> constants_;            // elements without nodes of their own
  PlainCheck item_check_ = PlainCheck::kNoError;   // what is asked of all items of all elements
  PlainCheck value_check_ = PlainCheck::kNoError;  // and of the values of all that are chosen
  bool first_only_ = false;
  bool takes_part_ = false;  // of each value, the first step is taken in the text
  Reduction reduction_;      // none where a list is made, or its first element
  std::optional<PlainSession> session_;
  std::optional<PlainGenerator> plain_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_LITERAL_LOOP_H_
