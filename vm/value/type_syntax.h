// Reading types in HCL's type syntax, as ToTypeSyntax() writes them: `map(list(string))`, `object({a = number})`.
//
// Tested by vm/value/type_syntax_test.cc.

#ifndef HCLVM_VM_VALUE_TYPE_SYNTAX_H_
#define HCLVM_VM_VALUE_TYPE_SYNTAX_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl {

// What is wrong with a type's text, and where (byte offset in it).
struct TypeSyntaxError {
  std::string message;  // a sentence
  size_t offset = 0;
  bool is_limit = false;
};

// Reads all of `text` as one type, made in `heap`: `any`, `bool`, `number`, `string`, `list(T)`, `set(T)`, `map(T)`,
// `tuple([T, ...])`, `object({name = T, ...})`, or the name of one of `capsules`, which must outlive the type. An
// attribute's name is an identifier or a quoted string with the escapes of the native syntax, without interpolations;
// `:` may stand for `=`, a line break for a comma, and a comma may follow the last element. False and *error on
// failure: malformed text, a name that is unknown or given twice, invalid UTF-8, nesting over
// Limits::max_nesting_depth. Time: linear, but for sorting attributes.
bool ParseTypeSyntax(std::string_view text, Heap* heap, Type* type, TypeSyntaxError* error,
                     absl::Span<const CapsuleType* const> capsules = {});

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_TYPE_SYNTAX_H_
