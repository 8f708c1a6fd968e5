// hclvm.explain: why values are what they are.

#ifndef HCLVM_BINDINGS_PYTHON_EXPLAIN_RUN_H_
#define HCLVM_BINDINGS_PYTHON_EXPLAIN_RUN_H_

#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

struct ExplainArguments {
  py::object entry;  // the path of one, or None: all
  bool full = false;
  bool show_sensitive = false;
  ScopeOptions scopes;
};

// The explanations of the entries of the module `files` for the dict `scope`: a list of texts of JSON, as
// docs/explain.md has them. Raises hclvm.CompileError, and KeyError where there is no such entry. Needs the GIL, which
// is released for the work.
py::list ExplainScope(const py::object& files, const py::object& scope, const ExplainArguments& asked,
                      const CompileArguments& arguments);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_EXPLAIN_RUN_H_
