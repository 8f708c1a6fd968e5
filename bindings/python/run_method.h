// The method `run` of hclvm.Program.

#ifndef HCLVM_BINDINGS_PYTHON_RUN_METHOD_H_
#define HCLVM_BINDINGS_PYTHON_RUN_METHOD_H_

#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// Gives the class hclvm.Program its method. Needs the GIL.
void DefineRun(const py::handle& program_class);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_RUN_METHOD_H_
