// Operations: what operators, traversals, templates and conditionals mean for every kind of value.
//
// The interpreter calls them where its inline fast paths end, and constant folding calls them at compile time: there is
// one meaning. Each takes null, unknown, dynamic and error operands; an error operand makes the result an error without
// a further diagnostic.
//
// Specification: native-syntax.md, "Operations", "Index Operator", "Attribute Access Operator", "Conditional Operator",
// "Templates". Tested by vm/operations_test.cc.

#ifndef HCLVM_VM_OPERATIONS_H_
#define HCLVM_VM_OPERATIONS_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/silence.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// What the instruction TupleExtend takes, its operand C: what concat takes, as it is and within flatten; what flatten
// takes, and an element of that.
inline constexpr uint16_t kArgument = 0, kFlatArgument = 1, kFlattenArgument = 3, kFlatElement = 7;

class ProgramTables;

// Roles of an instruction's source ranges: the index into Program::SpansAt().
namespace span_role {
inline constexpr int kWhole = 0;                                     // every instruction
inline constexpr int kLeft = 1, kRight = 2;                          // operators: the operands
inline constexpr int kCondition = 1, kIfTrue = 2, kIfFalse = 3;      // Branch, Select, ForFilter, ConvertTo
inline constexpr int kKey = 1, kItem = 2;                            // ObjectPut, ObjectKey
inline constexpr int kCallHead = 1, kCallClose = 2, kArguments = 3;  // Call: then one for each argument
inline constexpr int kParts = 1;                                     // Concat: then one for each part
inline constexpr int kRoot = 1, kSteps = 2;                          // LoadPath: then one for each step
inline constexpr int kCollection = 1;                                // ForBegin, SplatBegin
inline constexpr int kBlocks = 1;                                    // decoding: then one for each position
inline constexpr int kAttributeValue = 1;                            // decoding: the attribute's value
inline constexpr int kSource = 1;                                    // GetAttr, GetIndex: all up to the step's end
}  // namespace span_role

// Units of fuel for each failure of an operation, whether its text is made or not.
inline constexpr uint64_t kFailedStepCost = 4;

// Where operations find memory and report failures. One for each evaluation; `pc` moves with the interpreter.
struct OpContext {
  Heap* heap;
  Failures* failures;
  const ProgramTables* program = nullptr;  // null when folding: diagnostics then have no place
  uint32_t pc = 0;
  ConversionCache* conversions = nullptr;  // null: conversions are not remembered
  // For messages: the values of the variables, and the frame (null when folding).
  const Value* slots = nullptr;
  const Value* frame = nullptr;
  // Whom to ask whether texts are needed; they are where it is null, when folding.
  const Silence* silence = nullptr;
  // What pays for conversions and failures; null when folding.
  Fuel* fuel = nullptr;

  // Takes fuel. False where it is used up; the evaluation then ends at its next charge.
  bool Charge(uint64_t units) const { return fuel == nullptr || fuel->Charge(units); }
  // Whether no fuel is left: the evaluation ends at its next charge, and what fails until then is not told.
  bool is_used_up() const { return fuel != nullptr && fuel->left() == 0; }
  // As hcl::Convert(), by a plan that is made once for a pair of types where that is faster. `error` is of NewError();
  // the caller has paid ConversionCost().
  bool Convert(const Value& value, Type to, Value* result, ConversionError* error);
  // hcl::Convert() to a scalar, which pays for the whole conversion.
  bool ConvertScalar(const Value& value, Type to, Value* result, ConversionError* error);
  // The next failure needs no text: Fail() would drop it. Asked before a text is made that is not short.
  bool quiet() const { return failures->quiet(); }
  // The error value of a failure without a text, for a few units of fuel. Requires quiet().
  Value FailQuietly();
  // Adds a diagnostic, for as many units, about the range of `role` (context: the whole), with the values of the
  // variables in it, and returns the error value. `names` stand in the code's summary.
  Value Fail(int role, DiagnosticCode code, std::string_view detail,
             std::initializer_list<std::string_view> names = {});
  // The same with a text that takes work to put together: made only where it will be read.
  Value Fail(int role, DiagnosticCode code, absl::FunctionRef<std::string()> detail);
  // The same about `subject`.
  Value FailAt(SourceRange subject, int role, DiagnosticCode code, absl::FunctionRef<std::string()> detail,
               std::initializer_list<std::string_view> names = {});
  // The same for a crossed limit.
  Value FailLimit(int role, DiagnosticCode code, std::string detail);
  // The same for a conversion that has failed: for a crossed limit, if that is why.
  Value FailConversion(const ConversionError& error, int role, DiagnosticCode code,
                       absl::FunctionRef<std::string()> detail);
  // For a conversion whose failure one of these will tell.
  ConversionError NewError() const {
    ConversionError error;
    error.silence = silence;
    error.fuel = fuel;
    return error;
  }
  // An error value for the diagnostics that are about to be added.
  Value PoisonHere() const { return ErrorValue(failures->count()); }
  SourceRange RangeOf(int role) const;
};

// The error value of a result with these operands: the one with the earlier diagnostics. No error value when neither is
// one.
inline Value Poison(const Value& a, const Value& b) {
  if (!a.is_error()) return b;
  if (!b.is_error()) return a;
  return ErrorBegin(a) <= ErrorBegin(b) ? a : b;
}

// `op` is one of Add ... GreaterEqual.
Value BinaryOperation(BinaryOp op, const Value& a, const Value& b, OpContext* context);
// `x op y` of numbers, or an approximation where one of them is; false, and nothing, where that fails, is infinite or
// has more digits than a number may have. `op` is one of Add ... Modulo. *cost is in units of fuel.
bool FastArithmetic(BinaryOp op, const Value& x, const Value& y, Heap* heap, Value* result, uint64_t* cost);
// What operators on numbers of more than 64 bits cost.
inline constexpr uint64_t kBigNumberCost = 12;
// A set whose number of elements is not known, by the specification, as some of them are not: they may turn out to be
// the same as others, and nobody knows where they will stand. The reference takes them as they come.
bool HasUnknownLength(const Value& value, const Heap& heap);

// Both sides evaluated; `op` is And or Or. Beside a side that has failed, an unknown one makes the result unknown: the
// left one or, with `either`, any.
Value LogicalOperation(BinaryOp op, const Value& a, const Value& b, bool either, OpContext* context);
Value NegateOperation(const Value& a, OpContext* context);
Value NotOperation(const Value& a, OpContext* context);

// `value.name`, also for maps; and `value[key]`.
Value GetAttribute(const Value& value, const Value& name, OpContext* context, int role = 0);
Value GetIndex(const Value& value, const Value& key, OpContext* context, int role = 0);

// A branch of a conditional: what it yields, and an unknown value with what its form says of whatever it may yield. The
// form counts where the branch fails, or yields the dynamic value.
struct Branch {
  // NOLINTNEXTLINE(google-explicit-constructor)
  Branch(const Value& v, const Value& f = Value::Dynamic()) : value(v), form(f) {}
  Value value;
  Value form;
};

// The result of a conditional with both branches evaluated; errors of the branch not taken are removed.
Value SelectOperation(const Value& condition, const Branch& true_branch, const Branch& false_branch,
                      OpContext* context);
// A condition as true, false, unknown bool, or error.
Value CheckCondition(const Value& condition, OpContext* context);
// `value` converted to the type of a conditional's result.
Value ConvertBranch(const Value& value, Type type, OpContext* context);

// Appends the string of a template part, which is not marked, to `out`. Returns a known value when it did, else unknown
// or error. `role` says where the part stands.
Value AppendPart(const Value& part, std::string* out, OpContext* context, int role);

}  // namespace hcl::internal

#endif  // HCLVM_VM_OPERATIONS_H_
