// Values of numbers in Python. Tested by bindings/python/tests/test_values.py.
//
// What an int of few digits or a float is costs no text; all other numbers go by their decimal digits, which are what a
// number of HCL is made of.

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/from_python.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/bindings/python/reading.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {
namespace {

// Whether an exact, finite Decimal of this text would be rounded by a Number.
bool HasTooManyDigits(std::string_view text) {
  int digits = 0;
  for (const char c : text) {
    if (c == 'E' || c == 'e') break;
    if (c >= '0' && c <= '9' && (digits > 0 || c != '0')) ++digits;
  }
  return digits > kBigDigits;
}

}  // namespace

// Integers beyond 64 bits go by their digits. Python refuses to write very long ones, whose digits take quadratic time.
Value ObjectReader::ReadInt(PyObject* object) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) return Value::Int(small);
  PyObject* const text = PyLong_Type.tp_repr(object);
  if (text == nullptr) {
    PyErr_Clear();
    Wrong(PyExc_ValueError, "is an int of too many digits");
  }
  const py::object digits = py::reinterpret_steal<py::object>(text);
  std::string_view view = TextOf(digits.ptr(), "the number");
  const bool negative = view.front() == '-';
  if (negative) view.remove_prefix(1);
  Charge(view.size());
  NumberError error = NumberError::kNone;
  const Number number = Number::Parse(view, NumberSyntax::kLiteral, heap_->limits(), heap_->arena(), &error);
  if (error == NumberError::kTooManyDigits) RaiseLimit(Where() + " has too many digits (limit max_number_digits)");
  if (error != NumberError::kNone) Wrong(PyExc_ValueError, "is an int that no number of HCL represents exactly");
  return Value::FromNumber(negative ? Negate(number, heap_->arena()) : number);
}

Value ObjectReader::ReadFloat(PyObject* object) {
  const double number = PyFloat_AS_DOUBLE(object);
  if (!std::isfinite(number)) {
    Wrong(PyExc_ValueError, std::isnan(number) ? "is NaN, which is no number of HCL" : "is infinite");
  }
  Charge(4 * kUnit);
  return Value::FromNumber(*Number::FromDouble(number, heap_->arena()));
}

Value ObjectReader::ReadDecimal(PyObject* object) {
  const py::object text = py::reinterpret_borrow<py::object>(GetClasses().decimal).attr("__str__")(py::handle(object));
  const std::string_view view = TextOf(text.ptr(), "the number");
  if (view.find_first_of("nN") != std::string_view::npos) Wrong(PyExc_ValueError, "is no finite number");
  if (HasTooManyDigits(view)) {
    Wrong(PyExc_ValueError, "is a Decimal of more than " + std::to_string(kBigDigits) + " digits");
  }
  Charge(view.size());
  NumberError error = NumberError::kNone;
  const Number number = Number::Parse(view, NumberSyntax::kJson, heap_->limits(), heap_->arena(), &error);
  if (error != NumberError::kNone) RaiseLimit(Where() + " has too many digits (limit max_number_digits)");
  return Value::FromNumber(number);
}

}  // namespace hcl::python
