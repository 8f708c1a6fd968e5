// Navigation: what stands at a byte of a native text, for editors and other tools.
//
// A thing stands at each byte of its range, not at the byte after it; for a cursor behind a word, ask for the byte
// before it. Trees from a parse with errors work as well. Functions are pure and thread-safe; results live as long as
// the tree. Time: logarithmic in the items of each body, linear in the parts of the expressions around the byte.
//
// Tested by hcl/navigation_test.cc.

#ifndef HCLVM_HCL_NAVIGATION_H_
#define HCLVM_HCL_NAVIGATION_H_

#include <cstdint>
#include <vector>

#include "hclvm/hcl/ast.h"

namespace hcl {

// The blocks around the byte at `offset`, from type to closing brace; the outermost is first.
std::vector<const Block*> BlocksAt(const Body& body, uint32_t offset);

// The last of these, or null.
const Block* InnermostBlockAt(const Body& body, uint32_t offset);

// The attribute at the byte, from its name to the end of its value, in whichever block; or null.
const Attribute* AttributeAt(const Body& body, uint32_t offset);

// The value of that attribute when the byte is in it; or null.
const Expr* OutermostExprAt(const Body& body, uint32_t offset);

// The smallest expression at the byte, within that value or within `expr`; or null. Parts of a name or of a traversal's
// steps are no expressions: at the `b` of `a.b` this is `a.b`.
const Expr* InnermostExprAt(const Body& body, uint32_t offset);
const Expr* InnermostExprAt(const Expr& expr, uint32_t offset);

}  // namespace hcl

#endif  // HCLVM_HCL_NAVIGATION_H_
