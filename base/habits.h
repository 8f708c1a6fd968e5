// Hints at what people write who know other languages, by the names that they use.
//
// Pure and thread-safe. Tested by base/habits_test.cc, and in messages by tests/golden.

#ifndef HCLVM_BASE_HABITS_H_
#define HCLVM_BASE_HABITS_H_

#include <string>
#include <string_view>

namespace hcl::internal {

// A sentence after a blank for a variable `name` that does not exist; empty where nothing is known of it.
std::string_view HintAtVariable(std::string_view name);

// The same for a function that does not exist.
std::string_view HintAtFunction(std::string_view name);

// The same for `name` that is called as a method, value.name(...), which nothing is.
std::string HintAtMethod(std::string_view name);

// The same for a word in place of a type, and for a call in place of a type constructor: the word that is meant.
std::string_view HintAtType(std::string_view name);

// The same for an attribute of `source`, an expression, that is no object and no map; `is_text`: it is a string.
std::string HintAtAttribute(std::string_view name, std::string_view source, bool is_text);

// The same for an operand of || that is no bool: in other languages it chooses a value.
std::string_view HintAtOrOperand();

}  // namespace hcl::internal

#endif  // HCLVM_BASE_HABITS_H_
