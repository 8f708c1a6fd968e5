// Functions of the host. Tested by bindings/python/tests/test_functions.py.
//
// A callable is called with the GIL, which the thread that evaluates does not have. Nothing of the library is locked
// while it waits for the GIL that whoever has it could wait for.

#include "hclvm/bindings/python/functions.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/from_python.h"
#include "hclvm/bindings/python/gil.h"
#include "hclvm/bindings/python/to_python.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/type_syntax.h"

namespace hcl::python {
namespace {

// A function may call the library again, whose functions do so again: each takes some of the stack.
constexpr int kMostCallsWithin = 50;
thread_local int calls_within = 0;

class CallWithin {
 public:
  CallWithin() { ++calls_within; }
  CallWithin(const CallWithin&) = delete;
  CallWithin& operator=(const CallWithin&) = delete;
  ~CallWithin() { --calls_within; }
};

struct HostFunction {
  py::object callable;
  Heap types;  // in which the types of the declaration live
};

// The last program that has the function may go in any thread, or when the interpreter is gone.
void Forget(HostFunction* function) {
  if (Py_IsInitialized() == 0) {
    function->callable.release();
    delete function;
    return;
  }
  const GilHold hold;
  delete function;
}

// "ValueError: no such user". Code of the exception may run, and fail.
std::string TextOfException(const py::error_already_set& raised) {
  std::string text = reinterpret_cast<PyTypeObject*>(raised.type().ptr())->tp_name;
  PyObject* const message = PyObject_Str(raised.value().ptr());
  PyObject* const bytes = message == nullptr ? nullptr : PyUnicode_AsEncodedString(message, "utf-8", "replace");
  Py_XDECREF(message);
  if (bytes == nullptr) {
    PyErr_Clear();
    return text + ", which says nothing";
  }
  if (PyBytes_GET_SIZE(bytes) > 0) {
    text += ": " + std::string(PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes)));
  }
  Py_DECREF(bytes);
  return text;
}

Value Raised(FunctionCall* call, const py::error_already_set& raised) {
  const bool is_limit = PyErr_GivenExceptionMatches(raised.type().ptr(), GetClasses().limit_error.ptr()) != 0;
  std::string message = "it has raised " + TextOfException(raised);
  if (Call* const current = WorkingFor::current()) current->Keep(raised);
  return is_limit ? call->LimitError(std::move(message)) : call->Error(std::move(message));
}

// The result, of the type that is declared.
Value ResultOf(FunctionCall* call, const py::object& result) {
  const Limits& limits = call->heap()->limits();
  const std::string name = "the result of " + call->function().name + "()";
  const Value value = ObjectReader::Read(result.ptr(), nullptr, limits.max_result_bytes, call->heap(), nullptr, name);
  const Type wanted = call->function().result_type;
  Value converted;
  ConversionError wrong;
  if (wanted == Type::Dynamic() || HasType(value, wanted)) return value;
  if (Convert(value, wanted, call->heap(), &converted, &wrong)) return converted;
  const std::string message = "its result is wrong: " + wrong.ToString();
  return wrong.is_limit ? call->LimitError(message) : call->Error(message);
}

// The FunctionBody of all functions of Python.
Value CallPython(FunctionCall* call, absl::Span<const Value> arguments) {
  if (calls_within >= kMostCallsWithin) {
    return call->LimitError("functions of the host call each other by way of evaluations too deeply");
  }
  const CallWithin within;
  const GilHold hold;
  try {
    py::tuple given(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      PyTuple_SET_ITEM(given.ptr(), static_cast<Py_ssize_t>(i), ToPython(arguments[i], call->heap()->limits()));
    }
    const auto& host = *static_cast<const HostFunction*>(call->function().state.get());
    PyObject* const result = StayingAtTheEnd([&] { return PyObject_Call(host.callable.ptr(), given.ptr(), nullptr); });
    if (result == nullptr) throw py::error_already_set();
    return ResultOf(call, py::reinterpret_steal<py::object>(result));
  } catch (const py::error_already_set& raised) {
    return Raised(call, raised);
  }
}

// "upper", "net::ip".
bool IsFunctionName(std::string_view name) {
  for (size_t end; (end = name.find("::")) != std::string_view::npos; name.remove_prefix(end + 2)) {
    if (!internal::IsIdentifier(name.substr(0, end))) return false;
  }
  return internal::IsIdentifier(name);
}

Type TypeOf(const py::handle& text, const std::string& what, Heap* heap) {
  Type type;
  TypeSyntaxError error;
  if (ParseTypeSyntax(TextOf(text.ptr(), what), heap, &type, &error)) return type;
  Raise(PyExc_ValueError, what + " is wrong at byte " + std::to_string(error.offset) + ": " + error.message);
}

// From (name, type, nullable, unknown).
Parameter ParameterOf(const py::handle& declared, const std::string& function, Heap* heap) {
  const auto fields = declared.cast<py::tuple>();
  Parameter parameter;
  parameter.name = std::string(TextOf(py::object(fields[0]).ptr(), "a parameter's name"));
  const std::string what = "the type of the parameter " + parameter.name + " of " + function;
  parameter.type = TypeOf(py::object(fields[1]), what, heap);
  parameter.allow_null = fields[2].cast<bool>();
  parameter.allow_unknown = parameter.allow_dynamic = fields[3].cast<bool>();
  return parameter;
}

// From (name, callable, parameters, variadic or None, result, pure).
Function FunctionOf(const py::tuple& declared) {
  constexpr size_t kMostParameters = 1000;
  const std::shared_ptr<HostFunction> host(new HostFunction, Forget);
  Function function;
  const py::object name = declared[0];
  if (PyUnicode_Check(name.ptr()) == 0) Raise(PyExc_TypeError, "the name of a function is a str");
  function.name = std::string(TextOf(name.ptr(), "the name of a function"));
  if (!IsFunctionName(function.name)) {
    Raise(PyExc_ValueError, "the name of a function is an identifier, and not \"" + function.name + "\"");
  }
  host->callable = declared[1];
  const auto parameters = declared[2].cast<py::list>();
  if (parameters.size() > kMostParameters) Raise(PyExc_ValueError, function.name + " has too many parameters");
  for (const py::handle parameter : parameters) {
    function.parameters.push_back(ParameterOf(parameter, function.name, &host->types));
  }
  if (const py::object variadic = declared[3]; !variadic.is_none()) {
    function.variadic = ParameterOf(variadic, function.name, &host->types);
  }
  function.result_type = TypeOf(py::object(declared[4]), "the result's type of " + function.name, &host->types);
  function.body = CallPython;
  function.pure = declared[5].cast<bool>();
  function.result_may_be_null = true;
  function.state = host;
  return function;
}

}  // namespace

std::shared_ptr<const FunctionRegistry> FunctionsOf(const py::list& declarations) {
  if (declarations.empty()) return StandardFunctions();
  FunctionRegistryBuilder builder;
  for (const FunctionFamily family : kFunctionFamilies) RegisterFamily(family, &builder);
  for (const py::handle declaration : declarations) builder.Add(FunctionOf(declaration.cast<py::tuple>()));
  return std::move(builder).Build();
}

}  // namespace hcl::python
