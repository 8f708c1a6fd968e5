// Values of objects that are not data of Python: what the package has for types, unknown and marked values, and what
// has
// __index__. Tested by bindings/python/tests/test_values.py.
//
// Here attributes are asked for, and so code of others may run.

#include <string>
#include <string_view>

#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/from_python.h"
#include "hclvm/bindings/python/marks.h"
#include "hclvm/bindings/python/python.h"
#include "hclvm/bindings/python/reading.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_syntax.h"
#include "hclvm/vm/value/value.h"

namespace hcl::python {

Value ObjectReader::ReadObject(PyObject* object) {
  const auto held = py::reinterpret_borrow<py::object>(object);
  const Classes& classes = GetClasses();
  const auto is_a = [object](const py::object& type) {
    return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
  };
  if (is_a(classes.decimal)) return ReadDecimal(object);
  if (is_a(classes.unknown)) return Value::Unknown(ReadType(object));
  if (is_a(classes.typed)) return ReadTyped(object);
  if (is_a(classes.marked)) return ReadMarked(object);
  if (PyAnySet_Check(object) != 0) return ReadSet(object);
  // What others have for a list or a number often has __index__ as well.
  const py::object plain = classes.plain(held);
  if (PyTuple_Check(plain.ptr()) != 0) {
    const Inside inside(this, object);
    PyObject* const data = PyTuple_GetItem(plain.ptr(), 1);
    if (PyTuple_GetItem(plain.ptr(), 0) == Py_True) return ReadAny(data, nullptr);
    Wrong(PyExc_TypeError, std::string(TextOf(data, "the message")));
  }
  if (PyIndex_Check(object) != 0) {
    PyObject* const index = PyNumber_Index(object);
    if (index == nullptr) throw py::error_already_set();
    return ReadInt(py::reinterpret_steal<py::object>(index).ptr());
  }
  Wrong(PyExc_TypeError, std::string("is of a type that no value is made of: ") + Py_TYPE(object)->tp_name);
}

Type ObjectReader::ReadType(PyObject* object) {
  const py::object text = py::handle(object).attr("type");
  if (PyUnicode_Check(text.ptr()) == 0) Wrong(PyExc_TypeError, "has a type that is no str");
  const std::string_view view = TextOf(text.ptr(), "the type");
  Charge(8 * kUnit * (view.size() + 1));
  Type type;
  TypeSyntaxError error;
  if (ParseTypeSyntax(view, heap_, &type, &error)) return type;
  Wrong(PyExc_ValueError, "has a type that is wrong at byte " + std::to_string(error.offset) + ": " + error.message);
}

Value ObjectReader::ReadTyped(PyObject* object) {
  const Inside inside(this, object);
  const Type type = ReadType(object);
  const py::object inner = py::handle(object).attr("value");
  const Value value = ReadAny(inner.ptr(), nullptr);
  Charge(kUnit * value.weight());
  Value converted;
  ConversionError error;
  if (Convert(value, type, heap_, &converted, &error)) return converted;
  if (error.is_limit) RaiseLimit(Where() + ": " + error.ToString());
  Wrong(PyExc_ValueError, "has not the type that it is said to have: " + error.ToString());
}

// A set has one type of elements, which HCL finds.
Value ObjectReader::ReadSet(PyObject* object) {
  const Inside inside(this, object);
  PyObject* const list = PySequence_List(object);
  if (list == nullptr) throw py::error_already_set();
  const auto held = py::reinterpret_steal<py::object>(list);
  const Value elements = ReadSequence(list, nullptr);
  Charge(kUnit * elements.weight());
  Type type;
  TypeSyntaxError syntax;
  ParseTypeSyntax("set(any)", heap_, &type, &syntax);
  Value converted;
  ConversionError error;
  if (Convert(elements, type, heap_, &converted, &error)) return converted;
  if (error.is_limit) RaiseLimit(Where() + ": " + error.ToString());
  Wrong(PyExc_ValueError, "has elements that are not of one type: " + error.ToString());
}

Value ObjectReader::ReadMarked(PyObject* object) {
  const Inside inside(this, object);
  MarkSet marks = 0;
  const py::object names = py::handle(object).attr("marks");
  for (const py::handle name : names) {
    if (PyUnicode_Check(name.ptr()) == 0) Wrong(PyExc_TypeError, "has a mark that is no str");
    const MarkSet mark = Marks().Get(TextOf(name.ptr(), "the mark"));
    if (mark == 0) RaiseLimit(Where() + ": there are too many names of marks in this process (48)");
    marks |= mark;
  }
  const py::object inner = py::handle(object).attr("value");
  Charge(2 * kUnit);
  return Mark(ReadAny(inner.ptr(), nullptr), marks, heap_->arena());
}

}  // namespace hcl::python
