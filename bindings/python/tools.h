// hclvm.check, and programs that decode a text by a spec.

#ifndef HCLVM_BINDINGS_PYTHON_TOOLS_H_
#define HCLVM_BINDINGS_PYTHON_TOOLS_H_

#include <memory>
#include <string>

#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// What `hclvm check` finds in the files of a module, or in a plain config with the files of variable blocks for it: a
// list of hclvm.Diagnostic. Files are triples of a name, a text and whether it is in the JSON syntax. Needs the GIL,
// which is released for the work.
py::list Check(const py::object& files, bool is_module, const py::object& variables, bool strict,
               const CompileArguments& arguments);

// The text of a file.
struct NamedText {
  py::object text;
  std::string name;
  bool is_json;
};

// The program that decodes `config` by `spec`, as `hclvm decode` does, whose scope has more variables. `literal`:
// strings of the JSON syntax are what they say unless the spec has variables or functions. Raises hclvm.CompileError.
// Needs the GIL, which is released for the work.
std::shared_ptr<Program> CompileDecoder(const NamedText& spec, const NamedText& config, bool expand_dynamic_blocks,
                                        bool literal, const CompileArguments& arguments);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_TOOLS_H_
