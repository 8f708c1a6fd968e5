// The method `run` of hclvm.Program. Tested by bindings/python/tests/test_program.py.
//
// This is what programs call for each request. A method of pybind11 takes as long to find its arguments as a short
// evaluation takes, so this one finds them itself.

#include "hclvm/bindings/python/run_method.h"

#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <string>

#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/program.h"

namespace hcl::python {
namespace {

constexpr std::array<const char*, 6> kNames = {"scope", "entry", "check_all", "unknown_input", "timeout", "cancel"};
constexpr Py_ssize_t kMostPositional = 2;

using Arguments = std::array<PyObject*, kNames.size()>;

[[noreturn]] void RaiseName(PyObject* name, const char* what) {
  Raise(PyExc_TypeError, std::string("run() got ") + what + " argument '" + std::string(TextOf(name, "a name")) + "'");
}

// Borrowed references; None for what is not given.
Arguments ArgumentsOf(PyObject* const* given, Py_ssize_t count, PyObject* names) {
  Arguments arguments = {};
  if (count > kMostPositional) Raise(PyExc_TypeError, "run() takes a scope and an entry, and the rest by name");
  for (Py_ssize_t n = 0; n < count; ++n) arguments[static_cast<size_t>(n)] = given[n];
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t n = 0; n < named; ++n) {
    PyObject* const name = PyTuple_GET_ITEM(names, n);
    size_t at = 0;
    while (at < kNames.size() && PyUnicode_CompareWithASCIIString(name, kNames[at]) != 0) ++at;
    if (at == kNames.size()) RaiseName(name, "an unexpected keyword");
    if (arguments[at] != nullptr) RaiseName(name, "multiple values for");
    arguments[at] = given[count + n];
  }
  for (PyObject*& argument : arguments) {
    if (argument == nullptr) argument = Py_None;
  }
  return arguments;
}

bool BoolOf(PyObject* object) {
  if (object == Py_True || object == Py_False || object == Py_None) return object == Py_True;
  const PyNumberMethods* const methods = Py_TYPE(object)->tp_as_number;
  if (methods != nullptr && methods->nb_bool != nullptr) {
    const int is_true = methods->nb_bool(object);
    if (is_true >= 0) return is_true != 0;
    throw py::error_already_set();
  }
  Raise(PyExc_TypeError, std::string("check_all is a bool, not ") + Py_TYPE(object)->tp_name);
}

// The method's descriptor has looked at the class of `self`.
Program& ProgramOf(PyObject* self) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  auto* const program = static_cast<Program*>(instance->get_value_and_holder().value_ptr());
  if (program == nullptr) Raise(PyExc_TypeError, "this program was not made by compile()");
  return *program;
}

PyObject* Run(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  try {
    const Arguments arguments = ArgumentsOf(given, count, names);
    ScopeOptions options = {BoolOf(arguments[2])};
    if (arguments[3] != Py_None) options.unknown_input = UnknownInputOf(TextOf(arguments[3], "unknown_input"));
    const StopOptions stop = {py::reinterpret_borrow<py::object>(arguments[4]),
                              py::reinterpret_borrow<py::object>(arguments[5])};
    return ProgramOf(self).Run(arguments[0], arguments[1], options, stop);
  } catch (py::error_already_set& raised) {
    raised.restore();
  } catch (const py::builtin_exception& raised) {
    raised.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& raised) {
    PyErr_SetString(PyExc_RuntimeError, raised.what());
  }
  return nullptr;
}

PyMethodDef run_method = {
    "run", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Run)), METH_FASTCALL | METH_KEYWORDS,
    "run($self, /, scope=None, entry=None, *, check_all=False, unknown_input='near', timeout=None, "
    "cancel=None)\n--\n\n"
    "The value of the program, or of its attribute `entry` (\"policy.allow\"), for `scope`, a dict of variables.\n\n"
    "What the program cannot need of the scope is not looked at, unless `check_all`. `unknown_input`: names that a "
    "module\ndoes not declare are an \"error\", a UserWarning where they are \"near\" one that is missing, or to "
    "\"ignore\". The run ends after `timeout`\n"
    "seconds, and when somebody cancels `cancel`, a CancelToken. Raises EvaluationError, LimitError, CancelledError, "
    "and\n"
    "TypeError or ValueError for objects that have no value."};

}  // namespace

void DefineRun(const py::handle& program_class) {
  PyObject* const method = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(program_class.ptr()), &run_method);
  if (method == nullptr) throw py::error_already_set();
  program_class.attr("run") = py::reinterpret_steal<py::object>(method);
}

}  // namespace hcl::python
