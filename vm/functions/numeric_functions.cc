// Functions of numbers. Tested by vm/functions/numeric_functions_test.cc.

#include "hclvm/vm/functions/numeric_functions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/silence.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/number_power.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"

namespace hcl::internal {
namespace {

Value Abs(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[0].is_int() && arguments[0].AsInt() >= 0) return arguments[0];
  const Number number = arguments[0].AsNumber();
  return number.Sign() < 0 ? Value::FromNumber(Negate(number, call->arena())) : arguments[0];
}

void CheckExtreme(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty()) call->Error("at least one number is required");
}

// The argument that compares to all others as `sign` says: 1 for the greatest, -1 for the least. Ties keep the first
// argument, which is the same number. Integers are compared without making Numbers of them.
Value Extreme(FunctionCall* call, absl::Span<const Value> arguments, int sign) {
  if (arguments.empty()) return CheckExtreme(call, arguments), Value();
  Value best = arguments[0];
  for (const Value& candidate : arguments.subspan(1)) {
    const int order = candidate.is_int() && best.is_int()
                          ? (candidate.AsInt() > best.AsInt()) - (candidate.AsInt() < best.AsInt())
                          : Compare(candidate.AsNumber(), best.AsNumber());
    if (order * sign > 0) best = candidate;
  }
  return best;
}

Value Max(FunctionCall* call, absl::Span<const Value> arguments) { return Extreme(call, arguments, 1); }
Value Min(FunctionCall* call, absl::Span<const Value> arguments) { return Extreme(call, arguments, -1); }

// Units of fuel for taking off a fraction, and for a computation in doubles, whose exact decimal value is made.
constexpr uint64_t kCostOfRounding = 80;
constexpr uint64_t kCostOfDoubles = 40;
// And for an addition of numbers that are no integers of 64 bits.
constexpr uint64_t kCostOfAdding = 8;

Value Int(FunctionCall* call, absl::Span<const Value> arguments) {
  const Number number = arguments[0].AsNumber();
  if (number.IsInfinite()) return call->Error("an infinity has no whole part");
  if (number.IsInteger()) return arguments[0];
  return call->Charge(kCostOfRounding) ? Value::FromNumber(Truncate(number, call->arena())) : Value();
}

// The nearest whole number in the direction of `sign`.
Value Round(FunctionCall* call, const Value& value, int sign) {
  const Number number = value.AsNumber();
  if (number.IsInfinite() || number.IsInteger()) return value;
  if (!call->Charge(kCostOfRounding)) return Value();
  Number whole = Truncate(number, call->arena());
  NumberError error = NumberError::kNone;
  if (number.Sign() == sign) whole = Add(whole, Number(sign), call->arena(), &error);
  return Value::FromNumber(whole);
}

Value Ceil(FunctionCall* call, absl::Span<const Value> arguments) { return Round(call, arguments[0], 1); }
Value Floor(FunctionCall* call, absl::Span<const Value> arguments) { return Round(call, arguments[0], -1); }

Value Signum(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!WholeNumber(arguments[0])) return call->Error("a whole number of 64 bits is required");
  return Value::Int(arguments[0].AsNumber().Sign());
}

// The result of a computation in doubles.
Value FromComputed(FunctionCall* call, double result) {
  // The shortest text of a whole number below 2^53 has all of its digits.
  constexpr double kMaxExact = 9007199254740992.0;
  if (std::fabs(result) < kMaxExact && std::trunc(result) == result) return Value::Int(static_cast<int64_t>(result));
  const std::optional<Number> number = Number::FromDouble(result, call->arena());
  return number ? Value::FromNumber(*number) : call->Error("there is no such number");
}

// Both arguments as doubles; false when one is too large.
bool ToDoubles(FunctionCall* call, absl::Span<const Value> arguments, double* a, double* b) {
  if (!call->Charge(kCostOfDoubles)) return false;
  *a = arguments[0].AsNumber().ToDouble();
  *b = arguments[1].AsNumber().ToDouble();
  for (size_t i = 0; i < 2; ++i) {
    const double converted = i == 0 ? *a : *b;
    if (!std::isinf(converted) || arguments[i].AsNumber().IsInfinite()) continue;
    call->ArgumentError(i, "the number is too large for this function");
    return false;
  }
  return true;
}

// base^power. The C library's pow may differ from the reference's in the last digit, because the latter multiplies
// squares for the whole part of the power and takes an exponential for the rest; so this does the same where nothing
// overflows.
double PowLikeReference(double base, double power) {
  constexpr double kMaxPower = 1024;
  const double magnitude = std::fabs(power);
  const double exact = std::pow(base, power);
  // Squares above the result's own size must stay finite, and special values are the C library's.
  const bool ordinary = std::isfinite(exact) && exact != 0 && magnitude < kMaxPower && base != 0 && magnitude != 0.5;
  if (!ordinary) return exact;
  double whole = 0;
  double fraction = std::modf(magnitude, &whole);
  double result = 1;
  if (fraction != 0) {
    if (fraction > 0.5) {
      fraction -= 1;
      whole += 1;
    }
    result = std::exp(fraction * std::log(base));
  }
  double square = base;
  for (auto rest = static_cast<uint64_t>(whole); rest != 0; rest >>= 1) {
    if (rest & 1) result *= square;
    square *= square;
  }
  if (power < 0) result = 1 / result;
  return std::isfinite(result) && result != 0 ? result : exact;
}

// Units of fuel for a power that is worked out exactly, for each bit of the exponent: a multiplication or two of
// numbers with up to 160 digits.
constexpr uint64_t kCostOfSquaring = 16;
// And for the reciprocal that a negative exponent takes.
constexpr uint64_t kCostOfReciprocal = 320;

// A whole power where it is exact; nullopt elsewhere, and where fuel runs out. One whose text would be too long is
// none: the double is infinite then, or zero, or a limit has been reached.
std::optional<Number> WholePower(FunctionCall* call, const Number& base, const Number& power) {
  const std::optional<int64_t> whole = power.ToInt64();
  if (!whole || base.IsInfinite() || base.Sign() == 0) return std::nullopt;
  uint64_t bits = 1;
  for (uint64_t rest = static_cast<uint64_t>(*whole < 0 ? -(*whole + 1) : *whole); rest > 1; rest >>= 1) ++bits;
  if (!call->Charge(bits * kCostOfSquaring + (*whole < 0 ? kCostOfReciprocal : 0))) return std::nullopt;
  const std::optional<Number> result = ExactPower(base, *whole, call->arena());
  const uint32_t max_digits = call->heap()->limits().max_number_digits;
  if (!result || result->DigitCount() <= max_digits) return result;
  // A double would have the digits, but not all of them right.
  const double rounded = result->ToDouble();
  if (std::isfinite(rounded) && rounded != 0) {
    call->LimitError(
        absl::StrCat("the power needs more than the allowed ", max_digits, " digits (limit max_number_digits)"));
  }
  return std::nullopt;
}

// The reference computes powers in doubles. Those of whole exponents are decimals like other numbers here, so that
// they are exact where these are.
Value Pow(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::optional<Number> exact = WholePower(call, arguments[0].AsNumber(), arguments[1].AsNumber());
  if (exact) return Value::FromNumber(*exact);
  if (call->failed()) return Value();
  double base = 0;
  double power = 0;
  return ToDoubles(call, arguments, &base, &power) ? FromComputed(call, PowLikeReference(base, power)) : Value();
}

// The reference divides two natural logarithms, too.
Value Log(FunctionCall* call, absl::Span<const Value> arguments) {
  double number = 0;
  double base = 0;
  if (!ToDoubles(call, arguments, &number, &base)) return Value();
  return FromComputed(call, std::log(number) / std::log(base));
}

// The value of a digit, or 62. Up to base 36 letters of both cases mean the same.
int64_t DigitValue(char c, int64_t base) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + (base <= 36 ? 10 : 36);
  return 62;
}

// The digits as a number, without sign; nullopt when one is not a digit. Sets *too_long when they are more than a
// number holds exactly. The rest is still checked when there are too many digits: a wrong digit is the better message.
std::optional<Number> ParseDigits(std::string_view digits, int64_t base, Arena* arena, bool* too_long) {
  const size_t first = digits.find_first_not_of('0');
  const std::string_view significant = digits.substr(first == std::string_view::npos ? digits.size() : first);
  // Even binary digits of the longest exact number are fewer.
  *too_long = significant.size() > static_cast<size_t>(kBigDigits) * 4;
  Number number(0);
  for (char c : significant) {
    const int64_t digit = DigitValue(c, base);
    if (digit >= base) return std::nullopt;
    if (*too_long) continue;
    NumberError error = NumberError::kNone;
    number = Add(Multiply(number, Number(base), arena, &error), Number(digit), arena, &error);
  }
  *too_long = *too_long || number.DigitCount() > static_cast<uint64_t>(kBigDigits);
  return number;
}

// The same for so few digits that 64 bits hold the number in any base; nullopt when there are none.
std::optional<int64_t> ParseFewDigits(std::string_view digits, int64_t base) {
  if (digits.empty()) return std::nullopt;
  int64_t number = 0;
  for (const char c : digits) {
    const int64_t digit = DigitValue(c, base);
    if (digit >= base) return std::nullopt;
    number = number * base + digit;
  }
  return number;
}

Type ParseIntType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (internal::KindOf(arguments[0]) == TypeKind::kString) return Type::Number();
  return call->ArgumentTypeError(0,
                                 [&] { return absl::StrCat("a string is required, not ", WithArticle(arguments[0])); });
}

bool ReadBase(FunctionCall* call, const Value& number, int64_t* base) {
  *base = WholeNumber(number).value_or(0);
  if (*base >= 2 && *base <= 62) return true;
  call->ArgumentError(1, "the base must be a whole number between 2 and 62");
  return false;
}

void CheckParseInt(FunctionCall* call, absl::Span<const Value> arguments) {
  int64_t base;
  if (!arguments[1].is_unknown()) ReadBase(call, arguments[1], &base);
}

// The cost is quadratic in the number of digits, since each multiplies all before it; that is why there is a charge,
// and a bound in ParseDigits().
Value ParseInt(FunctionCall* call, absl::Span<const Value> arguments) {
  std::string_view digits = arguments[0].AsString();
  int64_t base;
  if (!ReadBase(call, arguments[1], &base)) return Value();
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative || (!digits.empty() && digits[0] == '+')) digits.remove_prefix(1);
  bool too_long = false;
  // Each digit is a multiplication, of large numbers when there are many; of more than a number can have, none is.
  constexpr size_t kFewDigits = 18;
  constexpr size_t kManyDigits = static_cast<size_t>(kBigDigits) * 4;
  const size_t multiplied = digits.size() > kFewDigits ? std::min(digits.size(), kManyDigits) : 0;
  if (!call->Charge(digits.size() / 16 + multiplied * 40)) return Value();
  constexpr size_t kDigitsOf64Bits = 10;  // 62^10 is below 2^63
  const bool is_short = digits.size() <= kDigitsOf64Bits;
  if (is_short) {
    const std::optional<int64_t> few = ParseFewDigits(digits, base);
    if (few) return Value::Int(negative ? -*few : *few);
  }
  std::optional<Number> number;
  if (!is_short) number = ParseDigits(digits, base, call->arena(), &too_long);
  if (!number)
    return call->ArgumentError(0, [&] { return absl::StrCat("the string is not a whole number in base ", base); });
  if (too_long)
    return call->ArgumentError(0, [&] { return absl::StrCat("the number has more than ", kBigDigits, " digits"); });
  return Value::FromNumber(negative ? Negate(*number, call->arena()) : *number);
}

// Adds integers from elements[at] on to `sum`, a whole number of 64 bits, and returns where it has stopped: at what is
// no integer, or where the sum does not fit, or after a piece that is paid for at once.
size_t AddIntegers(FunctionCall* call, absl::Span<const Value> elements, size_t at, Number* sum) {
  constexpr size_t kPiece = 1024;
  const size_t end = std::min(elements.size(), at + kPiece);
  const size_t begin = at;
  int64_t total = sum->coefficient();
  for (; at < end && elements[at].is_int(); ++at) {
    int64_t next;
    if (__builtin_add_overflow(total, elements[at].AsInt(), &next)) break;
    total = next;
  }
  *sum = Number(total);
  return call->Charge(at - begin) ? at : elements.size();
}

// A list without elements has no sum either.
void CheckSum(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  if (!MayBeSequence(KindOf(list))) {
    call->ArgumentError(0, [&] { return absl::StrCat("a list, set or tuple is required, not ", WithArticle(list)); });
    return;
  }
  if (!list.is_unknown() || KindOf(list) == TypeKind::kDynamic) return;
  const Type type = list.null_or_unknown_type();
  for (size_t n = 0; n < (type.is_collection() ? 1 : type.size()); ++n) {
    const Type element = type.is_collection() ? type.element() : type.element(n);
    if (IsConvertible(element, Type::Number(), /*unsafe=*/true, call->heap()->dialect())) continue;
    call->ArgumentError(0, [&] { return absl::StrCat("the elements must be numbers, not ", WithArticle(element)); });
  }
}

// Reads the element, converted, into `number`. False when the call has failed.
bool ReadSummand(FunctionCall* call, const Value& element, Value* number) {
  if (!call->Charge(element.is_int() ? 1 : kCostOfAdding + CostOf(element))) return false;
  *number = element;
  if (!element.is_number()) {
    if (IsUnfit(element, TypeKind::kNumber) && IsSilent(call->silence())) return call->ArgumentError(0, ""), false;
    ConversionError conversion;
    conversion.silence = call->silence();
    if (!Convert(element, Type::Number(), call->heap(), number, &conversion)) {
      return ConversionFailed(call, 0, conversion), false;
    }
  }
  if (number->is_null()) return call->ArgumentError(0, "the elements must not be null"), false;
  return true;
}

// Elements are converted one by one, since a tuple may mix numbers and strings that are numbers. An unknown element
// makes the sum unknown, unless another one makes it fail whatever the unknown one is.
Value Sum(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  if (!list.is_sequence()) return CheckSum(call, arguments), Value();
  if (list.size() == 0) return call->ArgumentError(0, "at least one number is required");
  Number sum(0);
  bool is_open = false;
  const absl::Span<const Value> elements = list.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    if (sum.is_inline() && sum.scale() == 0) {
      i = AddIntegers(call, elements, i, &sum);
      if (call->failed()) return Value();
      if (i == elements.size()) break;
    }
    Value number;
    if (!ReadSummand(call, elements[i], &number)) return Value();
    if (number.is_unknown()) {
      is_open = true;
      continue;
    }
    NumberError error = NumberError::kNone;
    sum = Add(sum, number.AsNumber(), call->arena(), &error);
    if (error != NumberError::kNone) return call->Error("infinities of both signs have no sum");
  }
  return is_open ? Value::Unknown(Type::Number()) : Value::FromNumber(sum);
}

}  // namespace

void RegisterNumericFunctions(FunctionRegistryBuilder* builder) {
  const Type number = Type::Number();
  builder->Add(Quick(Total(Define("abs", {Param("num", number, kAllowDynamic)}, number, Abs))));
  using Special = Function::Special;
  const Parameter numbers = Param("numbers", number, kAllowDynamic);
  builder->Add(
      Checked(CheckExtreme, KnownAs(Special::kMax, Quick(Total(DefineVariadic("max", {}, numbers, number, Max))))));
  builder->Add(
      Checked(CheckExtreme, KnownAs(Special::kMin, Quick(Total(DefineVariadic("min", {}, numbers, number, Min))))));
  builder->Add(Define("int", {Param("num", number, kAllowDynamic)}, number, Int));
  builder->Add(KnownAs(Special::kCeil, Define("ceil", {Param("num", number)}, number, Ceil)));
  builder->Add(KnownAs(Special::kFloor, Define("floor", {Param("num", number)}, number, Floor)));
  builder->Add(Define("signum", {Param("num", number)}, number, Signum));
  builder->Add(Define("pow", {Param("num", number), Param("power", number)}, number, Pow));
  builder->Add(Define("log", {Param("num", number), Param("base", number)}, number, Log));
  builder->Add(Checked(CheckParseInt, Define("parseint", {Param("number", Type::Dynamic()), Param("base", number)},
                                             ParseIntType, ParseInt)));
  builder->Add(Checked(CheckSum, KnownAs(Special::kSum, Define("sum", {Param("list", Type::Dynamic())}, number, Sum))));
}

}  // namespace hcl::internal
