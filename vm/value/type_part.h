// TypePart: the part of a type's values that something reads.
//
// Internal to the machine. Tested by vm/value/declared_value_test.cc.

#ifndef HCLVM_VM_VALUE_TYPE_PART_H_
#define HCLVM_VM_VALUE_TYPE_PART_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::internal {

// Immutable and thread-safe once made.
struct TypePart {
  struct Named;

  // Everything is read. Otherwise an object is read as far as `parts` name its attributes, and a map as far as they
  // name its keys; what is of no declared type may have parts as well. Of all others, everything is read.
  bool is_whole = false;
  std::vector<Named> parts;  // by name, in the order of bytes; none twice

  // The part of that name; null where it is not read. Requires !is_whole.
  const TypePart* Find(std::string_view name) const;
};

struct TypePart::Named {
  std::string name;
  TypePart part;
};

inline const TypePart* TypePart::Find(std::string_view name) const {
  const auto at = std::lower_bound(parts.begin(), parts.end(), name,
                                   [](const Named& named, std::string_view wanted) { return named.name < wanted; });
  return at == parts.end() || at->name != name ? nullptr : &at->part;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_TYPE_PART_H_
