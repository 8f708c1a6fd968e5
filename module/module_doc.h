// What a module declares, as Markdown: `hclvm doc`.
//
// Internal to modules and programs. Tested by module/module_doc_test.cc.

#ifndef HCLVM_MODULE_MODULE_DOC_H_
#define HCLVM_MODULE_MODULE_DOC_H_

#include <string>
#include <string_view>

#include "hclvm/vm/program.h"

namespace hcl::internal {

// The variables, locals, functions and entries of `program`, in their order, under `title`. Of a program that
// is made of no module, the names of its variables and its entries. Defaults of sensitive variables are not in it.
// Ends with a line end.
std::string ModuleDoc(const Program& program, std::string_view title);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_MODULE_DOC_H_
