// Calls into the library. Tested by bindings/python/tests/test_stopping.py.

#include "hclvm/bindings/python/call.h"

#include <optional>
#include <utility>

#include "hclvm/bindings/python/gil.h"

namespace hcl::python {
namespace {

using std::chrono::steady_clock;

thread_local Call* current_call = nullptr;
// The innermost call that this thread has made, if it is the interpreter's main thread.
thread_local Call* main_call = nullptr;

constexpr std::chrono::milliseconds kBetweenLooks(50);
// Questions without a look at the clock: the library asks once a millisecond, or once in each short evaluation.
constexpr uint32_t kQuestions = 16;

py::object ExceptionOf(const py::error_already_set& raised) {
  if (raised.trace()) PyException_SetTraceback(raised.value().ptr(), raised.trace().ptr());
  return raised.value();
}

}  // namespace

std::optional<std::chrono::nanoseconds> TimeoutOf(const py::object& timeout) {
  if (timeout.is_none()) return std::nullopt;
  const double seconds = PyFloat_AsDouble(timeout.ptr());
  if (seconds == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (!(seconds > 0)) Raise(PyExc_ValueError, "a timeout is a number of seconds above 0");
  constexpr double kYears = 100.0 * 365 * 24 * 3600;
  if (seconds >= kYears) return std::nullopt;  // beyond what the clock counts
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

Call::Call(const StopOptions& options) : cause_(py::none()), pending_(py::none()) {
  if (!options.cancel.is_none()) {
    if (!py::isinstance<CancelToken>(options.cancel)) Raise(PyExc_TypeError, "cancel is a CancelToken");
    flag_ = options.cancel.cast<const CancelToken&>().flag;
    interrupt_.cancel = flag_.get();
  }
  if (const auto timeout = TimeoutOf(options.timeout)) interrupt_.deadline = steady_clock::now() + *timeout;
  is_main_ = PyThread_get_thread_ident() == GetClasses().main_thread;
  if (!is_main_) return;
  before_ = std::exchange(main_call, this);
  interrupt_.ask = Ask;
  interrupt_.context = this;
}

Call::~Call() {
  if (is_main_) main_call = before_;
}

// Other threads that work for the call ask as well. They cannot look at signals, but stop with this one.
bool Call::Ask(void* context) {
  auto* const call = static_cast<Call*>(context);
  if (call->stopped_.load(std::memory_order_relaxed)) return true;
  if (main_call != call || ++call->asked_ % kQuestions != 0) return false;
  return call->LookAtSignals();
}

// Handlers of signals are Python functions, and run here. Most calls end before anybody asks for the time.
bool Call::LookAtSignals() {
  const steady_clock::time_point now = steady_clock::now();
  if (next_look_ == steady_clock::time_point()) next_look_ = now + kBetweenLooks;
  if (now < next_look_) return false;
  next_look_ = now + kBetweenLooks;
  const GilHold hold;
  if (PyErr_CheckSignals() == 0) return false;
  const py::error_already_set raised;
  if (pending_.is_none()) pending_ = ExceptionOf(raised);
  stopped_.store(true, std::memory_order_relaxed);
  return true;
}

void Call::Keep(const py::error_already_set& raised) {
  const py::object exception = ExceptionOf(raised);
  const bool is_exception = PyObject_IsInstance(exception.ptr(), PyExc_Exception) == 1;
  py::object& kept = is_exception ? cause_ : pending_;
  if (kept.is_none()) kept = exception;
}

void Call::RaisePending() {
  if (pending_.is_none()) return;
  const py::object exception = std::exchange(pending_, py::none());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

py::object Call::TakeCause() { return std::exchange(cause_, py::none()); }

WorkingFor::WorkingFor(Call* call) : before_(std::exchange(current_call, call)) {}
WorkingFor::~WorkingFor() { current_call = before_; }
Call* WorkingFor::current() { return current_call; }

}  // namespace hcl::python
