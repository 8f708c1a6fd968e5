// TypeObserver: sees what is known of the types of expressions while a module or a config is checked.
//
// Editors show these types. Internal to modules and programs. Tested by module/typed_names_test.cc.

#ifndef HCLVM_MODULE_TYPE_OBSERVER_H_
#define HCLVM_MODULE_TYPE_OBSERVER_H_

#include "hclvm/base/source.h"
#include "hclvm/module/static_type.h"

namespace hcl::internal {

// Called by the thread of the check. Types live until the check ends. An expression may be seen more than once, the
// last time with what the conditions around it say.
class TypeObserver {
 public:
  virtual ~TypeObserver() = default;

  // An expression, without parentheses around it. A traversal of names is one expression.
  virtual void SeeExpr(SourceRange range, const Source* source, const StaticType& type) = 0;
  // A step, such as `.name`, into a value of this type.
  virtual void SeeStep(SourceRange step, const Source* source, const StaticType& before) = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_TYPE_OBSERVER_H_
