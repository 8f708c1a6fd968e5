// The order in which the locals of a module can be made. Internal to modules. Tested by module/module_test.cc.

#ifndef HCLVM_MODULE_LOCAL_ORDER_H_
#define HCLVM_MODULE_LOCAL_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/module/declarations.h"

namespace hcl::internal {

// Positions in `locals`, each behind those that it reads. Locals that read themselves, by way of others perhaps, are
// left out and reported as a circle, as are chains of more than `max_depth`; so are those that read such. Time: linear
// in the expressions.
std::vector<size_t> OrderLocals(const std::vector<DeclaredLocal>& locals, uint32_t max_depth, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_LOCAL_ORDER_H_
