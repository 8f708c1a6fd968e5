// Random expressions over values that may be null, may lack attributes, or are of any type, behind conditions that test
// them, or test something else.
//
// Tested by its users.

#ifndef HCLVM_TESTS_SLOW_NARROWING_FORMS_H_
#define HCLVM_TESTS_SLOW_NARROWING_FORMS_H_

#include <string>

#include "hclvm/tests/slow/generator.h"

namespace hcl::testing_support {

// Declarations of what NarrowingForm() reads, in files of both syntaxes. Some have validations, which always hold.
std::string NarrowedVariables();
std::string NarrowedVariablesInJson();

// The next expression.
std::string NarrowingForm(Generator* generator);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NARROWING_FORMS_H_
