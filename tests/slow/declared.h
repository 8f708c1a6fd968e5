// Random programs as modules: their variables with declared types, scopes that fit these, and what may fail all the
// same.

#ifndef HCLVM_TESTS_SLOW_DECLARED_H_
#define HCLVM_TESTS_SLOW_DECLARED_H_

#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// A variable block for each of `variables`, an object, with a type of which its value is; `any` where there is none,
// since elements may not be null in a declared type. A line for each, and three or four for those that may be null.
std::string DeclarationsOf(const Value& variables, TypeTable* types);

// A JSON object with a random value for each variable of a module, as its declaration has it.
std::string RandomScope(const Program& module, Generator* random);

// Whether a module without findings may fail with `diagnostic`, as it depends on values and not on types
// (docs/modules.md, "Check"). `text` is what runs: an object that a loop makes, merge or zipmap, has the keys that it
// has, as a map.
bool MayFailFor(const Diagnostic& diagnostic, const std::string& text);

// The first of the diagnostics of one run for which a module without findings must not fail, or null. Where one side of
// && or || has failed for what it may, the other is looked at as well, without what the first would have tested.
const Diagnostic* WrongFailure(const Diagnostics& diagnostics, const std::string& text);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_DECLARED_H_
