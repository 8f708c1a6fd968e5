// TableReads: what rules of a table read, where types say that they cannot fail for another reason.
//
// The first rule that applies is chosen, and yet all that follow would have been evaluated: where one fails, so does
// the table, and where a condition is not known, or marked, the result is. Where all that conditions read are variables
// and attributes that are declared to be bools, numbers or strings, never null, and all that is done with them is total
// for their types, a rule does nothing of that as long as what it reads is known and unmarked.
//
// Internal to the compiler. Tested by module/typed_table_test.cc and tests/slow/module_law_test.cc.

#ifndef HCLVM_COMPILER_TABLE_READS_H_
#define HCLVM_COMPILER_TABLE_READS_H_

#include <cstdint>
#include <vector>

#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/plain_session.h"

namespace hcl::internal {

// Serves one table. Not thread-safe. Rules are numbered; the tree and the session, which has the rule bound that is
// asked about, must outlive it.
class TableReads {
 public:
  // A read that has to be looked at where rule `until` - 1, or one before it, is chosen: those up to there have not
  // read it in any case.
  struct Owed {
    const BoundExpr* read;
    uint32_t until;
  };

  TableReads(const BoundTree& tree, const PlainSession* session) : tree_(tree), session_(session) {}

  // Adds what the condition of a rule reads. False where it may fail otherwise. Rules come in their order.
  bool AddTest(const BoundExpr& condition, uint32_t rule) {
    return AddOperand(condition, Type::Bool(), rule, Use::kTested);
  }
  // The same for what becomes of a rule or is part of it: that it is not known matters to nobody, and `unmarked`
  // whether it has marks, also where this rule is chosen.
  bool AddValue(const BoundExpr& value, bool unmarked, uint32_t rule) {
    return Add(value, rule + 1, unmarked ? Use::kNeeded : Use::kUnused);
  }

  // In the order of `until`.
  std::vector<Owed> Owing() const;

 private:
  enum class Use : uint8_t {
    kUnused,
    kNeeded,  // where its rule is reached, maybe
    kTested,  // where its rule is reached, in any case
  };
  static constexpr uint32_t kNever = UINT32_MAX;

  struct Read {
    const BoundExpr* read;
    uint32_t tested = kNever;  // the first rule that reads it in any case
    uint32_t last = 0;         // that may read it
  };

  bool Add(const BoundExpr& expr, uint32_t rule, Use use);
  bool AddChain(const BoundChain& chain, uint32_t rule, Use use);
  bool AddCall(const BoundCall& call, uint32_t rule, Use use);
  bool AddOperand(const BoundExpr& expr, Type type, uint32_t rule, Use use);

  const BoundTree& tree_;
  const PlainSession* const session_;
  std::vector<Read> reads_;
  HashMap<uint32_t, size_t> read_of_;  // by value number
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_TABLE_READS_H_
