// hclvm.SourceTree and hclvm.format_config.

#ifndef HCLVM_BINDINGS_PYTHON_SOURCE_TREE_H_
#define HCLVM_BINDINGS_PYTHON_SOURCE_TREE_H_

#include <string>

#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// Defines the class. Needs the GIL, as all its methods do.
void DefineSourceTree(py::module_* module);

// `text` in the canonical layout. Raises hclvm.CompileError where it does not parse. Needs the GIL, which is released
// for the work.
py::str FormatText(const py::object& text, const std::string& name, const py::object& limits);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_SOURCE_TREE_H_
