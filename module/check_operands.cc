// TypeChecker: what operations need of their operands. Tested by module/type_checker_test.cc.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

bool TypeChecker::IsAlwaysNull(const BoundExpr& expr, const StaticType* type) {
  return type->kind == StaticKind::kNull || (expr.is_constant() && As<BoundConstant>(expr).value.unmarked().is_null());
}

void TypeChecker::CheckLogicalNull(const BoundExpr& expr, const StaticType* type) {
  if (IsAlwaysNull(expr, type)) {
    Report(expr.outer, DiagnosticCode::kMayBeNull,
           "This operand is null, and that is an error unless the other side decides.");
  } else {
    TakeNull(expr, &type, "operand");
  }
}

// A value that may be null is taken for one that is not, so that one warning is enough.
bool TypeChecker::TakeNull(const BoundExpr& expr, const StaticType** type, std::string_view what) {
  if (IsAlwaysNull(expr, *type)) {
    Report(expr.outer, DiagnosticCode::kNeverValue,
           absl::StrCat("This ", ToAbsl(what), " is null, which has no value."));
    return false;
  }
  if ((*type)->nullable && (*type)->is_told()) {
    if (warns())
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
  if (!warns()) return false;
  Report(expr.outer, DiagnosticCode::kTypeNotTold,
         absl::StrCat("Nothing is known of the type of this ", ToAbsl(what),
                      ", so that it may fail. Declare a type, convert it, or guard it with try or can."));
  return false;
}

bool TypeChecker::Check(Need need, const BoundExpr& expr, const StaticType* type, DiagnosticCode code,
                        std::string_view what, std::string_view hint) {
  if (type->kind == StaticKind::kSilent) return true;
  if (type->kind == StaticKind::kAny && !warns()) return false;  // as in plain configs
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
  if (fits && NeverConverts(need, expr)) {
    Report(expr.outer, code,
           absl::StrCat("This ", ToAbsl(what), " must be ", wanted, ", and is a text that is none.", ToAbsl(hint)));
    return false;
  }
  const bool is_mixed = (need == Need::kBool && type->may_be_number) || (need == Need::kNumber && type->may_be_bool);
  if (fits && is_mixed && warns()) {
    Report(expr.outer, DiagnosticCode::kTypeNotTold,
           absl::StrCat("This ", ToAbsl(what), " is made a text, and stays a ", need == Need::kBool ? "number" : "bool",
                        " where the text beside it fails, or is of a loop that goes over nothing: it may fail. Convert "
                        "it with to",
                        need == Need::kBool ? "bool." : "number."));
  }
  if (!fits) {
    Report(expr.outer, code,
           absl::StrCat("This ", ToAbsl(what), " must be ", wanted, ", and is of type ", NameOf(*type), ".",
                        ToAbsl(hint)));
  }
  return fits;
}

// The order of texts is none that operators know: "9" < "10" is true, and "a" < "b" is an error.
void TypeChecker::CheckText(const BoundExpr& operand, const StaticType& type) {
  if (type.kind != StaticKind::kString || type.may_be_number || type.may_be_bool || operand.is_constant()) return;
  Report(operand.outer, DiagnosticCode::kTextAsNumber,
         "This is a text, and is compared as a number: where it is none, that is an error. Declare it as a number, or "
         "convert it with tonumber(...).");
}

// A text that is there in the source, and is no number or bool.
bool TypeChecker::NeverConverts(Need need, const BoundExpr& expr) {
  if (!expr.is_constant() || (need != Need::kNumber && need != Need::kBool)) return false;
  const Value& value = As<BoundConstant>(expr).value.unmarked();
  Value converted;
  ConversionError error;
  return value.is_string() &&
         !Convert(value, need == Need::kNumber ? Type::Number() : Type::Bool(), &heap_, &converted, &error);
}

namespace {

// Whether the binder knows what kind of a value it is, and so compares by itself.
bool IsToldByText(const BoundExpr& expr) {
  if (!expr.type.is_dynamic()) return true;
  if (expr.kind == BoundKind::kFor) return As<BoundFor>(expr).splat == nullptr;
  return expr.kind == BoundKind::kTuple || expr.kind == BoundKind::kObject || expr.is_constant();
}

// What values of two types have in common. Lists and tuples, and maps and objects, stand for each other.
StaticKind FamilyOf(const StaticType& type) {
  if (type.kind == StaticKind::kTuple || type.kind == StaticKind::kSet) return StaticKind::kList;
  return type.kind == StaticKind::kObject ? StaticKind::kMap : type.kind;
}

// Whether no value of the one type is of the other, nulls apart.
bool NeverEqual(const StaticType& a, const StaticType& b) {
  if (!a.is_told() || !b.is_told() || a.kind == StaticKind::kNull || b.kind == StaticKind::kNull) return false;
  return FamilyOf(a) != FamilyOf(b);
}

const char* Conversions(const StaticType& a, const StaticType& b) {
  if (!a.is_primitive() || !b.is_primitive()) return "";
  const bool has_bool = a.kind == StaticKind::kBool || b.kind == StaticKind::kBool;
  const bool has_number = a.kind == StaticKind::kNumber || b.kind == StaticKind::kNumber;
  if (has_bool && has_number) return "";
  return has_bool ? " Convert one side first, with tobool(...) or tostring(...)."
                  : " Convert one side first, with tonumber(...) or tostring(...).";
}

}  // namespace

bool TypeChecker::IsDeclared(const BoundExpr& expr) const {
  if (expr.kind != BoundKind::kPath) return false;
  const uint32_t slot = As<BoundPath>(expr).slot;
  return slot < names_.size() && names_[slot].place.source != nullptr;
}

// Objects of which one has an attribute that the other one lacks. What is declared has all attributes of its type and
// no others, and so has what is in braces; of anything else the type may stand for several.
bool TypeChecker::TellLoneAttribute(const BoundChain& chain, absl::Span<const StaticType* const> operands,
                                    std::string_view answer) {
  for (const bool first : {true, false}) {
    const BoundExpr& expr = *chain.operands[first ? 0 : 1];
    const StaticType& type = *operands[first ? 0 : 1];
    const bool is_exact = IsDeclared(expr) || expr.kind == BoundKind::kObject || expr.is_constant();
    if (!is_exact || type.kind != StaticKind::kObject || type.is_open) return false;
  }
  if (operands[0]->nullable && operands[1]->nullable) return false;
  for (const bool first : {true, false}) {
    const StaticType& type = *operands[first ? 0 : 1];
    const StaticType& other = *operands[first ? 1 : 0];
    for (const auto& name : type.names) {
      if (other.Find(name) != nullptr) continue;
      TellDifference(
          chain.range, type, other, answer,
          absl::StrCat(" Only one side has the attribute \"", ToAbsl(name), "\". Compare attributes one by one."));
      return true;
    }
  }
  return false;
}

void TypeChecker::TellDifference(SourceRange range, const StaticType& a, const StaticType& b, std::string_view answer,
                                 std::string_view advice) {
  Report(range, DiagnosticCode::kConstantComparison,
         absl::StrCat("One side is ", WithArticle(a), ", the other one ", WithArticle(b),
                      ". Values of different types are never equal, so this is always ", ToAbsl(answer), ".",
                      ToAbsl(advice)));
}

// Where the text does not tell the type of one side, declarations may. What is in brackets is a tuple, which no list is
// equal to. Only what is declared is known to be a list: elsewhere the type stands for tuples as well.
void TypeChecker::CheckKinds(const BoundChain& chain, absl::Span<const StaticType* const> operands) {
  if (!warns()) return;
  const char* const answer = chain.op == BinaryOp::kEqual ? "false" : "true";
  const StaticType& left = *operands[0];
  const StaticType& right = *operands[1];
  const bool is_told = IsToldByText(*chain.operands[0]) && IsToldByText(*chain.operands[1]);
  if (!is_told && NeverEqual(left, right) && !(left.nullable && right.nullable)) {
    return TellDifference(chain.range, left, right, answer, Conversions(left, right));
  }
  if (TellLoneAttribute(chain, operands, answer)) return;
  for (const bool first : {true, false}) {
    const BoundExpr& literal = *chain.operands[first ? 1 : 0];
    const StaticType* const type = operands[first ? 0 : 1];
    const StaticType* const other = operands[first ? 1 : 0];
    if (type->element == nullptr || !IsDeclared(*chain.operands[first ? 0 : 1])) continue;
    const bool is_literal =
        literal.kind == BoundKind::kTuple || literal.kind == BoundKind::kObject || literal.is_constant();
    if (!is_literal || (other->kind != StaticKind::kTuple && other->kind != StaticKind::kObject)) continue;
    const bool is_empty = other->parts.empty() && !other->is_open;
    TellDifference(chain.range, *type, *other, answer,
                   is_empty ? " Compare the length with 0." : " Convert one side first.");
  }
}

// A comparison with null of what never is one does not say what its writer thinks.
void TypeChecker::CheckNeverNull(const BoundChain& chain, absl::Span<const StaticType* const> operands) {
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
