// HasCleanFilter. Tested by compiler/core_lists_test.cc.

#include "hclvm/compiler/core_filters.h"

#include <algorithm>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Operands whose values are not known fail nowhere, and give what is not known. Others are constants of the kind that
// is asked for, or are owed.
class Filter {
 public:
  Filter(const BoundFor& loop, OwedReads* owed) : variables_(loop.variables), owed_(*owed) {}

  bool IsCleanTest(const BoundExpr& expr) {
    if (IsElement(expr)) return true;
    if (const Value* const constant = ScalarOf(expr)) return constant->is_bool();
    if (expr.kind == BoundKind::kUnary) {
      return As<BoundUnary>(expr).op == UnaryOp::kNot && IsCleanTest(*As<BoundUnary>(expr).operand);
    }
    if (expr.kind == BoundKind::kCall) return IsCleanCall(As<BoundCall>(expr));
    if (expr.kind != BoundKind::kChain) return false;
    const auto& chain = As<BoundChain>(expr);
    if (IsArithmetic(chain.op)) return false;
    return std::all_of(chain.operands.begin(), chain.operands.end(), [&](const BoundExpr* operand) {
      if (IsLogical(chain.op)) return IsCleanTest(*operand);
      return IsEquality(chain.op) ? IsCleanValue(*operand) : IsCleanNumber(*operand);
    });
  }

 private:
  // Whether it is a variable of the loop, or what a step by a name or a place leads to: a null leads nowhere.
  bool IsElement(const BoundExpr& expr) const {
    if (expr.kind != BoundKind::kLocal) return false;
    const auto& read = As<BoundLocal>(expr);
    return (read.local == variables_.key || read.local == variables_.value) && HasUsualKeys(read.steps);
  }

  bool IsCleanValue(const BoundExpr& expr) {
    if (IsElement(expr) || ScalarOf(expr) != nullptr || IsNull(expr) || IsCleanText(expr)) return true;
    if (IsCleanChoice(expr)) return true;
    if ((expr.kind == BoundKind::kPath || expr.kind == BoundKind::kLocal) && HasUsualKeys(StepsOf(expr))) {
      owed_.push_back(&expr);
      return true;
    }
    return IsCleanNumber(expr) || IsCleanTest(expr);
  }

  // Quotients have errors of their own.
  bool IsCleanNumber(const BoundExpr& expr) {
    if (IsElement(expr)) return true;
    if (const Value* const constant = ScalarOf(expr)) return constant->is_number();
    if (expr.kind == BoundKind::kCall) {
      const auto& call = As<BoundCall>(expr);
      if (IsCleanChoice(expr))
        return IsElement(*call.arguments.back()) || call.arguments.back()->type == Type::Number();
      return call.is(Function::Special::kLength) && !call.expand_last && IsElement(*call.arguments[0]);
    }
    if (expr.kind != BoundKind::kChain) return false;
    const auto& chain = As<BoundChain>(expr);
    const bool is_sum =
        chain.op == BinaryOp::kAdd || chain.op == BinaryOp::kSubtract || chain.op == BinaryOp::kMultiply;
    return is_sum && std::all_of(chain.operands.begin(), chain.operands.end(),
                                 [&](const BoundExpr* operand) { return IsCleanNumber(*operand); });
  }

  // A total function of texts is not called where one is not known.
  bool IsCleanText(const BoundExpr& expr) const {
    if (expr.kind == BoundKind::kCall && expr.total) {
      const auto& call = As<BoundCall>(expr);
      for (size_t n = 0; n < call.arguments.size(); ++n) {
        if (call.function->parameter(n).type != Type::String() || !IsCleanText(*call.arguments[n])) return false;
      }
      return call.function->result_type == Type::String();
    }
    const Value* const constant = ScalarOf(expr);
    return IsElement(expr) || (constant != nullptr && constant->is_string());
  }

  // `try(x.a, 0)` and `lookup(x, "a", 0)`, which are not known.
  bool IsCleanChoice(const BoundExpr& expr) const {
    if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).arguments.size() < 2) return false;
    const auto& call = As<BoundCall>(expr);
    if (call.expand_last) return false;
    const bool is_lookup = call.is(Function::Special::kLookup) && call.arguments.size() == 3;
    if (!call.is(Function::Special::kTry) && !is_lookup) return false;
    const auto is_clean = [this](const BoundExpr* part) { return IsElement(*part) || ScalarOf(*part) != nullptr; };
    return IsElement(*call.arguments[0]) && std::all_of(call.arguments.begin(), call.arguments.end(), is_clean);
  }

  // What is expanded must be a list.
  bool IsCleanCall(const BoundCall& call) {
    if (call.expand_last) return false;
    switch (call.function->special) {
      case Function::Special::kCan:
        return true;
      case Function::Special::kTry:
      case Function::Special::kLookup:
        return IsCleanChoice(call) &&
               (IsElement(*call.arguments.back()) || call.arguments.back()->type == Type::Bool());
      case Function::Special::kContains:
        if (call.lookup == BoundCall::kNone) {
          return call.arguments.size() == 2 && IsElement(*call.arguments[0]) && IsCleanValue(*call.arguments[1]);
        }
        return IsElement(*call.arguments[1]);
      case Function::Special::kStartsWith:
      case Function::Special::kEndsWith:
      case Function::Special::kStrContains:
        return call.arguments.size() == 2 && IsCleanText(*call.arguments[0]) && IsCleanText(*call.arguments[1]);
      default:
        return false;
    }
  }

  const LoopVariables& variables_;
  OwedReads& owed_;
};

}  // namespace

bool HasCleanFilter(const BoundFor& loop, OwedReads* owed) {
  return loop.condition->height < 32 && Filter(loop, owed).IsCleanTest(*loop.condition);
}

}  // namespace hcl::internal
