// hclvm.diff and hclvm.profile: what evaluations over recorded requests come to.

#ifndef HCLVM_BINDINGS_PYTHON_COMPARE_RUN_H_
#define HCLVM_BINDINGS_PYTHON_COMPARE_RUN_H_

#include <chrono>
#include <string>

#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/python.h"

namespace hcl::python {

struct RecordedArguments {
  py::list lines;    // bytes: requests as objects of JSON
  bool log = false;  // they are lines of a decision log
  py::list entries;  // paths; empty: all
};

// What the modules `before` and `after` answer: the text of JSON that docs/diff.md describes. Raises
// hclvm.CompileError, hclvm.LimitError where an evaluation has reached a limit, and KeyError where neither has an
// entry. Needs the GIL, which is released for the work.
std::string DiffModules(const py::object& before, const py::object& after, const RecordedArguments& recorded,
                        bool show_sensitive, const CompileArguments& arguments);

// Where fuel and time of the module `files` go: the text of JSON that docs/policies.md describes. `time`: of sampling.
// As DiffModules() otherwise.
std::string ProfileModule(const py::object& files, const RecordedArguments& recorded, std::chrono::milliseconds time,
                          const CompileArguments& arguments);

}  // namespace hcl::python

#endif  // HCLVM_BINDINGS_PYTHON_COMPARE_RUN_H_
