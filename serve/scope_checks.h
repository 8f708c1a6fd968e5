// ScopeChecks: how much of what is given for variables has to be right.
//
// Tested by tests/answers/serve_answers_test.cc.

#ifndef HCLVM_SERVE_SCOPE_CHECKS_H_
#define HCLVM_SERVE_SCOPE_CHECKS_H_

#include "hclvm/vm/unknown_input.h"

namespace hcl::serve {

struct ScopeChecks {
  bool check_all = false;                            // all of all variables (Evaluator::set_check_all)
  UnknownInput unknown_input = UnknownInput::kNear;  // what names are that a module does not declare
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_SCOPE_CHECKS_H_
