// The GIL, given away and taken, also by threads that outlive the interpreter.
//
// Where the interpreter ends while other threads run, CPython before 3.14 ends each that asks for the GIL, there where
// it asks: its stack is unwound as by an exception that nothing may catch. Destructors of C++ let no exception through,
// and would end the process by it (SIGABRT), or use objects of Python without the GIL. So such a thread stays where it
// is, as it does from 3.14 on, and goes with the process.

#ifndef HCLVM_BINDINGS_PYTHON_GIL_H_
#define HCLVM_BINDINGS_PYTHON_GIL_H_

#include <cxxabi.h>
#include <unistd.h>

#include <optional>

#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// The result of `work`, which may take the GIL: by itself, or in code of Python that it calls.
template <typename Work>
auto StayingAtTheEnd(const Work& work) -> decltype(work()) {
#if defined(__GLIBCXX__)
  try {
    return work();
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  return work();
#endif
}

// The GIL is given away while this lives.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  ~GilRelease() {
    StayingAtTheEnd([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

// The GIL is held while this lives, by a thread that may have it already, or may not be known to the interpreter.
class GilHold {
 public:
  GilHold() {
    StayingAtTheEnd([this] { acquired_.emplace(); });
  }

 private:
  std::optional<py::gil_scoped_acquire> acquired_;
};

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_GIL_H_
