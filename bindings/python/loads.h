// hclvm.loads: the text of a config as Python objects, without evaluating it.

#ifndef HCLVM_BINDINGS_PYTHON_LOADS_H_
#define HCLVM_BINDINGS_PYTHON_LOADS_H_

#include <string>

#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// A dict of the config: constants as values, other expressions as text, blocks as lists of dicts below their labels.
// Raises hclvm.CompileError. Needs the GIL, which is released while the text is parsed.
py::dict Loads(const py::object& text, const std::string& name, const py::object& limits, const StopOptions& stop);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_LOADS_H_
