// Values as they are declared: of a type, with what stands in for attributes that are missing, and with nulls only
// where the declaration allows them.
//
// Tested by vm/value/declared_value_test.cc.

#ifndef HCLVM_VM_VALUE_DECLARED_VALUE_H_
#define HCLVM_VM_VALUE_DECLARED_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/fuel.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

struct ValueDeclaration {
  std::string_view name;         // for reasons
  Type type;                     // dynamic: anything
  const TypeDefaults* defaults;  // may be null; an attribute whose default is null may be null
  bool nullable;                 // the value itself
  // In which reasons look for misspelled names, where the value and the type are a part of what is given and declared.
  const Value* given = nullptr;
  std::optional<Type> whole_type = std::nullopt;
};

enum class Fit : uint8_t { kFits, kDoesNotFit, kLimit };

// `value` as `declaration` says, in `heap`: with defaults, and converted. Elements are not null, attributes that may be
// left out without a default may be; what is of no declared type may hold nulls. Where it does not fit, *reason says
// why, as the end of a sentence: "user.roles[2] must not be null", "user.name is missing". *result may alias `value`.
// Recursion follows the depth of the type. `fuel` (may be null): as ConversionError::fuel; where it is used up, the
// value does not fit.
Fit ToDeclared(const Value& value, const ValueDeclaration& declaration, Heap* heap, Value* result, std::string* reason,
               Fuel* fuel = nullptr);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_DECLARED_VALUE_H_
