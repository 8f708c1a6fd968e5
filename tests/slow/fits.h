// Whether an answer for unknown input and an answer for the real input go together.

#ifndef HCLVM_TESTS_SLOW_FITS_H_
#define HCLVM_TESTS_SLOW_FITS_H_

#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// Whether `real` may be what `earlier`, in which something may be unknown, turns out to be: what is known in `earlier`
// is the same, the types match, and no refinement is contradicted. Types are made in `types`. Tested by
// tests/slow/fits_test.cc.
bool Fits(const Value& earlier, const Value& real, TypeTable* types);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_FITS_H_
