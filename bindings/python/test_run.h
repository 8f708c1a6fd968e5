// hclvm.test: the tests of a module.

#ifndef HCLVM_BINDINGS_PYTHON_TEST_RUN_H_
#define HCLVM_BINDINGS_PYTHON_TEST_RUN_H_

#include <string>

#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

// Runs the tests in the files `tests` of the module `files`, as `hclvm test` does: a list of tuples of a file's name,
// the line of the test, the name of the case, whether it has passed, its time in seconds, and a list of texts, one for
// each failure; and coverage as a text of JSON, or None. Files are triples as FilesOf() takes them. What tests read is
// in `texts`, a dict of names to texts, or, where that is None, in `folder`. Raises hclvm.CompileError for files that
// are wrong. Needs the GIL, which is released for the work.
py::tuple RunTests(const py::object& files, const py::object& tests, const std::string& folder, const py::object& texts,
                   bool coverage, const CompileArguments& arguments);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_TEST_RUN_H_
