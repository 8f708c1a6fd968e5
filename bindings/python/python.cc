// What all files of the bindings share. Tested by bindings/python/tests.

#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// A static that is never destroyed: at the end of the process the interpreter may be gone.
const Classes& GetClasses() {
  static const Classes* const classes = [] {
    auto* made = new Classes;
    const py::module_ values = py::module_::import("hclvm._values");
    made->unknown = values.attr("Unknown");
    made->dynamic = values.attr("Dynamic");
    made->typed = values.attr("Typed");
    made->marked = values.attr("Marked");
    const py::module_ errors = py::module_::import("hclvm._errors");
    made->position = errors.attr("Position");
    made->range = errors.attr("Range");
    made->diagnostic = errors.attr("Diagnostic");
    made->error = errors.attr("Error");
    made->compile_error = errors.attr("CompileError");
    made->evaluation_error = errors.attr("EvaluationError");
    made->limit_error = errors.attr("LimitError");
    made->cancelled_error = errors.attr("CancelledError");
    const py::module_ foreign = py::module_::import("hclvm._foreign");
    made->plain = foreign.attr("plain");
    made->rows = foreign.attr("rows");
    made->decimal = py::module_::import("decimal").attr("Decimal");
    made->main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
    return made;
  }();
  return *classes;
}

py::str ToStr(std::string_view text) {
  PyObject* const str = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (str == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(str);
}

void Raise(PyObject* type, const std::string& message) {
  PyErr_SetObject(type, ToStr(message).ptr());
  throw py::error_already_set();
}

std::string_view TextOf(PyObject* str, const std::string& what) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(str, &size);
  if (text != nullptr) return {text, static_cast<size_t>(size)};
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  Raise(PyExc_ValueError, what + " has a lone surrogate, which is no character");
}

Bytes::Bytes(py::handle object, const char* what) : object_(py::reinterpret_borrow<py::object>(object)) {
  if (PyUnicode_Check(object.ptr()) != 0) {
    view_ = TextOf(object.ptr(), what);
    return;
  }
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    Raise(PyExc_TypeError, std::string(what) + " is a str or bytes, not " + Py_TYPE(object.ptr())->tp_name);
  }
  has_buffer_ = true;
  view_ = {static_cast<const char*>(buffer_.buf), static_cast<size_t>(buffer_.len)};
}

Bytes::~Bytes() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
}

}  // namespace hcl::python
