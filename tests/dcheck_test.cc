// Tests HCL_DCHECK, and that contracts of the library are checked by it: that a broken one ends the process where
// assertions are on, and that optimised builds do not evaluate the condition.

#include "hclvm/internal/dcheck.h"

#include <functional>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// Runs `misuse`, which breaks `contract`. Where assertions are off, what it does is not defined, so that it is not run.
void ExpectChecked(const char* contract, const std::function<void()>& misuse) {
#if HCL_DCHECK_IS_ON
  EXPECT_DEATH(misuse(), contract);
#else
  static_cast<void>(contract);
  static_cast<void>(misuse);
#endif
}

TEST(Dcheck, EvaluatesItsConditionOnlyWhereItIsOn) {
  int evaluated = 0;
  HCL_DCHECK(++evaluated > 0);
  EXPECT_EQ(evaluated, HCL_DCHECK_IS_ON);
}

TEST(Dcheck, NamesFileLineAndCondition) {
  ExpectChecked("tests/dcheck_test\\.cc:[0-9]+: HCL_DCHECK failed: 1 \\+ 1 == 3", [] { HCL_DCHECK(1 + 1 == 3); });
}

TEST(Dcheck, ValuesAreAskedForWhatTheyAre) {
  const Value text = Value::StringView("text");
  ExpectChecked("is_bool\\(\\)", [&] { static_cast<void>(text.AsBool()); });
  ExpectChecked("is_int\\(\\)", [&] { static_cast<void>(text.AsInt()); });
  ExpectChecked("is_number\\(\\)", [&] { static_cast<void>(text.AsNumber()); });
  ExpectChecked("is_string\\(\\)", [] { static_cast<void>(Value::Int(1).AsString()); });
  ExpectChecked("is_sequence\\(\\)", [&] { static_cast<void>(text.elements()); });
  ExpectChecked("is_mapping\\(\\)", [&] { static_cast<void>(text.values()); });
  ExpectChecked("is_capsule\\(\\)", [&] { static_cast<void>(text.capsule()); });
  ExpectChecked("is_unknown\\(\\)", [&] { static_cast<void>(text.null_or_unknown_type()); });
}

TEST(Dcheck, TypesAreAskedForWhatTheyAre) {
  ExpectChecked("HCL_DCHECK failed", [] { static_cast<void>(Type::String().element()); });
  ExpectChecked("HCL_DCHECK failed", [] { static_cast<void>(Type::String().shape()); });
}

TEST(Dcheck, BuildersGetWhatTheyNeed) {
  Heap heap;
  const Value key = Value::StringView("a");
  const Shape* const shape = MakeShape({&key, 1}, heap.arena());
  ExpectChecked("HCL_DCHECK failed", [&] { static_cast<void>(MakeObject(shape, {}, heap.arena())); });
  ExpectChecked("HCL_DCHECK failed", [&] { static_cast<void>(Value::Marked(0, &key)); });
}

}  // namespace
}  // namespace hcl
