// The names of marks, which all programs of the process share.

#ifndef HCLVM_BINDINGS_PYTHON_MARKS_H_
#define HCLVM_BINDINGS_PYTHON_MARKS_H_

#include "hclvm/vm/value/marks.h"

namespace hcl::python {

// For use with the GIL. Never destroyed.
inline MarkRegistry& Marks() {
  static auto* const marks = new MarkRegistry;
  return *marks;
}

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_MARKS_H_
