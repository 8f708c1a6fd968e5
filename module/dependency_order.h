// The order in which what depends on each other can be made: the locals of a module, and its functions.
//
// Internal to modules. Tested by module/module_test.cc.

#ifndef HCLVM_MODULE_DEPENDENCY_ORDER_H_
#define HCLVM_MODULE_DEPENDENCY_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/declarations.h"

namespace hcl::internal {

// One that is to be made.
struct Dependent {
  std::string name;  // as messages have it
  Place place;
  std::vector<size_t> needs;  // positions of others, or its own
};

// How messages begin, and their codes.
struct DependencyMessages {
  DiagnosticCode circle_code;
  const char* circle;  // "A local cannot be made of itself"; the circle follows
  DiagnosticCode depth_code;
  const char* depth;  // "Locals that are made of each other"; "must not form chains ..." follows
};

// Positions, each behind those that it needs. Those that need themselves, by way of others perhaps, are left out and
// reported as a circle, as are chains of more than `max_depth`; so are those that need such. Time: linear.
std::vector<size_t> OrderByNeed(const std::vector<Dependent>& all, uint32_t max_depth,
                                const DependencyMessages& messages, Diagnostics* diagnostics);

// Of locals.
std::vector<size_t> OrderLocals(const std::vector<DeclaredLocal>& locals, uint32_t max_depth, Diagnostics* diagnostics);

// How often the text reads each local, by its name: other locals, and the body of all that the module gives. Time:
// linear.
HashMap<std::string, uint32_t> CountReads(const std::vector<DeclaredLocal>& locals, const Body& rest);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_DEPENDENCY_ORDER_H_
