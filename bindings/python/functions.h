// Functions of the host: Python callables that expressions call.

#ifndef HCLVM_BINDINGS_PYTHON_FUNCTIONS_H_
#define HCLVM_BINDINGS_PYTHON_FUNCTIONS_H_

#include <memory>

#include "hclvm/bindings/python/python.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::python {

// The function library with the functions that hclvm._functions.declarations() lists; the library alone for none.
// Raises ValueError for names and types that are wrong. The callables are called with the GIL, by any thread that
// evaluates. Needs the GIL.
std::shared_ptr<const FunctionRegistry> FunctionsOf(const py::list& declarations);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_FUNCTIONS_H_
