// Operations on values directly, as constant folding calls them. What needs source ranges is in tests/language_test.cc.

#include "hclvm/vm/operations.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

class OperationsTest : public testing::Test {
 protected:
  std::string Print(const Value& value) {
    std::string out;
    if (value.is_error()) {
      out = "error: " + diagnostics_.kept().back().summary;
    } else if (value.is_unknown()) {
      out = "unknown " + ToTypeSyntax(value.null_or_unknown_type());
    } else if (value.is_null()) {
      out = "null";
    } else if (value.is_number()) {
      out = value.AsNumber().ToString();
    } else if (value.is_bool()) {
      out = value.is_true() ? "true" : "false";
    } else {
      out = FriendlyName(value);
    }
    diagnostics_.Clear();
    return out;
  }
  std::string Binary(BinaryOp op, const Value& a, const Value& b) {
    return Print(BinaryOperation(op, a, b, &context_));
  }

  Heap heap_;
  Diagnostics diagnostics_;
  Failures failures_{&diagnostics_};
  OpContext context_{&heap_, &failures_};
  const Value one_ = Value::Int(1), two_ = Value::Int(2), text_ = Value::StringView("x"),
              digits_ = Value::StringView("2");
  const Value null_ = Value::Null(), dynamic_ = Value::Dynamic(), number_ = Value::Unknown(Type::Number());
};

TEST_F(OperationsTest, ArithmeticOnEveryKindOfOperand) {
  EXPECT_EQ(Binary(BinaryOp::kAdd, one_, two_), "3");
  EXPECT_EQ(Binary(BinaryOp::kAdd, one_, digits_), "3");
  EXPECT_EQ(Binary(BinaryOp::kAdd, one_, text_), "error: Invalid operand");
  EXPECT_EQ(Binary(BinaryOp::kAdd, one_, null_), "error: Operation failed");
  EXPECT_EQ(Binary(BinaryOp::kAdd, null_, number_), "error: Operation failed");
  EXPECT_EQ(Binary(BinaryOp::kAdd, one_, dynamic_), "unknown number");
  EXPECT_EQ(Binary(BinaryOp::kLess, one_, number_), "unknown bool");
  EXPECT_EQ(Binary(BinaryOp::kLess, one_, two_), "true");
  EXPECT_EQ(Binary(BinaryOp::kGreaterEqual, one_, two_), "false");
  EXPECT_EQ(Binary(BinaryOp::kEqual, one_, Value::StringView("1")), "false");
  EXPECT_EQ(Binary(BinaryOp::kNotEqual, one_, dynamic_), "unknown bool");
}

TEST_F(OperationsTest, AnErrorOperandAddsNothing) {
  diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "first");
  const Value error = ErrorValue(0);
  const Value result = BinaryOperation(BinaryOp::kAdd, error, one_, &context_);
  EXPECT_TRUE(result.is_error());
  EXPECT_EQ(diagnostics_.count(), 1u);
  EXPECT_TRUE(GetAttribute(error, text_, &context_).is_error());
  EXPECT_TRUE(GetIndex(one_, error, &context_).is_error());
  EXPECT_TRUE(NotOperation(error, &context_).is_error());
  EXPECT_EQ(diagnostics_.count(), 1u);
}

TEST_F(OperationsTest, TheSideThatDecidesDropsTheOthersErrors) {
  diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "dropped");
  EXPECT_TRUE(LogicalOperation(BinaryOp::kAnd, ErrorValue(0), Value::Bool(false), false, &context_).is_false());
  EXPECT_TRUE(diagnostics_.empty());
  diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "dropped");
  EXPECT_TRUE(LogicalOperation(BinaryOp::kOr, Value::Bool(true), ErrorValue(0), false, &context_).is_true());
  EXPECT_TRUE(diagnostics_.empty());
  diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "kept");
  EXPECT_TRUE(LogicalOperation(BinaryOp::kOr, Value::Bool(false), ErrorValue(0), false, &context_).is_error());
  EXPECT_EQ(diagnostics_.count(), 1u);
}

TEST_F(OperationsTest, SelectDropsTheErrorsOfTheBranchNotTaken) {
  // Both branches have failed: the first error belongs to the true one, the second to the false one.
  for (bool condition : {true, false}) {
    diagnostics_.Clear();
    diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "true branch");
    diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "false branch");
    const Value result = SelectOperation(Value::Bool(condition), ErrorValue(0), ErrorValue(1), &context_);
    ASSERT_TRUE(result.is_error());
    EXPECT_EQ(ErrorBegin(result), 0u);
    ASSERT_EQ(diagnostics_.count(), 1u);
    EXPECT_EQ(diagnostics_.kept()[0].detail, condition ? "true branch" : "false branch");
  }
}

TEST_F(OperationsTest, SelectWithABadConditionKeepsOnlyItsError) {
  diagnostics_.AddError({}, DiagnosticCode::kUnknownVariable, "true branch");
  const Value result = SelectOperation(null_, ErrorValue(0), one_, &context_);
  ASSERT_TRUE(result.is_error());
  EXPECT_EQ(ErrorBegin(result), 0u);
  ASSERT_EQ(diagnostics_.count(), 1u);
  EXPECT_EQ(diagnostics_.kept()[0].summary, "Null condition");
}

TEST_F(OperationsTest, SelectUnifiesTypes) {
  EXPECT_EQ(Print(SelectOperation(Value::Bool(true), one_, text_, &context_)), "string");
  EXPECT_EQ(Print(SelectOperation(number_, one_, text_, &context_)), "unknown string");
  EXPECT_EQ(Print(SelectOperation(Value::Bool(true), null_, one_, &context_)), "null");
  EXPECT_EQ(Print(SelectOperation(Value::Bool(true), one_, MakeTuple({}, heap_.arena()), &context_)),
            "error: Inconsistent conditional result types");
}

// Scalars of one type take a short way, others the long one.
TEST_F(OperationsTest, SelectMakesListsOfTuplesOfDifferentLength) {
  const Value none = MakeTuple({}, heap_.arena());
  for (const Value& second : {one_, text_}) {
    const Type element = second.is_number() ? Type::Number() : Type::String();
    const Value two = MakeTuple({one_, second}, heap_.arena());
    for (const bool condition : {true, false}) {
      const Value some =
          SelectOperation(Value::Bool(condition), condition ? two : none, condition ? none : two, &context_);
      const Value empty =
          SelectOperation(Value::Bool(condition), condition ? none : two, condition ? two : none, &context_);
      ASSERT_TRUE(some.is_list() && empty.is_list());
      EXPECT_EQ(some.size(), 2u);
      EXPECT_EQ(empty.size(), 0u);
      EXPECT_EQ(some.element_type(), element);
      EXPECT_EQ(empty.element_type(), element);
    }
  }
}

TEST_F(OperationsTest, TemplateParts) {
  std::string out;
  EXPECT_TRUE(AppendPart(one_, &out, &context_, 0).is_known());
  EXPECT_TRUE(AppendPart(Value::Bool(true), &out, &context_, 0).is_known());
  EXPECT_TRUE(AppendPart(text_, &out, &context_, 0).is_known());
  EXPECT_EQ(out, "1truex");
  EXPECT_TRUE(AppendPart(number_, &out, &context_, 0).is_unknown());
  EXPECT_EQ(Print(AppendPart(null_, &out, &context_, 0)), "error: Invalid template interpolation value");
  EXPECT_EQ(Print(AppendPart(MakeTuple({}, heap_.arena()), &out, &context_, 0)),
            "error: Invalid template interpolation value");
}

}  // namespace
}  // namespace hcl::internal
