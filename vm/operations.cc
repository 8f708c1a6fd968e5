// Operations on values: operators and template parts. Conditionals are in vm/conditional.cc, traversals in
// vm/traversal.cc.
// Tested by vm/operations_test.cc.

#include "hclvm/vm/operations.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/habits.h"
#include "hclvm/vm/involved_values.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/approximation.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

using Tag = internal::Tag;

const char* NumberErrorDetail(NumberError error) {
  switch (error) {
    case NumberError::kDivideByZero:
      return "The divisor is zero.";
    case NumberError::kNotANumber:
      return "The result would not be a number: the operands are infinite or zero in a combination that has no value.";
    default:
      return "The result is out of the range of numbers.";
  }
}

// Converts an operand; *failed is set, and a diagnostic added, when it cannot be converted. Operators apply to numbers
// or bools only (native-syntax.md, "Operations"); other operands are converted as information-model.md, "Type
// Conversions and Unification", has it. Unknown and null operands become those of the type, and the caller decides what
// they mean.
Value ConvertOperand(const Value& operand, Type type, int role, const char* side, OpContext* context, bool* failed,
                     std::string_view hint = "") {
  if (operand.is_error()) return operand;
  if (IsUntypedNull(operand)) return Value::Null(type);
  // Most of what fails shows at a glance, and its text is seldom read.
  if (IsUnfit(operand, type.kind()) && context->quiet()) {
    *failed = true;
    return context->FailQuietly();
  }
  Value result;
  const bool is_text = operand.is_string() && type == Type::Number() && context->Charge(ConversionCost(operand, type));
  if (is_text && ReadNumber(operand, context->heap, &result)) return result;
  ConversionError error = context->NewError();
  if (context->ConvertScalar(operand, type, &result, &error)) return result;
  *failed = true;
  return context->FailConversion(error, role, DiagnosticCode::kInvalidOperand, [&] {
    return absl::StrCat("Unsuitable value for ", side, " operand: ", error.ToString(), ".", ToAbsl(hint));
  });
}

// What is probably meant where an operand is none: other languages' ways to put a text together, and to test a range.
const char* HintAtOperand(BinaryOp op, const Value& operand) {
  if (op == BinaryOp::kAdd && operand.is_string()) return " Texts are joined by a template: \"${a}${b}\".";
  if (op == BinaryOp::kModulo && operand.is_string()) return " A text is put together by format(\"%s\", a).";
  return IsComparison(op) && operand.is_bool() ? " Comparisons are not chained: a < b && b < c." : "";
}

Value CompareNumbers(BinaryOp op, const Number& a, const Number& b) {
  const int order = Compare(a, b);
  switch (op) {
    case BinaryOp::kLess:
      return Value::Bool(order < 0);
    case BinaryOp::kLessEqual:
      return Value::Bool(order <= 0);
    case BinaryOp::kGreater:
      return Value::Bool(order > 0);
    default:
      return Value::Bool(order >= 0);
  }
}

Number Compute(BinaryOp op, const Number& a, const Number& b, Arena* arena, NumberError* error) {
  switch (op) {
    case BinaryOp::kAdd:
      return Add(a, b, arena, error);
    case BinaryOp::kSubtract:
      return Subtract(a, b, arena, error);
    case BinaryOp::kMultiply:
      return Multiply(a, b, arena, error);
    case BinaryOp::kDivide:
      return Divide(a, b, arena, error);
    default:
      return Modulo(a, b, arena, error);
  }
}

// Long division goes through the divisor for each limb of the dividend; and where the dividend is far larger, the
// remainder takes powers modulo the divisor, in rounds.
uint64_t CostOfBigNumbers(BinaryOp op, const Number& a, const Number& b) {
  constexpr uint64_t kLongDivision = 30, kRound = 80;
  constexpr uint64_t kMuchLonger = 300;  // digits
  const bool divides = op == BinaryOp::kDivide || op == BinaryOp::kModulo;
  if (!divides || b.is_inline() || b.IsInfinite() || a.IsInfinite()) return kBigNumberCost;
  uint64_t cost = kBigNumberCost + kLongDivision;
  const uint64_t digits = a.DigitCount();
  if (op == BinaryOp::kDivide || digits < b.DigitCount() + kMuchLonger) return cost;
  for (uint64_t rest = digits - b.DigitCount(); rest > 1; rest /= 2) cost += kRound;
  return cost;
}

bool AreBig(const Number& a, const Number& b, const Number& result) {
  return !(a.is_inline() && b.is_inline() && result.is_inline());
}

// Numbers are exact, so that a few operators could make one of billions of digits; the limit counts the digits of the
// plain form, since that is what a result may have to be written in. Inline numbers are not counted, since they have
// 256 digits at most.
Value Arithmetic(BinaryOp op, const Number& a, const Number& b, OpContext* context) {
  NumberError error = NumberError::kNone;
  const Number result = Compute(op, a, b, context->heap->arena(), &error);
  if (AreBig(a, b, result)) context->Charge(CostOfBigNumbers(op, a, b));
  // All of it remains, says the reference.
  const bool is_modulo_by_zero = op == BinaryOp::kModulo && error == NumberError::kDivideByZero;
  if (is_modulo_by_zero && context->heap->dialect() == Dialect::kHashiCorp) return Value::FromNumber(a);
  if (error != NumberError::kNone) {
    return context->Fail(span_role::kWhole, DiagnosticCode::kArithmeticFailed, NumberErrorDetail(error));
  }
  const uint32_t max_digits = context->heap->limits().max_number_digits;
  if (!result.is_inline() && !result.IsInfinite() && result.DigitCount() > max_digits) {
    return context->FailLimit(span_role::kWhole, DiagnosticCode::kNumberTooLong,
                              absl::StrCat("Written without an exponent, the result would need more than ", max_digits,
                                           " digits (limit max_number_digits)."));
  }
  return Value::FromNumber(result);
}

Value EqualityOfUnmarked(BinaryOp op, const Value& a, const Value& b) {
  switch (EqualsTri(a, b)) {
    case Tri::kUnknown:
      return UnknownNotNull(Type::Bool());
    case Tri::kTrue:
      return Value::Bool(op == BinaryOp::kEqual);
    case Tri::kFalse:
      break;
  }
  return Value::Bool(op == BinaryOp::kNotEqual);
}

// native-syntax.md, "Comparison Operators": operands of any type, and never converted. Marks at any depth go to the
// result, because any part may decide it; but a null is told from other values without a look at their parts, as plain
// code does.
Value EqualityOperation(BinaryOp op, const Value& a, const Value& b, OpContext* context) {
  if (a.is_error() || b.is_error()) return Poison(a, b);
  if (!a.has_marks() && !b.has_marks()) return EqualityOfUnmarked(op, a, b);
  Arena* arena = context->heap->arena();
  MarkSet marks = 0;
  if (a.unmarked().is_null() || b.unmarked().is_null()) {
    const Value& x = Unmark(a, &marks);
    const Value& y = Unmark(b, &marks);
    return Mark(EqualityOfUnmarked(op, x, y), marks, arena);
  }
  const Value x = UnmarkDeep(a, &marks, arena);
  const Value y = UnmarkDeep(b, &marks, arena);
  return Mark(EqualityOfUnmarked(op, x, y), marks, arena);
}

const char* NullOperandDetail() { return "An operand is null; the operator needs two values."; }

}  // namespace

bool OpContext::Convert(const Value& value, Type to, Value* result, ConversionError* error) {
  // For a collection, whose type is at hand and one plan does for all elements. To find the type of a tuple or an
  // object takes as long as to convert it (bench/conversion_benchmark.cc).
  const bool has_plan = value.is_list() || value.is_map();
  if (conversions == nullptr || !has_plan || to.is_dynamic() || to.is_primitive() || HasType(value, to)) {
    return hcl::Convert(value, to, heap, result, error);
  }
  return Conversion::Get(TypeOf(value, heap->types()), to, heap, conversions).Apply(value, heap, result, error);
}

// A short one is in the instruction's own unit, so that a constant key costs the same where its place is remembered.
bool OpContext::ConvertScalar(const Value& value, Type to, Value* result, ConversionError* error) {
  const uint64_t cost = ConversionCost(value, to);
  return Charge(cost > 1 ? cost : 0) && hcl::Convert(value, to, heap, result, error);
}

// Folding has no program, hence no place; a role beyond the recorded ranges means the whole instruction.
SourceRange OpContext::RangeOf(int role) const {
  if (program == nullptr) return {};
  const InstructionRanges spans = program->SpansAt(pc);
  if (spans.empty()) return {};
  return spans[static_cast<size_t>(role) < spans.size() ? static_cast<size_t>(role) : 0];
}

// What fails when all fuel is gone may have failed for want of it. The evaluation ends at its next charge, and says so.
Value OpContext::FailQuietly() {
  const Value poison = PoisonHere();
  if (is_used_up()) return poison;
  failures->AddQuietly();
  Charge(kFailedStepCost);
  return poison;
}

Value OpContext::Fail(int role, DiagnosticCode code, std::string_view detail,
                      std::initializer_list<std::string_view> names) {
  if (quiet()) return FailQuietly();
  return FailAt(
      RangeOf(role), role, code, [detail] { return std::string(detail); }, names);
}

Value OpContext::Fail(int role, DiagnosticCode code, absl::FunctionRef<std::string()> detail) {
  if (quiet()) return FailQuietly();
  return FailAt(RangeOf(role), role, code, detail);
}

// The error value is made before its diagnostic is added, because it holds the number of those before. A text takes as
// long as thousands of instructions, so that the host's wish to stop is looked for with each.
Value OpContext::FailAt(SourceRange subject, int role, DiagnosticCode code, absl::FunctionRef<std::string()> detail,
                        std::initializer_list<std::string_view> names) {
  if (quiet() || is_used_up()) return FailQuietly();
  const Value poison = PoisonHere();
  if (fuel != nullptr && fuel->Charge(kFailedStepCost)) fuel->Look();
  Diagnostic diagnostic(code, names);
  diagnostic.detail = detail();
  diagnostic.subject = subject;
  if (role != span_role::kWhole) diagnostic.context = RangeOf(span_role::kWhole);
  if (program != nullptr) diagnostic.source = program->SourceAt(pc);
  if (program != nullptr && program->ReadsSensitive(pc)) {
    diagnostic.detail = "The expression reads what is declared as sensitive, so that no more is said.";
  } else if (frame != nullptr) {
    diagnostic.values = InvolvedValues(*this, role);
  }
  failures->Add(std::move(diagnostic));
  return poison;
}

// The diagnostic says is_limit, by which hosts tell a crossed limit from a mistake. The values of variables are left
// out, since they do not explain it.
Value OpContext::FailLimit(int role, DiagnosticCode code, std::string detail) {
  const Value poison = PoisonHere();
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = RangeOf(role);
  if (program != nullptr && diagnostic.subject->end == 0) diagnostic.subject = program->PlaceOf(pc);
  if (program != nullptr) diagnostic.source = program->SourceAt(pc);
  failures->Add(std::move(diagnostic));
  return poison;
}

// try() and others may drop a failure, but not a limit; hence the two must not be mixed up.
Value OpContext::FailConversion(const ConversionError& error, int role, DiagnosticCode code,
                                absl::FunctionRef<std::string()> detail) {
  if (!error.is_limit) return Fail(role, code, detail);
  return FailLimit(role, DiagnosticCode::kLimitInConversion,
                   absl::StrCat("This value cannot be converted: ", error.ToString(), "."));
}

// This serves fast code, which exits on what gives no number: errors, infinities and limits are for the slow path
// to report.
bool FastArithmetic(BinaryOp op, const Value& x, const Value& y, Heap* heap, Value* result, uint64_t* cost) {
  *cost = 0;
  if (IsApproximation(x) || IsApproximation(y)) return Approximate(op, x, y, result);
  if (!x.is_number() || !y.is_number()) return false;
  const Number a = x.AsNumber();
  const Number b = y.AsNumber();
  NumberError error = NumberError::kNone;
  const Number number = Compute(op, a, b, heap->arena(), &error);
  if (error != NumberError::kNone) return false;
  if (!number.is_inline() && (number.IsInfinite() || number.DigitCount() > heap->limits().max_number_digits)) {
    return false;
  }
  if (AreBig(a, b, number)) *cost = CostOfBigNumbers(op, a, b);
  *result = Value::FromNumber(number);
  return true;
}

// native-syntax.md, "Comparison Operators" and "Arithmetic Operators". The order of the tests is the order in which
// errors count: both operands are converted first, so that both can be reported; then nulls; unknown operands only when
// nothing is wrong for certain. Marks on either operand go to the result.
Value BinaryOperation(BinaryOp op, const Value& a, const Value& b, OpContext* context) {
  if (IsEquality(op)) return EqualityOperation(op, a, b, context);
  if (a.is_marked() || b.is_marked()) {
    return Mark(BinaryOperation(op, a.unmarked(), b.unmarked(), context), a.marks() | b.marks(),
                context->heap->arena());
  }
  bool failed = false;
  const Value x = a.is_number() ? a
                                : ConvertOperand(a, Type::Number(), span_role::kLeft, "left", context, &failed,
                                                 HintAtOperand(op, a));
  const Value y = b.is_number() ? b
                                : ConvertOperand(b, Type::Number(), span_role::kRight, "right", context, &failed,
                                                 HintAtOperand(op, b));
  if (x.is_error() || y.is_error()) return Poison(x, y);
  if (x.is_null() || y.is_null())
    return context->Fail(span_role::kWhole, DiagnosticCode::kNullOperand, NullOperandDetail());
  if (x.is_unknown() || y.is_unknown()) {
    return IsComparison(op) ? UnknownComparison(op, x, y) : UnknownArithmetic(op, x, y, context->heap->arena());
  }
  if (IsComparison(op)) return CompareNumbers(op, x.AsNumber(), y.AsNumber());
  return Arithmetic(op, x.AsNumber(), y.AsNumber(), context);
}

bool HasUnknownLength(const Value& value, const Heap& heap) {
  return HasOpenLength(value) && heap.dialect() == Dialect::kSpec;
}

// native-syntax.md, "Logic Operators"; docs/language.md, "Errors". Both sides are converted before one decides, since a
// side that cannot become a bool is an error in any case. Only then the deciding side drops what the other one
// reported; diagnostics of the left side stand before those of the right one, and the deciding side itself has none. An
// unknown side may yet decide, so that the other one's errors may not count.
Value LogicalOperation(BinaryOp op, const Value& a, const Value& b, bool either, OpContext* context) {
  if (a.is_marked() || b.is_marked()) {
    return Mark(LogicalOperation(op, a.unmarked(), b.unmarked(), either, context), a.marks() | b.marks(),
                context->heap->arena());
  }
  bool failed = false;
  const auto to_bool = [&](const Value& side, int role, const char* name) {
    return ConvertOperand(side, Type::Bool(), role, name, context, &failed,
                          op == BinaryOp::kOr ? HintAtOrOperand() : "");
  };
  const Value x = a.is_bool() ? a : to_bool(a, span_role::kLeft, "left");
  const Value y = b.is_bool() ? b : to_bool(b, span_role::kRight, "right");
  if (failed) return Poison(x, y);
  // The side that decides the result alone, whatever the other is; for `&&` the reference lets a null decide as false.
  const bool is_and = op == BinaryOp::kAnd;
  auto decides = [is_and](const Value& v) { return is_and ? v.is_false() || v.is_null() : v.is_true(); };
  const auto drop_errors = [context](const Value& v) {
    if (v.is_error()) context->failures->Remove(ErrorBegin(v));
  };
  if (decides(x) || decides(y)) {
    drop_errors(decides(x) ? y : x);
    return Value::Bool(!is_and);
  }
  if (x.is_error() || y.is_error()) {
    if (!x.is_unknown() && !(either && y.is_unknown())) return Poison(x, y);
    drop_errors(x.is_error() ? x : y);
    return UnknownNotNull(Type::Bool());
  }
  if (x.is_unknown() || y.is_unknown()) return UnknownNotNull(Type::Bool());
  if (x.is_null() || y.is_null())
    return context->Fail(span_role::kWhole, DiagnosticCode::kNullOperand, NullOperandDetail());
  return Value::Bool(is_and);
}

// An unknown operand is taken as in `0 - x`, so that its range turns around.
Value NegateOperation(const Value& a, OpContext* context) {
  if (a.is_marked()) return Mark(NegateOperation(a.unmarked(), context), a.marks(), context->heap->arena());
  bool failed = false;
  const Value x = a.is_number() ? a : ConvertOperand(a, Type::Number(), span_role::kLeft, "unary", context, &failed);
  if (x.is_error()) return x;
  if (x.is_null()) return context->Fail(span_role::kWhole, DiagnosticCode::kNullOperand, "The operand is null.");
  if (x.is_unknown()) return UnknownArithmetic(BinaryOp::kSubtract, Value::Int(0), x, context->heap->arena());
  return Value::FromNumber(Negate(x.AsNumber(), context->heap->arena()));
}

Value NotOperation(const Value& a, OpContext* context) {
  if (a.is_marked()) return Mark(NotOperation(a.unmarked(), context), a.marks(), context->heap->arena());
  bool failed = false;
  const Value x = a.is_bool() ? a : ConvertOperand(a, Type::Bool(), span_role::kLeft, "unary", context, &failed);
  if (x.is_error()) return x;
  if (x.is_null()) return context->Fail(span_role::kWhole, DiagnosticCode::kNullOperand, "The operand is null.");
  if (x.is_unknown()) return UnknownNotNull(Type::Bool());
  return Value::Bool(x.is_false());
}

// native-syntax.md, "Template Interpolations". A string is appended as it is; numbers are written without making a
// string value first. Infinities go through Convert(), whose text depends on the dialect.
Value AppendPart(const Value& part, std::string* out, OpContext* context, int role) {
  if (part.is_string()) {
    out->append(part.AsString());
    return part;
  }
  if (part.is_error()) return part;
  if (part.is_null()) {
    return context->Fail(role, DiagnosticCode::kNullInterpolation,
                         "The expression result is null. A string template cannot include a null value.");
  }
  // An unknown value is not checked for its type here, as in the reference.
  if (part.is_unknown()) return part;
  if (IsUnfit(part, TypeKind::kString) && context->quiet()) return context->FailQuietly();
  Value text;
  ConversionError error = context->NewError();
  if (part.is_number() && !part.AsNumber().IsInfinite()) {
    context->Charge(ConversionCost(part, Type::String()));
    part.AsNumber().AppendTo(out);
    return part;
  }
  if (context->ConvertScalar(part, Type::String(), &text, &error)) {
    if (text.is_string()) out->append(text.AsString());
    return text;
  }
  return context->FailConversion(error, role, DiagnosticCode::kInvalidInterpolation, [&] {
    return absl::StrCat("A string template cannot include this value: ", error.ToString(), ".");
  });
}

}  // namespace hcl::internal
