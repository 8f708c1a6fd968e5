// TypeChecker: what operations need of their operands. Tested by module/type_checker_test.cc.

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"

namespace hcl::internal {

// A value that may be null is taken for one that is not, so that one warning is enough.
bool TypeChecker::TakeNull(const BoundExpr& expr, const StaticType** type, std::string_view what) {
  const bool is_null =
      (*type)->kind == StaticKind::kNull || (expr.is_constant() && As<BoundConstant>(expr).value.unmarked().is_null());
  if (is_null) {
    Report(expr.outer, DiagnosticCode::kNeverValue,
           absl::StrCat("This ", ToAbsl(what), " is null, which has no value."));
    return false;
  }
  if ((*type)->nullable && (*type)->is_told()) {
    Report(expr.outer, DiagnosticCode::kMayBeNull,
           absl::StrCat("This ", ToAbsl(what),
                        " may be null, and that is an error. Test it before: x != null ? ... : ..., or "
                        "coalesce(x, ...)."));
    *type = types_.WithNull(*type, false);
  }
  return true;
}

bool TypeChecker::TakeAny(const BoundExpr& expr, const StaticType* type, std::string_view what) {
  if (type->kind != StaticKind::kAny) return true;
  Report(expr.outer, DiagnosticCode::kTypeNotTold,
         absl::StrCat("Nothing is known of the type of this ", ToAbsl(what),
                      ", so that it may fail. Declare a type, convert it, or guard it with try or can."));
  return false;
}

bool TypeChecker::Check(Need need, const BoundExpr& expr, const StaticType* type, DiagnosticCode code,
                        std::string_view what) {
  if (type->kind == StaticKind::kSilent) return true;
  if (!TakeNull(expr, &type, what) || !TakeAny(expr, type, what)) return false;
  const char* wanted = "";
  bool fits = false;
  switch (need) {
    case Need::kNumber:
      wanted = "a number";
      fits = type->kind == StaticKind::kNumber || type->kind == StaticKind::kString;
      break;
    case Need::kBool:
      wanted = "a bool";
      fits = type->kind == StaticKind::kBool || type->kind == StaticKind::kString;
      break;
    case Need::kText:
    case Need::kKey:
      wanted = need == Need::kText ? "a string, a number or a bool" : "a string";
      fits = type->is_primitive();
      break;
  }
  if (!fits) {
    Report(expr.outer, code,
           absl::StrCat("This ", ToAbsl(what), " must be ", wanted, ", and is of type ", NameOf(*type), "."));
  }
  return fits;
}

// A comparison with null of what never is one does not say what its writer thinks.
void TypeChecker::CheckNeverNull(const BoundChain& chain, const std::vector<const StaticType*>& operands) {
  for (const bool first : {true, false}) {
    const BoundExpr& null = *chain.operands[first ? 0 : 1];
    const BoundExpr& other = *chain.operands[first ? 1 : 0];
    if (!IsNull(null) || other.is_constant()) continue;
    const StaticType* const type = operands[first ? 1 : 0];
    if (type->nullable || !type->is_told()) continue;
    Report(chain.range, DiagnosticCode::kNeverNull,
           absl::StrCat("The answer is always ", chain.op == BinaryOp::kEqual ? "false" : "true",
                        ", because this value is never null."));
  }
}

}  // namespace hcl::internal
