// Python objects of values. Tested by bindings/python/tests/test_values.py.

#include "hclvm/bindings/python/to_python.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/marks.h"
#include "hclvm/vm/value/type.h"

namespace hcl::python {
namespace {

PyObject* Checked(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return object;
}

// Most texts are ASCII, and need not be decoded.
PyObject* StrOf(std::string_view text) {
  if (internal::IsAscii(text)) {
    constexpr Py_UCS4 kMostOfAscii = 127;
    PyObject* const str = Checked(PyUnicode_New(static_cast<Py_ssize_t>(text.size()), kMostOfAscii));
    if (!text.empty()) std::memcpy(PyUnicode_1BYTE_DATA(str), text.data(), text.size());
    return str;
  }
  return Checked(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
}

// A quotient of two whole numbers that doubles hold is the nearest double of its decimal, and decimals of up to 15
// digits differ in their nearest doubles: that double is the number.
std::optional<double> ShortDouble(const Number& number) {
  constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int64_t kMost = 1'000'000'000'000'000;
  if (!number.is_inline() || number.scale() >= std::size(kPowers)) return std::nullopt;
  const int64_t digits = number.coefficient();
  if (digits <= -kMost || digits >= kMost) return std::nullopt;
  return static_cast<double>(digits) / kPowers[number.scale()];
}

// Whether `number` is what Python prints for `nearest`.
bool IsShortestOf(const Number& number, double nearest) {
  if (!std::isfinite(nearest)) return false;
  Arena arena;
  const std::optional<Number> shortest = Number::FromDouble(nearest, &arena);
  return shortest && Equal(*shortest, number);
}

// Making an int of digits takes quadratic time, so that Python itself refuses more than 4,300 of them; these are a
// Decimal. By way of a Decimal, no setting of the process matters.
PyObject* WholeOf(const std::string& digits) {
  constexpr size_t kMostDigits = 4300;
  constexpr size_t kAlwaysRead = 600;
  if (digits.size() <= kAlwaysRead) return Checked(PyLong_FromString(digits.c_str(), nullptr, 10));
  py::object decimal = GetClasses().decimal(py::str(digits));
  return digits.size() > kMostDigits ? decimal.release().ptr() : Checked(PyNumber_Long(decimal.ptr()));
}

PyObject* ListOf(const Value& value, const Limits& limits) {
  const auto elements = value.elements();
  auto list = py::reinterpret_steal<py::object>(Checked(PyList_New(static_cast<Py_ssize_t>(elements.size()))));
  for (size_t i = 0; i < elements.size(); ++i) {
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), ToPython(elements[i], limits));
  }
  return list.release().ptr();
}

PyObject* DictOf(const Value& value, const Limits& limits) {
  auto dict = py::reinterpret_steal<py::object>(Checked(PyDict_New()));
  const Shape& shape = value.shape();
  const auto values = value.values();
  for (size_t i = 0; i < values.size(); ++i) {
    const auto key = py::reinterpret_steal<py::object>(StrOf(shape.keys[i].AsString()));
    const auto item = py::reinterpret_steal<py::object>(ToPython(values[i], limits));
    if (PyDict_SetItem(dict.ptr(), key.ptr(), item.ptr()) != 0) throw py::error_already_set();
  }
  return dict.release().ptr();
}

PyObject* UnknownOf(const Value& value) {
  const Classes& classes = GetClasses();
  if (value.is_dynamic_value()) return classes.dynamic().release().ptr();
  return classes.unknown(ToStr(ToTypeSyntax(value.null_or_unknown_type()))).release().ptr();
}

PyObject* MarkedOf(const Value& value, const Limits& limits) {
  py::list names;
  for (const std::string& name : Marks().Names(value.marks())) names.append(ToStr(name));
  const auto inner = py::reinterpret_steal<py::object>(ToPython(value.unmarked(), limits));
  return GetClasses().marked(inner, names).release().ptr();
}

}  // namespace

PyObject* ToPython(const Number& number, const Limits& limits) {
  if (number.is_inline() && number.scale() == 0) return Checked(PyLong_FromLongLong(number.coefficient()));
  if (number.IsInfinite()) return Checked(PyFloat_FromDouble(number.ToDouble()));
  const bool is_whole = number.IsInteger();
  if (!is_whole) {
    if (const std::optional<double> value = ShortDouble(number)) return Checked(PyFloat_FromDouble(*value));
    const double nearest = number.ToDouble();
    if (IsShortestOf(number, nearest)) return Checked(PyFloat_FromDouble(nearest));
  }
  if (number.DigitCount() > limits.max_number_digits) {
    RaiseLimit("the result has a number of too many digits (limit max_number_digits)");
  }
  const std::string digits = number.ToString();
  return is_whole ? WholeOf(digits) : GetClasses().decimal(py::str(digits)).release().ptr();
}

PyObject* ToPython(const Value& value, const Limits& limits) {
  if (value.is_string()) return StrOf(value.AsString());
  if (value.is_number()) return ToPython(value.AsNumber(), limits);
  if (value.is_bool()) return PyBool_FromLong(value.is_true() ? 1 : 0);
  if (value.is_mapping()) return DictOf(value, limits);
  if (value.is_sequence()) return ListOf(value, limits);
  if (value.is_unknown()) return UnknownOf(value);
  if (value.is_marked()) return MarkedOf(value, limits);
  if (value.is_capsule()) Raise(PyExc_TypeError, "the result holds a capsule, of which Python has no value");
  Py_RETURN_NONE;
}

}  // namespace hcl::python
