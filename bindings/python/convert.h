// hclvm.convert. Tested by bindings/python/tests/test_tools.py.

#ifndef HCLVM_BINDINGS_PYTHON_CONVERT_H_
#define HCLVM_BINDINGS_PYTHON_CONVERT_H_

#include <string>

#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// `text` in the syntax `to`, "json" or "native". `spec` is the text of a spec file, or None; `is_module`: the
// declarations of modules say what is a block. Raises ValueError for another syntax or dialect, and hclvm.CompileError
// where something is wrong with the text or the spec, or has no counterpart. Needs the GIL, which is released for the
// work.
py::str Convert(const py::object& text, const std::string& to, const py::object& spec, bool is_module,
                const std::string& name, const std::string& dialect, const py::object& limits);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_CONVERT_H_
