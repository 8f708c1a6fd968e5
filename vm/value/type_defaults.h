// TypeDefaults: what stands in for attributes that a value may leave out, by where they are in its type.
//
// Tested by vm/value/type_defaults_test.cc.

#ifndef HCLVM_VM_VALUE_TYPE_DEFAULTS_H_
#define HCLVM_VM_VALUE_TYPE_DEFAULTS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// The attributes of an object type that may be missing, and the same for the parts of any type. Immutable once made.
struct TypeDefaults {
  using Part = std::shared_ptr<const TypeDefaults>;

  std::map<std::string, Value, std::less<>> attributes;  // a null where nothing else stands in
  std::map<std::string, Part, std::less<>> parts;        // of an object by attribute, of a tuple by position ("0")
  Part element;                                          // of a list, set or map
};

// `value` with what `defaults` has for attributes that are missing in it or null, at every depth; defaults apply inside
// of defaults, too. What is unknown, or of another kind than the type's, is left as it is. Maps that get attributes
// become objects. The result is in `heap`, and points to `defaults`. Recursion follows the depth of the type.
Value ApplyDefaults(const Value& value, const TypeDefaults& defaults, Heap* heap);

namespace internal {

// What `defaults`, which may be null, says of one place in a type; null where it says nothing. Points into `defaults`.
const Value* DefaultOf(const TypeDefaults* defaults, std::string_view attribute);
const TypeDefaults* PartOf(const TypeDefaults* defaults, std::string_view name);
const TypeDefaults* ElementOf(const TypeDefaults* defaults);
// Whether the attribute is null where it is not given.
bool MayBeNull(const TypeDefaults* defaults, std::string_view attribute);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_TYPE_DEFAULTS_H_
