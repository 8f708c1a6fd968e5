// Comparison of typed JSON ({"type": T, "value": V}) as the conformance suite has it.
//
// Tested by tests/compare_typed_test.cc.

#ifndef HCLVM_TESTS_COMPARE_TYPED_H_
#define HCLVM_TESTS_COMPARE_TYPED_H_

#include <string>
#include <string_view>

#include "hclvm/tests/json_tree.h"

namespace hcl {

struct CompareOptions {
  bool accept_known = false;  // a known value passes where an unknown one is wanted, and any type where dynamic is
  // Not 0: numbers are equal when they are spelled equally or agree in so many significant digits.
  int digits = 0;
};

// A plain decimal rounded, half up, to so many significant digits, in a form in which equal numbers are spelled
// equally.
std::string RoundedDecimal(std::string_view text, int digits);

// Whether `got` is the type `want`.
bool SameTypeTree(const JsonTree& got, const JsonTree& want, const CompareOptions& options = {});

// Whether `got` is the typed value `want`: types are equal, numbers equal as decimals or, where the wanted spelling has
// a point or an exponent, as nearest doubles; unknowns equal in type; sets in any order.
bool SameTypedTree(const JsonTree& got, const JsonTree& want, const CompareOptions& options = {});

// Whether `got` is the JSON `want`, which is made of typed values at the places where the cases have them.
bool SameResultTree(const JsonTree& got, const JsonTree& want, const CompareOptions& options = {});

}  // namespace hcl

#endif  // HCLVM_TESTS_COMPARE_TYPED_H_
