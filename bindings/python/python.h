// What all files of the bindings share: references to Python objects, and the classes of the package.
//
// Everything here needs the GIL. Failures are Python exceptions: functions that fail throw pybind11's exceptions, which
// become those of Python at the border.

#ifndef HCLVM_BINDINGS_PYTHON_PYTHON_H_
#define HCLVM_BINDINGS_PYTHON_PYTHON_H_

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace hcl::python {

namespace py = pybind11;

// The classes of the package that the module makes objects of. Never destroyed: they live as long as the interpreter.
struct Classes {
  py::object unknown, dynamic, typed, marked;
  py::object position, range, diagnostic;
  py::object error, compile_error, evaluation_error, limit_error, cancelled_error;
  py::object decimal;      // decimal.Decimal
  py::object plain, rows;  // functions of hclvm._foreign
  unsigned long main_thread = 0;
};

// Read from the package on the first call.
const Classes& GetClasses();

// A str; bytes that are not UTF-8 are replaced.
py::str ToStr(std::string_view text);

// Raises `type` with that message.
[[noreturn]] void Raise(PyObject* type, const std::string& message);

// The UTF-8 of a str. Raises ValueError, beginning with `what`, for lone surrogates, which have none. Lives as long as
// the object.
std::string_view TextOf(PyObject* str, const std::string& what);

// The bytes of a str or of an object with a buffer, such as bytes; keeps it.
class Bytes {
 public:
  // Raises TypeError for anything else, and ValueError for lone surrogates.
  Bytes(py::handle object, const char* what);
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  // Needs the GIL.
  ~Bytes();

  // May be used without the GIL.
  std::string_view view() const { return view_; }

 private:
  py::object object_;
  Py_buffer buffer_ = {};
  bool has_buffer_ = false;
  std::string_view view_;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_PYTHON_H_
