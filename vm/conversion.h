// Conversion and unification of types.
//
// Specification: information-model.md, "Type Conversions and Unification"; DESIGN's dialect rows. Recursion is bounded
// by the depth of types, hence by Limits::max_nesting_depth. Tested by vm/conversion_test.cc, vm/unify_test.cc.

#ifndef HCLVM_VM_CONVERSION_H_
#define HCLVM_VM_CONVERSION_H_

#include <string>

#include "absl/types/span.h"
#include "vm/heap.h"
#include "vm/type.h"
#include "vm/value.h"

namespace hcl {

// Why a conversion failed.
struct ConversionError {
  std::string path;     // where, from the converted value: ".rules[2].port"; empty for the value itself
  std::string message;  // "a number is required"

  // The path, if any, a colon, and the message.
  std::string ToString() const;
};

// Whether some values of `from` can be converted to `to`; with `unsafe` false, whether all can, keeping them distinct.
bool IsConvertible(Type from, Type to, bool unsafe, Dialect dialect);

// `value` converted to `to` (unsafe conversions allowed), in `heap`. Dynamic in `to` is taken from the value; the
// result's type is `to` where that is concrete. False and *error on failure. `*result` may alias `value`.
bool Convert(const Value& value, Type to, Heap* heap, Value* result, ConversionError* error);

// The type that all of `types` can be converted to (unsafe conversions allowed), or false. No types: false.
bool Unify(absl::Span<const Type> types, Heap* heap, Type* result);

}  // namespace hcl

#endif  // HCLVM_VM_CONVERSION_H_
