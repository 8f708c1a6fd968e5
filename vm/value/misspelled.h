// Names that are given and declared by nobody, and are nearly those of something declared that is missing.
//
// Internal to the machine. Tested by module/binding_test.cc.

#ifndef HCLVM_VM_VALUE_MISSPELLED_H_
#define HCLVM_VM_VALUE_MISSPELLED_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Names that are looked at for one scope, or one value, since requests choose how many there are.
constexpr size_t kMaxComparisons = 10'000;

// The name among `given` that is not known and nearest to `wanted`; empty where none is near. Takes the names that it
// looks at from *comparisons, and looks at no more.
std::string FindMisspelled(std::string_view wanted, const Shape& given,
                           const std::function<bool(std::string_view)>& is_known, size_t* comparisons);

// What nobody declares in `given`, a value that becomes one of `declared`: a sentence for each attribute, as far as
// `sentences` has room for kMaxSentences. `name` is that of the value. Recursion follows the type.
void FindUndeclared(const Value& given, Type declared, std::string_view name, std::vector<std::string>* sentences);
// What may be missing in `given` and is, where a name that nobody declares is nearly its own: the same, as far as
// `plan` reads it.
void FindMisspellings(const Value& given, const BindingPlan& plan, Type declared, std::string_view name,
                      std::vector<std::string>* sentences);
constexpr size_t kMaxSentences = 10;

// What is said of it: "\"usr\" is given: did you mean \"user\"?"
std::string MisspelledText(std::string_view given, std::string_view wanted);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_MISSPELLED_H_
