// Calls into the library: what stops them, what functions of the host have raised in them, and the GIL.

#ifndef HCLVM_BINDINGS_PYTHON_CALL_H_
#define HCLVM_BINDINGS_PYTHON_CALL_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "hclvm/base/limits.h"
#include "hclvm/bindings/python/gil.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// hclvm.CancelToken. Thread-safe.
struct CancelToken {
  std::shared_ptr<std::atomic<bool>> flag = std::make_shared<std::atomic<bool>>(false);
};

// What may stop a call: both may be None. A timeout is in seconds, above 0.
struct StopOptions {
  py::object timeout;
  py::object cancel;
};

// None for no timeout. Raises TypeError or ValueError for what is wrong.
std::optional<std::chrono::nanoseconds> TimeoutOf(const py::object& timeout);

// One call of Python into the library. Made and destroyed with the GIL, by the thread that calls; in between, any
// thread may work for it. Where that thread is the interpreter's main one, signals are looked at about 20 times a
// second, so that Ctrl-C ends the work.
class Call {
 public:
  // Raises TypeError or ValueError for options that are wrong.
  explicit Call(const StopOptions& options);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();

  // For the limits of the work. Valid as long as the call.
  Interrupt interrupt() { return interrupt_; }
  // Whether a token has stopped the work.
  bool cancelled() const { return interrupt_.cancel != nullptr && interrupt_.cancel->load(std::memory_order_relaxed); }

  // Runs `work` without the GIL.
  template <typename Work>
  void WithoutGil(const Work& work) {
    const GilRelease release;
    work();
  }

  // Keeps what a function of the host has raised, for RaisePending() and cause(). Needs the GIL; thread-safe.
  void Keep(const py::error_already_set& raised);
  // Raises what has to end the call at once: what a signal has raised, and exceptions that are no Exception, as
  // KeyboardInterrupt and SystemExit. Needs the GIL.
  void RaisePending();
  // The first exception of a function of the host since the last call of this, or None; it becomes the __cause__ of an
  // error. Needs the GIL.
  py::object TakeCause();

 private:
  static bool Ask(void* context);
  bool LookAtSignals();

  Interrupt interrupt_;
  std::shared_ptr<std::atomic<bool>> flag_;
  bool is_main_ = false;
  Call* before_ = nullptr;             // around this one, by way of a function of the host
  std::atomic<bool> stopped_ = false;  // by a signal
  uint32_t asked_ = 0;
  std::chrono::steady_clock::time_point next_look_ = {};  // from the first question on
  py::object cause_;                                      // None or an exception
  py::object pending_;                                    // the same
};

// The call that a thread works for, while this lives: functions of the host tell it what they raise.
class WorkingFor {
 public:
  explicit WorkingFor(Call* call);
  WorkingFor(const WorkingFor&) = delete;
  WorkingFor& operator=(const WorkingFor&) = delete;
  ~WorkingFor();

  // Null where none is known.
  static Call* current();

 private:
  Call* before_;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_CALL_H_
