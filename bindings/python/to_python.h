// Python objects of values.
//
// Numbers become int where they are whole and have at most 4,300 digits, float where the shortest decimal that reads
// back as the float is the number, and otherwise decimal.Decimal; infinities are floats. Tuples, lists and sets become
// lists, objects and maps dicts; nulls of all types are None. Unknown and marked values are hclvm.Unknown, Dynamic and
// Marked. Tested by bindings/python/tests/test_values.py.

#ifndef HCLVM_BINDINGS_PYTHON_TO_PYTHON_H_
#define HCLVM_BINDINGS_PYTHON_TO_PYTHON_H_

#include "hclvm/base/limits.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

// A new reference. Raises hclvm.LimitError for a number of more than max_number_digits digits, and TypeError for a
// capsule. Recursion follows the depth of the value, which evaluations bound. Needs the GIL.
PyObject* ToPython(const Value& value, const Limits& limits);

// The same of a number.
PyObject* ToPython(const Number& number, const Limits& limits);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_TO_PYTHON_H_
