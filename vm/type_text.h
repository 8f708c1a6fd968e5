// Types as declarations write them: `object({ name = string, team = optional(string, "none") })`.
//
// Tested by module/type_text_test.cc.

#ifndef HCLVM_VM_TYPE_TEXT_H_
#define HCLVM_VM_TYPE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

struct TypeTextOptions {
  size_t indent = 0;          // blanks before further lines
  size_t width = 100;         // bytes of a line
  bool hides_values = false;  // defaults of attributes are "...", as those of a sensitive variable have to be
};

// The type, and what `defaults` (may be null) say of its attributes, as the `type` of a variable that is declared so.
// In one line if it is short enough, otherwise with a line for each attribute of its objects. Recursion follows the
// depth of the type. Time: the size of the text times the depth.
std::string TypeText(Type type, const TypeDefaults* defaults, const TypeTextOptions& options);

// A known value as an expression that gives it, in one line: JSON, with what begins a template escaped. Infinities and
// capsules, which no declaration has, are "null".
std::string ValueText(const Value& value);

// The name as a key of an object, in quotes if it needs them.
std::string NameText(std::string_view name);

}  // namespace hcl::internal

#endif  // HCLVM_VM_TYPE_TEXT_H_
