// TableReads. Tested by module/typed_table_test.cc and tests/slow/module_law_test.cc.

#include "hclvm/compiler/table_reads.h"

#include <algorithm>
#include <cstddef>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"

namespace hcl::internal {

std::vector<TableReads::Owed> TableReads::Owing() const {
  std::vector<Owed> owing;
  for (const Read& read : reads_) {
    const uint32_t until = std::min(read.tested, read.last);
    if (until > 0) owing.push_back({read.read, until});
  }
  std::stable_sort(owing.begin(), owing.end(), [](const Owed& a, const Owed& b) { return a.until < b.until; });
  return owing;
}

// Recursion follows the height, which a table that has fast code bounds.
bool TableReads::Add(const BoundExpr& expr, uint32_t rule, Use use) {
  const BoundExpr& inner = session_->Inner(expr);
  const auto add = [&](const BoundExpr* part) { return Add(*part, rule, use); };
  switch (inner.kind) {
    case BoundKind::kConstant:
      return true;
    case BoundKind::kPath: {
      if (!inner.has_primitive_type() || !inner.never_null) return false;
      if (use == Use::kUnused) return true;
      const auto [at, is_new] = read_of_.emplace(tree_.ValueNumberOf(inner), reads_.size());
      if (is_new) reads_.push_back({&inner});
      Read& read = reads_[at->second];
      if (use == Use::kTested) read.tested = std::min(read.tested, rule);
      read.last = std::max(read.last, rule);
      return true;
    }
    case BoundKind::kUnary: {
      const auto& unary = As<BoundUnary>(inner);
      return unary.op == UnaryOp::kNot && AddOperand(*unary.operand, Type::Bool(), rule, use);
    }
    case BoundKind::kChain:
      return AddChain(As<BoundChain>(inner), rule, use);
    case BoundKind::kCall:
      return AddCall(As<BoundCall>(inner), rule, use);
    case BoundKind::kObject: {
      const auto& items = As<BoundObject>(inner).items;
      return As<BoundObject>(inner).shape != nullptr &&
             std::all_of(items.begin(), items.end(), [&](const BoundItem& item) { return add(item.value); });
    }
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(inner).elements;
      return std::all_of(elements.begin(), elements.end(), add);
    }
    case BoundKind::kTemplate: {
      const auto& parts = As<BoundTemplate>(inner).parts;
      return std::all_of(parts.begin(), parts.end(), [&](const BoundExpr* part) {
        const BoundExpr& made = session_->Inner(*part);
        return made.has_primitive_type() && made.never_null && add(part);
      });
    }
    default:
      return false;
  }
}

// Whether its type is what it is taken for.
bool TableReads::AddOperand(const BoundExpr& expr, Type type, uint32_t rule, Use use) {
  const BoundExpr& inner = session_->Inner(expr);
  return inner.type == type && inner.never_null && Add(inner, rule, use);
}

// Arithmetic may fail by its size. Of operands that are evaluated only where those before say so, no test reads
// anything in any case.
bool TableReads::AddChain(const BoundChain& chain, uint32_t rule, Use use) {
  if (IsArithmetic(chain.op)) return false;
  const bool is_logical = IsLogical(chain.op);
  const bool is_equality = chain.op == BinaryOp::kEqual || chain.op == BinaryOp::kNotEqual;
  for (size_t n = 0; n < chain.operands.size(); ++n) {
    const Use of_this = is_logical && n > 0 && use == Use::kTested ? Use::kNeeded : use;
    const BoundExpr& operand = *chain.operands[n];
    const bool is_added = is_equality ? Add(operand, rule, of_this)
                                      : AddOperand(operand, is_logical ? Type::Bool() : Type::Number(), rule, of_this);
    if (!is_added) return false;
  }
  return true;
}

// A set of constants that a value is looked for in is prepared.
bool TableReads::AddCall(const BoundCall& call, uint32_t rule, Use use) {
  if (call.lookup != BoundCall::kNone) {
    const BoundExpr& sought = session_->Inner(*call.arguments[1]);
    return sought.has_primitive_type() && sought.never_null && Add(sought, rule, use);
  }
  if (!call.total || !call.pure || call.expand_last || IsAttempt(call)) return false;
  for (size_t n = 0; n < call.arguments.size(); ++n) {
    const Type type = call.function->parameter(n).type;
    if (!type.is_primitive() || !AddOperand(*call.arguments[n], type, rule, use)) return false;
  }
  return true;
}

}  // namespace hcl::internal
